"""Matrices and matrix stacks (GBATEK: DS 3D Matrix Load/Multiply, Matrix Stack).

Matrices are int32 (16,), row by row, 20.12 fixed point, for row vectors: v' = v * M. Intermediate sums have 64 bits.
"""

from __future__ import annotations

import numpy as np

from formats.kernel import entry, kernel, writes
from mapexplorer.arrays import Int32, Int64, Words
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.state import (
    CLIP,
    CLIP_STALE,
    MATRIX_ERROR,
    MATRIX_MODE,
    POSITION,
    POSITION_POINTER,
    POSITION_STACK,
    PROJECTION,
    PROJECTION_POINTER,
    PROJECTION_STACK,
    TEXTURE,
    TEXTURE_POINTER,
    TEXTURE_STACK,
    VECTOR,
    VECTOR_STACK,
)

IDENTITY, LOAD, MULTIPLY, MULTIPLY_3X3 = 0, 1, 2, 3
"""The operations of `apply`."""


@kernel
def read_parameters(words: Words, at: Int, columns: Int, rows: Int, parameter: Int64) -> None:
    """The matrix in command parameters; a missing column is (0, 0, 0, 1), a missing row stays as it is."""
    for row in range(rows):
        for column in range(columns):
            parameter[4 * row + column] = np.int32(words[at + columns * row + column])
        if columns == 3:
            parameter[4 * row + 3] = 0x1000 if row == 3 else 0


@kernel
def multiply(matrix: Int32, parameter: Int64, rows: Int) -> None:
    """matrix = parameter * matrix; with `rows` = 3 the parameter is 3x3 and the last row stays."""
    for j in range(4):
        a = np.int64(matrix[j])
        b = np.int64(matrix[4 + j])
        c = np.int64(matrix[8 + j])
        d = np.int64(matrix[12 + j])
        for i in range(rows):
            total = parameter[4 * i] * a + parameter[4 * i + 1] * b + parameter[4 * i + 2] * c
            if rows == 4:
                total += parameter[4 * i + 3] * d
            matrix[4 * i + j] = np.int32(total >> 12)


@kernel
def apply_to(matrix: Int32, operation: Int, parameter: Int64) -> None:
    if operation == IDENTITY:
        for i in range(16):
            matrix[i] = 0x1000 if i % 5 == 0 else 0
    elif operation == LOAD:
        for i in range(16):
            matrix[i] = np.int32(parameter[i])
    else:
        multiply(matrix, parameter, 3 if operation == MULTIPLY_3X3 else 4)


@kernel
def apply(state: Int64, matrices: Int32, operation: Int, parameter: Int64) -> None:
    """Identity, load or multiplication on the current matrices of the mode."""
    mode = state[MATRIX_MODE]
    if mode == 0:
        apply_to(matrices[PROJECTION], operation, parameter)
    elif mode == 3:
        apply_to(matrices[TEXTURE], operation, parameter)
    else:
        apply_to(matrices[POSITION], operation, parameter)
        if mode == 2:
            apply_to(matrices[VECTOR], operation, parameter)
    state[CLIP_STALE] = 1


@kernel
def scale(state: Int64, matrices: Int32, x: Int, y: Int, z: Int) -> None:
    """MTX_SCALE; never acts on the vector matrix."""
    mode = state[MATRIX_MODE]
    matrix = matrices[PROJECTION if mode == 0 else (TEXTURE if mode == 3 else POSITION)]
    for j in range(4):
        matrix[j] = np.int32((x * matrix[j]) >> 12)
        matrix[4 + j] = np.int32((y * matrix[4 + j]) >> 12)
        matrix[8 + j] = np.int32((z * matrix[8 + j]) >> 12)
    state[CLIP_STALE] = 1


@kernel
def translate_one(matrix: Int32, x: Int, y: Int, z: Int) -> None:
    for j in range(4):
        matrix[12 + j] = np.int32(matrix[12 + j] + ((x * matrix[j] + y * matrix[4 + j] + z * matrix[8 + j]) >> 12))


@kernel
def translate(state: Int64, matrices: Int32, x: Int, y: Int, z: Int) -> None:
    """MTX_TRANS."""
    mode = state[MATRIX_MODE]
    translate_one(matrices[PROJECTION if mode == 0 else (TEXTURE if mode == 3 else POSITION)], x, y, z)
    if mode == 2:
        translate_one(matrices[VECTOR], x, y, z)
    state[CLIP_STALE] = 1


