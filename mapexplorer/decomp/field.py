"""Field data of a tree: matrices, areas, prop lists, events, encounters, lights. Each function gives the value of a
member, of the JSON that it is made of; it raises SourceError with the line for what the member cannot be."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.field.area import AreaBuild, AreaData
from formats.field.area_light import AreaLight, Light, LightBlock
from formats.field.encounter_extras import TILE, FeebasTiles, LookoutTiles, SpeciesList
from formats.field.map_matrix import MapMatrix
from formats.field.wild_encounters import DualSlot, GrassSlot, WaterEncounters, WaterSlot, WildEncounters
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT, ZoneEvents
from formats.fixed import ONE
from mapexplorer.decomp.json_value import U8, U16, U32, JsonValue, NumberField
from mapexplorer.decomp.listing import MemberSource, TreeListing
from mapexplorer.games import Role

_SPECIES: Final = "species"
_HEADERS: Final = "map_headers"

# --- matrices and areas


def matrix(listing: TreeListing, _: MemberSource, source: JsonValue) -> MapMatrix:
    """A map matrix."""
    land = _grid(source.part("maps"), U16, listing, "maps")
    headers = _section(source.part("headers"), U16, listing, _HEADERS)
    altitudes = _section(source.part("altitudes"), U8, listing, "")
    for section, name in ((headers, "headers"), (altitudes, "altitudes")):
        if section is not None and section.shape != land.shape:
            source.part(name).fail(f"{name} and maps have different numbers of rows or columns")
    return MapMatrix(source.part("name").string(), headers, altitudes, land)


def _section(source: JsonValue, most: int, listing: TreeListing, names: str) -> npt.NDArray[Any] | None:
    return _grid(source, most, listing, names) if source.value else None


def _grid(source: JsonValue, most: int, listing: TreeListing, names: str) -> npt.NDArray[Any]:
    """The rows of a section."""
    known = listing.names.of(names) if names else None
    rows = [[cell.number(most, known) for cell in row.items(most=U8)] for row in source.items(most=U8)]
    for row, cells in enumerate(rows):
        if len(cells) != len(rows[0]):
            source.items()[row].fail(f"this row has {len(cells)} columns, the first one {len(rows[0])}")
    return np.array(rows, "<u2" if most == U16 else "u1").reshape(len(rows), len(rows[0]) if rows else 0)


def area_fields(props: str, terrain: str, lights: str) -> tuple[NumberField, ...]:
    """The fields of an area; the sources of the names of its sets."""
    return (
        NumberField("prop_set", "mapPropSet", U16, props),
        NumberField("terrain_set", "mapTextureSet", U16, terrain),
        NumberField("unused", "dummy", U16, default=0),
        NumberField("light_set", "lightingSet", U16, lights),
    )


def area(listing: TreeListing, _: MemberSource, source: JsonValue) -> AreaData:
    """An area."""
    sets = map(listing.order_source, (Role.AREA_BUILD, Role.TERRAIN_TEXTURES, Role.AREA_LIGHT))
    return AreaData(*source.fields(area_fields(*sets), listing.names))


def prop_list(listing: TreeListing, _: MemberSource, source: JsonValue) -> AreaBuild:
    """The prop models of an area."""
    models = source.numbers("mapPropModels", None, U16, listing.index(Role.BUILD_MODEL))
    return AreaBuild(np.array(models, "<u2"))


# --- events

BACKGROUND: Final = (
    NumberField("script", "script", U16),
    NumberField("type", "type", U16, "bg_event_types"),
    NumberField("x", "x", U32, signed=True),
    NumberField("z", "z", U32, signed=True),
    NumberField("y", "y", U32, signed=True),
    NumberField("facing", "player_facing_dir", U16, "bg_event_dirs"),
)
OBJECT: Final = (
    NumberField("graphics", "graphics_id", U16, "object_events_gfx"),
    NumberField("movement_type", "movement_type", U16, "movement_types"),
    NumberField("trainer_type", "trainer_type", U16, "trainer_types"),
    NumberField("hidden_flag", "hidden_flag", U16, f"vars_flags {_HEADERS}"),
)
PLACED: Final = (
    NumberField("direction", "initial_dir", U16, signed=True),
    NumberField("range_x", "movement_range_x", U16, signed=True),
    NumberField("range_z", "movement_range_z", U16, signed=True),
    NumberField("x", "x", U16),
    NumberField("z", "z", U16),
    NumberField("y", "y", U16, signed=True),
)
WARP: Final = (
    NumberField("x", "x", U16),
    NumberField("z", "z", U16),
    NumberField("header", "dest_header_id", U16, _HEADERS),
    NumberField("warp", "dest_warp_id", U16),
)
COORD: Final = (
    NumberField("script", "script", U16),
    NumberField("x", "x", U16),
    NumberField("z", "z", U16),
    NumberField("width", "width", U16),
    NumberField("length", "length", U16),
    NumberField("y", "y", U16),
    NumberField("value", "value", U16),
    NumberField("variable", "var", U16, "vars_flags"),
)
_TRAINER_SCRIPTS: Final = 2999
_DOUBLE_SCRIPTS: Final = 4999
"""A trainer's number and this is the number of the script of the first, and of the second trainer of a double
battle."""
_PARAMETERS: Final = 3


def events(listing: TreeListing, _: MemberSource, source: JsonValue) -> ZoneEvents:
    """The events of a zone."""
    names = listing.names
    signs = [(*sign.fields(BACKGROUND, names), 0) for sign in source.part("bg_events").items()]
    objects = [_object(listing, index, item) for index, item in enumerate(source.part("object_events").items())]
    warps = [(*warp.fields(WARP, names), 0) for warp in source.part("warp_events").items()]
    triggers = [trigger.fields(COORD, names) for trigger in source.part("coord_events").items()]
    return ZoneEvents(
        np.array(signs, BACKGROUND_EVENT),
        np.array(objects, OBJECT_EVENT),
        np.array(warps, WARP_EVENT),
        np.array(triggers, COORD_EVENT),
    )


def _object(listing: TreeListing, index: int, source: JsonValue) -> tuple[Any, ...]:
    """The row of an object."""
    clone = source.part("clone_id").number(U16) if source.has("clone_id") else index
    direction, range_x, range_z, x, z, y = source.fields(PLACED, listing.names)
    data = [item.number(U16) for item in source.part("data").items(most=_PARAMETERS)]
    data += [0] * (_PARAMETERS - len(data))
    looks = source.fields(OBJECT, listing.names)
    return (clone, *looks, _script(listing, source), direction, data, range_x, range_z, x, z, y << 16)


def _script(listing: TreeListing, source: JsonValue) -> int:
    """The number of an object's script, which may be a trainer's."""
    script = source.part("script")
    trainers = listing.names.of("trainers")
    if script.value not in trainers.entries:
        return script.number(U16)
    second = source.has("double_battle_id") and source.part("double_battle_id").value == 2
    return trainers[script.value] + (_DOUBLE_SCRIPTS if second else _TRAINER_SCRIPTS)


# --- encounters

_RATE_FORMS: Final = tuple(NumberField("forms", f"rate_form{number}", U32) for number in range(5))
_GRASS: Final = (NumberField("level", "level", U32), NumberField("species", "species", U32, _SPECIES))
_WATER: Final = (
    NumberField("highest", "level_max", U8),
    NumberField("lowest", "level_min", U8),
    NumberField("species", "species", U32, _SPECIES),
)
_DUAL_SLOT: Final = ("ruby", "sapphire", "emerald", "firered", "leafgreen")


def encounters(listing: TreeListing, _: MemberSource, source: JsonValue) -> WildEncounters:
    """The wild encounters of a map."""
    names = listing.names

    def species(key: str, count: int) -> Any:
        return source.numbers(key, count, U32, names.of(_SPECIES))

    def water(key: str) -> WaterEncounters:
        slots = [slot.fields(_WATER, names) for slot in source.part(f"{key}_encounters").items(5)]
        rate = source.part(f"{key}_rate").number(U32)
        return WaterEncounters(rate, tuple([WaterSlot(high, low, 0, kind) for high, low, kind in slots]))

    return WildEncounters(
        source.part("land_rate").number(U32),
        tuple([GrassSlot(*slot.fields(_GRASS, names)) for slot in source.part("land_encounters").items(12)]),
        species("swarms", 2),
        species("day", 2),
        species("night", 2),
        species("radar", 4),
        source.fields(_RATE_FORMS, names),  # type: ignore[arg-type]
        source.part("unown_table").number(U32),
        DualSlot(*[species(game, 2) for game in _DUAL_SLOT]),
        water("surf"),
        bytes(44),
        water("old_rod"),
        water("good_rod"),
        water("super_rod"),
    )


_EXTRAS: Final = {
    "species": "elusive_rod_encounter.species",
    "tiles": "elusive_rod_encounter",
    "common": "common",
    "uncommon": "uncommon",
    "rare": "rare",
    "dailies": "daily_encounters",
    "natdex": "after_national_dex",
    "local": "before_national_dex",
    "coords": "binocular_coords",
}
"""The last word of a member's name -> what the member is made of."""
_TILE: Final = (NumberField("x", "x", U16), NumberField("z", "y", U16))


