"""A floor of the Distortion World (tw_arc.narc, from member 1): platforms, jump points, camera angles, ghost props.

The file is a word without meaning, the sizes of four sections, and the sections; a section without records is left
out. All positions are tiles in the space of all floors (the offset of the floor is included), y in tiles of 16 units.
A box contains the tiles with x <= tile x <= x + size_x, and so on: the size is one less than the number of tiles.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, frozen, require
from formats.field.record import note_rest, opened, write_table

_BOX: Final = [
    ("x", "<i2"),
    ("y", "<i2"),
    ("z", "<i2"),
    ("size_x", "<i2"),
    ("size_y", "<i2"),
    ("size_z", "<i2"),
]

PLATFORM = np.dtype([("kind", "<i2"), ("attributes", "<u2"), *_BOX, ("row_length", "<u2"), ("rows", "<u2")])
"""A platform to walk on: kind 0 floor, 1 west wall, 2 east wall, 3 ceiling; the member of tw_arc_attr with the words of
its tiles."""

JUMP_POINT = np.dtype(
    [
        ("unused", "<u2"),
        ("direction", "<i2"),
        ("unused_word", "<i4"),
        *_BOX,
        ("dx", "<i2"),
        ("dy", "<i2"),
        ("dz", "<i2"),
        ("sprite_turn", "<i2"),
        ("ticks", "<i2"),
        ("hop_axis", "<u2"),
        ("hop_inverted", "<u2"),
        ("facing", "<i2"),
        ("platform_kind", "<i2"),
        ("platform", "<u2"),
    ]
)
"""Pressing `direction` (0 north, 1 south, 2 west, 3 east) in the box moves the player by dx, dy, dz tiles in `ticks`,
with a hop along an axis (0 x, 1 y, 2 z; inverted: in the negative direction), and turns the sprite by degrees.
`facing`, kind (4: the land) and number (65535: the land) of the platform are those at the end."""

CAMERA_ANGLE = np.dtype(
    [*_BOX, ("angle_x", "<u2"), ("angle_y", "<u2"), ("angle_z", "<u2"), ("direction", "<i2"), ("ticks", "<i4")]
)
"""Pressing `direction` in the box turns the camera to these angles (256 = a turn) in `ticks`."""

GHOST_PROP = np.dtype([("group", "<u4"), ("kind", "<u2"), ("x", "<i2"), ("y", "<i2"), ("z", "<i2")])
"""A prop that is shown or hidden with its group."""

GHOST_TRIGGER = np.dtype([("group", "<u4"), ("direction", "<i2"), ("show", "<i2"), *_BOX])
"""Moving in `direction` from a tile of the box shows (1) or hides (0) a group."""

_SECTIONS: Final = ((PLATFORM, "platforms"), (JUMP_POINT, "jump points"), (CAMERA_ANGLE, "camera angles"))
_HEADER: Final = struct.Struct("<5i")
_GHOST_HEADER: Final = struct.Struct("<iiI")


@dataclass(frozen=True, eq=False)
class DistortionFloor:
    """The records of a floor in file order: jump points name platforms by number. `visible_groups`: the groups of ghost
    props (bit n: group n) that are shown on arrival."""

    platforms: npt.NDArray[np.void]
    jump_points: npt.NDArray[np.void]
    camera_angles: npt.NDArray[np.void]
    ghost_props: npt.NDArray[np.void]
    ghost_triggers: npt.NDArray[np.void]
    visible_groups: int

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> DistortionFloor:
        """Read a floor. Raises FormatError."""
        reader = opened(data, "Distortion World floor")
        first, *sizes = reader.unpack(_HEADER, 0, "section sizes")
        reader.tolerate(not first, notes, 0, f"the first word is {first} instead of 0; it is ignored")
        tables: list[npt.NDArray[Any]] = []
        offset = _HEADER.size
        for (dtype, what), size in zip(_SECTIONS, sizes, strict=False):
            tables.append(_table(reader.view(offset, size, what), dtype, what, notes))
            offset += size
        ghosts = reader.view(offset, sizes[3], "ghost props")
        note_rest(reader, offset + sizes[3], notes)
        platforms, jump_points, camera_angles = tables
        return cls(platforms, jump_points, camera_angles, *_ghosts(ghosts, notes))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for arrays of another dtype and groups beyond 32 bits."""
        tables = (self.platforms, self.jump_points, self.camera_angles)
        sections = [
            struct.pack("<i", len(records)) + write_table(records, dtype, what) if len(records) else b""
            for records, (dtype, what) in zip(tables, _SECTIONS, strict=True)
        ]
        sections.append(self._ghost_section())
        return _HEADER.pack(0, *map(len, sections)) + b"".join(sections)

    def _ghost_section(self) -> bytes:
        props, triggers = self.ghost_props, self.ghost_triggers
        require(0 <= self.visible_groups < 1 << 32, f"there are groups 0 to 31, not the bits {self.visible_groups:#x}")
        if not len(props) and not len(triggers) and not self.visible_groups:
            return b""
        return (
            _GHOST_HEADER.pack(len(props), len(triggers), self.visible_groups)
            + write_table(props, GHOST_PROP, "ghost props")
            + write_table(triggers, GHOST_TRIGGER, "ghost triggers")
        )


def _table(reader: Reader, dtype: np.dtype[Any], what: str, notes: Notes | None) -> npt.NDArray[Any]:
    if not len(reader):
        return frozen([], dtype)
    records = reader.array(4, dtype, reader.s32(0), what)
    note_rest(reader, 4 + records.nbytes, notes)
    reader.tolerate(len(records), notes, 0, "the section has no records; it is left out when the file is written")
    return records


def _ghosts(reader: Reader, notes: Notes | None) -> tuple[npt.NDArray[Any], npt.NDArray[Any], int]:
    if not len(reader):
        return frozen([], GHOST_PROP), frozen([], GHOST_TRIGGER), 0
    prop_count, trigger_count, groups = reader.unpack(_GHOST_HEADER, 0, "counts of ghost props")
    offset = _GHOST_HEADER.size
    props = reader.array(offset, GHOST_PROP, prop_count, "ghost props")
    offset += props.nbytes
    triggers = reader.array(offset, GHOST_TRIGGER, trigger_count, "ghost triggers")
    note_rest(reader, offset + triggers.nbytes, notes)
    return props, triggers, groups
