"""`info`, `maps` and `show`: the contents of a ROM, its places, and one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import map_argument, rom_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, json_option, print_fields, print_json, print_table, summary
from mapexplorer.export.request import PlaceRequest
from mapexplorer.scene.view import View

if TYPE_CHECKING:
    from mapexplorer.inspector.place import PlaceFacts
    from mapexplorer.world.header import Header


@click.command()
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


@click.command()
@rom_argument
@click.argument("text", default="")
@json_option
def maps(rom: str, text: str, as_json: bool) -> int:
    """List places, or those whose id, names or kind contain TEXT."""
    from mapexplorer.inspector.output import leftover_json
    from mapexplorer.world.header import header_json
    from mapexplorer.world.wording import leftover_label
    from mapexplorer.world.world import FieldWorld

    wanted, world = text.casefold(), FieldWorld.open(rom)
    found = [header for header in world.headers if any(wanted in part.casefold() for part in _words(header))]
    left = {header.id: world.leftovers.of_header(header.id) for header in found}
    if as_json:
        lists = {number: {"left_over": [leftover_json(one) for one in rules]} for number, rules in left.items()}
        print_json({"maps": [header_json(h) | {"matrix": h.matrix, "area": h.area} | lists[h.id] for h in found]})
    elif found:
        print_table(
            ("id", "name", "location", "kind", "matrix", "area", "left over"),
            [
                (h.id, h.internal_name, h.location_name, h.kind, h.matrix, h.area,
                 ", ".join(leftover_label(one) for one in left[h.id]))
                for h in found
            ],
        )  # fmt: skip
    summary(f"{count(len(found), 'place')}" + (f" with {text!r}." if text else "."), as_json=as_json)
    return 0 if found else 1


def _words(header: Header) -> tuple[str, ...]:
    return str(header.id), header.internal_name, header.location_name, header.kind


@click.command()
@rom_argument
@map_argument
@one_option(PlaceRequest, "matrix")
@one_option(PlaceRequest, "area")
@one_option(View, "save")
@json_option
def show(rom: str, map_name: str, matrix: int | None, area: int | None, save: str, as_json: bool) -> int:
    """One place: header, matrix, area, light, props and animations, each with its source; with --save entered also what
    its scripts change when it is entered."""
    from mapexplorer.inspector.place import find_place, place_json
    from mapexplorer.world.world import FieldWorld

    facts = find_place(FieldWorld.open(rom).place(map_name, matrix, area), save)
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
        click.echo()
        print_table(PROP_COLUMNS, prop_rows(facts))
    for title, sentences in remarks(facts):
        click.echo(f"\n{title}")
        for sentence in sentences:
            click.echo(f"  {sentence}")