def encounter_extras(
    listing: TreeListing, member: MemberSource, source: JsonValue
) -> SpeciesList | FeebasTiles | LookoutTiles:
    """A list of encounters that several maps share, or of the tiles where they are."""
    kind = member.name.partition(".")[0].rpartition("_")[2]
    part = source.part(_EXTRAS.get(kind, kind))
    if kind == "tiles":
        counts = part.numbers("map_dimensions", None, U32)
        return FeebasTiles(np.array(counts, "<u4"), np.array(part.numbers("tiles", None, U16), "<u2"))
    if kind == "coords":
        return LookoutTiles(np.array([tile.fields(_TILE, listing.names) for tile in part.items()], TILE))
    values = part.items() if isinstance(part.value, list) else [part]
    species = listing.names.of(_SPECIES)
    return SpeciesList(np.array([value.number(U32, species) for value in values], "<u4"))


# --- lights

_COLOR: Final = tuple(NumberField(name, name, U8) for name in ("red", "green", "blue"))
_MATERIAL: Final = ("diffuseColor", "ambientColor", "specularColor", "emissionColor")


def light(listing: TreeListing, member: MemberSource, source: JsonValue) -> AreaLight:
    """A light set; the build's list names those whose last line ends."""
    blocks = [_light_block(listing, block) for block in source.items()]
    with_end = listing.files_with(listing.game.path(Role.AREA_LIGHT), "--eofnewline")
    return AreaLight(tuple(blocks), member.file.rpartition("/")[2] in with_end)


def _light_block(listing: TreeListing, source: JsonValue) -> LightBlock:
    lights = [_light(listing, item) for item in source.part("lights").items(4)]
    end = source.part("endTime").number(U32)
    materials: Any = [source.part(name).fields(_COLOR, listing.names) for name in _MATERIAL]
    return LightBlock(end, (lights[0], lights[1], lights[2], lights[3]), *materials)


def _light(listing: TreeListing, source: JsonValue) -> Light:
    color: Any = source.part("color").fields(_COLOR, listing.names)
    direction = [_fx16(source.part(f"direction.{axis}")) for axis in "xyz"]
    return Light(source.part("enabled").boolean(), color, (direction[0], direction[1], direction[2]))


def _fx16(source: JsonValue) -> int:
    """A component of a direction, rounded away from 0."""
    if not isinstance(source.value, int | float) or not -1 <= source.value <= 1:
        source.fail("a number from -1 to 1 is needed")
    return math.ceil(source.value * ONE) if source.value > 0 else math.floor(source.value * ONE)
