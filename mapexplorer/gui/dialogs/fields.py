"""Fields of forms: for each kind of option a widget that shows and edits a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PyQt5.QtCore import QTime
from PyQt5.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QSpinBox, QTimeEdit, QWidget

from mapexplorer.games import DEFAULT
from mapexplorer.gui.widgets.controls import ComboBox, weather_choices
from mapexplorer.gui.widgets.layout import row
from mapexplorer.option import Declared
from mapexplorer.values import ClockTime, Flag, Indices, Integer, Number, WeatherChoice, Words


@dataclass(frozen=True, eq=False)
class Field:
    """An option in a form."""

    declared: Declared
    widget: Any
    value: Callable[[], Any]
    """The value in the widget. Raises ValueError."""
    set: Callable[[Any], object]
    """Shows a value."""
    changed: tuple[Any, ...]
    """The signals that the widget was changed."""

    @property
    def label(self) -> str:
        """The label before the widget; a check box has its title beside it."""
        return "" if isinstance(self.widget, QCheckBox) else self.declared.option.title

    @property
    def stays(self) -> bool:
        """Whether the row is shown while the option has no effect, so that it is seen that there is one."""
        return isinstance(self.widget, QCheckBox | ComboBox)


def field_of(declared: Declared) -> Field:
    """The field for an option, showing its default."""
    field = _made(declared)
    field.set(declared.default)
    field.widget.setAccessibleName(declared.option.title)
    if not field.widget.toolTip():
        field.widget.setToolTip(declared.option.help)
    return field


def _made(declared: Declared) -> Field:
    option, kind = declared.option, declared.option.kind
    if option.titles:
        return _list(declared, [(title, value) for value, title in option.titles.items()])
    if isinstance(kind, Flag):
        box = QCheckBox(option.title)
        return Field(declared, box, box.isChecked, box.setChecked, (box.toggled,))
    if isinstance(kind, WeatherChoice):
        return _list(declared, weather_choices(DEFAULT.tables))
    if isinstance(kind, Words):
        return _words(declared, kind.words)
    if isinstance(kind, Indices):
        return _indices(declared, kind.limits)
    if isinstance(kind, ClockTime):
        return _time(declared)
    return _number(declared, kind) if isinstance(kind, Number) else _line(declared)


def _list(declared: Declared, entries: Sequence[tuple[str, Any]]) -> Field:
    """A list of titles with values."""
    box = ComboBox(entries)
    return Field(declared, box, box.currentData, box.choose, (box.currentIndexChanged,))


def _number(declared: Declared, kind: Number) -> Field:
    """A box for a number; where None is allowed, its lowest entry is the text for None."""
    option = declared.option
    low, high = option.shown or (kind.low, kind.high)
    assert low is not None and high is not None
    none = low - 1 if declared.default is None else None
    step = kind.step if isinstance(kind, Integer) else 10.0 ** -min(option.decimals, 1)
    box: Any = number(low if none is None else none, high, low, decimals=option.decimals, step=step, suffix=option.unit)
    if none is not None:
        box.setSpecialValueText(option.absent)

    def value() -> Any:
        return None if box.value() == none else box.value()

    def show(value: Any) -> None:
        box.setValue(none if value is None else value)

    return Field(declared, box, value, show, (box.valueChanged,))


def _line(declared: Declared) -> Field:
    """A line of text; empty for the default."""
    line, kind = QLineEdit(), declared.option.kind
    line.setPlaceholderText(declared.option.absent)

    def value() -> Any:
        text = line.text().strip()
        return kind.parse(text) if text else declared.default

    def show(value: Any) -> None:
        line.setText("" if value is None else kind.text(value))

    return Field(declared, line, value, show, (line.textChanged,))


def _time(declared: Declared) -> Field:
    """A time of the day; the value is the second."""
    box, midnight = QTimeEdit(), QTime(0, 0)
    box.setDisplayFormat("HH:mm:ss")

    def show(second: int) -> None:
        box.setTime(midnight.addSecs(second))

    return Field(declared, box, lambda: midnight.secsTo(box.time()), show, (box.timeChanged,))


def _words(declared: Declared, words: Sequence[str]) -> Field:
    """A check box for every word, in one row; the value are the words that are ticked, or the default without words."""
    boxes = {word: QCheckBox(word.capitalize()) for word in words}

    def value() -> tuple[str, ...] | None:
        ticked = tuple(word for word, box in boxes.items() if box.isChecked())
        return ticked if ticked or declared.default else declared.default

    def show(ticked: Sequence[str] | None) -> None:
        for word, box in boxes.items():
            box.setChecked(word in (ticked or ()))

    changed = tuple(box.toggled for box in boxes.values())
    return Field(declared, side_by_side(*boxes.values()), value, show, changed)


def _indices(declared: Declared, limits: Sequence[int]) -> Field:
    """A box for every one of several numbers."""
    boxes = [number(0, limit - 1, 0, name=declared.option.title) for limit in limits]

    def show(numbers: Sequence[int]) -> None:
        for box, shown in zip(boxes, numbers, strict=True):
            box.setValue(shown)

    changed = tuple(box.valueChanged for box in boxes)
    return Field(declared, side_by_side(*boxes), lambda: tuple(int(box.value()) for box in boxes), show, changed)


def number(
    low: float, high: float, value: float, *, decimals: int = 0, step: float = 1.0, suffix: str = "", name: str = ""
) -> QDoubleSpinBox | QSpinBox:
    """A box for a number: whole, or with decimals; `name` is for screen readers."""
    whole = not decimals
    box: QDoubleSpinBox | QSpinBox = QSpinBox() if whole else QDoubleSpinBox()
    if isinstance(box, QDoubleSpinBox):
        box.setDecimals(decimals)
    kind: Callable[[float], Any] = int if whole else float
    box.setRange(kind(low), kind(high))
    box.setSingleStep(kind(step))
    box.setValue(kind(value))
    box.setSuffix(suffix)
    box.setAccessibleName(name)
    return box


def side_by_side(*widgets: QWidget, below: int = 0) -> QWidget:
    """Widgets in one row of a form, with so many pixels of room below."""
    box = QWidget()
    wide = [isinstance(widget, (ComboBox, QLineEdit)) for widget in widgets]
    parts = [(widget, int(stretch)) for widget, stretch in zip(widgets, wide, strict=True)]
    box.setLayout(row(*parts, *(() if any(wide) else (None,)), margins=(0, 0, 0, below)))
    return box
