"""Where the panels are: at the sides of the picture, or over its corners; which are shown, which one is in front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PyQt5.QtCore import QObject, Qt, pyqtSignal
from PyQt5.QtWidgets import QApplication, QLineEdit, QSplitter, QTabWidget, QWidget

from mapexplorer.gui.docks.panel import Panel

FILES: Final = ("files", "textures", "models")
"""Panels at the left with tabs between them; the others have a button in the rail."""
LEFT: Final = ("maps", "events", "encounters", "left", "names", "changes", *FILES)
"""Panels at the left, of which one is shown. The first one has the filter for maps."""
RIGHT: Final = ("inspector", "script", "bytes", "heights", "state")
"""Panels at the right, in the order of their tabs."""
_PASSING: Final = ("heights", "state")
"""Those whose tabs are there only while they are in use or offered."""

_FOLDED: Final = 1100
"""Pixels of the window's width below which the left side is hidden at first."""
_SIDES: Final = 0.365
"""The share of the width that both sides have together by default."""
_LEFT_WIDTHS: Final = (196, 250)
_RIGHT_WIDTHS: Final = (240, 370)
"""The smallest and the greatest width of a side by default, in pixels."""
_LEAST, _MOST = 160, 4000
"""Pixels of the width of a side that the user can choose."""
_PICTURE: Final = 0.35
"""The share that the picture keeps of a narrow window, whatever widths the user has chosen."""


