"""The layers over a map as vertices for the GPU. Can run in any thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.world.cells import CELL_UNITS, Cell
from mapexplorer.world.layers.shapes import Shapes

VERTEX: Final = np.dtype([("position", "<f4", 3), ("color", "u1", 4)])

Vertices = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class OverlayMesh:
    """One layer of one group (a cell's key): `triangles` and `lines` are VERTEX records, in units from `origin`."""

    key: object
    layer: str
    origin: tuple[float, float, float]
    triangles: Vertices
    lines: Vertices


def make_overlay(cell: Cell, layer: str, shapes: Shapes) -> OverlayMesh:
    """A layer of a cell under the key ("cell", x, z)."""
    half = CELL_UNITS / 2
    origin = (cell.x * CELL_UNITS + half, 0.0, cell.z * CELL_UNITS + half)
    move = np.array(origin)
    triangles = _vertices(shapes.faces[:, [0, 1, 2, 0, 2, 3]] - move, shapes.fills)
    outlines = _vertices(shapes.faces[:, [0, 1, 1, 2, 2, 3, 3, 0]] - move, shapes.edges)
    lines = np.concatenate([outlines, _vertices(shapes.lines - move, shapes.line_colors)])
    return OverlayMesh(("cell", cell.x, cell.z), layer, origin, triangles, lines)


def _vertices(corners: npt.NDArray[np.float64], colors: npt.NDArray[np.uint8]) -> Vertices:
    """The vertices of shapes with corners (n, k, 3), each shape in its colour (n, 4)."""
    out = np.zeros(corners.shape[:2], VERTEX)
    out["position"], out["color"] = corners, colors[:, None]
    return out.reshape(-1)
