"""Area data and prop lists: which models, textures and lights an area of the game loads.

`AreaData` is one member of area_data.narc, `AreaBuild` one member of area_build.narc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from formats.field.layout import U16, Counted, Record


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
