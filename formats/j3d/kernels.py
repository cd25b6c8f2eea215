"""The compiled loops over primitive streams."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, reads, writes

Array = npt.NDArray[Any]


@entry(data=reads(np.uint8), vertex_size=int, returns=(int, int, int, int))
def scan_primitives(data: Array, vertex_size: int) -> tuple[int, int, int, int]:
    """The numbers of primitives and vertices of a packet, a status, and the byte position where scanning ended.

    Status 0 good, 1 unknown opcode, 2 a primitive past the end, 3 bytes after the end.
    """
    position = 0
    primitives = 0
    vertices = 0
    size = len(data)
    while position < size:
        opcode = data[position]
        if opcode == 0:
            for i in range(position, size):
                if data[i] != 0:
                    return primitives, vertices, 3, i
            break
        if opcode < 0x80 or opcode > 0xBF or (opcode & 0xF8) == 0x88:
            return primitives, vertices, 1, position
        if position + 3 > size:
            return primitives, vertices, 2, position
        count = int(data[position + 1]) * 256 + int(data[position + 2])
        after = position + 3 + count * vertex_size
        if after > size:
            return primitives, vertices, 2, position
        primitives += 1
        vertices += count
        position = after
    return primitives, vertices, 0, position


@entry(
    data=reads(np.uint8),
    sizes=reads(np.int64),
    opcodes=writes(np.uint8),
    counts=writes(np.uint16),
    vertices=writes(np.uint16, 2),
)
def fill_primitives(data: Array, sizes: Array, opcodes: Array, counts: Array, vertices: Array) -> None:
    """Write the primitives and vertices of a scanned packet; the opcodes lose their vertex format bits."""
    position = 0
    row = 0
    for i in range(len(opcodes)):
        opcodes[i] = data[position] & 0xF8
        count = int(data[position + 1]) * 256 + int(data[position + 2])
        counts[i] = count
        position += 3
        for _ in range(count):
            for column in range(len(sizes)):
                value = int(data[position])
                position += 1
                if sizes[column] == 2:
                    value = value * 256 + int(data[position])
                    position += 1
                vertices[row, column] = value
            row += 1
