"""The overlay of a picture: the layers of the cells in view and the boxes of their props, for drawing and picking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.fixed import ONE
from mapexplorer.world.cells import Cell
from mapexplorer.world.layers.events import EVENTS
from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.plates import PLATES
from mapexplorer.world.layers.shapes import Shapes
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.subject import Subject, subject

Array = npt.NDArray[np.float64]


PropBoxes = dict[Subject, tuple[Array, Array]]
"""Placed props with the lowest and the highest corner of the box around each one's model, in world units."""


@dataclass(frozen=True, eq=False)
class MapOverlay:
    """The layers and boxes over a place. `events` are those of the whole header, including those of the cells, None for
    those of the cells alone; `known`: see `FieldPlace`."""

    header: int
    cells: tuple[CellOverlay, ...]
    props: PropBoxes
    events: Shapes | None = None
    known: frozenset[str] = frozenset()

    def faces_of(self, chosen: Subject) -> Array | None:
        """The faces (n, 4, 3) of an event, a plate or a tile of the cells; None for other things."""
        if chosen.kind == "tile":
            _, x, z = chosen.key
            part = self._cell(x // 32, z // 32)
            return part.ground.tiles[z % 32, x % 32][None] if part is not None else None
        if chosen.kind == "plate":
            part = self._cell(*chosen.key[1:3])
            groups = [part[PLATES]] if part is not None else []
        else:
            groups = [self.events] if self.events is not None else [part[EVENTS] for part in self.cells]
        for shapes in groups:
            number = shapes.find(chosen.kind, chosen.key)
            if number is not None:
                return shapes.faces_of(number)
        return None

    def _cell(self, x: int, z: int) -> CellOverlay | None:
        return next((part for part in self.cells if (part.cell.x, part.cell.z) == (x, z)), None)


def prop_boxes(place: FieldPlace, cell: Cell) -> PropBoxes:
    """The boxes of a cell's props. Props whose model cannot be read have none, because they are not drawn."""
    boxes = {}
    for prop in place.props(cell):
        try:
            model = place.world.prop_model(prop.model).models[0]
        except FormatError:
            continue
        low = np.array(model.box[:3], float) * model.box_pos_scale / ONE / ONE
        size = np.array(model.box[3:], float) * model.box_pos_scale / ONE / ONE
        scale, position = np.array(prop.scale) / ONE, np.array(prop.position) / ONE
        ends = np.stack([position + low * scale, position + (low + size) * scale])
        boxes[subject("placed prop", cell.matrix, cell.x, cell.z, prop.index)] = ends.min(0), ends.max(0)
    return boxes
