"""A tree of things in groups, which shows values of the inspector, and how its rows are painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PyQt5.QtCore import QModelIndex, QPoint, QPointF, QRectF, QSignalBlocker, QSize, QSizeF, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QFont, QMouseEvent, QPainter, QPixmap
from PyQt5.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from mapexplorer.catalogue.kinds import stroke_of
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.gui.widgets.layout import paint_triangle, table_row
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.naming import comparable_name
from mapexplorer.world.colors import EVENTS
from mapexplorer.world.subject import Subject

GROUP_HEIGHT = 26
PICTURE = 32
"""Pixels of the side of a row's picture."""
_MARGIN = 5


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
        with painting(painter):
            self._paint(painter, option, index)


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
    painter.drawText(room, Qt.AlignVCenter, painter.fontMetrics().elidedText(title, Qt.ElideMiddle, int(room.width())))
    painter.setFont(option.font)
    painter.setPen(QColor(colors.muted))
    painter.drawText(area.adjusted(0, 0, -6, 0), int(Qt.AlignVCenter | Qt.AlignRight), count)


def paint_thing(
    painter: QPainter,
    option: QStyleOptionViewItem,
    thing: ListedThing,
    lines: Sequence[str],
    picture: QPixmap | None,
    size: QSize,
) -> None:
    """A thing: a picture in a room of some `size`, a title and lines below, and a short text at the right of the title,
    or of the first line where the title has no room beside it; without a line it is left out there."""
    colors, metrics = theme.colors(), option.fontMetrics
    area = QRectF(option.rect).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    painter.setOpacity(0.55 if thing.faint else 1.0)
    if picture is not None:
        whole = QSizeF(picture.size()) / picture.devicePixelRatioF()
        spot = QRectF(QPointF(), whole.boundedTo(QSizeF(size)))
        spot.moveCenter(QPointF(area.x() + size.width() / 2, area.center().y()))
        painter.setRenderHint(QPainter.SmoothPixmapTransform, whole.width() > spot.width())
        painter.drawPixmap(spot.toAlignedRect(), picture)
    texts = thing.title, *lines
    line = QRectF(area.x(), area.center().y(), area.width(), metrics.lineSpacing())
    line.adjust(size.width() + 7, 0, 0, 0)
    line.translate(0, -line.height() * len(texts) / 2)
    fits = metrics.horizontalAdvance(f"{thing.title}  {thing.side}") <= line.width()
    for number, text in enumerate(texts):
        side = thing.side if number == int(not fits) else ""
        room = line.width() - (metrics.horizontalAdvance(side) + 8 if side else 0)
        painter.setPen(QColor(colors.muted if number else colors.text))
        cut = Qt.ElideRight if number else Qt.ElideMiddle  # names differ at their ends, too
        painter.drawText(line, Qt.AlignVCenter, metrics.elidedText(text, cut, int(room)))
        painter.setPen(QColor(colors.muted))
        painter.drawText(line, int(Qt.AlignVCenter | Qt.AlignRight), side)
        line.translate(0, line.height())


def copy_row(view: ThingsView, point: QPoint) -> list[tuple[str, Callable[[], object]]]:
    """The entry of a menu that copies the row at a point of a view; none where there is no row."""
    thing = view.thing(view.indexAt(point))
    return [] if thing is None else [("Copy this row", lambda: copy_text("\n".join((thing.title, *thing.lines))))]


