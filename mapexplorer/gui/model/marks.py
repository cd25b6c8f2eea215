"""What is marked over the picture: a walk's trail, the tile that refused a step, a way, what can be reached, what
differs from another ROM, and what is left."""

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
    """Points are matrix-wide, in units."""

    trail: tuple[Point, ...] = ()
    """Where the player walked."""
    refused: tuple[Point, ...] = ()
    """The corners of a tile that refused a step."""
    reason: str = ""
    """Why it refused."""
    way: tuple[Point, ...] = ()
    """The tiles' centres from the start to a goal, as far as they are on the present matrix."""
    reached: ReachedTiles | None = None
    """What can be reached."""
    changed: frozenset[Subject] | None = None
    """The tiles and placed props that differ from another ROM."""
    left: frozenset[Subject] = frozenset()
    """The tiles of what the save has left."""
    absent: frozenset[Subject] = frozenset()
    """The objects that the save hides."""

    @property
    def any(self) -> bool:
        """Whether anything is marked."""
        return bool(self.trail or self.refused or self.way or self.reached or self.changed or self.left)
