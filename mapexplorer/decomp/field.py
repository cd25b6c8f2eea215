"""Field data of a tree: where the fields of matrices, areas, prop lists, events, encounters and lights are in the JSON
of their members, and what is made of other things."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.field.encounter_extras import FeebasTiles, LookoutTiles, SpeciesList
from formats.field.map_matrix import MapMatrix
from formats.fixed import ONE
from mapexplorer.decomp.json_value import U8, U16, JsonValue
from mapexplorer.decomp.listing import stem
from mapexplorer.decomp.records import ZERO, Encoder, Fields, JsonField
from mapexplorer.games import Role

_SPECIES: Final = "species"
_HEADERS: Final = "map_headers"

# --- matrices and areas

MATRIX: Final[Fields] = {"land": JsonField("maps"), "prefix": JsonField("name")}


def matrix(encoder: Encoder, source: JsonValue) -> MapMatrix:
    """A map matrix."""
    grids: dict[str, Any] = {}
    for key, most, names in (("maps", U16, "maps"), ("headers", U16, _HEADERS), ("altitudes", U8, "")):
        part = source.part(key)
        grids[key] = _grid(encoder, part, most, names) if part.value or not grids else None
        if grids[key] is not None and grids[key].shape != grids["maps"].shape:
            part.fail(f"{key} and maps have different numbers of rows or columns")
    return MapMatrix(source.part("name").string(), grids["headers"], grids["altitudes"], grids["maps"])


def _grid(encoder: Encoder, source: JsonValue, most: int, names: str) -> npt.NDArray[Any]:
    """The rows of a section."""
    known = encoder.names(names) if names else None
    rows = [[cell.number(most, known) for cell in row.items(most=U8)] for row in source.items(most=U8)]
    for row, cells in enumerate(rows):
        if len(cells) != len(rows[0]):
            source.items()[row].fail(f"this row has {len(cells)} columns, the first one {len(rows[0])}")
    return np.array(rows, "<u2" if most == U16 else "u1").reshape(len(rows), len(rows[0]) if rows else 0)


AREA: Final[Fields] = {
    "prop_set": JsonField("mapPropSet", Role.AREA_BUILD),
    "terrain_set": JsonField("mapTextureSet", Role.TERRAIN_TEXTURES),
    "unused": JsonField("dummy", default=0),
    "light_set": JsonField("lightingSet", Role.AREA_LIGHT),
}
PROP_LIST: Final[Fields] = {"models": JsonField("mapPropModels", Role.BUILD_MODEL)}

# --- events

_TRAINER_SCRIPTS: Final = 2999
_DOUBLE_SCRIPTS: Final = 4999
"""A trainer's number and this is the number of the script of the first, and of the second trainer of a double
battle."""


def _local_id(encoder: Encoder, source: JsonValue) -> int:
    return source.part("clone_id").number(U16) if source.has("clone_id") else source.index


def _script(encoder: Encoder, source: JsonValue) -> int:
    """The number of an object's script, which may be a trainer's."""
    script = source.part("script")
    trainers = encoder.names("trainers")
    if script.value not in trainers.entries:
        return script.number(U16)
    second = source.has("double_battle_id") and source.part("double_battle_id").value == 2
    return trainers[script.value] + (_DOUBLE_SCRIPTS if second else _TRAINER_SCRIPTS)


EVENTS: Final[Fields] = {
    "background": JsonField("bg_events"),
    "background.type": JsonField("type", "bg_event_types"),
    "background.facing": JsonField("player_facing_dir", "bg_event_dirs"),
    "background.padding": ZERO,
    "objects": JsonField("object_events"),
    "objects.local_id": JsonField("id", make=_local_id),
    "objects.graphics": JsonField("graphics_id", "object_events_gfx object_events"),
    "objects.movement_type": JsonField("movement_type", "movement_types"),
    "objects.trainer_type": JsonField("trainer_type", "trainer_types"),
    "objects.hidden_flag": JsonField("hidden_flag|flag", f"vars_flags {_HEADERS}"),
    "objects.script": JsonField("script", make=_script),
    "objects.direction": JsonField("initial_dir", most=U16),
    "objects.parameters": JsonField("data", fills=True),
    "objects.range_x": JsonField("movement_range_x"),
    "objects.range_z": JsonField("movement_range_z"),
    "objects.y": JsonField("y", make=lambda encoder, source: source.part("y").number(U16, signed=True) << 16),
    "warps": JsonField("warp_events"),
    "warps.header": JsonField("dest_header_id", _HEADERS),
    "warps.warp": JsonField("dest_warp_id"),
    "warps.unused": ZERO,
    "triggers": JsonField("coord_events"),
    "triggers.variable": JsonField("var", "vars_flags"),
}

# --- encounters

ENCOUNTERS: Final[Fields] = {
    "grass_rate": JsonField("land_rate"),
    "grass": JsonField("land_encounters"),
    "grass.species": JsonField("species", _SPECIES),
    "swarm": JsonField("swarms", _SPECIES),
    "day": JsonField("day|morning", _SPECIES),
    "night": JsonField("night", _SPECIES),
    "radar": JsonField("radar", _SPECIES),
    "forms": JsonField(tuple(f"rate_form{number}" for number in range(5))),
    "dual_slot": JsonField(),
    **{
        f"dual_slot.{game}": JsonField(game, _SPECIES)
        for game in ("ruby", "sapphire", "emerald", "firered", "leafgreen")
    },
    "unused": JsonField(make=lambda encoder, source: bytes(44)),
    **{
        f"{water}{name}": field
        for water in ("surf", "old_rod", "good_rod", "super_rod")
        for name, field in {
            "": JsonField(),
            ".rate": JsonField(f"{water}_rate"),
            ".slots": JsonField(f"{water}_encounters"),
            ".slots.highest": JsonField("level_max"),
            ".slots.lowest": JsonField("level_min"),
            ".slots.unused": ZERO,
            ".slots.species": JsonField("species", _SPECIES),
        }.items()
    },
}


def _feebas(encoder: Encoder, source: JsonValue) -> npt.NDArray[Any]:
    return np.array([source.part("elusive_rod_encounter.species").number(U16, encoder.names(_SPECIES))], "<u4")


_LISTS: Final = {
    "common": "common",
    "uncommon": "uncommon",
    "rare": "rare",
    "dailies": "daily_encounters",
    "natdex": "after_national_dex",
    "local": "before_national_dex",
}
_EXTRAS: Final[Mapping[str, tuple[type, Fields]]] = {
    **{word: (SpeciesList, {"species": JsonField(key, _SPECIES)}) for word, key in _LISTS.items()},
    "species": (SpeciesList, {"species": JsonField(make=_feebas)}),
    "tiles": (
        FeebasTiles,
        {
            "counts": JsonField("elusive_rod_encounter.map_dimensions"),
            "tiles": JsonField("elusive_rod_encounter.tiles"),
        },
    ),
    "coords": (LookoutTiles, {"tiles": JsonField("binocular_coords"), "tiles.z": JsonField("y")}),
}
"""The last word of a member's name -> what it is."""


