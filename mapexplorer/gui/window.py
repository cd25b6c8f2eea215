"""The main window: creates its parts, connects them, and stores its layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PyQt5.QtCore import QByteArray, Qt, QTimer
from PyQt5.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PyQt5.QtWidgets import QAction, QMainWindow, QTabWidget, QVBoxLayout, QWidget

from mapexplorer.export.request import ModelRequest
from mapexplorer.gui import icons, theme
from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.action_table import action_table
from mapexplorer.gui.clock_timer import ClockTimer
from mapexplorer.gui.commands import Commands
from mapexplorer.gui.compare_mode import CompareMode
from mapexplorer.gui.context_menu import ContextMenu
from mapexplorer.gui.dialogs.dialogs import Dialogs
from mapexplorer.gui.docks.changes import ChangesPanel
from mapexplorer.gui.docks.clockbar import ClockBar
from mapexplorer.gui.docks.docks import Docks
from mapexplorer.gui.docks.files import FilesPanel
from mapexplorer.gui.docks.heights import HeightsPanel
from mapexplorer.gui.docks.inspector import BytesPanel, InspectorPanel
from mapexplorer.gui.docks.layers import LayersPanel
from mapexplorer.gui.docks.map_list import ENCOUNTERS, EVENTS, MapListPanel
from mapexplorer.gui.docks.maps import MapsPanel
from mapexplorer.gui.docks.matrix import MatrixPanel
from mapexplorer.gui.docks.models import ModelsPanel
from mapexplorer.gui.docks.names import NamesPanel
from mapexplorer.gui.docks.panel import Panel
from mapexplorer.gui.docks.script import ScriptPanel
from mapexplorer.gui.docks.state import StatePanel
from mapexplorer.gui.docks.textures import TexturesPanel
from mapexplorer.gui.dropped_files import are_loose, local_files
from mapexplorer.gui.images import image_of, png_of
from mapexplorer.gui.inspection import Inspection
from mapexplorer.gui.jobs.controller import JobController, Opened
from mapexplorer.gui.map_mode import MapMode
from mapexplorer.gui.menus import BOOKMARKS_AFTER, RECENT_AFTER, BookmarkMenu, RecentMenu, Toolbar, fill_menu_bar
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.recent import remember
from mapexplorer.gui.model.shortcuts import Shortcuts
from mapexplorer.gui.notices import ERROR, INFO, Notices
from mapexplorer.gui.picking import Picking
from mapexplorer.gui.pictures import Pictures
from mapexplorer.gui.place_renderer import RenderedFrame, reduced
from mapexplorer.gui.rom_watch import RomWatch
from mapexplorer.gui.routes import Routes
from mapexplorer.gui.status import StatusFields
from mapexplorer.gui.thing_views import ThingViews
from mapexplorer.gui.views.area import BOTH, DS, Views
from mapexplorer.gui.walk_mode import WalkMode
from mapexplorer.gui.widgets import fit_to_screen
from mapexplorer.inspector.request import HeightsRequest
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.gui.views.gl_view import GlView

TITLE = "Map explorer"
LAYOUT_VERSION = 3


class Window(QMainWindow):
    """The explorer's window on one ROM. Its parts are attributes and have no reference to the window.

    `opengl_problem` returns the reason why there is no OpenGL; it is called when the OpenGL view is first needed.
    """

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str] = lambda: "") -> None:
        super().__init__()
        self.explorer = explorer
        self.jobs = JobController(explorer, self)
        self.rom_watch = RomWatch(
            self.jobs, lambda: None if self.jobs.rom is None else self.jobs.rom.rom, self.jobs.reload, self
        )
        self.views = Views(explorer, self.jobs, opengl_problem)
        self.compare_mode = CompareMode(explorer, self.jobs, self.views)
        self.other_watch = RomWatch(
            self.jobs, lambda: None if self.compare_mode.other is None else self.compare_mode.other.rom,
            self.compare_mode.again, self,
        )  # fmt: skip
        self.notices = Notices()
        self.action_set = ActionSet(self, Shortcuts(explorer.settings))
        self.maps = MapsPanel(self.jobs)
        self.matrix = MatrixPanel(explorer, self.views.tiles)
        self.pictures = Pictures(self.jobs, self)
        self.events = MapListPanel(self.jobs, self.pictures, EVENTS)
        self.encounters = MapListPanel(self.jobs, self.pictures, ENCOUNTERS)
        self.names = NamesPanel(self.jobs, self.pictures)
        self.files = FilesPanel(self.jobs)
        self.script = ScriptPanel(self.jobs)
        self.changes = ChangesPanel(self.compare_mode, self.pictures)
        self.inspector = InspectorPanel(explorer)
        self.layers = LayersPanel(explorer)
        self.state = StatePanel(explorer)
        self.heights = HeightsPanel(self.jobs)
        self.textures = TexturesPanel(self.jobs)
        self.models = ModelsPanel(self.jobs)
        self.bytes = BytesPanel(explorer)
        self.picking = Picking(explorer, self.jobs, self)
        self.walk_mode = WalkMode(explorer, self.views)
        self.routes = Routes(explorer, self.jobs, self.walk_mode.walking)
        self.context_menu = ContextMenu(self, explorer)
        self.clock_timer = ClockTimer(explorer.clock, self)
        self.status = StatusFields(self.statusBar())
        self._wanted = "", ""
        """A ROM that is being opened, and what is to be found in it."""
        self._remembered = ""
        """The ROM whose picture is kept for the start page."""
        self._set_up()
        left = self.maps, self.events, self.encounters, self.names, self.files, self.changes, self.matrix
        right = self.inspector, self.script, self.layers, self.state, self.heights, self.textures, self.models
        self.docks = Docks(self, (*left, *right, self.bytes))
        self.map_mode = MapMode(explorer, self.views, self.notices)
        self.things = ThingViews(
            explorer, self.jobs, self.views, self.docks, self.textures, self.walk_mode,
            lambda number: self.dialogs.show_model(number),
        )  # fmt: skip
        self.dialogs = Dialogs(
            self, explorer, self.jobs, self.views, self.action_set, self.map_mode, self.pictures, self.things
        )
        self.inspection = Inspection(
            explorer, self.jobs, (self.inspector, self.bytes),
            lambda x, y: self.picking.tile(self.views.ds.projection(), x, y), self._bring_up_inspector,
        )  # fmt: skip
        self.commands = Commands(
            self, explorer, self.jobs, self.views, self.docks, self.maps, self.state, self.dialogs, self.notices,
            self.walk_mode, self.routes, self.map_mode, self.set_theme, self.script, self.names, self.compare_mode,
        )  # fmt: skip
        self.action_set.define(action_table(self.commands))
        self.changes.set_actions(
            [self.action_set[f"compare_{shown}"] for shown in ("before", "after", "difference", "slider")],
            self.action_set["compare"],
        )  # fmt: skip
        self.recent_menu = RecentMenu(self, explorer.settings, self.open)
        self.bookmark_menu = BookmarkMenu(self, self.map_mode)
        fill_menu_bar(
            self.menuBar(), self.action_set, {RECENT_AFTER: self.recent_menu, BOOKMARKS_AFTER: self.bookmark_menu}
        )
        self.toolbar = Toolbar(self.action_set)
        self.addToolBar(self.toolbar)
        self.clock_bar = ClockBar(explorer, [self.action_set[name] for name in ("restart", "play", "step")])
        self._column.addWidget(self.clock_bar)
        self._connect_jobs()
        self._connect_views()
        self._connect_panels()
        self._connect_model()
        self._restore_layout()
        self.action_set.update()

    def _set_up(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(icons.app_icon())
        self.setAcceptDrops(True)
        self.setTabPosition(Qt.AllDockWidgetAreas, QTabWidget.North)
        self.setContextMenuPolicy(Qt.NoContextMenu)
        centre = QWidget()
        self._column = QVBoxLayout(centre)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.views, 1)
        self._column.addWidget(self.notices)
        self.setCentralWidget(centre)

    # --- connections

    def _connect_jobs(self) -> None:
        jobs = self.jobs
        jobs.player = lambda: self.walk_mode.walking.figure
        jobs.frame_ready.connect(self._show_frame)
        jobs.overlay_ready.connect(self._show_overlay)
        jobs.failed.connect(lambda title, sentence, details: self.notices.tell(ERROR, title, sentence, details))
        jobs.slow.connect(lambda: self.status.busy.setText("Drawing the DS picture …"))
        jobs.busy.connect(self.status.busy.setText)
        jobs.not_opened.connect(self._greet_without_rom)
        jobs.opened.connect(self._opened)
        jobs.reloaded.connect(
            lambda: self.notices.tell(
                INFO,
                "The ROM was changed by another program and has been read again.",
                self.rom_watch.changed_names,
            )
        )

    def _connect_views(self) -> None:
        views, picking, inspection = self.views, self.picking, self.inspection
        views.in_use = lambda: self.walk_mode.walking.holding
        views.shown_changed.connect(self._view_shown)
        views.refused.connect(lambda words: self.notices.tell(INFO, "DS picture only", words))
        views.covered.connect(
            lambda: self.status.show_compilation(self.jobs.compilation.progress, self.views.cover.isHidden())
        )
        views.ds.pixel_asked.connect(inspection.explain_pixel)
        views.gl_made.connect(self._gl_made)
        for controller in (picking, self.walk_mode):
            controller.attach(views.ds)
        picking.follow(views.map)
        views.map.pixel_asked.connect(inspection.explain_map_pixel)
        self.map_mode.cell_chosen.connect(self.things.show_cell)
        self.map_mode.changed.connect(self.action_set.update)
        self.map_mode.described.connect(self.status.cursor.setText)
        picking.chosen.connect(inspection.select_clicked)
        picking.warp_chosen.connect(self._follow_warp)
        picking.ground_chosen.connect(self.walk_mode.put_at)
        picking.ground_hovered.connect(self.heights.hover)
        picking.ground_clicked.connect(self.heights.pin)
        picking.described.connect(self.status.cursor.setText)
        picking.menu_wanted.connect(self.context_menu.open)
        self.context_menu.chosen.connect(inspection.select_clicked)
        self.context_menu.way_wanted.connect(self.routes.show_way)
        self.context_menu.walk_wanted.connect(self._walk_from)
        self.routes.changed.connect(self._routes_changed)
        self.routes.told.connect(lambda title, words: self.notices.tell(INFO, title, words))
        self.walk_mode.changed.connect(self._walk_changed)

    def _gl_made(self, view: GlView) -> None:
        for controller in (self.picking, self.walk_mode):
            controller.attach(view)
        view.picked.connect(
            lambda pick, x, y: self.inspection.show_pick(pick, self.picking.tile(view.projection(), x, y))
        )

    def _connect_panels(self) -> None:
        self.maps.chosen.connect(self.things.go)
        self.maps.left.connect(self.views.take_focus)
        self.matrix.grid.cell_chosen.connect(self.things.show_cell)
        self.matrix.grid.described.connect(self.status.cursor.setText)
        selecting: tuple[Panel, ...] = (self.heights, self.textures, self.models)
        for panel in selecting:
            panel.chosen.connect(self.inspection.select)
        lists: tuple[Panel, ...] = (self.events, self.encounters, self.names, self.changes, self.script)
        for panel in lists:
            panel.chosen.connect(self.things.show)
        self.files.chosen.connect(self.things.open)
        self.files.told.connect(lambda title, words: self.notices.tell(INFO, title, words))
        self.script.path_chosen.connect(self.things.show_path)
        self.compare_mode.told.connect(self._compared)
        self.compare_mode.state.changed.connect(self.action_set.update)
        self.inspection.compared = self.compare_mode.described
        self.heights.export_wanted.connect(lambda: self.dialogs.export.open(HeightsRequest))
        self.models.export_wanted.connect(lambda model: self.dialogs.export.open(ModelRequest, model))
        self.docks.changed.connect(self.action_set.update)
        self.dialogs.welcome.open_wanted.connect(self.commands.open_image)
        self.dialogs.welcome.rom_wanted.connect(self.open)
        self.dialogs.welcome.find_wanted.connect(self._find)
        self.dialogs.palette.nothing_found.connect(
            lambda words: self.notices.tell(INFO, f"Nothing has “{words}” in its name.")
        )

    def _connect_model(self) -> None:
        explorer = self.explorer
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)
        for signal in (explorer.history_changed, explorer.camera_changed, explorer.selection_changed):
            signal.connect(self.action_set.update)
        explorer.camera_changed.connect(self._show_camera)
        explorer.layers.changed.connect(lambda _: self.action_set.update())
        self.clock_bar.weather.currentIndexChanged.connect(lambda _: self.action_set.update())
        for signal in (explorer.place_changed, explorer.camera_changed, explorer.scene_changed):
            signal.connect(self._show_weather)
        explorer.clock.state_changed.connect(self._clock_state)
        theme.scheme().changed.connect(self._system_theme_changed)
        self._show_camera()

    # --- opening

    def action(self, name: str) -> QAction:
        """An action by its id in the table. Raises KeyError."""
        return self.action_set[name]

    def start(self, files: Sequence[str] = ()) -> None:
        """Open the first ROM, or loose files over the demo world; without any show the start page over it."""
        settings = self.explorer.settings
        rom = len(files) == 1 and not are_loose(files)
        if not files:
            self.dialogs.welcome.open()
        self.open(files[0] if rom else "demo")
        if files and not rom:
            self.open_dropped(list(files))
        if settings.get("view", DS) != DS:
            QTimer.singleShot(0, lambda: self.views.show_view(settings.get("view", DS)))

    def open(self, path: str) -> None:
        """Open a ROM in the background."""
        self.jobs.open(path)

    def _find(self, words: str) -> None:
        """Find a thing or an action in the ROM that was opened last, which is opened first."""
        recent = self.explorer.settings.recent
        if not recent or self.explorer.rom_path == recent[0]:
            self._show_found(words)
            return
        self._wanted = recent[0], words
        self.open(recent[0])

    def _opened(self, opened: Opened) -> None:
        """Find what was asked for when this ROM was not open yet."""
        (path, words), self._wanted = self._wanted, ("", "")
        if words and path == opened.path:
            self._show_found(words)

    def _show_found(self, words: str) -> None:
        self.dialogs.find(words)
        self.views.active.setFocus(Qt.OtherFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """An image or a folder is opened; other files are shown together."""
        event.acceptProposedAction()
        self.open_dropped(local_files(event.mimeData()))

    def open_dropped(self, paths: list[str]) -> None:
        """Open what was dropped: a ROM image or an unpacked one alone, or loose files, also a folder of them."""
        if len(paths) == 1 and not are_loose(paths):
            self.open(paths[0])
        elif paths:
            self.dialogs.open_loose_files(paths)

    # --- selection

    def _bring_up_inspector(self, clicked: bool) -> None:
        # A click in the picture also pins a point in the height panel, which then stays in front.
        if not (clicked and self.docks.shown("heights")):
            self.docks.show("inspector")

    def _follow_warp(self, warp: Subject) -> None:
        self.explorer.select(warp)
        self.commands.follow_warp()

    # --- showing

    def _compared(self, title: str, words: str) -> None:
        self.docks.show("changes")
        self.notices.tell(INFO, title, words)

    def _rom_changed(self) -> None:
        if self.explorer.rom_path != "demo":
            self.dialogs.welcome.hide()

    def _greet_without_rom(self) -> None:
        """When the first ROM cannot be opened, show the demo world and the page from which another one is opened."""
        if self.explorer.world is None:
            self.open("demo")
            self.dialogs.welcome.open()

    def _place_changed(self) -> None:
        place = self.explorer.place
        self.things.show_path(())
        self.status.cursor.clear()
        self.toolbar.place.setText(place.header.title if place else "")
        self.setWindowTitle(f"{place.header.title} – {TITLE}" if place else TITLE)
        if place is not None and not place.cells and place.matrix_cells:
            self.notices.tell(
                INFO,
                f"{place.header.title} owns no cell",
                f"No cell of matrix {place.matrix_id.value} names header {place.header.id}; so the matrix is shown.",
            )
        if place is not None and not place.matrix_cells:
            self.views.show_frame(None)
            self.views.ds.message = "This header has no land: no cell of its matrix names it."
        else:
            self.views.ds.message = ""
        self.action_set.update()

    def _show_frame(self, frame: RenderedFrame | None) -> None:
        self.views.show_frame(frame)
        self.status.show_frame(frame)
        if frame is not None and self.explorer.rom_path != self._remembered:
            self._remember(frame)

    def _remember(self, frame: RenderedFrame) -> None:
        """Keep the first picture of a ROM for the start page."""
        explorer = self.explorer
        if explorer.world is not None and explorer.rom_path != "demo":
            title = explorer.game.release(explorer.world.rom)
            remember(explorer.settings, explorer.rom_path, title, png_of(image_of(reduced(frame.picture, 2))))
        self._remembered = explorer.rom_path

    def _show_overlay(self, overlay: MapOverlay) -> None:
        self.views.show_overlay(overlay)
        self.layers.show_overlay(overlay)
        cells = () if self.jobs.whole_matrix else overlay.cells
        self.matrix.grid.set_resident(frozenset((part.cell.x, part.cell.z) for part in cells))

    def _view_shown(self) -> None:
        self.layers.set_views(self.views.shown)
        self.status.show_view(self.views.shown in (DS, BOTH))
        self.action_set.update()

    def _walk_changed(self) -> None:
        self.status.show_walk(self.walk_mode.walking.words, self.walk_mode.on)
        self.action_set.update()

    def _walk_from(self, point: Point) -> None:
        if not self.walk_mode.on:
            self.walk_mode.toggle()
        self.walk_mode.put_at(point)

    def _routes_changed(self) -> None:
        self.views.refresh()
        self.action_set.update()

    def _show_camera(self) -> None:
        self.status.show_camera(self.explorer.camera)

    def _show_weather(self) -> None:
        self.status.show_weather(self.explorer.place, self.jobs.view)

    def _clock_state(self) -> None:
        playing = self.explorer.clock.playing
        self.action("play").setIcon(icons.icon("pause" if playing else "play"))
        self.action("play").setText("Pause" if playing else "Play")
        self.action_set.update()

    # --- theme and layout

    def _system_theme_changed(self) -> None:
        if self.commands.theme() == theme.SYSTEM:
            self.set_theme(theme.SYSTEM)

    def set_theme(self, name: str) -> None:
        """Use the light theme, the dark one, or that of the system."""
        self.explorer.settings.set("theme", name)
        theme.apply(name)
        self.action_set.refresh_icons()
        self._clock_state()
        for panel in self.docks.panels.values():
            panel.refresh()
        for notice in self.notices.shown:
            notice.refresh()
        for widget in self.findChildren(QWidget):
            widget.update()

    def _restore_layout(self) -> None:
        """Restore size, panels and layers from the settings."""
        settings = self.explorer.settings
        fit_to_screen(self, 1280, 800)
        self._has_layout = settings.get("layout version", 0) == LAYOUT_VERSION
        if self._has_layout:
            self.restoreGeometry(QByteArray.fromBase64(settings.get("geometry", "").encode()))
            self.restoreState(QByteArray.fromBase64(settings.get("state", "").encode()))
        self.docks.restored()
        self.explorer.layers.restore(settings.get("layers", {}))

    def keep_layout(self) -> None:
        """Write size, panels and layers into the settings."""
        settings = self.explorer.settings
        self.docks.hide_all(False)
        settings.set("layout version", LAYOUT_VERSION)
        settings.set("geometry", bytes(self.saveGeometry().toBase64()).decode())
        settings.set("state", bytes(self.saveState().toBase64()).decode())
        settings.set("layers", self.explorer.layers.state())
        settings.set("view", self.views.wanted)
        settings.save()

    def showEvent(self, event: QShowEvent) -> None:
        """Size the panels for the window, of which only now the size is known, unless the settings had a layout."""
        super().showEvent(event)
        if not self._has_layout:
            self._has_layout = True
            self.docks.resize()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the settings and end the threads; a running export is stopped if the user agrees."""
        if not self.dialogs.may_close():
            event.ignore()
            return
        self.keep_layout()
        self.explorer.clock.play(False)
        self.jobs.stop()
        super().closeEvent(event)
