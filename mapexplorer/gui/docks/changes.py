"""The panel of a comparison: the changed places with their differences, and what the picture shows."""

from __future__ import annotations

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QAction, QGridLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from mapexplorer.catalogue.kinds import header_of
from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.modes.compare_mode import CompareMode
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets.layout import MUTED, column, label, lead_down, line_edit
from mapexplorer.gui.widgets.listing import ThingsView
from mapexplorer.inspector.roms.changes import changes_json, changes_lines, changes_summary
from mapexplorer.world.subject import Subject

_NOTHING = (
    "Compare with another ROM to see what differs: that ROM counts as the one before, the open one as the one after."
)


class ChangesPanel(Panel):
    """A filter, the list, and a button for each way to show the picture."""

    name, title = "changes", "Changes"

    def __init__(self, mode: CompareMode, pictures: Pictures) -> None:
        super().__init__(mode.explorer)
        self.mode = mode
        self._groups: object = None
        self.message = label(_NOTHING, MUTED)
        self.ways = QWidget()
        self._grid = QGridLayout(self.ways)
        self._grid.setSpacing(2)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.list = ThingsView(self.explorer, pictures, "changes list")
        self.list.chosen.connect(self._choose)
        self.first = self.filter = line_edit(
            "Filter by place, thing or value", self.list.set_filter, name="changes filter"
        )
        lead_down(self.filter, self.list, self.list.choose_first)
        self.open = QPushButton("Compare with ROM image …")
        parts = self.message, (self.open, 0, Qt.AlignLeft), self.ways, self.filter, (self.list, 1)
        self.setLayout(column(*parts, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.list)
        mode.state.changed.connect(self._update)
        self._update()

    def set_actions(self, actions: list[QAction], open_image: QAction) -> None:
        """The actions that choose what the picture shows, as buttons, and the one that begins."""
        for number, action in enumerate(actions):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonTextOnly)
            button.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
            self._grid.addWidget(button, number // 2, number % 2)
        self.open.clicked.connect(open_image.trigger)
        self._update()

    def _choose(self, chosen: Subject) -> None:
        """Show a thing; one that is on no map with the map under whose heading it is."""
        place, group = self.explorer.place, self.list.currentIndex().parent().data(Qt.UserRole)
        self.chosen.emit(chosen)
        if place is not None and group.place is not None and header_of(chosen) is None:
            header = group.place.key[0]
            if header != place.header.id:
                self.mode.jobs.go(header, chosen)

    def _update(self) -> None:
        state, comparison = self.mode.state, self.mode.state.comparison
        if state.groups is not self._groups:
            self._groups = state.groups
            self.list.show_groups(state.groups)
        self.message.setText(_NOTHING if comparison is None else f"Before: {state.path}\n{changes_summary(comparison)}")
        self.open.setVisible(not state.active)
        for widget in (self.filter, self.list, self.ways):
            widget.setVisible(state.active)

    def copied(self) -> Copied:
        """The differences, as the command line prints them."""
        other, world, comparison = self.mode.jobs.other, self.explorer.world, self.mode.state.comparison
        if other is None or world is None or comparison is None:
            return "", None
        compared = other.world, world, comparison
        return "\n".join([*changes_lines(*compared), ""]), changes_json(*compared)
