"""The state of what code adds to the map: a list to choose from, and what is added and changed now."""

from __future__ import annotations

import json
from typing import Any

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mapexplorer.features import StateChoice
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets import offer_copy, rows_as_text
from mapexplorer.inspector.feature import feature_json, feature_lines, feature_title

_NOTHING = "Code adds nothing to this map."
_NO_STATES = "It has no states to choose from."

_ROWS = 12
"""The most rows that are shown without scrolling."""
_MARGIN = 4


class StatePanel(QWidget):
    """The states of the present map's feature; a selected one is chosen in the explorer."""

    def __init__(self, explorer: Explorer) -> None:
        super().__init__()
        self.explorer = explorer
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(6)
        self.title = QLabel()
        self.title.setProperty("role", "heading")
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.states = QListWidget()
        self.states.setAccessibleName("States of what code adds to this map")
        self.facts = QLabel()
        self.facts.setWordWrap(True)
        self.facts.setAlignment(Qt.AlignTop)
        self.facts.setTextInteractionFlags(Qt.TextSelectableByMouse)
        for widget in (self.title, self.words, self.states, self.facts):
            column.addWidget(widget)
        column.addStretch(1)
        self.states.currentItemChanged.connect(self._chosen)
        explorer.place_changed.connect(self._place_changed)
        explorer.feature_changed.connect(self._show_state)
        offer_copy(self, self)
        self._shown: Any = self
        self._place_changed()

    @property
    def choices(self) -> tuple[StateChoice, ...]:
        """The states of the present map's feature."""
        feature = self.explorer.feature
        return () if feature is None else feature.choices(feature.tables, feature.header)

    def step(self, number: int) -> None:
        """Choose the state that is so many rows further, from the last to the first."""
        count = self.states.count()
        if count:
            self.states.setCurrentRow((self.states.currentRow() + number) % count)

    def _place_changed(self) -> None:
        feature, choices = self.explorer.feature, self.choices
        self.states.blockSignals(True)
        self.states.clear()
        for choice in choices:
            item = QListWidgetItem(choice.title[0].upper() + choice.title[1:])
            item.setData(Qt.UserRole, choice.state)
            item.setToolTip(f"{item.text()} (on the command line: --state {choice.name!r})")
            self.states.addItem(item)
        self.states.blockSignals(False)
        self.states.setVisible(bool(choices))
        rows = min(len(choices), _ROWS)
        self.states.setFixedHeight(rows * self.states.sizeHintForRow(0) + 2 * self.states.frameWidth() + _MARGIN)
        self.title.setText("" if feature is None else feature_title(feature))
        self.title.setVisible(feature is not None)
        self._shown = self
        self._show_state()

    def _show_state(self) -> None:
        """Mark the present state; none while the feature is in one that is not in the list."""
        feature, place = self.explorer.feature, self.explorer.place
        state = None if feature is None else feature.state
        if self._shown == state:
            return
        self._shown = state
        row = next((row for row, choice in enumerate(self.choices) if choice.state == state), -1)
        self.states.blockSignals(True)
        self.states.setCurrentRow(row)
        self.states.blockSignals(False)
        if feature is None or place is None:
            self.words.setText(_NOTHING)
            self.words.show()
            self.facts.setText("")
            return
        other = f"As walked: {json.dumps(state)}" if self.choices and row < 0 else ""
        self.words.setText(other if self.choices else _NO_STATES)
        self.words.setVisible(bool(self.words.text()))
        self.facts.setText("\n".join(f"{name}: {words}" for name, words in feature_lines(feature, place)[1:]))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.explorer.choose_state(item.data(Qt.UserRole))

    def as_text(self) -> str:
        """The feature, its state, and what it adds."""
        feature, place = self.explorer.feature, self.explorer.place
        return _NOTHING if feature is None or place is None else rows_as_text(feature_lines(feature, place))

    def as_value(self) -> Any:
        """The same as plain values."""
        feature, place = self.explorer.feature, self.explorer.place
        return None if feature is None or place is None else feature_json(feature, place)
