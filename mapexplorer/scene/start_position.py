"""The default position of the player in a place: where the game's camera shows most of what is there.

Nothing is drawn. Ground, water, buildings and what events are about are projected along the camera's axis onto a grid
of squares; the share of the screen that each has at a tile is then a sum over rows of the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.terrain_attribute import BEHAVIOUR, UNLOADED
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.features import entered, entered_walking
from mapexplorer.games import Role
from mapexplorer.games.field_tables import CameraType
from mapexplorer.scene.camera import camera_position, game_camera
from mapexplorer.scene.culling import clip_matrix
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS, Cell
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.ground import WALL_TILES, WALL_UNITS, Mask, PlaceGround, connected, grown, place_ground

Spot = tuple[float, float]
Floats = npt.NDArray[np.float64]
Behaviours = npt.NDArray[np.uint16]

_SQUARE: Final = 8
"""The side of a square of the grid, in units."""
_PER_TILE: Final = TILE_UNITS // _SQUARE
_REACH: Final = 64
"""The margin of squares north and south of the player."""
_CELLS: Final = 12
"""The largest number of cells of a place that are searched, those nearest to its middle."""
_TRIED: Final = 1024
"""The largest number of tiles that are tested."""
_FAR: Final = 64
"""A tile this far from where a visitor arrives, in tiles, has half its worth: there end the cells that are loaded."""


@dataclass(frozen=True)
class _Kind:
    """What a square shows. `worth`: that of a screen full of it; `fill`: the share of a square that counts as filled;
    `middle`: it counts in the middle half of the width, and the less the farther it is from the middle of the
    height."""

    worth: float
    fill: float = 1
    middle: bool = False


_NOTHING: Final = 0
_GROUND, _WATER, _BLOCKED, _FRONT, _POINT = range(1, 6)
_KINDS: Final = {
    # Where a player can walk.
    _GROUND: _Kind(1),
    # A place has less of it than of ground, and is often named after it.
    _WATER: _Kind(1.25),
    # Treetops, cliffs, roofs and things without a use: they only hide what is behind them.
    _BLOCKED: _Kind(0, fill=0.5),
    # The southern side of a prop with a door or a sign: about a tenth of the screen, in its middle seen whole.
    _FRONT: _Kind(3, middle=True),
    # Each person, thing and sign, two tiles high: about a hundredth of the screen, but what a place is visited for.
    _POINT: _Kind(4, fill=0, middle=True),
}

_known: WeakKeyDictionary[WorldFiles, dict[tuple[int, int, int, frozenset[str]], Spot]] = WeakKeyDictionary()


def default_spot(place: FieldPlace) -> Spot:
    """A suitable tile of a place, matrix-wide: where the map's code lets a visit begin, else the following.

    Of the tiles that a new game leaves open, the one where the game's camera shows the most of the place's own cells
    (of its matrix, if it has none), near where a visitor arrives: at a warp, without warps from a neighbouring map. The
    worth of a tile is the filled share of the screen, times the sum of the square roots of the shares of each kind of
    square (`_KINDS`), so that two kinds are worth more than one of them, divided by 1 + (distance / `_FAR`)².

    In a room of at most one cell all terrain that no prop hides is of one kind, and nothing else counts; the distance
    is that from its middle. In a room or cave, free tiles without connection to an event count as the void within its
    walls.

    It is an estimate (see `place_ground`): walls of rooms count as 64 units high, props as their boxes, and free tiles
    as covered by polygons. Where a closed room has no polygons under its free tiles, or where polygons are black,
    another tile may show more.
    """
    known = _known.setdefault(place.world, {})
    key = (place.header.id, place.matrix_id.value, place.area_id.value, place.known)
    if key not in known:
        known[key] = _arrival_by_code(place) or _find(place)
    return known[key]


def _arrival_by_code(place: FieldPlace) -> Spot | None:
    """Where the map's code lets a visit begin; None where it does not say."""
    feature = entered(fresh_save(place.world.game), place.header.id)
    spot = None if feature is None else feature.with_files(place.world).arrival
    return None if spot is None else (spot.x, spot.z)


