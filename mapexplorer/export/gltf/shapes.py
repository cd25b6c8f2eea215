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
from mapexplorer.g3d.geometry import decode_shapes
from mapexplorer.g3d.material import ComposedMaterial

_INDEXED: Final = (COLORS_4, COLORS_16, COLORS_256)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A draw with the vertices (`geometry.VERTEX` records) of its shape and the indices (uint32, three for each) of the
    triangles that it shows. `has_normals`: its list contains NORMAL; `restores`: it changes the matrix. `degenerate`
    and `duplicate` count the triangles that were left out: without area, and at the place of another one of the shape.
    """

    draw: Draw
    vertices: npt.NDArray[Any]
    indices: npt.NDArray[np.uint32]
    has_normals: bool
    restores: bool
    degenerate: int
    duplicate: int


def drawn_shapes(model: Model, draws: Sequence[Draw]) -> list[Drawn]:
    """The shapes of some draws of a model."""
    geometries = decode_shapes([(model.shapes[draw.shape].commands, draw.scale) for draw in draws])
    kept, counts = sort_out(geometries, [not _solid(draw.material) for draw in draws])
    return [
        Drawn(draw, geometry.vertices, indices, geometry.has_normals, geometry.restores, degenerate, duplicate)
        for draw, geometry, indices, (_, degenerate, duplicate) in zip(draws, geometries, kept, counts, strict=True)
    ]


def _solid(material: ComposedMaterial) -> bool:
    """Whether no texel of a material's texture is clear or translucent."""
    texture = material.texture
    return texture is not None and texture.format in _INDEXED and not texture.color0_transparent
