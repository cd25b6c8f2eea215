"""Small widgets that several panels use."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from PyQt5.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt5.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PyQt5.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionButton,
    QTextEdit,
    QWidget,
)

from mapexplorer.games.tables import Tables
from mapexplorer.gui import theme
from mapexplorer.values import NO_WEATHER

_FRAME, _TITLE = 8, 32
"""Pixels left for the frame and the title bar that a window manager adds."""


def fit_to_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window a size, or the largest one with which it fits the screen."""
    screen = QApplication.primaryScreen().availableGeometry()
    window.resize(min(width, screen.width() - 2 * _FRAME), min(height, screen.height() - 2 * _FRAME - _TITLE))


class ComboBox(QComboBox):
    """A drop-down list with a drawn arrow, which passes wheel events to the panel around it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(5)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignored: scrolling the panel must not change the list."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The list as the style has it, and the arrow."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(QPen(QColor(theme.colors().muted), 1.5, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
        x, y = self.width() - 13.0, self.height() / 2
        painter.drawPolyline(QPolygonF([QPointF(x - 3.5, y - 2), QPointF(x, y + 2), QPointF(x + 3.5, y - 2)]))


def weather_choices(tables: Tables) -> list[tuple[str, int | None]]:
    """Titles and values of the weathers that a user can choose."""
    weathers = [(weather.name, number) for number, weather in sorted(tables.weathers.items()) if number != NO_WEATHER]
    return [("Own weather", None), ("No weather", NO_WEATHER), *weathers]


class Slider(QSlider):
    """A slider that passes wheel events to the panel around it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignored: scrolling the panel must not change the slider."""
        event.ignore()


class CheckBox(QCheckBox):
    """A check box with a visible box in every theme: that of Qt's style is nearly invisible in the dark theme."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box and the words."""
        colors = theme.colors()
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QPainter(self)
        area = QRectF(self.style().subElementRect(QStyle.SE_CheckBoxIndicator, option, self))
        side = min(area.width(), area.height(), 14.0) - 1
        box = QRectF(area.center().x() - side / 2, area.center().y() - side / 2, side, side)
        painter.setRenderHint(QPainter.Antialiasing)
        on, usable = self.isChecked(), self.isEnabled()
        edge = colors.accent if usable and (on or self.hasFocus() or self.underMouse()) else colors.muted
        painter.setOpacity(1.0 if usable else 0.5)
        painter.setPen(QPen(QColor(edge), 1.2))
        painter.setBrush(QColor((colors.accent if usable else colors.muted) if on else colors.panel))
        painter.drawRoundedRect(box, 3, 3)
        if on:
            painter.setPen(QPen(QColor(colors.accent_text), 1.8, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
            x, y, step = box.x(), box.y(), side / 13
            corners = [(3, 6.8), (5.6, 9.4), (10.2, 3.8)]
            painter.drawPolyline(QPolygonF([QPointF(x + left * step, y + top * step) for left, top in corners]))
        painter.setOpacity(1.0)
        option.rect = self.style().subElementRect(QStyle.SE_CheckBoxContents, option, self)
        self.style().drawControl(QStyle.CE_CheckBoxLabel, option, painter, self)


class ElidedLabel(QLabel):
    """A line of text that takes the room that there is, and ends with an ellipsis where that is too narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what fits of the text."""
        painter = QPainter(self)
        words = self.fontMetrics().elidedText(self.text(), Qt.ElideRight, self.width())
        self.style().drawItemText(
            painter, self.rect(), int(Qt.AlignVCenter), self.palette(), self.isEnabled(), words, self.foregroundRole()
        )


def is_seen(widget: QWidget) -> bool:
    """Whether a widget is visible; Qt's `isVisible` is also true for a widget behind another tab."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


@runtime_checkable
class Panel(Protocol):
    """A panel whose contents can be copied."""

    def as_text(self) -> str:
        """The contents as plain text."""

    def as_value(self) -> Any:
        """The contents as values of JSON types."""


Extra = Sequence[tuple[str, Callable[[], Any]]]


def copy_text(text: str) -> None:
    """Copy a text to the clipboard."""
    QApplication.clipboard().setText(text)


def as_json(value: Any) -> str:
    """A value as JSON text."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def copy_menu(panel: Panel, parent: QWidget, extra: Extra = ()) -> QMenu:
    """A menu that copies what a panel shows: `as_text()` and `as_value()` of the panel, and the entries of `extra`."""
    menu = parent.createStandardContextMenu() if isinstance(parent, (QTextEdit, QPlainTextEdit)) else QMenu(parent)
    menu.setParent(parent, menu.windowFlags())  # the standard menu of a text has no parent
    if not menu.isEmpty():
        menu.addSeparator()
    for title, run in extra:
        menu.addAction(title, run)
    menu.addAction("Copy all as text", lambda: copy_text(panel.as_text()))
    menu.addAction("Copy all as JSON", lambda: copy_text(as_json(panel.as_value())))
    menu.setAttribute(Qt.WA_DeleteOnClose)
    return menu


def offer_copy(panel: Panel, widget: QWidget, extra: Callable[[QPoint], Extra] = lambda point: ()) -> None:
    """Give a widget of a panel a context menu that copies; `extra` names more for the point that was clicked."""

    def show(point: QPoint) -> None:
        ground = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        copy_menu(panel, widget, extra(point)).popup(ground.mapToGlobal(point))

    widget.setContextMenuPolicy(Qt.CustomContextMenu)
    widget.customContextMenuRequested.connect(show)


def rows_as_text(rows: Sequence[Sequence[object]]) -> str:
    """Rows of values as text with tabs, which tables understand."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)
