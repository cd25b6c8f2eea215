"""Nodes of a model: local translation, rotation and scale, as MDL0 stores them.

Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from formats.binary import Reader, fitting, require
from formats.fixed import ONE

Ints3 = tuple[int, int, int]
Ints9 = tuple[int, int, int, int, int, int, int, int, int]

_NO_TRANSLATION: Final = 0x0001
_NO_ROTATION: Final = 0x0002
_NO_SCALE: Final = 0x0004
_PIVOT: Final = 0x0008
_PIVOT_BITS: Final = 0x07F0

_HEADER: Final = struct.Struct("<Hh")
_FX32_3: Final = struct.Struct("<3i")
_FX32_6: Final = struct.Struct("<6i")
_FX16_2: Final = struct.Struct("<2h")
_FX16_8: Final = struct.Struct("<8h")

IDENTITY: Final[Ints9] = (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)

_OTHERS: Final = (
    (4, 5, 7, 8), (3, 5, 6, 8), (3, 4, 6, 7), (1, 2, 7, 8), (0, 2, 6, 8), (0, 1, 6, 7),
    (1, 2, 4, 5), (0, 2, 3, 5), (0, 1, 3, 4),
)  # fmt: skip


@dataclass(frozen=True)
class Pivot:
    """A rotation about one coordinate axis, with axes possibly exchanged or negated.

    Element `element` (row * 3 + column) is 1, or -1 when `negative`; the rest of its row and column is 0. The other
    four elements are, in reading order, a, b, b (-b when `negate_c`), a (-a when `negate_d`), in fx16.
    """

    element: int
    negative: bool
    negate_c: bool
    negate_d: bool
    a: int
    b: int

    @classmethod
    def from_word(cls, word: int, a: int, b: int) -> Pivot:
        """From the info bits, at bit 0 in NSBCA and at bit 4 of node flags. Raises ValueError for element > 8."""
        require(word & 15 <= 8, f"a pivot has element 0 to 8, not {word & 15}")
        return cls(word & 15, bool(word & 16), bool(word & 32), bool(word & 64), a, b)

    def to_word(self) -> int:
        """The info bits. Raises ValueError for an element that no matrix has."""
        require(0 <= self.element <= 8, f"a pivot has element 0 to 8, not {self.element}")
        return self.element | self.negative << 4 | self.negate_c << 5 | self.negate_d << 6

    def matrix(self) -> Ints9:
        """The rows of the 3x3 matrix in fx32, for row vectors."""
        rows = [0] * 9
        rows[self.element] = -ONE if self.negative else ONE
        at_a, at_b, at_c, at_d = _OTHERS[self.element]
        rows[at_a], rows[at_b] = self.a, self.b
        rows[at_c] = -self.b if self.negate_c else self.b
        rows[at_d] = -self.a if self.negate_d else self.a
        return (rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8])


@dataclass(frozen=True)
class Node:
    """A node's local transform; a part that is None, for which the file has flags, changes nothing."""

    name: str
    """The name in the model's dictionary."""
    translation: Ints3 | None = None
    """x, y, z in fx32; None: zero."""
    rotation: Ints9 | Pivot | None = None
    """A `Pivot`, or the nine fx16 elements of a matrix for row vectors; None: no rotation."""
    scale: Ints3 | None = None
    """x, y, z in fx32; None: one."""
    inverse_scale: Ints3 | None = None
    """1 / `scale` in fx32; present where `scale` is."""
    m00: int = ONE
    """The stored copy of the matrix's first element, also where it is unused; with nine elements it is the first of
    them."""
    stack_slot: int = 31
    """The matrix stack slot that holds the node's matrix after drawing, 31 for none."""
    unused_flags: int = 0
    """The pivot bits of a node without a pivot, 0 in files of the NITRO tools."""

    @classmethod
    def read(cls, reader: Reader, offset: int, name: str) -> tuple[Node, int]:
        """The node whose data begins at `offset`, and where the data ends. Raises FormatError."""
        flags, m00 = reader.unpack(_HEADER, offset, "node data")
        place = offset + 4
        translation: Ints3 | None = None
        rotation: Ints9 | Pivot | None = None
        scale: Ints3 | None = None
        inverse: Ints3 | None = None
        unused = flags & _PIVOT_BITS
        if not flags & _NO_TRANSLATION:
            translation = reader.unpack(_FX32_3, place, "a node's translation")
            place += 12
        if flags & _NO_ROTATION:
            unused |= flags & _PIVOT
        elif flags & _PIVOT:
            a, b = reader.unpack(_FX16_2, place, "a node's rotation")
            reader.check(flags >> 4 & 15 <= 8, offset, "a pivot element 0 to 8", flags >> 4 & 15)
            rotation = Pivot.from_word(flags >> 4, a, b)
            unused = 0
            place += 4
        else:
            rotation = (m00, *reader.unpack(_FX16_8, place, "a node's rotation"))
            place += 16
        if not flags & _NO_SCALE:
            sx, sy, sz, ix, iy, iz = reader.unpack(_FX32_6, place, "a node's scale")
            scale, inverse = (sx, sy, sz), (ix, iy, iz)
            place += 24
        return cls(name, translation, rotation, scale, inverse, m00, flags >> 11, unused), place

    def to_bytes(self) -> bytes:
        """The node's data. Raises ValueError for values that do not fit."""
        require(
            (self.scale is None) == (self.inverse_scale is None),
            f"node {self.name!r} needs both a scale and its inverse, or neither",
        )
        require(
            0 <= self.stack_slot <= 31, f"node {self.name!r} has a matrix stack slot of 0 to 31, not {self.stack_slot}"
        )
        require(
            not self.unused_flags & ~self._unused(), f"node {self.name!r} has no unused flags 0x{self.unused_flags:X}"
        )
        flags = self.stack_slot << 11 | self.unused_flags
        m00 = self.m00
        parts = []
        with fitting(f"node {self.name!r}"):
            if self.translation is None:
                flags |= _NO_TRANSLATION
            else:
                parts.append(_FX32_3.pack(*self.translation))
            if self.rotation is None:
                flags |= _NO_ROTATION
            elif isinstance(self.rotation, Pivot):
                flags |= _PIVOT | self.rotation.to_word() << 4
                parts.append(_FX16_2.pack(self.rotation.a, self.rotation.b))
            else:
                m00 = self.rotation[0]
                parts.append(_FX16_8.pack(*self.rotation[1:]))
            if self.scale is None or self.inverse_scale is None:
                flags |= _NO_SCALE
            else:
                parts.append(_FX32_6.pack(*self.scale, *self.inverse_scale))
            return _HEADER.pack(flags, m00) + b"".join(parts)

    def _unused(self) -> int:
        """The flags without a meaning in this node."""
        if isinstance(self.rotation, Pivot):
            return 0
        return _PIVOT_BITS | _PIVOT if self.rotation is None else _PIVOT_BITS

    def rotation_matrix(self) -> Ints9:
        """The rows of the rotation in fx32, for row vectors; the identity when there is none."""
        if self.rotation is None:
            return IDENTITY
        return self.rotation.matrix() if isinstance(self.rotation, Pivot) else self.rotation
