"""A tree of things in groups: a Qt model over values of the inspector, the delegate of its rows, the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PyQt5.QtCore import QAbstractItemModel, QModelIndex, QObject, QPoint, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QFont, QMouseEvent, QPainter, QPixmap, QPolygonF
from PyQt5.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from mapexplorer.catalogue.kinds import stroke_of
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.world.colors import EVENTS
from mapexplorer.world.subject import Subject

GROUP_HEIGHT = 26
PICTURE = 32
"""Pixels of the side of a row's picture."""
_MARGIN = 5


class ThingsModel(QAbstractItemModel):
    """Groups, and their things below them. A filter keeps the things whose words have all of its words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ListedGroup, ...] = ()
        self._words: dict[int, str] = {}
        self._filter: list[str] = []
        self.groups: list[ListedGroup] = []

    def show_groups(self, groups: Sequence[ListedGroup]) -> None:
        """Show other things."""
        self._all = tuple(groups)
        self._words.clear()
        self._update()

    def set_filter(self, text: str) -> None:
        """Keep only the things that have these words."""
        self._filter = plain(text).split()
        self._update()

    def _update(self) -> None:
        self.beginResetModel()
        found = (replace(group, things=tuple(filter(self._keeps, group.things))) for group in self._all)
        self.groups = [group for group in found if group.things]
        self.endResetModel()

    def _keeps(self, one: ListedThing) -> bool:
        if not self._filter:
            return True
        if id(one) not in self._words:
            self._words[id(one)] = plain(" ".join((one.title, *one.lines, one.side)))
        return matches(self._filter, self._words[id(one)])

    @property
    def count(self) -> int:
        """The number of things that are shown."""
        return sum(len(group.things) for group in self.groups)

    @property
    def total(self) -> int:
        """The number of things without the filter."""
        return sum(len(group.things) for group in self._all)

    def thing(self, index: QModelIndex) -> ListedThing | None:
        """The thing of an index; None for a group."""
        group = index.internalId()
        return self.groups[group - 1].things[index.row()] if index.isValid() and group else None

    def index_of(self, chosen: Subject) -> QModelIndex:
        """The first row that leads to a thing; an invalid one if there is none."""
        for number, group in enumerate(self.groups):
            for row, one in enumerate(group.things):
                if one.subject == chosen:
                    return self.createIndex(row, 0, number + 1)
        return QModelIndex()

    def index(self, row: int, column: int, parent: QModelIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Groups have the id 0, things the number of their group from 1 on."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: QModelIndex) -> QModelIndex:  # type: ignore[override]
        """The group of a thing."""
        group = index.internalId() if index.isValid() else 0
        return self.createIndex(group - 1, 0, 0) if group else QModelIndex()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        """The number of groups, or of things in a group."""
        if not parent.isValid():
            return len(self.groups)
        return 0 if parent.internalId() else len(self.groups[parent.row()].things)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        """One."""
        return 1

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole) -> Any:
        """The title; as tool tip all that the row says."""
        one = self.thing(index)
        if role == Qt.DisplayRole:
            return one.title if one is not None else self.groups[index.row()].title
        if role == Qt.ToolTipRole and one is not None:
            return "\n".join((one.title, *one.lines))
        return None


SizeOf = Callable[[QStyleOptionViewItem, QModelIndex], QSize]
Paint = Callable[[QPainter, QStyleOptionViewItem, QModelIndex], None]


class RowDelegate(QStyledItemDelegate):
    """Gives the rows of a view the size and the picture that two functions make."""

    def __init__(self, view: QAbstractItemView, size_of: SizeOf, paint: Paint) -> None:
        super().__init__(view)
        self._size_of, self._paint = size_of, paint

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """The size of a row."""
        return self._size_of(option, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a row; the painter is used as it was by the next one."""
        painter.save()
        self._paint(painter, option, index)
        painter.restore()


