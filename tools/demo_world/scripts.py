"""The scripts of the demo world: what people and signs say, what triggers do, and those that all maps share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formats.field.init_script import FrameRow, FrameTable, InitScript, InitScriptFile, InitScriptType
from formats.field.script import Command, Item, MovementList, ScriptFile, Target
from mapexplorer.games.platinum import PLATINUM
from tools.demo_world.place import FIRST_SIGN_SCRIPT, FIRST_TRIGGER_SCRIPT, FIRST_TRIGGER_VARIABLE, Events
from tools.demo_world.zones import COMMON_SCRIPTS, HIDDEN_ITEM_SCRIPTS, ITEM_SCRIPTS, TEXTS, TRAINER_SCRIPTS

LAKE_VISITOR_FLAG = 90
"""Hides the second person at the lake."""

_PLAYER = 255
_END, _COMPARE, _CALL_COMMON, _RETURN_FROM_COMMON, _GO_TO, _GO_TO_IF = 2, 17, 20, 21, 22, 28
_SET_FLAG, _CLEAR_FLAG, _CHECK_FLAG, _SET_VARIABLE, _COPY_VARIABLE = 30, 31, 32, 40, 41
_MESSAGE, _WAIT_BUTTON, _CLOSE_MESSAGE, _SIGNPOST, _PLAY_SOUND = 44, 49, 52, 54, 73
_APPLY_MOVEMENT, _WAIT_MOVEMENT, _LOCK_ALL, _RELEASE_ALL, _FACE_PLAYER = 94, 95, 96, 97, 104
_ADD_ITEM, _HAS_ROOM, _BUFFER_PLAYER, _BUFFER_ITEM, _BATTLE = 123, 125, 205, 209, 229
_EQUAL = 1
_SELECT = 1500
"""The sound of talking to somebody."""

_SHOW_SIGN = COMMON_SCRIPTS
_GIVE_ITEM = COMMON_SCRIPTS + 16
"""Common scripts."""

_ITEM, _COUNT, _FOUND_ITEM, _FOUND_COUNT, _RESULT = 0x8004, 0x8005, 0x8008, 0x8009, 0x800C
"""Variables of a running script."""

_LOOK_AROUND = MovementList(((2, 1), (65, 1), (3, 1), (65, 1), (1, 1), (254, 0)))
"""The player faces west, east and south, and waits between."""

_PLAYER_NAME = "{command 0103 0 0}"


@dataclass(frozen=True)
class Says:
    """The message of each person and each sign of a zone, and the item that its first person gives (0: none)."""

    people: Sequence[int] = ()
    signs: Sequence[int] = ()
    gift: int = 0


class _Builder:
    """Collects the items of a script file and the entries that lead to them."""

    def __init__(self) -> None:
        self.items: list[Item] = [Command(_END)]
        self.entries: dict[int, Target] = {}

    def script(self, number: int, *commands: Command) -> None:
        """Add the script with a number that events have."""
        self.entries[number] = Target(len(self.items))
        self.items += [*commands, Command(_END)]

    def build(self) -> ScriptFile:
        """The file; the numbers between those of the scripts lead to an end."""
        count = max(self.entries, default=1)
        return ScriptFile(
            tuple(self.entries.get(number, Target(0)) for number in range(1, count + 1)), tuple(self.items)
        )


_SAYS = {
    "H01": Says(people=(0, 5), signs=(0,)),
    "F01": Says(people=(4,), signs=(1,)),
    "T01": Says(people=(0, 4, 6, 1), signs=(1, 2, 2, 3)),
    "L01": Says(people=(5, 2), signs=(1,)),
    "T01R0101": Says(people=(2,), signs=(2, 0), gift=17),
    "T01R0201": Says(people=(4, 0), signs=(2,)),
    "D01R0101": Says(people=(4,)),
    "D01R0201": Says(signs=(5,)),
}
"""Zone -> what its scripts show (entries of the demo's texts)."""

_OLD_PLAN = 7
"""The text of a script that nothing runs."""

_LAKE, _VILLAGE = "L01", "T01"

_ARRIVAL_SCRIPT = 50
"""The script that runs when the village is entered."""

_NEWS_BOARD = FIRST_SIGN_SCRIPT + 2

ITEMS_ON_THE_FLOOR = ((3, 1), (5, 2))
"""Item and count of each."""

_FIRST_MEMBER = 2
"""The members before it belong to shared scripts."""


def script_members(zones: Mapping[str, Events]) -> tuple[list[ScriptFile | InitScriptFile], dict[str, tuple[int, int]]]:
    """The members of the script archive, and for each zone those of its scripts and of its initial scripts. Shared
    scripts are in the members where the game has them, the others are empty."""
    shared = {
        COMMON_SCRIPTS: _common_scripts(),
        ITEM_SCRIPTS: _floor_scripts(),
        HIDDEN_ITEM_SCRIPTS: _hidden_scripts(),
        TRAINER_SCRIPTS: _trainer_scripts(),
    }
    bands = {band.first: band.member for band in PLATINUM.tables.script_numbers.bands}
    members: list[ScriptFile | InitScriptFile] = [ScriptFile((), ())] * (max(bands[first] for first in shared) + 1)
    for first, file in shared.items():
        members[bands[first]] = file
    members[_FIRST_MEMBER : _FIRST_MEMBER + 2] = [InitScriptFile(()), _village_initial_scripts()]
    numbers = {}
    for number, (name, events) in enumerate(zones.items(), _FIRST_MEMBER + 2):
        numbers[name] = number, _FIRST_MEMBER + (name == _VILLAGE)
        members[number] = _script_file(name, events)
    return members, numbers


def _village_initial_scripts() -> InitScriptFile:
    """A script runs when the village is entered; the news are shown while a variable is 2."""
    news = FrameRow(FIRST_TRIGGER_VARIABLE + 1, 2, _NEWS_BOARD)
    return InitScriptFile((InitScript(InitScriptType.ON_TRANSITION, _ARRIVAL_SCRIPT), FrameTable((news,))))


def _speech(text: int, *then: Command) -> list[Command]:
    """What a person says, and what follows before the message is closed."""
    names = [Command(_BUFFER_PLAYER, (0,))] if _PLAYER_NAME in TEXTS[text] else []
    return [
        Command(_PLAY_SOUND, (_SELECT,)),
        Command(_LOCK_ALL),
        Command(_FACE_PLAYER),
        *names,
        Command(_MESSAGE, (text,)),
        Command(_WAIT_BUTTON),
        *then,
        Command(_CLOSE_MESSAGE),
        Command(_RELEASE_ALL),
    ]


def _give(item: int) -> list[Command]:
    return [
        Command(_SET_VARIABLE, (_ITEM, item)),
        Command(_SET_VARIABLE, (_COUNT, 1)),
        Command(_CALL_COMMON, (_GIVE_ITEM,)),
    ]


def _script_file(zone: str, events: Events) -> ScriptFile:
    """The scripts of a zone's events. The first person at the lake decides whether the visitor is there."""
    builder = _Builder()
    says = _SAYS.get(zone, Says())
    if zone == _VILLAGE:
        builder.script(_ARRIVAL_SCRIPT, Command(_CLEAR_FLAG, (LAKE_VISITOR_FLAG,)))
        builder.items += [Command(_MESSAGE, (_OLD_PLAN,)), Command(_CLOSE_MESSAGE), Command(_END)]
    for index, text in enumerate(says.people):
        more = _give(says.gift) if says.gift and index == 0 else []
        if zone == _LAKE and index == 0:
            at = len(builder.items) + len(_speech(text)) - 2
            more = [
                Command(_CHECK_FLAG, (LAKE_VISITOR_FLAG,)),
                Command(_GO_TO_IF, (_EQUAL, Target(at + 4))),
                Command(_SET_FLAG, (LAKE_VISITOR_FLAG,)),
                Command(_GO_TO, (Target(at + 5),)),
                Command(_CLEAR_FLAG, (LAKE_VISITOR_FLAG,)),
            ]
        builder.script(index + 1, *_speech(text, *more))
    for index, text in enumerate(says.signs):
        sign = Command(_SIGNPOST, (text, 0, 0, _RESULT))
        builder.script(FIRST_SIGN_SCRIPT + index, sign, Command(_CALL_COMMON, (_SHOW_SIGN,)))
    for index in range(len(events.triggers)):
        builder.script(
            FIRST_TRIGGER_SCRIPT + index,
            Command(_LOCK_ALL),
            Command(_APPLY_MOVEMENT, (_PLAYER, Target(len(builder.items) + 6))),
            Command(_WAIT_MOVEMENT),
            Command(_SET_VARIABLE, (FIRST_TRIGGER_VARIABLE + index, 1)),
            Command(_RELEASE_ALL),
        )
        builder.items.append(_LOOK_AROUND)
    return builder.build()


def _common_scripts() -> ScriptFile:
    """Script 2000 closes a sign, script 2016 gives an item if there is room."""
    builder = _Builder()
    builder.script(1, Command(_WAIT_BUTTON), Command(_CLOSE_MESSAGE), Command(_RETURN_FROM_COMMON))
    full = len(builder.items) + 10
    builder.script(
        1 + _GIVE_ITEM - COMMON_SCRIPTS,
        Command(_BUFFER_PLAYER, (0,)),
        Command(_BUFFER_ITEM, (1, _ITEM)),
        Command(_HAS_ROOM, (_ITEM, _COUNT, _RESULT)),
        Command(_COMPARE, (_RESULT, 0)),
        Command(_GO_TO_IF, (_EQUAL, Target(full))),
        Command(_ADD_ITEM, (_ITEM, _COUNT, _RESULT)),
        Command(_MESSAGE, (0,)),
        Command(_WAIT_BUTTON),
        Command(_RETURN_FROM_COMMON),
    )
    builder.items += [Command(_MESSAGE, (1,)), Command(_WAIT_BUTTON), Command(_RETURN_FROM_COMMON), Command(_END)]
    return builder.build()


def _floor_scripts() -> ScriptFile:
    """The last entry takes what the others name."""
    builder = _Builder()
    last = 1 + 4 * len(ITEMS_ON_THE_FLOOR)
    for number, (item, count) in enumerate(ITEMS_ON_THE_FLOOR, 1):
        builder.script(
            number,
            Command(_SET_VARIABLE, (_FOUND_ITEM, item)),
            Command(_SET_VARIABLE, (_FOUND_COUNT, count)),
            Command(_GO_TO, (Target(last),)),
        )
    builder.script(
        len(ITEMS_ON_THE_FLOOR) + 1,
        Command(_COPY_VARIABLE, (_ITEM, _FOUND_ITEM)),
        Command(_COPY_VARIABLE, (_COUNT, _FOUND_COUNT)),
        Command(_CALL_COMMON, (_GIVE_ITEM,)),
    )
    return builder.build()


def _hidden_scripts() -> ScriptFile:
    """All hidden items share one script."""
    found = (Command(_LOCK_ALL), Command(_MESSAGE, (0,)), Command(_WAIT_BUTTON), Command(_CLOSE_MESSAGE))
    return ScriptFile((Target(0), Target(0)), (*found, Command(_RELEASE_ALL), Command(_END)))


def _trainer_scripts() -> ScriptFile:
    builder = _Builder()
    for trainer in (1, 2):
        builder.script(trainer, Command(_LOCK_ALL), Command(_BATTLE, (trainer, 0)), Command(_RELEASE_ALL))
    return builder.build()
