"""What is drawn over a picture: tiles, plates, props' boxes and events of the cells in view, in world units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from mapexplorer.gui.model.projection import Projection
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world.cell_ground import CellGround
from mapexplorer.world.cells import CELL_TILES, FX, TILE_UNITS, Cell
from mapexplorer.world.place import Place

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PropBox:
    """A placed prop and the box around its model in world units."""

    subject: Subject
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Marker:
    """An event: the corners (4, 3) of its tiles on the ground, its kind and a short label."""

    subject: Subject
    corners: Array
    label: str


@dataclass(frozen=True, eq=False)
class Overlay:
    """Everything that can be drawn over a place or picked in it."""

    header: int
    cells: tuple[CellGround, ...]
    props: tuple[PropBox, ...]
    markers: tuple[Marker, ...]


def prop_boxes(place: Place, cell: Cell) -> list[PropBox]:
    """The boxes of a cell's props as far as their models can be read: the others are not drawn either."""
    boxes = []
    for prop in place.props(cell):
        try:
            model = place.world.prop_model(prop.model).models[0]
        except FormatError:
            continue
        low = np.array(model.box[:3], float) * model.box_pos_scale / FX / FX
        size = np.array(model.box[3:], float) * model.box_pos_scale / FX / FX
        scale, position = np.array(prop.scale) / FX, np.array(prop.position) / FX
        ends = np.stack([position + low * scale, position + (low + size) * scale])
        chosen = subject("placed prop", cell.matrix, cell.x, cell.z, prop.index)
        boxes.append(PropBox(chosen, ends.min(0), ends.max(0)))
    return boxes


def markers(place: Place) -> list[Marker]:
    """The events of the place's header."""
    events = place.events
    if events is None:
        return []
    header = place.header.id
    found = []
    for index, record in enumerate(events.triggers):
        size = max(1, int(record["width"])), max(1, int(record["length"]))
        found.append(_marker(place, "trigger", header, index, record, size, f"script {record['script']}"))
    for index, record in enumerate(events.background):
        found.append(_marker(place, "sign", header, index, record, (1, 1), f"sign {index}"))
    for index, record in enumerate(events.warps):
        target = place.world.warp_target(header, index)
        there = place.world.headers[target[0]].internal_name if target else "back"
        found.append(_marker(place, "warp", header, index, record, (1, 1), f"→ {there}"))
    for index, record in enumerate(events.objects):
        found.append(_marker(place, "object", header, index, record, (1, 1), f"object {index}"))
    return found


def _marker(
    place: Place, kind: str, header: int, index: int, record: np.void, size: tuple[int, int], label: str
) -> Marker:
    west, north = int(record["x"]) * TILE_UNITS, int(record["z"]) * TILE_UNITS
    east, south = west + size[0] * TILE_UNITS, north + size[1] * TILE_UNITS
    near = float(record["y"]) / FX if kind == "object" else 0.0
    answer = place.height((west + east) / 2, (north + south) / 2, near)
    y = answer.height
    corners = np.array([[west, y, north], [west, y, south], [east, y, south], [east, y, north]], float)
    return Marker(subject(kind, header, index), corners, label)


def ground_hit(place: Place, start: Array, end: Array) -> tuple[float, float, float] | None:
    """Where a ray first meets the ground of a matrix (units); None when it meets none."""
    length = float(np.linalg.norm(end - start))
    steps = max(2, min(1500, int(length / 4)))
    cells = place.terrain.cells
    previous: tuple[float, Array] | None = None
    # Ground lies within these heights; a long ray needs no steps outside them.
    for fraction in np.linspace(0.0, 1.0, steps):
        point = start + (end - start) * fraction
        if point[1] > 1100 or point[1] < -600:
            continue
        if (int(point[0] // 512), int(point[2] // 512)) not in cells:
            previous = None
            continue
        answer = place.height(float(point[0]), float(point[2]), float(point[1]))
        if not answer.found:
            continue
        gap = float(point[1]) - answer.height
        if gap <= 0 and (previous is None or gap > -64):
            if previous is None or previous[0] <= 0:
                return float(point[0]), answer.height, float(point[2])
            share = previous[0] / (previous[0] - gap)
            hit = previous[1] + (point - previous[1]) * share
            return float(hit[0]), answer.height, float(hit[2])
        previous = (gap, point)
    return None


def inside(corners: Array, x: float, y: float) -> bool:
    """Whether a point lies in a flat convex shape; `corners` (n, 2) in order around it."""
    following = np.roll(corners, -1, axis=0)
    side = (following[:, 0] - corners[:, 0]) * (y - corners[:, 1])
    side -= (following[:, 1] - corners[:, 1]) * (x - corners[:, 0])
    return bool((side >= 0).all() or (side <= 0).all())


def picked_marker(overlay: Overlay, projection: Projection, x: float, y: float) -> Marker | None:
    """The event whose tiles cover a point of the picture (0..1), the topmost one."""
    for marker in reversed(overlay.markers):
        flat, front = projection.project(marker.corners)
        if front.all() and inside(flat, x, y):
            return marker
    return None


def picked_plate(overlay: Overlay, projection: Projection, x: float, y: float) -> Subject | None:
    """The nearest plate that covers a point of the picture (0..1)."""
    best: tuple[float, Subject] | None = None
    for part in overlay.cells:
        if not len(part.plates):
            continue
        flat, front = projection.project(part.plates)
        for index in np.flatnonzero(front.all(1)).tolist():
            if inside(flat[index], x, y):
                clip = np.append(part.plates[index].mean(0), 1.0) @ projection.matrix
                depth = float(clip[2] / clip[3])
                if best is None or depth < best[0]:
                    cell = part.cell
                    best = depth, subject("plate", cell.matrix, cell.x, cell.z, index)
    return best[1] if best else None


def tile_of(x: float, z: float) -> tuple[int, int]:
    """The matrix-wide tile at (x, z) units."""
    return int(x // TILE_UNITS), int(z // TILE_UNITS)


def cell_of(x: float, z: float) -> tuple[int, int]:
    """The cell at (x, z) units."""
    return int(x // (TILE_UNITS * CELL_TILES)), int(z // (TILE_UNITS * CELL_TILES))
