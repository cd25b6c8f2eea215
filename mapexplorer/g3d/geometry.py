"""The vertices and triangles of a shape's display list, as integers.

The list is decoded as the geometry engine would take it: one vertex for each VTX command, with the texture coordinate,
colour or normal and the restored matrix in force. Quads are split in two and strips unrolled; the order of corners
keeps the facing. Source: GBATEK (DS 3D vertex and polygon commands).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.kernel import entry, kernel, reads, writes
from formats.nds import gx
from mapexplorer.arrays import Words

VERTEX: Final = np.dtype(
    [
        ("position", "<i4", 3),
        ("texcoord", "<i2", 2),
        ("normal", "<u4"),
        ("color", "<u2"),
        ("source", "u1"),
        ("slot", "i1"),
    ]
)
"""A vertex: position in fx32 units under its matrix (the position scale applied); texture coordinate in 1/16 texels as
TEXCOORD gave it; parameter of the last NORMAL; colour word of the last COLOR; where its colour comes from; the matrix
stack slot restored for it, -1 for the matrix current when the list began."""

MATERIAL: Final = 0
COLOR: Final = 1
NORMAL: Final = 2
"""The source of a vertex's colour: the material's diffuse colour (before any command), COLOR or NORMAL."""

_PARAMETERS: Final = np.zeros(256, np.int64)
for _command, _count in gx.PARAMETERS.items():
    _PARAMETERS[_command] = _count

Places = npt.NDArray[np.int64]


class DecodedLists(NamedTuple):
    """The `vertices` (VERTEX records) and `indices` (uint32) of several lists: those of list i lie from starts[i] to
    starts[i + 1], int64 (lists + 1, 2) of vertices and indices. Indices count from the first vertex of their list.
    `counts`, int64 (lists, 5): vertices, triangles, quads, NORMAL and MTX_RESTORE commands.
    """

    vertices: npt.NDArray[Any]
    indices: Words
    starts: Places
    counts: Places


def decode_lists(lists: Sequence[tuple[Words, int]]) -> DecodedLists:
    """Decode flat command lists, each with the position scale in force before it, fx32.

    MTX_RESTORE undoes that scale and MTX_SCALE multiplies it; commands that have no place in a shape are passed over.
    Decoding ends where a command's parameters do not fit into the list.
    """
    commands = np.concatenate([words for words, _ in lists]) if lists else np.empty(0, np.uint32)
    bounds = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(words) for words, _ in lists], out=bounds[1:])
    counts = np.empty((len(lists), 5), np.int64)
    _measure(commands, bounds, counts)
    starts = np.zeros((len(lists) + 1, 2), np.int64)
    np.cumsum(counts[:, 0], out=starts[1:, 0])
    np.cumsum(3 * (counts[:, 1] + 2 * counts[:, 2]), out=starts[1:, 1])
    vertices = np.empty(starts[-1, 0], VERTEX)
    indices = np.empty(starts[-1, 1], np.uint32)
    _decode(commands, bounds, np.array([scale for _, scale in lists], np.int64), starts, vertices, indices)
    return DecodedLists(vertices, indices, starts, counts)


def decode_shape(commands: Words, scale: int) -> DecodedLists:
    """Decode one flat command list; see `decode_lists`."""
    return decode_lists([(commands, scale)])


def joined_vertices(parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Vertices one behind the other, read-only; numpy's own function compares the fields of all records first."""
    return np.frombuffer(b"".join([part.data for part in parts]), VERTEX)


