"""Map headers, matrices, cells and areas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np

from formats.field.field_types import Path
from formats.field.map_header import NO_WILD_ENCOUNTERS, MapHeaderTable
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.uses import uses
from mapexplorer.features import unknown_parts
from mapexplorer.games import NameBank, Role
from mapexplorer.inspector.facts import Described, Describers, Fact, Section, filled, listed, section
from mapexplorer.inspector.origins import row_origin
from mapexplorer.inspector.places.feature import state_facts
from mapexplorer.inspector.raw_bytes import RawBytes, field_meaning
from mapexplorer.inspector.things.common import (
    Context,
    counted_events,
    header_link,
    link,
    member,
    prop_name,
    resolved,
)
from mapexplorer.values import count
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header_names import header_field_name
from mapexplorer.world.models.textures import report as texture_report
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.references.references import ARCHIVES, named
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.provenance import Facts, ProgramTable, Provenance, SourceRule
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import damage, leftover, part, texture_remarks

_NO_NAME: Final = "no name is known"

_FIELDS: Final[Mapping[str, tuple[tuple[str, str, str, str], ...]]] = {
    "Names": (
        ("label_text", "Location name", "text", _NO_NAME),
        ("label_window", "Name window", "", _NO_NAME),
        ("map_type", "Map type", "", _NO_NAME),
        ("kanto", "In Kanto", "", "else in Johto"),
        ("world_map_x", "Town map x", "", ""),
        ("world_map_y", "Town map y", "", ""),
    ),
    "Made of": (("camera_type", "Camera", "camera", _NO_NAME), ("weather", "Weather", "weather", _NO_NAME)),
    "In play": (
        ("events", "Events", "events", ""),
        ("scripts", "Scripts", "scripts", "of people, signs and triggers"),
        ("init_scripts", "Initial scripts", "scripts", "run when the map is entered"),
        ("message_bank", "Text bank", "messages", _NO_NAME),
        ("wild_encounters", "Wild encounters", "encounters", ""),
        ("preload_list", "Preload list", "preload list", "sprites kept in memory"),
        ("day_music", "Music by day", "music", _NO_NAME),
        ("night_music", "Music by night", "music", _NO_NAME),
        ("battle_background", "Battle background", "", _NO_NAME),
        ("bicycle", "Bicycle", "", ""),
        ("running", "Running", "", "stored, but not used by the game"),
        ("escape_rope", "Escape rope", "", ""),
        ("fly", "Fly", "", ""),
        ("follower_mode", "Followers", "", _NO_NAME),
        ("mothers_call_group", "Mother's calls", "", _NO_NAME),
        ("outgoing_calls", "Outgoing calls", "", ""),
        ("incoming_calls", "Incoming calls", "", ""),
        ("radio", "Radio", "", ""),
    ),
}
"""Title of a section -> (field, its label, the kind of thing that its number is, its meaning if it has no name)."""


def header_facts(place: FieldPlace) -> dict[str, dict[str, Fact]]:
    """Title of a section -> field -> the fact about it; fields that the header's record lacks are left out."""
    world, header, tables = place.world, place.header, place.world.game.tables
    entry = Provenance(Role.MAP_NAMES, SourceRule.ENTRY_OF_HEADER, header.id, facts=Facts(header=header.id))
    constant = world.game.constant("header", header.id, world.rom.code)
    size = f"{place.matrix.width} x {place.matrix.height} cells, {count(len(place.cells), 'own cell')}"
    first = {
        "Names": {
            "id": Fact("Header", str(header.id), "", world.header_table.why),
            "internal_name": Fact("Internal name", header.internal_name, "", entry),
            "symbolic_name": Fact("Symbolic name", header.symbolic_name or "none", constant or _NO_NAME),
        },
        "Made of": {
            "matrix": resolved("Matrix", "matrix", place.matrix_id, size),
            "area": resolved("Area", "area", place.area_id),
            "terrain_set": resolved("Terrain textures", "terrain set", place.terrain_set()),
            "prop_set": resolved("Prop textures", "prop set", place.prop_set()),
            "light_set": resolved("Light", "light set", place.light_set(), _light(place)),
        },
    }
    weather = world.weather(header)
    said = {"events": _events(place)}
    if weather.value != header.weather:
        said["weather"] = f"{tables.weather_name(header.weather)}; on 1 January {tables.weather_name(weather.value)}"
    sources = {"camera_type": world.camera_table.why, "weather": weather.why}
    return {
        title: {
            **first.get(title, {}),
            **{
                field: _fact(place, field, label, kind, said.get(field, meaning), sources.get(field))
                for field, label, kind, meaning in rows
                if getattr(header, field) is not None
            },
        }
        for title, rows in _FIELDS.items()
    }


