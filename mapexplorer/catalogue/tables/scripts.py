"""Script files: commands with their arguments, movements, effects; flags and variables; texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from mapexplorer.catalogue.edge import COMMAND, HIDES, Edge
from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.names import unpacked
from mapexplorer.gameplay.script_listing import CommandLine, MovementLine, list_script
from mapexplorer.games import Role


def fill_scripts(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of scripts and of what they are about."""
    names = source.world.game.tables.script_commands
    yield "command_name", ((number, command.name) for number, command in enumerate(names.names))
    yield "movement_action", enumerate(names.movement_actions)
    yield from _files(source)
    yield "effect", _effects(source)
    yield "variable", _variables(source)
    yield (
        "text",
        (
            (bank, number, unpacked(text))
            for bank, texts in source.each(source.members(Role.MESSAGES), source.world.messages)
            for number, text in enumerate(texts.messages)
        ),
    )


def _files(source: Source) -> Iterator[tuple[str, Rows]]:
    world = source.world
    names = ("script_file", "script_entry", "command", "argument", "movement")
    tables: dict[str, list[Row]] = {name: [] for name in names}
    complete = {(member, entry): effects.complete for member, entry, effects in source.effects}
    for member, file in source.scripts:
        listing = list_script(file, world.game.tables.script_commands, None)
        tables["script_file"].append((member, source.banks[member], len(file.entries)))
        tables["script_entry"] += [
            (member, entry, at, complete[member, entry]) for at, some in listing.entries.items() for entry in some
        ]
        for line in listing.lines:
            reached = line.offset in listing.reached
            if isinstance(line, CommandLine):
                tables["command"].append((member, line.offset, line.number, reached))
                tables["argument"] += [
                    (member, line.offset, index, name, kind, number)
                    for index, (name, kind, number, _) in enumerate(line.arguments)
                ]
            elif isinstance(line, MovementLine):
                tables["movement"] += [
                    (member, line.offset, step, action, count, reached)
                    for step, (action, _, count) in enumerate(line.steps)
                ]
    yield from tables.items()


def _effects(source: Source) -> Iterator[Row]:
    """An effect has at most three numbers, after a word for some (the kind of a shop)."""
    for member, entry, effects in source.effects:
        for effect, uses in effects.found.items():
            for values in uses:
                numbers = [value for value in values if isinstance(value, int)]
                word = next((value for value in values if isinstance(value, str)), None)
                yield member, entry, effect, word, *numbers, *[None] * (3 - len(numbers))


_FLAG_USES: Final = {"set by": "set", "cleared by": "clear", "checked by": "check", HIDES: "hide"}
"""How an edge uses a flag -> the word for it, in the order of the rows."""


def fill_flags(source: Source, edges: Iterable[Edge]) -> Iterator[tuple[str, Rows]]:
    """The flags and their uses: edges of events, and of the effects of commands."""
    hows, uses = list(_FLAG_USES), dict[tuple[Any, ...], None]()
    for edge in edges:
        of_flag = edge.used.kind == "flag" and edge.how in _FLAG_USES
        if of_flag and edge.how == HIDES:
            uses[(edge.used.key[0], hows.index(HIDES), None, None, *edge.user.key)] = None
        elif of_flag and edge.part is not None and edge.part.kind == COMMAND:
            uses[edge.used.key[0], hows.index(edge.how), edge.user.key[0], edge.part.key[0], None, None] = None
    names = source.world.game.tables.save_names
    flags = sorted({*(flag for flag, *_ in uses), *names.flags, *names.hidden_items, *names.trainers})
    yield "flag", ((flag, flag_name(names, flag), _meaning(names.flag_ranges, flag)) for flag in flags)
    ordered = sorted(uses, key=lambda use: use[:2])
    yield "flag_use", ((flag, _FLAG_USES[hows[how]], *place) for flag, how, *place in ordered)


def _variables(source: Source) -> Iterator[Row]:
    names = source.world.game.tables.save_names
    for variable, name in sorted(names.variables.items()):
        yield variable, name, _meaning(names.variable_ranges, variable)


def _meaning(ranges: Sequence[tuple[Any, ...]], number: int) -> str:
    return next((meaning for numbers, *_, meaning in ranges if number in numbers), "")
