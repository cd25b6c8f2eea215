"""All prop models, texture sets and sprites of the ROM as pictures."""

from __future__ import annotations

from typing import Final

from PyQt5.QtCore import QModelIndex, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QPainter
from PyQt5.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyleOptionViewItem,
    QWidget,
)

from mapexplorer.catalogue.kinds import NamedThing
from mapexplorer.gui.dialogs.job_dialog import JobDialog
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.rendering.browsing import PROPS, TITLES, browsed, browsed_picture
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.layout import (
    MUTED,
    bring_up,
    column,
    label,
    lead_down,
    line_edit,
    list_row,
    picture_list,
    row,
)
from mapexplorer.gui.widgets.listing import RowDelegate, paint_row
from mapexplorer.values import count

_PICTURE: Final = QSize(128, 96)
_MARGIN: Final = 6
_MARKED: Final = " Magenta: no texture set of a map holds the texture."
_AT_ONCE: Final = 3
"""Pictures that are drawn by one job."""


class BrowseDialog(JobDialog):
    """A kind to choose, a filter, the pictures. `chosen`: a thing is to be shown (Subject)."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent, jobs, "Models, textures and sprites", 920, 640)
        self.setSizeGripEnabled(True)
        self._things: tuple[NamedThing, ...] = ()
        self.pictures = Pictures(jobs, self, kinds=TITLES, read=browsed_picture, at_once=_AT_ONCE)
        kinds = [(title, kind) for kind, title in TITLES.items()]
        self.kinds = ComboBox(kinds, lambda _: self.read(), name="browsed kinds", letters=20)
        self.filter = line_edit("Filter by name or number", lambda _: self._fill(), name="browse filter")
        self.list = picture_list("browsed things")
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListWidget.ScrollPerPixel)
        self.list.setItemDelegate(RowDelegate(self.list, _size_of, self._paint))
        self.list.itemActivated.connect(self._open)
        lead_down(self.filter, self.list, lambda: self.list.setCurrentRow(0))
        self.filter.returnPressed.connect(lambda: self._open(self.list.item(0)))
        self.pictures.changed.connect(self.list.viewport().update)
        self.message = label(role=MUTED, wrap=False)
        self.setLayout(column(row(self.kinds, (self.filter, 1)), (self.list, 1), self.message))
        jobs.explorer.rom_changed.connect(self.read)

    def open_kind(self, kind: str | None = None) -> None:
        """Show the dialog, with the things of a kind."""
        bring_up(self)
        if kind is not None and kind != self.kinds.currentData():
            self.kinds.choose(kind)
        else:
            self.read()
        self.filter.setFocus(Qt.OtherFocusReason)

    def read(self) -> None:
        """Read the names of the things of the chosen kind."""
        if not self.isVisible():
            return
        kind = self.kinds.currentData()
        self.message.setText("Reading …")
        self.jobs.request(lambda renderer: browsed(renderer.world, kind), self._take, key="browse")

    def _take(self, things: tuple[NamedThing, ...]) -> None:
        self._things = things
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        for thing in filtered(self.filter.text(), self._things, _text):
            item = list_row(self.list, "", thing, f"{thing.subject.kind} {_text(thing)}".rstrip())
            item.setData(Qt.AccessibleTextRole, _text(thing))
        shown = self.list.count()
        of_all = "" if shown == len(self._things) else f" of {len(self._things)}"
        marked = _MARKED if self.kinds.currentData() == PROPS else ""
        self.message.setText(
            f"{count(shown, 'picture') if not of_all else f'{shown}{of_all} pictures'}; "
            f"a double click or Enter opens one.{marked}"
        )

    def _open(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(Qt.UserRole).subject)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a picture, as soon as it is drawn, with the number and the name below it."""
        colors, thing, area = theme.colors(), index.data(Qt.UserRole), QRectF(option.rect)
        paint_row(painter, option)
        spot = QRectF(area.x() + _MARGIN, area.y() + _MARGIN, area.width() - 2 * _MARGIN, _PICTURE.height())
        painter.fillRect(spot, QColor(colors.view))
        picture = self.pictures.get(thing.subject)
        if picture is not None:
            factor = max(1, min(int(spot.width()) // picture.width(), int(spot.height()) // picture.height()))
            shown = QRectF(0, 0, picture.width() * factor, picture.height() * factor)
            shown.moveCenter(spot.center())
            painter.drawPixmap(shown.toAlignedRect(), picture)
        line = QRectF(spot.x(), spot.bottom() + _MARGIN / 2, spot.width(), option.fontMetrics.lineSpacing())
        text = f"{thing.subject.key[0]}  {thing.name}".rstrip()
        painter.setPen(QColor(colors.text))
        painter.drawText(line, Qt.AlignCenter, option.fontMetrics.elidedText(text, Qt.ElideRight, int(line.width())))


def _size_of(option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
    """The size of a picture and of the line below it."""
    line = option.fontMetrics.lineSpacing()
    return QSize(_PICTURE.width() + 2 * _MARGIN, _PICTURE.height() + line + 3 * _MARGIN)


def _text(thing: NamedThing) -> str:
    """The number and the name of a thing."""
    return f"{thing.subject.key[0]} {thing.name}"
