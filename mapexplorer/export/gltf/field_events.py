"""The events of a place as empty nodes: people and things, signs, warps, triggers; what they do in their extras."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from formats.field.zone_event import RETURN_HEADER, ZoneEvents
from formats.fixed import ONE, Vector
from mapexplorer.export.gltf.document import Json, members
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.readable import readable_events, readable_warp_target

_HIDDEN_ITEM: Final = 2

Cells = Callable[[tuple[int, int]], bool]


@dataclass(frozen=True)
class EventNode:
    """An event of a header: its name as a node, fx32 position of its tile's middle, and what it is and does."""

    name: str
    position: Vector
    extras: Json


def event_nodes(
    place: FieldPlace, headers: list[int], wanted: Cells, save: Save, damaged: list[Damage]
) -> list[EventNode]:
    """The events of some headers in the wanted cells (x, z), by header and as they are stored. `damaged` takes what
    cannot be read."""
    nodes = []
    for header in headers:
        events = readable_events(place.world, header, damaged)
        if events is not None:
            nodes += [
                event for event, cell in _events(place, header, save.events(header, events), save) if wanted(cell)
            ]
    return nodes


def _events(place: FieldPlace, header: int, events: ZoneEvents, save: Save) -> Iterator[tuple[EventNode, Any]]:
    tables = place.world.game.tables
    numbers = tables.script_numbers

    def made(kind: str, name: str, index: int, event: Any, height: int, extras: Json) -> tuple[EventNode, Any]:
        x, z = int(event["x"]), int(event["z"])
        middle = [(2 * tile + 1) * TILE_UNITS * ONE // 2 for tile in (x, z)]
        ground = place.terrain.plate_height(middle[0], middle[1], height)
        position = (middle[0], height if ground is None else ground, middle[1])
        facts: Json = {"event": kind, "header": header, "index": index, "tile": [x, z], **extras}
        return EventNode(f"{name}_{header:03}_{index:02}", position, facts), (x // CELL_TILES, z // CELL_TILES)

    for index, event in enumerate(events.objects):
        script, graphics = int(event["script"]), int(event["graphics"])
        extras: Json = {
            "graphics": graphics,
            "graphics_name": tables.graphics_name(graphics),
            "script": script,
            "hidden_flag": int(event["hidden_flag"]),
            "direction": int(event["direction"]),
            "movement_type": int(event["movement_type"]),
            "present": not save.hides(int(event["hidden_flag"]), script),
        }
        trainer = numbers.trainer(script)
        extras |= members(trainer=None if trainer is None else trainer[0])
        name = "item_ball" if script in numbers.item_balls else "object"
        yield made("objects", name, index, event, int(event["y"]), extras)
    for index, event in enumerate(events.background):
        extras = {field: int(event[field]) for field in ("script", "type", "facing")}
        name = "hidden_item" if extras["type"] == _HIDDEN_ITEM else "sign"
        yield made("signs", name, index, event, int(event["y"]) * TILE_UNITS * ONE, extras)
    for index, event in enumerate(events.warps):
        there = readable_warp_target(place.world, header, index)
        target, warp = int(event["header"]), int(event["warp"])
        extras = {"leads_to": None}
        if there is not None:
            to = place.world.headers[there[0]]
            extras["leads_to"] = {
                "header": to.id,
                "internal_name": to.internal_name,
                "location_name": to.location_name,
                "warp": warp,
                "tile": [there[1], there[2]],
            }
        elif target == RETURN_HEADER:
            extras["leads_back"] = True
        yield made("warps", "warp", index, event, 0, extras)
    for index, event in enumerate(events.triggers):
        extras = {field: int(event[field]) for field in ("script", "variable", "value", "width", "length")}
        yield made("triggers", "trigger", index, event, 0, extras)
