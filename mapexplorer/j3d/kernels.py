"""The compiled loops that turn GX primitives into triangles, lines and points."""

from __future__ import annotations

import numpy as np

from formats.kernel import entry, reads, writes
from mapexplorer.arrays import Array


@entry(opcodes=reads(np.uint8), counts=reads(np.uint16), returns=(int, int, int))
def count_primitives(opcodes: Array, counts: Array) -> tuple[int, int, int]:
    """How many triangles, lines and points the primitives give."""
    triangles = 0
    lines = 0
    points = 0
    for i in range(len(opcodes)):
        opcode = opcodes[i]
        count = int(counts[i])
        if opcode == 0x80:
            triangles += 2 * (count // 4)
        elif opcode == 0x90:
            triangles += count // 3
        elif opcode == 0x98 or opcode == 0xA0:
            triangles += count - 2 if count > 2 else 0
        elif opcode == 0xA8:
            lines += count // 2
        elif opcode == 0xB0:
            lines += count - 1 if count > 1 else 0
        elif opcode == 0xB8:
            points += count
    return triangles, lines, points


@entry(
    opcodes=reads(np.uint8),
    counts=reads(np.uint16),
    triangles=writes(np.uint32, 2),
    lines=writes(np.uint32, 2),
    points=writes(np.uint32),
)
def fill_primitives(opcodes: Array, counts: Array, triangles: Array, lines: Array, points: Array) -> None:
    """The primitives as indices of consecutive vertices, in GX order."""
    base = 0
    t = 0
    n = 0
    p = 0
    for i in range(len(opcodes)):
        opcode = opcodes[i]
        count = int(counts[i])
        if opcode == 0x80:
            for k in range(count // 4):
                for half in range(2):
                    triangles[t, 0] = base + 4 * k
                    triangles[t, 1] = base + 4 * k + 1 + half
                    triangles[t, 2] = base + 4 * k + 2 + half
                    t += 1
        elif opcode == 0x90:
            for k in range(count // 3):
                for corner in range(3):
                    triangles[t, corner] = base + 3 * k + corner
                t += 1
        elif opcode == 0x98:
            for k in range(count - 2):
                odd = k & 1
                triangles[t, 0] = base + k + odd
                triangles[t, 1] = base + k + 1 - odd
                triangles[t, 2] = base + k + 2
                t += 1
        elif opcode == 0xA0:
            for k in range(1, count - 1):
                triangles[t, 0] = base
                triangles[t, 1] = base + k
                triangles[t, 2] = base + k + 1
                t += 1
        elif opcode == 0xA8:
            for k in range(count // 2):
                lines[n, 0] = base + 2 * k
                lines[n, 1] = base + 2 * k + 1
                n += 1
        elif opcode == 0xB0:
            for k in range(count - 1):
                lines[n, 0] = base + k
                lines[n, 1] = base + k + 1
                n += 1
        elif opcode == 0xB8:
            for k in range(count):
                points[p] = base + k
                p += 1
        base += count
