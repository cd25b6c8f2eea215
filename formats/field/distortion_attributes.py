"""Terrain attributes of a platform of the Distortion World (tw_arc_attr.narc): one word per tile.

The words are those of `terrain_attribute`. The platform record gives the length of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from formats.field.field_types import Rest
from formats.field.layout import Record


@dataclass(frozen=True, eq=False)
class DistortionAttributes(Record, title="platform attributes"):
    """`words` (uint16), row by row."""

    words: Annotated[npt.NDArray[np.uint16], Rest("<u2")]
