"""SHP1: shapes, their packets and the primitives in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from formats.binary import Notes, frozen
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.joints import read_remap
from formats.j3d.sections import name_of, read_names
from formats.j3d.vertices import NBT, NULL, POSITION, POSITION_MATRIX

SHAPE_SIZE = 0x28
SLOTS = 10
KEEP = 0xFFFF
"""In a packet's matrix table: the slot keeps what the shape's previous packet loaded; in `slots`: never loaded."""

SINGLE, BILLBOARD, Y_BILLBOARD, MULTIPLE = range(4)
QUADS, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, LINES, LINE_STRIP, POINTS = 0x80, 0x90, 0x98, 0xA0, 0xA8, 0xB0, 0xB8

_DIRECT, _INDEX8, _INDEX16 = 1, 2, 3


@dataclass(frozen=True, eq=False)
class Packet:
    """The primitives drawn with one load of matrices.

    use_index: the draw matrix of all vertices, unless the shape has several. matrices: the packet's table of draw
    matrices, one per slot (0xFFFF keeps the slot). opcodes (uint8) and counts (uint16): the primitives and how many
    vertices each has. vertices: uint16 (all vertices of the packet, attributes of the shape), indices into the vertex
    arrays, or for the matrix attributes 0 to 8 the byte itself (slot * 3).
    """

    use_index: int
    matrices: tuple[int, ...]
    opcodes: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.uint16]
    vertices: npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class J3dShape:
    """A shape: the packets that are drawn with one material.

    matrix_type: 0 single matrix, 1 billboard, 2 billboard about y, 3 several matrices (a slot per vertex).
    attributes: the vertex attributes in the order of the columns of `Packet.vertices`.
    radius, box_min, box_max: bounds in model units.
    """

    name: str
    matrix_type: int
    radius: float
    box_min: tuple[float, ...]
    box_max: tuple[float, ...]
    attributes: tuple[int, ...]
    packets: tuple[Packet, ...]

    def slots(self) -> list[tuple[int, ...]]:
        """The draw matrix in each of the ten slots for every packet, 0xFFFF where none was ever loaded."""
        current = [KEEP] * SLOTS
        result = []
        for packet in self.packets:
            if self.matrix_type == MULTIPLE:
                for slot, matrix in enumerate(packet.matrices):
                    if matrix != KEEP:
                        current[slot] = matrix
            else:
                current = [packet.use_index] * SLOTS
            result.append(tuple(current))
        return result


def read_shapes(section: BigEndianReader, draw_matrix_count: int, notes: Notes | None = None) -> tuple[J3dShape, ...]:
    """SHP1 of its section.

    Raises FormatError for tables, packets and vertex runs outside their bounds, unknown primitives and input types,
    draw matrices that do not exist and slots that are read before they are loaded.
    """
    count, table = section.u16(8), section.u32(0x0C)
    remap = read_remap(section, section.u32(0x10), count, "shape", notes)
    names = read_names(section, section.u32(0x14), notes) if section.u32(0x14) else ()
    section.need(table, SHAPE_SIZE * (1 + max(remap, default=-1)), "shapes")
    reader = _PacketReader(section, draw_matrix_count)
    records = {record: _read_shape(section, table, record, reader) for record in sorted(set(remap))}
    return tuple(replace(records[record], name=name_of(names, i, "shape")) for i, record in enumerate(remap))


def _read_shape(section: BigEndianReader, table: int, record: int, reader: _PacketReader) -> J3dShape:
    at = table + SHAPE_SIZE * record
    matrix_type, packet_count = section.u8(at), section.u16(at + 2)
    section.check(matrix_type <= MULTIPLE, at, "a matrix type of 0 to 3", matrix_type)
    attributes, sizes = _read_attributes(section, section.u32(0x18) + section.u16(at + 4))
    group, location = section.u16(at + 6), section.u16(at + 8)
    packets = tuple(reader.packet(group + j, location + j, attributes, sizes) for j in range(packet_count))
    radius, *box = (float(value) for value in section.array(at + 0x0C, "f4", 7))
    shape = J3dShape("", matrix_type, radius, tuple(box[:3]), tuple(box[3:]), attributes, packets)
    _check_slots(section, at, record, shape, reader.draw_matrix_count)
    return shape


def _read_attributes(section: BigEndianReader, offset: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The attributes of a vertex and the bytes each takes."""
    attributes: list[int] = []
    sizes = []
    while (attribute := section.u32(offset)) != NULL:
        kind = section.u32(offset + 4)
        section.check(attribute <= 20 or attribute == NBT, offset, "a vertex attribute of 0 to 20 or 25", attribute)
        section.check(attribute not in attributes, offset, "each attribute once", f"attribute {attribute} again")
        matrix = attribute < POSITION
        if kind != 0:
            if kind not in ((_DIRECT,) if matrix else (_INDEX8, _INDEX16)):
                expected = "input type 0 or 1 (direct)" if matrix else "input type 0, 2 (8-bit) or 3 (16-bit index)"
                section.fail(offset + 4, f"{expected} for attribute {attribute}", kind)
            attributes.append(attribute)
            sizes.append(2 if kind == _INDEX16 else 1)
        offset += 8
    section.check(POSITION in attributes, offset, "a position among the vertex attributes", f"{attributes}")
    return tuple(attributes), tuple(sizes)


