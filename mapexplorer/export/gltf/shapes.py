"""The shapes of a model's draws as vertices and triangles, without triangles that show nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nds.texture_format import COLORS_4, COLORS_16, COLORS_256
from formats.nitro.model import Model
from mapexplorer.export.gltf.triangles import sort_out
from mapexplorer.g3d.draw_list import Draw
from mapexplorer.g3d.geometry import decode_lists, joined_vertices
from mapexplorer.g3d.material import ComposedMaterial

_INDEXED: Final = (COLORS_4, COLORS_16, COLORS_256)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnMesh:
    """A draw with the vertices and triangles of its shape."""

    draw: Draw
    """What is drawn, and how."""
    vertices: npt.NDArray[Any]
    """The vertices, `geometry.VERTEX` records."""
    indices: npt.NDArray[np.uint32]
    """Three vertices for each triangle that it shows."""
    has_normals: bool
    """Its list contains NORMAL."""
    restores: bool
    """Its list changes the matrix."""
    degenerate: int
    """Triangles that were left out because they have no area."""
    duplicate: int
    """Triangles that were left out because they are at the place of another one of the shape."""
    among: npt.NDArray[Any]
    """The vertices of all shapes that were decoded together."""
    first: int
    """Where its own begin among them."""


def drawn_shapes(model: Model, draws: Sequence[Draw]) -> list[DrawnMesh]:
    """The shapes of some draws of a model."""
    decoded = decode_lists([(model.shapes[draw.shape].commands, draw.scale) for draw in draws])
    vertices = decoded.vertices
    solid = {id(draw.material): _solid(draw.material) for draw in draws}
    kept, sorts = sort_out(vertices, decoded.indices, decoded.starts, [not solid[id(draw.material)] for draw in draws])
    starts = decoded.starts.tolist()
    return [
        DrawnMesh(
            draw,
            vertices[start : start + size],
            kept[first : first + 3 * shown],
            normals > 0,
            restores > 0,
            degenerate,
            duplicate,
            vertices,
            start,
        )
        for draw, (start, first), (shown, degenerate, duplicate), (size, _, _, normals, restores) in zip(
            draws, starts[:-1], sorts.tolist(), decoded.counts.tolist(), strict=True
        )
    ]


def vertices_of(shapes: Sequence[DrawnMesh]) -> npt.NDArray[Any]:
    """The vertices of shapes one behind the other, not to be changed."""
    among, end = shapes[0].among, shapes[0].first
    for shape in shapes:
        if shape.among is not among or shape.first != end:
            return joined_vertices([shape.vertices for shape in shapes])
        end += len(shape.vertices)
    return among[shapes[0].first : end]


def _solid(material: ComposedMaterial) -> bool:
    """Whether no texel of a material's texture is clear or translucent."""
    texture = material.texture
    return texture is not None and texture.format in _INDEXED and not texture.color0_transparent
