"""Paints the shapes of the layers over a map through a picture's camera, their labels, the selection and the marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QLineF, QPointF, QRectF, Qt
from PyQt5.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF, QTransform

from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.model.marks import Marks, ReachedTiles
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.colors import BLOCKED, Rgb
from mapexplorer.world.layers import DRAWN
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import Shapes, ShapeSubject
from mapexplorer.world.subject import Subject, subject

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Colors = npt.NDArray[np.uint8]
Point = tuple[float, float, float]

SMALLEST_TILE = 8.0
"""Tiles that are fewer pixels wide are drawn as one picture for each cell."""
LABELLED_TILE = 30.0
"""Tiles at least so wide carry the name of their behaviour."""
LABELLED_EVENT = 9.0
"""Events at least so many pixels wide carry their label."""
LINE = 1.2
"""Pixels that lines are wide."""
_NO_MARKS = Marks()
_WAY = (255, 214, 64)
REACHED = (60, 120, 255)
_CHANGED = (255, 64, 160)
_LEFT = (255, 200, 40)

_GREY, _ABSENT = (96, 96, 96), 0.4
"""The colour of the labels of what is absent, and the share of the opacity of its boxes."""
_LONGEST_STEP = 8 * TILE_UNITS
"""Units: a way that goes on farther away has led through a warp."""
_MOVES = 5
"""The places above an event that are tried for its label."""
_PIECES = 8
"""Parts of a line that is longer than a tile: those behind the camera are left out."""


class OverlayPainter:
    """Draws layers of an overlay into a rectangle of a widget."""

    def __init__(
        self, painter: QPainter, rectangle: QRectF, projection: Projection, layers: Layers, *, marks_only: bool = False
    ) -> None:
        """`marks_only`: of the layers only their labels, because the picture shows the rest."""
        self.painter = painter
        self.rectangle = rectangle
        self.projection = projection
        self.layers = layers
        self.marks_only = marks_only
        self._labelled: list[QRectF] = []
        self.tags: list[tuple[QRectF, ShapeSubject]] = []
        """The labels of events that were painted, with what they are of."""

    @staticmethod
    def paints(layers: Layers, selection: Subject | None, marks: Marks, *, marks_only: bool) -> bool:
        """Whether anything can be painted."""
        painted = (kind for kind in DRAWN if not marks_only or kind.named is not None or kind.tagged)
        return selection is not None or marks.any or any(layers.shown(kind.id) for kind in painted)

    def paint(self, overlay: MapOverlay | None, selection: Subject | None, marks: Marks = _NO_MARKS) -> None:
        """What can be reached, the layers that are shown, what is selected, where there is an overlay; and a way, a
        walk's trail and the tile that refused."""
        with painting(self.painter, smooth=True):
            self.painter.setClipRect(self.rectangle)
            if overlay is not None:
                self._overlay(overlay, selection, marks)
            self._steps(marks)

    def _overlay(self, overlay: MapOverlay, selection: Subject | None, marks: Marks) -> None:
        shown = [kind for kind in DRAWN if self.layers.shown(kind.id)]
        if marks.reached is not None:
            self._reached(overlay, marks.reached)
        for marked, rgb in marked_tiles(marks):
            self._marked(overlay, marked, rgb)
        parts = [(part, self._small(part)) for part in overlay.cells] if shown else []
        for kind in () if self.marks_only else shown:
            for part, small in parts:
                self._layer(part, kind, small, marks.absent)
        for part, small in parts:
            for kind in shown:
                if kind.named is not None and not (small and kind.tile_colors is not None):
                    self._names(part[kind], kind.named(part))
        for kind in reversed(shown):
            for part, small in parts if kind.tagged else ():
                if not small:
                    self._tags(part[kind], self.layers[kind.id].opacity, marks.absent)
        if selection is not None:
            self._selection(overlay, selection)

    def _steps(self, marks: Marks) -> None:
        self._goal(marks.way)
        self._line(marks.way, QPen(QColor(*_WAY), 3.0, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
        self._line(marks.trail, QPen(QColor(255, 255, 255, 150), 2.0, Qt.DotLine))
        self._refused(marks.refused, marks.reason)

    # --- layers

    def _layer(self, part: CellOverlay, kind: LayerKind, small: bool, absent: frozenset[Subject]) -> None:
        opacity = self.layers[kind.id].opacity
        if small and kind.tile_colors is not None:
            self._tile_picture(part, kind, opacity)
            return
        shapes = part[kind]
        flat, touching = self._flat(shapes.faces)
        things = shapes.things if kind.tagged else ()
        hidden = np.isin(shapes.owners, [number for number, thing in enumerate(things) if thing[:2] in absent])
        for chosen, share in ((touching & ~hidden, opacity), (touching & hidden, opacity * _ABSENT)):
            for number, fill, edge in _by_color(shapes.fills, shapes.edges, chosen):
                self._draw(flat[number], color(fill, share), color(edge, share), LINE)
        chosen = np.ones(len(shapes.lines), np.bool_)
        if small and not kind.fine_lines:
            chosen = _length(shapes.lines) > TILE_UNITS
        self._lines(shapes.lines[chosen], shapes.line_colors[chosen], opacity)

    def _small(self, part: CellOverlay) -> bool:
        """Whether a cell's tiles are too small to be drawn one by one."""
        flat, front = self._flat(part.ground.tiles[[0, 0, 31, 31, 16], [0, 31, 0, 31, 16]])
        return bool(front.any()) and _width(flat[front]) < SMALLEST_TILE

    def _tile_picture(self, part: CellOverlay, kind: LayerKind, opacity: float) -> None:
        """All tiles of a cell as one picture, laid over the cell's corners."""
        colors = part.tile_colors(kind).copy()
        colors[..., 3] = np.rint(colors[..., 3] * opacity)
        flat, touching = self._flat(part.ground.border)
        if not touching or not colors.any():
            return
        # Corners in the order of the picture's: north-west, north-east, south-east, south-west.
        whole = polygon(np.array([[0, 0], [32, 0], [32, 32], [0, 32]], float))
        transform = QTransform()
        if not QTransform.quadToQuad(whole, polygon(flat[[0, 3, 2, 1]]), transform):
            return
        image = image_of(colors)
        with painting(self.painter):
            self.painter.setTransform(transform, True)
            self.painter.drawImage(0, 0, image)

    def _lines(self, lines: Array, colors: Colors, opacity: float) -> None:
        """Lines (n, 2, 3), each in its colour."""
        long = _length(lines) > 2 * TILE_UNITS
        cut = np.linspace(lines[long, 0], lines[long, 1], _PIECES + 1, axis=1)
        pieces = np.stack([cut[:, :-1], cut[:, 1:]], 2).reshape(-1, 2, 3)
        lines = np.concatenate([lines[~long], pieces])
        colors = np.concatenate([colors[~long], np.repeat(colors[long], _PIECES, 0)])
        flat, touching = self._flat(lines)
        for number, rgba, _ in _by_color(colors, colors, touching):
            self.painter.setPen(QPen(color(rgba, opacity), LINE))
            self.painter.drawLines([QLineF(*ends) for ends in flat[number].reshape(-1, 4).tolist()])

    # --- labels

    def _names(self, shapes: Shapes, named: Mask) -> None:
        """The labels of faces, of those that are `named` and wide enough; a label that would cover another is left
        out."""
        metrics = self._use_font(0.7)
        flat, touching = self._flat(shapes.faces)
        chosen = np.flatnonzero(touching & named & (np.ptp(flat[..., 0], axis=1) >= LABELLED_TILE))
        for number in chosen.tolist():
            text = shapes.things[int(shapes.owners[number])].label
            box = QRectF(metrics.boundingRect(text)).adjusted(-3, -1, 3, 1)
            (west, north), (east, south) = flat[number].min(0), flat[number].max(0)
            box.moveCenter(QRectF(west, north, east - west, south - north).intersected(self.rectangle).center())
            if any(box.intersects(other) for other in self._labelled):
                continue
            self._label(box, text, QColor(0, 0, 0, 120))

    def _tags(self, shapes: Shapes, opacity: float, absent: frozenset[Subject]) -> None:
        """The labels of events above their boxes, grey for what is absent; one that would cover another is moved up, or
        left out."""
        metrics = self._use_font(0.78)
        for number, thing in enumerate(shapes.things):
            flat, touching = self._flat(shapes.faces_of(number).reshape(-1, 3))
            if not touching or flat[:, 0].max() - flat[:, 0].min() < LABELLED_EVENT:
                continue
            box = QRectF(metrics.boundingRect(thing.label)).adjusted(-3, -1, 3, 1)
            top = max(self.rectangle.top(), flat[:, 1].min() - box.height() - 1)
            box.moveCenter(QPointF(flat[:, 0].mean(), top + box.height() / 2))
            tried = (box.translated(0, -(box.height() + 1) * moves) for moves in range(_MOVES))
            free = next((place for place in tried if not any(map(place.intersects, self._labelled))), None)
            if free is not None:
                edge = _GREY if thing[:2] in absent else shapes.edges[np.argmax(shapes.owners == number)].tolist()
                self._label(free, thing.label, color(edge, opacity))
                self.tags.append((free, thing))

    def _use_font(self, share: float) -> QFontMetrics:
        """Write in a share of the widget's size from now on."""
        font = QFont(self.painter.font())
        font.setPointSizeF(max(6.5, font.pointSizeF() * share))
        self.painter.setFont(font)
        return self.painter.fontMetrics()

    def _label(self, box: QRectF, text: str, background: QColor) -> None:
        """A text in a box, which other labels leave free."""
        self._labelled.append(box)
        paint_plate(self.painter, box, text, background)

    # --- the selection and a walk

    def _selection(self, overlay: MapOverlay, selection: Subject) -> None:
        outline = QColor(255, 235, 60)
        if selection.kind == "placed prop":
            if selection in overlay.props:
                self._box(*overlay.props[selection], outline)
            return
        faces = overlay.faces_of(selection)
        if faces is not None:
            flat, touching = self._flat(faces)
            fill = QColor(255, 235, 60, 60 if len(flat) == 1 else 0)  # several faces would hide what is in a box
            self._draw(flat[touching], fill, QColor(0, 0, 0, 160), 4.0)
            self._draw(flat[touching], QColor(0, 0, 0, 0), outline, 2.0)

    def _box(self, low: Array, high: Array, outline: QColor) -> None:
        ends = [low, high]
        corners = [np.array([ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2 & 1][2]]) for i in range(8)]
        sides = [(first, first | bit) for first in range(8) for bit in (1, 2, 4) if not first & bit]
        lines = np.array([(corners[first], corners[second]) for first, second in sides])
        self._lines(lines, np.tile(np.array([*outline.getRgb()], np.uint8), (len(lines), 1)), 1.0)

    def _reached(self, overlay: MapOverlay, reached: ReachedTiles) -> None:
        """The tiles that can be reached, in the cells that are shown."""
        for part in overlay.cells:
            mask = reached.get(subject("cell", part.cell.matrix, part.cell.x, part.cell.z))
            if mask is not None:
                flat, touching = self._flat(part.ground.tiles[mask])
                self._draw(flat[touching], QColor(*REACHED, 90), QColor(*REACHED, 150), 0.6)

    def _marked(self, overlay: MapOverlay, marked: frozenset[Subject], rgb: Rgb) -> None:
        """Marked tiles and props, in the cells that are shown."""
        tiles = [thing.key for thing in marked if thing.kind == "tile"]
        for part in overlay.cells:
            cell = part.cell
            own = [
                (z % CELL_TILES, x % CELL_TILES)
                for matrix, x, z in tiles
                if (matrix, x // CELL_TILES, z // CELL_TILES) == (cell.matrix, cell.x, cell.z)
            ]
            if own:
                flat, touching = self._flat(part.ground.tiles[tuple(np.transpose(own))])
                self._draw(flat[touching], QColor(*rgb, 70), QColor(*rgb), 1.6)
        for prop, box in overlay.props.items():
            if prop in marked:
                self._box(*box, QColor(*rgb))

    def _line(self, points: Sequence[Point], pen: QPen) -> None:
        """A line through points; steps that are longer than a few tiles are left out."""
        if len(points) < 2:
            return
        corners = np.array(points, float)
        flat, front = self.projection.project(corners)
        near = np.abs(np.diff(corners[:, [0, 2]], axis=0)).max(1) <= _LONGEST_STEP
        pixels = self._pixels(flat)
        self.painter.setPen(pen)
        for index in np.flatnonzero(near & front[1:] & front[:-1]).tolist():
            self.painter.drawLine(QPointF(*pixels[index]), QPointF(*pixels[index + 1]))

    def _goal(self, way: Sequence[Point]) -> None:
        """A disc at the end of a way."""
        flat, front = self.projection.project(np.array(way[-1:], float).reshape(-1, 3))
        self.painter.setPen(QPen(QColor(0, 0, 0, 160), 1.0))
        self.painter.setBrush(QColor(*_WAY))
        for x, y in self._pixels(flat[front]).tolist():
            self.painter.drawEllipse(QPointF(x, y), 5.0, 5.0)

    def _refused(self, refused: Sequence[Point], reason: str) -> None:
        if refused:
            shape, touching = self._flat(np.array(refused, float))
            if touching:
                self._corners(shape, color(BLOCKED, 1.0))
                area, box = self.rectangle, QRectF(self._use_font(0.9).boundingRect(reason)).adjusted(-5, -2, 5, 2)
                x = min(max(float(shape[:, 0].mean()) - box.width() / 2, area.left()), area.right() - box.width())
                box.moveTopLeft(QPointF(x, min(float(shape[:, 1].max()) + 6, area.bottom() - box.height())))
                self._label(box, reason, QColor(0, 0, 0, 190))

    def _corners(self, shape: Array, outline: QColor) -> None:
        """The corners of a tile alone: the player may stand before its middle."""
        others = np.concatenate([np.roll(shape, step, 0) - shape for step in (1, -1)]) * 0.3
        corners = np.tile(shape, (2, 1))
        for pen in (QPen(QColor(0, 0, 0, 160), 4.5), QPen(outline, 2.5)):
            self.painter.setPen(pen)
            self.painter.drawLines([QLineF(*ends) for ends in np.hstack([corners, corners + others]).tolist()])

    # --- drawing

    def _flat(self, corners: Array) -> tuple[Array, Mask]:
        """Corners in pixels, and which shapes are wholly in front of the camera and touch the picture."""
        flat, front = self.projection.project(corners)
        touching = front.all(-1) & (flat.max(-2) >= 0).all(-1) & (flat.min(-2) <= 1).all(-1)
        return self._pixels(flat), touching

    def _pixels(self, fractions: Array) -> Array:
        """Fractions of the picture in pixels."""
        area = self.rectangle
        return fractions * (area.width(), area.height()) + (area.x(), area.y())

    def _draw(self, shapes: Iterable[Array], fill: QColor, outline: QColor, width: float) -> None:
        painter = self.painter
        painter.setBrush(QBrush(fill))
        painter.setPen(QPen(outline, width))
        for shape in shapes:
            painter.drawPolygon(polygon(shape))


def _by_color(
    first: Colors, second: Colors, chosen: Mask
) -> Iterable[tuple[npt.NDArray[np.intp], list[int], list[int]]]:
    """The numbers of the `chosen` shapes, those of the same two colours (n, 4) together, with these colours."""
    numbers = np.flatnonzero(chosen)
    both = np.concatenate([first, second], 1)[numbers]
    kinds, kind = np.unique(both, axis=0, return_inverse=True)
    return [(numbers[kind.ravel() == at], row[:4].tolist(), row[4:].tolist()) for at, row in enumerate(kinds)]


def color(rgb: Rgb | Sequence[int], opacity: float) -> QColor:
    """A colour, with an alpha of its own or without, at an opacity from 0 to 1."""
    red, green, blue, *alpha = rgb
    return QColor(red, green, blue, round((alpha[0] if alpha else 255) * min(1.0, max(0.0, opacity))))


def paint_plate(painter: QPainter, box: QRectF, text: str, background: QColor, corners: float = 3.0) -> None:
    """A white text on a plate with round corners."""
    painter.setPen(Qt.NoPen)
    painter.setBrush(background)
    painter.drawRoundedRect(box, corners, corners)
    painter.setPen(QColor(255, 255, 255))
    painter.drawText(box, Qt.AlignCenter, text)


def polygon(points: Array) -> QPolygonF:
    """Pixels (n, 2) as a polygon."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _width(shapes: Array) -> float:
    """The median width of shapes (n, corners, 2) in pixels."""
    return float(np.median(shapes[..., 0].max(-1) - shapes[..., 0].min(-1)))


def _length(lines: Array) -> Array:
    """The lengths of lines (n, 2, 3)."""
    length: Array = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=-1)
    return length


def marked_tiles(marks: Marks) -> tuple[tuple[frozenset[Subject], Rgb], ...]:
    """The things that are marked by their tiles, and their colours: what differs from another ROM, what is left."""
    return (marks.changed or frozenset(), _CHANGED), (marks.left, _LEFT)