class _PacketReader:
    """Reads packets and limits their total size to that of the section, so that shared bytes cannot use too much
    memory."""

    def __init__(self, section: BigEndianReader, draw_matrix_count: int) -> None:
        self.section = section
        self.draw_matrix_count = draw_matrix_count
        self.left = 4 * len(section)
        self.table, self.data, self.groups, self.locations = (section.u32(0x1C + 4 * i) for i in range(4))

    def packet(self, group: int, location: int, attributes: tuple[int, ...], sizes: tuple[int, ...]) -> Packet:
        section = self.section
        at_group, at_location = self.groups + 8 * group, self.locations + 8 * location
        use_index, count, first = section.u16(at_group), section.u16(at_group + 2), section.u32(at_group + 4)
        section.check(count <= SLOTS, at_group + 2, f"{SLOTS} matrices or fewer", count)
        matrices = section.array(self.table + 2 * first, "u2", count, "matrix table").tolist()
        for i, matrix in enumerate(matrices):
            section.check(
                matrix == KEEP or matrix < self.draw_matrix_count,
                self.table + 2 * (first + i),
                f"a draw matrix below {self.draw_matrix_count}",
                matrix,
            )
        size, offset = section.u32(at_location), section.u32(at_location + 4)
        self.left -= size + 16
        section.check(self.left >= 0, at_location, "packets whose bytes overlap less", f"{size} bytes more")
        view = section.view(self.data + offset, size, f"packet {location}")
        return Packet(use_index, tuple(matrices), *_read_primitives(view, attributes, sizes))


def _read_primitives(
    view: BigEndianReader, attributes: tuple[int, ...], sizes: tuple[int, ...]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    from formats.j3d.kernels import fill_primitives, scan_primitives

    data = np.frombuffer(view.data, np.uint8)
    primitives, total, status, at = scan_primitives(data, sum(sizes))
    if status == 1:
        view.fail(at, "a primitive 0x80 to 0xB8", f"0x{data[at]:02X}")
    if status == 2:
        view.fail(at, "a primitive that ends inside its packet", f"{len(data) - at} bytes left")
    if status == 3:
        view.fail(at, "zeros after the last primitive", f"0x{data[at]:02X}")
    opcodes = np.empty(primitives, np.uint8)
    counts = np.empty(primitives, np.uint16)
    vertices = np.empty((total, len(sizes)), np.uint16)
    fill_primitives(data, np.array(sizes, np.int64), opcodes, counts, vertices)
    if POSITION_MATRIX in attributes:
        slots = vertices[:, attributes.index(POSITION_MATRIX)]
        bad = np.flatnonzero((slots % 3 != 0) | (slots >= 3 * SLOTS))
        if bad.size:
            view.fail(0, "position matrix bytes 0, 3, ... 27", f"{slots[bad[0]]} in vertex {bad[0]}")
    return frozen(opcodes), frozen(counts), frozen(vertices)


def _check_slots(section: BigEndianReader, at: int, index: int, shape: J3dShape, draw_matrix_count: int) -> None:
    """Check that every draw matrix that a vertex names exists. Raises FormatError."""
    for j, (packet, slots) in enumerate(zip(shape.packets, shape.slots(), strict=True)):
        if not len(packet.vertices):
            continue
        if shape.matrix_type != MULTIPLE:
            section.check(
                packet.use_index < draw_matrix_count,
                at,
                f"a draw matrix below {draw_matrix_count} in shape {index}",
                packet.use_index,
            )
            continue
        used: npt.NDArray[np.integer] = np.zeros(1, np.int64)
        if POSITION_MATRIX in shape.attributes:
            used = np.unique(packet.vertices[:, shape.attributes.index(POSITION_MATRIX)]) // 3
        for slot in used.tolist():
            if slots[slot] == KEEP:
                section.fail(at, f"a matrix in slot {slot} of packet {j} of shape {index}", "none loaded")


def highest_indices(shapes: tuple[J3dShape, ...]) -> dict[int, int]:
    """The highest index into each vertex array that any shape uses."""
    highest: dict[int, int] = {}
    for shape in shapes:
        for packet in shape.packets:
            if not len(packet.vertices):
                continue
            for attribute, index in zip(shape.attributes, packet.vertices.max(axis=0).tolist(), strict=True):
                if attribute >= POSITION:
                    highest[attribute] = max(index, highest.get(attribute, -1))
    return highest
