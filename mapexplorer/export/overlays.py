"""What lies over a map from above, by the names that posters and atlases use: the layers of the window, or those of
their things that are items, trainers or warps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.gameplay.items import Items
from mapexplorer.world.layers.behaviours import BEHAVIOURS
from mapexplorer.world.layers.collision import COLLISION
from mapexplorer.world.layers.encounters import WILD_ENCOUNTERS
from mapexplorer.world.layers.events import EVENTS
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.ranges import RANGES
from mapexplorer.world.layers.shapes import Shapes, ShapeSubject
from mapexplorer.world.layers.sight import SIGHT
from mapexplorer.world.layers.triggers import TRIGGERS
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles

Chosen = Callable[[WorldFiles, ShapeSubject], bool]
"""Whether a thing is among those that are shown."""


def _script(world: WorldFiles, thing: ShapeSubject) -> int:
    """The script number of an event; -1 for none."""
    if thing.kind not in ("object", "sign"):
        return -1
    header, index = thing.key
    return int(getattr(world.events(header), EVENT_LISTS[thing.kind])[index]["script"])


def is_item(world: WorldFiles, thing: ShapeSubject) -> bool:
    """Whether an event is an item on the floor or a hidden one."""
    script = _script(world, thing)
    return script >= 0 and read_or(None, Items(world).of_script, script) is not None


def is_trainer(world: WorldFiles, thing: ShapeSubject) -> bool:
    """Whether an event is a trainer."""
    return world.game.tables.script_numbers.trainer(_script(world, thing)) is not None


def _every(world: WorldFiles, thing: ShapeSubject) -> bool:
    return True


OVERLAYS: Final[Mapping[str, tuple[tuple[LayerKind, Chosen], ...]]] = {
    "collision": ((COLLISION, _every),),
    "behaviours": ((BEHAVIOURS, _every),),
    "wild": ((WILD_ENCOUNTERS, _every),),
    "ranges": ((RANGES, _every),),
    "triggers": ((TRIGGERS, _every),),
    "events": ((EVENTS, _every),),
    "items": ((EVENTS, is_item),),
    "trainers": ((SIGHT, _every), (EVENTS, is_trainer)),
    "warps": ((EVENTS, lambda _, thing: thing.kind == "warp"),),
}
"""Name -> the layers that it shows with the choice of their things, from the lowest to the uppermost."""


def chosen_shapes(part: CellOverlay, kind: LayerKind, chosen: Chosen) -> Shapes:
    """The shapes of a layer whose things are chosen."""
    shapes = part[kind]
    if chosen is _every:
        return shapes
    shown = np.array([chosen(part.place.world, thing) for thing in shapes.things], np.bool_)
    faces = shown[shapes.owners] if len(shown) else np.zeros(0, np.bool_)
    return replace(
        shapes,
        faces=shapes.faces[faces],
        fills=shapes.fills[faces],
        edges=shapes.edges[faces],
        owners=shapes.owners[faces],
    )
