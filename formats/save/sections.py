"""The small block of a save of Pokémon Platinum: which bytes are which fields.

Each table is a numpy type whose rows are the offset from the block's first byte, the name and the type of a field. What
lies between the rows is kept as bytes without a name, so that a value writes the same bytes as it was read from.
Numbers are little-endian.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import require

Row = tuple[int, str, Any]
"""Offset, name, type."""


def section(start: int, end: int, *rows: Row) -> np.dtype[Any]:
    """The type of the bytes from `start` to before `end`, with all bytes between the rows as fields `rest_OFFSET`.
    Raises ValueError for rows that overlap."""
    fields, at = list[tuple[str, Any]](), start
    for offset, name, kind in chain(rows, [(end, "", "V0")]):
        require(offset >= at, f"{name} at 0x{offset:X} begins before 0x{at:X}")
        if offset > at:
            fields.append((f"rest_{at:X}", f"V{offset - at}"))
        if name:
            fields.append((name, kind))
        at = offset + np.dtype(kind).itemsize
    return np.dtype(fields)


SIZE: Final = 0xCF2C
"""Bytes of the small block with its footer."""
BOX_SIZE: Final = 0x121E4
"""Bytes of the block of the PC boxes with its footer."""
FOOTER_SIZE: Final = 20

NAME: Final = ("<u2", 8)
"""Codes of the game's text; 0xFFFF ends it."""

FOOTER: Final = section(
    0,
    FOOTER_SIZE,
    (0, "save_counter", "<u4"),
    (4, "block_counter", "<u4"),
    (8, "size", "<u4"),
    (12, "signature", "<u4"),
    (16, "id", "u1"),
    (18, "crc", "<u2"),
)
"""The end of a block; the CRC is over all before the footer."""

SYSTEM: Final = section(
    0,
    0x64,
    (0x00, "clock_offset", "<i8"),
    (0x08, "mac", ("u1", 6)),
    (0x0E, "birthday", ("u1", 2)),
    (0x10, "is_set", "<i4"),
    (0x14, "date", ("<u4", 4)),
    (0x24, "time", ("<u4", 3)),
    (0x30, "day", "<u4"),
    (0x34, "start_second", "<i8"),
    (0x3C, "first_completion_second", "<i8"),
    (0x44, "penalty_minutes", "<u4"),
    (0x48, "mystery_gift", "u1"),
)
"""date: year from 2000, month, day, weekday (0 Sunday); time: hour, minute, second; day: from 2000-01-01 = 0; seconds
from 2000-01-01. The time is the one up to which berries, honey and daily things are reckoned."""

PLAYER: Final = section(
    0x64,
    0x98,
    (0x64, "options", "<u2"),
    (0x68, "name", NAME),
    (0x78, "trainer_id", "<u4"),
    (0x7C, "money", "<u4"),
    (0x80, "gender", "u1"),
    (0x81, "language", "u1"),
    (0x82, "badges", "u1"),
    (0x83, "appearance", "u1"),
    (0x84, "game_code", "u1"),
    (0x85, "story", "u1"),
    (0x88, "coins", "<u2"),
    (0x8A, "hours", "<u2"),
    (0x8C, "minutes", "u1"),
    (0x8D, "seconds", "u1"),
)
"""trainer_id: the low half is shown; badges: bit n; story: bit 0 finished, bit 1 National Pokédex; hours, minutes and
seconds of play."""

OPTIONS: Final = (
    ("text_speed", 0, 4),
    ("sound_mode", 4, 2),
    ("battle_style", 6, 1),
    ("battle_scene", 7, 1),
    ("button_mode", 8, 2),
    ("frame", 10, 5),
)
"""The bits of `options`: name, first bit, number of bits."""

PARTY_SIZE: Final = 6
PARTY: Final = section(
    0x98, 0x630, (0x98, "capacity", "<i4"), (0x9C, "count", "<i4"), (0xA0, "pokemon", ("V236", PARTY_SIZE))
)

SLOT: Final = np.dtype([("item", "<u2"), ("count", "<u2")])

POCKETS: Final[tuple[Row, ...]] = (
    (0x630, "items", (SLOT, 165)),
    (0x8C4, "key_items", (SLOT, 50)),
    (0x98C, "tm_hm", (SLOT, 100)),
    (0xB1C, "mail", (SLOT, 12)),
    (0xB4C, "medicine", (SLOT, 40)),
    (0xBEC, "berries", (SLOT, 64)),
    (0xCEC, "balls", (SLOT, 15)),
    (0xD28, "battle_items", (SLOT, 30)),
)

BAG: Final = section(0x630, 0xDAC, *POCKETS, (0xDA0, "registered_item", "<u4"))

