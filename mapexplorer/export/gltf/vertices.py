"""Vertices of shapes as the arrays that glTF accessors hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, reads, writes
from mapexplorer.export.gltf.materials import Affine, linear
from mapexplorer.g3d.geometry import VERTEX

_LINEAR: Final = np.array([round(65535 * linear(value)) for value in range(32)], np.uint16)

_NO_TEXTURE: Final = (0.0,) * 6

Floats = npt.NDArray[np.float32]


@entry(
    vertices=reads(VERTEX),
    bounds=reads(np.int64),
    unit=float,
    positions=writes(np.float32, 2),
    extents=writes(np.float32, 3),
    affines=reads(np.float64, 2),
    texcoords=writes(np.float32, 2),
    diffuse=reads(np.int64),
    light=reads(np.uint8, 2),
    linear_of=reads(np.uint16),
    colors=writes(np.uint16, 2),
)
def _pack(
    vertices: Any,
    bounds: npt.NDArray[np.int64],
    unit: float,
    positions: Floats,
    extents: Floats,
    affines: npt.NDArray[np.float64],
    texcoords: Floats,
    diffuse: npt.NDArray[np.int64],
    light: npt.NDArray[np.uint8],
    linear_of: npt.NDArray[np.uint16],
    colors: npt.NDArray[np.uint16],
) -> None:
    for shape in range(len(diffuse)):
        for axis in range(3):
            extents[shape, 0, axis] = np.inf
            extents[shape, 1, axis] = -np.inf
        for i in range(bounds[shape], bounds[shape + 1]):
            vertex = vertices[i]
            for axis in range(3):
                value = np.float32(vertex.position[axis] * unit)
                positions[i, axis] = value
                extents[shape, 0, axis] = min(extents[shape, 0, axis], value)
                extents[shape, 1, axis] = max(extents[shape, 1, axis], value)
            s = vertex.texcoord[0]
            t = vertex.texcoord[1]
            texcoords[i, 0] = affines[shape, 0] * s + affines[shape, 1] * t + affines[shape, 4]
            texcoords[i, 1] = affines[shape, 2] * s + affines[shape, 3] * t + affines[shape, 5]
            if vertex.source == 2:
                for channel in range(3):
                    colors[i, channel] = linear_of[light[i, channel]]
            else:
                word = np.int64(vertex.color) if vertex.source == 1 else diffuse[shape]
                for channel in range(3):
                    colors[i, channel] = linear_of[word >> (5 * channel) & 31]
            colors[i, 3] = 65535


class PackedVertices(NamedTuple):
    """`positions` (n, 3), `texcoords` (n, 2), linear `colors` (n, 4), and for each shape the smallest and the largest
    of its positions (shapes, 2, 3)."""

    positions: Floats
    texcoords: Floats
    colors: npt.NDArray[np.uint16]
    extents: Floats


def pack_vertices(
    vertices: npt.NDArray[Any],
    bounds: Sequence[int],
    unit: float,
    affines: Sequence[Affine | None],
    diffuse: Sequence[int],
    light: npt.NDArray[np.uint8],
) -> PackedVertices:
    """`geometry.VERTEX` records as arrays; those of shape i lie from bounds[i] to bounds[i + 1].

    `unit` are metres of one fx32 step; `affines` make texture coordinates, zeros without one; `diffuse` are the colour
    words of vertices that no command coloured; `light` are the colours (n, 3), 0..31, of vertices that NORMAL colours.
    """
    count = len(vertices)
    packed = PackedVertices(
        np.empty((count, 3), np.float32),
        np.empty((count, 2), np.float32),
        np.empty((count, 4), np.uint16),
        np.empty((len(diffuse), 2, 3), np.float32),
    )
    terms = np.array([affine or _NO_TEXTURE for affine in affines], np.float64)
    _pack(
        vertices,
        np.array(bounds, np.int64),
        unit,
        packed.positions,
        packed.extents,
        terms,
        packed.texcoords,
        np.array(diffuse, np.int64),
        light,
        _LINEAR,
        packed.colors,
    )
    return packed


def unit_normals(words: npt.NDArray[np.uint32]) -> Floats:
    """Parameters of NORMAL (three signed 10-bit fields) as unit vectors (n, 3); zero vectors become (0, 1, 0)."""
    fields = np.stack([words, words >> 10, words >> 20], axis=-1).astype(np.int32) & 0x3FF
    vectors = ((fields ^ 0x200) - 0x200).astype(np.float64)
    return normalized(vectors)


def normalized(vectors: npt.NDArray[np.float64], up: tuple[float, float, float] = (0.0, 1.0, 0.0)) -> Floats:
    """Vectors (n, 3) at length one; zero vectors become `up`."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    safe = vectors / np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(safe, axis=1, keepdims=True)
    unit = np.where(lengths > 0, safe / np.where(lengths > 0, lengths, 1), up)
    return np.asarray(unit, np.float32)
