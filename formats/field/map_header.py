"""Map headers: the table of 24-byte records in the ARM9 program that names the data of each map.

The record is struct MapHeader of the decompilation. Corrections to the public description of the format: byte 1
is the list of object graphics to keep in memory (`move_model_list`), not unknown; the bit "running allowed" is
stored but never consulted by the game.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from formats.binary import Buffer, Notes
from formats.field.record import opened, write_record

MAP_HEADER = np.dtype(
    [
        ("area", "u1"),
        ("preload_list", "u1"),
        ("matrix", "<u2"),
        ("scripts", "<u2"),
        ("init_scripts", "<u2"),
        ("message_bank", "<u2"),
        ("day_music", "<u2"),
        ("night_music", "<u2"),
        ("wild_encounters", "<u2"),
        ("events", "<u2"),
        ("label_text", "u1"),
        ("label_window", "u1"),
        ("weather", "u1"),
        ("camera_type", "u1"),
        ("bits", "<u2"),
    ]
)
"""One record; `bits` holds map type (0-6), battle background (7-11), bicycle (12), running (13), escape rope (14),
fly (15)."""

NO_WILD_ENCOUNTERS = 0xFFFF

_RECORD = struct.Struct("<2B8H4BH")
_PLAIN = MAP_HEADER.names[:-1] if MAP_HEADER.names else ()


@dataclass(frozen=True)
class MapHeader:
    """One map's header. Every number is an index or an id; the archives that they count in are:

    `area` area_data, `preload_list` area_move_model/move_model_list, `matrix` map_matrix, `scripts` and
    `init_scripts` scr_seq, `message_bank` pl_msg, music: sequence ids of the sound archive, `wild_encounters`
    pl_enc_data (0xFFFF none), `events` zone_event, `label_text` entry of the bank of place names, `label_window` style
    of the place-name popup (0 none), `weather` (32 and above: looked up by date), `camera_type` row of the camera
    table.
    """

    area: int
    preload_list: int
    matrix: int
    scripts: int
    init_scripts: int
    message_bank: int
    day_music: int
    night_music: int
    wild_encounters: int
    events: int
    label_text: int
    label_window: int
    weather: int
    camera_type: int
    map_type: int
    battle_background: int
    bicycle: bool
    running: bool
    escape_rope: bool
    fly: bool

    @classmethod
    def from_record(cls, record: np.void) -> MapHeader:
        """The header in one element of a `MAP_HEADER` array."""
        *numbers, bits = record.tolist()
        return cls(
            **dict(zip(_PLAIN, numbers, strict=True)),
            map_type=bits & 0x7F,
            battle_background=bits >> 7 & 0x1F,
            bicycle=bool(bits & 0x1000),
            running=bool(bits & 0x2000),
            escape_rope=bool(bits & 0x4000),
            fly=bool(bits & 0x8000),
        )

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MapHeader:
        """Read one 24-byte record. Raises FormatError."""
        return cls.from_record(opened(data, "map header").array(0, MAP_HEADER, 1, "a map header")[0])

    def to_bytes(self) -> bytes:
        """The 24-byte record. Raises ValueError for a number that its field cannot hold."""
        if not (0 <= self.map_type <= 0x7F and 0 <= self.battle_background <= 0x1F):
            raise ValueError("a map type has 7 bits and a battle background 5")
        bits = self.map_type | self.battle_background << 7
        bits |= self.bicycle << 12 | self.running << 13 | self.escape_rope << 14 | self.fly << 15
        return write_record(_RECORD, self, *(getattr(self, name) for name in _PLAIN), bits)


@dataclass(frozen=True, eq=False)
class MapHeaderTable:
    """All headers in the order of their ids."""

    headers: tuple[MapHeader, ...]

    def __len__(self) -> int:
        return len(self.headers)

    def __getitem__(self, index: int) -> MapHeader:
        return self.headers[index]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MapHeaderTable:
        """Read the whole of `data` as records of 24 bytes. Raises FormatError."""
        reader = opened(data, "map headers")
        if len(reader) % MAP_HEADER.itemsize:
            reader.fail(0, "a multiple of 24 bytes", len(reader))
        records = reader.array(0, MAP_HEADER, len(reader) // MAP_HEADER.itemsize)
        return cls(tuple(MapHeader.from_record(record) for record in records))

    def to_bytes(self) -> bytes:
        return b"".join(header.to_bytes() for header in self.headers)
