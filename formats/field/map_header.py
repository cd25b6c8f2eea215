"""Map headers: the table of 24-byte records in the ARM9 program that names the data of each map.

The records are struct MapHeader of the decompilations; fields that mean the same have the same name in the records of
all games. Corrections to the public description of the format: byte 1 is the list of object graphics to keep in memory
(`move_model_list`), not unknown; the bit "running allowed" is stored but never consulted by the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from formats.binary import Buffer, Notes
from formats.field.layout import U8, U16, Bits, Record
from formats.field.record import opened

MAP_HEADER_BYTES = 24
"""The size of a record in every game."""

NO_WILD_ENCOUNTERS = 0xFFFF

_Flag = Annotated[bool, Bits(1, "H")]
_Flag8 = Annotated[bool, Bits(1, "B")]
_Flag32 = Annotated[bool, Bits(1, "I")]


@dataclass(frozen=True)
class MapHeader(Record, title="map header"):
    """One map's header of Platinum. Every number is an index or an id; the archives that they count in are:

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
    bicycle: _Flag
    running: _Flag
    escape_rope: _Flag
    fly: _Flag


@dataclass(frozen=True)
class DiamondPearlMapHeader(Record, title="map header"):
    """One map's header of Diamond and Pearl. There is one style of the place-name popup, so none is named."""

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
    label_text: U16
    weather: U8
    camera_type: U8
    map_type: U8
    battle_background: Annotated[int, Bits(4, "B")]
    bicycle: _Flag8
    running: _Flag8
    escape_rope: _Flag8
    fly: _Flag8


@dataclass(frozen=True)
class HeartGoldMapHeader(Record, title="map header"):
    """One map's header of HeartGold and SoulSilver.

    `world_map_x`, `world_map_y`: its square on the town map. `mothers_call_group`: what the mother says on the
    telephone. `kanto`: the region, else Johto. `follower_mode`: which Pokémon may follow the player, 0 none, 1 small
    ones, 2 all. `outgoing_calls`, `incoming_calls`, `radio`: what the Pokégear may do. `wild_encounters` is 255 without
    any.
    """

    NO_WILD_ENCOUNTERS: ClassVar[int] = 0xFF

    wild_encounters: U8
    area: U8
    preload_list: Annotated[int, Bits(4, "H")]
    world_map_x: Annotated[int, Bits(6, "H")]
    world_map_y: Annotated[int, Bits(6, "H")]
    matrix: U16
    scripts: U16
    init_scripts: U16
    message_bank: U16
    day_music: U16
    night_music: U16
    events: U16
    label_text: U8
    label_window: Annotated[int, Bits(4, "B")]
    mothers_call_group: Annotated[int, Bits(4, "B")]
    kanto: _Flag32
    weather: Annotated[int, Bits(7, "I")]
    map_type: Annotated[int, Bits(4, "I")]
    camera_type: Annotated[int, Bits(6, "I")]
    follower_mode: Annotated[int, Bits(2, "I")]
    battle_background: Annotated[int, Bits(5, "I")]
    bicycle: _Flag32
    running: _Flag32
    escape_rope: _Flag32
    fly: _Flag32
    outgoing_calls: _Flag32
    incoming_calls: _Flag32
    radio: _Flag32


AnyMapHeader = MapHeader | DiamondPearlMapHeader | HeartGoldMapHeader


@dataclass(frozen=True, eq=False)
class MapHeaderTable:
    """All headers in the order of their ids."""

    headers: tuple[AnyMapHeader, ...]

    def __len__(self) -> int:
        return len(self.headers)

    def __getitem__(self, index: int) -> AnyMapHeader:
        return self.headers[index]

    @classmethod
    def from_bytes(
        cls, data: Buffer, record: type[AnyMapHeader] = MapHeader, *, notes: Notes | None = None
    ) -> MapHeaderTable:
        """Read the whole of `data` as records of 24 bytes of the type `record`. Raises FormatError."""
        reader = opened(data, "map headers")
        if len(reader) % MAP_HEADER_BYTES:
            reader.fail(0, "a multiple of 24 bytes", len(reader))
        starts = range(0, len(reader), MAP_HEADER_BYTES)
        return cls(tuple(record.from_bytes(reader.view(start, MAP_HEADER_BYTES)) for start in starts))

    def to_bytes(self) -> bytes:
        return b"".join(header.to_bytes() for header in self.headers)
