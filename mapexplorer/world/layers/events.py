"""The layer of the events of a map: boxes over the tiles of people, warps, signs and triggers."""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.field.zone_event import RETURN_HEADER, RETURN_WARP
from mapexplorer.world.cells import Cell
from mapexplorer.world.colors import EVENTS as COLORS
from mapexplorer.world.layers.event_boxes import SIDES, begins_in, event_box, trigger_size
from mapexplorer.world.layers.kind import LayerKind
from mapexplorer.world.layers.shapes import FAINT, SOLID, Shapes, ShapeSubject, shapes_of
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.readable import readable_events

_CLEAR: Final = 56
"""The alpha of the faces of a high box, of which two or three lie over the picture of a person."""
_TITLES: Final = {"object": "people and things", "warp": "warps", "sign": "signs", "trigger": "triggers"}


def event_shapes(place: FieldPlace, header: int, cell: Cell | None = None) -> Shapes:
    """The boxes of a header's events in the matrix of a place, all or those that begin in a cell; people are drawn over
    warps, warps over signs, signs over triggers."""
    shown = [
        (thing, event_box(place, thing.kind, record, size))
        for thing, record, size in _events(place, header)
        if cell is None or begins_in(record, cell)
    ]
    things = [thing for thing, _ in shown]
    colors = [COLORS[thing.kind] for thing in things]
    alphas = [FAINT if thing.kind == "trigger" else _CLEAR for thing in things]
    fills = np.array([(*color, alpha) for color, alpha in zip(colors, alphas, strict=True)], np.uint8).reshape(-1, 4)
    edges = np.array([(*color, SOLID) for color in colors], np.uint8).reshape(-1, 4)
    faces = np.concatenate([np.zeros((0, 4, 3)), *(box for _, box in shown)])
    owners = np.repeat(np.arange(len(things)), SIDES)
    return shapes_of(faces, fills[owners], edges[owners], owners, tuple(things))


def _events(place: FieldPlace, header: int) -> list[tuple[ShapeSubject, np.void, tuple[int, int]]]:
    """The events on tiles, each with its record and its size in tiles, the topmost last."""
    world = place.world
    events = readable_events(world, header)
    if events is None:
        return []
    shown = []
    for index, record in enumerate(events.triggers):
        shown.append(
            (ShapeSubject("trigger", (header, index), f"script {record['script']}"), record, trigger_size(record))
        )
    for index, record in enumerate(events.background):
        shown.append((ShapeSubject("sign", (header, index), f"sign {index}"), record, (1, 1)))
    for index, record in enumerate(events.warps):
        header_there, returns = int(record["header"]), record["warp"] == RETURN_WARP
        returns = returns or header_there == RETURN_HEADER or header_there >= len(world.headers)
        there = "back" if returns else world.headers[header_there].internal_name
        shown.append((ShapeSubject("warp", (header, index), f"→ {there}"), record, (1, 1)))
    for index, record in enumerate(events.objects):
        label = world.game.tables.graphics_name(int(record["graphics"])).replace("_", " ") or f"object {index}"
        shown.append((ShapeSubject("object", (header, index), label), record, (1, 1)))
    return shown


EVENTS: Final = LayerKind(
    "events",
    "Events and warps",
    "People, warps, signs and triggers of the map header.",
    lambda part: event_shapes(part.place, part.owner, part.cell),
    depth=8,
    opacity=0.95,
    keys=("Alt+7", "V"),
    legend=lambda tables, cells: [(color, _TITLES[kind]) for kind, color in COLORS.items()],
    owned=True,
    tagged=True,
)
