"""One place: header, matrix, area, light, camera, weather, cells, props and animations, each with its source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from formats.fixed import ONE
from mapexplorer.features import Feature, entered, unknown_parts
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.inspector.facts import Fact
from mapexplorer.inspector.lines import field_lines, table_lines
from mapexplorer.inspector.origins import origin_json, source_fact, thing_origin
from mapexplorer.inspector.output import fact_json, fact_text, leftover_json, source_json
from mapexplorer.inspector.places.feature import feature_facts, feature_json
from mapexplorer.inspector.things.headers import header_facts
from mapexplorer.scene.conditions import shown_save
from mapexplorer.scene.saves import save_before, saved_moment
from mapexplorer.scene.view import ENTERED, NEW, WEEKDAYS, MapState
from mapexplorer.values import ClockTime
from mapexplorer.world import FieldPlace, PropPlacement, Provenance, Resolved
from mapexplorer.world.events.transition import arrive
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.headers.leftovers import Leftover, leftover_rules
from mapexplorer.world.models.animations import prop_animations
from mapexplorer.world.models.textures import TextureReport
from mapexplorer.world.models.textures import report as texture_report
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import NO_SET
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import damage, leftover, source, texture_remarks


@dataclass(frozen=True, eq=False)
class PlaceFacts:
    """The parts of a place."""

    place: FieldPlace
    ids: dict[str, Resolved[int]]
    """Kind -> the number that its header or its area refers to."""
    feature: Feature | None
    """What code adds to the map in a new game; None for nothing."""
    props: tuple[dict[str, Any], ...]
    """Its placed props, as JSON values."""
    textures: TextureReport
    arrival: dict[str, Any] | None
    """What entering it changes, as JSON values; None if it was not asked for or cannot be read."""
    damaged: tuple[Damage, ...]
    """What cannot be read."""

    @property
    def sources(self) -> dict[str, Provenance]:
        """Where the tables of headers and cameras are, and the sources of `ids`."""
        world = self.place.world
        of_ids = {name: number.why for name, number in self.ids.items()}
        sources = {"header": world.header_table.why, "camera": world.camera_table.why, **of_ids}
        return {name: world.sourced(why) for name, why in sources.items()}

    @property
    def leftovers(self) -> tuple[Leftover, ...]:
        """The leftover rules of its header."""
        return leftover_rules(self.place.world, self.place.header.id)


def find_place(place: FieldPlace, save: str = ENTERED) -> PlaceFacts:
    """All facts about a place; unless `save` is NEW also what entering it changes."""
    shown = shown_save(place, MapState(save=save, **saved_moment(save)))
    place = place.of_save(shown)
    world, report = place.world, texture_report(place)
    damaged = [*place.damage(), *report.damaged]
    ids = {
        "matrix": place.matrix_id,
        "area": place.area_id,
        "terrain_set": place.terrain_set(),
        "prop_set": place.prop_set(),
        "light_set": place.light_set(),
        "weather": world.weather(place.header),
    }
    props = tuple([_prop(place, prop, damaged) for cell in place.cells for prop in place.props(cell)])
    feature, arrival = entered(shown, place.header.id), None
    if feature is not None:
        feature = feature.with_files(world)
        damaged += feature.damaged
    if save != NEW:
        read = partial(_arrival, world, place.header.id, save_before(world.game, save))
        arrival = attempt(read, None, damaged, LeftOut.TRANSITION, place.header.id)
    return PlaceFacts(place, ids, feature, props, report, arrival, tuple(dict.fromkeys(damaged)))


def _prop(place: FieldPlace, prop: PropPlacement, damaged: list[Damage]) -> dict[str, Any]:
    """A placed prop, the name of the model that is drawn (None: it cannot be read), and its animations, as JSON
    values."""
    read = partial(place.world.prop_model, prop.model)
    file = attempt(read, None, damaged, LeftOut.PROP_MODEL, prop.model)
    return {
        "cell": [prop.cell.x, prop.cell.z],
        "index": prop.index,
        "prop": prop.model,
        "stored_prop": prop.stored,
        "name": None if file is None else file.models[0].name,
        "position": [value / ONE for value in prop.position],
        "why": source(prop.why),
        "source": source_json(prop.why),
        "animations": [str(animation) for animation in prop_animations(place.world, prop.model, damaged)],
    }


def _arrival(world: WorldFiles, header: int, before: Save) -> dict[str, Any]:
    """What entering the maps of a header with a save changes, as JSON values: when; flags, variables and fields of
    events; the commands whose answer is not known, taken as 0; whether the scripts were followed to their end. Raises
    FormatError, RomError."""
    names, commands = world.game.tables.save_names, world.game.tables.script_commands
    arrival = arrive(world, header, before)
    after = arrival.save
    flags = {"flags_set": after.flags - before.flags, "flags_cleared": before.flags - after.flags}
    return {
        "second": before.second,
        "weekday": WEEKDAYS[before.weekday],
        **{
            change: [{"flag": flag, "name": flag_name(names, flag)} for flag in sorted(changed)]
            for change, changed in flags.items()
        },
        "variables": [
            {"variable": number, "name": names.variables.get(number, ""), "value": value}
            for number, value in sorted(after.variables.items())
            if value != before.variables.get(number, 0)
        ],
        "events": [
            {"events": change.events, "number": change.number, "field": change.field, "value": change.value}
            for change in after.changes.get(header, ())
        ],
        "assumed": [commands.names[number].name for number in sorted(arrival.assumed)],
        "complete": arrival.complete,
    }


# --- JSON


def place_json(facts: PlaceFacts) -> dict[str, Any]:
    """A place as JSON values. `why` has the sources as sentences, `sources` as values."""
    place, header = facts.place, facts.place.header
    light, events = place.light, place.events
    return {
        **header_json(header),
        **origin_json(thing_origin(place.world, subject("header", header.id))),
        "fields": {field.name: getattr(header, field.name) for field in fields(header.record)},
        "named_fields": {
            field: fact_json(fact) for section in header_facts(place).values() for field, fact in section.items()
        },
        **{name: None if number.value == NO_SET else number.value for name, number in facts.ids.items()},
        "camera": header.camera_type,
        "camera_name": place.camera.name,
        "weather_name": place.world.game.tables.weather_name(facts.ids["weather"].value),
        "matrix_size": [place.matrix.width, place.matrix.height],
        "light_blocks": len(light.blocks) if light is not None else None,
        "outdoor_light": place.outdoor_light,
        "why": {name: source(why) for name, why in facts.sources.items()},
        "sources": {name: source_json(why) for name, why in facts.sources.items()},
        "events": None
        if events is None
        else {
            "people": len(events.objects),
            "warps": len(events.warps),
            "signs": len(events.background),
            "triggers": len(events.triggers),
        },
        "feature": None if facts.feature is None else feature_json(facts.feature, place),
        "left_over": [leftover_json(rule) for rule in facts.leftovers],
        "not_known": unknown_parts(place),
        "arrival": facts.arrival,
        "cells": [
            {
                "cell": [cell.x, cell.z],
                "land": cell.land,
                "altitude": cell.altitude,
                "area": cell.area.value,
                "why": {"land": source(cell.why), "area": source(cell.area.why)},
                "sources": {"land": source_json(cell.why), "area": source_json(cell.area.why)},
            }
            for cell in place.cells
        ],
        "props": list(facts.props),
        "textures": {
            "cells_resolved": facts.textures.cells_resolved,
            "cells_white": facts.textures.cells_white,
            "props_white": facts.textures.props_white,
            "dummy_boxes": facts.textures.dummy_boxes,
            "remarks": texture_remarks(facts.textures),
        },
        "damaged": [damage(lost) for lost in facts.damaged],
    }


# --- text


def place_facts(facts: PlaceFacts) -> list[Fact]:
    """A place as facts whose values include meanings and sources."""
    place, header = facts.place, facts.place.header
    return [
        Fact("Place", f"{header.id} {header.title}, {header.kind}"),
        *(
            source_fact("Source text", origin)
            for origin in [thing_origin(place.world, subject("header", header.id))]
            if origin is not None
        ),
        *(Fact("Left over", leftover(rule)) for rule in facts.leftovers),
        *(Fact("Not known", words) for words in [unknown_parts(place)] if words),
        *(Fact(fact.name, fact_text(fact)) for section in header_facts(place).values() for fact in section.values()),
        *(feature_facts(facts.feature, place) if facts.feature is not None else ()),
        *(Fact("Cell", f"({cell.x}, {cell.z}): {source(cell.why)}; {source(cell.area.why)}") for cell in place.cells),
    ]


def _arrival_remarks(arrival: dict[str, Any] | None) -> list[tuple[str, list[str]]]:
    """A line for each change, with a title that says when; nothing without an arrival."""
    if arrival is None:
        return []
    lines = [
        *(f"sets flag {change['flag']}{_named(change['name'])}" for change in arrival["flags_set"]),
        *(f"clears flag {change['flag']}{_named(change['name'])}" for change in arrival["flags_cleared"]),
        *(
            f"variable 0x{change['variable']:X}{_named(change['name'])} is {change['value']}"
            for change in arrival["variables"]
        ),
        *("{events} {number}: {field} is {value}".format(**change) for change in arrival["events"]),
        *(f"not known, taken as 0: {command}" for command in arrival["assumed"]),
        *([] if arrival["complete"] else ["the scripts cannot be followed to their end"]),
    ]
    title = f"On entering, at {ClockTime().text(arrival['second'])} o'clock on a {arrival['weekday'].title()}"
    return [(title, lines or ["nothing changes"])]


def _named(name: str) -> str:
    return f" ({name})" if name else ""


def place_lines(facts: PlaceFacts) -> Iterator[str]:
    """A place as lines of text: its facts, its props as a table, then lists of sentences about changes on entering,
    animations, textures that are not found and damaged files."""
    yield from field_lines(place_facts(facts))
    if facts.props:
        rows = [
            (
                ",".join(map(str, prop["cell"])),
                *(prop[column] for column in ("index", "prop", "name")),
                *(f"{value:g}" for value in prop["position"]),
                prop["why"],
            )
            for prop in facts.props
        ]
        yield from ("", *table_lines(("cell", "prop", "model", "name", "x", "y", "z", "why"), rows))
    animations = {
        f"{prop['name'] or prop['prop']}: {animation}" for prop in facts.props for animation in prop["animations"]
    }
    lists = (
        *_arrival_remarks(facts.arrival),
        ("Animations", sorted(animations)),
        ("Textures", texture_remarks(facts.textures)),
        ("Damaged", [damage(lost) for lost in facts.damaged]),
    )
    for title, sentences in lists:
        if sentences:
            yield from ("", title, *(f"  {sentence}" for sentence in sentences))
