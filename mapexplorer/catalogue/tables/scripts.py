"""Script files: commands with their arguments, movements, effects; flags and variables; texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.flags import flag_name, flag_uses
from mapexplorer.gameplay.names import unpacked
from mapexplorer.gameplay.script_listing import CommandLine, MovementLine, list_script
from mapexplorer.games import Role


def fill_scripts(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of scripts and of what they are about."""
    names = source.world.game.tables.script_commands
    yield "command_name", ((number, one.name) for number, one in enumerate(names.names))
    yield "movement_action", enumerate(names.movement_actions)
    yield from _files(source)
    yield "effect", _effects(source)
    yield from _flags(source)
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
    files: list[Row] = []
    entries: list[Row] = []
    commands: list[Row] = []
    arguments: list[Row] = []
    movements: list[Row] = []
    complete = {(member, entry): one.complete for member, entry, one in source.effects}
    for member, file in source.scripts:
        listing = list_script(file, world.game.tables.script_commands, None)
        files.append((member, source.banks[member], len(file.entries)))
        entries += [
            (member, entry, at, complete[member, entry]) for at, some in listing.entries.items() for entry in some
        ]
        for line in listing.lines:
            reached = line.offset in listing.reached
            if isinstance(line, CommandLine):
                commands.append((member, line.offset, line.number, reached))
                arguments += [
                    (member, line.offset, index, name, kind, number)
                    for index, (name, kind, number, _) in enumerate(line.arguments)
                ]
            elif isinstance(line, MovementLine):
                movements += [
                    (member, line.offset, step, action, count, reached)
                    for step, (action, _, count) in enumerate(line.steps)
                ]
    yield "script_file", files
    yield "script_entry", entries
    yield "command", commands
    yield "argument", arguments
    yield "movement", movements


def _effects(source: Source) -> Iterator[Row]:
    """An effect has at most three numbers, after a word for some (the kind of a shop)."""
    for member, entry, effects in source.effects:
        for effect, found in effects.found.items():
            for one in found:
                numbers = [value for value in one if isinstance(value, int)]
                word = next((value for value in one if isinstance(value, str)), None)
                yield member, entry, effect, word, *numbers, *[None] * (3 - len(numbers))


def _flags(source: Source) -> Iterator[tuple[str, Rows]]:
    names = source.world.game.tables.save_names
    uses = flag_uses(source.world, source.scripts)
    flags = sorted({*uses, *names.flags, *names.hidden_items, *names.trainers})
    yield "flag", ((flag, flag_name(names, flag), _meaning(names.flag_ranges, flag)) for flag in flags)
    yield (
        "variable",
        (
            (variable, name, _meaning(names.variable_ranges, variable))
            for variable, name in sorted(names.variables.items())
        ),
    )
    rows: list[Row] = []
    for flag, of_flag in uses.items():
        for use, commands in (("set", of_flag.set), ("clear", of_flag.cleared), ("check", of_flag.checked)):
            rows += [(flag, use, member, at, None, None) for member, at in commands]
        rows += [(flag, "hide", None, None, header, index) for header, index in of_flag.hides]
    yield "flag_use", rows


def _meaning(ranges: Sequence[tuple[Any, ...]], number: int) -> str:
    return next((meaning for numbers, *_, meaning in ranges if number in numbers), "")
