"""The layer of what trainers see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mapexplorer.grouping import by_key
from mapexplorer.world.colors import Rgb
from mapexplorer.world.events.map_objects import map_objects
from mapexplorer.world.events.sight import looks, seen_tiles
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.layers.event_boxes import object_tiles
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import Shapes
from mapexplorer.world.save import fresh_save

_COLOR: Final[Rgb] = (255, 40, 170)
_ALPHA: Final = 165
"""Over grass a fainter fill is grey."""


def _shapes(part: CellOverlay) -> Shapes:
    """The tiles on which the trainers of the owner see the player, in all directions that they face; the objects of a
    new game block their sight. Raises FormatError."""
    world, terrain, tables = part.place.world, part.place.terrain, part.tables
    trainers = {each.index: each for each in map_objects(world, part.owner, terrain)}
    save = entered_save(world, part.owner, fresh_save(world.game))
    others = by_key(((each.x, each.z), each) for each in map_objects(world, part.owner, terrain, save))

    def seen(index: int, record: np.void) -> Iterator[tuple[int, int]]:
        if tables.script_numbers.trainer(int(record["script"])) is None:
            return
        for direction in looks(tables, trainers[index]):
            yield from seen_tiles(terrain, trainers[index], direction, lambda x, z: others.get((x, z), ()))

    return object_tiles(part, _COLOR, seen, lambda record: f"sees {int(record['parameters'][0])} tiles", _ALPHA)


SIGHT: Final = LayerKind(
    "sight",
    "Trainers' sight",
    "The tiles that trainers look at, in all directions that they face.",
    _shapes,
    depth=6,
    opacity=0.9,
    legend=lambda tables, cells: [(_COLOR, "a trainer looks there")],
    owned=True,
)
