"""The tables of scripts: names and meanings of commands, numbers of scripts, names of flags and variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from mapexplorer.games.name_bank import NAMES_OF

_ARGUMENT: Final = re.compile(r"(\w+) (\w+)(?: \((.+)\))?")

IN_VARIABLE: Final = "in a variable"
"""The meaning of a number that is put into a variable."""

_THINGS: Final = {*NAMES_OF, "flag", "header", "npc trade", "sound", "text"}
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
        return frozenset(one.meaning for some in (self.arguments, *self.variants.values()) for one in some)

    def arguments_for(self, first: object) -> tuple[Argument, ...]:
        """The arguments where the first one has the value `first`."""
        return self.arguments + self.variants.get(first, ()) if isinstance(first, int) else self.arguments


@dataclass(frozen=True)
class EffectRule:
    """An effect of a command: the indices of the arguments that describe it; `prefix` stands before them, it is left
    out where one of them is in `none` (-1: not constant)."""

    effect: str
    arguments: tuple[int, ...]
    prefix: tuple[int | str, ...] = ()
    none: frozenset[int] = frozenset()


@dataclass(frozen=True)
class TransitionCommands:
    """The commands that decide what the script of an entered map changes, by number.

    `zero_in_a_new_game`: those that write 0 in a new game: no item, no badge, no National Pokédex, a male player.
    """

    compare_with_number: int
    compare_variables: int
    check_flag: int
    jump_on_condition: int
    set_flag: int
    clear_flag: int
    set_trainer_flag: int
    clear_trainer_flag: int
    current_header: int
    set_object_position: int
    set_object_movement_type: int
    set_object_direction: int
    set_warp_position: int
    set_background_event_position: int
    zero_in_a_new_game: frozenset[int]

    @classmethod
    def of(cls, table: dict[str, Any]) -> TransitionCommands:
        """The commands of a table."""
        numbers = {field.name: table[field.name.replace("_", " ")] for field in fields(cls)}
        return cls(**{**numbers, "zero_in_a_new_game": frozenset(numbers["zero_in_a_new_game"])})


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
    """The commands of the field scripts of a game by number, and the numbers of those with a role in reading a script.

    `effects`: command -> its effects; `common_effects`: common script -> its effect and the variables that describe
    it. `conditions` are the comparisons by number, `badges` their names, `objects` the names of local ids that are no
    object events, `movement_actions` the names of movement actions (empty: unknown). `music`: command -> what it does
    with the sequence that is its first argument. `idioms`: the numbers of the commands in a row -> what they mean.
    `menu_entries`: the commands whose texts are in the bank that the command which began the menu says.
    """

    names: tuple[CommandName, ...]
    conditions: tuple[str, ...]
    end: int
    go_to: int
    call: int
    call_on_condition: int
    returns: int
    call_common: int
    set_variable: int
    copy_variable: int
    add_to_variable: int
    subtract_from_variable: int
    effects: Mapping[int, tuple[EffectRule, ...]]
    common_effects: Mapping[int, tuple[str, tuple[int, ...]]]
    badges: tuple[str, ...]
    objects: Mapping[int, str]
    movement_actions: tuple[str, ...]
    transition: TransitionCommands
    music: Mapping[int, MusicCommand]
    idioms: Mapping[tuple[int, ...], Idiom]
    menu_entries: frozenset[int]

    @cached_property
    def meanings(self) -> tuple[tuple[tuple[int, str, Access], ...], ...]:
        """By command: index, meaning and access of the arguments that are numbers of things, or variables with them,
        without the texts of menu entries."""
        return tuple(
            ((1, IN_VARIABLE, Access.NUMBER),)
            if number == self.set_variable
            else tuple(
                (index, one.meaning, one.access)
                for index, one in enumerate(command.arguments if number not in self.menu_entries else ())
                if one.meaning in _THINGS and one.access in (Access.NUMBER, Access.VALUE)
            )
            for number, command in enumerate(self.names)
        )

    def name(self, number: int) -> CommandName | None:
        """The name of a command, None for an unknown one."""
        return self.names[number] if 0 <= number < len(self.names) else None


def read_script_commands(table: dict[str, Any]) -> ScriptCommands:
    """The commands of a table."""
    variants = {
        int(number): {int(first): tuple(map(_argument, more)) for first, more in rows.items()}
        for number, rows in table["variants"].items()
    }
    effects: dict[int, list[EffectRule]] = {}
    for effect, numbers, arguments, *none in table["effects"]:
        for number in numbers:
            effects.setdefault(number, []).append(EffectRule(effect, tuple(arguments), none=frozenset(none)))
    for number, mart, arguments in table["marts"]:
        effects.setdefault(number, []).append(EffectRule("mart", tuple(arguments), tuple(mart)))
    return ScriptCommands(
        names=tuple(
            CommandName(name, tuple(map(_argument, arguments)), variants.get(number, {}))
            for number, (name, *arguments) in enumerate(table["commands"])
        ),
        conditions=tuple(table["conditions"]),
        end=table["end"],
        go_to=table["go to"],
        call=table["call"],
        call_on_condition=table["call on condition"],
        returns=table["return"],
        call_common=table["call common script"],
        set_variable=table["set variable"],
        copy_variable=table["copy variable"],
        add_to_variable=table["add to variable"],
        subtract_from_variable=table["subtract from variable"],
        effects={number: tuple(rules) for number, rules in effects.items()},
        common_effects={
            script: (effect, tuple(variables))
            for effect, scripts, variables in table["effects of common scripts"]
            for script in scripts
        },
        badges=tuple(table["badges"]),
        objects={int(number): name for number, name in table["objects"].items()},
        movement_actions=tuple(table["movement actions"]),
        transition=TransitionCommands.of(table),
        music={number: MusicCommand(use) for use, number in table["music"].items()},
        idioms={tuple(row): Idiom(idiom) for idiom, rows in table["idioms"].items() for row in rows},
        menu_entries=frozenset(table["menu entries"]),
    )


def _argument(text: str) -> Argument:
    found = _ARGUMENT.fullmatch(text)
    assert found is not None, text
    return Argument(Access(found[1]), found[2], found[3] or "")


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
class TrainerScripts:
    """A range of the scripts of trainers: the `first` and `last` script, the `trainer` of the first one, their kind of
    battle."""

    first: int
    last: int
    trainer: int
    battle: str


@dataclass(frozen=True)
class ScriptNumbers:
    """The meaning of script numbers in a game.

    `none`: the numbers that mean no script; `trainers`, `item_balls`, `hidden_items`: the ranges of trainers and of
    items on the ground; `names`: what single scripts do; `tile_scripts`: behaviour -> script of the action button;
    `honey_tree` and `surf`: the scripts of a honey tree, the prop `honey_tree_prop`, and of water, which takes badge
    `surf_badge` and move `surf_move`; `signposts`: object graphics of signposts.
    """

    bands: tuple[ScriptBand, ...]
    none: frozenset[int]
    trainers: tuple[TrainerScripts, ...]
    item_balls: range
    hidden_items: range
    names: Mapping[int, str]
    tile_scripts: Mapping[int, TileScript]
    honey_tree: int
    honey_tree_prop: int
    surf: int
    surf_badge: int
    surf_move: int
    signposts: range

    def band(self, number: int) -> ScriptBand | None:
        """The band of a script number; None for the scripts of a map."""
        return next((band for band in reversed(self.bands) if band.first <= number), None)

    def trainer(self, number: int) -> tuple[int, str] | None:
        """The trainer of a script number and their battle; None for another kind of script."""
        for one in self.trainers:
            if one.first <= number <= one.last:
                return number - one.first + one.trainer, one.battle
        return None


def read_script_numbers(table: dict[str, Any]) -> ScriptNumbers:
    """The script numbers of a table."""
    return ScriptNumbers(
        bands=tuple(ScriptBand(*row) for row in table["bands"]),
        none=frozenset(table["none"]),
        trainers=tuple(TrainerScripts(*row) for row in table["trainers"]),
        item_balls=_range(table["item balls"]),
        hidden_items=_range(table["hidden items"]),
        names={int(number): name for number, name in table["names"].items()},
        tile_scripts={row[0]: TileScript(*row) for row in table["tile scripts"]},
        honey_tree=table["honey tree"]["script"],
        honey_tree_prop=table["honey tree"]["prop"],
        surf=table["surf"]["script"],
        surf_badge=table["surf"]["badge"],
        surf_move=table["surf"]["move"],
        signposts=_range(table["signpost graphics"]),
    )


def _range(pair: list[int]) -> range:
    return range(pair[0], pair[1] + 1)


@dataclass(frozen=True)
class SaveNames:
    """The names of flags and variables and the ranges that they are in: (numbers, meaning). `map_flags` and
    `map_variables` are cleared when another map is entered; `hidden_items` and `trainers` are the flags of hidden items
    that were taken, and of trainers that were beaten, from number 0 on.

    `flag_kinds`: the kinds of the ranges of flags (`gameplay.flags.FlagMeaning`); `first_arrivals`: flag -> header, of
    those that no script sets; `unused_flags` and `unused_variables`: what the game does not use, beside the ranges in
    which the flag of a thing follows from its number.
    """

    flags: Mapping[int, str]
    variables: Mapping[int, str]
    flag_ranges: tuple[tuple[range, str], ...]
    variable_ranges: tuple[tuple[range, str], ...]
    map_flags: range
    map_variables: range
    hidden_items: range
    trainers: range
    flag_kinds: tuple[tuple[range, str], ...]
    first_arrivals: Mapping[int, int]
    unused_flags: tuple[int, ...]
    unused_variables: tuple[int, ...]


def read_save_names(table: dict[str, Any]) -> SaveNames:
    """The names of a table."""
    return SaveNames(
        {int(number): name for number, name in table["flags"].items()},
        {int(number): name for number, name in table["variables"].items()},
        tuple((range(first, last + 1), meaning) for first, last, _, meaning in table["flag ranges"]),
        tuple((range(first, last + 1), meaning) for first, last, meaning in table["variable ranges"]),
        _range(table["map flags"]),
        _range(table["map variables"]),
        _range(table["hidden item flags"]),
        _range(table["trainer flags"]),
        tuple((range(first, last + 1), kind) for first, last, kind, _ in table["flag ranges"]),
        dict(table["first arrivals that no script sets"]),
        tuple(number for pair in table["unused flags"] for number in _range(pair)),
        tuple(number for pair in table["unused variables"] for number in _range(pair)),
    )
