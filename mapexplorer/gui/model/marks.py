"""What is marked over the picture: a walk's trail, the tile that refused a step, a way, what can be reached, and what
differs from another ROM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapexplorer.world.subject import Subject

Point = tuple[float, float, float]


ReachedTiles = Mapping[Subject, npt.NDArray[np.bool_]]
"""The tiles that can be reached on a matrix: cell -> mask (32, 32), row = z."""


@dataclass(frozen=True)
class Marks:
    """Points are matrix-wide, in units. `refused`: the corners of a tile, `reason`: why it refused a step; `way`: the
    tiles' centres from the start to a goal, as far as they are on the present matrix; `changed`: the tiles and placed
    props that differ from another ROM; `absent`: the objects that the save hides."""

    trail: tuple[Point, ...] = ()
    refused: tuple[Point, ...] = ()
    reason: str = ""
    way: tuple[Point, ...] = ()
    reached: ReachedTiles | None = None
    changed: frozenset[Subject] | None = None
    absent: frozenset[Subject] = frozenset()

    @property
    def any(self) -> bool:
        """Whether anything is marked."""
        return bool(self.trail or self.refused or self.way or self.reached or self.changed)
