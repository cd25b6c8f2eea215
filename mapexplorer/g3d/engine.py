"""Writing geometry commands, and the matrices that the geometry engine has after them.

`CommandStream` collects a flat command stream. The library reads the engine's current matrices back for billboards,
weighted nodes and projected textures; `CommandStream` then works out what the engine would answer, from the matrix
commands written so far: products keep 64-bit sums, are floored once per element and wrap at 32 bits, as those of the
hardware do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE, wrap
from formats.nds import gx
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, Matrix43

Matrix44 = tuple[int, ...]
"""Sixteen integers, rows in order."""

IDENTITY44: Final[Matrix44] = (ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE)

PROJECTION: Final = 0
POSITION: Final = 1
POSITION_VECTOR: Final = 2
TEXTURE: Final = 3
"""Matrix modes."""

_MATRIX_COMMANDS: Final = range(gx.MTX_MODE, gx.MTX_TRANS + 1)


def multiply44(a: Matrix44, b: Matrix44) -> Matrix44:
    """`a @ b` as the geometry engine multiplies."""
    b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15 = b
    rows = []
    for i in (0, 4, 8, 12):
        x, y, z, w = a[i : i + 4]
        rows += [
            wrap((x * b0 + y * b4 + z * b8 + w * b12) >> 12),
            wrap((x * b1 + y * b5 + z * b9 + w * b13) >> 12),
            wrap((x * b2 + y * b6 + z * b10 + w * b14) >> 12),
            wrap((x * b3 + y * b7 + z * b11 + w * b15) >> 12),
        ]
    return tuple(rows)


def from43(m: Sequence[int]) -> Matrix44:
    """A 4x3 matrix with its last column."""
    return (m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, m[9], m[10], m[11], ONE)


def to43(m: Matrix44) -> Matrix43:
    """The first three columns."""
    return (m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14])


def to33(m: Matrix44) -> Matrix33:
    """The linear part."""
    return (m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10])


def _loaded(number: int, parameters: Sequence[int]) -> Matrix44:
    if number in (gx.MTX_LOAD_4X4, gx.MTX_MULT_4X4):
        return tuple(parameters)
    if number == gx.MTX_TRANS:
        return from43((*IDENTITY33, *parameters))
    return from43((*parameters, 0, 0, 0))  # a 3x3 matrix has no last row


class Matrices:
    """The engine's position and vector matrices and their stack; projection and texture matrices are not followed.

    Everything begins as identity.
    """

    def __init__(self) -> None:
        self.mode = POSITION_VECTOR
        self.position = IDENTITY44
        self.vector = IDENTITY44
        self._slots: dict[int, tuple[Matrix44, Matrix44]] = {}
        self._depth = 0

    def execute(self, number: int, parameters: Sequence[int]) -> None:
        """Apply one command; commands without an effect on these matrices are ignored."""
        if number == gx.MTX_MODE:
            self.mode = parameters[0] & 3
        elif self.mode not in (POSITION, POSITION_VECTOR) or number not in _MATRIX_COMMANDS:
            return
        elif number == gx.MTX_SCALE:
            x, y, z = parameters
            rows = self.position
            factors = (x, x, x, x, y, y, y, y, z, z, z, z)
            scaled = [wrap(element * factor >> 12) for element, factor in zip(rows, factors, strict=False)]
            self.position = (*scaled, *rows[12:])
        elif number in (gx.MTX_MULT_4X4, gx.MTX_MULT_4X3, gx.MTX_MULT_3X3, gx.MTX_TRANS):
            factor44 = _loaded(number, parameters)
            self.position = multiply44(factor44, self.position)
            if self.mode == POSITION_VECTOR:
                self.vector = multiply44(factor44, self.vector)
        elif number in (gx.MTX_LOAD_4X4, gx.MTX_LOAD_4X3, gx.MTX_IDENTITY):
            loaded = IDENTITY44 if number == gx.MTX_IDENTITY else _loaded(number, parameters)
            self.position = loaded
            if self.mode == POSITION_VECTOR:
                self.vector = loaded
        elif number == gx.MTX_STORE:
            self._slots[parameters[0] & 31] = (self.position, self.vector)
        elif number == gx.MTX_RESTORE:
            self._recall(parameters[0] & 31)
        elif number == gx.MTX_PUSH:
            self._slots[self._depth & 31] = (self.position, self.vector)
            self._depth += 1
        else:
            self._depth -= ((parameters[0] & 63) ^ 32) - 32
            self._recall(self._depth & 31)

    def _recall(self, slot: int) -> None:
        self.position, self.vector = self._slots.get(slot, (IDENTITY44, IDENTITY44))


class CommandStream:
    """A writer of a flat command stream."""

    def __init__(self) -> None:
        self._parts: list[npt.NDArray[np.uint32]] = []
        self._words: list[int] = []
        self._matrices = Matrices()
        self._pending: list[tuple[int, ...] | npt.NDArray[np.uint32]] = []

    def add(self, *commands: tuple[int, ...]) -> None:
        """Write commands, each as its number and its parameters, which may be signed."""
        for command in commands:
            self._words += command
            if command[0] <= gx.MTX_TRANS:
                self._pending.append(command)

    def add_list(self, commands: npt.NDArray[np.uint32], *, moves: bool = True) -> None:
        """Write commands that are flat already. `moves`: there may be matrix commands among them."""
        if self._words:
            self._flush()
        self._parts.append(commands)
        if moves:
            self._pending.append(commands)

    @property
    def size(self) -> int:
        """How many words were written so far."""
        return sum(len(part) for part in self._parts) + len(self._words)

    def _flush(self) -> None:
        self._parts.append(np.array(self._words, np.int64).astype(np.uint32))
        self._words = []

    @property
    def matrices(self) -> Matrices:
        """The engine's matrices after everything written so far."""
        for entry in self._pending:
            if isinstance(entry, tuple):
                self._matrices.execute(entry[0], entry[1:])
            else:
                for number, parameters in matrix_commands(entry):
                    self._matrices.execute(number, parameters)
        self._pending.clear()
        return self._matrices

    def words(self) -> npt.NDArray[np.uint32]:
        """The stream: for every command its number and its parameters."""
        if self._words:
            self._flush()
        return np.concatenate(self._parts) if self._parts else np.zeros(0, np.uint32)


def matrix_commands(commands: npt.NDArray[np.uint32]) -> list[tuple[int, tuple[int, ...]]]:
    """The matrix commands of a flat stream, parameters signed."""
    words = commands.view(np.int32).tolist()
    result = []
    place = 0
    while place < len(words):
        number = words[place]
        end = place + 1 + gx.PARAMETERS.get(number, 0)
        if gx.MTX_MODE <= number <= gx.MTX_TRANS:
            result.append((number, tuple(words[place + 1 : end])))
        place = end
    return result
