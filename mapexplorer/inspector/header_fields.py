"""The map header of a place as facts: each field with the name of what it refers to, its source and link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.field.map_header import NO_WILD_ENCOUNTERS
from mapexplorer.games import NameBank, Role
from mapexplorer.inspector.common import counted, counted_events, resolved
from mapexplorer.inspector.facts import Fact
from mapexplorer.world import FieldPlace
from mapexplorer.world.damage import Damage
from mapexplorer.world.header_names import header_field_name
from mapexplorer.world.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.readable import readable_events
from mapexplorer.world.references import ARCHIVES
from mapexplorer.world.subject import subject

_NO_NAME: Final = "no name is known"

_FIELDS: Final[Mapping[str, tuple[tuple[str, str, str, str], ...]]] = {
    "Names": (
        ("label_text", "Location name", "text", _NO_NAME), ("label_window", "Name window", "", _NO_NAME),
        ("map_type", "Map type", "", _NO_NAME), ("kanto", "In Kanto", "", "else in Johto"),
        ("world_map_x", "Town map x", "", ""), ("world_map_y", "Town map y", "", ""),
    ),
    "Made of": (("camera_type", "Camera", "camera", _NO_NAME), ("weather", "Weather", "weather", _NO_NAME)),
    "In play": (
        ("events", "Events", "events", ""), ("scripts", "Scripts", "scripts", "of people, signs and triggers"),
        ("init_scripts", "Initial scripts", "scripts", "run when the map is entered"),
        ("message_bank", "Text bank", "messages", _NO_NAME), ("wild_encounters", "Wild encounters", "encounters", ""),
        ("preload_list", "Preload list", "preload list", "sprites kept in memory"),
        ("day_music", "Music by day", "music", _NO_NAME), ("night_music", "Music by night", "music", _NO_NAME),
        ("battle_background", "Battle background", "", _NO_NAME), ("bicycle", "Bicycle", "", ""),
        ("running", "Running", "", "stored, but not used by the game"), ("escape_rope", "Escape rope", "", ""),
        ("fly", "Fly", "", ""), ("follower_mode", "Followers", "", _NO_NAME),
        ("mothers_call_group", "Mother's calls", "", _NO_NAME), ("outgoing_calls", "Outgoing calls", "", ""),
        ("incoming_calls", "Incoming calls", "", ""), ("radio", "Radio", "", ""),
    ),
}  # fmt: skip
"""Title of a section -> (field, its label, the kind of thing that its number is, its meaning if it has no name)."""


def header_facts(place: FieldPlace) -> dict[str, dict[str, Fact]]:
    """Title of a section -> field -> the fact about it; fields that the header's record lacks are left out."""
    world, header, tables = place.world, place.header, place.world.game.tables
    entry = Provenance(Role.MAP_NAMES, SourceRule.ENTRY_OF_HEADER, header.id, facts=Facts(header=header.id))
    constant = world.game.constant("header", header.id, world.rom.code)
    size = f"{place.matrix.width} x {place.matrix.height} cells, {counted(len(place.cells), 'own cell')}"
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
    return f"{counted(len(light.blocks), 'block')}, {words}"
