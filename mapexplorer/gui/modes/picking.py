"""Picking under the cursor: events and plates of visible layers, else the polygon or the tile of the pixel."""

from __future__ import annotations

from PyQt5.QtCore import QObject, QPoint, pyqtSignal
from PyQt5.QtWidgets import QLabel

from formats.binary import FormatError
from formats.field.terrain_attribute import BEHAVIOUR
from mapexplorer.gui.docks.heights import HeightsPanel
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.modes.inspection import Inspection
from mapexplorer.gui.modes.walk_mode import WalkMode
from mapexplorer.gui.views.canvas import Canvas
from mapexplorer.world.cells import ALTITUDE_UNITS, CELL_TILES, TILE_UNITS
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.events import EVENTS
from mapexplorer.world.layers.overlay_picking import (
    Point,
    cell_of,
    ground_point,
    picked_thing,
    picked_things,
    tile_of,
)
from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.subject import Subject, subject

_SAME_SPOT = 0.008
"""The part of the picture by which two clicks at the same point may differ."""


class Picking(QObject):
    """Converts clicks and mouse movements in views to subjects and points on the ground, for the parts that show what
    is known of them."""

    warp_chosen = pyqtSignal()  # the selected warp was double-clicked
    menu_wanted = pyqtSignal(object, object, QPoint)  # the things at a point, the ground there, the place on the screen

    def __init__(
        self,
        inspection: Inspection,
        walk_mode: WalkMode,
        heights: HeightsPanel,
        cursor: QLabel,
    ) -> None:
        super().__init__(cursor)
        self.explorer, self.jobs = inspection.explorer, inspection.jobs
        self.inspection, self.walk_mode = inspection, walk_mode
        self.heights, self.cursor = heights, cursor
        self.hovered: Point | None = None
        self._clicked: tuple[Canvas, float, float, Projection] | None = None
        """The view, the point and the camera of the last click."""

    def attach(self, view: Canvas) -> None:
        """Receive the mouse events of a view."""
        self.follow(view)
        view.navigation.double_clicked.connect(lambda x, y: self.double_click(view, x, y))
        view.navigation.ground = lambda x, y: self.ground(view, x, y)

    def follow(self, view: Canvas) -> None:
        """Receive the clicks and the moves of the mouse over a view."""
        navigation = view.navigation
        navigation.clicked.connect(lambda x, y: self.click(view, x, y))
        navigation.hovered.connect(lambda x, y: self.hover(view, x, y))
        navigation.left.connect(self.cursor.clear)
        navigation.menu_wanted.connect(
            lambda x, y, place: self.menu_wanted.emit(self._at(view, x, y), self.ground(view, x, y), place)
        )

    def click(self, view: Canvas, x: float, y: float) -> None:
        """Select the thing at a point; a further click there selects the next one below it."""
        layers, overlay, projection = self.explorer.layers, view.overlay, view.projection()
        shown = [kind.id for kind in LAYERS if layers.shown(kind.id)]
        if projection is None or self.explorer.place is None:
            return
        hit = self.ground(view, x, y)
        if hit is not None:
            self.heights.pin(hit)
        following = self._next(view, x, y)
        self._clicked = view, x, y, projection
        if following is not None:
            self.inspection.select_clicked(following)
            return
        thing = view.labelled(x, y)
        if thing is None and shown and overlay is not None:
            thing = picked_thing(overlay.cells, shown, projection.ray(x, y), view.seen_point(x, y))
        if thing is not None:
            self.inspection.select_clicked(Subject(thing.kind, thing.key))
        else:
            view.pick(x, y, self._tile(hit), self.inspection.explain)

    def _next(self, view: Canvas, x: float, y: float) -> Subject | None:
        """What is below the selection where the same point of the same picture is clicked again; None elsewhere, and
        below the last one."""
        clicked, projection = self._clicked, view.projection()
        if clicked is None or projection is None or clicked[0] is not view or not projection.same(clicked[3]):
            return None
        if abs(x - clicked[1]) > _SAME_SPOT or abs(y - clicked[2]) > _SAME_SPOT:
            return None
        here, selection = self.here(view, x, y), self.explorer.selection
        below = here[here.index(selection) + 1 :] if selection in here else here
        return next(iter(below), None)

    def here(self, view: Canvas, x: float, y: float) -> list[Subject]:
        """What is at a point, see `_at`."""
        return [Subject(thing.kind, thing.key) for thing in self._at(view, x, y)]

    def _at(self, view: Canvas, x: float, y: float) -> list[ShapeSubject]:
        """What is at a point: events, also while their layer is not shown, the things of the layers that are shown, and
        the tile."""
        layers, overlay, ray = self.explorer.layers, view.overlay, view.ray(x, y)
        if ray is None or overlay is None:
            return []
        shown = [kind.id for kind in LAYERS if layers.shown(kind.id) or kind is EVENTS]
        label, picked = view.labelled(x, y), picked_things(overlay.cells, shown, ray)
        things = picked if label is None else [label, *(thing for thing in picked if thing != label)]
        tile = self.tile(view, x, y)
        return things if tile is None or tile in [thing[:2] for thing in things] else [*things, ShapeSubject(*tile)]

    def double_click(self, view: Canvas, x: float, y: float) -> None:
        """Select a warp, else the ground."""
        ray = view.ray(x, y)
        if ray is None or view.overlay is None:
            return
        thing = view.labelled(x, y) or picked_thing(view.overlay.cells, (EVENTS.id,), ray)
        if thing is not None and thing.kind == "warp":
            self.explorer.select(Subject(thing.kind, thing.key))
            self.warp_chosen.emit()
        elif (hit := self.ground(view, x, y)) is not None:
            self.walk_mode.put_at(hit)

    def ground(self, view: Canvas, x: float, y: float) -> Point | None:
        """The ground at a fraction of the picture of a view, in units."""
        place, overlay, ray = self.explorer.place, view.overlay, view.ray(x, y)
        if place is None or ray is None:
            return None
        # The overlay may still be that of another place.
        cells = overlay.cells if overlay is not None and overlay.header == place.header.id else ()
        try:
            return ground_point(place, cells, ray)
        except FormatError:
            return None

    def tile(self, view: Canvas, x: float, y: float) -> Subject | None:
        """The tile at a fraction of the picture of a view."""
        return self._tile(self.ground(view, x, y))

    def _tile(self, hit: Point | None) -> Subject | None:
        """The tile at a point on the ground."""
        if hit is None or self.explorer.place is None:
            return None
        return subject("tile", self.explorer.place.matrix_id.value, *tile_of(hit[0], hit[2]))

    def hover(self, view: Canvas, x: float, y: float) -> None:
        """Describe what is under the cursor."""
        place, hit = self.explorer.place, self.ground(view, x, y)
        self.hovered = hit
        if place is None or hit is None:
            self.cursor.clear()
            return
        tile_x, tile_z = tile_of(hit[0], hit[2])
        word = place.terrain.attribute(tile_x, tile_z)
        known = [place.world.game.tables.behaviour_name(word & BEHAVIOUR)] if word & BEHAVIOUR else []
        known += ["blocked"] if place.terrain.collides(tile_x, tile_z) else []
        cell_x, cell_z = cell_of(hit[0], hit[2])
        cell = place.matrix_cells.get((cell_x, cell_z))
        title = land = ""
        if cell is not None:
            raised = f", raised {cell.altitude * ALTITUDE_UNITS} units" if cell.altitude else ""
            land = f", land {cell.land}{raised}"
            if cell.header != place.header.id:
                title = f"{'filler cell' if cell.filler else place.world.headers[cell.header].title}  "
        self.cursor.setText(
            f"{title}tile ({tile_x}, {tile_z})  cell ({cell_x}, {cell_z}){land}  height {hit[1]:g}  {', '.join(known)}"
        )
        self.heights.hover(hit)


def position_of(overlay: MapOverlay | None, chosen: Subject) -> Point | None:
    """The position of a subject in units; None if it has none."""
    if chosen.kind == "cell":
        units = CELL_TILES * TILE_UNITS
        return (chosen.key[1] + 0.5) * units, 0.0, (chosen.key[2] + 0.5) * units
    if overlay is None:
        return None
    if chosen.kind == "placed prop":
        box = overlay.props.get(chosen)
        middle = (box[0] + box[1]) / 2 if box is not None else None
    else:
        faces = overlay.faces_of(chosen)
        middle = faces.reshape(-1, 3).mean(0) if faces is not None else None
    return (float(middle[0]), float(middle[1]), float(middle[2])) if middle is not None else None
