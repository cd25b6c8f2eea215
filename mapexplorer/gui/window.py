"""The main window: puts views, panels, menus and the model together."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
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
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.keys import KeysDialog
from mapexplorer.gui.dialogs.palette import Palette
from mapexplorer.gui.dialogs.screenshot import ScreenshotDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.dialogs.workbench import Workbench
from mapexplorer.gui.director import Director
from mapexplorer.gui.docks.clockbar import ClockBar
from mapexplorer.gui.docks.heights import HeightsPanel
from mapexplorer.gui.docks.inspector import BytesPanel, InspectorPanel
from mapexplorer.gui.docks.layers import LayersPanel
from mapexplorer.gui.docks.maps import MapsPanel
from mapexplorer.gui.docks.matrix import MatrixPanel
from mapexplorer.gui.docks.models import ModelsPanel
from mapexplorer.gui.docks.textures import TexturesPanel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.exports import HEIGHTS, MODEL
from mapexplorer.gui.model.facts import Description
from mapexplorer.gui.model.subject import Subject, subject
from mapexplorer.gui.notices import ERROR, INFO, Notices
from mapexplorer.gui.picking import Picking
from mapexplorer.gui.studio import FrameRequest
from mapexplorer.gui.views.area import Views
from mapexplorer.gui.walk_mode import WalkMode

TITLE = "Map explorer"
LAYOUT_VERSION = 1


class Window(QMainWindow):
    """The explorer's window on one ROM."""

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str] = lambda: "") -> None:
        super().__init__()
        self.explorer = explorer
        self.setWindowTitle(TITLE)
        self.setWindowIcon(icons.app_icon())
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.AnimatedDocks | QMainWindow.AllowTabbedDocks | QMainWindow.AllowNestedDocks)
        self.setTabPosition(Qt.AllDockWidgetAreas, 0)
        self.director = Director(explorer, self)
        self.views = Views(explorer, self.director, opengl_problem)
        self.notices = Notices()
        self.commands = Commands(self)
        self.panels_hidden = False
        self._pixel: tuple[Subject, Description] | None = None
        self._docks: dict[str, QDockWidget] = {}
        self._actions: dict[str, QAction] = {}
        self._make_actions()
        self._make_centre()
        self._make_docks()
        self._make_menus()
        self._make_status()
        self.walk_mode = WalkMode(self)
        self.picking = Picking(self)
        self.palette_frame = Palette(self)
        self.welcome = Welcome(self.views, self.commands)
        self.keys_dialog: KeysDialog | None = None
        self._export_dialog: ExportDialog | None = None
        self.screenshot_dialog: ScreenshotDialog | None = None
        self.workbench: Workbench | None = None
        self._connect()
        self._restore()
        self.update_actions()

    # --- building

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
        self.heights = HeightsPanel(self.explorer)
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
                dock.setTitleBarWidget(QWidget())  # its tab names it
            dock.visibilityChanged.connect(lambda _: self.update_actions())
            self._docks[name] = dock
        self.default_layout()

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
        for bar in self.findChildren(QTabBar):
            bar.setElideMode(Qt.ElideNone)
        docks["inspector"].raise_()
        self.resizeDocks([docks["maps"], docks["inspector"]], [262, 368], Qt.Horizontal)
        self.resizeDocks([docks["maps"], docks["matrix"]], [460, 250], Qt.Vertical)

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
        self.status_busy = QLabel()
        self.status_cursor = QLabel()
        self.status_cell = QLabel()
        self.status_time = QLabel()
        bar.addWidget(self.status_cursor, 1)
        for label in (self.status_busy, self.status_cell, self.status_time):
            bar.addPermanentWidget(label)

    def _connect(self) -> None:
        explorer, director = self.explorer, self.director
        director.frame_ready.connect(self._show_frame)
        director.overlay_ready.connect(self.views.show_overlay)
        director.overlay_ready.connect(self.layers.show_overlay)
        director.failed.connect(lambda title, sentence, trace: self.tell(ERROR, title, sentence, trace))
        director.slow.connect(self._explain_slow)
        director.busy.connect(self.status_busy.setText)
        self.maps.chosen.connect(self._go)
        self.matrix.grid.cell_chosen.connect(self._cell_chosen)
        self.matrix.grid.described.connect(self.status_cursor.setText)
        self.inspector.followed.connect(explorer.select)
        for panel in (self.heights, self.textures, self.models):
            panel.chosen.connect(self._inspect)
        self.heights.export_wanted.connect(lambda: self.export_dialog().open(HEIGHTS))
        self.models.export_wanted.connect(lambda model: self.export_dialog().open(MODEL, model))
        self.views.shown_changed.connect(self._view_shown)
        self.views.gl_made.connect(self.picking.attach)
        self.views.refused.connect(lambda words: self.tell(INFO, "DS picture only", words))
        explorer.place_changed.connect(self._place_changed)
        explorer.selection_changed.connect(self._describe)
        explorer.history_changed.connect(self.update_actions)
        explorer.camera_changed.connect(self.update_actions)
        explorer.layers.changed.connect(lambda _: self.update_actions())
        explorer.clock.state_changed.connect(self._clock_state)
        self._timer = QTimer(self)
        self._timer.setInterval(33)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.timeout.connect(self._advance)

    # --- opening

    def start(self, rom: str) -> None:
        """Open the first ROM; on the first run also greet."""
        if self.explorer.settings.first_run:
            self.show_welcome()
        self.open(rom)

    def hovered(self, spot: Any) -> None:
        """The mouse is over a spot on the ground."""
        self.heights.ask(spot[0], spot[2], spot[1])

    def open(self, path: str) -> None:
        """Open a ROM in the background."""
        self.director.open(path)

    def open_loose(self, paths: list[str]) -> None:
        """Show loose files together on the workbench."""
        if self.workbench is None:
            self.workbench = Workbench(self, self.director)
        self.workbench.open([Path(path) for path in paths])

    def dragEnterEvent(self, event: Any) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls() and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: Any) -> None:
        """An image or a folder is opened; other files are shown together."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.open_dropped(paths)

    def open_dropped(self, paths: list[str]) -> None:
        """Open what was dropped: a ROM image or folder alone, or loose files together."""
        if len(paths) == 1 and (Path(paths[0]).is_dir() or Path(paths[0]).suffix.lower() in (".nds", ".srl")):
            self.open(paths[0])
        elif paths:
            self.open_loose(paths)

    # --- showing

    def _inspect(self, chosen: Subject) -> None:
        self.explorer.select(chosen)
        self.show_dock("inspector")

    def _go(self, header: int) -> None:
        if self.explorer.place is None or self.explorer.place.header.id != header:
            self.explorer.go(header)

    def _cell_chosen(self, x: int, z: int, tile_x: float, tile_z: float) -> None:
        place = self.explorer.place
        if place is None:
            return
        cell = place.matrix_cells[x, z]
        chosen = subject("cell", cell.matrix, x, z)
        if place.matrix.headers is not None and not cell.filler and cell.header != place.header.id:
            self.explorer.go(cell.header, chosen, (tile_x, tile_z))
        else:
            self.explorer.look_at_tile(tile_x, tile_z)
            self.explorer.select(chosen)

    def _place_changed(self) -> None:
        place = self.explorer.place
        self.place_label.setText(place.header.title if place else "")
        self.setWindowTitle(f"{place.header.title} – {TITLE}" if place else TITLE)
        if place is not None and not place.cells and not place.matrix_cells:
            self.views.show_frame(None)
            self.views.ds.message = "This header has no land: no cell of its matrix names it."
        else:
            self.views.ds.message = ""
        self.update_actions()

    def _show_frame(self, frame: Any) -> None:
        self.views.show_frame(frame)
        if frame is None:
            return
        self.matrix.grid.set_resident(frozenset(frame.cells) if not frame.request.whole_matrix else frozenset())
        self.status_time.setText(f"{frame.seconds * 1000:.0f} ms")
        self.status_cell.setText(f"tick {frame.request.tick}")

    def _explain_slow(self) -> None:
        self.views.ds.message = (
            "The DS renderer is being prepared for this computer. This takes about a minute, once; everything else can "
            "be used meanwhile."
        )
        self.views.ds.update()

    def _view_shown(self) -> None:
        self.layers.set_opengl(self.views.shown != "ds")
        self.update_actions()

    def _describe(self) -> None:
        from mapexplorer.gui.model.describe import describe

        chosen = self.explorer.selection
        if chosen is None or self.explorer.place is None:
            return
        if chosen.kind == "pixel":
            self.inspector.show_description(self._pixel[1] if self._pixel else None)
            return
        header = self.explorer.place.header.id
        self.director.ask(
            lambda studio: describe(studio.world, header, chosen), self.show_description, key="describe",
            title=f"{chosen} cannot be read",
        )  # fmt: skip
        self.update_actions()

    def show_description(self, description: Any) -> None:
        """Show the facts about the selection; those about the pixel that chose it follow."""
        if self._pixel is not None and self._pixel[0] == description.subject:
            description = description.followed_by(self._pixel[1])
        self.inspector.show_description(description)
        self.bytes.show_raw(description.raw)

    def explain_pixel(self, request: FrameRequest, x: int, y: int) -> None:
        """Explain a pixel of the DS picture and select what it shows."""
        self.director.ask_picture(lambda studio: studio.why(request, x, y), self._pixel_explained, "pixel")

    def _pixel_explained(self, reason: Any) -> None:
        from mapexplorer.gui.model.describe.pixel import chosen_by, describe_pixel

        projection = self.views.ds.projection()
        x, y = (reason.x + 0.5) / 256, (reason.y + 0.5) / 192
        tile = self.picking.tile(projection, x, y) if projection is not None else None
        chosen = chosen_by(reason) or tile or subject("pixel", reason.x, reason.y)
        self._pixel = (chosen, describe_pixel(reason))
        self.show_dock("inspector")
        if chosen == self.explorer.selection:
            self._describe()
        else:
            self.explorer.select(chosen)

    def look_at_selection(self) -> None:
        """Move the camera to what is selected."""
        from mapexplorer.gui.picking import place_of

        chosen = self.explorer.selection
        spot = place_of(self.director.overlay, chosen) if chosen is not None else None
        if spot is not None:
            self.explorer.look(self.explorer.camera.looking_at(spot))

    # --- time

    def _clock_state(self) -> None:
        playing = self.explorer.clock.playing
        self._actions["play"].setIcon(icons.icon("pause" if playing else "play"))
        self._actions["play"].setText("Pause" if playing else "Play")
        if playing:
            self._last_tick = time.perf_counter()
            self._timer.start()
        else:
            self._timer.stop()
        self.update_actions()

    def _advance(self) -> None:
        now = time.perf_counter()
        elapsed, self._last_tick = now - self._last_tick, now
        self.explorer.clock.advance(min(0.5, elapsed))

    # --- notices, docks, actions

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
        return dock is not None and not dock.isHidden() and not dock.visibleRegion().isEmpty()

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
            if entry.checked and hasattr(self, "picking"):
                action.setChecked(commands.checked(entry.checked, entry.argument))

    def set_theme(self, name: str) -> None:
        """Light, dark, or as the system."""
        self.explorer.settings.set("theme", name)
        theme.apply(QApplication.instance(), name)
        for entry in ACTIONS:
            if entry.icon:
                self._actions[entry.id].setIcon(icons.icon(entry.icon))
        self._clock_state()
        self.maps.refresh_icons()
        self.inspector.refresh()
        self.matrix.grid.fit()
        for widget in self.findChildren(QWidget):
            widget.update()

    # --- dialogs

    def show_palette(self) -> None:
        """The command palette."""
        world = self.explorer.world
        maps = [
            (f"{header.title}", f"#{header.id}  {header.kind}", lambda header=header.id: self.explorer.go(header))
            for header in (world.headers if world is not None else ())
        ]
        actions = [
            (entry.title.rstrip(" …"), self._actions[entry.id].shortcut().toString(), self._actions[entry.id].trigger)
            for entry in ACTIONS
            if entry.id != "palette" and self._actions[entry.id].isEnabled()
        ]
        self.palette_frame.open([*maps, *actions])

    def show_keys(self) -> None:
        """The keyboard sheet."""
        if self.keys_dialog is None:
            self.keys_dialog = KeysDialog(self)
        self.keys_dialog.show()
        self.keys_dialog.raise_()

    def show_welcome(self) -> None:
        """The welcome page."""
        self.welcome.open()

    def export_dialog(self) -> ExportDialog:
        """The export dialog, made when it is first wanted."""
        if self._export_dialog is None:
            self._export_dialog = ExportDialog(self, self.explorer, self.director)
        return self._export_dialog

    def show_export(self) -> None:
        """The export dialog."""
        self.export_dialog().open()

    def show_screenshot(self) -> None:
        """The screenshot dialog."""
        place = self.explorer.place
        name = place.header.internal_name if place is not None else "picture"
        self.screenshot_dialog = ScreenshotDialog(self, self.views, name)
        self.screenshot_dialog.open()

    # --- beginning and end

    def _restore(self) -> None:
        settings = self.explorer.settings
        self.resize(1280, 800)
        if settings.get("layout version", 0) == LAYOUT_VERSION:
            self.restoreGeometry(QByteArray.fromBase64(settings.get("geometry", "").encode()))
            self.restoreState(QByteArray.fromBase64(settings.get("state", "").encode()))
        self.explorer.layers.restore(settings.get("layers", {}))

    def closeEvent(self, event: Any) -> None:
        """Keep the settings and end the threads."""
        settings = self.explorer.settings
        if self.panels_hidden:
            self.hide_panels(False)
        settings.set("layout version", LAYOUT_VERSION)
        settings.set("geometry", bytes(self.saveGeometry().toBase64()).decode())
        settings.set("state", bytes(self.saveState().toBase64()).decode())
        settings.set("layers", self.explorer.layers.state())
        settings.save()
        self.explorer.clock.play(False)
        self.director.stop()
        super().closeEvent(event)

    def is_shown(self, selection: Subject) -> bool:
        """Whether the inspector shows a subject."""
        description = self.inspector.description
        return description is not None and description.subject == selection
