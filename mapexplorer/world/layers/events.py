"""The layer of the events of a map: boxes over the tiles of people, warps, signs and triggers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.zone_event import RETURN_HEADER, RETURN_WARP
from mapexplorer.world.cells import Cell
from mapexplorer.world.colors import EVENTS as COLORS
from mapexplorer.world.headers.place_labels import building_name
from mapexplorer.world.layers.event_boxes import SIDES, begins_in, event_box, trigger_size
from mapexplorer.world.layers.kind import LayerKind, Named
from mapexplorer.world.layers.shapes import FAINT, SOLID, Shapes, ShapeSubject, shapes_of
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_events

_CLEAR: Final = 56
"""The alpha of the faces of a high box, of which two or three lie over the picture of a person."""
_TITLES: Final = {"object": "people and things", "warp": "warps", "sign": "signs", "trigger": "triggers"}


def event_shapes(place: FieldPlace, header: int, cell: Cell | None = None, named: Named | None = None) -> Shapes:
    """The boxes of a header's events in the matrix of a place, all or those that begin in a cell; people are drawn over
    warps, warps over signs, signs over triggers. `named`: see `CellOverlay`."""
    shown = [
        (thing, event_box(place, thing.kind, record, size))
        for thing, record, size in _events(place, header, named or _looks)
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


def _events(place: FieldPlace, header: int, named: Named) -> list[tuple[ShapeSubject, np.void, tuple[int, int]]]:
    """The events on tiles, each with its record and its size in tiles, the topmost last."""
    world = place.world
    events = readable_events(world, header)
    if events is None:
        return []
    labelled: tuple[tuple[str, npt.NDArray[np.void], Callable[[int, np.void], str]], ...] = (
        ("trigger", events.triggers, lambda _, record: f"script {record['script']}"),
        ("sign", events.background, lambda index, _: f"sign {index}"),
        ("warp", events.warps, lambda _, record: f"→ {_target(world, header, record)}"),
        ("object", events.objects, lambda index, record: named(world, record) or f"object {index}"),
    )
    return [
        (
            ShapeSubject(kind, (header, index), label(index, record)),
            record,
            trigger_size(record) if kind == "trigger" else (1, 1),
        )
        for kind, records, label in labelled
        for index, record in enumerate(records)
    ]


def _target(world: WorldFiles, outside: int, warp: np.void) -> str:
    """The map to which a warp of a header leads, as the map of the matrix names it."""
    header = int(warp["header"])
    returns = warp["warp"] == RETURN_WARP or header == RETURN_HEADER or header >= len(world.headers)
    return "back" if returns else building_name(world.headers[outside], world.headers[header])


def _looks(world: WorldFiles, record: np.void) -> str:
    """The graphics of an object in words; empty without a name."""
    return world.game.tables.graphics_name(int(record["graphics"])).replace("_", " ")


EVENTS: Final = LayerKind(
    "events",
    "Events and warps",
    "People, warps, signs and triggers of the map header.",
    lambda part: event_shapes(part.place, part.owner, part.cell, part.named),
    depth=8,
    opacity=0.95,
    keys=("Alt+7", "V"),
    legend=lambda tables, cells: [(color, _TITLES[kind]) for kind, color in COLORS.items()],
    owned=True,
    tagged=True,
)
