"""The zones of the demo world: headers, names, texts, and the events of each.

Header numbers are the places in `ZONES`. The first two are no places, as in the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from formats.field.map_header import MapHeader
from tools.demo_world.place import ANY_SIDE, EAST, SIGN_SIDE, SOUTH, WEST, Events, Person, Sign, header

OUTDOORS, HOUSES, BELOW, FROST = range(4)
"""Areas."""

OUTDOOR_MATRIX, COTTAGE_MATRIX, INN_MATRIX, CAVE_MATRIX, ICE_MATRIX = range(5)

HILL, FOREST, VILLAGE, LAKE, COTTAGE, INN, CAVE, ICE = range(2, 10)

GRASS, WATER, DARK = range(3)
"""Files of wild encounters."""

PLACE_NAMES = (
    "Nowhere",
    "Millbrook",
    "Mirror Lake",
    "Windmill Hill",
    "Fernwood Edge",
    "Hollow Rock",
    "Frost Chamber",
)

TOWN, OUTDOOR, UNDERGROUND, INDOOR = 1, 2, 3, 4
"""Map types."""

_TALK, _SIGN, _HIDDEN = 0, 1, 2
_STAND, _LOOK_AROUND, _WANDER = 0, 2, 3
_SIGNPOST, _PARCEL = 91, 87

COMMON_SCRIPTS, TRAINER_SCRIPTS, ITEM_SCRIPTS, HIDDEN_ITEM_SCRIPTS = 2000, 3000, 7000, 8000
"""The first scripts that all maps share: the common ones, of trainer 1, of the first items."""

_ITEM_FLAGS = 1014
"""The flag that hides the first item on the floor once it was taken."""


def _parcel(number: int, x: int, z: int, y: int) -> Person:
    """An item on the floor."""
    return Person(_PARCEL, x, z, y=y, script=ITEM_SCRIPTS + number, hidden_flag=_ITEM_FLAGS + number)


def _trainer(number: int, graphics: int, x: int, z: int, direction: int, y: int, sight: int) -> Person:
    """A trainer who challenges a player that it sees."""
    return Person(graphics, x, z, direction, y=y, script=TRAINER_SCRIPTS + number - 1, sight=sight)


@dataclass(frozen=True)
class Zone:
    """A zone: internal name, header and events."""

    name: str
    header: MapHeader
    events: Events = field(default_factory=Events)


def _outdoor(**more: int | bool) -> MapHeader:
    return header(
        area=OUTDOORS, matrix=OUTDOOR_MATRIX, preload_list=1, map_type=OUTDOOR, bicycle=True, fly=True, **more
    )


ZONES: tuple[Zone, ...] = (
    Zone("ANYWHERE", header()),
    Zone("NOWHERE", header()),
    Zone(
        "H01",
        _outdoor(
            events=1,
            message_bank=1,
            wild_encounters=GRASS,
            label_text=3,
            label_window=3,
            weather=8,
            battle_background=4,
        ),
        Events(
            people=(
                Person(1, 11, 16, SOUTH, _STAND, y=32),
                Person(4, 12, 19, EAST, _WANDER, 3, 2, y=32),
                _parcel(0, 24, 13, 32),
            ),
            warps=((20, 7, CAVE, 0),),
            signs=(Sign(8, 16, _TALK, ANY_SIDE), Sign(24, 20, _HIDDEN, ANY_SIDE, HIDDEN_ITEM_SCRIPTS)),
        ),
    ),
    Zone(
        "F01",
        _outdoor(events=2, message_bank=1, wild_encounters=GRASS, label_text=4, label_window=5, battle_background=3),
        Events(
            people=(
                Person(2, 41, 15, SOUTH, _LOOK_AROUND, y=16),
                _trainer(1, 4, 52, 14, EAST, 16, 4),
                _parcel(1, 38, 21, 0),
            ),
            warps=((44, 4, CAVE, 1),),
            signs=(Sign(55, 25, _SIGN, SIGN_SIDE),),
            triggers=((56, 23, 2, 1),),
        ),
    ),
    Zone(
        "T01",
        header(
            area=OUTDOORS,
            matrix=OUTDOOR_MATRIX,
            preload_list=1,
            map_type=TOWN,
            bicycle=True,
            fly=True,
            events=3,
            message_bank=1,
            label_text=1,
            label_window=2,
            battle_background=2,
        ),
        Events(
            people=(
                Person(2, 6, 50, EAST, _WANDER, 3, 1),
                Person(4, 15, 40, SOUTH, _WANDER, 2, 2),
                Person(5, 21, 38, WEST, _LOOK_AROUND),
                Person(_SIGNPOST, 24, 38, SOUTH),
            ),
            warps=((7, 34, COTTAGE, 0), (20, 35, INN, 0)),
            signs=(
                Sign(13, 33, _SIGN, SIGN_SIDE),
                Sign(17, 37, _SIGN, SIGN_SIDE),
                Sign(16, 37, _SIGN, SIGN_SIDE),
                Sign(12, 39, _TALK, ANY_SIDE),
            ),
            triggers=((27, 36, 1, 2),),
        ),
    ),
    Zone(
        "L01",
        _outdoor(events=4, message_bank=1, wild_encounters=WATER, label_text=2, label_window=8, battle_background=1),
        Events(
            people=(
                Person(3, 47, 46, SOUTH, _STAND),
                Person(1, 55, 39, WEST, _LOOK_AROUND, hidden_flag=90),
                _trainer(2, 3, 50, 39, SOUTH, 0, 3),
            ),
            warps=((51, 52, ICE, 1),),
            signs=(Sign(45, 39, _SIGN, SIGN_SIDE), Sign(58, 43, _HIDDEN, ANY_SIDE, HIDDEN_ITEM_SCRIPTS + 1)),
        ),
    ),
    Zone(
        "T01R0101",
        header(
            area=HOUSES,
            matrix=COTTAGE_MATRIX,
            preload_list=1,
            map_type=INDOOR,
            events=5,
            message_bank=1,
            label_text=1,
            camera_type=4,
            battle_background=6,
        ),
        Events(
            people=(Person(1, 13, 15, WEST, _STAND),),
            warps=((15, 18, VILLAGE, 0), (16, 18, VILLAGE, 0)),
            signs=(Sign(17, 11, _TALK, SIGN_SIDE), Sign(11, 11, _TALK, SIGN_SIDE)),
        ),
    ),
    Zone(
        "T01R0201",
        header(
            area=HOUSES,
            matrix=INN_MATRIX,
            preload_list=1,
            map_type=INDOOR,
            events=6,
            message_bank=1,
            label_text=1,
            camera_type=4,
            battle_background=7,
        ),
        Events(
            people=(Person(5, 13, 12, SOUTH, _STAND), Person(3, 16, 15, WEST, _STAND)),
            warps=((16, 18, VILLAGE, 1), (17, 18, VILLAGE, 1)),
            signs=(Sign(21, 11, _TALK, SIGN_SIDE),),
        ),
    ),
    Zone(
        "D01R0101",
        header(
            area=BELOW,
            matrix=CAVE_MATRIX,
            preload_list=1,
            map_type=UNDERGROUND,
            events=7,
            message_bank=1,
            label_text=5,
            label_window=4,
            camera_type=12,
            weather=29,
            wild_encounters=DARK,
            battle_background=9,
            escape_rope=True,
        ),
        Events(
            people=(Person(4, 9, 8, SOUTH, _LOOK_AROUND, y=32),),
            warps=((9, 23, HILL, 0), (20, 23, FOREST, 0), (22, 6, ICE, 0)),
        ),
    ),
    Zone(
        "D01R0201",
        header(
            area=FROST,
            matrix=ICE_MATRIX,
            preload_list=1,
            map_type=UNDERGROUND,
            events=8,
            message_bank=1,
            label_text=6,
            label_window=4,
            camera_type=12,
            weather=11,
            battle_background=11,
            escape_rope=True,
        ),
        Events(
            warps=((15, 19, CAVE, 2), (20, 10, LAKE, 0)),
            signs=(Sign(10, 19, _TALK, ANY_SIDE),),
            triggers=((20, 11, 1, 1),),
        ),
    ),
)

TEXTS = (
    "The mill has turned for longer than anyone can say.\nListen how the sails creak!",
    "Millbrook\nWhere the brook turns the wheel",
    "News: sun on the hill, boats on the lake,\nfish for supper.",
    "The water in the well is as cold as ice.",
    "Careful in the cave. The bridge has no rails.",
    "There is a chamber below the lake where it is always winter.",
    "Good day, {command 0103 0 0}!\nThe inn keeps a bed for you.",
    "An old plan of the mill.",
)
"""Bank 1: the texts of people and signs. The command stands for the name of the player."""

SHARED_TEXTS = {
    COMMON_SCRIPTS: (
        "{command 0103 0 0} puts the {command 0108 1 0} away.",
        "There is no room for the {command 0108 1 0}.",
    ),
    HIDDEN_ITEM_SCRIPTS: ("Something lies here!",),
}
"""The first script of a shared file -> its texts."""