@entry(state=writes(np.int64), matrices=writes(np.int32, 2))
def update_clip_matrix(state: Int64, matrices: Int32) -> None:
    """clip = position * projection, when one of them changed."""
    if state[CLIP_STALE] == 0:
        return
    state[CLIP_STALE] = 0
    for j in range(4):
        a = np.int64(matrices[PROJECTION, j])
        b = np.int64(matrices[PROJECTION, 4 + j])
        c = np.int64(matrices[PROJECTION, 8 + j])
        d = np.int64(matrices[PROJECTION, 12 + j])
        for i in range(0, 16, 4):
            total = matrices[POSITION, i] * a + matrices[POSITION, i + 1] * b
            total += matrices[POSITION, i + 2] * c + matrices[POSITION, i + 3] * d
            matrices[CLIP, i + j] = np.int32(total >> 12)


@kernel
def copy_matrix(source: Int32, target: Int32) -> None:
    for i in range(16):
        target[i] = source[i]


@kernel
def store(matrices: Int32, stacks: Int32, mode: Int, slot: Int) -> None:
    """Current matrices of the mode into a stack entry."""
    if mode == 0:
        copy_matrix(matrices[PROJECTION], stacks[PROJECTION_STACK])
    elif mode == 3:
        copy_matrix(matrices[TEXTURE], stacks[TEXTURE_STACK])
    else:
        copy_matrix(matrices[POSITION], stacks[POSITION_STACK + slot])
        copy_matrix(matrices[VECTOR], stacks[VECTOR_STACK + slot])


@kernel
def restore(state: Int64, matrices: Int32, stacks: Int32, mode: Int, slot: Int) -> None:
    """A stack entry into the current matrices of the mode."""
    if mode == 0:
        copy_matrix(stacks[PROJECTION_STACK], matrices[PROJECTION])
    elif mode == 3:
        copy_matrix(stacks[TEXTURE_STACK], matrices[TEXTURE])
    else:
        copy_matrix(stacks[POSITION_STACK + slot], matrices[POSITION])
        copy_matrix(stacks[VECTOR_STACK + slot], matrices[VECTOR])
    state[CLIP_STALE] = 1


@kernel
def push(state: Int64, matrices: Int32, stacks: Int32) -> None:
    """MTX_PUSH: one entry for projection and texture, 31 usable ones and a 6-bit pointer for position and vector."""
    mode = state[MATRIX_MODE]
    if mode == 0 or mode == 3:
        field = PROJECTION_POINTER if mode == 0 else TEXTURE_POINTER
        if state[field] > 0:
            state[MATRIX_ERROR] = 1
        store(matrices, stacks, mode, 0)
        state[field] = (state[field] + 1) & 1
        return
    pointer = state[POSITION_POINTER]
    if pointer > 30:
        state[MATRIX_ERROR] = 1
    store(matrices, stacks, mode, pointer & 31)
    state[POSITION_POINTER] = (pointer + 1) & 63


@kernel
def pop(state: Int64, matrices: Int32, stacks: Int32, count: Int) -> None:
    """MTX_POP; `count` is the raw parameter (6 bits, signed; ignored for projection and texture)."""
    mode = state[MATRIX_MODE]
    if mode == 0 or mode == 3:
        field = PROJECTION_POINTER if mode == 0 else TEXTURE_POINTER
        if state[field] == 0:
            state[MATRIX_ERROR] = 1
        state[field] = (state[field] - 1) & 1
        restore(state, matrices, stacks, mode, 0)
        return
    pointer = (state[POSITION_POINTER] - signed(count, 6)) & 63
    if pointer > 30:
        state[MATRIX_ERROR] = 1
    state[POSITION_POINTER] = pointer
    restore(state, matrices, stacks, mode, pointer & 31)


@kernel
def store_slot(state: Int64, matrices: Int32, stacks: Int32, slot: Int) -> None:
    """MTX_STORE."""
    mode = state[MATRIX_MODE]
    if slot == 31 and (mode == 1 or mode == 2):
        state[MATRIX_ERROR] = 1
    store(matrices, stacks, mode, slot)


@kernel
def restore_slot(state: Int64, matrices: Int32, stacks: Int32, slot: Int) -> None:
    """MTX_RESTORE."""
    mode = state[MATRIX_MODE]
    if slot == 31 and (mode == 1 or mode == 2):
        state[MATRIX_ERROR] = 1
    restore(state, matrices, stacks, mode, slot)
