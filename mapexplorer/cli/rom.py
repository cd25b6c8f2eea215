"""`info` and `maps`: the contents of a ROM, and its places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import rom_argument, words_argument
from mapexplorer.cli.output import count, examples, json_option
from mapexplorer.inspector.lines import field_lines, table_lines

if TYPE_CHECKING:
    from mapexplorer.world.headers.header import Header


@click.command(epilog=examples("info demo", "info demo --json"))
@rom_argument
@answered
def info(rom: str) -> Answer:
    """Release, counts, and what is missing in a ROM."""
    from mapexplorer.inspector.roms.rom import find_rom, rom_json, rom_sections
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    facts = find_rom(world)
    return Answer(
        f"{count(len(world.headers), 'map header')}, {count(len(world.rom.files), 'file')}, "
        f"{count(len(facts.missing), 'optional file')} missing, {len(facts.damaged)} damaged.",
        field_lines(fact for section in rom_sections(facts) for fact in section.rows),
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
    from mapexplorer.naming import has_words, words
    from mapexplorer.world.wording import leftover_label
    from mapexplorer.world.world import FieldWorld

    wanted, world = words(text), FieldWorld.open(rom)
    headers = [header for header in world.headers if has_words(wanted, _names(header))]
    if headers and (as_csv or (columns and not as_json)):
        from mapexplorer.cli.table import maps_answer

        return maps_answer(world, headers, columns, f"{count(len(headers), 'place')}.", as_csv=as_csv).show()
    left = {header.id: world.leftovers(header.id) for header in headers}
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
        for header in headers
    ]

    def plain() -> dict[str, Any]:
        from mapexplorer.inspector.output import leftover_json
        from mapexplorer.world.headers.header import header_json

        maps = [
            header_json(header)
            | {"matrix": header.matrix, "area": header.area}
            | {"left_over": [leftover_json(rule) for rule in left[header.id]]}
            for header in headers
        ]
        return {"maps": maps}

    titles = ("id", "name", "symbolic name", "location", "kind", "matrix", "area", "left over")
    return Answer(
        f"{count(len(headers), 'place')}" + (f" with {text!r}." if text else "."),
        table_lines(titles, rows) if rows else (),
        plain,
        status=0 if headers else 1,
    ).show(as_json=as_json)


def _names(header: Header) -> str:
    return " ".join((str(header.id), *header.names, header.kind))
