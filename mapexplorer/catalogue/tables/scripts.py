"""Script files: commands with their arguments, movements, effects; flags and variables; texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mapexplorer.catalogue.edge import COMMAND, HIDES
from mapexplorer.catalogue.rules import RULES
from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.names import unpacked
from mapexplorer.gameplay.script_listing import CommandLine, MovementLine, list_script
from mapexplorer.games import Role


def fill_scripts(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of script files."""
    yield from _files(source)
    yield "effect", _effects(source)


def fill_texts(source: Source) -> Iterator[tuple[str, Rows]]:
    """The table of all texts."""
    yield (
        "text",
        (
            (bank, number, unpacked(text))
            for bank, texts in source.each(source.read_anew(Role.MESSAGES), source.world.messages)
            for number, text in enumerate(texts.messages)
        ),
    )


def fill_words(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of what commands, movements and variables are called."""
    names = source.world.game.tables.script_commands
    yield "command_name", ((number, command.name) for number, command in enumerate(names.names))
    yield "movement_action", enumerate(names.movement_actions)
    yield "variable", _variables(source)


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


_FLAG_USES: Final = f"""
WITH words (how, rank, use) AS (VALUES ('set by', 1, 'set'), ('cleared by', 2, 'clear'), ('checked by', 3, 'check'))
SELECT flag, use, member, at, header, object FROM (
    SELECT CAST(used AS INTEGER) AS flag, rank, use, CAST(user AS INTEGER) AS member, CAST(part_key AS INTEGER) AS at,
        NULL AS header, NULL AS object, min(rowid) AS first
    FROM edge JOIN words USING (how)
    WHERE used_kind = 'flag' AND part = '{COMMAND}' AND rule = {[rule.find for rule in RULES].index("scripts")}
    GROUP BY 1, 2, 3, 4, 5
    UNION ALL SELECT CAST(used AS INTEGER), 4, 'hide', NULL, NULL, header,
        CAST(substr(user, instr(user, '/') + 1) AS INTEGER), rowid
    FROM edge WHERE used_kind = 'flag' AND how = '{HIDES}')
ORDER BY flag, rank, first
"""
"""The uses of flags by events, and by the effects of commands."""


def fill_flags(source: Source) -> Iterator[tuple[str, Rows]]:
    """The flags and their uses, of the edges."""
    names, uses = source.world.game.tables.save_names, source.store.rows(_FLAG_USES)
    flags = sorted({*(flag for flag, *_ in uses), *names.flags, *names.hidden_items, *names.trainers})
    yield "flag", ((flag, flag_name(names, flag), _meaning(names.flag_ranges, flag)) for flag in flags)
    yield "flag_use", uses


def _variables(source: Source) -> Iterator[Row]:
    names = source.world.game.tables.save_names
    for variable, name in sorted(names.variables.items()):
        yield variable, name, _meaning(names.variable_ranges, variable)


def _meaning(ranges: Sequence[tuple[Any, ...]], number: int) -> str:
    return next((meaning for numbers, *_, meaning in ranges if number in numbers), "")