def _find(place: FieldPlace) -> Spot:
    cells = place.cells or tuple(place.matrix_cells.values())
    if not cells:
        return 0, 0
    middle = np.array([[cell.x, cell.z] for cell in cells]).mean(0) * CELL_TILES + CELL_TILES / 2
    near = sorted(cells, key=lambda cell: _apart(cell, middle))[:_CELLS]
    ground = place_ground(place, near)
    tiles = np.argwhere(ground.free if ground.free.any() else ground.ground)[:, ::-1]
    if not len(tiles):
        return float(int(middle[0])), float(int(middle[1]))
    tiles = tiles[:: -(-len(tiles) // _TRIED)]
    behaviours = _behaviours(place, near, ground)
    if place.matrix.headers is None:
        ground = _without_voids(place, behaviours, ground)
        entered = ground.free[tiles[:, 1], tiles[:, 0]]
        tiles = tiles[entered] if entered.any() else tiles
    small = place.matrix.headers is None and max(ground.ground.shape) <= CELL_TILES
    worth = _worth(place, near, ground, behaviours, tiles, small)
    arrivals = np.zeros((0, 2)) if small else _arrivals(place, behaviours, ground)
    if not len(arrivals):
        arrivals = np.argwhere(ground.ground)[:, ::-1].mean(0, keepdims=True)
    apart = ((tiles[:, None] - arrivals) ** 2).sum(2).min(1)
    order = np.lexsort((apart, -worth / (1 + apart / (CELL_TILES if small else _FAR) ** 2)))
    best: list[list[int]] = (tiles[order] + (ground.west, ground.north)).tolist()
    is_open = _openness(place)
    x, z = next((tile for tile in best if is_open(*tile)), best[0])
    return x, z


def _behaviours(place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround) -> Behaviours:
    """The behaviours of the tiles of the ground; those of others and of damaged cells are unloaded."""
    behaviours = np.full(ground.ground.shape, UNLOADED, np.uint16)
    for cell in cells:
        x, z = cell.x * CELL_TILES - ground.west, cell.z * CELL_TILES - ground.north
        with suppress(FormatError):
            behaviours[z : z + CELL_TILES, x : x + CELL_TILES] = place.terrain.attributes(cell) & BEHAVIOUR
    return behaviours


def _tiles_of(records: Sequence[npt.NDArray[Any]], ground: PlaceGround) -> Mask:
    """The mask of the tiles of the ground with one of some records of events."""
    tiles = np.zeros_like(ground.free)
    rows, columns = tiles.shape
    for kind in records:
        x, z = (kind[axis].astype(int) - first for axis, first in (("x", ground.west), ("z", ground.north)))
        inside = (x >= 0) & (x < columns) & (z >= 0) & (z < rows)
        tiles[z[inside], x[inside]] = True
    return tiles


def _without_voids(place: FieldPlace, behaviours: Behaviours, ground: PlaceGround) -> PlaceGround:
    """The ground without free tiles that are not connected to an event, over free tiles, ledges and climbs, unless none
    is, and without their walls; water stays."""
    groups = place.terrain.groups
    # A player passes these tiles although they may have the collision bit.
    jumps = (*groups.ledge, *groups.double_ledge, *groups.ramp)
    overcome = sorted(frozenset().union(*jumps, *groups.rock_climb, *groups.falls))
    passable = ground.free | np.isin(behaviours, overcome)
    entered = connected(grown(_tiles_of(_records(place), ground), 1), passable) & ground.free
    if not entered.any():
        return ground
    kept = entered | ground.free & np.isin(behaviours, sorted(groups.surfable))
    return replace(ground, free=entered, ground=ground.ground & grown(kept, WALL_TILES) & (kept | ~ground.free))


def _openness(place: FieldPlace) -> Callable[[int, int], bool]:
    """Whether a new game leaves a tile open: without an object on it, not under a floor, not barred by the feature of
    the map, and not covered by one of its height plates."""
    save = fresh_save(place.world.game)
    feature = entered_walking(save, place.header.id)
    objects = {
        (int(event["x"]), int(event["z"]))
        for records in _records(place)[1:2]
        for event in records
        if not save.hides(int(event["hidden_flag"]), int(event["script"]))
    }

    def is_open(x: int, z: int) -> bool:
        height = place.terrain.centre_height(x, z, 0) or 0
        roof = max(place.terrain.levels(x, z), default=0)
        if (x, z) in objects or roof > height + WALL_UNITS * ONE:
            return False
        if feature is None:
            return True
        plate = feature.plate_height(x, z)
        covered = plate is not None and plate > height
        return not (covered or feature.occupied(x, z) or feature.collides(place.terrain, x, z, height))

    return is_open


def _apart(cell: Cell, middle: Floats) -> float:
    x, z = middle / CELL_TILES - 0.5
    return float((cell.x - x) ** 2 + (cell.z - z) ** 2)


def _arrivals(place: FieldPlace, behaviours: Behaviours, ground: PlaceGround) -> npt.NDArray[np.intp]:
    """The tiles (x, z), counted from the first tile of the ground, of the warps, else those where the neighbouring maps
    of a region begin, else those of the people; none without any."""
    outside = np.pad(behaviours == UNLOADED, 1, constant_values=place.matrix.headers is not None)
    warps, people = (_tiles_of(_records(place)[kind : kind + 1], ground) for kind in (0, 1))
    edge = grown(outside, 1)[1:-1, 1:-1] & ground.free
    arrivals = next((mask for mask in (warps, edge) if mask.any()), people)
    return np.argwhere(arrivals)[:, ::-1]


def _records(place: FieldPlace) -> list[npt.NDArray[Any]]:
    """The warps, objects, background events without the hidden items, and triggers of a place; none if they are
    damaged."""
    try:
        events: ZoneEvents | None = place.events
    except FormatError:
        return []
    if events is None:
        return []
    seen = events.background[events.background["type"] != BackgroundKind.HIDDEN_ITEM]
    return [events.warps, events.objects, seen, events.triggers]


def _projected(
    place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround, behaviours: Behaviours, slope: float, small: bool
) -> Iterator[tuple[_Kind, npt.NDArray[np.int32]]]:
    """The ground projected along the camera's axis, with a margin of `_REACH` squares on every side: for each kind that
    it shows rows with the cumulative sums of its squares from the west. Heights are shifted north by `slope` units per
    unit. `small`: all terrain is of one kind, and nothing else counts."""
    rows, columns = (size * _PER_TILE + 2 * _REACH for size in ground.ground.shape)
    squares, points = np.zeros((2, rows, columns), np.uint8)
    raised = np.rint(ground.surface * slope / _SQUARE).astype(np.intp)
    wall = round(WALL_UNITS * slope / _SQUARE) if place.matrix.headers is None else 0
    water = ground.ground & np.isin(behaviours, sorted(place.terrain.groups.surfable)) & (not small)
    for kind, mask, up in (
        (_GROUND if small else _BLOCKED, ground.ground & ~ground.free & ~water, wall),
        (_GROUND, ground.ground & ground.free & ~water, 0),
        (_WATER, water, 0),
        (_POINT, _tiles_of(() if small else _records(place)[1:3], ground), _PER_TILE),
    ):
        z, x = np.nonzero(mask)
        row = z * _PER_TILE - raised[z, x] + _REACH
        down, right = np.mgrid[-up:_PER_TILE, 0:_PER_TILE].reshape(2, -1, 1)
        grid = points if kind == _POINT else squares
        grid[np.clip(row + down, 0, rows - 1), x * _PER_TILE + _REACH + right] = kind
    for kind, west, east, north, south in () if small else _props(place, cells, ground, slope):
        squares[max(north, 0) : max(south, 0), max(west, 0) : max(east, 0)] = kind
    for kind, shown in _KINDS.items():
        mask = (points if kind == _POINT else squares) == kind
        if mask.any():
            yield shown, mask.cumsum(1, dtype=np.int32)


def _worth(
    place: FieldPlace,
    cells: Sequence[Cell],
    ground: PlaceGround,
    behaviours: Behaviours,
    tiles: npt.NDArray[np.intp],
    small: bool,
) -> Floats:
    """For tiles (x, z), counted from the first tile of the ground: the worth of the screen while the player is
    there."""
    _, above, behind = camera_position(place.camera, (0, 0, 0))
    slope = behind / above if above > 0 else 0.0
    x, z = tiles.T
    rows, columns = (size * _PER_TILE + 2 * _REACH for size in ground.ground.shape)
    own = np.floor((z + 0.5) * _PER_TILE - ground.heights[z, x] * slope / _SQUARE).astype(np.intp)
    offsets, apart, half, areas = _screen_rows(place.camera)
    middle = np.clip(own + offsets[:, None] + _REACH, 0, rows - 1) * columns
    middle += (2 * x + 1) * _PER_TILE // 2 + _REACH - 1
    full, worth = np.zeros((2, len(tiles)))
    for kind, filled in _projected(place, cells, ground, behaviours, slope, small):
        sides = np.rint(half / 2 if kind.middle else half).astype(np.intp)[:, None]
        sums = filled.ravel()
        squares = sums[middle + sides] - sums[middle - sides]
        share = (areas * (1 - apart) ** 2 if kind.middle else areas) @ squares
        full += kind.fill * share
        worth += kind.worth * np.sqrt(share)
    return full * worth


def _screen_rows(camera: CameraType) -> tuple[npt.NDArray[np.intp], Floats, Floats, Floats]:
    """For each row of level squares that a camera sees: its offset from the player's row, how far it is from the middle
    of the screen (1: at its edge), half its visible width in squares, and the share of the screen of one square."""
    matrix = clip_matrix(game_camera(camera, (0, 0, 0)))
    edges = np.zeros((2 * _REACH + 1, 4))
    edges[:, 2], edges[:, 3] = (np.arange(-_REACH, _REACH + 1) - 0.5) * _SQUARE, 1
    clip = edges @ matrix
    w = clip[:, 3]
    before = (w > 0) & (np.abs(clip[:, 2]) <= w)
    depth = np.where(before, w, 1.0)
    y = np.clip(clip[:, 1] / depth, -1, 1)
    height, apart = np.abs(np.diff(y)) / 2, np.abs(y[1:] + y[:-1]) / 2
    width = matrix[0, 0] * (1 / depth[1:] + 1 / depth[:-1]) / 4 * _SQUARE
    rows = np.flatnonzero(before[1:] & before[:-1] & (height > 0))
    return rows - _REACH, apart[rows], np.minimum(0.5 / width[rows], _REACH - 1), (height * width)[rows]


def _props(
    place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround, slope: float
) -> Iterator[tuple[int, int, int, int, int]]:
    """What the boxes of props that rise from the ground show, including props south of the cells, which only hide: the
    kind, and the squares' west, east, north, south; east and south are exclusive."""
    around = [(cell.x, cell.z + south) for south in (0, 1) for cell in cells]
    box = cache(partial(_box, place.world))
    lows, highs, own = [], [], []
    for cell in [place.matrix_cells[at] for at in dict.fromkeys(around) if at in place.matrix_cells]:
        try:
            props = place.props(cell, place.area_id.value)
        except FormatError:
            continue
        for prop in props:
            low, high = box(prop.model)
            scale, position = np.array(prop.scale) / ONE, np.array(prop.position) / ONE
            lows.append(position + low * scale)
            highs.append(position + high * scale)
            own.append(cell in cells)
    if not lows:
        return
    (west, bottom, north), (east, top, south) = np.array(lows).T, np.array(highs).T
    sides = np.stack([west, east, north - top * slope, south - top * slope, south - bottom * slope], 1)
    origin = np.array((ground.west, ground.west, ground.north, ground.north, ground.north)) * TILE_UNITS
    squares: list[list[int]] = (np.rint((sides - origin) / _SQUARE) + _REACH).astype(int).tolist()
    used = [tile for records in _records(place)[:3:2] for tile in records[["x", "z"]].tolist()]
    x, z = (np.reshape(used, (-1, 2)).T[..., None] + 0.5) * TILE_UNITS
    has_use = ((x > west) & (x < east) & (z > north) & (z < south + TILE_UNITS)).any(0)
    for number in np.flatnonzero(top - bottom > _SQUARE).tolist():
        left, right, roof, front, foot = squares[number]
        yield _BLOCKED if own[number] else _NOTHING, left, right, roof, foot
        if own[number] and has_use[number]:
            yield _FRONT, left, right, front, foot


def _box(world: WorldFiles, model: int) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of a prop model's box in units; both 0 for a model that cannot be read."""
    try:
        boxes = Nsbmd.read_boxes(world.members(Role.BUILD_MODEL).reader(model))
    except FormatError:
        boxes = ()
    box, scale = boxes[0] if boxes else ((0,) * 6, 0)
    values = np.array(box, float) * scale / ONE**2
    return values[:3], values[:3] + values[3:]
