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
    """A draw with the vertices (`geometry.VERTEX` records) of its shape and the indices (uint32, three for each) of the
    triangles that it shows. `has_normals`: its list contains NORMAL; `restores`: it changes the matrix. `degenerate`
    and `duplicate` count the triangles that were left out: without area, and at the place of another one of the shape.
    `among` are the vertices of all shapes that were decoded together, where its own begin at `first`.
    """

    draw: Draw
    vertices: npt.NDArray[Any]
    indices: npt.NDArray[np.uint32]
    has_normals: bool
    restores: bool
    degenerate: int
    duplicate: int
    among: npt.NDArray[Any]
    first: int


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
    for one in shapes:
        if one.among is not among or one.first != end:
            return joined_vertices([one.vertices for one in shapes])
        end += len(one.vertices)
    return among[shapes[0].first : end]


def _solid(material: ComposedMaterial) -> bool:
    """Whether no texel of a material's texture is clear or translucent."""
    texture = material.texture
    return texture is not None and texture.format in _INDEXED and not texture.color0_transparent
