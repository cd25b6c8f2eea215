"""Area data and prop lists: which models, textures and lights an area of the game loads.

`AreaData` is one member of area_data.narc, `AreaBuild` one member of area_build.narc.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.record import note_rest, opened, write_count, write_record, write_table

_AREA = struct.Struct("<4H")


@dataclass(frozen=True)
class AreaData:
    """`prop_set` indexes both area_build and areabm_texset, `terrain_set` map_tex_set, `light_set` arealight.

    `unused` varies in the files and is never read by the game.
    """

    prop_set: int
    terrain_set: int
    unused: int
    light_set: int

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> AreaData:
        """Read the 8-byte record. Raises FormatError."""
        reader = opened(data, "area data")
        values = reader.unpack(_AREA, 0, "area data")
        note_rest(reader, _AREA.size, notes)
        return cls(*values)

    def to_bytes(self) -> bytes:
        """The record. Raises ValueError for a number beyond 16 bits."""
        return write_record(_AREA, self, self.prop_set, self.terrain_set, self.unused, self.light_set)


@dataclass(frozen=True, eq=False)
class AreaBuild:
    """The prop models (build_model ids, uint16) that an area loads; a placed prop of another id becomes model 0."""

    models: npt.NDArray[np.uint16]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> AreaBuild:
        """Read a prop list. Raises FormatError."""
        reader = opened(data, "area build")
        models = reader.array(2, "<u2", reader.u16(0), "prop model ids")
        note_rest(reader, 2 + models.nbytes, notes)
        return cls(models)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for more than 65535 models."""
        count = write_count(len(self.models), 0xFFFF, "prop models")
        return struct.pack("<H", count) + write_table(self.models, "<u2", "prop model ids")
