"""`info`, `maps` and `show`: what is in a ROM, which places it has, what one place is made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from formats.binary import FormatError
from mapexplorer.cli.arguments import area_option, map_argument, matrix_option, rom_argument
from mapexplorer.cli.output import count, json_option, print_fields, print_json, print_table, summary
from mapexplorer.errors import RomError

if TYPE_CHECKING:
    from mapexplorer.api import Place, World
    from mapexplorer.world.header import Header
    from mapexplorer.world.place import PropPlacement

T = TypeVar("T")


@click.command()
@rom_argument
@json_option
def info(rom: str, as_json: bool) -> int:
    """Release, counts, and what is missing in a ROM."""
    from mapexplorer.api import World

    world = World(rom)
    opened, game = world.rom, world.game
    members: dict[str, int] = {}
    damaged: dict[str, str] = {}
    for path in (*game.needed, *game.optional):
        if opened.has(path) and opened.is_archive(path):
            try:
                members[path] = len(opened.archive(path))
            except FormatError as error:
                damaged[path] = str(error)
    missing = game.missing(opened)
    offset = str(world.header_table.why)
    if as_json:
        print_json(
            {
                "path": opened.path,
                "layout": opened.layout,
                "release": game.release(opened),
                "code": opened.code,
                "title": opened.name,
                "revision": opened.revision,
                "headers": len(world.headers),
                "headerTable": offset,
                "files": len(opened.files),
                "members": members,
                "missing": missing,
                "damaged": damaged,
                "notes": world.notes,
            }
        )
    else:
        print_fields(
            [
                ("ROM", f"{opened.path} ({opened.layout})"),
                ("Release", game.release(opened)),
                ("Files", f"{len(opened.files):,}"),
                ("Map headers", f"{len(world.headers):,}: {offset}"),
                *((path, count(number, "member")) for path, number in members.items()),
                *((f"damaged {path}", reason) for path, reason in damaged.items()),
                *((f"missing {path}", purpose) for path, purpose in missing.items()),
                *(("note", note) for note in world.notes),
            ]
        )
    summary(
        f"{count(len(world.headers), 'map header')}, {count(len(opened.files), 'file')}, "
        f"{count(len(missing), 'optional file')} missing, {len(damaged)} damaged.",
        as_json=as_json,
    )
    return 1 if damaged else 0


@click.command()
@rom_argument
@click.argument("text", default="")
@json_option
def maps(rom: str, text: str, as_json: bool) -> int:
    """List places, or those whose id, names or kind contain TEXT."""
    from mapexplorer.api import World

    wanted = text.casefold()
    found = [header for header in World(rom).headers if any(wanted in part.casefold() for part in _words(header))]
    if as_json:
        print_json(
            [
                {
                    "id": header.id,
                    "name": header.internal_name,
                    "location": header.location_name,
                    "kind": header.kind,
                    "matrix": header.matrix,
                    "area": header.area,
                }
                for header in found
            ]
        )
    elif found:
        print_table(
            ("id", "name", "location", "kind", "matrix", "area"),
            [(h.id, h.internal_name, h.location_name, h.kind, h.matrix, h.area) for h in found],
        )
    summary(f"{count(len(found), 'place')}" + (f" with {text!r}." if text else "."), as_json=as_json)
    return 0 if found else 1


def _words(header: Header) -> tuple[str, ...]:
    return str(header.id), header.internal_name, header.location_name, header.kind


@click.command()
@rom_argument
@map_argument
@matrix_option
@area_option
@json_option
def show(rom: str, map_name: str, matrix: int | None, area: int | None, as_json: bool) -> int:
    """One place: header, matrix, area, light, props and animations, each with the reason why."""
    from mapexplorer.api import World

    world = World(rom)
    place = world.place(map_name, matrix, area)
    facts = describe(world, place)
    if as_json:
        print_json(facts)
    else:
        _print_place(facts)
    summary(
        f"{count(len(facts['cells']), 'cell')}, {count(len(facts['props']), 'prop')}, "
        f"{facts['textures']['props white'] + facts['textures']['cells white']} with missing textures, "
        f"{count(facts['textures']['dummy boxes'], 'dummy box', 'dummy boxes')}, {len(facts['damaged'])} damaged.",
        as_json=as_json,
    )
    return 1 if facts["damaged"] else 0


def describe(world: World, place: Place) -> dict[str, Any]:
    """Everything that `show` says about a place, as plain data; `damaged` has what cannot be read."""
    header = place.header
    report = place.texture_report
    damaged = list(report.damaged)

    def attempt(read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except (FormatError, RomError) as error:
            damaged.append(str(error))
            return otherwise

    light = attempt(lambda: place.light, None)
    weather, weather_name = world.weather(header), world.game.tables.weather_name
    events = attempt(lambda: place.events, None)
    none: tuple[PropPlacement, ...] = ()
    props = [prop for cell in place.cells for prop in attempt(partial(place.props, cell), none)]
    described = [_prop(world, prop, damaged) for prop in props]
    return {
        "id": header.id,
        "name": header.internal_name,
        "location": header.location_name,
        "kind": header.kind,
        "header": {name: value for name, value in vars(header).items() if name not in ("id", "internal_name")},
        "header why": str(world.header_table.why),
        "matrix": {
            "id": place.matrix_id.value,
            "why": str(place.matrix_id.why),
            "width": place.matrix.width,
            "height": place.matrix.height,
        },
        "area": {
            "id": place.area_id.value,
            "why": str(place.area_id.why),
            "terrain textures": str(place.terrain_set().why),
            "prop textures": str(place.prop_set().why),
            "light": str(place.light_set().why),
            "light blocks": len(light.blocks) if light is not None else None,
            "outdoor light": place.outdoor_light,
        },
        "camera": {"id": header.camera_type, "name": place.camera.name, "why": str(world.camera_table.why)},
        "weather": {
            "id": weather.value,
            "name": weather_name(weather.value),
            "why": str(weather.why),
        },
        "events": None
        if events is None
        else {
            "people": len(events.objects),
            "warps": len(events.warps),
            "signs": len(events.background),
            "triggers": len(events.triggers),
        },
        "cells": [
            {
                "x": cell.x,
                "z": cell.z,
                "land": cell.land,
                "altitude": cell.altitude,
                "area": cell.area.value,
                "why": [str(cell.why), str(cell.area.why)],
            }
            for cell in place.cells
        ],
        "props": described,
        "textures": {
            "cells resolved": report.cells_resolved,
            "cells white": report.cells_white,
            "props white": report.props_white,
            "dummy boxes": report.dummy_boxes,
            "remarks": report.sentences(),
        },
        "damaged": list(dict.fromkeys(damaged)),
    }


def _prop(world: World, prop: PropPlacement, damaged: list[str]) -> dict[str, Any]:
    from mapexplorer.world.animations import prop_animations

    try:
        name = world.prop_model(prop.model).models[0].name
    except FormatError as error:
        name = None
        damaged.append(str(error))
    return {
        "cell": [prop.cell.x, prop.cell.z],
        "index": prop.index,
        "model": prop.model,
        "stored": prop.stored,
        "name": name,
        "position": [value / 4096 for value in prop.position],
        "why": str(prop.why),
        "animations": [str(animation) for animation in prop_animations(world, prop.model, damaged)],
    }


def _print_place(facts: dict[str, Any]) -> None:
    area, matrix, weather, events = facts["area"], facts["matrix"], facts["weather"], facts["events"]
    title = f"{facts['location']} ({facts['name']})" if facts["location"] else facts["name"]
    print_fields(
        [
            ("Place", f"{facts['id']} {title}, {facts['kind']}"),
            ("Header", facts["header why"]),
            ("Matrix", f"{matrix['why']}; {matrix['width']} x {matrix['height']} cells"),
            ("Area", area["why"]),
            ("Terrain textures", area["terrain textures"]),
            ("Prop textures", area["prop textures"]),
            ("Light", f"{area['light']}; {_light_words(area)}"),
            ("Camera", f"{facts['camera']['id']} {facts['camera']['name']}: {facts['camera']['why']}"),
            ("Weather", f"{weather['name']}: {weather['why']}"),
            ("Events", "none" if events is None else ", ".join(f"{n} {name}" for name, n in events.items())),
            *(("Cell", f"({cell['x']}, {cell['z']}): {'; '.join(cell['why'])}") for cell in facts["cells"]),
        ]
    )
    if facts["props"]:
        click.echo()
        print_table(
            ("cell", "prop", "model", "name", "x", "y", "z", "why"),
            [
                (
                    f"{p['cell'][0]},{p['cell'][1]}",
                    p["index"],
                    p["model"],
                    p["name"],
                    *(f"{v:g}" for v in p["position"]),
                    p["why"],
                )
                for p in facts["props"]
            ],
        )
    lines = sorted({f"{p['name'] or p['model']}: {line}" for p in facts["props"] for line in p["animations"]})
    for title, sentences in (
        ("Animations", lines),
        ("Textures", facts["textures"]["remarks"]),
        ("Damaged", facts["damaged"]),
    ):
        if sentences:
            click.echo(f"\n{title}")
            for sentence in sentences:
                click.echo(f"  {sentence}")


def _light_words(area: dict[str, Any]) -> str:
    if area["light blocks"] is None:
        return "damaged"
    words = "replaces the material colours" if area["outdoor light"] else "material colours are the models' own"
    return f"{count(area['light blocks'], 'block')}, {words}"
