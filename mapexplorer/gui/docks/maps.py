"""The list of maps: a filter, groups, and thumbnails that are drawn while the workers are idle."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QEvent, QModelIndex, QObject, QPoint, QRectF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QKeyEvent, QPainter, QPixmap, QResizeEvent, QShowEvent
from PyQt5.QtWidgets import (
    QLineEdit,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from mapexplorer.gui.docks.panel import Extra, Panel
from mapexplorer.gui.jobs.controller import IDLE, JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.maplist import GROUPINGS, LOCATION, grouped
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.controls import ComboBox, copy_text
from mapexplorer.gui.widgets.layout import MUTED, column, label, line_edit, row, table_row, timer
from mapexplorer.gui.widgets.listing import GROUP_HEIGHT, RowDelegate, paint_group, paint_row
from mapexplorer.world import Header

HEADER = Qt.UserRole
THUMBNAIL = QSize(52, 39)
ROW_HEIGHT = 46
_AT_ONCE = 2
"""Thumbnails that are requested at once."""


class MapsPanel(Panel):
    """All maps of the ROM. `chosen`: one by its header; `left`: the user has finished with the list by Enter or
    Escape."""

    name, title = "maps", "Maps"
    left = pyqtSignal()

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs.explorer)
        self.jobs = jobs
        self._items: dict[int, QTreeWidgetItem] = {}
        self._thumbnails: Loader[int, QPixmap] = Loader(self._load_thumbnail, self._redraw, at_once=_AT_ONCE)
        self._left_over: Loader[int, str] = Loader(self._load_left_over, self._redraw)
        """Why headers count as left over."""
        self._rom_path = ""
        self._visible_timer = timer(self, 120, self._ask_visible)
        self._filter_timer = timer(self, 60, self.rebuild)
        self.filter = line_edit(
            "Filter by name, number or kind", lambda _: self._filter_timer.start(), name="map filter"
        )
        self._search_icon = self.filter.addAction(icons.icon("search"), QLineEdit.LeadingPosition)
        self.filter.returnPressed.connect(self._open_first)
        self.filter.installEventFilter(self)
        self.count = label(role=MUTED, wrap=False)
        groupings = [(title, grouping) for grouping, title in GROUPINGS.items()]
        self.groups = ComboBox(groupings, hint="How the maps are grouped", letters=7)
        self.groups.choose(self.explorer.settings.get("grouping", LOCATION))
        self.groups.currentIndexChanged.connect(self._grouping_changed)
        self._make_tree()
        choices = row((self.count, 1), self.groups)
        self.setLayout(column(self.filter, choices, (self.tree, 1), margins=(8, 2, 4, 4), spacing=6))
        self.explorer.rom_changed.connect(self._rom_changed)
        self.explorer.place_changed.connect(self._show_current)

    def _make_tree(self) -> None:
        self.tree = QTreeWidget()
        self.tree.setObjectName("map list")
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(12)
        self.tree.setMouseTracking(True)
        self.tree.setItemDelegate(RowDelegate(self.tree, _size_of, self._paint))
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.tree.setVerticalScrollMode(QTreeWidget.ScrollPerPixel)
        self.tree.currentItemChanged.connect(self._current_changed)
        self.tree.itemActivated.connect(self._activated)
        self.tree.verticalScrollBar().valueChanged.connect(lambda: self._visible_timer.start())
        self.tree.itemExpanded.connect(lambda: self._visible_timer.start())
        self.offer_copy(self.tree, self._copy_name)
        self.nothing = label(role=MUTED)
        self.nothing.setParent(self.tree)
        self.nothing.setAlignment(Qt.AlignCenter)
        self.nothing.hide()

    @property
    def grouping(self) -> str:
        """How the maps are grouped."""
        return str(self.groups.currentData())

    def refresh(self) -> None:
        """Redraw the icons in the colours of the theme."""
        self._search_icon.setIcon(icons.icon("search"))

    # --- contents

    def _rom_changed(self) -> None:
        self._thumbnails.clear()
        self._left_over.clear()
        if self.explorer.rom_path != self._rom_path:
            self._rom_path = self.explorer.rom_path
            self.filter.clear()
        self.rebuild()

    def _grouping_changed(self) -> None:
        self.explorer.settings.set("grouping", self.grouping)
        self.rebuild()

    def rebuild(self) -> None:
        """Fill the tree with the maps that match the filter."""
        self._filter_timer.stop()
        text = self.filter.text()
        headers = self.explorer.world.headers if self.explorer.world is not None else ()
        groups = grouped(headers, self.grouping, text)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            self._items = {}
            self.tree.addTopLevelItems([self._group_row(*group) for group in groups.items()])
            total = len(self._items)
            if text.strip() or len(groups) <= 2 or total <= 40:
                self.tree.expandAll()
        every = len(headers)
        self.count.setText(f"{total} maps" if total == every else f"{total} of {every} maps")
        self.nothing.setText(f"No map has all of “{text.strip()}” in its names, number or kind.")
        self.nothing.setVisible(total == 0 and bool(every))
        self._place_nothing()
        self.tree.verticalScrollBar().setValue(0)
        self._show_current()
        self._visible_timer.start()

    def _group_row(self, title: str, headers: list[Header]) -> QTreeWidgetItem:
        """The row of a group with those of its maps."""
        parent = QTreeWidgetItem([title])
        parent.setData(0, Qt.UserRole + 1, len(headers))
        parent.setFlags(Qt.ItemIsEnabled)
        for header in headers:
            hint = f"{header.title} ({header.internal_name}), header {header.id}, {header.kind}"
            self._items[header.id] = table_row(parent, (header.title,), header, {0: hint})
        return parent

    def _show_current(self) -> None:
        if self.explorer.place is None:
            return
        item = self._items.get(self.explorer.place.header.id)
        if item is not None and item is not self.tree.currentItem():
            with QSignalBlocker(self.tree):
                item.parent().setExpanded(True)
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item, QTreeWidget.PositionAtCenter)
            self._visible_timer.start()

    def _current_changed(self, item: QTreeWidgetItem | None, _: Any) -> None:
        header = item.data(0, HEADER) if item is not None else None
        if header is not None:
            self.chosen.emit(header.id)

    def _activated(self, item: QTreeWidgetItem) -> None:
        self._current_changed(item, None)
        self._leave()

    def _leave(self) -> None:
        """Give up the focus, so that the field does not take the keys of the picture."""
        for widget in (self.filter, self.tree):
            widget.clearFocus()
        self.left.emit()

    def _first(self) -> QTreeWidgetItem | None:
        groups = (self.tree.topLevelItem(index) for index in range(self.tree.topLevelItemCount()))
        return next((group.child(0) for group in groups if group is not None and group.childCount()), None)

    def _open_first(self) -> None:
        self.rebuild()
        first = self._first()
        if first is not None:
            self.tree.setCurrentItem(first)
            self._activated(first)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the field Escape empties it and returns to the picture, Down goes to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.KeyPress:
            if event.key() == Qt.Key_Escape:
                self.filter.clear()
                self._leave()
                return True
            if event.key() == Qt.Key_Down:
                self.rebuild()
                self.tree.setFocus(Qt.OtherFocusReason)
                self.tree.setCurrentItem(self._first())
                return True
        return bool(super().eventFilter(watched, event))

    def _place_nothing(self) -> None:
        self.nothing.setGeometry(self.tree.rect().adjusted(14, 8, -14, -self.tree.height() // 2))

    def as_value(self) -> Any:
        """The maps of the list, as it is filtered and grouped."""
        return [
            {
                "header": header.id,
                "internal_name": header.internal_name,
                "location_name": header.location_name,
                "kind": header.kind,
                "matrix": header.matrix,
                "area": header.area,
            }
            for header in (item.data(0, HEADER) for item in self._items.values())
        ]

    def _copy_name(self, point: QPoint) -> Extra:
        item = self.tree.itemAt(point)
        header = item.data(0, HEADER) if item is not None else None
        return [] if header is None else [(f"Copy “{header.internal_name}”", lambda: copy_text(header.internal_name))]

    def neighbour(self, step: int) -> int | None:
        """The header `step` rows on in the list as it is shown; None at its ends."""
        order = list(self._items)
        if not order or self.explorer.place is None:
            return None
        header = self.explorer.place.header.id
        at = order.index(header) + step if header in order else 0
        return order[at] if 0 <= at < len(order) else None

    # --- rows

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint the heading of a group, or a map."""
        header: Header | None = index.data(HEADER)
        paint_row(painter, option, is_group=header is None)
        if header is None:
            paint_group(painter, option, index.data(Qt.DisplayRole), str(index.data(Qt.UserRole + 1)))
        else:
            self._paint_map(painter, QRectF(option.rect), header)

    def _paint_map(self, painter: QPainter, area: QRectF, header: Header) -> None:
        """Paint a map: its thumbnail, its title with the header's number, and its code with its kind."""
        colors = theme.colors()
        picture = QRectF(
            area.x() + 3, area.y() + (area.height() - THUMBNAIL.height()) / 2, THUMBNAIL.width(), THUMBNAIL.height()
        )
        pixmap = self.thumbnail(header.id)
        if pixmap is not None and not pixmap.isNull():
            painter.setRenderHint(QPainter.SmoothPixmapTransform)
            painter.drawPixmap(picture, pixmap, QRectF(pixmap.rect()))
        else:
            painter.setPen(Qt.NoPen)
            painter.setBrush(QColor(colors.raised))
            painter.drawRoundedRect(picture, 3, 3)
            if pixmap is not None:
                painter.setPen(QColor(colors.muted))
                painter.drawText(picture, Qt.AlignCenter, "–")
        text = area.adjusted(THUMBNAIL.width() + 11, 5, -6, -5)
        upper = QRectF(text.x(), text.y(), text.width(), text.height() / 2)
        lower = QRectF(text.x(), text.y() + text.height() / 2, text.width(), text.height() / 2)
        number = f"{header.id}"
        width = painter.fontMetrics().horizontalAdvance(number) + 6
        painter.setPen(QColor(colors.muted))
        painter.drawText(upper, int(Qt.AlignVCenter | Qt.AlignRight), number)
        painter.setPen(QColor(colors.text))
        title = (self.grouping == LOCATION and header.room) or header.title
        painter.drawText(
            upper.adjusted(0, 0, -width, 0),
            Qt.AlignVCenter,
            painter.fontMetrics().elidedText(title, Qt.ElideRight, int(upper.width() - width)),
        )
        second = f"{header.internal_name} · {header.kind}"
        left_over = self._left_over.get(header.id)
        second += f" · {left_over}" if left_over else ""
        painter.setPen(QColor(colors.muted))
        painter.drawText(
            lower, Qt.AlignVCenter, painter.fontMetrics().elidedText(second, Qt.ElideRight, int(lower.width()))
        )

    # --- thumbnails

    def thumbnail(self, header: int) -> QPixmap | None:
        """The thumbnail of a map: None when there is none yet, a null pixmap when the map has no picture."""
        return self._thumbnails.get(header)

    def _redraw(self, *_: object) -> None:
        self.tree.viewport().update()

    def _ask_visible(self) -> None:
        if not self.isVisible():
            return
        area, visible = self.tree.viewport().rect(), []
        item = self.tree.itemAt(area.topLeft())
        while item is not None and self.tree.visualItemRect(item).top() <= area.bottom():
            header = item.data(0, HEADER)
            if header is not None:
                visible.append(header.id)
            item = self.tree.itemBelow(item)
        for loader in (self._thumbnails, self._left_over):
            loader.want(dict.fromkeys(visible))

    def _load_thumbnail(self, header: int, version: None, take: Take[QPixmap], fail: Fail) -> Task | None:
        def show(picture: npt.NDArray[np.uint8] | None) -> None:
            take(QPixmap() if picture is None else QPixmap.fromImage(image_of(picture)))

        return self.jobs.ask(lambda renderer: renderer.thumbnail(header), show, priority=IDLE, failed=fail)

    def _load_left_over(self, header: int, version: None, take: Take[str], fail: Fail) -> Task | None:
        return self.jobs.ask(lambda renderer: renderer.left_over(header), take, priority=IDLE, failed=fail)

    def showEvent(self, event: QShowEvent) -> None:
        """Request thumbnails."""
        self._visible_timer.start()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update after the visible rows have changed."""
        self._visible_timer.start()
        self._place_nothing()
        super().resizeEvent(event)


def _size_of(option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
    return QSize(120, GROUP_HEIGHT if index.data(HEADER) is None else ROW_HEIGHT)
