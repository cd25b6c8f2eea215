"""The layer of the triggers of a map with what they need, and of the camera plates of hacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from formats.field.bdhc import Bdhc
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.colors import EVENTS
from mapexplorer.world.layers.event_boxes import begins_in, event_box, faint_shapes, trigger_size
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import Array, Shapes, ShapeSubject
from mapexplorer.world.sources.readable import readable_events

_COLOR: Final = EVENTS["trigger"]


def _shapes(part: CellOverlay) -> Shapes:
    """The triggers of the owner that begin in a cell, labelled with the variable that they need."""
    events, names = readable_events(part.place.world, part.owner), part.tables.save_names.variables
    faces: list[Array] = []
    things: list[ShapeSubject] = []
    for index, record in enumerate(events.triggers if events is not None else ()):
        if begins_in(record, part.cell):
            top, *_ = event_box(part.place, "trigger", record, trigger_size(record))
            faces.append(top)
            variable = int(record["variable"])
            label = f"{names.get(variable, f'0x{variable:X}')} = {int(record['value'])}"
            things.append(ShapeSubject("trigger", (part.owner, index), label))
    for area, size, label in _camera_plates(part):
        top, *_ = event_box(part.place, "trigger", area, size)
        faces.append(top)
        things.append(ShapeSubject("land", (part.cell.land,), label))
    return faint_shapes(faces, _COLOR, list(range(len(faces))), things)


def _camera_plates(part: CellOverlay) -> Iterator[tuple[Mapping[str, int], tuple[int, int], str]]:
    """The first tile of each camera plate of a cell, its size in tiles, and what it is."""
    bdhc, west, north = part.place.terrain.bdhc(part.cell), CELL_TILES * part.cell.x, CELL_TILES * part.cell.z
    cameras = bdhc.cameras if isinstance(bdhc, Bdhc) else None
    for x, z, east, south, _, kind, _ in cameras.plates.tolist() if cameras is not None else ():
        yield (
            {"x": west + x, "z": north + z},
            (max(1, east - x + 1), max(1, south - z + 1)),
            f"camera plate, kind {kind}",
        )


TRIGGERS: Final = LayerKind(
    "triggers",
    "Triggers",
    "Triggers of the map header, with the variable that they need.",
    _shapes,
    depth=7,
    opacity=0.95,
    legend=lambda tables, cells: [(_COLOR, "triggers, while the variable has the value")],
    explained_by="events",
    owned=True,
    tagged=True,
)