def _fact(place: FieldPlace, field: str, label: str, kind: str, meaning: str, why: Provenance | None) -> Fact:
    value: Any = getattr(place.header, field)
    if isinstance(value, bool):
        return Fact(label, "yes" if value else "no", meaning)
    if (field, value) == ("wild_encounters", NO_WILD_ENCOUNTERS):
        return Fact(label, "none")
    bank = place.world.game.name_bank(NameBank.PLACES, place.world.rom.code) if kind == "text" else None
    goal = None if not kind or (kind == "text" and bank is None) else subject(kind, *filter(None, (bank,)), value)
    name = header_field_name(place.world, field, value)
    words = (ARCHIVES.get(kind, ""), name if name and meaning in ("", _NO_NAME) else meaning)
    return Fact(label, str(value), ": ".join(filter(None, words)), why, goal)


def _events(place: FieldPlace) -> str:
    damaged: list[Damage] = []
    events = readable_events(place.world, place.header.id, damaged)
    if events is None:
        return "damaged" if damaged else "the ROM has none"
    return counted_events(events)


def _light(place: FieldPlace) -> str:
    light = place.light
    if light is None:
        return "damaged"
    words = "replaces the material colours" if place.outdoor_light else "material colours are the models' own"
    return f"{count(len(light.blocks), 'block')}, {words}"


def describe_header(context: Context, number: int) -> Described:
    """A map header: all fields, their links, and the parts of the map."""
    world = context.world
    header = world.headers[number]
    of_fields = [Section(title, tuple(facts.values())) for title, facts in header_facts(world.place(number)).items()]
    feature = context.feature
    added = state_facts(feature, context.place) if feature is not None and feature.header == number else []
    warps = [use for use in uses(reference_store(world), subject("header", number), "header") if use.rule == REFERENCE]
    leads = (Fact(part(use.part), header_link(context, use.used.key[0]).value, link=use.used) for use in warps)
    others = filled(
        section("Added by code", *added),
        *(Section("Not known", (Fact("", words),)) for words in [unknown_parts(world.place(number))] if words),
        Section("Left over", tuple(Fact("", leftover(rule)) for rule in world.leftovers(number))),
        *_missing(world.place(number)),
        *([listed("Leads to", leads, 40)] if warps else []),
    )
    subtitle = f"{header.internal_name} · header {number} · {header.kind}"
    return header.title, subtitle, (*of_fields, *others), _record(world, number)


def _record(world: FieldWorld, number: int) -> RawBytes:
    """The record of a header: in the program with the others, or by itself if it is made of a text."""
    why, table, record = world.header_table.why, world.header_table.value, world.game.header_record
    name, start, meaning = f"{why.archive}: map header {number}", why.offset, partial(field_meaning, world)
    if start is None:
        return RawBytes(
            name,
            table[number].tobytes(),
            record.from_bytes,
            meaning,
            origin=lambda path, _: row_origin(world, ProgramTable.MAP_HEADERS, number, _field_number(world, path)),
        )
    return RawBytes(
        name,
        world.rom.arm9(),
        lambda reader: MapHeaderTable.from_bytes(reader.view(start, table.nbytes, "map headers"), record),
        meaning,
        (("map headers", f"header {number}"),),
    )


def _field_number(world: FieldWorld, path: Path) -> int | None:
    """Which field of a map header a path leads to; None for the whole."""
    names = [field.name for field in fields(world.game.header_record)]
    return names.index(path[-1]) if path and path[-1] in names else None


