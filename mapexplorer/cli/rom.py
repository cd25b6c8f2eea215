"""`info`, `maps` and `show`: the contents of a ROM, its places, and one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import constants_option, rom_argument, things_argument, words_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples, json_option, print_fields, print_json, print_table, summary
from mapexplorer.export.request import PlaceRequest
from mapexplorer.scene.view import View
from mapexplorer.system.terminal import echo

if TYPE_CHECKING:
    from mapexplorer.catalogue.kinds import Found
    from mapexplorer.inspector.place import PlaceFacts
    from mapexplorer.world.header import Header
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.world import FieldWorld


@click.command(epilog=examples("info demo", "info demo --json"))
@rom_argument
@json_option
def info(rom: str, as_json: bool) -> int:
    """Release, counts, and what is missing in a ROM."""
    from mapexplorer.inspector.rom import find_rom, rom_fields, rom_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    facts = find_rom(world)
    if as_json:
        print_json(rom_json(facts))
    else:
        print_fields(rom_fields(facts))
    summary(
        f"{count(len(world.headers), 'map header')}, {count(len(world.rom.files), 'file')}, "
        f"{count(len(facts.missing), 'optional file')} missing, {len(facts.damaged)} damaged.",
        as_json=as_json,
    )
    return 1 if facts.damaged else 0


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
        from mapexplorer.cli.table import print_maps

        print_maps(world, found, columns, as_csv=as_csv)
        summary(f"{count(len(found), 'place')}.", as_json=as_csv)
        return 0
    left = {header.id: world.leftovers.of_header(header.id) for header in found}
    if as_json:
        lists = {number: {"left_over": [leftover_json(one) for one in rules]} for number, rules in left.items()}
        print_json({"maps": [header_json(h) | {"matrix": h.matrix, "area": h.area} | lists[h.id] for h in found]})
    elif found:
        print_table(
            ("id", "name", "symbolic name", "location", "kind", "matrix", "area", "left over"),
            [
                (h.id, h.internal_name, h.symbolic_name, h.location_name, h.kind, h.matrix, h.area,
                 ", ".join(leftover_label(one) for one in left[h.id]))
                for h in found
            ],
        )  # fmt: skip
    summary(f"{count(len(found), 'place')}" + (f" with {text!r}." if text else "."), as_json=as_json)
    return 0 if found else 1


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
@json_option
def show(rom: str, thing: str, matrix: int | None, area: int | None, save: str, constants: bool, as_json: bool) -> int:
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
        return _show_place(shown.place(thing, matrix, area), save, as_json)
    found = find_thing(world, thing, ALL)
    if found.subject.kind == HEADER:
        return _show_place(shown.place(*found.subject.key), save, as_json)
    return _show_thing(shown, found, as_json)


def _show_thing(world: FieldWorld, thing: Found, as_json: bool) -> int:
    from mapexplorer.inspector.describe import describe_thing
    from mapexplorer.inspector.output import description_json, text_lines

    description = describe_thing(world, thing)
    if as_json:
        print_json(description_json(description))
    else:
        echo(*text_lines(description))
    facts = sum(len(section.facts) for section in description.sections)
    summary(f"{thing.title}: {count(facts, 'fact')}.", as_json=as_json)
    return 0


def _show_place(place: FieldPlace, save: str, as_json: bool) -> int:
    from mapexplorer.inspector.place import find_place, place_json

    facts = find_place(place, save)
    if as_json:
        print_json(place_json(facts))
    else:
        _print_place(facts)
    white = facts.textures.props_white + facts.textures.cells_white
    summary(
        f"{count(len(facts.place.cells), 'cell')}, {count(len(facts.props), 'prop')}, {white} with missing textures, "
        f"{count(facts.textures.dummy_boxes, 'dummy box', 'dummy boxes')}, {len(facts.damaged)} damaged.",
        as_json=as_json,
    )
    return 1 if facts.damaged else 0


def _print_place(facts: PlaceFacts) -> None:
    from mapexplorer.inspector.place import PROP_COLUMNS, place_fields, prop_rows, remarks

    print_fields(place_fields(facts))
    if facts.props:
        echo("")
        print_table(PROP_COLUMNS, prop_rows(facts))
    for title, sentences in remarks(facts):
        echo("", title)
        for sentence in sentences:
            echo(f"  {sentence}")
