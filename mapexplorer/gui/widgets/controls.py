"""Small widgets that several panels use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PyQt5.QtCore import QEvent, QPointF, Qt
from PyQt5.QtGui import QColor, QImage, QKeyEvent, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PyQt5.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QSizePolicy,
    QSlider,
    QWidget,
)

from mapexplorer.games.tables import Tables
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.values import NO_WEATHER

_FRAME, _TITLE = 8, 32
"""Pixels left for the frame and the title bar that a window manager adds."""


def fit_to_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window a size, or the largest one with which it fits the screen."""
    screen = QApplication.primaryScreen().availableGeometry()
    window.resize(min(width, screen.width() - 2 * _FRAME), min(height, screen.height() - 2 * _FRAME - _TITLE))


def ask_folder(parent: QWidget, title: str, take: Callable[[str], object], start: str = "") -> None:
    """Ask for a folder, at first in that of `start`, and use it."""
    name = QFileDialog.getExistingDirectory(parent, title, start)
    if name:
        take(name)


def ask_files(parent: QWidget, title: str, take: Callable[[list[str]], object], start: str = "") -> None:
    """Ask for files, at first in the folder of `start`, and use them."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, start)
    if names:
        take(names)


class ComboBox(QComboBox):
    """A drop-down list with a drawn arrow, which passes wheel events to the panel around it."""

    def __init__(
        self,
        entries: Iterable[tuple[str, Any]] = (),
        changed: Callable[[int], object] | None = None,
        *,
        name: str = "",
        hint: str = "",
        letters: int = 5,
    ) -> None:
        """`entries`: titles and values; `changed` gets each index that is chosen; `letters`: the least width."""
        super().__init__()
        self.setObjectName(name)
        self.setToolTip(hint)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)
        for title, value in entries:
            self.addItem(title, value)
        if changed is not None:
            self.currentIndexChanged.connect(changed)

    def choose(self, value: Any) -> None:
        """Choose the entry of a value, if there is one."""
        values = [self.itemData(index) for index in range(self.count())]
        if value in values:
            self.setCurrentIndex(values.index(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignored: scrolling the panel must not change the list."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The list as the style has it, and the arrow."""
        super().paintEvent(event)
        with painting(self, smooth=True) as painter:
            painter.setPen(QPen(QColor(theme.colors().muted), 1.5, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
            x, y = self.width() - 13.0, self.height() / 2
            painter.drawPolyline(QPolygonF([QPointF(x - 3.5, y - 2), QPointF(x, y + 2), QPointF(x + 3.5, y - 2)]))


def weather_choices(tables: Tables) -> list[tuple[str, int | None]]:
    """Titles and values of the weathers that a user can choose."""
    weathers = [(weather.name, number) for number, weather in sorted(tables.weathers.items()) if number != NO_WEATHER]
    return [("Own weather", None), ("No weather", NO_WEATHER), *weathers]


class Slider(QSlider):
    """A horizontal slider that passes wheel events to the panel around it."""

    def __init__(self, changed: Callable[[int], object], accessible_name: str, *, name: str = "") -> None:
        super().__init__(Qt.Horizontal)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.valueChanged.connect(changed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignored: scrolling the panel must not change the slider."""
        event.ignore()


class ElidedLabel(QLabel):
    """A line of text that ends with an ellipsis where the room is too narrow for it. `role`: see `label`; without one
    it takes all the room that there is."""

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Preferred if role else QSizePolicy.Ignored, QSizePolicy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what fits of the text."""
        with painting(self) as painter:
            text = self.fontMetrics().elidedText(self.text(), Qt.ElideRight, self.width())
            self.style().drawItemText(
                painter,
                self.rect(),
                int(Qt.AlignVCenter),
                self.palette(),
                self.isEnabled(),
                text,
                self.foregroundRole(),
            )


def show_text(label: QLabel, text: str) -> None:
    """Show a text in a label, which takes no room without one."""
    label.setText(text)
    label.setVisible(bool(text))


def keep_typed(event: QEvent) -> bool:
    """Accept the question whether a widget or an action gets a key, if the key is one for lists and fields: a
    character, Home or Backspace, without Ctrl, Alt and Meta. Whether that was done, so that the widget gets it."""
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.ShortcutOverride:
        return False
    typed = event.key() < Qt.Key_Escape or event.key() in (Qt.Key_Home, Qt.Key_Backspace)
    if not typed or event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
        return False
    event.accept()
    return True


def copy_text(text: str) -> None:
    """Copy a text to the clipboard."""
    QApplication.clipboard().setText(text)


def copy_image(image: QImage) -> None:
    """Copy a picture to the clipboard."""
    QApplication.clipboard().setImage(image)


def as_json(value: Any) -> str:
    """A value as JSON text."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def rows_as_text(rows: Sequence[Sequence[object]]) -> str:
    """Rows of values as text with tabs, which tables understand."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)