def _missing(place: FieldPlace) -> Iterator[Section]:
    """The textures and files that a place of few cells lacks."""
    if 0 < len(place.cells) <= 12:
        report = texture_report(place)
        damaged = [damage(lost) for lost in dict.fromkeys([*place.damage(), *report.damaged])]
        for title, lines in (("White in the game, or replaced", texture_remarks(report)), ("Damaged", damaged)):
            yield section(title, *(Fact("", line) for line in lines[:20]))


def describe_matrix(context: Context, number: int) -> Described:
    """A matrix: its sections and which headers its cells name."""
    matrix = context.world.matrix(number)
    has_land = matrix.land != 0xFFFF
    own = "each cell names its header" if matrix.headers is not None else "every cell belongs to the header entered"
    grid = section(
        "Grid",
        Fact("Size", f"{matrix.width} × {matrix.height} cells", f"{int(has_land.sum())} with land"),
        Fact("Name prefix", matrix.prefix or "none", "of the asset pipeline; not used by the game"),
        Fact("Header section", "no" if matrix.headers is None else "yes", own),
        Fact("Altitude section", "no" if matrix.altitudes is None else "yes", "8 units a step; moves terrain only"),
    )
    if matrix.headers is not None:
        ids, counts = np.unique(matrix.headers[has_land], return_counts=True)
        named = (
            Fact(count(number, "cell"), header_link(context, header).value, link=subject("header", header))
            for header, number in zip(ids.tolist(), counts.tolist(), strict=True)
            if header < len(context.world.headers)
        )
        cells = listed("Headers in it", named)
    else:
        lands = (
            Fact(f"Cell ({x}, {z})", f"land {land}", link=subject("land", int(land)))
            for (z, x), land in np.ndenumerate(matrix.land)
            if land != 0xFFFF
        )
        cells = section("Cells", *islice(lands, 80))
    return f"Matrix {number}", "map_matrix", (grid, cells), member(context, Role.MAP_MATRIX, number)


def describe_cell(context: Context, matrix: int, x: int, z: int) -> Described:
    """A cell: its land, its header, its texture sets and their sources."""
    place = context.place
    cell, bdhc = place.matrix_cells[x, z], place.terrain.bdhc(place.matrix_cells[x, z])
    facts = section(
        "Cell",
        link("Matrix", subject("matrix", cell.matrix)),
        Fact("Land data", str(cell.land), "", cell.why, subject("land", cell.land)),
        header_link(context, cell.header) if not cell.filler else Fact("Header", "0", "filler: belongs to no place"),
        Fact("Altitude", str(cell.altitude), f"{cell.altitude * 8} units; moves the terrain model only"),
        resolved("Area", "area", cell.area),
        resolved("Terrain textures", "terrain set", place.terrain_set(cell)),
        resolved("Prop set", "prop set", place.prop_set(cell)),
        resolved("Light set", "light set", place.light_set(cell)),
    )
    props = (
        Fact(
            f"Prop {prop.index}",
            f"{prop.model}  {prop_name(context, prop.model)}",
            "dummy box" if prop.substituted else "",
            link=subject("placed prop", cell.matrix, x, z, prop.index),
        )
        for prop in place.props(cell)
    )
    ground = section("Ground", Fact("Height plates", str(len(bdhc)), f"in {count(len(bdhc.strips), 'strip')}"))
    index = z * place.matrix.width + x
    own = ((grid, index) for grid in ("map header ids", "altitudes", "land data ids"))
    raw = member(context, Role.MAP_MATRIX, cell.matrix, *own)
    return f"Cell ({x}, {z})", f"of matrix {cell.matrix}", (facts, listed("Map props", props), ground), raw


def describe_area(context: Context, number: int) -> Described:
    """An area: the sets that it refers to."""
    area = context.world.area(number)
    leads = named(context.world, "area", number)
    models = len(context.world.prop_list(area.prop_set).models)
    sets = section(
        "Sets",
        link("Prop set", subject(*leads["prop set"]), meaning=f"{models} models"),
        link("Terrain textures", subject(*leads["terrain set"])),
        link("Light set", subject(*leads["light set"])),
    )
    raw = member(context, Role.AREA_DATA, number)
    return f"Area {number}", "area_data: texture, prop and light sets", (sets,), raw


DESCRIBERS: Final[Describers] = {
    "header": describe_header,
    "matrix": describe_matrix,
    "cell": describe_cell,
    "area": describe_area,
}