def paint_row(painter: QPainter, option: QStyleOptionViewItem, *, is_group: bool = False) -> None:
    """The background of a selected row, and of a row that is no group below the mouse."""
    colors, area = theme.colors(), QRectF(option.rect)
    painter.setRenderHint(QPainter.Antialiasing)
    if option.state & QStyle.State_Selected:
        painter.fillRect(area, QColor(colors.selection))
    elif option.state & QStyle.State_MouseOver and not is_group:
        painter.fillRect(area, QColor(colors.raised))


def paint_group(painter: QPainter, option: QStyleOptionViewItem, title: str, count: str) -> None:
    """A heading with the mark of whether its rows are shown, and how many they are."""
    colors, area = theme.colors(), QRectF(option.rect)
    font = QFont(option.font)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(colors.text))
    paint_triangle(painter, QPointF(area.x() + 8, area.center().y()), bool(option.state & QStyle.State_Open))
    room = area.adjusted(18, 0, -option.fontMetrics.horizontalAdvance(count) - 14, 0)
    painter.drawText(room, Qt.AlignVCenter, painter.fontMetrics().elidedText(title, Qt.ElideRight, int(room.width())))
    painter.setFont(option.font)
    painter.setPen(QColor(colors.muted))
    painter.drawText(area.adjusted(0, 0, -6, 0), int(Qt.AlignVCenter | Qt.AlignRight), count)


def paint_triangle(painter: QPainter, middle: QPointF, is_open: bool) -> None:
    """The mark of a group, which points down while its rows are shown."""
    corners = [QPointF(-3, -4), QPointF(3, 0), QPointF(-3, 4)]
    if is_open:
        corners = [QPointF(-corner.y(), corner.x()) for corner in corners]
    pen = painter.pen()
    painter.setBrush(QColor(theme.colors().muted))
    painter.setPen(Qt.NoPen)
    painter.drawPolygon(QPolygonF([middle + corner for corner in corners]))
    painter.setPen(pen)


def copy_row(view: ThingsView, point: QPoint) -> list[tuple[str, Callable[[], object]]]:
    """The entry of a menu that copies the row at a point of a view; none where there is no row."""
    thing = view.things.thing(view.indexAt(point))
    return [] if thing is None else [("Copy this row", lambda: copy_text("\n".join((thing.title, *thing.lines))))]