class ThingsView(QTreeWidget):
    """Groups, and their things below them. A filter keeps the things that have all of its words in their
    texts or headings.

    The row of `marked` is the current one, by default that of what is selected in the explorer. `lines`: the texts
    below the title of a row. `size`: the largest size of a picture. `chosen`: the user chose a thing (Subject).
    """

    chosen = pyqtSignal(object)

    def __init__(
        self,
        explorer: Explorer,
        pictures: Pictures,
        name: str,
        *,
        marked: Callable[[], Subject | None] | None = None,
        lines: Callable[[ListedThing], Sequence[str]] = lambda thing: thing.lines,
        size: QSize = QSize(PICTURE, PICTURE),  # noqa: B008
    ) -> None:
        super().__init__()
        self._explorer, self._marked = explorer, marked or (lambda: explorer.selection)
        self._pictures, self._lines, self._size = pictures, lines, size
        self._all: tuple[ListedGroup, ...] = ()
        self._texts: dict[int, str] = {}
        self._words: list[str] = []
        self._rows: dict[Subject | None, QTreeWidgetItem] = {}
        self._strokes: dict[tuple[str, str], QPixmap] = {}
        self.groups: list[ListedGroup] = []
        self.setObjectName(name)
        self.setItemDelegate(RowDelegate(self, self._size_of, self._paint))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)  # one click is enough
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QTreeWidget.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(lambda *_: self._choose())
        pictures.changed.connect(self.viewport().update)
        explorer.selection_changed.connect(self.mark)
        explorer.save_changed.connect(self.viewport().update)

    def show_groups(self, groups: Sequence[ListedGroup]) -> None:
        """Show other things."""
        self._all = tuple(groups)
        self._texts.clear()
        self._fill(all_open=False)
        self.mark()

    def set_filter(self, text: str) -> None:
        """Keep only the things that have these words."""
        self._words = comparable_name(text).split()
        self._fill(all_open=bool(self._words))

    def _fill(self, *, all_open: bool) -> None:
        kept = (replace(group, rows=tuple(filter(partial(self._keeps, group), group.rows))) for group in self._all)
        self.groups = [group for group in kept if group.rows]
        self._rows = {}
        with QSignalBlocker(self):
            self.clear()
            self.addTopLevelItems([self._group_row(group) for group in self.groups])
        for number, group in enumerate(self.groups):
            self.setExpanded(self.model().index(number, 0), all_open or not group.collapsed)

    def _keeps(self, group: ListedGroup, thing: ListedThing) -> bool:
        if self._words and id(thing) not in self._texts:
            self._texts[id(thing)] = comparable_name(" ".join((group.title, thing.title, *thing.lines, thing.side)))
        return not self._words or matches(self._words, self._texts[id(thing)])

    def _group_row(self, group: ListedGroup) -> QTreeWidgetItem:
        """The row of a group with those of its things."""
        row = QTreeWidgetItem([group.title])
        row.setData(0, Qt.UserRole, group)
        row.setToolTip(0, group.title)
        for thing in group.rows:
            self._rows.setdefault(
                thing.subject, table_row(row, (thing.title,), thing, {0: "\n".join((thing.title, *thing.lines))})
            )
        return row

    @property
    def shown(self) -> list[ListedThing]:
        """The things that the filter keeps, in their order."""
        return [thing for group in self.groups for thing in group.rows]

    @property
    def total(self) -> int:
        """The number of things without the filter."""
        return sum(len(group.rows) for group in self._all)

    def thing(self, index: QModelIndex) -> ListedThing | None:
        """The thing of an index; None for a group."""
        value = index.data(Qt.UserRole)
        return value if isinstance(value, ListedThing) else None

    def index_of(self, chosen: Subject) -> QModelIndex:
        """The first row that leads to a thing; an invalid one if there is none."""
        return self.indexFromItem(self._rows[chosen]) if chosen in self._rows else QModelIndex()

    def mark(self) -> None:
        """Make the row of a thing that was chosen elsewhere the current one, if there is one."""
        chosen, present = self._marked(), self.thing(self.currentIndex())
        if present is not None and present.subject == chosen:
            return
        index = self.index_of(chosen) if chosen is not None else QModelIndex()
        with QSignalBlocker(self):
            self.setCurrentIndex(index)
        self.scrollTo(index, QTreeWidget.PositionAtCenter)

    def choose_first(self) -> bool:
        """Choose the first thing, also if it is marked; false where there is none."""
        if self.groups:
            with QSignalBlocker(self):
                self.setCurrentIndex(self.model().index(0, 0, self.model().index(0, 0)))
            self._choose()
        return bool(self.groups)

    def _choose(self) -> None:
        thing = self.thing(self.currentIndex())
        if thing is not None and thing.subject is not None:
            self.chosen.emit(thing.subject)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a heading opens or closes it; one on the present row chooses it again."""
        index, before = self.indexAt(event.pos()), self.currentIndex()
        super().mousePressEvent(event)
        if not index.isValid() or event.button() != Qt.LeftButton:
            return
        if self.thing(index) is None:
            self.setExpanded(index, not self.isExpanded(index))
        elif index == before:
            self._choose()

    # --- painting

    def _size_of(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """The height of the lines, at least that of the picture."""
        thing = self.thing(index)
        if thing is None:
            return QSize(120, GROUP_HEIGHT)
        lines = (1 + len(self._lines(thing))) * option.fontMetrics.lineSpacing()
        picture = self._size.height() if self._pictures.has(thing.shown) else 0
        return QSize(120, max(picture, lines) + 2 * _MARGIN)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a group, or a thing: a picture, a title with a short text beside it, and lines below; with a bar at the
        left where the user changed the flag or variable of the thing."""
        thing = self.thing(index)
        paint_row(painter, option, is_group=thing is None)
        if thing is None:
            group: ListedGroup = index.data(Qt.UserRole)
            paint_group(painter, option, group.title, str(len(group.rows)))
            return
        change = self._explorer.save_change
        if thing.subject in change or thing.needs in change:
            painter.fillRect(option.rect.adjusted(0, 0, 3 - option.rect.width(), 0), QColor(theme.colors().accent))
        shown = thing.shown
        picture = self._pictures.get(shown) if shown is not None and self._pictures.has(shown) else None
        paint_thing(painter, option, thing, self._lines(thing), picture or self._stroke(thing), self._size)

    def _stroke(self, thing: ListedThing) -> QPixmap | None:
        """The icon of a row without a picture, in the colours of the theme; events have those of their layer."""
        kinds = [subject.kind for subject in (thing.shown, thing.subject) if subject is not None]
        name = next(filter(None, map(stroke_of, kinds)), None)
        if name is None:
            return None
        color = EVENTS.get(kinds[-1])
        key = name, QColor(*color).name() if color else theme.colors().muted
        if key not in self._strokes:
            self._strokes[key] = icons.pixmap(name, QColor(key[1]))
        return self._strokes[key]
