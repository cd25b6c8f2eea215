"""What lies under the cursor: events and plates where their layers are shown, else the pixel's own polygon or tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from formats.binary import FormatError
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.model.overlay import (
    Overlay,
    cell_of,
    ground_hit,
    picked_marker,
    picked_plate,
    picked_prop,
    tile_of,
)
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.model.subject import Subject, subject

if TYPE_CHECKING:
    from mapexplorer.gui.window import Window


class Picking:
    """Answers clicks and hovers of the views."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.explorer = window.explorer
        self.hovered: Point | None = None
        self.attach(window.views.ds)

    def attach(self, view: Any) -> None:
        """Follow the mouse over a view."""
        navigation = view.navigation
        navigation.clicked.connect(lambda x, y: self.click(view, x, y))
        navigation.double_clicked.connect(lambda x, y: self.double_click(view, x, y))
        navigation.hovered.connect(lambda x, y: self.hover(view, x, y))
        navigation.left.connect(lambda: self.window.status_cursor.setText(""))

    def click(self, view: Any, x: float, y: float) -> None:
        """Select what is there."""
        projection = view.projection()
        if projection is None or self.explorer.place is None:
            return
        # On the card the layers are part of the picture: what is seen at the pixel is what is meant.
        chosen = self._overlaid(projection, x, y) if view is self.window.views.ds else None
        if chosen is not None:
            self.explorer.select(chosen)
            self.window.show_dock("inspector")
            return
        view.ask_pixel(x, y, self.window)

    def double_click(self, view: Any, x: float, y: float) -> None:
        """Follow a warp, or open the map of the cell."""
        projection = view.projection()
        if projection is None or self.window.director.overlay is None:
            return
        marker = picked_marker(self.window.director.overlay, projection, x, y)
        if marker is not None and marker.subject.kind == "warp":
            self.explorer.select(marker.subject)
            self.window.commands.follow_warp()
        elif self.window.walk_mode.on and (hit := self.ground(projection, x, y)) is not None:
            self.window.walk_mode.put_at(hit)

    def _overlaid(self, projection: Projection, x: float, y: float) -> Subject | None:
        overlay, layers = self.window.director.overlay, self.explorer.layers
        if overlay is None:
            return None
        if layers.shown("events"):
            marker = picked_marker(overlay, projection, x, y)
            if marker is not None:
                return marker.subject
        if layers.shown("plates"):
            plate = picked_plate(overlay, projection, x, y)
            if plate is not None:
                return plate
        if layers.shown("collision") or layers.shown("behaviours"):
            return self.tile(projection, x, y)
        return None

    def ground(self, projection: Projection, x: float, y: float) -> Point | None:
        """The spot on the ground at a point of the picture."""
        place = self.explorer.place
        if place is None:
            return None
        try:
            return ground_hit(place, *projection.ray(x, y))
        except FormatError:
            return None

    def tile(self, projection: Projection, x: float, y: float) -> Subject | None:
        """The tile at a point of the picture."""
        hit = self.ground(projection, x, y)
        if hit is None or self.explorer.place is None:
            return None
        return subject("tile", self.explorer.place.matrix_id.value, *tile_of(hit[0], hit[2]))

    def prop(self, projection: Projection, x: float, y: float) -> Subject | None:
        """The prop whose box is met first at a point of the picture."""
        overlay = self.window.director.overlay
        if overlay is None:
            return None
        start, end = projection.ray(x, y)
        found = picked_prop(overlay, start, end)
        return found.subject if found else None

    def hover(self, view: Any, x: float, y: float) -> None:
        """Name in the status bar what lies under the cursor."""
        projection = view.projection()
        place = self.explorer.place
        if projection is None or place is None:
            return
        hit = self.ground(projection, x, y)
        self.hovered = hit
        if hit is None:
            self.window.status_cursor.setText("")
            return
        tile_x, tile_z = tile_of(hit[0], hit[2])
        word = place.terrain.attribute(tile_x, tile_z)
        blocked = ", blocked" if place.terrain.collides(tile_x, tile_z) else ""
        cell_x, cell_z = cell_of(hit[0], hit[2])
        self.window.status_cursor.setText(
            f"tile ({tile_x}, {tile_z})  cell ({cell_x}, {cell_z})  height {hit[1]:g}  "
            f"{place.world.game.tables.behaviour_name(word & 0xFF)}{blocked}"
        )
        self.window.hovered(hit)


def place_of(overlay: Overlay | None, chosen: Subject) -> Point | None:
    """Where a subject stands, in units; None for what stands nowhere."""
    from mapexplorer.gui.views.overlay_painter import selected_corners

    if chosen.kind == "cell":
        return chosen.key[1] * 512.0 + 256, 0.0, chosen.key[2] * 512.0 + 256
    if overlay is None:
        return None
    if chosen.kind == "placed prop":
        box = next((box for box in overlay.props if box.subject == chosen), None)
        middle = (box.low + box.high) / 2 if box is not None else None
    else:
        corners = selected_corners(overlay, chosen)
        middle = corners.mean(0) if corners is not None else None
    return (float(middle[0]), float(middle[1]), float(middle[2])) if middle is not None else None
