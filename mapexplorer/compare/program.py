"""The differences between two programs outside the tables that have comparisons of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from formats.binary import FormatError
from formats.field.map_header import MAP_HEADER_BYTES
from formats.field.program_tables import YEARLY_WEATHER, YEARLY_WEATHER_DAYS
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, differing
from mapexplorer.compare.sides import Side, Sides
from mapexplorer.rom import Rom
from mapexplorer.world.sources.program_tables import table_record
from mapexplorer.world.sources.provenance import ARM9, ProgramTable, Provenance

_GAP: Final = 16
"""Different bytes with fewer equal ones between them are one change."""
_SHOWN_BYTES: Final = 8
_MOST: Final = 50
"""The most changed ranges of a part that are named one by one."""

Span = tuple[str, int, int]
"""A part of the program, first byte and size."""


def same_programs(before: Rom, after: Rom) -> bool:
    """Whether the programs, all overlays and the tables that are texts are equal; an overlay that cannot be unpacked
    and a text that cannot be read equal none."""
    if before.arm9() != after.arm9() or before.overlay_records() != after.overlay_records():
        return False
    try:
        return all(
            before.readable_overlay(record.number) == after.readable_overlay(record.number)
            for record in before.overlay_records()
        ) and all(_stated(before, table) == _stated(after, table) for table in ProgramTable)
    except FormatError:
        return False


def _stated(rom: Rom, table: ProgramTable) -> bytes | None:
    stated = rom.table(table.name)
    return None if stated is None else stated.data


def weather_changes(sides: Sides) -> Iterator[Change]:
    """The days whose weather is another one."""
    old, new = sides.before.world.yearly_weather, sides.after.world.yearly_weather
    if old is None or new is None:
        return
    columns = tuple(sides.after.world.game.tables.yearly_weathers)
    for day, column in np.argwhere(old.value != new.value).tolist():
        was, now = int(old.value[day, column]), int(new.value[day, column])
        before, after = (side.world.game.tables for side in (sides.before, sides.after))
        names = before.weather_name(was), after.weather_name(now)
        maps = [header.id for header in sides.after.world.headers if header.weather == columns[column]]
        yield Change(
            ChangedKind.PROGRAM,
            ChangeAction.CHANGED,
            ("yearly weather", columns[column], day),
            "",
            "weather",
            was,
            now,
            *names,
            tuple(maps),
        )


def program_changes(sides: Sides) -> Iterator[Change]:
    """The bytes of the programs and overlays that differ outside the tables of headers, cameras, object graphics and
    weathers; none where a ROM has texts in the place of its program."""
    before, after = sides.before.world.rom, sides.after.world.rom
    if not (before.arm9() and after.arm9()):
        return
    parts = {ARM9: (before.arm9(), after.arm9())}
    for number in sorted({record.number for rom in (before, after) for record in rom.overlay_records()}):
        old, new = before.readable_overlay(number), after.readable_overlay(number)
        parts[f"overlay {number}"] = (old.data if old else b"", new.data if new else b"")
    known = [*_tables(sides.before), *_tables(sides.after)]
    for name, (was, now) in parts.items():
        yield from differing(ChangedKind.PROGRAM, (name,), ("size", len(was), len(now)))
        yield from _ranges(name, was, now, [(start, size) for part, start, size in known if part == name])


def _tables(side: Side) -> Iterator[Span]:
    """The tables that have comparisons of their own."""
    world = side.world
    program = world.game.program
    tables: list[tuple[Provenance, int]] = [
        (world.header_table.why, MAP_HEADER_BYTES * len(world.headers)),
        (world.camera_table.why, table_record(program.camera_record).itemsize * program.cameras),
        (world.object_graphics.why, table_record(program.graphics_record).itemsize * len(world.object_graphics.value)),
    ]
    if world.yearly_weather is not None:
        tables.append((world.yearly_weather.why, YEARLY_WEATHER.itemsize * YEARLY_WEATHER_DAYS))
    return ((why.archive or "", why.offset, size) for why, size in tables if why.offset is not None)


def _ranges(name: str, before: bytes, after: bytes, tables: list[tuple[int, int]]) -> Iterator[Change]:
    size = min(len(before), len(after))
    differ = np.frombuffer(before, np.uint8, size) != np.frombuffer(after, np.uint8, size)
    for start, length in tables:
        differ[start : start + length] = False
    places = np.flatnonzero(differ)
    if not len(places):
        return
    runs = np.split(places, np.flatnonzero(np.diff(places) > _GAP) + 1)
    if len(runs) > _MOST:
        yield Change(ChangedKind.PROGRAM, ChangeAction.CHANGED, (name,), "", "different bytes", 0, len(places))
        return
    for run in runs:
        start, end = int(run[0]), int(run[-1]) + 1
        shown = end - start <= _SHOWN_BYTES
        values = (before[start:end].hex(" "), after[start:end].hex(" ")) if shown else (None, None)
        yield Change(ChangedKind.PROGRAM, ChangeAction.CHANGED, (name, start), "", "bytes", *values)
