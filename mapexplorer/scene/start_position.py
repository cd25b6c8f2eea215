"""The default position of the player in a place: where the game's camera shows most of its ground.

Nothing is drawn. The ground is projected along the camera's axis onto a grid of squares, without those that props hide;
the visible share of the screen at a tile is then a sum over rows of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.terrain_attribute import BEHAVIOUR
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.features import entered, entered_walking
from mapexplorer.games import Role
from mapexplorer.games.field_tables import CameraType
from mapexplorer.scene.camera import camera_position, game_camera
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.ground import WALL_UNITS, PlaceGround, connected, grown, place_ground

Spot = tuple[float, float]
Floats = npt.NDArray[np.float64]

_SQUARE: Final = 8
"""The side of a square of the grid, in units."""
_PER_TILE: Final = TILE_UNITS // _SQUARE
_REACH: Final = 64
"""The margin of squares north and south of the player."""
_CELLS: Final = 12
"""The largest number of cells of a place that are searched, those nearest to its middle."""
_TRIED: Final = 1024
"""The largest number of tiles that are tested."""
_ENOUGH: Final = 0.93
_ENOUGH_OF_ROOM: Final = 0.99
"""A tile that shows at least this share of the maximum is accepted. The estimate for rooms is less exact, so their
share is larger."""

_known: WeakKeyDictionary[WorldFiles, dict[tuple[int, int, int], Spot]] = WeakKeyDictionary()


def default_spot(place: FieldPlace) -> Spot:
    """A suitable tile of a place, matrix-wide: where the map's code lets a visit begin, else the following.

    Of the tiles that a new game leaves open, one at which the game's camera shows the most ground of the place's own
    cells (of its matrix, if it has none): terrain that no prop hides. In a room or cave, free tiles without connection
    to an event count as the void within its walls. Of several that show nearly as much it is the one nearest to the
    middle in a room of at most one cell, elsewhere the one nearest to the first warp, or without a warp to the first
    person.

    It is an estimate (see `place_ground`): walls of rooms count as 64 units high, props as their boxes, and free tiles
    as covered by polygons. Where a closed room has no polygons under its free tiles, or where polygons are black,
    another tile may show more.
    """
    known = _known.setdefault(place.world, {})
    key = (place.header.id, place.matrix_id.value, place.area_id.value)
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
    if place.matrix.headers is None:
        ground = _without_voids(place, near, ground)
        entered = ground.free[tiles[:, 1], tiles[:, 0]]
        tiles = tiles[entered] if entered.any() else tiles
    tiles = _left_open(place, ground, tiles)
    shown = _shown(place, near, ground, tiles)
    room, bounds = place.matrix.headers is None, ground.bounds
    tiles = tiles[shown >= (_ENOUGH_OF_ROOM if room else _ENOUGH) * shown.max()] + (ground.west, ground.north)
    small = room and max(ground.ground.shape) <= CELL_TILES
    wanted: tuple[float, float] | None = None if small else _arrival(place, cells)
    if wanted is None and bounds is not None:
        wanted = (bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2
    x, z = tiles[((tiles - (middle if wanted is None else wanted)) ** 2).sum(1).argmin()].tolist()
    return x, z


def _without_voids(place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround) -> PlaceGround:
    """The ground of cells without free tiles that are not connected to an event, over free tiles, ledges and climbs,
    unless none is."""
    events, passable = np.zeros_like(ground.free), ground.free.copy()
    rows, columns = events.shape
    for records in _records(place):
        x, z = (records[axis].astype(int) - first for axis, first in (("x", ground.west), ("z", ground.north)))
        inside = (x >= 0) & (x < columns) & (z >= 0) & (z < rows)
        events[z[inside], x[inside]] = True
    groups = place.terrain.groups
    # A player passes these tiles although they may have the collision bit.
    jumps = (*groups.ledge, *groups.double_ledge, *groups.ramp)
    overcome = sorted(frozenset().union(*jumps, *groups.rock_climb, *groups.falls))
    for cell in cells:
        west, north = cell.x * CELL_TILES - ground.west, cell.z * CELL_TILES - ground.north
        with suppress(FormatError):
            behaviours = place.terrain.attributes(cell) & BEHAVIOUR
            passable[north : north + CELL_TILES, west : west + CELL_TILES] |= np.isin(behaviours, overcome)
    entered = connected(grown(events, 1), passable) & ground.free
    if not entered.any():
        return ground
    void = ground.free & ~entered
    return replace(ground, free=entered, ground=ground.ground & ~void)


def _left_open(place: FieldPlace, ground: PlaceGround, tiles: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Those of some tiles (x, z), counted from the first tile of the ground, that a new game leaves open: without an
    object on them, not barred by the feature of the map, and not covered by one of its height plates. All, if it leaves
    none."""
    save = fresh_save(place.world.game)
    feature = entered_walking(save, place.header.id)
    objects = {
        (int(event["x"]), int(event["z"]))
        for records in _records(place)[1:2]
        for event in records
        if not save.hides(int(event["hidden_flag"]), int(event["script"]))
    }

    def is_open(x: int, z: int) -> bool:
        if (x, z) in objects:
            return False
        if feature is None:
            return True
        height = place.terrain.centre_height(x, z, 0) or 0
        plate = feature.plate_height(x, z)
        covered = plate is not None and plate > height
        return not (covered or feature.occupied(x, z) or feature.collides(place.terrain, x, z, height))

    kept = [is_open(x, z) for x, z in (tiles + (ground.west, ground.north)).tolist()]
    return tiles[kept] if any(kept) else tiles


