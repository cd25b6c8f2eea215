"""The frame of the main window: actions, menus, tool bar, panels and their layout, notices, theme, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PyQt5.QtCore import QByteArray, QSize, Qt, QTimer
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import (
    QAction,
    QApplication,
    QDockWidget,
    QLabel,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QTabBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui import icons, theme
from mapexplorer.gui.actions import ACTIONS, MENUS, TOOLBAR
from mapexplorer.gui.commands import Commands
from mapexplorer.gui.compilation import CompilationBar
from mapexplorer.gui.director import Director
from mapexplorer.gui.docks.clockbar import ClockBar
from mapexplorer.gui.docks.heights import HeightsPanel
from mapexplorer.gui.docks.inspector import BytesPanel, InspectorPanel
from mapexplorer.gui.docks.layers import LayersPanel
from mapexplorer.gui.docks.maps import MapsPanel
from mapexplorer.gui.docks.matrix import MatrixPanel
from mapexplorer.gui.docks.models import ModelsPanel
from mapexplorer.gui.docks.textures import TexturesPanel
from mapexplorer.gui.model.camera import FLY
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.notices import Notices
from mapexplorer.gui.views.area import Views
from mapexplorer.gui.widgets import is_seen
from mapexplorer.world.cells import TILE_UNITS

LAYOUT_VERSION = 1


class Frame(QMainWindow):
    """Everything that stands around the picture; what happens in it is the business of `Window`."""

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str]) -> None:
        super().__init__()
        self.explorer = explorer
        self.setWindowIcon(icons.app_icon())
        self.setDockOptions(QMainWindow.AnimatedDocks | QMainWindow.AllowTabbedDocks | QMainWindow.AllowNestedDocks)
        self.setTabPosition(Qt.AllDockWidgetAreas, 0)
        self.director = Director(explorer, self)
        self.views = Views(explorer, self.director, opengl_problem)
        self.notices = Notices()
        self.commands = Commands(self)
        self.panels_hidden = False
        self._docks: dict[str, QDockWidget] = {}
        self._tabbed: dict[str, QWidget] = {}
        self._actions: dict[str, QAction] = {}
        self._complete = False
        self._make_actions()
        self._make_centre()
        self._make_docks()
        self._make_menus()
        self._make_status()
        theme.scheme(QApplication.instance()).changed.connect(self._system_theme_changed)
        explorer.camera_changed.connect(self._show_speed)

    def open(self, path: str) -> None:
        """Open a ROM."""
        raise NotImplementedError  # only `Window`, which says what opening is, is ever made

    def _make_actions(self) -> None:
        for entry in ACTIONS:
            action = QAction(entry.title, self)
            action.setObjectName(entry.id)
            action.setShortcuts([QKeySequence(key) for key in entry.keys])
            action.setToolTip((entry.hint or entry.title.rstrip(" …")) + (f"  ({entry.keys[0]})" if entry.keys else ""))
            action.setStatusTip(entry.hint)
            action.setCheckable(bool(entry.checked))
            if entry.icon:
                action.setIcon(icons.icon(entry.icon))
                action.setIconVisibleInMenu(False)
            run = getattr(self.commands, entry.run)
            if entry.argument is None:
                action.triggered.connect(lambda _=False, run=run: self._do(run))
            else:
                action.triggered.connect(lambda _=False, run=run, value=entry.argument: self._do(run, value))
            self.addAction(action)
            self._actions[entry.id] = action

    def _do(self, run: Any, *arguments: Any) -> None:
        run(*arguments)
        self.update_actions()

    def action(self, name: str) -> QAction:
        """An action by its id in the table."""
        return self._actions[name]

    def _make_centre(self) -> None:
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.views, 1)
        column.addWidget(self.notices)
        self.clock_bar = ClockBar(self.explorer, [self._actions[name] for name in ("restart", "play", "step")])
        column.addWidget(self.clock_bar)
        self.setCentralWidget(centre)

    def _make_docks(self) -> None:
        self.maps = MapsPanel(self.explorer, self.director)
        self.matrix = MatrixPanel(self.explorer, self.director)
        self.inspector = InspectorPanel()
        self.bytes = BytesPanel()
        self.layers = LayersPanel(self.explorer)
        self.heights = HeightsPanel(self.explorer, self.director)
        self.textures = TexturesPanel(self.explorer, self.director)
        self.models = ModelsPanel(self.explorer, self.director)
        for name, title, panel in self._panels():
            dock = QDockWidget(title, self)
            dock.setObjectName(f"dock {name}")
            dock.setWidget(panel)
            dock.setFeatures(
                QDockWidget.DockWidgetMovable | QDockWidget.DockWidgetClosable | QDockWidget.DockWidgetFloatable
            )
            if name not in ("maps", "matrix"):
                self._tabbed[name] = QWidget()  # no title: its tab names it
                dock.setTitleBarWidget(self._tabbed[name])
                dock.topLevelChanged.connect(lambda floats, name=name: self._floated(name, floats))
            dock.visibilityChanged.connect(lambda _, panel=panel: self._panel_turned(panel))
            self._docks[name] = dock
        self.default_layout()

    def _panel_turned(self, panel: QWidget) -> None:
        """A panel came to the front, or went behind another one."""
        self.update_actions()
        if isinstance(panel, (HeightsPanel, TexturesPanel, ModelsPanel)):
            QTimer.singleShot(0, panel.look)

    def _panels(self) -> list[tuple[str, str, QWidget]]:
        return [
            ("maps", "Maps", self.maps),
            ("matrix", "Matrix", self.matrix),
            ("inspector", "Inspector", self.inspector),
            ("layers", "Layers", self.layers),
            ("heights", "Heights", self.heights),
            ("textures", "Textures", self.textures),
            ("models", "Models", self.models),
            ("bytes", "Bytes", self.bytes),
        ]

    def default_layout(self) -> None:
        """The panels where they were on the first day."""
        docks = self._docks
        for dock in docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        self.addDockWidget(Qt.LeftDockWidgetArea, docks["maps"])
        self.splitDockWidget(docks["maps"], docks["matrix"], Qt.Vertical)
        right = [name for name in docks if name not in ("maps", "matrix")]
        self.addDockWidget(Qt.RightDockWidgetArea, docks["inspector"])
        for name in right:
            if name != "inspector":
                self.tabifyDockWidget(docks["inspector"], docks[name])
        for dock in docks.values():
            dock.show()
        self._prepare_tabs()
        docks["inspector"].raise_()
        self.resizeDocks([docks["maps"], docks["inspector"]], [262, 368], Qt.Horizontal)
        self.resizeDocks([docks["maps"], docks["matrix"]], [460, 250], Qt.Vertical)

    def _prepare_tabs(self) -> None:
        """The tabs of the panels, which Qt makes anew as panels come and go."""
        for bar in self.findChildren(QTabBar, options=Qt.FindDirectChildrenOnly):
            bar.setElideMode(Qt.ElideNone)
            bar.setDrawBase(False)
            if not bar.property("prepared"):
                bar.setProperty("prepared", True)
                bar.tabBarDoubleClicked.connect(lambda index, bar=bar: self._float_tab(bar.tabText(index)))

    def _float_tab(self, title: str) -> None:
        for name, dock in self._docks.items():
            if dock.windowTitle() == title and name in self._tabbed:
                dock.setFloating(True)

    def _floated(self, name: str, floats: bool) -> None:
        """A panel became a window of its own, with a title to drag it by, or came back between the tabs."""
        dock = self._docks[name]
        if floats:
            dock.setTitleBarWidget(None)
        else:
            self._tabbed[name] = QWidget()
            dock.setTitleBarWidget(self._tabbed[name])
        QTimer.singleShot(0, self._prepare_tabs)
        self.update_actions()

    def front_dock(self) -> QDockWidget | None:
        """The dock of the panel that is worked with: where the focus is, else the one whose tab is in front."""
        shown = [self._docks[name] for name in self._tabbed if self.dock_shown(name)]
        focus = QApplication.focusWidget()
        at_work = [dock for dock in self._docks.values() if focus is not None and dock.isAncestorOf(focus)]
        return next((dock for dock in [*at_work, *shown]), None)

    def _make_menus(self) -> None:
        menus = {title: self.menuBar().addMenu(title) for title in MENUS}
        for entry in ACTIONS:
            menu = menus[entry.menu]
            menu.addAction(self._actions[entry.id])
            if entry.id == "open_folder":
                self.recent_menu = QMenu("Open recent", self)
                self.recent_menu.aboutToShow.connect(self._fill_recent)
                menu.addMenu(self.recent_menu)
            if entry.separator:
                menu.addSeparator()
        for menu in menus.values():
            menu.aboutToShow.connect(self.update_actions)
        bar = QToolBar("Tools")
        bar.setObjectName("tools")
        bar.setMovable(False)
        bar.setIconSize(QSize(16, 16))
        for name in TOOLBAR:
            if name:
                bar.addAction(self._actions[name])
            else:
                bar.addSeparator()
        for name in ("ds_view", "gl_view", "split_view"):
            bar.addAction(self._actions[name])
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Preferred)
        bar.addWidget(spring)
        self.place_label = QLabel()
        self.place_label.setProperty("role", "heading")
        bar.addWidget(self.place_label)
        other = QWidget()
        other.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Preferred)
        bar.addWidget(other)
        bar.addAction(self._actions["palette"])
        self.addToolBar(bar)
        self.setContextMenuPolicy(Qt.NoContextMenu)

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for path in self.explorer.settings.recent:
            self.recent_menu.addAction(path, lambda path=path: self.open(path))
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction("Nothing opened yet").setEnabled(False)

    def _make_status(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        self.status_compilation = CompilationBar()
        self.status_busy = QLabel()
        self.status_cursor = QLabel()
        self.status_speed = QLabel()
        self.status_cell = QLabel()
        self.status_time = QLabel()
        self.status_speed.setToolTip("Speed of the flying camera: turn the wheel to change it; Shift flies faster")
        self.status_cell.setToolTip("Field updates of 1/29.9 s since the map was entered")
        self.status_time.setToolTip("How long the picture took to draw")
        bar.addWidget(self.status_cursor, 1)
        for label in (self.status_compilation, self.status_busy, self.status_speed, self.status_cell, self.status_time):
            bar.addPermanentWidget(label)
        self.status_compilation.hide()  # which the status bar has shown
        self.views.covered.connect(self._show_compilation)
        self._show_speed()

    def _show_compilation(self) -> None:
        """How far compilation is, unless the progress lies over the views."""
        progress = self.director.compilation.progress
        if progress is not None:
            self.status_compilation.show_progress(progress)
        self.status_compilation.setVisible(progress is not None and self.views.cover.isHidden())

    def _show_speed(self) -> None:
        camera = self.explorer.camera
        flies = camera.kind == FLY
        self.status_speed.setText(f"flies {camera.speed / TILE_UNITS:.3g} tiles a second" if flies else "")
        self.status_speed.setVisible(flies)

    def tell(self, level: str, title: str, sentence: str = "", details: str = "") -> None:
        """Show a notice."""
        self.notices.tell(level, title, sentence, details)

    def show_dock(self, name: str) -> None:
        """Bring a panel to the front."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()

    def toggle_dock(self, name: str) -> None:
        """Bring a panel to the front, or hide it when it is there."""
        if self.dock_shown(name):
            self._docks[name].hide()
        else:
            self.show_dock(name)

    def dock_shown(self, name: str) -> bool:
        """Whether a panel can be seen."""
        dock = self._docks.get(name)
        return dock is not None and is_seen(dock)

    def hide_panels(self, hidden: bool) -> None:
        """Hide every panel, or bring back those that were there."""
        self.panels_hidden = hidden
        if hidden:
            self._before_hiding = [dock for dock in self._docks.values() if not dock.isHidden()]
        for dock in getattr(self, "_before_hiding", ()):
            dock.setVisible(not hidden)
        if not hidden:
            self._docks["inspector"].raise_()

    def update_actions(self) -> None:
        """Enable and check what the state allows."""
        commands = self.commands
        for entry in ACTIONS:
            action = self._actions[entry.id]
            if entry.enabled:
                action.setEnabled(commands.enabled(entry.enabled))
            if entry.checked and self._complete:
                action.setChecked(commands.checked(entry.checked, entry.argument))

    def _system_theme_changed(self) -> None:
        if self.explorer.settings.get("theme", theme.SYSTEM) == theme.SYSTEM:
            self.set_theme(theme.SYSTEM)

    def set_theme(self, name: str) -> None:
        """Light, dark, or as the system."""
        self.explorer.settings.set("theme", name)
        theme.apply(QApplication.instance(), name)
        for entry in ACTIONS:
            if entry.icon:
                self._actions[entry.id].setIcon(icons.icon(entry.icon))
        self.show_clock_state()
        self.maps.refresh_icons()
        for notice in self.notices.shown:
            notice.refresh_icons()
        self.inspector.refresh()
        self.heights.refresh()
        self.matrix.grid.fit()
        for widget in self.findChildren(QWidget):
            widget.update()

    def show_clock_state(self) -> None:
        """Show on the play button whether the clock runs."""
        playing = self.explorer.clock.playing
        self._actions["play"].setIcon(icons.icon("pause" if playing else "play"))
        self._actions["play"].setText("Pause" if playing else "Play")

    def restore_layout(self) -> None:
        """The size, panels and layers of the last time."""
        settings = self.explorer.settings
        self.resize(1280, 800)
        if settings.get("layout version", 0) == LAYOUT_VERSION:
            self.restoreGeometry(QByteArray.fromBase64(settings.get("geometry", "").encode()))
            self.restoreState(QByteArray.fromBase64(settings.get("state", "").encode()))
        for name, dock in self._docks.items():
            if name in self._tabbed and dock.isFloating():
                self._floated(name, True)
        self._prepare_tabs()
        self.explorer.layers.restore(settings.get("layers", {}))

    def keep_layout(self) -> None:
        """Write size, panels and layers into the settings."""
        settings = self.explorer.settings
        if self.panels_hidden:
            self.hide_panels(False)
        settings.set("layout version", LAYOUT_VERSION)
        settings.set("geometry", bytes(self.saveGeometry().toBase64()).decode())
        settings.set("state", bytes(self.saveState().toBase64()).decode())
        settings.set("layers", self.explorer.layers.state())
        settings.set("view", self.views.wanted)
        settings.save()
