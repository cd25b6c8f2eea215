"""The clock below the picture: hour slider, play, step, speed, weather."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt5.QtCore import QPointF, QRectF, Qt
from PyQt5.QtGui import (
    QColor,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PyQt5.QtWidgets import QAction, QBoxLayout, QFrame, QLineEdit, QSizePolicy, QWidget

from mapexplorer.gui.model.clock import SPEEDS
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import ComboBox, show_text, weather_choices
from mapexplorer.gui.widgets.layout import HEADING, filled, label, row, tool_button
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.scene.view import WEEKDAYS
from mapexplorer.units import SECONDS_PER_DAY
from mapexplorer.values import ClockTime, capital
from mapexplorer.world.colors import SKIES

_WIDE: Final = 680
"""Pixels from which the bar has room for the name of the time of day."""
_WITH_WEEKDAY: Final = 720
"""Pixels from which the bar has room for the day of the week, which an action changes, too."""
_ONE_LINE: Final = 460
"""Pixels from which the bar has room for everything in one line."""
_STEPS: Final[dict[int, int]] = {Qt.Key_Left: -900, Qt.Key_Down: -900, Qt.Key_Right: 900, Qt.Key_Up: 900}
"""Seconds that a key moves the time by."""


class DaySlider(QWidget):
    """A day from midnight to midnight, with sky colours and marks at the changes of the area's light."""

    def __init__(self, explorer: Explorer) -> None:
        super().__init__()
        self.explorer = explorer
        self.marks: list[int] = []
        self.setMinimumSize(72, 30)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setToolTip("Hour of the day; marks: the light of this area changes")
        self.setAccessibleName("Hour of the day")
        explorer.clock.changed.connect(self.update)

    def _bar(self) -> QRectF:
        return QRectF(8, 7, self.width() - 16, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sky, the marks, the hours and the handle."""
        colors = theme.colors()
        with painting(self, smooth=True) as painter:
            bar = self._bar()
            gradient = QLinearGradient(bar.topLeft(), bar.topRight())
            for hour, _, horizon in SKIES:
                gradient.setColorAt(hour / 24, QColor(*horizon))
            painter.setBrush(gradient)
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.drawRoundedRect(bar, 4, 4)
            painter.setPen(QPen(QColor(255, 255, 255, 190), 1.2))
            for second in self.marks:
                x = bar.x() + bar.width() * second / SECONDS_PER_DAY
                painter.drawLine(QPointF(x, bar.y() + 1.5), QPointF(x, bar.bottom() - 1.5))
            font = painter.font()
            font.setPointSizeF(font.pointSizeF() * 0.8)
            painter.setFont(font)
            painter.setPen(QColor(colors.muted))
            for hour in range(0, 25, 3 if self.width() > 320 else 6 if self.width() > 150 else 12):
                x = bar.x() + bar.width() * hour / 24
                painter.drawText(QRectF(x - 14, bar.bottom() + 1, 28, 13), Qt.AlignCenter, str(hour))
            x = bar.x() + bar.width() * self.explorer.clock.second / SECONDS_PER_DAY
            painter.setBrush(QColor(colors.panel))
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawEllipse(QPointF(x, bar.center().y()), 6.5, 6.5)

    def second_at(self, x: float) -> int:
        """The second of the day at a pixel, rounded to the smallest step of at least one pixel."""
        bar = self._bar()
        share = min(1.0, max(0.0, (x - bar.x()) / bar.width()))
        step = next((step for step in (300, 900, 1800) if step >= SECONDS_PER_DAY / bar.width()), 3600)
        return min(SECONDS_PER_DAY - 60, round(share * SECONDS_PER_DAY / step) * step)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Set the time."""
        self.explorer.clock.set_second(self.second_at(event.localPos().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the time: without mouse tracking a button is pressed."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A quarter of an hour a step, when the slider has the focus."""
        if self.hasFocus():
            self.explorer.clock.set_second(self.explorer.clock.second + (900 if event.angleDelta().y() > 0 else -900))
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys: a quarter of an hour."""
        step = _STEPS.get(event.key())
        if step is None:
            super().keyPressEvent(event)
        else:
            self.explorer.clock.set_second(self.explorer.clock.second + step)


class ClockBar(QFrame):
    """The controls for time and weather. `tell` gets the reason why what was typed is not a time."""

    def __init__(self, explorer: Explorer, buttons: list[QAction], tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell
        self.setProperty("role", "bar")
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)  # `resizeEvent` makes it fit
        self.explorer = explorer
        self.time, self.part_of_day = QLineEdit(), label(role=HEADING, wrap=False)
        self.time.setAccessibleName("Time of day")
        self.time.setStyleSheet("padding: 4px 3px")
        self.time.setFixedWidth(self.time.fontMetrics().horizontalAdvance("00:00") + 14)
        self.part_of_day.setMinimumWidth(11 * self.part_of_day.fontMetrics().averageCharWidth())  # so the slider stays
        self.time.returnPressed.connect(self._set_time)
        self.time.editingFinished.connect(lambda: self._show(typed=False))
        self.slider = DaySlider(explorer)
        self.speed = ComboBox(
            [(f"× {speed}", speed) for speed in SPEEDS],
            lambda _: explorer.clock.set_speed(self.speed.currentData()),
            name="speed",
            hint="How fast the day passes while the clock runs; animations keep their speed",
            letters=2,
        )
        self.speed.setMaximumWidth(72)
        weathers = weather_choices(explorer.game.tables)
        self.weather = ComboBox(
            [(f"{number}  {title}" if number else title, number) for title, number in weathers],
            lambda _: explorer.choose(weather=self.weather.currentData()),
            name="weather",
            hint="Weather of the picture; its own is what the map header names",
            letters=6,
        )
        self.weather.view().setMinimumWidth(220)
        self.weather.setMaximumWidth(160)
        self.weather.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.weekday = ComboBox(
            [(name.title(), name) for name in WEEKDAYS],
            lambda _: explorer.choose(weekday=self.weekday.currentData()),
            name="day of the week",
            hint="Day of the week, for scripts that ask for it",
            letters=3,
        )
        self.weekday.choose(explorer.options.weekday)
        self.weekday.hide()
        explorer.scene_changed.connect(lambda: self.weekday.choose(explorer.options.weekday))
        self.weekday.setMaximumWidth(84)
        times = row(
            *(tool_button(action, Qt.NoFocus) for action in buttons),
            4,
            self.time,
            2,
            self.part_of_day,
            (self.slider, 1),
            spacing=3,
        )
        choices = row(self.speed, self.weekday, (self.weather, 1), spacing=3)
        self._parts = filled(
            QBoxLayout(QBoxLayout.LeftToRight), (times, 3), (choices, 2), margins=(8, 3, 8, 3), spacing=3
        )
        self.setLayout(self._parts)
        explorer.clock.changed.connect(self._show)
        explorer.place_changed.connect(self._place_changed)
        explorer.scene_changed.connect(lambda: self.weather.choose(explorer.options.weather))
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the name of the time of day gives way to the slider; where there is less, speed
        and weather are below it."""
        super().resizeEvent(event)
        self._parts.setDirection(QBoxLayout.LeftToRight if self.width() >= _ONE_LINE else QBoxLayout.TopToBottom)
        self.weekday.setVisible(self.width() >= _WITH_WEEKDAY)
        self._show()

    def _set_time(self) -> None:
        """Set the clock to the time that was typed, or say why not."""
        try:
            self.explorer.clock.set_second(ClockTime().parse(self.time.text()))
        except ValueError as error:
            self._tell(capital(f"{error}."))

    def _show(self, *, typed: bool = True) -> None:
        """Show the clock; a text that is being `typed` stays."""
        clock = self.explorer.clock
        name = self.explorer.game.tables.time_of_day(clock.second).name
        if not (typed and self.time.isModified()):
            self.time.setText(clock.text)
        show_text(self.part_of_day, name if self.width() >= _WIDE else "")
        self.time.setToolTip(
            f"{name}, second {clock.second} of the day, tick {clock.tick}; type another time, as 20:30"
        )

    def _place_changed(self) -> None:
        place = self.explorer.place
        light = None if place is None else place.light
        self.slider.marks = [] if light is None else [block.end * 2 for block in light.blocks][:-1]
        self.slider.update()
        self._show()
        if place is not None:
            self.weather.setItemText(0, f"Own: {self.explorer.game.tables.weather_name(place.header.weather)}")