def encounter_extras(encoder: Encoder, source: JsonValue) -> Any:
    """A list of encounters that several maps share, or of the tiles where they are."""
    word = stem(encoder.member.name).rpartition("_")[2]
    if word not in _EXTRAS:
        source.fail(f"this version does not read {encoder.member.name}")
    kind, fields = _EXTRAS[word]
    return encoder._replace(fields=fields).record(kind, source)


# --- lights


def _color(path: str) -> JsonField:
    return JsonField((f"{path}.red", f"{path}.green", f"{path}.blue"), most=U8)


def _direction(encoder: Encoder, source: JsonValue) -> tuple[int, ...]:
    return tuple([_fx16(source.part(f"direction.{axis}")) for axis in "xyz"])


def _fx16(source: JsonValue) -> int:
    """A component of a direction, rounded away from 0."""
    if not isinstance(source.value, int | float) or not -1 <= source.value <= 1:
        source.fail("a number from -1 to 1 is needed")
    return math.ceil(source.value * ONE) if source.value > 0 else math.floor(source.value * ONE)


def _ends_its_line(encoder: Encoder, source: JsonValue) -> bool:
    """Whether the last line of a light set ends, which the build's list says."""
    with_end = encoder.listing.files_with(encoder.listing.game.path(Role.AREA_LIGHT), "--eofnewline")
    return encoder.member.file.rpartition("/")[2] in with_end


LIGHT: Final[Fields] = {
    "blocks": JsonField(),
    "blocks.end": JsonField("endTime"),
    "blocks.lights.valid": JsonField("enabled"),
    "blocks.lights.color": _color("color"),
    "blocks.lights.vector": JsonField("direction", make=_direction),
    **{f"blocks.{name}": _color(f"{name}Color") for name in ("diffuse", "ambient", "specular", "emission")},
    "final_line_end": JsonField(make=_ends_its_line),
}
