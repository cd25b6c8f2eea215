"""The uses of things by the commands of scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from formats.field.script import Command, ScriptFile
from mapexplorer.catalogue.edge import COMMAND, Edge
from mapexplorer.catalogue.kinds import HEADER, OF_MEANING, SCRIPTS
from mapexplorer.catalogue.rules import EFFECTS
from mapexplorer.catalogue.source import Source
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.script_arguments import argument_uses
from mapexplorer.games import Role
from mapexplorer.games.script_tables import FIRST_VARIABLE, MusicCommand
from mapexplorer.grouping import by_key
from mapexplorer.world.events.script_effects import NOT_CONSTANT, Values
from mapexplorer.world.subject import ReferencePart, Subject, subject

_DETAILS: Final = {"wild": "level", "pokemon": "level", "give": "count", "add item": "count", "take": "count"}
"""Effect -> what its second value is."""

_MUSIC: Final = {
    MusicCommand.PLAY: "played by",
    MusicCommand.SET: "set by",
    MusicCommand.FANFARE: "fanfare of",
    MusicCommand.OVERRIDE: "until another map is entered, by",
}

_TRAINER_FLAGS: Final = {"SetTrainerFlag": "set by", "ClearTrainerFlag": "cleared by", "CheckTrainerFlag": "checked by"}
"""The commands whose trainer stands for the flag that it was beaten -> how they use the flag."""


def _scripts(source: Source) -> Iterator[Edge]:
    """What commands do with the numbers that they hold, by the entries that lead to them; then what entries do with
    numbers that they compute."""
    variables = by_key((member, (item, number, how)) for number, how, member, item in source.variable_uses)
    held = set[tuple[object, ...]]()
    for member, file, effects in source.constant_effects:
        held_things = [*_effects(source, member, file, effects)]
        held_things += [
            _held(item, subject("variable", number), how) for item, number, how in variables.get(member, ())
        ]
        for edge in _by_entries(source, member, file, held_things):
            assert edge.part is not None
            held |= {edge[:3], (*edge[:3], *edge.part.key[1:])}
            yield edge
    for edge in _computed(source):
        numbers = edge.part.key if edge.part is not None else ()
        if not held.issuperset({edge[:3], (*edge[:3], *numbers)}):
            yield edge


def _computed(source: Source) -> Iterator[Edge]:
    """What entries do, also with numbers that they compute; of items on the floor the events say it."""
    floor = Items(source.world).visible_member
    for member, entry, effects in source.effects:
        user = subject(SCRIPTS, member, entry)
        for effect in EFFECTS if member != floor else ():
            for values in effects.found.get(effect, ()):
                for used, how in _named(source, member, effect, values):
                    detail, number = _detail(effect, values)
                    part = ReferencePart("computed", (number,), detail) if detail else None
                    yield Edge(user, used, how, part, Role.SCRIPTS, member)


_SAVED: Final = ("set by", "cleared by", "changed by", "checked by", "read by")
"""How commands use flags and variables: first what changes them."""


def scripts(source: Source) -> Iterator[Edge]:
    """The same, with their ranks: what commands hold goes before what is computed."""
    for edge in _scripts(source):
        order = _SAVED.index(edge.how) if edge.how in _SAVED else len(_SAVED)
        order *= edge.used.kind in ("flag", "variable")
        yield Edge(*edge[:-1], 2 * order + (edge.part is None or edge.part.kind != COMMAND))


def commands(source: Source) -> Iterator[Edge]:
    """The numbers that other commands hold, or that a variable has when they take them; of the scripts of items on the
    floor the events say what variables have. An effect that an entry computes from a variable is among `_scripts`."""
    tables, floor = source.world.game.tables, Items(source.world).visible_member
    commands = tables.script_commands
    by_member: dict[int, dict[_Held, None]] = {}
    effective = set[tuple[Subject, str]]()
    computed = {(edge.user, edge.used) for edge in _computed(source)}
    meanings = OF_MEANING.keys() - {"variable"}
    for use in argument_uses(source.scripts, commands, tables.save_names, meanings, source.variable_uses):
        kind, known = OF_MEANING[use.meaning], commands.name(use.command)
        effects = {used for rule in commands.effects.get(use.command, ()) for used, *_ in EFFECTS.get(rule.effect, ())}
        by_itself = use.set_at is None and (kind in effects or (kind == "music" and use.command in commands.music))
        said = by_itself or (use.set_at is not None and use.member == floor)
        if known is None or said or not (use.number or kind in (HEADER, "messages")):
            continue
        member, item = use.set_at or (use.member, use.item)
        if known.name in _TRAINER_FLAGS and use.number < len(tables.save_names.trainers):
            flag = subject("flag", tables.save_names.trainers[use.number])
            by_member.setdefault(member, {})[_held(item, flag, _TRAINER_FLAGS[known.name])] = None
        how = known.name if use.set_at is None else f"{known.name}, through a variable,"
        by_member.setdefault(member, {})[_held(item, subject(kind, use.number), how)] = None
        if kind in effects:
            effective.add((subject(kind, use.number), how))
    for member, file in source.scripts:
        for edge in _by_entries(source, member, file, by_member.get(member, ())):
            if (edge.used, edge.how) not in effective or (edge.user, edge.used) not in computed:
                yield edge


_Held = tuple[int, Subject, str, str, int]
"""A thing in a command: the item of the script file, the thing, how it is used, what a number beside it is, and it."""


def _held(item: int, used: Subject, how: str, detail: str = "", number: int = 0) -> _Held:
    return item, used, how, detail, number


def _by_entries(source: Source, member: int, file: ScriptFile, held_things: Iterable[_Held]) -> Iterator[Edge]:
    """The uses by commands as those of the entries that lead to them; of the whole file where none does."""
    entries, offsets = file.entries_by_item(), file.offsets()
    for item, used, how, detail, number in held_things:
        part = ReferencePart(COMMAND, (offsets[item], number) if detail else (offsets[item],), detail)
        for entry in entries.get(item, ()):
            yield Edge(subject(SCRIPTS, member, entry), used, how, part, Role.SCRIPTS, member)
        if item not in entries:
            yield Edge(subject(SCRIPTS, member), used, how, part, Role.SCRIPTS, member)


def _effects(
    source: Source, member: int, file: ScriptFile, effects: Iterable[tuple[int, str, Values]]
) -> Iterator[_Held]:
    """The uses by commands with an effect, and of music."""
    commands, shared = source.world.game.tables.script_commands, source.world.game.tables.script_numbers
    for at, effect, values in effects:
        if effect == "common" and (band := shared.band(int(values[0]))) is not None:
            yield _held(at, subject(SCRIPTS, band.member, int(values[0]) - band.first), "called by")
        for used, how in _named(source, member, effect, values):
            if used.key[-1] < FIRST_VARIABLE or used.kind == "flag":
                yield _held(at, used, how, *_detail(effect, values))
    for at, item in enumerate(file.items):
        if isinstance(item, Command) and item.number in commands.music and isinstance(item.arguments[0], int):
            yield _held(at, subject("music", item.arguments[0]), _MUSIC[commands.music[item.number]])


def _named(source: Source, member: int, effect: str, values: Values) -> Iterator[tuple[Subject, str]]:
    """The things whose numbers are the values of an effect in a script file, and how they are used."""
    for kind, index, how in EFFECTS.get(effect, ()):
        number = int(values[index]) if index < len(values) else NOT_CONSTANT
        if kind == "text":
            bank = source.banks[member]
            if number != NOT_CONSTANT and bank is not None:
                yield subject(kind, bank, number), how
        elif number > 0 or (kind == "trade" and number == 0):
            yield subject(kind, number), how


def _detail(effect: str, values: Values) -> tuple[str, int]:
    """What the second value of an effect is, and the value; nothing where it is not constant."""
    number = int(values[1]) if effect in _DETAILS else NOT_CONSTANT
    return (_DETAILS[effect], number) if 0 <= number < FIRST_VARIABLE else ("", 0)