@kernel
def _polygons(kind: int, vertices: int) -> tuple[int, int]:
    """The number of triangles or quads that a primitive with `count` vertices draws."""
    if kind == 0:
        return vertices // 3, 0
    if kind == 1:
        return 0, vertices // 4
    if kind == 2:
        return max(0, vertices - 2), 0
    return 0, max(0, vertices // 2 - 1)


@entry(commands=reads(np.uint32), bounds=reads(np.int64), counts=writes(np.int64, 2))
def _measure(commands: Words, bounds: Places, counts: Places) -> None:
    """The vertices, triangles, quads, NORMAL and MTX_RESTORE commands of each list."""
    for number in range(len(counts)):
        counted = _counts(commands[bounds[number] : bounds[number + 1]])
        for kind in range(5):
            counts[number, kind] = counted[kind]


@kernel
def _counts(commands: Words) -> tuple[int, int, int, int, int]:
    vertices = 0
    triangles = 0
    quads = 0
    normals = 0
    restores = 0
    kind = 0
    inside = 0
    place = 0
    while place < len(commands):
        command = commands[place]
        if command > 255 or place + _PARAMETERS[command] >= len(commands):
            break
        if gx.VTX_16 <= command <= gx.VTX_DIFF:
            vertices += 1
            inside += 1
        elif command == gx.BEGIN_VTXS:
            more = _polygons(kind, inside)
            triangles += more[0]
            quads += more[1]
            kind = commands[place + 1] & 3
            inside = 0
        elif command == gx.NORMAL:
            normals += 1
        elif command == gx.MTX_RESTORE:
            restores += 1
        place += 1 + _PARAMETERS[command]
    more = _polygons(kind, inside)
    return vertices, triangles + more[0], quads + more[1], normals, restores


@kernel
def _signed10(value: Any) -> Any:
    return ((value & 0x3FF) ^ 0x200) - 0x200


@kernel
def _signed16(value: Any) -> Any:
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


@kernel
def _triangulate(kind: int, first: int, count: int, indices: Words, out: int) -> int:
    """Write the triangles of a primitive whose vertices begin at `first`; returns the next free place."""
    triangles, quads = _polygons(kind, count)
    for number in range(triangles):
        base = first + (3 * number if kind == 0 else number)
        odd = kind == 2 and number & 1
        indices[out] = base + 1 if odd else base
        indices[out + 1] = base if odd else base + 1
        indices[out + 2] = base + 2
        out += 3
    for number in range(quads):
        base = first + (4 * number if kind == 1 else 2 * number)
        third = base + 2 if kind == 1 else base + 3
        fourth = base + 3 if kind == 1 else base + 2
        indices[out] = base
        indices[out + 1] = base + 1
        indices[out + 2] = third
        indices[out + 3] = base
        indices[out + 4] = third
        indices[out + 5] = fourth
        out += 6
    return out


@entry(
    commands=reads(np.uint32),
    bounds=reads(np.int64),
    scales=reads(np.int64),
    starts=reads(np.int64, 2),
    vertices=writes(VERTEX),
    indices=writes(np.uint32),
)
def _decode(commands: Words, bounds: Places, scales: Places, starts: Places, vertices: Any, indices: Words) -> None:
    for number in range(len(scales)):
        _decode_list(
            commands[bounds[number] : bounds[number + 1]],
            scales[number],
            vertices[starts[number, 0] : starts[number + 1, 0]],
            indices[starts[number, 1] : starts[number + 1, 1]],
        )


@kernel
def _decode_list(commands: Words, scale: int, vertices: Any, indices: Words) -> None:
    x: Any = 0
    y: Any = 0
    z: Any = 0
    s: Any = 0
    t: Any = 0
    normal = np.uint32(0)
    color = np.uint16(0)
    source = 0
    slot = -1
    scale_x: Any = scale
    scale_y: Any = scale
    scale_z: Any = scale
    kind = 0
    first = 0
    count = 0
    out = 0
    place = 0
    while place < len(commands):
        command = commands[place]
        if command > 255 or place + _PARAMETERS[command] >= len(commands):
            break
        word: Any = np.int64(commands[place + 1]) if place + 1 < len(commands) else 0
        if gx.VTX_16 <= command <= gx.VTX_DIFF:
            if command == gx.VTX_16:
                x = _signed16(word)
                y = _signed16(word >> 16)
                z = _signed16(np.int64(commands[place + 2]))
            elif command == gx.VTX_10:
                x = _signed10(word) << 6
                y = _signed10(word >> 10) << 6
                z = _signed10(word >> 20) << 6
            elif command == gx.VTX_XY:
                x = _signed16(word)
                y = _signed16(word >> 16)
            elif command == gx.VTX_XZ:
                x = _signed16(word)
                z = _signed16(word >> 16)
            elif command == gx.VTX_YZ:
                y = _signed16(word)
                z = _signed16(word >> 16)
            else:
                x = _signed16(x + _signed10(word))
                y = _signed16(y + _signed10(word >> 10))
                z = _signed16(z + _signed10(word >> 20))
            vertex = vertices[count]
            vertex.position[0] = x * scale_x >> 12
            vertex.position[1] = y * scale_y >> 12
            vertex.position[2] = z * scale_z >> 12
            vertex.texcoord[0] = s
            vertex.texcoord[1] = t
            vertex.normal = normal
            vertex.color = color
            vertex.source = source
            vertex.slot = slot
            count += 1
        elif command == gx.TEXCOORD:
            s = _signed16(word)
            t = _signed16(word >> 16)
        elif command == gx.COLOR:
            color = np.uint16(word & 0x7FFF)
            source = COLOR
        elif command == gx.NORMAL:
            normal = np.uint32(word)
            source = NORMAL
        elif command == gx.BEGIN_VTXS:
            out = _triangulate(kind, first, count - first, indices, out)
            kind = word & 3
            first = count
        elif command == gx.DIF_AMB:
            if word & 0x8000:
                color = np.uint16(word & 0x7FFF)
                source = COLOR
        elif command == gx.MTX_RESTORE:
            slot = word & 31
            scale_x = ONE
            scale_y = ONE
            scale_z = ONE
        elif command == gx.MTX_SCALE:
            scale_x = np.int64(np.int32(scale_x * np.int64(np.int32(commands[place + 1])) >> 12))
            scale_y = np.int64(np.int32(scale_y * np.int64(np.int32(commands[place + 2])) >> 12))
            scale_z = np.int64(np.int32(scale_z * np.int64(np.int32(commands[place + 3])) >> 12))
        place += 1 + _PARAMETERS[command]
    _triangulate(kind, first, count - first, indices, out)
