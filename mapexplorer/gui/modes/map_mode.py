"""The map as a mode of the window: entering and leaving it, going to tiles, links and bookmarks, the ruler."""

from __future__ import annotations

from dataclasses import replace

from PyQt5.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt5.QtGui import QKeyEvent

from mapexplorer.gui.jobs.worker import EXPECTED
from mapexplorer.gui.model.bookmarks import keep_bookmark
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.layers import STANDARD, Layer
from mapexplorer.gui.model.links import camera_of, link_of, selection_of, target_of
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.views.area import MAP, Views
from mapexplorer.gui.widgets.notices import INFO, Notices
from mapexplorer.gui.widgets.status import StatusFields
from mapexplorer.scene.link import Link
from mapexplorer.values import Numbers
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.layers.overlay_picking import cell_of

_NEAR = 1.0
"""The scale in pixels per unit at which a tile is shown that was chosen from a smaller scale."""
_SCREEN = 192.0
"""Pixels of the height of a DS screen, to which the scale of the top camera belongs."""


class MapMode(QObject):
    """Connects the map with the place. `changed`: the state of an action changed."""

    changed = pyqtSignal()

    def __init__(self, explorer: Explorer, views: Views, status: StatusFields, notices: Notices) -> None:
        super().__init__(views)
        self.explorer, self.views, self.status, self.notices = explorer, views, status, notices
        self._navigation = views.map.navigation
        self._navigation.entered.connect(self.enter)
        views.map.installEventFilter(self)
        explorer.zoomed_beyond.connect(self._zoomed_beyond)

    @property
    def on(self) -> bool:
        """Whether the map is shown."""
        return self.views.wanted == MAP

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape removes the ruler, then it leaves the map."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.KeyPress and event.key() == Qt.Key_Escape:
            if self.measures:
                self.toggle_ruler()
            else:
                self.views.toggle_map()
            return True
        return False

    # --- between the map and the place

    def enter(self, x: float, z: float) -> None:
        """Show a point of the map, in units, in the view that was shown before."""
        place, cell = self.explorer.place, cell_of(x, z)
        if place is not None and cell in place.matrix_cells:
            self.views.toggle_map()
            self.explorer.show_cell(*cell, x / TILE_UNITS, z / TILE_UNITS)

    def _zoomed_beyond(self) -> None:
        """The top camera sees no more: the map shows the rest, at its scale."""
        camera, view = self.explorer.camera, self.views.active
        scale = camera.scale * view.picture().height() / _SCREEN
        self.views.show_view(MAP)
        self.views.map.set_camera(MapCamera(camera.target[0], camera.target[2], scale))

    @property
    def tile(self) -> tuple[float, float]:
        """The tile in the middle of what is shown."""
        camera = self.views.map.camera
        return (camera.x / TILE_UNITS, camera.z / TILE_UNITS) if self.on else self.explorer.tile

    def go_to_text(self, text: str) -> None:
        """Go to a tile of the matrix that was typed as X,Z, also with spaces."""
        try:
            x, z = Numbers("X,Z", "a tile").parse(",".join(text.replace(",", " ").split()))
        except ValueError as error:
            self.notices.notify(INFO, "Go to tile", str(error))
            return
        place = self.explorer.place
        cell = int(x // CELL_TILES), int(z // CELL_TILES)
        if place is None or cell not in place.matrix_cells:
            self.notices.notify(INFO, "Go to tile", f"The matrix has no land at tile ({x:g}, {z:g}).")
            return
        x, z = (value + (0.5 if value == int(value) else 0.0) for value in (x, z))
        if self.on:
            view = self.views.map
            view.look_at(x * TILE_UNITS, z * TILE_UNITS, max(_NEAR, view.camera.scale))
        else:
            self.explorer.show_cell(*cell, x, z)

    def fit_place(self) -> None:
        """Show the whole place on the map."""
        self.views.show_view(MAP)
        self.views.map.fit_place()

    def fit_region(self) -> None:
        """Show the whole matrix on the map."""
        self.views.show_view(MAP)
        self.views.map.fit_region()

    # --- the ruler

    @property
    def measures(self) -> bool:
        """Whether a drag on the map measures."""
        return self.on and self._navigation.measures

    def toggle_ruler(self) -> None:
        """Let a drag on the map measure a distance, or end this."""
        self._navigation.measures = not self.measures
        self._navigation.set_ruler(None)
        if self._navigation.measures:
            self.views.show_view(MAP)
            self.status.tell("Drag on the map to measure a distance; Escape ends it.")
        self.views.map.setCursor(Qt.CrossCursor if self._navigation.measures else Qt.ArrowCursor)
        self.changed.emit()

    # --- links and bookmarks

    @property
    def link(self) -> Link:
        """The address of what is shown; not without a place."""
        explorer, place = self.explorer, self.explorer.place
        assert place is not None
        layers = [_changed(layer) for layer in STANDARD if layer.visible != explorer.layers[layer.id].visible]
        camera = self.views.map.camera if self.on else explorer.camera
        picture = replace(explorer.options, second=explorer.clock.second)
        chosen = selection_of(place, explorer.selection)
        return link_of(place, picture, camera, layers=layers, view=self.views.wanted, select=chosen)

    def open(self, link: str) -> None:
        """Show the view of a link, or say why it cannot be shown."""
        try:
            self._show(Link.parse(link))
        except EXPECTED as error:
            self.views.jobs.notify("This link cannot be shown", error)

    def _show(self, link: Link) -> None:
        explorer, views, picture = self.explorer, self.views, link.picture
        assert explorer.world is not None
        place, chosen = target_of(link, explorer.world)
        explorer.clock.set_second(picture.second)
        explorer.choose(
            weekday=picture.weekday,
            save=picture.save,
            weather=picture.weather,
            all_cells=picture.all_cells,
            all_objects=picture.all_objects,
        )
        for layer in STANDARD:
            explorer.layers.show(layer.id, layer.visible != (_changed(layer) in link.layers))
        explorer.go(place.header.id, chosen, picture.at)
        explorer.set_camera(camera_of(link, explorer.camera))
        views.show_view(link.view)
        if self.on:
            views.map.set_camera(MapCamera(*explorer.camera.target[::2], link.map_scale or views.map.camera.scale))

    @property
    def suggested_name(self) -> str:
        """A name for a bookmark of what is shown; not without a place."""
        place = self.explorer.place
        assert place is not None
        x, z = self.tile
        cell = place.matrix_cells.get((int(x // CELL_TILES), int(z // CELL_TILES)))
        header = place.header if cell is None or cell.filler else place.world.headers[cell.header]
        return f"{header.title} {x:.0f},{z:.0f}"

    def add_bookmark(self, name: str) -> None:
        """Add a bookmark of what is shown."""
        if name.strip():
            keep_bookmark(self.explorer, name.strip(), str(self.link))
            self.status.tell(f"The bookmark {name.strip()} is in the menu Go and in the palette.")


def _changed(layer: Layer) -> str:
    """A layer in a link, where it is not as at first."""
    return f"-{layer.id}" if layer.visible else layer.id
