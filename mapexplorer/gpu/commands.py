"""Execution of geometry commands (GBATEK: DS 3D Geometry Commands)."""

from __future__ import annotations

import numpy as np

from formats.kernel import entry, kernel, reads, writes
from formats.nds import gx
from mapexplorer.arrays import Int32, Int64, Words
from mapexplorer.gpu import matrices as mtx
from mapexplorer.gpu.box_tests import box_is_visible, vector_component
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.lighting import light_current_vertex, place_light
from mapexplorer.gpu.state import (
    ACTIVE_ATTR,
    AMBIENT,
    ASSEMBLED,
    AT_END,
    AT_SWAP,
    CLIP,
    DIFFUSE,
    EMISSION,
    LIGHT_FIELDS,
    LIGHTS,
    MATRIX_MODE,
    PENDING_ATTR,
    PLTT_BASE,
    PREDECESSOR,
    PRIMITIVE,
    PRIMITIVE_POLYGONS,
    RESULT_COUNT,
    RESULTS_FULL,
    SPECULAR,
    STOPPED,
    SWAP_PARAMETER,
    TEXIMAGE_PARAM,
    USE_SHININESS,
    VECTOR,
    VERTEX_COLOR,
    VERTEX_X,
    VIEWPORT_HEIGHT,
    VIEWPORT_LEFT,
    VIEWPORT_TOP,
    VIEWPORT_WIDTH,
)
from mapexplorer.gpu.vertices import add_vertex, clip_component, set_texture_coordinate, transform_normal_coordinate

PARAMETER_COUNT = np.zeros(256, np.int64)
for _command, _count in gx.PARAMETERS.items():
    PARAMETER_COUNT[_command] = _count

NOP, MTX_MODE, MTX_PUSH, MTX_POP = gx.NOP, gx.MTX_MODE, gx.MTX_PUSH, gx.MTX_POP
MTX_STORE, MTX_RESTORE, MTX_IDENTITY = gx.MTX_STORE, gx.MTX_RESTORE, gx.MTX_IDENTITY
MTX_LOAD_4X4, MTX_LOAD_4X3, MTX_MULT_4X4, MTX_MULT_4X3 = (
    gx.MTX_LOAD_4X4,
    gx.MTX_LOAD_4X3,
    gx.MTX_MULT_4X4,
    gx.MTX_MULT_4X3,
)
MTX_MULT_3X3, MTX_SCALE, MTX_TRANS = gx.MTX_MULT_3X3, gx.MTX_SCALE, gx.MTX_TRANS
COLOR, NORMAL, TEXCOORD = gx.COLOR, gx.NORMAL, gx.TEXCOORD
VTX_16, VTX_10, VTX_XY, VTX_XZ, VTX_YZ, VTX_DIFF = gx.VTX_16, gx.VTX_10, gx.VTX_XY, gx.VTX_XZ, gx.VTX_YZ, gx.VTX_DIFF


@kernel
def set_color(state: Int64, at: Int, word: Int) -> None:
    """The three components of an RGB15 word into state[at:at + 3]."""
    state[at] = word & 31
    state[at + 1] = (word >> 5) & 31
    state[at + 2] = (word >> 10) & 31


@kernel
def set_position(state: Int64, command: Int, p: Int, second: Int) -> None:
    """The position part of a vertex command (or POS_TEST) from its parameter words."""
    low = signed(p, 16)
    high = signed(p >> 16, 16)
    if command == VTX_10:
        for axis in range(3):
            state[VERTEX_X + axis] = signed(p >> (10 * axis), 10) << 6
    elif command == VTX_DIFF:
        for axis in range(3):
            state[VERTEX_X + axis] = signed(state[VERTEX_X + axis] + signed(p >> (10 * axis), 10), 16)
    elif command == VTX_XY:
        state[VERTEX_X] = low
        state[VERTEX_X + 1] = high
    elif command == VTX_XZ:
        state[VERTEX_X] = low
        state[VERTEX_X + 2] = high
    elif command == VTX_YZ:
        state[VERTEX_X + 1] = low
        state[VERTEX_X + 2] = high
    else:
        state[VERTEX_X] = low
        state[VERTEX_X + 1] = high
        state[VERTEX_X + 2] = signed(second, 16)