class ThingsView(QTreeView):
    """The tree; the row of what is selected in the explorer is marked. `chosen`: the user chose a thing."""

    chosen = pyqtSignal(object)

    def __init__(self, explorer: Explorer, pictures: Pictures, name: str) -> None:
        super().__init__()
        self._explorer = explorer
        self.things = ThingsModel(self)
        self._pictures = pictures
        self._strokes: dict[tuple[str, str], QPixmap] = {}
        self.setObjectName(name)
        self.setModel(self.things)
        self.setItemDelegate(RowDelegate(self, self._size_of, self._paint))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QTreeView.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._current_changed)
        pictures.changed.connect(self.viewport().update)
        explorer.selection_changed.connect(self._mark)

    def show_groups(self, groups: Sequence[ListedGroup]) -> None:
        """Show other things."""
        self._quietly(lambda: self.things.show_groups(groups))
        self._open_groups(all_of_them=False)
        self._mark()

    def set_filter(self, text: str) -> None:
        """Keep only the things that have these words."""
        self._quietly(lambda: self.things.set_filter(text))
        self._open_groups(all_of_them=bool(text.strip()))

    def _open_groups(self, *, all_of_them: bool) -> None:
        for row, group in enumerate(self.things.groups):
            self.setExpanded(self.things.index(row, 0), all_of_them or not group.shut)

    def _mark(self) -> None:
        """Mark the row of a thing that was chosen elsewhere, if there is one."""
        present, chosen = self.things.thing(self.currentIndex()), self._explorer.selection
        if present is not None and present.subject == chosen:
            return
        index = self.things.index_of(chosen) if chosen is not None else QModelIndex()
        self._quietly(lambda: self.setCurrentIndex(index))
        if index.isValid():
            self.scrollTo(index, QTreeView.EnsureVisible)

    def first(self) -> QModelIndex:
        """The first thing; invalid where there is none."""
        return self.things.index(0, 0, self.things.index(0, 0))

    def _size_of(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """The height of the lines, at least that of the picture."""
        thing = self.things.thing(index)
        if thing is None:
            return QSize(120, GROUP_HEIGHT)
        lines = 1 + len(thing.lines)
        high = max(PICTURE if self._pictures.has(thing.shown) else 0, lines * option.fontMetrics.lineSpacing())
        return QSize(120, high + 2 * _MARGIN)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a group, or a thing: a picture, a title with a short text beside it, and lines below."""
        thing = self.things.thing(index)
        paint_row(painter, option, is_group=thing is None)
        if thing is None:
            group = self.things.groups[index.row()]
            paint_group(painter, option, group.title, str(len(group.things)))
            return
        colors, metrics = theme.colors(), option.fontMetrics
        area = QRectF(option.rect).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        painter.setOpacity(0.55 if thing.faint else 1.0)
        self._paint_picture(painter, QRectF(area.topLeft(), area.bottomLeft()).adjusted(0, 0, PICTURE, 0), thing)
        line = area.adjusted(PICTURE + 7, 0, 0, 0)
        line.setHeight(metrics.lineSpacing())
        if not thing.lines:
            line.moveTop(area.center().y() - line.height() / 2)
        for number, words in enumerate((thing.title, *thing.lines)):
            side = "" if number else thing.side
            room = line.width() - (metrics.horizontalAdvance(side) + 8 if side else 0)
            painter.setPen(QColor(colors.muted if number else colors.text))
            painter.drawText(line, Qt.AlignVCenter, metrics.elidedText(words, Qt.ElideRight, int(room)))
            painter.setPen(QColor(colors.muted))
            painter.drawText(line, int(Qt.AlignVCenter | Qt.AlignRight), side)
            line.translate(0, metrics.lineSpacing())

    def _paint_picture(self, painter: QPainter, area: QRectF, thing: ListedThing) -> None:
        shown = thing.shown
        picture = self._pictures.get(shown) if shown is not None and self._pictures.has(shown) else None
        side, pixmap = (16, self._stroke(thing)) if picture is None else (PICTURE, picture)
        if pixmap is not None:
            spot = QRectF(0, 0, min(side, pixmap.width()), min(side, pixmap.height()))
            spot.moveCenter(area.center())
            painter.drawPixmap(spot.toAlignedRect(), pixmap)

    def _stroke(self, one: ListedThing) -> QPixmap | None:
        """The icon of a row without a picture, in the colours of the theme; events have those of their layer."""
        shown, leads = one.shown, one.subject
        kinds = [each.kind for each in (shown, leads) if each is not None]
        name = next(filter(None, map(stroke_of, kinds)), None)
        if name is None:
            return None
        color = EVENTS.get(kinds[-1])
        key = name, QColor(*color).name() if color else theme.colors().muted
        if key not in self._strokes:
            self._strokes[key] = icons.pixmap(name, QColor(key[1]))
        return self._strokes[key]

    def _quietly(self, change: Any) -> None:
        model = self.selectionModel()
        model.blockSignals(True)
        change()
        model.blockSignals(False)

    def _current_changed(self, index: QModelIndex) -> None:
        one = self.things.thing(index)
        if one is not None and one.subject is not None:
            self.chosen.emit(one.subject)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a heading opens or closes it; one on the present row chooses it again."""
        index = self.indexAt(event.pos())
        before = self.currentIndex()
        super().mousePressEvent(event)
        if not index.isValid() or event.button() != Qt.LeftButton:
            return
        if self.things.thing(index) is None:
            self.setExpanded(index, not self.isExpanded(index))
        elif index == before:
            self._current_changed(index)
