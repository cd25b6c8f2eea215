"""A script file or one of its scripts: what runs it, what it can do, its commands; as values and JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from formats.field.init_script import InitScript, InitScriptFile
from formats.field.script import ScriptFile
from mapexplorer.catalogue.kinds import FILE, HEADER, OF_MEANING, SCRIPT, NamedThing
from mapexplorer.catalogue.resolve import find_with_maps
from mapexplorer.errors import PlaceError, check_number
from mapexplorer.gameplay.activation import Activation, of_header
from mapexplorer.gameplay.script_listing import (
    LABEL,
    VARIABLE,
    CommandLine,
    Line,
    ListedArgument,
    Listing,
    MovementLine,
    entry_texts,
    list_script,
)
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.gameplay.text_slots import TEXT, TextSlots
from mapexplorer.gameplay.trainers import object_names
from mapexplorer.games import Role, Topic
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, ScriptCommands
from mapexplorer.inspector.origins import origin_json
from mapexplorer.inspector.script.activation import run_json
from mapexplorer.rom.rom import Origin
from mapexplorer.scene.conditions import shown_save
from mapexplorer.scene.saves import saved_moment
from mapexplorer.scene.view import View
from mapexplorer.values import ranges
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import NOT_CONSTANT, EffectsReader, ScriptEffects, Values
from mapexplorer.world.events.script_files import check_entry, locate_script, script_bank, script_member
from mapexplorer.world.subject import Subject, subject

_ENTRY: Final = re.compile(r"(?P<file>file:(?:\d+|.*#\d+))#(?P<entry>\d+)", re.IGNORECASE | re.DOTALL)
"""An entry of a script file."""

_MEANINGS: Final = {
    "flag set": "flag",
    "flag clear": "flag",
    "flag check": "flag",
    "text": TEXT,
    "common": "script",
    "give": "item",
    "add item": "item",
    "take": "item",
    "accessory": "accessory",
    "poketch": "poketch app",
    "pokemon": "species",
    "egg": "species",
    "wild": "species",
    "trainer": "trainer",
    "partner": "trainer",
    "warp": "header",
    "sound": "sound",
    "badge": "badge",
    "remove object": "object",
    "add object": "object",
    "trade": "trade",
    "roamer": "roamer",
}
"""Effect -> the meaning of its first number."""


@dataclass(frozen=True, eq=False)
class ScriptFacts:
    """A script file, or one of its scripts."""

    member: int
    """Its number in the archive of scripts."""
    file: ScriptFile
    """The script file."""
    commands: ScriptCommands
    """Those of the game."""
    bank: int | None
    """The message bank of its texts; None: not known."""
    listing: Listing
    """Its lines."""
    names: ScriptNames
    """The names of the numbers in it."""
    header: int | None
    """The map that was named."""
    number: int | None
    """The script number that was named."""
    entry: int | None
    """The entry that was named; None: all are listed."""
    runs: tuple[Activation, ...]
    """What runs the listed scripts of the map."""
    world: FieldWorld
    """That of the file."""

    def origin(self, offset: int) -> Origin | None:
        """Where the byte at an offset stands in the text that the file is made from."""
        return self.world.origin(Role.SCRIPTS, self.member, ("byte", offset))

    @cached_property
    def effects(self) -> dict[int, ScriptEffects]:
        """Entry -> what it can do, of the listed entries."""
        reader = EffectsReader(self.file, self.commands)
        entries = range(len(self.file.entries)) if self.entry is None else (self.entry,)
        return {number: reader.effects(number) for number in entries}

    @cached_property
    def texts(self) -> dict[tuple[int, int], str]:
        """(entry, number) of a text that an entry can show -> the text."""
        slots = TextSlots(self.file, self.commands)
        return {
            (entry, text): words
            for entry, effects in self.effects.items()
            for text, words in entry_texts(self.file, entry, effects.numbers(TEXT), self.names, slots).items()
        }

    @cached_property
    def movements(self) -> dict[int, tuple[ListedArgument, MovementLine]]:
        """Byte offset of a command that applies a movement list -> the argument that says to whom, and the list."""
        lists = {line.offset: line for line in self.listing.lines if isinstance(line, MovementLine)}
        by_kind = {
            line.offset: {argument.kind: argument for argument in line.arguments}
            for line in self.listing.lines
            if isinstance(line, CommandLine)
        }
        return {
            offset: (kinds["object"], lists[kinds[LABEL].number])
            for offset, kinds in by_kind.items()
            if {"object", LABEL}.issubset(kinds) and kinds[LABEL].number in lists
        }

    def effect_goal(self, effect: str, number: int | str) -> Subject | None:
        """The thing that the first value of an effect leads to."""
        if not isinstance(number, int) or number == NOT_CONSTANT:
            return None
        return self.goal(_MEANINGS.get(effect, ""), number)

    def goal(self, meaning: str, number: int) -> Subject | None:
        """The thing that a number with a meaning leads to; None for a plain number, and for a text of an unknown
        bank."""
        if meaning == "script":
            return subject("script", self.header or 0, number)
        if meaning == TEXT:
            return None if self.bank is None else subject("text", self.bank, number)
        kind = OF_MEANING.get(meaning)
        if kind == VARIABLE and number >= FIRST_SCRIPT_VARIABLE:  # it is not saved
            return None
        return None if kind is None else subject(kind, number)

    def effect_name(self, entry: int, effect: str, values: Values) -> str:
        """The name of the first value of an effect, of a text the text, of a shop what it sells; empty for one without
        a name."""
        number = values[-1] if effect == "mart" else values[0]
        if not isinstance(number, int) or number == NOT_CONSTANT:
            return ""
        meaning = f"mart {values[0]}" if effect == "mart" else _MEANINGS.get(effect, "")
        return self.texts[entry, number] if meaning == TEXT else self.names.name(meaning, number)

    def name(self, entries: tuple[int, ...]) -> str:
        """Entries as text: as the script numbers of the map that was named, else as entries of the file."""
        if self.header is None:
            return f"entry {_ranges(entries)}"
        first = 1 if self.number is None or self.entry is None else self.number - self.entry
        return f"script {_ranges(tuple(first + entry for entry in entries))}"


@dataclass(frozen=True, eq=False)
class InitScriptFacts:
    """An initial script file and its member."""

    member: int
    file: InitScriptFile


def ask(world: FieldWorld, name: str, *, constants: bool = False) -> list[ScriptFacts | InitScriptFacts]:
    """What `MAP`, `MAP#SCRIPT`, `script:SHARED`, `file:MEMBER` or `file:MEMBER#ENTRY` names; several only for the name
    of a location that means several maps. Raises PlaceError, FormatError, RomError.

    A script of a map has the number that events have, from 1 on, or from 2000 on of a script that all maps share; an
    entry of a file counts from 0. `constants`: see `FieldWorld.showing`.
    """
    world.game.require(Topic.SCRIPTS)
    with_entry = _ENTRY.fullmatch(name)
    things = find_with_maps(world, name if with_entry is None else with_entry["file"], (HEADER, SCRIPT, FILE))
    entry = None if with_entry is None else int(with_entry["entry"])
    return [_of_thing(world.showing(constants=constants), thing, entry) for thing in things]


def _of_thing(world: FieldWorld, thing: NamedThing, entry: int | None) -> ScriptFacts | InitScriptFacts:
    if thing.subject.kind == SCRIPT:
        return script_facts(world, *thing.subject.key)
    if thing.subject.kind == HEADER:
        return map_facts(world, thing.subject.key[0])
    return _stored_facts(world, thing.name, entry)


def _stored_facts(world: FieldWorld, name: str, entry: int | None) -> ScriptFacts | InitScriptFacts:
    """A member of the script archive by PATH#INDEX."""
    path, _, index = name.rpartition("#")
    if path != world.path(Role.SCRIPTS):
        raise PlaceError(f"{name} is no script file; those are the members of {world.path(Role.SCRIPTS)}.")
    check_number("script file", int(index), range(len(world.members(Role.SCRIPTS))))
    return member_facts(world, int(index), entry)