@kernel
def matrix_command(
    state: Int64, matrices: Int32, stacks: Int32, parameter: Int64, words: Words, at: Int, command: Int
) -> None:
    """The commands 0x10 to 0x1C; `at` is the place of the first parameter."""
    p = np.int64(words[at])
    if command == MTX_MODE:
        state[MATRIX_MODE] = p & 3
    elif command == MTX_PUSH:
        mtx.push(state, matrices, stacks)
    elif command == MTX_POP:
        mtx.pop(state, matrices, stacks, p)
    elif command == MTX_STORE:
        mtx.store_slot(state, matrices, stacks, p & 31)
    elif command == MTX_RESTORE:
        mtx.restore_slot(state, matrices, stacks, p & 31)
    elif command in (MTX_SCALE, MTX_TRANS):
        x = np.int64(np.int32(words[at]))
        y = np.int64(np.int32(words[at + 1]))
        z = np.int64(np.int32(words[at + 2]))
        if command == MTX_SCALE:
            mtx.scale(state, matrices, x, y, z)
        else:
            mtx.translate(state, matrices, x, y, z)
    else:
        operation = mtx.LOAD
        if command == MTX_IDENTITY:
            operation = mtx.IDENTITY
        elif command == MTX_MULT_3X3:
            operation = mtx.MULTIPLY_3X3
            mtx.read_parameters(words, at, 3, 3, parameter)
        else:
            if command in (MTX_MULT_4X4, MTX_MULT_4X3):
                operation = mtx.MULTIPLY
            columns = 4 if command in (MTX_LOAD_4X4, MTX_MULT_4X4) else 3
            mtx.read_parameters(words, at, columns, 4, parameter)
        mtx.apply(state, matrices, operation, parameter)


@kernel
def light_command(state: Int64, matrices: Int32, shininess: Int32, words: Words, at: Int, command: Int) -> None:
    """The commands 0x30 to 0x34: materials and lights."""
    p = np.int64(words[at])
    light = LIGHTS + LIGHT_FIELDS * (p >> 30)
    if command == 0x30:
        set_color(state, DIFFUSE, p)
        set_color(state, AMBIENT, p >> 16)
        if p & 0x8000:
            set_color(state, VERTEX_COLOR, p)
    elif command == 0x31:
        set_color(state, SPECULAR, p)
        set_color(state, EMISSION, p >> 16)
        state[USE_SHININESS] = (p >> 15) & 1
    elif command == 0x32:
        place_light(p, matrices[VECTOR], state, light)
    elif command == 0x33:
        set_color(state, light + 4, p)
    else:
        for i in range(128):
            shininess[i] = (np.int64(words[at + (i >> 2)]) >> (8 * (i & 3))) & 0xFF


@kernel
def set_viewport(state: Int64, p: Int) -> None:
    """VIEWPORT; y counts from the bottom of the screen."""
    top = (191 - ((p >> 24) & 0xFF)) & 0xFF
    bottom = (191 - ((p >> 8) & 0xFF)) & 0xFF
    state[VIEWPORT_LEFT] = p & 0xFF
    state[VIEWPORT_TOP] = top
    state[VIEWPORT_WIDTH] = (((p >> 16) & 0xFF) - (p & 0xFF) + 1) & 0x1FF
    state[VIEWPORT_HEIGHT] = (bottom - top + 1) & 0xFF


