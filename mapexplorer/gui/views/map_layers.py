"""The layers of the cells that the map shows, requested from a worker."""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import partial
from typing import Final, NamedTuple

from PyQt5.QtCore import QObject, pyqtSignal

from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import MapCamera, Size
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.views.map_tiles import Sheet
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


class _Wish(NamedTuple):
    """A cell through a header, and the layers whose shapes are made in the worker, because making them in the window's
    thread would block it."""

    header: int
    known: frozenset[str]
    cell: tuple[int, int]
    made: tuple[LayerKind, ...]


class MapLayers(QObject):
    """Requests the layers of the cells in view, the nearest first, and of the cell of a selected tile. `arrived`: one
    was read."""

    arrived = pyqtSignal()

    def __init__(self, explorer: Explorer, jobs: JobController, parent: QObject) -> None:
        super().__init__(parent)
        self.explorer, self.jobs = explorer, jobs
        self._cells: OrderedDict[_Wish, CellOverlay] = OrderedDict()
        self._asked: set[_Wish] = set()
        self._failed: set[_Wish] = set()

    def clear(self) -> None:
        """Forget what was read and asked: another ROM or matrix is shown."""
        self._cells.clear()
        self._asked.clear()
        self._failed.clear()

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is there."""
        return not self._asked

    def overlay(self, sheet: Sheet, camera: MapCamera, size: Size) -> MapOverlay | None:
        """What is there of the layers in view; the rest is requested."""
        place = self.explorer.place
        if place is None:
            return None
        wanted = self._wanted(place, sheet, camera, size)
        missing = [wish for wish in wanted if wish not in self._cells and wish not in self._asked | self._failed]
        for wish in missing[: max(0, _AT_ONCE - len(self._asked))]:
            self._asked.add(wish)
            self.jobs.ask(
                partial(_read, wish=wish), partial(self._take, wish), priority=SOON, failed=partial(self._fail, wish)
            )
        shown = tuple(self._cells[wish] for wish in wanted if wish in self._cells)
        return MapOverlay(place.header.id, shown, (), None, place.known) if shown else None

    def _wanted(self, place: FieldPlace, sheet: Sheet, camera: MapCamera, size: Size) -> list[_Wish]:
        tile = camera.scale * TILE_UNITS
        if tile < SMALLEST_TILE:
            return []
        layers = tuple(kind for kind in LAYERS if self.explorer.layers.shown(kind.id))
        chosen = self.explorer.selection
        cells: list[tuple[int, int]] = []
        if chosen is not None and chosen.kind == "tile" and chosen.key[0] == sheet.key[0]:
            cells.append((chosen.key[1] // CELL_TILES, chosen.key[2] // CELL_TILES))
        if layers:
            west, north, east, south = (math.floor(value / CELL_UNITS) for value in camera.box(size))
            around = [(x, z) for z in range(north, south + 1) for x in range(west, east + 1)]
            x, z = camera.x / CELL_UNITS - 0.5, camera.z / CELL_UNITS - 0.5
            cells += sorted(around, key=lambda cell: (cell[0] - x) ** 2 + (cell[1] - z) ** 2)[:_KEPT]
        made = layers if tile >= _PAINTED_TILE else ()
        found = [cell for cell in dict.fromkeys(cells) if cell in place.matrix_cells]
        return [_Wish(place.header.id, place.known, cell, made) for cell in found]

    def _take(self, wish: _Wish, part: CellOverlay) -> None:
        self._asked.discard(wish)
        self._cells[wish] = part
        while len(self._cells) > _KEPT + 1:
            self._cells.popitem(last=False)
        self.arrived.emit()

    def _fail(self, wish: _Wish, error: BaseException) -> None:
        self._asked.discard(wish)
        self._failed.add(wish)
        self.arrived.emit()


def _read(renderer: PlaceRenderer, wish: _Wish) -> CellOverlay:
    part = renderer.cell_overlay(wish.header, wish.cell, wish.known, whole=True)
    for layer in wish.made:
        _ = part[layer]
    return part
