"""Shapes over a map in matrix-wide units, with their colours and the thing that each represents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mapexplorer.world.colors import Rgb

Array = npt.NDArray[np.float64]
Colors = npt.NDArray[np.uint8]

SOLID, HALF_CLEAR, FAINT = 255, 140, 110
"""Alpha values of fills and edges."""
ARROW: Final[Rgb] = (20, 20, 25)
ARROW_LENGTH: Final = 5.0
"""Units from the middle of an arrow to its tip."""
_LIFT: Final = 0.5
"""Units that arrows are above their tiles and plates."""


class ShapeSubject(NamedTuple):
    """The thing that a shape represents: kind and key as in `mapexplorer.world.subject`, and a label."""

    kind: str
    key: tuple[int, ...]
    label: str = ""


@dataclass(frozen=True, eq=False)
class Shapes:
    """One layer of a cell or of a header.

    `faces` (n, 4, 3) are quads with the RGBA colours `fills` and `edges` (n, 4); `owners` (n,) are indices into
    `things`. `lines` (m, 2, 3) with `line_colors` (m, 4) cannot be picked.
    """

    faces: Array
    fills: Colors
    edges: Colors
    owners: npt.NDArray[np.int64]
    lines: Array
    line_colors: Colors
    things: tuple[ShapeSubject, ...]

    def faces_of(self, number: int) -> Array:
        """The faces (n, 4, 3) of a thing."""
        faces: Array = self.faces[self.owners == number]
        return faces

    def find(self, kind: str, key: tuple[int, ...]) -> int | None:
        """The index of a thing."""
        return next(
            (number for number, thing in enumerate(self.things) if (thing.kind, thing.key) == (kind, key)), None
        )


def rgba(color: Rgb, alpha: int) -> Colors:
    """A colour with an alpha value."""
    return np.array([*color, alpha], np.uint8)


def shapes_of(
    faces: Array,
    fills: npt.NDArray[Any],
    edges: npt.NDArray[Any],
    owners: npt.NDArray[np.int64],
    things: tuple[ShapeSubject, ...],
    parts: Sequence[tuple[Array, Colors]] = (),
) -> Shapes:
    """Shapes with lines, `parts`, of one colour for each group; the other parameters are those of `Shapes`."""
    ends = np.concatenate([np.zeros((0, 2, 3)), *(group for group, _ in parts)])
    colors = np.repeat([color for _, color in parts], [len(group) for group, _ in parts], 0) if parts else None
    line_colors = colors if colors is not None else np.zeros((0, 4), np.uint8)
    return Shapes(faces, fills.astype(np.uint8), edges.astype(np.uint8), owners, ends, line_colors, things)


def arrows(middles: Array, half: Array) -> Array:
    """Arrows (3 n, 2, 3), each of three lines, through points (n, 3); `half`, (3,) or (n, 3), is from the middle to the
    tip, level."""
    half = np.broadcast_to(half, middles.shape)
    side = np.stack([half[:, 2], half[:, 1], -half[:, 0]], -1)
    tips, lift = middles + half, np.array([0.0, _LIFT, 0.0])
    ends = [(middles - half, tips), (tips + (side - half) * 0.6, tips), (tips - (side + half) * 0.6, tips)]
    lines: Array = np.concatenate([np.stack(pair, 1) for pair in ends]) + lift
    return lines
