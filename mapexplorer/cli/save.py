"""`save`: what is in a saved game, what it has left to do, what happened since another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import Value, rom_argument
from mapexplorer.cli.output import count, csv_text, examples
from mapexplorer.inspector.lines import field_lines, table_lines
from mapexplorer.values import ChoiceOrFile

if TYPE_CHECKING:
    from mapexplorer.world.saved_game import SavedGame
    from mapexplorer.world.world import FieldWorld

_FILE: Final = Value(ChoiceOrFile(()))


@click.command(
    epilog=examples("save demo my.sav", "save demo my.sav --left --map T01", "save demo my.sav --standable T01 --json")
)
@rom_argument
@click.argument("file", metavar="FILE", type=_FILE)
@click.option("--left", is_flag=True, help="What is left: items, hidden items, trainers, gifts, places not yet seen.")
@click.option("--map", "map_name", metavar="MAP", help="With --left: only on this map, or on all of this place.")
@click.option("--since", metavar="OLD", type=_FILE, help="What happened since an older save.")
@click.option("--standable", metavar="MAP", help="The tiles of a map on which a player can be put.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV instead of text.")
@answered
def save(
    rom: str,
    file: str,
    left: bool,
    map_name: str | None,
    since: str | None,
    standable: str | None,
    as_csv: bool,
) -> Answer:
    """A saved game of Pokémon Platinum: who, where, badges, time played, money, Pokédex, story flags.

    FILE is a .sav or .dsv file, or a dump of memory, MEMORY.bin@0xOFFSET where its `SaveData` is not found. It is
    never written to.
    """
    from mapexplorer.world.saved_game import read_saved_game
    from mapexplorer.world.world import FieldWorld

    if sum((left or map_name is not None, since is not None, standable is not None)) > 1:
        raise click.UsageError("Give one of --left, --since and --standable.")
    world, saved = FieldWorld.open(rom), read_saved_game(file)
    if left or map_name is not None:
        answer = _left(world, saved, map_name, as_csv)
    elif since is not None:
        answer = _happened(world, read_saved_game(since), saved, as_csv)
    elif standable is not None:
        answer = _standable(world, file, standable, as_csv)
    elif as_csv:
        raise click.UsageError("--csv is for --left, --since and --standable.")
    else:
        answer = _facts(world, saved)
    return replace(answer, before=[str(note) for note in saved.notes])


def _facts(world: FieldWorld, saved: SavedGame) -> Answer:
    from mapexplorer.inspector.saved import save_json, save_sections

    facts = save_json(world, saved)
    lines = [
        line
        for section in save_sections(world, facts)
        for line in ("", section.title, *(f"  {line}" for line in field_lines(section.rows)))
    ]
    said = f"{count(len(facts['player']['badges']), 'badge')}, {count(len(facts['flags']), 'flag')} set."
    return Answer(said, lines[1:], lambda: facts)


def _left(world: FieldWorld, saved: SavedGame, name: str | None, as_csv: bool) -> Answer:
    from mapexplorer.inspector.saved import LEFT_COLUMNS, left_in, left_rows
    from mapexplorer.world.headers.header import find_maps

    headers = world.headers if name is None else find_maps(world.headers, name)
    left = left_in(world, saved.save(world.game), [header.id for header in headers])
    kinds = Counter(str(each.kind) for each in left)
    said = ", ".join(count(number, kind) for kind, number in kinds.items()) or "nothing"
    return _rows(f"Left: {said}.", "left", LEFT_COLUMNS, left_rows(world, left), as_csv)


def _happened(world: FieldWorld, old: SavedGame, new: SavedGame, as_csv: bool) -> Answer:
    from mapexplorer.inspector.saved import happened

    rows = happened(world, old, new)
    return _rows(f"{count(len(rows), 'difference')}.", "happened", ("kind", "what"), rows, as_csv)


def _standable(world: FieldWorld, file: str, name: str, as_csv: bool) -> Answer:
    from formats.fixed import ONE
    from mapexplorer.scene.conditions import shown_save
    from mapexplorer.scene.saves import saved_moment
    from mapexplorer.scene.view import View
    from mapexplorer.walk.standable import standable

    place = world.place(name)
    shown = shown_save(place, View(save=file, **saved_moment(file)))
    rows = [(x, z, height / ONE) for x, z, height in standable(place.of_save(shown), shown)]
    return _rows(f"{count(len(rows), 'tile')} of {place.header.title}.", "tiles", ("x", "z", "height"), rows, as_csv)


def _rows(said: str, key: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], as_csv: bool) -> Answer:
    return Answer(
        said,
        table_lines(columns, rows) if rows else (),
        lambda: {key: [dict(zip(columns, row, strict=True)) for row in rows]},
        csv_text(columns, rows) if as_csv else None,
        streamed=as_csv,
    )
