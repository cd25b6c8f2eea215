"""Map headers: the table of 24-byte records in the ARM9 program that names the data of each map.

The records are struct MapHeader of the decompilations; fields that mean the same have the same name in the records of
all games. Corrections to the public description of the format: byte 1 is the list of object graphics to keep in memory
(`move_model_list`), not unknown; the bit "running allowed" is stored but never consulted by the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from formats.binary import Buffer, Notes
from formats.field.field_types import U8, U16, Bits
from formats.field.layout import Record
from formats.field.record import opened

MAP_HEADER_BYTES = 24
"""The size of a record in every game."""

NO_WILD_ENCOUNTERS = 0xFFFF

_Flag = Annotated[bool, Bits(1, "H")]
_Flag8 = Annotated[bool, Bits(1, "B")]
_Flag32 = Annotated[bool, Bits(1, "I")]


@dataclass(frozen=True)
class MapHeader(Record, title="map header"):
    """One map's header of Platinum. Every number is an index or an id."""

    area: U8
    """Member of area_data."""
    preload_list: U8
    """Member of area_move_model/move_model_list: the object graphics to keep in memory."""
    matrix: U16
    """Member of map_matrix."""
    scripts: U16
    """Member of scr_seq: the scripts."""
    init_scripts: U16
    """Member of scr_seq: the initial scripts."""
    message_bank: U16
    """Member of pl_msg: the texts."""
    day_music: U16
    """Sequence of the sound archive by day."""
    night_music: U16
    """Sequence of the sound archive by night."""
    wild_encounters: U16
    """Member of pl_enc_data, 0xFFFF none."""
    events: U16
    """Member of zone_event."""
    label_text: U8
    """Entry of the bank of place names."""
    label_window: U8
    """Style of the place-name popup, 0 none."""
    weather: U8
    """The weather; 32 and above: looked up by date."""
    camera_type: U8
    """Row of the camera table."""
    map_type: Annotated[int, Bits(7, "H")]
    """Town, outdoors, cave, indoors ..."""
    battle_background: Annotated[int, Bits(5, "H")]
    """The background of battles."""
    bicycle: _Flag
    """A bicycle may be ridden."""
    running: _Flag
    """Stored, but not consulted by the game."""
    escape_rope: _Flag
    """Escape Rope and Dig lead outside."""
    fly: _Flag
    """Fly may be used."""


@dataclass(frozen=True)
class DiamondPearlMapHeader(Record, title="map header"):
    """One map's header of Diamond and Pearl; numbers without an archive count as in `MapHeader`."""

    area: U8
    """Member of the archive of areas."""
    preload_list: U8
    """Member of the archive of object graphics to keep in memory."""
    matrix: U16
    """Member of the archive of matrices."""
    scripts: U16
    """Member of the archive of scripts."""
    init_scripts: U16
    """Member of the archive of scripts: the initial scripts."""
    message_bank: U16
    """Member of the archive of texts."""
    day_music: U16
    """Sequence of the sound archive by day."""
    night_music: U16
    """Sequence of the sound archive by night."""
    wild_encounters: U16
    """Member of the archive of wild encounters, 0xFFFF none."""
    events: U16
    """Member of the archive of events."""
    label_text: U16
    """Entry of the bank of place names. There is one style of the place-name popup, so none is named."""
    weather: U8
    """The weather."""
    camera_type: U8
    """Row of the camera table."""
    map_type: U8
    """Town, outdoors, cave, indoors ..."""
    battle_background: Annotated[int, Bits(4, "B")]
    """The background of battles."""
    bicycle: _Flag8
    """A bicycle may be ridden."""
    running: _Flag8
    """Running is allowed."""
    escape_rope: _Flag8
    """Escape Rope and Dig lead outside."""
    fly: _Flag8
    """Fly may be used."""


@dataclass(frozen=True)
class HeartGoldMapHeader(Record, title="map header"):
    """One map's header of HeartGold and SoulSilver."""

    NO_WILD_ENCOUNTERS: ClassVar[int] = 0xFF

    wild_encounters: U8
    """Member of the archive of wild encounters, 255 none."""
    area: U8
    """Member of the archive of areas."""
    preload_list: Annotated[int, Bits(4, "H")]
    """Member of the archive of object graphics to keep in memory."""
    world_map_x: Annotated[int, Bits(6, "H")]
    """The column of its square on the town map."""
    world_map_y: Annotated[int, Bits(6, "H")]
    """The row of its square on the town map."""
    matrix: U16
    """Member of the archive of matrices."""
    scripts: U16
    """Member of the archive of scripts."""
    init_scripts: U16
    """Member of the archive of scripts: the initial scripts."""
    message_bank: U16
    """Member of the archive of texts."""
    day_music: U16
    """Sequence of the sound archive by day."""
    night_music: U16
    """Sequence of the sound archive by night."""
    events: U16
    """Member of the archive of events."""
    label_text: U8
    """Entry of the bank of place names."""
    label_window: Annotated[int, Bits(4, "B")]
    """Style of the place-name popup."""
    mothers_call_group: Annotated[int, Bits(4, "B")]
    """What the mother says on the telephone."""
    kanto: _Flag32
    """It is in Kanto, else in Johto."""
    weather: Annotated[int, Bits(7, "I")]
    """The weather."""
    map_type: Annotated[int, Bits(4, "I")]
    """Town, outdoors, cave, indoors ..."""
    camera_type: Annotated[int, Bits(6, "I")]
    """Row of the camera table."""
    follower_mode: Annotated[int, Bits(2, "I")]
    """Which Pokémon may follow the player: 0 none, 1 small ones, 2 all."""
    battle_background: Annotated[int, Bits(5, "I")]
    """The background of battles."""
    bicycle: _Flag32
    """A bicycle may be ridden."""
    running: _Flag32
    """Running is allowed."""
    escape_rope: _Flag32
    """Escape Rope and Dig lead outside."""
    fly: _Flag32
    """Fly may be used."""
    outgoing_calls: _Flag32
    """The Pokégear may call somebody."""
    incoming_calls: _Flag32
    """Somebody may call the Pokégear."""
    radio: _Flag32
    """The Pokégear receives the radio."""


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
        reader.check(len(reader) % MAP_HEADER_BYTES == 0, 0, "a multiple of 24 bytes", len(reader))
        starts = range(0, len(reader), MAP_HEADER_BYTES)
        return cls(
            tuple(
                record.from_bytes(reader.view(start, MAP_HEADER_BYTES, f"header {index}"))
                for index, start in enumerate(starts)
            )
        )

    def to_bytes(self) -> bytes:
        return b"".join(header.to_bytes() for header in self.headers)
