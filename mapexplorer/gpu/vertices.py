"""Vertices: texture coordinates, transformation and primitive assembly (GBATEK: DS 3D Vertex Lists)."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from formats.nds.gx import QUAD_STRIP, QUADS, TRIANGLES
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.integers import Int, signed, signed32
from mapexplorer.gpu.matrices import update_clip_matrix
from mapexplorer.gpu.polygons import submit
from mapexplorer.gpu.state import (
    ASSEMBLED,
    CLIP,
    CLIPPED_FIELD,
    FIELDS,
    PRIMITIVE,
    PRIMITIVE_POLYGONS,
    RAW_S,
    RAW_T,
    TEXIMAGE_PARAM,
    TEXTURE,
    TEXTURE_S,
    TEXTURE_T,
    VERTEX_COLOR,
    VERTEX_X,
)


@kernel
def clip_component(clip: Int32, column: Int, x: Int, y: Int, z: Int) -> Int:
    """One component of a 4.12 position times the clip matrix, 20.12."""
    total = x * clip[column] + y * clip[4 + column] + z * clip[8 + column] + 0x1000 * np.int64(clip[12 + column])
    return signed32(total >> 12)


@kernel
def set_texture_coordinate(state: Int64, matrices: Int32, parameter: Int) -> None:
    """TEXCOORD, with the transformation of texture-coordinate mode 1."""
    s = signed(parameter, 16)
    t = signed(parameter >> 16, 16)
    state[RAW_S] = s
    state[RAW_T] = t
    if state[TEXIMAGE_PARAM] >> 30 == 1:
        m = matrices[TEXTURE]
        state[TEXTURE_S] = signed((s * m[0] + t * m[4] + m[8] + m[12]) >> 12, 16)
        state[TEXTURE_T] = signed((s * m[1] + t * m[5] + m[9] + m[13]) >> 12, 16)
    else:
        state[TEXTURE_S] = s
        state[TEXTURE_T] = t


@kernel
def transform_normal_coordinate(state: Int64, matrices: Int32, normal: Int) -> None:
    """The texture coordinate that NORMAL makes in texture-coordinate mode 2."""
    if state[TEXIMAGE_PARAM] >> 30 != 2:
        return
    x = signed(normal, 10)
    y = signed(normal >> 10, 10)
    z = signed(normal >> 20, 10)
    m = matrices[TEXTURE]
    state[TEXTURE_S] = signed(state[RAW_S] + ((x * m[0] + y * m[4] + z * m[8]) >> 21), 16)
    state[TEXTURE_T] = signed(state[RAW_T] + ((x * m[1] + y * m[5] + z * m[9]) >> 21), 16)


@kernel
def set_slot(state: Int64, matrices: Int32, slots: Int64, slot: Int) -> None:
    """Transform the current vertex into an assembly slot."""
    update_clip_matrix(state, matrices)
    x = state[VERTEX_X]
    y = state[VERTEX_X + 1]
    z = state[VERTEX_X + 2]
    for j in range(4):
        slots[slot, j] = clip_component(matrices[CLIP], j, x, y, z)
    for channel in range(3):
        slots[slot, 4 + channel] = (state[VERTEX_COLOR + channel] << 12) + 0xFFF
    if state[TEXIMAGE_PARAM] >> 30 == 3:
        m = matrices[TEXTURE]
        slots[slot, 7] = signed(state[RAW_S] + ((x * m[0] + y * m[4] + z * m[8]) >> 24), 16)
        slots[slot, 8] = signed(state[RAW_T] + ((x * m[1] + y * m[5] + z * m[9]) >> 24), 16)
    else:
        slots[slot, 7] = state[TEXTURE_S]
        slots[slot, 8] = state[TEXTURE_T]
    slots[slot, CLIPPED_FIELD] = 0


@kernel
def exchange(slots: Int64, a: Int, b: Int) -> None:
    for field in range(FIELDS):
        value = slots[a, field]
        slots[a, field] = slots[b, field]
        slots[b, field] = value


@kernel
def move(slots: Int64, source: Int, target: Int) -> None:
    for field in range(FIELDS):
        slots[target, field] = slots[source, field]


@kernel
def add_vertex(state: Int64, matrices: Int32, slots: Int64, lists: Int64, polygons: Int32, corners: Int32) -> None:
    """Assemble the current vertex; the last one of a polygon submits it."""
    kind = state[PRIMITIVE]
    corner_count = 4 if kind in (QUADS, QUAD_STRIP) else 3
    set_slot(state, matrices, slots, state[ASSEMBLED])
    state[ASSEMBLED] += 1
    if state[ASSEMBLED] < corner_count:
        return
    odd = state[PRIMITIVE_POLYGONS] & 1 == 1
    strip = kind != TRIANGLES and kind != QUADS
    if kind == QUAD_STRIP:
        exchange(slots, 2, 3)
    elif strip and odd:
        exchange(slots, 0, 1)
    submit(state, slots, lists, polygons, corners, corner_count, strip, odd)
    state[PRIMITIVE_POLYGONS] += 1
    if not strip:
        state[ASSEMBLED] = 0
        return
    if kind == QUAD_STRIP:
        move(slots, 3, 0)
        move(slots, 2, 1)
    else:
        if not odd:
            move(slots, 1, 0)
        move(slots, 2, 1)
    state[ASSEMBLED] = 2
