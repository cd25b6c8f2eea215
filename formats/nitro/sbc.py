"""SBC, the byte code that draws a model: decodes and encodes instructions.

`mapexplorer.g3d.sbc` executes them. An opcode is the low 5 bits of its byte; the high 3 are its option. Source: the
NITRO-System G3D library.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from formats.binary import Buffer, Reader, require

NOP: Final = 0x00
RET: Final = 0x01
NODE: Final = 0x02
MTX: Final = 0x03
MAT: Final = 0x04
SHP: Final = 0x05
NODEDESC: Final = 0x06
BB: Final = 0x07
BBY: Final = 0x08
NODEMIX: Final = 0x09
CALLDL: Final = 0x0A
POSSCALE: Final = 0x0B
ENVMAP: Final = 0x0C
PRJMAP: Final = 0x0D

NAMES: Final[dict[int, str]] = {
    value: name for name, value in list(globals().items()) if name.isupper() and isinstance(value, int)
}
"""Opcode -> name."""

STORE: Final = 0x20
"""Option of NODEDESC, BB and BBY: the result is stored; the slot is the operand after the fixed ones."""
RESTORE: Final = 0x40
"""Option of NODEDESC, BB and BBY: a slot is restored first; it is the last operand, after the slot to store in."""
INVERSE: Final = 0x20
"""Option of POSSCALE: scale by the inverse."""

_FIXED: Final = {
    NOP: 0,
    RET: 0,
    NODE: 2,
    MTX: 1,
    MAT: 1,
    SHP: 1,
    NODEDESC: 3,
    BB: 1,
    BBY: 1,
    POSSCALE: 0,
    ENVMAP: 2,
    PRJMAP: 2,
}
_SLOTS: Final = {0x00: 0, STORE: 1, RESTORE: 1, STORE | RESTORE: 2}
_LIST: Final = struct.Struct("<II")


@dataclass(frozen=True)
class Instruction:
    """One instruction: opcode (0..31), option (the byte's high bits: 0x00, 0x20, ... 0xE0) and operands.

    Operands are the instruction's bytes in file order, of

    * NODE: node, visible; MTX: slot; MAT: material; SHP: shape; ENVMAP, PRJMAP: material, flag;
    * NODEDESC: node, parent, flags, then slots by option; BB, BBY: node, then slots by option;
    * NODEMIX: destination slot, then slot, node whose inverse bind matrix is taken, and weight of each term;
    * CALLDL: offset of the display list from the instruction and its size in bytes, both u32 (in a `Model`: the
      index in `called_lists` instead).
    """

    opcode: int
    option: int
    operands: tuple[int, ...]

    @property
    def name(self) -> str:
        """The opcode's name."""
        return NAMES.get(self.opcode, f"0x{self.opcode:02X}")


def decode(data: Buffer) -> tuple[tuple[Instruction, ...], int]:
    """The instructions up to and including RET, and the size in bytes.

    Raises FormatError for unknown opcodes and for code without an end.
    """
    reader = Reader.of(data)
    code = bytes(reader.data)
    end = len(code)
    place = 0
    result: list[Instruction] = []
    while place < end:
        size = _SIZES[code[place]]
        if size < 0:
            size = 3 + 3 * code[place + 2] if place + 2 < end else 3
        elif size == 0:
            reader.fail(place, "an SBC instruction", f"0x{code[place]:02X}")
        if place + size > end:
            reader.fail(place, f"{size} bytes of {NAMES[code[place] & 0x1F]}", f"{end - place} before the end")
        instruction = _decode_one(code[place : place + size])
        result.append(instruction)
        reader.declare([((instruction.name,), place, size, instruction.operands, "an instruction and its operands")])
        place += size
        if instruction.opcode == RET:
            return tuple(result), place
    return reader.fail(end, "RET", "the end of the SBC")


@functools.lru_cache(4096)
def _decode_one(code: bytes) -> Instruction:
    """One instruction. Most scripts consist of the same few, which are kept once."""
    opcode, operands = code[0] & 0x1F, tuple(code[1:])
    if opcode == NODEMIX:
        operands = operands[:1] + operands[2:]
    elif opcode == CALLDL:
        operands = _LIST.unpack_from(code, 1)
    return Instruction(opcode, code[0] & 0xE0, operands)


def encode(instructions: Iterable[Instruction]) -> bytes:
    """The bytes of instructions. Raises ValueError for operands that do not fit."""
    return b"".join([_encode(instruction) for instruction in instructions])


def instruction_size(instruction: Instruction) -> int:
    """Bytes of an instruction."""
    if instruction.opcode == CALLDL:
        return 9
    return 1 + len(instruction.operands) + (instruction.opcode == NODEMIX)


def _size(opcode: int, option: int) -> int:
    """Bytes of an instruction; 0 when there is none of that opcode and option, -1 for NODEMIX, whose size varies."""
    if opcode == NODEMIX:
        return -1
    if opcode == CALLDL:
        return 9
    if opcode not in _FIXED:
        return 0
    if opcode in (NODEDESC, BB, BBY):
        return 1 + _FIXED[opcode] + _SLOTS[option] if option in _SLOTS else 0
    return 1 + _FIXED[opcode]


_SIZES: Final = tuple(_size(byte & 0x1F, byte & 0xE0) for byte in range(256))
"""The size of an instruction by its first byte, as `_size` gives it."""


def _encode(instruction: Instruction) -> bytes:
    opcode, option, operands = instruction.opcode, instruction.option, instruction.operands
    limit = 0xFFFFFFFF if opcode == CALLDL else 0xFF
    require(
        all(0 <= operand <= limit for operand in operands),
        f"an operand of {instruction.name} is outside 0..{limit}: {operands}",
    )
    require(not option & ~0xE0 and 0 <= opcode <= 0x1F, f"opcode {opcode}, option {option} is no SBC instruction")
    head = bytes([opcode | option])
    if opcode == CALLDL and len(operands) == 2:
        return head + operands[0].to_bytes(4, "little") + operands[1].to_bytes(4, "little")
    if opcode == NODEMIX and len(operands) % 3 == 1 and len(operands) <= 1 + 3 * 255:
        return head + bytes([operands[0], (len(operands) - 1) // 3, *operands[1:]])
    if opcode in _FIXED and _size(opcode, option) == 1 + len(operands):
        return head + bytes(operands)
    raise ValueError(f"{instruction.name} with option 0x{option:02X} does not have {len(operands)} operands")
