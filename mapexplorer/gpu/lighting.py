"""Vertex lighting of the 3D engine (GBATEK: DS 3D Polygon Light Parameters): its integer formula.

Command execution uses it for NORMAL, exporters use `light_vertices` for baked colours.

A light is a row of LIGHT_FIELDS integers as `place_light` makes it from LIGHT_VECTOR and LIGHT_COLOR. A material
is 13 integers: diffuse, ambient, specular and emission r, g, b (0..31) and whether the shininess table is on.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, kernel, reads, writes
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.integers import Int, signed, truncated_quotient
from mapexplorer.gpu.state import DIFFUSE, LIGHT_FIELDS, LIGHTS

_IDENTITY: Final = np.eye(4, dtype=np.int32).ravel() * np.int32(0x1000)


@kernel
def rotated(x: Int, y: Int, z: Int, matrix: Int32, column: Int) -> Int:
    """One component of a 1.9 vector times the upper 3x3 part of a matrix, 21 fraction bits."""
    return x * matrix[column] + y * matrix[4 + column] + z * matrix[8 + column]


@kernel
def place_light(vector: Int, matrix: Int32, values: Int64, at: Int) -> None:
    """LIGHT_VECTOR: direction and reciprocal of a light under the vector matrix, into values[at:at + 4]."""
    x = signed(vector, 10)
    y = signed(vector >> 10, 10)
    z = signed(vector >> 20, 10)
    for j in range(3):
        values[at + j] = signed(-(rotated(x, y, z, matrix, j) >> 12), 11)
    denominator = 512 - signed(rotated(x, y, z, matrix, 2) >> 12, 11)
    values[at + 3] = 0 if denominator == 0 else truncated_quotient(0x40000, denominator)


@kernel
def lit_color(
    normal: Int,
    matrix: Int32,
    values: Int64,
    lights: Int,
    material: Int,
    enabled: Int,
    shininess: Int32,
) -> tuple[Int, Int, Int]:
    """The vertex colour (0..31 each) that NORMAL computes.

    `normal` is the parameter of NORMAL (three signed 1.9 fields of 10 bits), `matrix` the vector matrix; the
    lights begin at values[lights], the material at values[material]; bits 0-3 of `enabled` switch lights on.
    """
    x = signed(normal, 10)
    y = signed(normal >> 10, 10)
    z = signed(normal >> 20, 10)
    n0 = signed(rotated(x, y, z, matrix, 0) >> 12, 11)
    n1 = signed(rotated(x, y, z, matrix, 1) >> 12, 11)
    n2 = signed(rotated(x, y, z, matrix, 2) >> 12, 11)
    red = values[material + 9] << 14
    green = values[material + 10] << 14
    blue = values[material + 11] << 14
    for light in range(4):
        if (enabled >> light) & 1 == 0:
            continue
        row = lights + LIGHT_FIELDS * light
        dot = ((values[row] * n0) >> 9) + ((values[row + 1] * n1) >> 9) + ((values[row + 2] * n2) >> 9)
        shine = 0
        diffuse = 0
        if dot > 0:
            diffuse = signed(dot, 11)
            k = signed(dot + n2, 11)
            k = ((k * k) >> 10) & 0x3FF
            shine = ((k * values[row + 3]) >> 8) - 512
            shine = 0 if shine < 0 else min(max(signed(shine, 14), 0), 511)
        if values[material + 12] != 0:
            shine = 2 * shininess[shine >> 2]
        color = values[row + 4]
        red += ((values[material] * color * diffuse) & 0xFFFFF) + (
            values[material + 6] * shine + (values[material + 3] << 9)
        ) * color
        color = values[row + 5]
        green += ((values[material + 1] * color * diffuse) & 0xFFFFF) + (
            values[material + 7] * shine + (values[material + 4] << 9)
        ) * color
        color = values[row + 6]
        blue += ((values[material + 2] * color * diffuse) & 0xFFFFF) + (
            values[material + 8] * shine + (values[material + 5] << 9)
        ) * color
    return (
        min(31, (red & 0xFFFFFFFF) >> 14),
        min(31, (green & 0xFFFFFFFF) >> 14),
        min(31, (blue & 0xFFFFFFFF) >> 14),
    )


@kernel
def light_current_vertex(
    state: Int64, matrix: Int32, normal: Int, enabled: Int, shininess: Int32
) -> tuple[Int, Int, Int]:
    """`lit_color` on the lights and the material of the geometry engine."""
    return lit_color(normal, matrix, state, LIGHTS, DIFFUSE, enabled, shininess)


@entry(
    normals=reads(np.uint32),
    bounds=reads(np.int64),
    vector_matrices=reads(np.int32, 2),
    light_vectors=reads(np.uint32),
    light_colors=reads(np.uint32),
    materials=reads(np.int64, 2),
    enabled=reads(np.int64),
    shininess=reads(np.int32),
    identity=reads(np.int32),
    values=writes(np.int64),
    colors=writes(np.uint8, 2),
)
def _light_all(
    normals: npt.NDArray[np.uint32],
    bounds: Int64,
    vector_matrices: Int32,
    light_vectors: npt.NDArray[np.uint32],
    light_colors: npt.NDArray[np.uint32],
    materials: Int64,
    enabled: Int64,
    shininess: Int32,
    identity: Int32,
    values: Int64,
    colors: npt.NDArray[np.uint8],
) -> None:
    """See `light_vertices`. `values` takes the lights and the material."""
    for light in range(4):
        row = LIGHT_FIELDS * light
        place_light(np.int64(light_vectors[light]), identity, values, row)
        for channel in range(3):
            values[row + 4 + channel] = (np.int64(light_colors[light]) >> (5 * channel)) & 31
    for number in range(len(enabled)):
        for i in range(13):
            values[4 * LIGHT_FIELDS + i] = materials[number, i]
        for i in range(bounds[number], bounds[number + 1]):
            colors[i, 0], colors[i, 1], colors[i, 2] = lit_color(
                np.int64(normals[i]), vector_matrices[number], values, 0, 4 * LIGHT_FIELDS, enabled[number], shininess
            )


def light_vertices(
    normals: npt.NDArray[np.uint32],
    bounds: npt.ArrayLike,
    vector_matrices: npt.ArrayLike,
    light_vectors: npt.ArrayLike,
    light_colors: npt.ArrayLike,
    materials: npt.ArrayLike,
    enabled: npt.ArrayLike,
    shininess: npt.ArrayLike,
) -> npt.NDArray[np.uint8]:
    """The colours that NORMAL gives the vertices of n shapes: uint8 (vertices, 3), 0..31.

    `normals`: parameters of NORMAL (vertices,), those of shape i from bounds[i] to bounds[i + 1]; `vector_matrices`:
    (n, 16), of the normals; `light_vectors`, `light_colors`: parameters of LIGHT_VECTOR (4,), already in view space,
    and RGB15 words (4,); `materials`: (n, 13) values as above; `enabled`: (n,) bits 0-3 of POLYGON_ATTR; `shininess`:
    128 bytes of the table.
    """
    words = np.ascontiguousarray(normals, np.uint32)
    result = np.empty((len(words), 3), np.uint8)
    _light_all(
        words,
        np.ascontiguousarray(bounds, np.int64),
        np.ascontiguousarray(vector_matrices, np.int32),
        np.ascontiguousarray(light_vectors, np.uint32),
        np.ascontiguousarray(light_colors, np.uint32),
        np.ascontiguousarray(materials, np.int64),
        np.ascontiguousarray(enabled, np.int64),
        np.ascontiguousarray(shininess, np.int32),
        _IDENTITY,
        np.empty(4 * LIGHT_FIELDS + 13, np.int64),
        result,
    )
    return result
