"""The tables of scripts: names and meanings of commands, numbers of scripts, names of flags and variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, NamedTuple

from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.games.reading import Span, inclusive

_ARGUMENT: Final = re.compile(r"(\w+) (\w+)(?: \((.+)\))?")

IN_VARIABLE: Final = "in a variable"
"""The meaning of a number that is put into a variable."""

MARTS: Final = ("specialties", "decor", "seals", "frontier")
"""The kinds of shops with numbers of their own: the meaning of such a number is `mart` with the kind."""

_THINGS: Final = {
    *NAMES_OF,
    "flag",
    "header",
    "npc trade",
    "script",
    "sound",
    "text",
    *(f"mart {kind}" for kind in MARTS),
}
"""Meanings of arguments that are numbers of things of a ROM."""

FIRST_VARIABLE: Final = 0x4000
"""A number from here on is that of a variable, where a command takes a value."""

FIRST_SCRIPT_VARIABLE: Final = 0x8000
"""A variable from here on belongs to the running script and is not saved."""


class Access(StrEnum):
    """What a command does with an argument: takes it as it is stored; takes it or, from 0x4000 on, the value of the
    variable with that number; reads, writes or changes a variable; jumps to a target, or moves by a list there."""

    NUMBER = "number"
    VALUE = "value"
    READ = "read"
    WRITE = "write"
    CHANGE = "change"
    CODE = "code"
    MOVEMENT = "movement"


@dataclass(frozen=True)
class Argument:
    """An argument of a command: its access, its name, and the kind of thing that its number means (`item`, `flag`;
    empty: a plain number)."""

    access: Access
    name: str
    meaning: str = ""


@dataclass(frozen=True)
class CommandName:
    """The name of a command and its arguments; `variants`: value of the first argument -> the arguments after it."""

    name: str
    arguments: tuple[Argument, ...]
    variants: Mapping[int, tuple[Argument, ...]]

    @property
    def meanings(self) -> frozenset[str]:
        """The meanings of all arguments."""
        return frozenset(argument.meaning for some in (self.arguments, *self.variants.values()) for argument in some)

    def arguments_for(self, first: object) -> tuple[Argument, ...]:
        """The arguments where the first one has the value `first`."""
        return self.arguments + self.variants.get(first, ()) if isinstance(first, int) else self.arguments


def _argument(text: str) -> Argument:
    access, name, meaning = _ARGUMENT.fullmatch(text).groups("")  # type: ignore[union-attr]
    return Argument(Access(access), name, meaning)


def _command(row: Sequence[Any]) -> CommandName:
    """A command from its name, its arguments as `access name (meaning)`, and maybe its variants."""
    name, *arguments = row
    variants = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
    return CommandName(
        name,
        tuple(map(_argument, arguments)),
        {int(first): tuple(map(_argument, more)) for first, more in variants.items()},
    )


class EffectRule(NamedTuple):
    """An effect of a command: the indices of the arguments that describe it; `prefix` stands before them, it is left
    out where one of them is in `none` (-1: not constant)."""

    command: int
    effect: str
    arguments: tuple[int, ...]
    none: frozenset[int] = frozenset()
    prefix: Annotated[tuple[int | str, ...], tuple] = ()


@dataclass(frozen=True)
class TransitionCommands:
    """The commands that decide what the script of an entered map changes, by number."""

    compare_with_number: int
    """Compares a variable with a number."""
    compare_variables: int
    """Compares two variables."""
    check_flag: int
    """Checks a flag; the result is that of a comparison."""
    jump_on_condition: int
    """Jumps by the last comparison."""
    set_flag: int
    """Sets a flag."""
    clear_flag: int
    """Clears a flag."""
    set_trainer_flag: int
    """Marks a trainer as beaten."""
    clear_trainer_flag: int
    """Marks a trainer as not beaten."""
    current_header: int
    """Writes the id of the map into a variable."""
    random: frozenset[int]
    """Write a random number below another."""
    hour: int
    """Writes the hour of the day, 0 to 23."""
    time_of_day: int
    """Writes the number of the time of day: morning, day, twilight, night, late night."""
    day_of_week: int
    """Writes the day of the week, 0 for Sunday."""
    event_changes: Mapping[int, tuple[str, ...]]
    """Command that changes an event -> the list of the events, the fields whose new values follow its number; "": a
    value of no field."""
    hide_object: frozenset[int]
    """Make an object invisible."""
    zero_in_a_new_game: frozenset[int]
    """Those that write 0 in a new game: no item, no badge, no National Pokédex, a male player, no key that is held."""
    one_in_a_new_game: frozenset[int]
    """Those that write 1 in a new game: there is room for an item."""


class MusicCommand(StrEnum):
    """What a command does with the sequence that it names: plays it; makes it the music of the moment; makes it that of
    the map until another one is entered; plays it once, then the music goes on."""

    PLAY = "play"
    SET = "set"
    OVERRIDE = "override"
    FANFARE = "fanfare"


class Idiom(StrEnum):
    """A fixed sequence of commands that means one thing."""

    COMPARISON = "jump by comparison"
    FLAG = "jump by flag"
    ROOM = "jump by room in the bag"
    SPEAK = "speak"


@dataclass(frozen=True)
class ScriptCommands:
    """The commands of the field scripts of a game by number, and the numbers of those with a role in reading a
    script."""

    names: tuple[Annotated[CommandName, _command], ...]
    """The names of the commands by number."""
    conditions: tuple[str, ...]
    """The comparisons by number."""
    end: int
    """Ends a script."""
    go_to: int
    """Jumps."""
    call: int
    """Calls a part of the script."""
    call_on_condition: int
    """Calls a part of the script by the last comparison."""
    returns: int
    """Ends a called part."""
    call_common: int
    """Runs a common script."""
    set_variable: int
    """Writes a number into a variable."""
    copy_variable: int
    """Writes a variable into another one."""
    add_to_variable: int
    """Adds to a variable."""
    subtract_from_variable: int
    """Subtracts from a variable."""
    effects: Mapping[int, tuple[EffectRule, ...]]
    """Command -> its effects."""
    common_effects: Mapping[int, tuple[str, tuple[int, ...]]]
    """Common script -> its effect and the variables that describe it."""
    badges: tuple[str, ...]
    """The names of the badges by number."""
    objects: Mapping[int, str]
    """The names of local ids that are no object events."""
    movement_actions: tuple[str, ...]
    """The names of movement actions by number, empty: unknown."""
    transition: TransitionCommands
    """The commands that decide what entering a map changes."""
    music: Mapping[int, MusicCommand]
    """Command -> what it does with the sequence that is its first argument."""
    idioms: Mapping[tuple[int, ...], Idiom]
    """The numbers of the commands in a row -> what they mean."""
    yes_or_no: int
    """Asks a question to which the answer is yes (0) or no (1)."""
    menus: Mapping[int, str]
    """The commands that begin a menu -> whose texts its entries are: \"shared\" by all scripts, or \"own\"."""
    show_menu: frozenset[int]
    """Ask with the menu that was begun."""
    menu_entries: frozenset[int]
    """The commands whose texts are in the bank that the command which began the menu says."""

    @cached_property
    def meanings(self) -> tuple[tuple[tuple[int, str, Access], ...], ...]:
        """By command: index, meaning and access of the arguments that are numbers of things, or variables with them,
        without the texts of menu entries."""
        return tuple(
            ((1, IN_VARIABLE, Access.NUMBER),)
            if number == self.set_variable
            else tuple(
                (index, argument.meaning, argument.access)
                for index, argument in enumerate(command.arguments if number not in self.menu_entries else ())
                if argument.meaning in _THINGS and argument.access in (Access.NUMBER, Access.VALUE)
            )
            for number, command in enumerate(self.names)
        )

    def name(self, number: int) -> CommandName | None:
        """The name of a command, None for an unknown one."""
        return self.names[number] if 0 <= number < len(self.names) else None