def running(world: FieldWorld, facts: ScriptFacts | InitScriptFacts, save: str) -> ScriptFacts | InitScriptFacts:
    """The same with only what would run with a save, see `MapState.save`. Raises RomError, FormatError."""
    if isinstance(facts, InitScriptFacts):
        return facts
    view = View(save=save, **saved_moment(save))
    saves = {header: shown_save(world.place(header), view) for header in {run.header for run in facts.runs}}
    return replace(facts, runs=tuple(run for run in facts.runs if run.holds(saves[run.header])))


def member_facts(world: FieldWorld, member: int, entry: int | None = None) -> ScriptFacts | InitScriptFacts:
    """A script file, or one of its entries; or a file of initial scripts. Raises PlaceError, FormatError, RomError."""
    file = script_member(world, member)
    if isinstance(file, ScriptFile):
        return _facts(world, member, script_bank(world, member), None, None, entry)
    if entry is not None:
        raise PlaceError(f"Script file {member} has initial scripts, which are no entries.")
    return InitScriptFacts(member, file)


def map_facts(world: FieldWorld, header: int) -> ScriptFacts:
    """All scripts of the maps of a header. Raises PlaceError, FormatError, RomError."""
    at = world.headers[header]
    return _facts(world, at.scripts, at.message_bank, header, None, None)


