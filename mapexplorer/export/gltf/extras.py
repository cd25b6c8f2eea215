"""The extras of a place's nodes: the game's numbers and names, and the sources of what is shown."""

from __future__ import annotations

from collections.abc import Sequence

from mapexplorer.export.gltf.conditions import condition_extras
from mapexplorer.export.gltf.document import Json, members
from mapexplorer.export.gltf.field_events import EventNode
from mapexplorer.export.gltf.punctual import ambient
from mapexplorer.export.gltf.shown_objects import PlacedObject
from mapexplorer.export.options import ExportOptions
from mapexplorer.features import Feature
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.link import Link
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.view import View
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.wording import source


def place_extras(conditions: Conditions, options: ExportOptions, west: int, north: int) -> Json:
    """Those of a place under conditions, whose exported cells begin at cell (west, north)."""
    place, header = conditions.place, conditions.place.header
    return {
        "header": header.id,
        "internal_name": header.internal_name,
        "symbolic_name": header.symbolic_name,
        "location_name": header.location_name,
        "link": str(Link.of(place, View(options.second, weekday=options.weekday, save=options.save))),
        "matrix": place.matrix_id.value,
        "area": place.area_id.value,
        "second": conditions.second,
        **members(hours=list(options.hours or ())),
        "day": options.day,
        **feature_extras(conditions.feature),
        **condition_extras(conditions),
        **({"light": ambient(conditions.light())} if options.lit else {}),
        "metres_per_unit": options.scale,
        "origin_units": [CELL_UNITS * west, 0, CELL_UNITS * north],
        "origin_tile": [CELL_TILES * west, CELL_TILES * north],
        "provenance": [source(place.matrix_id.why), source(place.area_id.why)],
    }


def cell_extras(place: FieldPlace, cell: Cell, *, margin: bool) -> Json:
    """Those of a cell; `margin`: it is beside those that were asked for."""
    parts = (cell.area, place.terrain_set(cell), place.prop_set(cell), place.light_set(cell))
    return members(
        cell=[cell.x, cell.z],
        header=cell.header,
        area=cell.area.value,
        margin=margin or None,
        filler=cell.filler or None,
        provenance=[source(part.why) for part in parts],
    )


def model_extras(resolved: ResolvedModel) -> Json:
    """Those of a model wherever it stands."""
    textures = None if resolved.textures is None else resolved.textures.value
    return members(drawn_by="script" if resolved.pairs is None else "pairs", textures=textures)


def feature_extras(feature: Feature | None) -> Json:
    """What code adds to the map and its state; none for a map without it."""
    return {} if feature is None else {"feature": feature.name, "state": feature.state}


def object_extras(placed_object: PlacedObject, conditions: Conditions) -> Json:
    """Those of a person or thing, or of an effect of what code adds."""
    placed, person = placed_object.placed, placed_object.source
    if person is None:
        feature = feature_extras(conditions.feature)
        return {"effect": placed.resolved.number, **feature, "provenance": source(placed.why)}
    return {
        "person": person.event,
        "header": person.header,
        "graphics": person.graphics,
        "graphics_name": conditions.tables.graphics_name(person.graphics),
        "direction": person.direction,
    }


def left_out_extras(events: Sequence[EventNode]) -> Json:
    """How many events of each kind are not in a file."""
    kinds = [event.extras["event"] for event in events]
    return {"left_out": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}}
