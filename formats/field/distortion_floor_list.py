"""The floors of the Distortion World (tw_arc.narc[0]): the file of each map header and where its land lies.

The land of all floors is in one space: the offset is that of a floor's north-west corner, x and z in tiles, y in tiles
of 16 units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from formats.field.field_types import Counted
from formats.field.layout import Record

FLOOR = np.dtype([("header", "<u4"), ("file", "<u2"), ("x", "<i2"), ("y", "<i2"), ("z", "<i2")])
"""A map header, the number of its file (member `file` + 1 of the archive) and its offset."""


@dataclass(frozen=True, eq=False)
class DistortionFloorList(Record, title="floor list"):
    """`floors`: records of FLOOR, in file order."""

    floors: Annotated[npt.NDArray[np.void], Counted("I", FLOOR)]