class Docks(QObject):
    """The panels by name, and the `middle` of the window: the picture between the `left` and the `right` side. Panels
    that are at no side are over a corner of the picture, each below its button. `changed`: a panel was shown
    or hidden."""

    changed = pyqtSignal()

    def __init__(self, window: QWidget, picture: QWidget, panels: Sequence[Panel], corners: Sequence[Panel]) -> None:
        super().__init__(window)
        self._window = window
        self.panels = {panel.name: panel for panel in (*panels, *corners)}
        self.left, self.right = self._side(LEFT), self._side(RIGHT)
        self._sides = {"left": self.left, "right": self.right}
        self._places: dict[str, QWidget] = {
            **dict.fromkeys(LEFT, self.left),
            **dict.fromkeys(RIGHT, self.right),
            **{panel.name: panel for panel in corners},
        }
        """What is shown to show a panel."""
        self._chosen: dict[QWidget, int] = {}
        """The widths that the user gave the sides."""
        self._offered: set[str] = set()
        """Panels of _PASSING whose tabs stay."""
        self._hidden: list[QWidget] | None = None
        """The sides and corners that `hide_all` has hidden."""
        self.middle = QSplitter(Qt.Horizontal)
        self.middle.setChildrenCollapsible(False)
        for place, widget in enumerate((picture, self.left, self.right)):  # the first one has the focus at the start
            self.middle.insertWidget(place if widget is not self.left else 0, widget)
        self.middle.setStretchFactor(1, 1)
        self.middle.splitterMoved.connect(self._moved)
        self.arrange()

    def _side(self, names: Sequence[str]) -> QTabWidget:
        side = QTabWidget()
        side.setDocumentMode(True)
        side.tabBar().setDrawBase(False)
        side.setMinimumWidth(_LEAST)
        side.tabBar().setVisible(names is RIGHT)
        if names is not RIGHT:  # Tab would end at the tab bar, which is hidden
            side.setFocusProxy(None)  # type: ignore[arg-type]
            side.setFocusPolicy(Qt.NoFocus)
        for name in names:
            number = side.addTab(self.panels[name], self.panels[name].title)
            side.setTabVisible(number, name in FILES or (name in RIGHT and name not in _PASSING))
        side.currentChanged.connect(lambda _: self._switched(side))
        return side

    def _switched(self, side: QTabWidget) -> None:
        """Another panel of a side is shown. At the left only the pages of files have tabs."""
        self._latest = self._current(side)
        if side is self.left:
            side.tabBar().setVisible(self._latest.name in FILES)
        self.changed.emit()

    def _current(self, side: QTabWidget) -> Panel:
        panel = side.currentWidget()
        assert isinstance(panel, Panel)
        return panel

    def __getitem__(self, name: str) -> QWidget:
        """The side that has a panel, or the panel itself over a corner. Raises KeyError."""
        return self._places[name]

    # --- the layout

    def arrange(self) -> None:
        """The default layout in a window of its present width."""
        self._chosen = {}
        self._hidden = None
        for place in self._corners:
            place.hide()
        self._bring_up("maps")
        self._bring_up("inspector")
        for name in _PASSING:
            self._drop_tab(name)
        self.left.setVisible(self._window.width() >= _FOLDED)
        self.right.show()
        self._arranged()

    def fit(self) -> None:
        """Give the sides the widths that the user chose, or the default ones; less where the picture had none."""
        wanted = [0 if side.isHidden() else self._width(side) for side in (self.left, self.right)]
        room = self.middle.width() - self.middle.handleWidth() * sum(width > 0 for width in wanted)
        share = min(1.0, (1 - _PICTURE) * room / max(1, sum(wanted)))
        left, right = (round(width * share) for width in wanted)
        sides: dict[QWidget, int] = {self.left: left, self.right: right}
        parts = [self.middle.widget(number) for number in range(self.middle.count())]
        self.middle.setSizes([sides.get(part, room - left - right) for part in parts])

    def _width(self, side: QWidget) -> int:
        """The wanted width of a side."""
        if side in self._chosen:
            return self._chosen[side]
        share = _SIDES * self.middle.width()
        left = round(min(_LEFT_WIDTHS[1], max(_LEFT_WIDTHS[0], 0.44 * share)))
        if side is self.left:
            return left
        return round(min(_RIGHT_WIDTHS[1], max(_RIGHT_WIDTHS[0], share - (0 if self.left.isHidden() else left))))

    def _moved(self, position: int, handle: int) -> None:
        """The user has moved the border of a side."""
        side = self.middle.widget(handle - 1)
        side = side if side is self.left else self.right
        self._chosen[side] = side.width()

    def _arranged(self) -> None:
        self.fit()
        self.changed.emit()

    def state(self) -> dict[str, Any]:
        """The layout as values of JSON types."""
        return {
            "widths": {name: self._chosen[side] for name, side in self._sides.items() if side in self._chosen},
            "front": [self._current(side).name for side in self._sides.values()],
            "hidden": [name for name, side in self._sides.items() if side.isHidden()],
            "corners": [place.name for place in self._corners if not place.isHidden()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the layout from values of `state`."""
        self._chosen = {self._sides[name]: min(max(0, int(width)), _MOST) for name, width in state["widths"].items()}
        for name in (*state["front"], *state["corners"]):
            self._bring_up(name)
        for name, side in self._sides.items():
            side.setVisible(name not in state["hidden"])
        self._arranged()

    # --- showing and hiding

    @property
    def _corners(self) -> list[Panel]:
        return [place for place in self._places.values() if isinstance(place, Panel)]

    def _bring_up(self, name: str) -> None:
        """Show a panel and what it is in."""
        place, panel = self._places[name], self.panels[name]
        self._latest = panel
        if isinstance(place, QTabWidget):
            if name in _PASSING:
                place.setTabVisible(place.indexOf(panel), True)
            place.setCurrentWidget(panel)
        place.show()

    def show(self, name: str) -> None:
        """Bring a panel to the front."""
        self._bring_up(name)
        self._arranged()

    def open(self, name: str) -> None:
        """Bring a panel to the front and give it the focus."""
        self.show(name)
        self.panels[name].take_focus()

    def toggle(self, name: str) -> None:
        """Bring a panel to the front and give it the focus. One that is there is hidden with its side, or goes behind
        the inspector, and the picture gets the focus."""
        if not self.shown(name):
            self.open(name)
            return
        place = self._places[name]
        if place is self.right and name != RIGHT[0]:
            self._bring_up(RIGHT[0])
            self._drop_tab(name)
        else:
            place.hide()
        self._arranged()
        self.panels[name].left.emit()

    def shown(self, name: str) -> bool:
        """Whether a panel can be seen."""
        return self.panels[name].isVisible()

    def offer(self, name: str, offered: bool) -> None:
        """Whether a panel of _PASSING has its tab also while it is not in use."""
        self._offered = self._offered - {name} | ({name} if offered else set())
        self._drop_tab(name)

    def _drop_tab(self, name: str) -> None:
        """Remove the tab of a panel of _PASSING, unless it is offered or in front."""
        panel = self.panels[name]
        if name in _PASSING:
            self.right.setTabVisible(self.right.indexOf(panel), name in self._offered or not panel.isHidden())

    @property
    def hidden(self) -> bool:
        """Whether all panels are hidden by `hide_all`."""
        return self._hidden is not None

    def hide_all(self, hidden: bool) -> None:
        """Hide every panel, or show the hidden ones again."""
        if hidden == self.hidden:
            return
        places = (self.left, self.right, *self._corners)
        before = self._hidden or []
        self._hidden = [place for place in places if not place.isHidden()] if hidden else None
        for place in self._hidden or before:
            place.setVisible(not hidden)
        self._arranged()

    # --- the panel in front

    def search(self) -> None:
        """Go to the filter of the panel that has the focus; in no panel, to that of the maps."""
        filtered = [name for name in self._with_focus() if isinstance(self.panels[name].first, QLineEdit)]
        self.open((*filtered, LEFT[0])[0])

    def _with_focus(self) -> list[str]:
        """The name of the panel with the focus, if one has it."""
        focus = QApplication.focusWidget()
        return [name for name, panel in self.panels.items() if focus is not None and panel.isAncestorOf(focus)]

    @property
    def front_panel(self) -> Panel:
        """The panel with the focus, else the one that was opened last, or the one at the right."""
        latest = self._latest if self._latest.isVisible() else self._current(self.right)
        return next((self.panels[name] for name in self._with_focus()), latest)
