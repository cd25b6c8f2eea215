"""INF1: the scene graph that places joints, materials and shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Notes
from formats.j3d.big_endian import BigEndianReader

END, DESCEND, ASCEND, JOINT, MATERIAL, SHAPE = 0, 1, 2, 0x10, 0x11, 0x12

GRAPH_NODE = np.dtype([("type", "u2"), ("index", "u2")])
"""One record of the node list: type 1 descend, 2 ascend, 0x10 joint, 0x11 material, 0x12 shape; index into its list."""


@dataclass(frozen=True, eq=False)
class Information:
    """INF1.

    flags: bits 0-3 are the joint scaling rule (0 basic, 1 Softimage, 2 Maya), bit 8: shapes use the model matrix only.
    packet_count and vertex_count are as stored; tools write wrong values, and nothing uses them.
    graph: the node list without its end record (dtype `GRAPH_NODE`).
    """

    flags: int
    packet_count: int
    vertex_count: int
    graph: npt.NDArray[np.void]

    @property
    def scaling_rule(self) -> int:
        return self.flags & 15


@dataclass(frozen=True, eq=False)
class Placement:
    """A shape in the graph: its joint and its material (None: it has no material)."""

    shape: int
    joint: int | None
    material: int | None


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The graph resolved.

    parents: the parent of each joint, -1 for a root or a joint that the graph does not place.
    order: the placed joints, every parent before its children.
    placements: the shapes in drawing order of the graph.
    """

    parents: tuple[int, ...]
    order: tuple[int, ...]
    placements: tuple[Placement, ...]


def read_information(section: BigEndianReader) -> Information:
    """INF1 of its section. Raises FormatError for a node list without an end or with unbalanced levels."""
    flags, packets, vertices, offset = section.u16(8), section.u32(12), section.u32(16), section.u32(20)
    section.check(offset <= len(section), 20, "a node list inside the section", f"offset 0x{offset:X}")
    nodes = section.array(offset, GRAPH_NODE, (len(section) - offset) // 4)
    ends = np.flatnonzero(nodes["type"] == END)
    section.check(ends.size, offset, "a node list with an end record", "none in the section")
    graph = nodes[: int(ends[0])].copy()
    depth = 0
    for i, kind in enumerate(graph["type"].tolist()):
        section.check(
            kind in (DESCEND, ASCEND, JOINT, MATERIAL, SHAPE),
            offset + 4 * i,
            "a node type 0, 1, 2, 0x10, 0x11 or 0x12",
            f"0x{kind:X}",
        )
        depth += (kind == DESCEND) - (kind == ASCEND)
        section.check(depth >= 0, offset + 4 * i, "as many ascents as descents", "one ascent too many")
    section.check(depth == 0, offset + 4 * len(graph), "as many ascents as descents", f"{depth} levels still open")
    graph.flags.writeable = False
    return Information(flags, packets, vertices, graph)


def resolve(
    section: BigEndianReader, graph: npt.NDArray[np.void], joints: int, materials: int, shapes: int, notes: Notes | None
) -> Hierarchy:
    """The joints' parents and the shapes' placements.

    A joint's parent is the joint of the level on which it appears; shapes and materials open no level of their own. A
    shape belongs to the joint of its level and to the material added to that joint last. Raises FormatError for an
    index outside its list and for a joint placed twice; notes what is not placed.
    """
    counts = {JOINT: ("joint", joints), MATERIAL: ("material", materials), SHAPE: ("shape", shapes)}
    start = section.u32(20)
    parents = [-1] * joints
    order: dict[int, None] = {}
    placements: list[Placement] = []
    placed: set[int] = set()
    latest: dict[int | None, int] = {}
    level: int | None = None
    below: int | None = None
    stack: list[int | None] = []
    for i, (kind, index) in enumerate(graph.tolist()):
        if kind == DESCEND:
            stack.append(level)
            level = below
        elif kind == ASCEND:
            below = level
            level = stack.pop()
        else:
            what, count = counts[kind]
            section.check(index < count, start + 4 * i, f"a {what} below {count}", index)
        if kind == JOINT:
            section.check(index not in order, start + 4 * i, "each joint once", f"joint {index} again")
            order[index] = None
            parents[index] = -1 if level is None else level
            below = index
        elif kind == MATERIAL:
            latest[level] = index
            below = level
        elif kind == SHAPE:
            if index in placed:
                section.note(notes, start + 4 * i, f"shape {index} is placed again; only its first placement is used")
            else:
                placed.add(index)
                placements.append(Placement(index, level, latest.get(level)))
            below = level
    section.tolerate(len(order) >= joints, notes, start, f"{joints - len(order)} joints are not placed in the graph")
    section.tolerate(len(placed) >= shapes, notes, start, f"{shapes - len(placed)} shapes are not placed in the graph")
    return Hierarchy(tuple(parents), tuple(order), tuple(placements))
