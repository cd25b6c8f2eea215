"""Vertices of shapes as the arrays that glTF accessors hold."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, reads, writes
from mapexplorer.export.gltf.materials import Affine, linear
from mapexplorer.g3d.geometry import VERTEX

_LINEAR: Final = np.array([round(65535 * linear(value)) for value in range(32)], np.uint16)
_NO_LIGHT: Final = np.zeros((0, 3), np.uint8)

Floats = npt.NDArray[np.float32]


@entry(
    vertices=reads(VERTEX),
    unit=float,
    positions=writes(np.float32, 2),
    affine=reads(np.float64),
    texcoords=writes(np.float32, 2),
    diffuse=int,
    light=reads(np.uint8, 2),
    linear_of=reads(np.uint16),
    colors=writes(np.uint16, 2),
    bounds=writes(np.float32, 2),
)
def _pack(
    vertices: Any,
    unit: float,
    positions: Floats,
    affine: npt.NDArray[np.float64],
    texcoords: Floats,
    diffuse: int,
    light: npt.NDArray[np.uint8],
    linear_of: npt.NDArray[np.uint16],
    colors: npt.NDArray[np.uint16],
    bounds: Floats,
) -> None:
    for axis in range(3):
        bounds[0, axis] = np.inf
        bounds[1, axis] = -np.inf
    for i in range(len(vertices)):
        vertex = vertices[i]
        for axis in range(3):
            value = np.float32(vertex.position[axis] * unit)
            positions[i, axis] = value
            bounds[0, axis] = min(bounds[0, axis], value)
            bounds[1, axis] = max(bounds[1, axis], value)
        if len(texcoords):
            s = vertex.texcoord[0]
            t = vertex.texcoord[1]
            texcoords[i, 0] = affine[0] * s + affine[1] * t + affine[4]
            texcoords[i, 1] = affine[2] * s + affine[3] * t + affine[5]
        if vertex.source == 2 and len(light):
            for channel in range(3):
                colors[i, channel] = linear_of[light[i, channel]]
        else:
            word = np.int64(vertex.color) if vertex.source == 1 else diffuse
            for channel in range(3):
                colors[i, channel] = linear_of[word >> (5 * channel) & 31]
        colors[i, 3] = 65535


def pack_vertices(
    vertices: npt.NDArray[Any],
    unit: float,
    affine: Affine | None,
    diffuse: int,
    light: npt.NDArray[np.uint8] | None,
) -> tuple[Floats, Floats | None, npt.NDArray[np.uint16], Floats]:
    """Positions, texture coordinates (None without `affine`), linear colours and the bounds of `geometry.VERTEX`
    records.

    `unit` are metres of one fx32 step; `diffuse` is the colour word of vertices that no command coloured; `light` are
    the colours (n, 3), 0..31, of vertices that NORMAL colours; None leaves them white.
    """
    count = len(vertices)
    positions = np.empty((count, 3), np.float32)
    texcoords = np.empty((count if affine else 0, 2), np.float32)
    colors = np.empty((count, 4), np.uint16)
    bounds = np.empty((2, 3), np.float32)
    if light is None:
        light = np.full((count, 3), 31, np.uint8)
    terms = np.array(affine or (0.0,) * 6, np.float64)
    _pack(vertices, unit, positions, terms, texcoords, diffuse, light, _LINEAR, colors, bounds)
    return positions, texcoords if affine else None, colors, bounds


def unit_normals(words: npt.NDArray[np.uint32]) -> Floats:
    """Parameters of NORMAL (three signed 10-bit fields) as unit vectors (n, 3); zero vectors become (0, 1, 0)."""
    fields = np.stack([words, words >> 10, words >> 20], axis=-1).astype(np.int32) & 0x3FF
    vectors = ((fields ^ 0x200) - 0x200).astype(np.float64)
    return normalized(vectors)


def normalized(vectors: npt.NDArray[np.float64]) -> Floats:
    """Vectors (n, 3) at length one; zero vectors become (0, 1, 0)."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: Floats = np.where(lengths > 0, vectors / np.where(lengths > 0, lengths, 1), (0.0, 1.0, 0.0))
    return result.astype(np.float32)
