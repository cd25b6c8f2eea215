"""One place: header, matrix, area, light, camera, weather, cells, props and animations, each with its source."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from formats.field.area_light import AreaLight
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from mapexplorer.features import Feature, entered
from mapexplorer.inspector.arrival import ArrivalFacts, arrival_json, arrival_lines, find_arrival
from mapexplorer.inspector.feature import feature_fields, feature_json
from mapexplorer.inspector.header_fields import header_facts
from mapexplorer.inspector.output import fact_json, fact_text, leftover_json, source_json
from mapexplorer.scene.view import ENTERED, NEW
from mapexplorer.world import FieldPlace, PropPlacement, Provenance, Resolved
from mapexplorer.world.animations import PropAnimation, prop_animations
from mapexplorer.world.cells import Cell
from mapexplorer.world.damage import Damage, LeftOut, attempt
from mapexplorer.world.header import header_json
from mapexplorer.world.leftovers import Leftover, Leftovers
from mapexplorer.world.readable import NO_SET
from mapexplorer.world.save import fresh_save
from mapexplorer.world.textures import TextureReport
from mapexplorer.world.textures import report as texture_report
from mapexplorer.world.wording import damage, leftover, source, texture_remarks


@dataclass(frozen=True, eq=False)
class PropFacts:
    """A placed prop, the name of the model that is drawn (None: it cannot be read), and its animations."""

    placement: PropPlacement
    name: str | None
    animations: tuple[PropAnimation, ...]


@dataclass(frozen=True, eq=False)
class PlaceFacts:
    """The parts of a place. `ids` are the numbers that its header and its area refer to, by kind; `header` and `camera`
    the sources of these tables; `light` and `events` are None if they cannot be read or the ROM has none; `feature` is
    what code adds to the map in a new game, None for nothing; `leftovers` are the leftover rules of its header;
    `arrival`: what entering it changes, None if it was not asked for or cannot be read; `damaged`: what cannot be
    read."""

    place: FieldPlace
    header: Provenance
    camera: Provenance
    ids: dict[str, Resolved[int]]
    light: AreaLight | None
    events: ZoneEvents | None
    feature: Feature | None
    props: tuple[PropFacts, ...]
    textures: TextureReport
    leftovers: tuple[Leftover, ...]
    arrival: ArrivalFacts | None
    damaged: tuple[Damage, ...]


def find_place(place: FieldPlace, save: str = NEW) -> PlaceFacts:
    """All facts about a place; `save` ENTERED: also what entering it changes."""
    world = place.world
    report = texture_report(place)
    damaged = [*place.damage(), *report.damaged]
    light = place.light
    ids = {
        "matrix": place.matrix_id,
        "area": place.area_id,
        "terrain_set": place.terrain_set(),
        "prop_set": place.prop_set(),
        "light_set": place.light_set(),
        "weather": world.weather(place.header),
    }
    events = place.events
    props = tuple([_prop(place, prop, damaged) for cell in place.cells for prop in place.props(cell)])
    tables_of = (world.header_table.why, world.camera_table.why)
    leftovers = Leftovers(world).of_header(place.header.id)
    feature = entered(fresh_save(world.game), place.header.id)
    if feature is not None:
        feature = feature.with_files(world)
        damaged += feature.damaged
    arrival = None
    if save == ENTERED:
        read = partial(find_arrival, world, place.header.id)
        arrival = attempt(read, None, damaged, LeftOut.TRANSITION, place.header.id)
    return PlaceFacts(
        place, *tables_of, ids, light, events, feature, props, report, leftovers, arrival, tuple(dict.fromkeys(damaged))
    )


def _prop(place: FieldPlace, prop: PropPlacement, damaged: list[Damage]) -> PropFacts:
    read = partial(place.world.prop_model, prop.model)
    file = attempt(read, None, damaged, LeftOut.PROP_MODEL, prop.model)
    name = None if file is None else file.models[0].name
    return PropFacts(prop, name, prop_animations(place.world, prop.model, damaged))


def _event_counts(events: ZoneEvents) -> dict[str, int]:
    return {
        "people": len(events.objects),
        "warps": len(events.warps),
        "signs": len(events.background),
        "triggers": len(events.triggers),
    }


# --- JSON


def place_json(facts: PlaceFacts) -> dict[str, Any]:
    """A place as JSON values. `why` has the sources as sentences, `sources` as values."""
    place, header = facts.place, facts.place.header
    sources = {
        "header": facts.header,
        "camera": facts.camera,
        **{name: resolved.why for name, resolved in facts.ids.items()},
    }
    return {
        **header_json(header),
        "fields": {field.name: getattr(header, field.name) for field in fields(header.record)},
        "named_fields": {
            field: fact_json(fact) for section in header_facts(place).values() for field, fact in section.items()
        },
        **{name: None if one.value == NO_SET else one.value for name, one in facts.ids.items()},
        "camera": header.camera_type,
        "camera_name": place.camera.name,
        "weather_name": facts.place.world.game.tables.weather_name(facts.ids["weather"].value),
        "matrix_size": [place.matrix.width, place.matrix.height],
        "light_blocks": len(facts.light.blocks) if facts.light is not None else None,
        "outdoor_light": place.outdoor_light,
        "why": {name: source(why) for name, why in sources.items()},
        "sources": {name: source_json(why) for name, why in sources.items()},
        "events": None if facts.events is None else _event_counts(facts.events),
        "feature": None if facts.feature is None else feature_json(facts.feature, place),
        "left_over": [leftover_json(found) for found in facts.leftovers],
        "arrival": None if facts.arrival is None else arrival_json(facts.arrival),
        "cells": [_cell_json(cell) for cell in place.cells],
        "props": [_prop_json(prop) for prop in facts.props],
        "textures": {
            "cells_resolved": facts.textures.cells_resolved,
            "cells_white": facts.textures.cells_white,
            "props_white": facts.textures.props_white,
            "dummy_boxes": facts.textures.dummy_boxes,
            "remarks": texture_remarks(facts.textures),
        },
        "damaged": [damage(one) for one in facts.damaged],
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "cell": [cell.x, cell.z],
        "land": cell.land,
        "altitude": cell.altitude,
        "area": cell.area.value,
        "why": {"land": source(cell.why), "area": source(cell.area.why)},
        "sources": {"land": source_json(cell.why), "area": source_json(cell.area.why)},
    }


def _prop_json(prop: PropFacts) -> dict[str, Any]:
    placement = prop.placement
    return {
        "cell": [placement.cell.x, placement.cell.z],
        "index": placement.index,
        "prop": placement.model,
        "stored_prop": placement.stored,
        "name": prop.name,
        "position": [value / ONE for value in placement.position],
        "why": source(placement.why),
        "source": source_json(placement.why),
        "animations": [str(animation) for animation in prop.animations],
    }


# --- text


def place_fields(facts: PlaceFacts) -> list[tuple[str, object]]:
    """A place as lines of name and value."""
    place, header = facts.place, facts.place.header
    return [
        ("Place", f"{header.id} {header.title}, {header.kind}"),
        *(("Left over", leftover(found)) for found in facts.leftovers),
        *((fact.name, fact_text(fact)) for section in header_facts(place).values() for fact in section.values()),
        *(feature_fields(facts.feature, place) if facts.feature is not None else ()),
        *(("Cell", f"({cell.x}, {cell.z}): {source(cell.why)}; {source(cell.area.why)}") for cell in place.cells),
    ]


PROP_COLUMNS = ("cell", "prop", "model", "name", "x", "y", "z", "why")


def prop_rows(facts: PlaceFacts) -> list[tuple[object, ...]]:
    """The props as rows of PROP_COLUMNS."""
    return [
        (
            f"{prop.placement.cell.x},{prop.placement.cell.z}",
            prop.placement.index,
            prop.placement.model,
            prop.name,
            *(f"{value / ONE:g}" for value in prop.placement.position),
            source(prop.placement.why),
        )
        for prop in facts.props
    ]


def remarks(facts: PlaceFacts) -> list[tuple[str, list[str]]]:
    """Titled lists of sentences, without empty ones: changes on entering, animations, textures that are not found,
    damaged files."""
    animations = {
        f"{prop.name or prop.placement.model}: {animation}" for prop in facts.props for animation in prop.animations
    }
    lists = (
        ("On entering", [] if facts.arrival is None else arrival_lines(facts.arrival) or ["nothing changes"]),
        ("Animations", sorted(animations)),
        ("Textures", texture_remarks(facts.textures)),
        ("Damaged", [damage(one) for one in facts.damaged]),
    )
    return [(title, sentences) for title, sentences in lists if sentences]
