"""The dock widgets of the panels: their arrangement, which are shown, which one is in front."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt5 import sip
from PyQt5.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QMouseEvent
from PyQt5.QtWidgets import QApplication, QDockWidget, QLineEdit, QMainWindow, QTabBar, QWidget

from mapexplorer.gui.docks.panel import Panel
from mapexplorer.gui.widgets.controls import is_seen

CHANGES = "changes"
"""The dock of the changed places, which is hidden until a comparison or the user shows it."""
LISTS = ("maps", "events", "encounters", "names", "files", CHANGES)
"""Docks at the left whose lists lead to maps and things: tabs above the matrix."""
LEFT = (*LISTS, "matrix")
"""Docks at the left; the other ones are tabs at the right."""

_WIDTHS = (272, 430)
"""The default widths of the docks at the left and at the right, with which all their tabs are seen."""
_NARROW_WIDTHS = (232, 320)
"""The same in a window of less than _WIDE pixels, so that the picture is the largest part; tabs at the right scroll."""
_WIDE = 1200


class Docks(QObject):
    """The docks of a window, in the order of their tabs. `changed`: one was shown, hidden, detached or brought to the
    front."""

    changed = pyqtSignal()

    def __init__(self, window: QMainWindow, panels: Sequence[Panel]) -> None:
        super().__init__(window)
        self._window = window
        self.panels = {panel.name: panel for panel in panels}
        self._docks: dict[str, QDockWidget] = {}
        self._hidden: list[QDockWidget] | None = None
        """The docks that `hide_all` has hidden, those in front last."""
        self._clicked_twice = ""
        """The title of the tab that is being double-clicked."""
        window.setDockOptions(QMainWindow.AnimatedDocks | QMainWindow.AllowTabbedDocks | QMainWindow.AllowNestedDocks)
        for panel in panels:
            dock = QDockWidget(panel.title, window)
            dock.setObjectName(f"dock {panel.name}")
            dock.setWidget(panel)
            dock.setFeatures(
                QDockWidget.DockWidgetMovable | QDockWidget.DockWidgetClosable | QDockWidget.DockWidgetFloatable
            )
            if panel.name != "matrix":
                dock.setTitleBarWidget(QWidget())  # no title, because its tab shows it
                dock.topLevelChanged.connect(lambda floats, dock=dock: self._floated(dock, floats))
            dock.visibilityChanged.connect(lambda _, panel=panel: self._visibility_changed(panel))
            self._docks[panel.name] = dock
        self.arrange()

    def __getitem__(self, name: str) -> QDockWidget:
        """A dock by its name. Raises KeyError."""
        return self._docks[name]

    @property
    def _tabbed(self) -> list[QDockWidget]:
        return [dock for name, dock in self._docks.items() if name not in LEFT]

    def arrange(self) -> None:
        """The default layout."""
        docks, window = self._docks, self._window
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.LeftDockWidgetArea, docks["maps"])
        window.splitDockWidget(docks["maps"], docks["matrix"], Qt.Vertical)
        for name in LISTS[1:]:
            window.tabifyDockWidget(docks[LISTS[0]], docks[name])
        window.addDockWidget(Qt.RightDockWidgetArea, docks["inspector"])
        for dock in self._tabbed:
            if dock is not docks["inspector"]:
                window.tabifyDockWidget(docks["inspector"], dock)
        for name, dock in docks.items():
            dock.setVisible(name != CHANGES)
        self._prepare_tabs()
        for name in ("maps", "inspector"):
            docks[name].raise_()
        self.resize()

    def resize(self) -> None:
        """The default sizes in a window of its present width."""
        docks, window = self._docks, self._window
        widths = _WIDTHS if window.width() >= _WIDE else _NARROW_WIDTHS
        window.resizeDocks([docks["maps"], docks["inspector"]], list(widths), Qt.Horizontal)
        window.resizeDocks([docks["maps"], docks["matrix"]], [460, 250], Qt.Vertical)

    def restored(self) -> None:
        """To be called when the window has restored its state."""
        for dock in self._tabbed:
            if dock.isFloating():
                self._floated(dock, True)
        self._prepare_tabs()

    # --- showing and hiding

    def show(self, name: str) -> None:
        """Bring a panel to the front."""
        self._docks[name].show()
        self._docks[name].raise_()

    def open(self, name: str) -> None:
        """Bring a panel to the front and give it the focus."""
        self.show(name)
        self.panels[name].take_focus()

    def toggle(self, name: str) -> None:
        """Bring a panel to the front and give it the focus. One that is there is hidden, or goes behind the first of
        its tabs, and the picture gets the focus."""
        if not self.shown(name):
            self.open(name)
            return
        if name in (LISTS[0], "matrix") or self._docks[name].isFloating():
            self._docks[name].hide()
        else:
            self.show(LISTS[0] if name in LISTS else "inspector")
        self.panels[name].left.emit()

    def shown(self, name: str) -> bool:
        """Whether a panel can be seen."""
        return is_seen(self._docks[name])

    @property
    def hidden(self) -> bool:
        """Whether all panels are hidden by `hide_all`."""
        return self._hidden is not None

    def hide_all(self, hidden: bool) -> None:
        """Hide every panel, or show the hidden ones again."""
        if hidden == self.hidden:
            return
        if hidden:
            self._hidden = sorted((dock for dock in self._docks.values() if not dock.isHidden()), key=is_seen)
        for dock in self._hidden or ():
            dock.setVisible(not hidden)
            if not hidden:
                dock.raise_()
        if not hidden:
            self._hidden = None

    def _visibility_changed(self, panel: Panel) -> None:
        if not sip.isdeleted(self._window):  # Qt hides and deletes the docks of a window with it, one by one
            self.changed.emit()
            QTimer.singleShot(0, panel.visibility_changed)

    # --- the panel in front

    def search(self) -> None:
        """Go to the filter of the panel that has the focus; in no panel, to that of the maps."""
        filtered = [name for name in self._with_focus() if isinstance(self.panels[name].first, QLineEdit)]
        self.open((*filtered, LISTS[0])[0])

    def _with_focus(self) -> list[str]:
        """The name of the dock with the focus, if one has it."""
        focus = QApplication.focusWidget()
        return [name for name, dock in self._docks.items() if focus is not None and dock.isAncestorOf(focus)]

    def _front(self) -> str | None:
        """The name of the current dock: the one with the focus, else the one whose tab is in front."""
        in_front = [name for name, dock in self._docks.items() if name not in LEFT and is_seen(dock)]
        return next(iter((*self._with_focus(), *in_front)), None)

    @property
    def front_panel(self) -> Panel:
        """The current panel; the inspector where no dock at the right is shown."""
        return self.panels[self._front() or "inspector"]

    # --- detaching

    def front_floats(self) -> bool:
        """Whether the panel in front is detached."""
        name = self._front()
        return name is not None and self._docks[name].isFloating()

    def toggle_floating(self) -> None:
        """Detach the panel in front, or attach it again."""
        name = self._front()
        if name is not None:
            self._docks[name].setFloating(not self._docks[name].isFloating())

    def _prepare_tabs(self) -> None:
        """The tab bars of the docks, which Qt creates again when docks change."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindDirectChildrenOnly):
            bar.setElideMode(Qt.ElideNone)
            bar.setDrawBase(False)
            bar.setUsesScrollButtons(True)
            bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double click on a tab detaches its panel, when the mouse button is up: until then Qt may drag the tab."""
        if isinstance(watched, QTabBar) and isinstance(event, QMouseEvent):
            if event.type() == QEvent.MouseButtonDblClick:
                self._clicked_twice = watched.tabText(watched.tabAt(event.pos()))
            elif event.type() == QEvent.MouseButtonRelease and self._clicked_twice:
                title, self._clicked_twice = self._clicked_twice, ""
                QTimer.singleShot(0, lambda: self._float_tab(title))
        return False

    def _float_tab(self, title: str) -> None:
        for dock in self._tabbed:
            if dock.windowTitle() == title:
                dock.setFloating(True)

    def _floated(self, dock: QDockWidget, floats: bool) -> None:
        """Show the title bar of a dock that was detached, hide that of one that was attached."""
        dock.setTitleBarWidget(None if floats else QWidget())  # type: ignore[arg-type]
        QTimer.singleShot(0, self._prepare_tabs)
        self.changed.emit()
