"""Area data and prop lists: which models, textures and lights an area of the game loads.

`AreaData` is one member of area_data.narc, `AreaBuild` one member of area_build.narc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.field_types import U8, U16, Counted
from formats.field.layout import Record
from formats.field.record import opened

NO_TERRAIN_SRT_ANIMATION = 0xFFFF


@dataclass(frozen=True)
class AreaData(Record, title="area data"):
    """`prop_set` indexes both area_build and areabm_texset, `terrain_set` map_tex_set, `light_set` arealight.

    `unused` varies in the files and is never read by the game.
    """

    prop_set: U16
    terrain_set: U16
    unused: U16
    light_set: U16


@dataclass(frozen=True, eq=False)
class AreaBuild(Record, title="area build"):
    """The prop models (build_model ids, uint16) that an area loads; a placed prop of another id becomes model 0."""

    models: Annotated[npt.NDArray[np.uint16], Counted("H", "<u2")]


@dataclass(frozen=True)
class EmptyTextureSet:
    """Four zero bytes, which stand for a prop texture set without textures in Diamond, Pearl, HeartGold and
    SoulSilver."""

    BYTES: ClassVar[bytes] = bytes(4)

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> EmptyTextureSet:
        """Read a file. Raises FormatError for other bytes."""
        reader = opened(data, "texture set")
        reader.check(bytes(reader.data) == cls.BYTES, 0, "an NSBTX or four zero bytes", f"{bytes(reader.data[:4])!r}")
        return cls()

    def to_bytes(self) -> bytes:
        return self.BYTES


@dataclass(frozen=True)
class HeartGoldAreaData(Record, title="area data"):
    """An area of HeartGold and SoulSilver. `terrain_srt_animation` indexes the texture matrix animations of terrain
    (NO_TERRAIN_SRT_ANIMATION: none); `model_kind` is 0 where the props are those of rooms; `light_set` chooses the
    light file."""

    prop_set: U16
    terrain_set: U16
    terrain_srt_animation: U16
    model_kind: U8
    light_set: U8


AreaRecord = AreaData | HeartGoldAreaData
"""The areas of all games have the numbers of the prop set, the terrain texture set and the light."""
