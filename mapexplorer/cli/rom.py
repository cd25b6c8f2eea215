"""`info`, `maps` and `show`: the contents of a ROM, its places, and one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, rom_argument, things_argument, words_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples, field_lines, json_option, table_lines
from mapexplorer.export.request import PlaceRequest
from mapexplorer.scene.view import View

if TYPE_CHECKING:
    from mapexplorer.catalogue.kinds import Found
    from mapexplorer.inspector.place import PlaceFacts
    from mapexplorer.world.header import Header
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.world import FieldWorld


@click.command(epilog=examples("info demo", "info demo --json"))
@rom_argument
@answered
def info(rom: str) -> Answer:
    """Release, counts, and what is missing in a ROM."""
    from mapexplorer.inspector.rom import find_rom, rom_fields, rom_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    facts = find_rom(world)
    return Answer(
        f"{count(len(world.headers), 'map header')}, {count(len(world.rom.files), 'file')}, "
        f"{count(len(facts.missing), 'optional file')} missing, {len(facts.damaged)} damaged.",
        field_lines(rom_fields(facts)),
        lambda: rom_json(facts),
        status=1 if facts.damaged else 0,
    )


@click.command(
    epilog=examples("maps demo", "maps demo lake", "maps demo --csv --columns header,internal_name,weather_name")
)
@rom_argument
@words_argument("text", "[TEXT]", required=False)
@click.option("--columns", metavar="NAME,...", help="Only these columns of `table ROM maps`, in this order.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV instead of text.")
@json_option
def maps(rom: str, text: str, columns: str | None, as_csv: bool, as_json: bool) -> int:
    """List places, or those whose id, names and kind have all words of TEXT."""
    from mapexplorer.inspector.output import leftover_json
    from mapexplorer.naming import has_words, words
    from mapexplorer.world.header import header_json
    from mapexplorer.world.wording import leftover_label
    from mapexplorer.world.world import FieldWorld

    wanted, world = words(text), FieldWorld.open(rom)
    found = [header for header in world.headers if has_words(wanted, _names(header))]
    if found and (as_csv or (columns and not as_json)):
        from mapexplorer.cli.table import maps_answer

        return maps_answer(world, found, columns, f"{count(len(found), 'place')}.", as_csv=as_csv).show()
    left = {header.id: world.leftovers.of_header(header.id) for header in found}
    rows = [
        (
            header.id,
            header.internal_name,
            header.symbolic_name,
            header.name,
            header.kind,
            header.matrix,
            header.area,
            ", ".join(leftover_label(rule) for rule in left[header.id]),
        )
        for header in found
    ]
    plain = [
        header_json(header)
        | {"matrix": header.matrix, "area": header.area}
        | {"left_over": [leftover_json(rule) for rule in left[header.id]]}
        for header in found
    ]
    titles = ("id", "name", "symbolic name", "location", "kind", "matrix", "area", "left over")
    return Answer(
        f"{count(len(found), 'place')}" + (f" with {text!r}." if text else "."),
        table_lines(titles, rows) if rows else (),
        lambda: {"maps": plain},
        status=0 if found else 1,
    ).show(as_json=as_json)


def _names(header: Header) -> str:
    return " ".join((str(header.id), *header.names, header.kind))


@click.command(
    epilog=examples("show demo T01", "show demo prop:5", "show demo texture:1/0/0 --json", "show demo FLAG_HAS_POKEDEX")
)
@rom_argument
@things_argument
@one_option(PlaceRequest, "matrix")
@one_option(PlaceRequest, "area")
@one_option(View, "save")
@constants_option
@answered
def show(rom: str, thing: str, matrix: int | None, area: int | None, save: str, constants: bool) -> Answer:
    """One thing with the sources of its facts.

    THING is a map (every field of its header with what it refers to, light, props and animations; with --save entered
    also what its scripts change when it is entered), or KIND:NAME of another thing: the party of a trainer, where an
    item comes from, a texture and its users, a prop, a species, a flag ...; also a constant of the decompilation.
    """
    from mapexplorer.catalogue.kinds import HEADER
    from mapexplorer.catalogue.resolve import ALL, find_thing
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    shown = world.showing(constants=constants)
    if matrix is not None or area is not None:
        return _place(shown.place(thing, matrix, area), save)
    found = find_thing(world, thing, ALL)
    return _place(shown.place(*found.subject.key), save) if found.subject.kind == HEADER else _thing(shown, found)


def _thing(world: FieldWorld, thing: Found) -> Answer:
    from mapexplorer.inspector.describe import describe_thing
    from mapexplorer.inspector.output import description_json, text_lines

    description = describe_thing(world, thing)
    facts = sum(len(section.facts) for section in description.sections)
    return Answer(
        f"{thing.title}: {count(facts, 'fact')}.", text_lines(description), lambda: description_json(description)
    )


def _place(place: FieldPlace, save: str) -> Answer:
    from mapexplorer.inspector.place import find_place, place_json

    facts = find_place(place, save)
    white = facts.textures.props_white + facts.textures.cells_white
    return Answer(
        f"{count(len(facts.place.cells), 'cell')}, {count(len(facts.props), 'prop')}, {white} with missing textures, "
        f"{count(facts.textures.dummy_boxes, 'dummy box', 'dummy boxes')}, {len(facts.damaged)} damaged.",
        _place_lines(facts),
        lambda: place_json(facts),
        status=1 if facts.damaged else 0,
    )


def _place_lines(facts: PlaceFacts) -> Iterator[str]:
    from mapexplorer.inspector.place import PROP_COLUMNS, place_fields, prop_rows, remarks

    yield from field_lines(place_fields(facts))
    if facts.props:
        yield from ("", *table_lines(PROP_COLUMNS, prop_rows(facts)))
    for title, sentences in remarks(facts):
        yield from ("", title, *(f"  {sentence}" for sentence in sentences))
