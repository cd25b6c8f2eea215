"""Map headers: the table of 24-byte records in the ARM9 program that names the data of each map.

The record is struct MapHeader of the decompilation. Corrections to the public description of the format: byte 1
is the list of object graphics to keep in memory (`move_model_list`), not unknown; the bit "running allowed" is
stored but never consulted by the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from formats.binary import Buffer, Notes
from formats.field.layout import U8, U16, Bits, Record
from formats.field.record import opened

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

Flag = Annotated[bool, Bits(1, "H")]


@dataclass(frozen=True)
class MapHeader(Record, title="map header"):
    """One map's header. Every number is an index or an id; the archives that they count in are:

    `area` area_data, `preload_list` area_move_model/move_model_list, `matrix` map_matrix, `scripts` and
    `init_scripts` scr_seq, `message_bank` pl_msg, music: sequence ids of the sound archive, `wild_encounters`
    pl_enc_data (0xFFFF none), `events` zone_event, `label_text` entry of the bank of place names, `label_window` style
    of the place-name popup (0 none), `weather` (32 and above: looked up by date), `camera_type` row of the camera
    table.
    """

    area: U8
    preload_list: U8
    matrix: U16
    scripts: U16
    init_scripts: U16
    message_bank: U16
    day_music: U16
    night_music: U16
    wild_encounters: U16
    events: U16
    label_text: U8
    label_window: U8
    weather: U8
    camera_type: U8
    map_type: Annotated[int, Bits(7, "H")]
    battle_background: Annotated[int, Bits(5, "H")]
    bicycle: Flag
    running: Flag
    escape_rope: Flag
    fly: Flag


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
        starts = range(0, len(reader), MAP_HEADER.itemsize)
        return cls(tuple(MapHeader.from_bytes(reader.view(start, MAP_HEADER.itemsize)) for start in starts))

    def to_bytes(self) -> bytes:
        return b"".join(header.to_bytes() for header in self.headers)
