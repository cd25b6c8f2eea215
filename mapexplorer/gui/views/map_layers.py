"""The layers of the cells that the map shows, requested from a worker."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import MapCamera, Size
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.views.map_tiles import TilePyramid
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.place import FieldPlace

SMALLEST_TILE: Final = 3.0
"""Layers are shown from this width of a tile in pixels on."""
_PAINTED_TILE: Final = 7.5
"""The width of a tile from which on the shapes of a layer may be painted one by one: a little less than the painter's
own."""
_KEPT: Final = 160
"""Cells whose layers are kept."""
_AT_ONCE: Final = 4
"""Cells that are requested at once."""


_Request = tuple[int, frozenset[str], tuple[int, int], tuple[LayerKind, ...]]
"""A header, what is known, a cell, and the layers whose shapes are made in the worker, because making them in the
window's thread would block it."""


class MapLayers:
    """Requests the layers of the cells in view, the nearest first, and of the cell of a selected tile. `arrived` is
    called when one was read."""

    def __init__(self, explorer: Explorer, jobs: JobController, arrived: Callable[[], None]) -> None:
        self.explorer, self.jobs = explorer, jobs
        self._cells: Loader[_Request, CellOverlay] = Loader(
            self._load, lambda *_: arrived(), at_once=_AT_ONCE, budget=_KEPT + 1
        )
        self.clear = self._cells.clear
        """Forgets what was read and requested: another ROM or matrix is shown."""

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is there."""
        return self._cells.complete()

    def overlay(self, pyramid: TilePyramid, camera: MapCamera, size: Size) -> MapOverlay | None:
        """What is there of the layers in view; the rest is requested."""
        place = self.explorer.place
        if place is None:
            return None
        wanted = self._wanted(place, pyramid, camera, size)
        self._cells.want(dict.fromkeys(wanted))
        shown = tuple(part for part in map(self._cells.get, wanted) if part is not None)
        return MapOverlay(place.header.id, shown, {}, None, place.known) if shown else None

    def _wanted(self, place: FieldPlace, pyramid: TilePyramid, camera: MapCamera, size: Size) -> list[_Request]:
        tile = camera.scale * TILE_UNITS
        if tile < SMALLEST_TILE:
            return []
        layers = tuple(kind for kind in LAYERS if self.explorer.layers.shown(kind.id))
        chosen = self.explorer.selection
        cells: list[tuple[int, int]] = []
        if chosen is not None and chosen.kind == "tile" and chosen.key[0] == pyramid.key[0]:
            cells.append((chosen.key[1] // CELL_TILES, chosen.key[2] // CELL_TILES))
        if layers:
            west, north, east, south = (math.floor(value / CELL_UNITS) for value in camera.box(size))
            around = [(x, z) for z in range(north, south + 1) for x in range(west, east + 1)]
            x, z = camera.x / CELL_UNITS - 0.5, camera.z / CELL_UNITS - 0.5
            cells += sorted(around, key=lambda cell: (cell[0] - x) ** 2 + (cell[1] - z) ** 2)[:_KEPT]
        made = layers if tile >= _PAINTED_TILE else ()
        own = [cell for cell in dict.fromkeys(cells) if cell in place.matrix_cells]
        return [(place.header.id, place.known, cell, made) for cell in own]

    def _load(self, request: _Request, version: None, take: Take[CellOverlay], fail: Fail) -> Task | None:
        return self.jobs.request(partial(_read, request=request), take, priority=SOON, failed=fail)


def _read(renderer: PlaceRenderer, request: _Request) -> CellOverlay:
    header, known, cell, made = request
    part = renderer.cell_overlay(header, cell, known, whole=True)
    for layer in made:
        _ = part[layer]
    return part