@dataclass(frozen=True)
class ScriptBand:
    """A range of script numbers that mean scripts of one file for all maps: the `first` number, the `member` of the
    script archive, the message bank of its texts, what they are."""

    first: int
    member: int
    bank: int
    name: str


@dataclass(frozen=True)
class TileScript:
    """The script that the action button runs at a tile behaviour. `facing`: empty, `north`, or `climb` (along the
    rock)."""

    behaviour: int
    script: int
    facing: str


@dataclass(frozen=True)
class ScriptNumbers:
    """The meaning of script numbers in a game."""

    bands: tuple[ScriptBand, ...]
    """The ranges of scripts for all maps, ascending."""
    none: frozenset[int]
    """The numbers that mean no script."""
    trainers: tuple[tuple[Span, int, str], ...]
    """Ranges with the trainer of the first script and the kind of battle."""
    item_balls: Span
    """The range of items on the ground."""
    hidden_items: Span
    """The range of hidden items."""
    names: Mapping[int, str]
    """What single scripts do."""
    tile_scripts: Mapping[int, TileScript]
    """Behaviour -> script of the action button."""
    honey_tree: int
    """The script of a honey tree."""
    honey_tree_prop: int
    """The prop model of a honey tree."""
    surf: int
    """The script of water."""
    surf_badge: int
    """The badge that it takes."""
    surf_move: int
    """The move that it takes."""
    signposts: Span
    """The object graphics of signposts."""

    def band(self, number: int) -> ScriptBand | None:
        """The band of a script number; None for the scripts of a map."""
        return next((band for band in reversed(self.bands) if band.first <= number), None)

    def trainer(self, number: int) -> tuple[int, str] | None:
        """The trainer of a script number and their battle; None for another kind of script."""
        scripts = (
            (numbers.index(number) + first, battle) for numbers, first, battle in self.trainers if number in numbers
        )
        return next(scripts, None)


def _numbers(spans: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(number for span in spans for number in inclusive(span))


@dataclass(frozen=True)
class SaveNames:
    """The names of flags and variables, and the ranges that they are in."""

    flags: Mapping[int, str]
    """Flag -> its name."""
    variables: Mapping[int, str]
    """Variable -> its name."""
    flag_ranges: tuple[tuple[Span, str, str], ...]
    """Numbers, kind as `gameplay.flags.flag_meaning` has it, meaning."""
    variable_ranges: tuple[tuple[Span, str], ...]
    """Numbers, meaning."""
    map_flags: Span
    """The flags that are cleared when another map is entered."""
    map_variables: Span
    """The variables that are cleared when another map is entered."""
    hidden_items: Span
    """The flags of hidden items that were taken, from number 0 on."""
    trainers: Span
    """The flags of trainers that were beaten, from number 0 on."""
    first_arrivals: Mapping[int, int]
    """Flag -> header, of the flags of a first arrival that no script sets."""
    unused_flags: Annotated[tuple[int, ...], _numbers]
    """Flags that the game does not use, beside the ranges in which the flag of a thing follows from its number."""
    unused_variables: Annotated[tuple[int, ...], _numbers]
    """Variables that the game does not use."""

    def variable(self, number: int) -> str:
        """A variable as text: `0x40E6 (twinleaf_town_rival_trigger_state)`."""
        name = self.variables.get(number, "")
        return f"0x{number:X} ({name})" if name else f"0x{number:X}"
