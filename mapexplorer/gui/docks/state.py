"""The state of what code adds to the map: a list to choose from, and what is added and changed now."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import QSignalBlocker, Qt
from PyQt5.QtWidgets import QListWidgetItem

from mapexplorer.features import StateChoice
from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets.controls import show_text
from mapexplorer.gui.widgets.layout import HEADING, column, label, list_row, list_view
from mapexplorer.inspector.lines import field_lines
from mapexplorer.inspector.places.feature import chosen_state, feature_json, state_facts
from mapexplorer.values import capital

_NOTHING = "Code adds nothing to this map."
_OTHER = "A state of a walk, which is not in the list."
_NO_STATES = "It has no states to choose from."

_ROWS = 12
"""The most rows that are shown without scrolling."""
_MARGIN = 4


class StatePanel(Panel):
    """The states of the present map's feature; a selected one is chosen in the explorer."""

    name, title = "state", "State"

    def __init__(self, explorer: Explorer) -> None:
        super().__init__(explorer)
        self.heading = label(role=HEADING, wrap=False)
        self.message = label()
        self.first = self.states = list_view("States of what code adds to this map")
        self.facts = label(selectable=True)
        self.facts.setAlignment(Qt.AlignTop)
        parts = self.heading, self.message, self.states, self.facts, None
        self.setLayout(column(*parts, margins=(8, 6, 8, 6), spacing=6))
        self.states.currentItemChanged.connect(self._chosen)
        explorer.place_changed.connect(self._place_changed)
        explorer.feature_changed.connect(self._show_state)
        self.offer_copy(self)
        self._shown: Any = self
        self._place_changed()

    @property
    def choices(self) -> tuple[StateChoice, ...]:
        """The states of the present map's feature."""
        feature = self.explorer.feature
        return () if feature is None else feature.choices(feature.table, feature.header)

    def step(self, number: int) -> None:
        """Choose the state that is so many rows further, from the last to the first."""
        count = self.states.count()
        if count:
            self.states.setCurrentRow((self.states.currentRow() + number) % count)

    def _place_changed(self) -> None:
        feature, choices = self.explorer.feature, self.choices
        with QSignalBlocker(self.states):
            self.states.clear()
            for choice in choices:
                title = capital(choice.title)
                list_row(self.states, title, choice.state, f"{title} (on the command line: --state {choice.name!r})")
        self.states.setVisible(bool(choices))
        rows = min(len(choices), _ROWS)
        self.states.setFixedHeight(rows * self.states.sizeHintForRow(0) + 2 * self.states.frameWidth() + _MARGIN)
        show_text(self.heading, "" if feature is None else capital(feature.name))
        self._shown = self
        self._show_state()

    def _show_state(self) -> None:
        """Mark the present state; none while the feature is in one that is not in the list."""
        feature, place = self.explorer.feature, self.explorer.place
        state = None if feature is None else feature.state
        if self._shown == state:
            return
        self._shown = state
        row = -1 if feature is None else chosen_state(feature)
        with QSignalBlocker(self.states):
            self.states.setCurrentRow(row)
        facts = () if feature is None or place is None else state_facts(feature, place)[1:]
        other = _OTHER if self.choices and row < 0 else ""
        show_text(self.message, _NOTHING if feature is None else other if self.choices else _NO_STATES)
        self.facts.setText("\n".join(f"{fact.name}: {fact.value}" for fact in facts))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.explorer.choose_state(item.data(Qt.UserRole))

    def copied(self) -> Copied:
        """The feature, its state, and what it adds."""
        feature, place = self.explorer.feature, self.explorer.place
        if feature is None or place is None:
            return _NOTHING, None
        return "\n".join((*field_lines(state_facts(feature, place)), "")), feature_json(feature, place)
