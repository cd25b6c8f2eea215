"""Fields of forms: for each kind of option a widget that shows and edits a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from PyQt5.QtCore import QTime
from PyQt5.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLineEdit, QSpinBox, QTimeEdit, QWidget

from mapexplorer.games import DEFAULT
from mapexplorer.gui.widgets import ComboBox, weather_choices
from mapexplorer.option import Declared
from mapexplorer.values import ClockTime, Flag, Indices, Integer, Number, WeatherChoice, Words


def number(
    low: float, high: float, value: float, *, decimals: int = 0, step: float = 1.0, suffix: str = "", hint: str = ""
) -> QDoubleSpinBox | QSpinBox:
    """A box for a number: whole, or with decimals."""
    box: QDoubleSpinBox | QSpinBox
    if decimals:
        box = QDoubleSpinBox()
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setSingleStep(step)
        box.setValue(value)
    else:
        box = QSpinBox()
        box.setRange(int(low), int(high))
        box.setSingleStep(int(step))
        box.setValue(int(value))
    box.setSuffix(suffix)
    box.setToolTip(hint)
    return box


def side_by_side(*widgets: QWidget) -> QWidget:
    """Widgets in one row of a form."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    wide = [isinstance(widget, (ComboBox, QLineEdit)) for widget in widgets]
    for widget, stretch in zip(widgets, wide, strict=True):
        row.addWidget(widget, int(stretch))
    if not any(wide):
        row.addStretch(1)
    return box


class Field(ABC):
    """An option in a form: `widget` shows it, `changed` are the signals that it changed."""

    def __init__(self, declared: Declared, widget: Any, *changed: Any) -> None:
        self.declared = declared
        self.widget = widget
        self.changed = changed
        if not widget.toolTip():
            widget.setToolTip(declared.option.help)

    @property
    def label(self) -> str:
        """The label before the widget."""
        return self.declared.option.title

    @abstractmethod
    def value(self) -> Any:
        """The value in the widget. Raises ValueError."""

    @abstractmethod
    def set(self, value: Any) -> None:
        """Show a value."""


class CheckField(Field):
    """A box to tick, with its title beside it."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared, box := QCheckBox(declared.option.title), box.toggled)

    @property
    def label(self) -> str:
        """Empty: the title is part of the box."""
        return ""

    def value(self) -> bool:
        """Whether it is ticked."""
        return bool(self.widget.isChecked())

    def set(self, value: Any) -> None:
        """Tick it or not."""
        self.widget.setChecked(value)


class ListField(Field):
    """A list of titles with values."""

    def __init__(self, declared: Declared, entries: Sequence[tuple[str, Any]]) -> None:
        super().__init__(declared, box := ComboBox(), box.currentIndexChanged)
        for title, value in entries:
            box.addItem(title, value)

    def value(self) -> Any:
        """The value of the chosen title."""
        return self.widget.currentData()

    def set(self, value: Any) -> None:
        """Choose the title of a value."""
        for index in range(self.widget.count()):
            found = self.widget.itemData(index)
            if found == value:
                self.widget.setCurrentIndex(index)


class NumberField(Field):
    """A box for a number; where None is allowed, its lowest entry is the text for None."""

    def __init__(self, declared: Declared) -> None:
        option, kind = declared.option, declared.option.kind
        assert isinstance(kind, Integer | Number)
        low, high = option.shown or (kind.low, kind.high)
        assert low is not None and high is not None
        self._none = low - 1 if declared.default is None else None
        step = kind.step if isinstance(kind, Integer) else 10.0 ** -min(option.decimals, 1)
        box = number(
            low if self._none is None else self._none, high, low, decimals=option.decimals, step=step,
            suffix=option.unit,
        )  # fmt: skip
        if self._none is not None:
            box.setSpecialValueText(option.absent)
        super().__init__(declared, box, box.valueChanged)

    def value(self) -> Any:
        """The number, or None."""
        return None if self.widget.value() == self._none else self.widget.value()

    def set(self, value: Any) -> None:
        """Show a number, or None."""
        self.widget.setValue(self._none if value is None else value)


class LineField(Field):
    """A line of text; empty for the default."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared, line := QLineEdit(), line.textChanged)
        line.setPlaceholderText(declared.option.absent)

    def value(self) -> Any:
        """The value of the text. Raises ValueError."""
        text = self.widget.text().strip()
        return self.declared.option.kind.parse(text) if text else self.declared.default

    def set(self, value: Any) -> None:
        """Show a value."""
        self.widget.setText("" if value is None else self.declared.option.kind.text(value))


class TimeField(Field):
    """A time of the day."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared, box := QTimeEdit(), box.timeChanged)
        box.setDisplayFormat("HH:mm:ss")

    def value(self) -> int:
        """The second of the day."""
        return int(QTime(0, 0).secsTo(self.widget.time()))

    def set(self, value: Any) -> None:
        """Show a second of the day."""
        self.widget.setTime(QTime(0, 0).addSecs(value))


class WordsField(Field):
    """A check box for every word, in one row."""

    def __init__(self, declared: Declared, words: Sequence[str]) -> None:
        self.boxes = {word: QCheckBox(word.capitalize()) for word in words}
        super().__init__(
            declared, side_by_side(*self.boxes.values()), *(box.toggled for box in self.boxes.values())
        )  # fmt: skip

    def value(self) -> tuple[str, ...]:
        """The words that are ticked."""
        return tuple(word for word, box in self.boxes.items() if box.isChecked())

    def set(self, value: Any) -> None:
        """Tick words."""
        for word, box in self.boxes.items():
            box.setChecked(word in value)


class IndicesField(Field):
    """A box for every one of several numbers."""

    def __init__(self, declared: Declared, limits: Sequence[int]) -> None:
        self.boxes = [number(0, limit - 1, 0) for limit in limits]
        super().__init__(declared, side_by_side(*self.boxes), *(box.valueChanged for box in self.boxes))

    def value(self) -> tuple[int, ...]:
        """The numbers."""
        return tuple(int(box.value()) for box in self.boxes)

    def set(self, value: Any) -> None:
        """Show numbers."""
        for box, one in zip(self.boxes, value, strict=True):
            box.setValue(one)


def field_of(declared: Declared) -> Field:
    """The field for an option, showing its default."""
    field = _made(declared)
    field.set(declared.default)
    return field


def _made(declared: Declared) -> Field:
    option, kind = declared.option, declared.option.kind
    if option.titles:
        return ListField(declared, [(title, value) for value, title in option.titles.items()])
    if isinstance(kind, Flag):
        return CheckField(declared)
    if isinstance(kind, WeatherChoice):
        return ListField(declared, weather_choices(DEFAULT.tables))
    if isinstance(kind, Words):
        return WordsField(declared, kind.words)
    if isinstance(kind, Indices):
        return IndicesField(declared, kind.limits)
    if isinstance(kind, ClockTime):
        return TimeField(declared)
    return NumberField(declared) if isinstance(kind, Integer | Number) else LineField(declared)