@kernel
def test_command(
    state: Int64,
    matrices: Int32,
    lists: Int64,
    parameter: Int64,
    results: Int32,
    words: Words,
    at: Int,
    command: Int,
) -> None:
    """The commands 0x70 to 0x72: one row of results each."""
    result = results[state[RESULT_COUNT]]
    state[RESULT_COUNT] += 1
    for i in range(5):
        result[i] = 0
    result[0] = command
    p = np.int64(words[at])
    if command == 0x72:
        for j in range(3):
            result[1 + j] = vector_component(p, matrices[VECTOR], j)
        return
    mtx.update_clip_matrix(state, matrices)
    if command == 0x71:
        set_position(state, VTX_16, p, np.int64(words[at + 1]))
        for j in range(4):
            result[1 + j] = clip_component(matrices[CLIP], j, state[VERTEX_X], state[VERTEX_X + 1], state[VERTEX_X + 2])
        return
    for i in range(6):
        parameter[i] = signed(np.int64(words[at + (i >> 1)]) >> (16 * (i & 1)), 16)
    result[1] = 1 if box_is_visible(matrices[CLIP], parameter, state[ACTIVE_ATTR] & 0x1000 != 0, lists) else 0


@entry(
    words=reads(np.uint32),
    position=int,
    end=int,
    state=writes(np.int64),
    matrices=writes(np.int32, 2),
    stacks=writes(np.int32, 2),
    shininess=writes(np.int32),
    slots=writes(np.int64, 2),
    lists=writes(np.int64, 3),
    parameter=writes(np.int64),
    polygons=writes(np.int32, 2),
    corners=writes(np.int32, 2),
    results=writes(np.int32, 2),
    returns=int,
)
def execute(
    words: Words,
    position: Int,
    end: Int,
    state: Int64,
    matrices: Int32,
    stacks: Int32,
    shininess: Int32,
    slots: Int64,
    lists: Int64,
    parameter: Int64,
    polygons: Int32,
    corners: Int32,
    results: Int32,
) -> Int:
    """Execute a flat command list from `position` until `end`, a SWAP_BUFFERS, or a full table of results.

    The result is the position to continue from; state[STOPPED] is the reason of the stop. A word that is not a command
    is skipped; a command with missing parameters ends the list. `words` must have one word more than `end`.
    """
    while position < end:
        command = np.int64(words[position])
        count = PARAMETER_COUNT[command] if command < 256 else 0
        at = position + 1
        if at + count > end:
            break
        if 0x70 <= command <= 0x72 and state[RESULT_COUNT] >= results.shape[0]:
            state[STOPPED] = RESULTS_FULL
            return position
        position = at + count
        p = np.int64(words[at])
        if VTX_16 <= command <= VTX_DIFF:
            set_position(state, command, p, np.int64(words[at + count - 1]))
            add_vertex(state, matrices, slots, lists, polygons, corners)
        elif command == TEXCOORD:
            set_texture_coordinate(state, matrices, p)
        elif command == COLOR:
            set_color(state, VERTEX_COLOR, p)
        elif command == NORMAL:
            transform_normal_coordinate(state, matrices, p)
            color = light_current_vertex(state, matrices[VECTOR], p, state[ACTIVE_ATTR] & 15, shininess)
            state[VERTEX_COLOR], state[VERTEX_COLOR + 1], state[VERTEX_COLOR + 2] = color
        elif MTX_MODE <= command <= MTX_TRANS:
            matrix_command(state, matrices, stacks, parameter, words, at, command)
        elif command == 0x29:
            state[PENDING_ATTR] = p
        elif command == 0x2A:
            state[TEXIMAGE_PARAM] = p
        elif command == 0x2B:
            state[PLTT_BASE] = p & 0x1FFF
        elif 0x30 <= command <= 0x34:
            light_command(state, matrices, shininess, words, at, command)
        elif command == 0x40:
            state[PRIMITIVE] = p & 3
            state[ACTIVE_ATTR] = state[PENDING_ATTR]
            state[ASSEMBLED] = 0
            state[PRIMITIVE_POLYGONS] = 0
            state[PREDECESSOR] = -1
        elif command == 0x60:
            set_viewport(state, p)
        elif 0x70 <= command <= 0x72:
            test_command(state, matrices, lists, parameter, results, words, at, command)
        elif command == 0x50:
            state[SWAP_PARAMETER] = p & 3
            state[STOPPED] = AT_SWAP
            return position
    state[STOPPED] = AT_END
    return end
