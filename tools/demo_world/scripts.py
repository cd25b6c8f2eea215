"""The scripts of the demo world: what people and signs say, and what triggers do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formats.field.init_script import FrameRow, FrameTable, InitScript, InitScriptFile, InitScriptType
from formats.field.script import Command, Item, MovementList, ScriptFile, Target
from tools.demo_world.place import FIRST_SIGN_SCRIPT, FIRST_TRIGGER_SCRIPT, FIRST_TRIGGER_VARIABLE, Events

LAKE_VISITOR_FLAG = 300
"""Hides the second person at the lake."""

_PLAYER = 255
_END, _GO_TO, _GO_TO_IF = 2, 22, 28
_CALL_COMMON, _SET_FLAG, _CLEAR_FLAG, _CHECK_FLAG, _SET_VARIABLE = 20, 30, 31, 32, 40
_MESSAGE, _WAIT_BUTTON, _CLOSE_MESSAGE, _SIGNPOST = 44, 49, 52, 54
_APPLY_MOVEMENT, _WAIT_MOVEMENT, _LOCK_ALL, _RELEASE_ALL, _FACE_PLAYER = 94, 95, 96, 97, 104
_EQUAL = 1

_SHOW_SIGN = 2000
_GIVE_ITEM = 2016
"""Common scripts."""

_ITEM, _COUNT, _UNUSED = 0x8004, 0x8005, 0x800C
"""Variables of a running script."""

_LOOK_AROUND = MovementList(((2, 1), (65, 1), (3, 1), (65, 1), (1, 1), (254, 0)))
"""The player faces west, east and south, and waits between."""


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
    "H01": Says(people=(0, 5), signs=(0, 3)),
    "F01": Says(people=(4,), signs=(1,)),
    "T01": Says(people=(0, 4, 5, 1), signs=(1, 2, 2, 3)),
    "L01": Says(people=(5, 2), signs=(1, 3)),
    "T01R0101": Says(people=(2,), signs=(2, 0), gift=17),
    "T01R0201": Says(people=(4, 0), signs=(2,)),
    "D01R0101": Says(people=(4,)),
    "D01R0201": Says(signs=(5,)),
}
"""Zone -> what its scripts show (entries of the demo's texts)."""

_LAKE, _VILLAGE = "L01", "T01"

_ARRIVAL_SCRIPT = 50
"""The script that runs when the village is entered."""

_NEWS_BOARD = FIRST_SIGN_SCRIPT + 2


def script_members(zones: Mapping[str, Events]) -> tuple[list[ScriptFile | InitScriptFile], dict[str, tuple[int, int]]]:
    """The members of the script archive, and for each zone those of its scripts and of its initial scripts."""
    members: list[ScriptFile | InitScriptFile] = [InitScriptFile(()), _village_initial_scripts()]
    numbers = {}
    for name, events in zones.items():
        numbers[name] = len(members), int(name == _VILLAGE)
        members.append(_script_file(name, events))
    return members, numbers


def _village_initial_scripts() -> InitScriptFile:
    """A script runs when the village is entered; the news are shown while a variable is 2."""
    news = FrameRow(FIRST_TRIGGER_VARIABLE + 1, 2, _NEWS_BOARD)
    return InitScriptFile((InitScript(InitScriptType.ON_TRANSITION, _ARRIVAL_SCRIPT), FrameTable((news,))))


def _script_file(zone: str, events: Events) -> ScriptFile:
    """The scripts of a zone's events. The first person at the lake decides whether the visitor is there."""
    builder = _Builder()
    says = _SAYS.get(zone, Says())
    if zone == _VILLAGE:
        builder.script(_ARRIVAL_SCRIPT, Command(_CLEAR_FLAG, (LAKE_VISITOR_FLAG,)))
    for index, text in enumerate(says.people):
        gift = says.gift if index == 0 else 0
        commands = [Command(_LOCK_ALL), Command(_FACE_PLAYER), Command(_MESSAGE, (text,)), Command(_WAIT_BUTTON)]
        if gift:
            commands += [
                Command(_SET_VARIABLE, (_ITEM, gift)),
                Command(_SET_VARIABLE, (_COUNT, 1)),
                Command(_CALL_COMMON, (_GIVE_ITEM,)),
            ]
        if zone == _LAKE and index == 0:
            at = len(builder.items) + len(commands)
            commands += [
                Command(_CHECK_FLAG, (LAKE_VISITOR_FLAG,)),
                Command(_GO_TO_IF, (_EQUAL, Target(at + 4))),
                Command(_SET_FLAG, (LAKE_VISITOR_FLAG,)),
                Command(_GO_TO, (Target(at + 5),)),
                Command(_CLEAR_FLAG, (LAKE_VISITOR_FLAG,)),
            ]
        builder.script(index + 1, *commands, Command(_CLOSE_MESSAGE), Command(_RELEASE_ALL))
    for index, text in enumerate(says.signs):
        sign = Command(_SIGNPOST, (text, 0, 0, _UNUSED))
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