EVENTS: Final = section(0xDAC, 0x1160, (0xDAC, "variables", ("<u2", 288)), (0xFEC, "flags", ("u1", 364)))
"""variables: from FIRST_VARIABLE on; flags: flag f is bit f & 7 of byte f >> 3."""

FIRST_VARIABLE: Final = 0x4000

LOCATION: Final = np.dtype([("map", "<i4"), ("warp", "<i4"), ("x", "<i4"), ("z", "<i4"), ("direction", "<i4")])
"""A map header, its warp (-1 none), tiles of its matrix, and the direction: 0 north, 1 south, 2 west, 3 east, -1
none."""

LOCATIONS: Final = ("player", "entrance", "previous", "special", "exit")

FOOTPRINT: Final = np.dtype([("x", "u1"), ("z", "u1"), ("direction", "u1"), ("is_set", "u1")])

FIELD: Final = section(
    0x1280,
    0x1328,
    *((0x1280 + LOCATION.itemsize * index, name, LOCATION) for index, name in enumerate(LOCATIONS)),
    (0x12E4, "music", "<u2"),
    (0x12E6, "weather", "<u2"),
    (0x12E8, "blackout_warp", "<u2"),
    (0x12EA, "camera", "u1"),
    (0x12EC, "history_pointer", "<i4"),
    (0x12F0, "history_current", ("u1", 2)),
    (0x12F2, "history", (FOOTPRINT, 6)),
    (0x130C, "cycling_gear", "<u2"),
    (0x130E, "running_shoes", "<u2"),
    (0x1310, "player_state", "<u4"),
    (0x1314, "poison_steps", "<u2"),
    (0x1316, "safari_steps", "<u2"),
    (0x1318, "safari_balls", "<u2"),
)
"""player_state: 0 walks, 1 cycles, 2 surfs."""

POKEDEX: Final = section(
    0x1328,
    0x1654,
    (0x1328, "magic", "<u4"),
    (0x132C, "caught", ("u1", 64)),
    (0x136C, "seen", ("u1", 64)),
    (0x13AC, "genders", ("u1", (2, 64))),
    (0x142C, "spinda", "<u4"),
    (0x1434, "unown_forms", ("u1", 28)),
    (0x1450, "languages", "V496"),
    (0x1640, "forms_shown", "u1"),
    (0x1641, "languages_shown", "u1"),
    (0x1642, "obtained", "u1"),
    (0x1643, "national", "u1"),
)
"""caught, seen: species n is bit n - 1."""

POKEDEX_MAGIC: Final = 0xBEEFCAFE

BERRY_PATCH: Final = np.dtype(
    [
        ("berry", "u1"),
        ("stage", "u1"),
        ("minutes", "<u2"),
        ("moisture_minutes", "<u2"),
        ("replants", "u1"),
        ("rest", "u1"),
        ("yield", "<u2"),
        ("moisture", "u1"),
        ("yield_rating", "u1"),
        ("mulch", "u1"),
        ("growing", "u1"),
    ]
)
"""berry: 0 none, 1 Cheri ...; stage: 0 none, 1 planted, 2 sprout, 3 taller, 4 bloom, 5 fruit."""

MISC: Final = section(
    0x20C4,
    0x2858,
    (0x20C4, "berry_patches", (BERRY_PATCH, 128)),
    (0x27C4, "map_feature", "<i4"),
    (0x27C8, "map_feature_data", ("u1", 32)),
    (0x27E8, "rival_name", NAME),
    (0x27F8, "tablet_name", ("<u2", 11)),
    (0x280E, "favourite", "<u2"),
    (0x2811, "extra_blocks", "u1"),
    (0x2820, "extra_keys", ("<u4", 5)),
    (0x2834, "extra_old_keys", ("<u4", 5)),
    (0x2848, "extra_halves", ("u1", 5)),
)
"""map_feature: the place of the features by code: 1 Pastoria gym ... 10 villa."""

MAP_OBJECT: Final = section(
    0,
    80,
    (0x00, "status", "<u4"),
    (0x04, "status2", "<u4"),
    (0x08, "local_id", "u1"),
    (0x09, "movement", "u1"),
    (0x0A, "range_x", "i1"),
    (0x0B, "range_z", "i1"),
    (0x0C, "dir_initial", "i1"),
    (0x0D, "dir_facing", "i1"),
    (0x0E, "dir_moving", "i1"),
    (0x10, "map", "<u2"),
    (0x12, "graphics", "<u2"),
    (0x14, "trainer_type", "<u2"),
    (0x16, "flag", "<u2"),
    (0x18, "script", "<u2"),
    (0x1A, "data", ("<i2", 3)),
    (0x20, "initial", ("<i2", 3)),
    (0x26, "now", ("<i2", 3)),
    (0x2C, "height_fx32", "<i4"),
    (0x30, "work_a", ("u1", 16)),
    (0x40, "work_b", ("u1", 16)),
)
"""status: bit 0 in use, 9 hidden; local_id: PLAYER_ID is the player; initial, now: x and z in tiles, y (the second) in
half tiles; height_fx32: of the feet, 1/4096 pixel."""

