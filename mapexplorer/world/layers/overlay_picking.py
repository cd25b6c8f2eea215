"""Intersection of a line of sight with the layers over a map and with the ground."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS
from mapexplorer.world.layers import DRAWN
from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.place import FieldPlace

Array = npt.NDArray[np.float64]
Point = tuple[float, float, float]

PRIORITY: Final = (
    *((kind,) for kind in reversed(DRAWN) if kind.tile_colors is None),
    tuple(kind for kind in DRAWN if kind.tile_colors is not None),
)
"""Groups of layers, in picking order; within a group the nearest shape is picked."""
LIFT: Final = 4.0
"""Units by which shapes on a surface count as nearer to the viewer than the surface."""
_ROUNDING = 1e-9
"""The tolerance, as a share of the line, for shapes in the same plane and for borders of shapes."""
_VERTICAL = 1e-6
"""Units that the ends of a vertical line may be apart horizontally."""
_HIGHEST, _LOWEST = 1100.0, -600.0
"""The range of ground heights in units."""


@dataclass(frozen=True, eq=False)
class Ray:
    """A line of sight from `start` to `end`, in units."""

    start: Array
    end: Array

    def at(self, share: float) -> Point:
        """The point at a share of the line, 0 to 1."""
        x, y, z = (self.start + (self.end - self.start) * share).tolist()
        return x, y, z

    def share(self, point: Point) -> float:
        """The share of the line at one of its points; 1 is the end."""
        way = self.end - self.start
        return float((np.array(point) - self.start) @ way / (way @ way))

    @property
    def length(self) -> float:
        """The length in units."""
        return float(np.linalg.norm(self.end - self.start))


def picked_thing(
    cells: Iterable[CellOverlay], shown: Collection[str], ray: Ray, seen: Point | None = None
) -> ShapeSubject | None:
    """The thing that a line of sight meets first in some layers; None for none. `shown`, `seen`: see
    `picked_things`."""
    return next(iter(picked_things(cells, shown, ray, seen)), None)


def picked_things(
    cells: Iterable[CellOverlay], shown: Collection[str], ray: Ray, seen: Point | None = None
) -> list[ShapeSubject]:
    """The things that a line of sight meets in the layers `shown` (ids), in picking order. `seen`: a point of the
    picture's surface, if it hides the layers behind it."""
    crossed = list(_crossed(cells, ray))
    limit = ray.share(seen) + LIFT / ray.length if seen is not None else 1.0
    things: dict[tuple[str, tuple[int, ...]], ShapeSubject] = {}
    for together in PRIORITY:
        met: list[tuple[float, int, ShapeSubject]] = []
        for part in crossed:
            for kind in together:
                if kind.id not in shown:
                    continue
                shapes = part[kind]
                shares = _meeting(shapes.faces, ray)
                for number in np.flatnonzero(shares <= limit).tolist():
                    # Of several in the same plane the last one is on top.
                    depth = round(float(shares[number]) / _ROUNDING)
                    met.append((depth, -len(met), shapes.things[int(shapes.owners[number])]))
        for _, _, thing in sorted(met, key=lambda entry: entry[:2]):
            things.setdefault((thing.kind, thing.key), thing)
    return list(things.values())


def ground_point(place: FieldPlace, cells: Iterable[CellOverlay], ray: Ray) -> Point | None:
    """The first point, in units, where a line of sight meets the walkable ground or a tile covered by terrain."""
    point = _walked_point(place, ray)
    best = ray.share(point) if point is not None else np.inf
    for part in _crossed(cells, ray):
        covered = part.ground.tiles[part.ground.covered]
        shares = _meeting(covered, ray)
        if len(shares) and shares.min() < best:
            best = float(shares.min())
            point = ray.at(best)
    return point


def tile_of(x: float, z: float) -> tuple[int, int]:
    """The matrix-wide tile at (x, z) units."""
    return int(x // TILE_UNITS), int(z // TILE_UNITS)


def cell_of(x: float, z: float) -> tuple[int, int]:
    """The cell at (x, z) units."""
    return int(x // CELL_UNITS), int(z // CELL_UNITS)


def _crossed(cells: Iterable[CellOverlay], ray: Ray) -> Iterator[CellOverlay]:
    """The cells below a line of sight; an event may extend into neighbouring cells."""
    reach = CELL_UNITS
    for part in cells:
        low = np.array([part.cell.x, part.cell.z]) * CELL_UNITS - reach
        if _passes(ray, low, low + CELL_UNITS + 2 * reach):
            yield part


def _passes(ray: Ray, low: Array, high: Array) -> bool:
    """Whether a line passes over a rectangle from `low` to `high` (x, z)."""
    start, way = ray.start[[0, 2]], (ray.end - ray.start)[[0, 2]]
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(low - start) / way, (high - start) / way])
    inside = (start >= low) & (start <= high)
    enter = np.where(way != 0, ends.min(0), np.where(inside, -np.inf, np.inf)).max()
    leave = np.where(way != 0, ends.max(0), np.where(inside, np.inf, -np.inf)).min()
    return bool(max(enter, 0.0) <= min(leave, 1.0))


def _meeting(faces: Array, ray: Ray) -> Array:
    """The share of a line (n,) at which it meets each quad (n, 4, 3), taken as v triangles; inf for none."""
    way = ray.end - ray.start
    shares = np.full(len(faces), np.inf)
    for corners in ((0, 1, 2), (0, 2, 3)):
        origin, first, second = (faces[:, corner] for corner in corners)
        first, second, apart = first - origin, second - origin, ray.start - origin
        across = np.cross(way, second)
        volume = (first * across).sum(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = (apart * across).sum(1) / volume
            turned = np.cross(apart, first)
            v = (turned @ way) / volume
            share = (second * turned).sum(1) / volume
            inside = (u >= -_ROUNDING) & (v >= -_ROUNDING) & (u + v <= 1 + _ROUNDING) & (share >= 0) & (share <= 1)
        shares[inside] = np.minimum(shares[inside], share[inside])
    return shares


def _walked_point(place: FieldPlace, ray: Ray) -> Point | None:
    """The first point where a line of sight meets the ground of the height query."""
    x, _, z = ray.start.tolist()
    if ray.start[1] > ray.end[1] and np.abs((ray.end - ray.start)[[0, 2]]).max() < _VERTICAL:
        answer = place.height(x, z, _HIGHEST)  # straight down: the highest plate
        return (x, answer.height, z) if answer.found else None
    steps = max(2, min(1500, int(ray.length / 4)))
    cells = place.terrain.cells
    previous: tuple[float, Array] | None = None
    for fraction in np.linspace(0.0, 1.0, steps):
        point = ray.start + (ray.end - ray.start) * fraction
        # Only the part of the line within the range of ground heights is tested.
        if point[1] > _HIGHEST or point[1] < _LOWEST:
            continue
        if cell_of(point[0], point[2]) not in cells:
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
            there = place.height(float(hit[0]), float(hit[2]), float(hit[1]))  # perhaps on another plate than the step
            return float(hit[0]), there.height if there.found else answer.height, float(hit[2])
        previous = (gap, point)
    return None
