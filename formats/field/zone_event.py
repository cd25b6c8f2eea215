"""Zone events (zone_event.narc): the signs, people, warps and triggers of a map header.

Positions are matrix-wide tiles (x east, z south). Four sections in this order, each preceded by its count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.field_types import Counted
from formats.field.layout import Record
from formats.field.record import opened

BACKGROUND_EVENT = np.dtype(
    [
        ("script", "<u2"),
        ("type", "<u2"),
        ("x", "<i4"),
        ("z", "<i4"),
        ("y", "<i4"),
        ("facing", "<u2"),
        ("padding", "<u2"),
    ]
)
"""type: 0 talk to it, 1 sign (only facing north), 2 hidden item; facing: 0 north, 1 east, 2 west, 3 south, 4 any, 5
west or east, 6 north or south."""

OBJECT_EVENT = np.dtype(
    [
        ("local_id", "<u2"),
        ("graphics", "<u2"),
        ("movement_type", "<u2"),
        ("trainer_type", "<u2"),
        ("hidden_flag", "<u2"),
        ("script", "<u2"),
        ("direction", "<i2"),
        ("parameters", "<u2", 3),
        ("range_x", "<i2"),
        ("range_z", "<i2"),
        ("x", "<u2"),
        ("z", "<u2"),
        ("y", "<i4"),
    ]
)
"""A person or thing: absent while `hidden_flag` is set (0 = never); direction 0 north, 1 south, 2 west, 3 east, -1
none; ranges of wandering in tiles; y is fx32 units."""

WARP_EVENT = np.dtype([("x", "<u2"), ("z", "<u2"), ("header", "<u2"), ("warp", "<u2"), ("unused", "<u4")])
"""Leads to warp number `warp` of map header `header`; header 0xFFF with warp 0x100: to the tile where the player
entered the map."""

COORD_EVENT = np.dtype(
    [
        ("script", "<u2"),
        ("x", "<u2"),
        ("z", "<u2"),
        ("width", "<u2"),
        ("length", "<u2"),
        ("y", "<u2"),
        ("value", "<u2"),
        ("variable", "<u2"),
    ]
)
"""Runs `script` when the player's tile is in the rectangle and `variable` equals `value`."""

SIZE_LIMIT = 2048
"""Size in bytes of the game's buffer for a file."""

RETURN_HEADER = 0xFFF
RETURN_WARP = 0x100


@dataclass(frozen=True, eq=False)
class ZoneEvents(Record, title="zone events"):
    """The events of a zone in file order, which is the numbering of warps and scripts."""

    background: Annotated[npt.NDArray[np.void], Counted("I", BACKGROUND_EVENT)]
    objects: Annotated[npt.NDArray[np.void], Counted("I", OBJECT_EVENT)]
    warps: Annotated[npt.NDArray[np.void], Counted("I", WARP_EVENT)]
    triggers: Annotated[npt.NDArray[np.void], Counted("I", COORD_EVENT)]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read an event file. Raises FormatError."""
        reader = opened(data, cls.record_title)
        reader.tolerate(
            len(reader) <= SIZE_LIMIT, notes, 0, f"{len(reader)} bytes are more than the game's buffer of {SIZE_LIMIT}"
        )
        return super().from_bytes(reader, notes=notes)