PLAYER_ID: Final = 255
IN_USE: Final = 1

UNDERGROUND: Final = section(
    0x3C60,
    0x461C,
    (0x3C60, "goods", ("u1", (15, 3))),
    (0x3C8D, "boulders", ("u1", (16, 2))),
    (0x3CEC, "entrance", ("<u2", 2)),
    (0x3CF0, "entrance_direction", "u1"),
    (0x3CF1, "has_entrance", "u1"),
    (0x3D6F, "trap_kinds", ("u1", 64)),
    (0x3DAF, "trap_places", ("V3", 64)),
    (0x3E6F, "mining_spots", ("V3", 255)),
    (0x41BC, "sphere_kinds", ("u1", 100)),
    (0x42E8, "sphere_places", ("V3", 100)),
    (0x4470, "stored_goods", ("u1", 200)),
    (0x4538, "traps_had", ("u1", 40)),
    (0x4560, "goods_had", ("u1", 40)),
    (0x4588, "treasures_had", ("u1", 40)),
    (0x45B0, "sphere_kinds_had", ("u1", 40)),
    (0x45D8, "sphere_sizes_had", ("u1", 40)),
)

DAILY: Final = np.dtype([("group", "V36"), ("seed", "<u4"), ("number", "<u4")])

HONEY_TREE: Final = np.dtype([("minutes", "<i4"), ("slot", "u1"), ("table", "u1"), ("group", "u1"), ("shakes", "u1")])
"""minutes: 1,440 at first, 0 bare, a Pokémon may come from 1,080 on; group: 0 nothing comes, 3 the rare list."""

ROAMER: Final = np.dtype(
    [
        ("map", "<i4"),
        ("ivs", "<u4"),
        ("personality", "<u4"),
        ("species", "<u2"),
        ("hp", "<u2"),
        ("level", "u1"),
        ("status", "u1"),
        ("active", "u1"),
        ("rest", "u1"),
    ]
)

ENCOUNTERS: Final = section(
    0x7F24,
    0x8080,
    (0x7F24, "marsh_daily", "<u4"),
    (0x7F28, "swarm_daily", "<u4"),
    (0x7F30, "trophy_garden", ("<u2", 2)),
    (0x7F34, "last_slathered_tree", "u1"),
    (0x7F38, "honey_trees", (HONEY_TREE, 21)),
    (0x7FE0, "radar_chain_records", ("<u2", (3, 2))),
    (0x7FEC, "recent_maps", ("<i4", 2)),
    (0x7FF4, "roamers", (ROAMER, 6)),
    (0x806C, "roamer_routes", ("u1", 6)),
    (0x8072, "swarm_enabled", "u1"),
    (0x8073, "repel_steps", "u1"),
    (0x8074, "radar_charge", "u1"),
    (0x8075, "flute", "u1"),
)

SMALL_BLOCK: Final = section(
    0,
    SIZE,
    (0x0, "system", SYSTEM),
    (0x64, "player", PLAYER),
    (0x98, "party", PARTY),
    (0x630, "bag", BAG),
    (0xDAC, "events", EVENTS),
    (0x1280, "field", FIELD),
    (0x1328, "pokedex", POKEDEX),
    (0x20C4, "misc", MISC),
    (0x2858, "map_objects", (MAP_OBJECT, 64)),
    (0x3C60, "underground", UNDERGROUND),
    (0x5610, "daily", (DAILY, 6)),
    (0x7F24, "encounters", ENCOUNTERS),
    (SIZE - FOOTER_SIZE, "footer", FOOTER),
)

BOX_BLOCK: Final = section(
    0,
    BOX_SIZE,
    (0, "open_box", "<u4"),
    (4, "pokemon", ("V136", (18, 30))),
    (0x11EE4, "names", ("<u2", (18, 20))),
    (0x121B4, "wallpapers", ("u1", 18)),
    (BOX_SIZE - FOOTER_SIZE, "footer", FOOTER),
)

LAST_SPECIES: Final = 493


def set_bits(words: npt.NDArray[np.uint8]) -> list[int]:
    """The numbers of the bits that are set, bit 0 of a byte first."""
    numbers: list[int] = np.flatnonzero(np.unpackbits(words, bitorder="little")).tolist()
    return numbers


def species(words: npt.NDArray[np.uint8]) -> list[int]:
    """The species whose bits are set in a field of the Pokédex, which has other bits behind the last."""
    return [bit + 1 for bit in set_bits(words) if bit < LAST_SPECIES]