def _apart(cell: Cell, middle: Floats) -> float:
    x, z = middle / CELL_TILES - 0.5
    return float((cell.x - x) ** 2 + (cell.z - z) ** 2)


def _arrival(place: FieldPlace, cells: Sequence[Cell]) -> tuple[int, int] | None:
    """The tile of the first warp in the cells, else of the first person."""
    own = {(cell.x, cell.z) for cell in cells}
    for records in _records(place)[:2]:
        for x, z in records[["x", "z"]].tolist():
            if (x // CELL_TILES, z // CELL_TILES) in own:
                return x, z
    return None


def _records(place: FieldPlace) -> list[npt.NDArray[Any]]:
    """The warps, objects, background events and triggers of a place; none if they are damaged."""
    try:
        events: ZoneEvents | None = place.events
    except FormatError:
        return []
    return [] if events is None else [events.warps, events.objects, events.background, events.triggers]


def _projected(place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround, slope: float) -> npt.NDArray[np.int32]:
    """The ground projected along the camera's axis, with a margin of `_REACH` squares on every side: each row holds the
    cumulative sums of its squares from the west. Heights are shifted north by `slope` units per unit."""
    rows, columns = (size * _PER_TILE + 2 * _REACH for size in ground.ground.shape)
    squares = np.zeros((rows, columns), bool)
    raised = np.rint(ground.surface * slope / _SQUARE).astype(np.intp)
    wall = round(WALL_UNITS * slope / _SQUARE) if place.matrix.headers is None else 0
    for mask, up in ((ground.ground & ground.free, 0), (ground.ground & ~ground.free, wall)):
        z, x = np.nonzero(mask)
        row = z * _PER_TILE - raised[z, x] + _REACH
        down, right = np.mgrid[-up:_PER_TILE, 0:_PER_TILE].reshape(2, -1, 1)
        squares[np.clip(row + down, 0, rows - 1), x * _PER_TILE + _REACH + right] = True
    for west, east, north, south in _hidden(place, cells, ground, slope):
        squares[max(north, 0) : max(south, 0), max(west, 0) : max(east, 0)] = False
    return squares.cumsum(1, dtype=np.int32)


def _shown(place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround, tiles: npt.NDArray[np.intp]) -> Floats:
    """For tiles (x, z), counted from the first tile of the ground: the pixels of the screen that show ground while the
    player is there."""
    _, above, behind = camera_position(place.camera, (0, 0, 0))
    slope = behind / above if above > 0 else 0.0
    filled = _projected(place, cells, ground, slope)
    x, z = tiles.T
    rows, columns = filled.shape
    own = np.floor((z + 0.5) * _PER_TILE - ground.heights[z, x] * slope / _SQUARE).astype(np.intp)
    offsets, half, pixels = _screen_rows(place.camera)
    line = np.clip(own + offsets[:, None] + _REACH, 0, rows - 1) * columns
    column = (2 * x + 1) * _PER_TILE // 2 + _REACH - 1
    sides = np.rint(half).astype(np.intp)[:, None]
    sums = filled.ravel()
    shown: Floats = pixels @ (sums[line + column + sides] - sums[line + column - sides])
    return shown


def _screen_rows(camera: CameraType) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """For each row of level squares that a camera sees: its offset from the player's row, half its visible width in
    squares, and the pixels of one square."""
    seen = game_camera(camera, (0, 0, 0))
    view = np.zeros((4, 4))
    view[:, :3] = np.array(seen.view, float).reshape(4, 3)
    view[3, 3] = ONE
    matrix = view @ np.array(seen.projection, float).reshape(4, 4) / ONE**2
    edges = np.zeros((2 * _REACH + 1, 4))
    edges[:, 2], edges[:, 3] = (np.arange(-_REACH, _REACH + 1) - 0.5) * _SQUARE, 1
    clip = edges @ matrix
    w = clip[:, 3]
    before = (w > 0) & (np.abs(clip[:, 2]) <= w)
    depth = np.where(before, w, 1.0)
    height = np.abs(np.diff(np.clip(clip[:, 1] / depth, -1, 1))) * 96
    width = matrix[0, 0] * (1 / depth[1:] + 1 / depth[:-1]) / 2 * 128 * _SQUARE
    rows = np.flatnonzero(before[1:] & before[:-1] & (height > 0))
    return rows - _REACH, np.minimum(128 / width[rows], _REACH - 1), (height * width)[rows]


def _hidden(place: FieldPlace, cells: Sequence[Cell], ground: PlaceGround, slope: float) -> list[list[int]]:
    """The squares that the boxes of props hide, including props south of the cells: west, east, north, south; east and
    south are exclusive."""
    around = [(cell.x, cell.z + south) for south in (0, 1) for cell in cells]
    boxes: dict[int, tuple[Floats, Floats]] = {}
    lows, highs = [], []
    for cell in [place.matrix_cells[at] for at in dict.fromkeys(around) if at in place.matrix_cells]:
        try:
            props = place.props(cell, place.area_id.value)
        except FormatError:
            continue
        for prop in props:
            if prop.model not in boxes:
                boxes[prop.model] = _box(place.world, prop.model)
            low, high = boxes[prop.model]
            scale, position = np.array(prop.scale) / ONE, np.array(prop.position) / ONE
            lows.append(position + low * scale)
            highs.append(position + high * scale)
    if not lows:
        return []
    (west, bottom, north), (east, top, south) = np.array(lows).T, np.array(highs).T
    sides = np.stack([west, east, north - top * slope, south - bottom * slope], 1)
    origin = np.array((ground.west, ground.west, ground.north, ground.north)) * TILE_UNITS
    squares: list[list[int]] = (np.rint((sides - origin) / _SQUARE) + _REACH).astype(int).tolist()
    return squares


def _box(world: WorldFiles, model: int) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of a prop model's box in units; both 0 for a model that cannot be read."""
    try:
        found = Nsbmd.read_boxes(world.members(Role.BUILD_MODEL).reader(model))
    except FormatError:
        found = ()
    box, scale = found[0] if found else ((0,) * 6, 0)
    values = np.array(box, float) * scale / ONE**2
    return values[:3], values[:3] + values[3:]