def script_facts(world: FieldWorld, header: int, number: int) -> ScriptFacts:
    """The script with a number on the maps of a header. Raises PlaceError, FormatError, RomError."""
    place = locate_script(world, header, number)
    if place is None:
        raise PlaceError(f"Number {number} means no script.")
    return _facts(world, place.member, place.bank, header, number, place.entry)


def _facts(
    world: FieldWorld, member: int, bank: int | None, header: int | None, number: int | None, entry: int | None
) -> ScriptFacts:
    world.game.require(Topic.SCRIPTS)
    file, commands = world.script_file(member), world.game.tables.script_commands
    if entry is not None:
        check_entry(member, file, entry)
    people = object_names(world, header) if header is not None and world.headers[header].scripts == member else {}
    names = ScriptNames(world, bank, people)
    listing = list_script(file, commands, names, None if entry is None else [entry])
    runs: tuple[Activation, ...] = ()
    if header is not None:
        mine = [run for run in of_header(world, header) if number in (None, run.script)]
        located = ((run, locate_script(world, header, run.script)) for run in mine)
        runs = tuple(run for run, place in located if place is not None and place.member == member)
    return ScriptFacts(member, file, commands, bank, listing, names, header, number, entry, runs, world)


# --- JSON


def script_json(facts: ScriptFacts | InitScriptFacts) -> dict[str, Any]:
    """A script file as JSON values."""
    if isinstance(facts, InitScriptFacts):
        return {"member": facts.member, "initial_scripts": records_json(facts.file)}
    plain = {
        "member": facts.member,
        "header": facts.header,
        "script": facts.number,
        "entry": facts.entry,
        "message_bank": facts.bank,
        "runs": [run_json(run) for run in facts.runs],
        "effects": [
            {
                "entry": entry,
                "complete": effects.complete,
                "found": [
                    {"effect": effect, "values": list(values), "name": facts.effect_name(entry, effect, values)}
                    for effect, rows in effects.found.items()
                    for values in rows
                ],
            }
            for entry, effects in facts.effects.items()
        ],
        "lines": [
            _line_json(facts.listing, line) | origin_json(facts.origin(line.offset)) for line in facts.listing.lines
        ],
    }
    return {key: value for key, value in plain.items() if value is not None}


def records_json(file: InitScriptFile) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    for record in file.records:
        if isinstance(record, InitScript):
            records.append({"type": record.type, "script": record.script})
        else:
            records += [
                {"type": 1, "script": row.script, "variable": row.variable, "value": row.value} for row in record.rows
            ]
    return records


def _line_json(listing: Listing, line: Line) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "offset": line.offset,
        "entries": list(listing.entries.get(line.offset, ())),
        "reached": line.offset in listing.reached,
    }
    if isinstance(line, CommandLine):
        arguments = [argument._asdict() for argument in line.arguments]
        return plain | {"command": line.name, "number": line.number, "arguments": arguments}
    if isinstance(line, MovementLine):
        return plain | {"steps": [{"action": action, "name": name, "count": n} for action, name, n in line.steps]}
    return plain | {"bytes": line.data.hex()}


def _ranges(numbers: tuple[int, ...]) -> str:
    """`0, 3-98, 102`"""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges(numbers))
