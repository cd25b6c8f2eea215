"""The main window: connects its parts, shows their state, and stores its layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from PyQt5.QtCore import QByteArray, QPoint, Qt, QTimer
from PyQt5.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent, QShowEvent
from PyQt5.QtWidgets import QAction, QApplication

from mapexplorer.export.request import ModelRequest
from mapexplorer.gui.actions.action_table import action_table
from mapexplorer.gui.actions.commands import Commands
from mapexplorer.gui.actions.context_menu import context_menu
from mapexplorer.gui.actions.dropped_files import are_loose, is_save, local_files
from mapexplorer.gui.actions.menus import (
    BOOKMARKS,
    RECENT,
    bookmark_menu,
    corner,
    fill_menu_bar,
    rail,
    recent_menu,
    tool_bar,
)
from mapexplorer.gui.dialogs.dialogs import Dialogs
from mapexplorer.gui.dialogs.palette import Take
from mapexplorer.gui.docks.clockbar import ClockBar
from mapexplorer.gui.docks.panel import Panel
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.recent import remember
from mapexplorer.gui.modes.rom_watch import NAMED, RomWatch
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.rendering.images import image_of, png_of
from mapexplorer.gui.rendering.place_renderer import RenderedFrame, reduced
from mapexplorer.gui.views.area import BOTH, DS, GL, MAP
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.controls import ElidedLabel, copy_text, fit_to_screen, show_text
from mapexplorer.gui.widgets.layout import HEADING
from mapexplorer.gui.widgets.notices import ERROR, INFO, PLACE, ROM
from mapexplorer.scene.link import SCHEME
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.layers.overlay_picking import tile_of
from mapexplorer.world.layers.shapes import ShapeSubject

if TYPE_CHECKING:
    from mapexplorer.gui.views.ds_view import DsView
    from mapexplorer.gui.views.gl_view import GlView

TITLE = "Map explorer"
LAYOUT_VERSION = 4
COMPARING = (
    *("compare_before", "compare_after", "compare_difference", "compare_slider"),
    *("weather", "layer_people", "compare_swap"),
)
"""The actions whose buttons are in the panel of the changes: what is shown of two ROMs, and what may be left out."""


class Window(Parts):
    """The explorer's window on one ROM: parts that are connected. None of them has a reference to the window."""

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str] = lambda: "") -> None:
        super().__init__(explorer, opengl_problem)
        self._wanted: tuple[str, Callable[[], object]] | None = None
        """A ROM that is being opened, and what is to be found or shown in it then."""
        self._refused = ""
        """A ROM that could not be opened for the start page."""
        self._remembered = ""
        """The ROM whose picture is kept for the start page."""
        self.setWindowTitle(TITLE)
        self.dialogs = Dialogs(self, self._find_first)
        self.commands = Commands(self, self.dialogs, self.set_theme)
        self.save_watch = RomWatch(self.jobs, self.commands.shown_save, self.commands.open_save_again, self)
        self.action_set.define(action_table(self, self.commands))
        self.changes.set_actions(
            [self.action_set[name] for name in COMPARING],
            self.action_set["compare"],
        )
        self.recent_menu = recent_menu(self, explorer.settings, self.open, self.commands.open_save)
        self.bookmark_menu = bookmark_menu(self, self.map_mode)
        fill_menu_bar(self.menuBar(), self.action_set, {RECENT: self.recent_menu, BOOKMARKS: self.bookmark_menu})
        self.place_title = ElidedLabel(HEADING)
        self.toolbar = tool_bar(self.action_set, self.place_title)
        self.addToolBar(self.toolbar)
        self.rail = rail(self.action_set)
        self.addToolBar(Qt.LeftToolBarArea, self.rail)
        corner(self.views, self.action("show_layers"), self.layers, Qt.AlignRight)
        corner(self.views.map, self.action("show_matrix"), self.matrix, Qt.AlignLeft)
        buttons = [self.action_set[name] for name in ("restart", "play", "step")]
        self.clock_bar = ClockBar(explorer, buttons, self.status.tell)
        self.picture.layout().addWidget(self.clock_bar)
        self._connect_jobs()
        self._connect_views()
        self._connect_panels()
        self._connect_model()
        self._connect_actions()
        self._restore_layout()
        self.action_set.update()

    # --- connections

    def _connect_jobs(self) -> None:
        jobs = self.jobs
        jobs.frame_ready.connect(self._show_frame)
        jobs.overlay_ready.connect(self._show_overlay)
        jobs.failed.connect(lambda title, text, details: self.notices.notify(ERROR, title, text, details, ROM))
        jobs.busy.connect(self.status.busy.setText)
        jobs.not_opened.connect(self._greet_without_rom)
        jobs.opened.connect(lambda opened: self._show_wanted(opened.path))
        jobs.reloaded.connect(self._reloaded)
        title = "The system cannot watch all files; those that change are read again a few seconds later."
        self.rom_watch.limited.connect(lambda: self.notices.notify(INFO, title))

    def _reloaded(self) -> None:
        """Say that the ROM was read again, and what of it is as before because it cannot be read any more."""
        problems = () if self.jobs.rom is None else self.jobs.rom.world.rom.problems
        for problem in problems[:NAMED]:
            self.notices.notify(ERROR, "A file of the ROM cannot be read; it is shown as it was.", problem, "", ROM)
        if not problems:
            title = "The ROM was changed by another program and has been read again."
            self.notices.notify(INFO, title, self.rom_watch.changed_names)

    def _connect_views(self) -> None:
        views, picking = self.views, self.picking
        views.shown_changed.connect(self._view_shown)
        views.refused.connect(lambda text: self.notices.notify(INFO, "DS picture only", text))
        views.covered.connect(
            lambda: self.status.show_compilation(self.jobs.compilation.progress, self.views.cover.isHidden())
        )
        views.gl_made.connect(self._attach)
        self._attach(views.ds)
        picking.follow(views.map)
        views.map.cell_chosen.connect(self.explorer.show_cell)
        picking.warp_chosen.connect(self.commands.follow_warp)
        picking.menu_wanted.connect(self._open_menu)
        self.walk_mode.changed.connect(lambda: show_text(self.status.walk, self.walk_mode.walking.text))

    def _attach(self, view: DsView | GlView) -> None:
        for controller in (self.picking, self.walk_mode):
            controller.attach(view)

    def _connect_panels(self) -> None:
        self.maps.chosen.connect(self.jobs.select)
        for panel in self.docks.panels.values():
            panel.left.connect(self.views.take_focus)
        for left in (self.layers.hide, self.action_set.update):
            self.layers.left.connect(left)
        selecting: tuple[Panel, ...] = (self.heights, self.textures, self.models)
        for panel in selecting:
            panel.chosen.connect(self.inspection.select)
        lists: tuple[Panel, ...] = (self.events, self.encounters, self.left, self.names, self.changes, self.script)
        for panel in lists:
            panel.chosen.connect(self.inspection.show)
        self.files.chosen.connect(self.dialogs.open_thing)
        self.script.path_chosen.connect(self.walk_mode.show_path)
        self.compare_mode.notified.connect(self._compared)
        self.models.export_wanted.connect(lambda model: self.dialogs.export.open(ModelRequest, model))

    def _connect_model(self) -> None:
        explorer = self.explorer
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)
        explorer.camera_changed.connect(lambda: self.status.show_camera(explorer.camera))
        explorer.camera_changed.connect(self.status.cursor.clear)
        explorer.camera_changed.connect(self._show_title)
        for signal in (explorer.place_changed, explorer.camera_changed, explorer.scene_changed):
            signal.connect(lambda: self.status.show_weather(explorer.place, explorer.view))
        for signal in (explorer.rom_changed, explorer.save_changed):
            signal.connect(lambda: self.status.show_save(explorer.save_name, explorer.save_change))
        explorer.clock.state_changed.connect(self._clock_state)
        theme.scheme().changed.connect(self._system_theme_changed)
        self.status.show_camera(explorer.camera)

    def _connect_actions(self) -> None:
        """Update which actions are enabled and checked when something changes that they depend on."""
        explorer, update = self.explorer, self.action_set.update
        states = (
            explorer.history_changed,
            explorer.camera_changed,
            explorer.selection_changed,
            explorer.place_changed,
            explorer.save_changed,
            explorer.marks_changed,
        )
        parts = self.map_mode, self.compare_mode.state, self.docks, self.walk_mode
        for changed in (*states, explorer.clock.state_changed, *(part.changed for part in parts)):
            changed.connect(update)
        for changed in (self.compare_mode.state.changed, self.docks.changed):
            changed.connect(self._show_changes_button)
        self.views.shown_changed.connect(update)
        explorer.layers.changed.connect(lambda _: update())
        self.clock_bar.weather.currentIndexChanged.connect(lambda _: update())

    # --- opening

    def action(self, name: str) -> QAction:
        """An action by its id in the table. Raises KeyError."""
        return self.action_set[name]

    def start(self, files: Sequence[str] = ()) -> None:
        """Open the first ROM, or loose files over the demo world; without any show the start page over it. A link or a
        save among the files is shown in the ROM, by default in the one that was opened last."""
        QApplication.processEvents()  # the window is painted before a worker computes
        settings = self.explorer.settings
        shown: dict[str, Callable[[str], object]] = {file: self.commands.open_save for file in files if is_save(file)}
        shown |= {file: self.map_mode.open for file in files if file.startswith(SCHEME)}
        if shown:
            files = [file for file in files if file not in shown] or settings.recent[:1] or ["demo"]
        rom = len(files) == 1 and not are_loose(files)
        first = files[0] if rom else "demo"
        if shown:
            self._wanted = first, lambda: [show(file) for file, show in shown.items()]
        if not files:
            self.dialogs.welcome.open()
        self.open(first)
        if files and not rom:
            self.open_dropped(list(files))
        if settings.get("view", DS) in (GL, BOTH, MAP):
            QTimer.singleShot(0, lambda: self.views.show_view(settings.get("view", DS)))

    def open(self, path: str) -> None:
        """Open a ROM in the background."""
        self.jobs.open(path)

    def _find_first(self, text: str, take: Take) -> None:
        """Search the names of the ROM that was opened last, which is opened first."""
        path = next(iter(self.explorer.settings.recent), self.explorer.rom_path)
        if path in (self.explorer.rom_path, self._refused):
            self.dialogs.find_names(text, take)
            return
        if self._wanted is None:
            self.open(path)
        self._wanted = path, lambda: self.dialogs.find_names(text, take)

    def _show_wanted(self, path: str) -> None:
        """Find or show in a ROM that is open now what waited for it."""
        if self._wanted is not None and path == self._wanted[0]:
            (_, show), self._wanted = self._wanted, None
            show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """An image or a folder is opened; other files are shown together."""
        event.acceptProposedAction()
        self.open_dropped(local_files(event.mimeData()))

    def open_dropped(self, paths: list[str]) -> None:
        """Open what was dropped: a ROM image, an unpacked one, or a save, alone; or loose files, also a folder of
        them."""
        if len(paths) == 1 and is_save(paths[0]):
            self.commands.open_save(paths[0])
        elif len(paths) == 1 and not are_loose(paths):
            self.open(paths[0])
        elif paths:
            self.dialogs.loose_files.show_files(paths)

    # --- showing

    def _compared(self, title: str, text: str) -> None:
        self.docks.show("changes")
        self.notices.notify(INFO, title, text)

    def _rom_changed(self) -> None:
        searched = self._wanted is not None and self._wanted[0] == self.explorer.rom_path
        if (
            self.explorer.rom_path != "demo" and not searched
        ):  # the demo world is also shown in place of a ROM that cannot be opened
            self.dialogs.welcome.hide()
            self.notices.end(ROM)

    def _greet_without_rom(self) -> None:
        """When the first ROM cannot be opened, show the demo world and the page from which another one is opened. What
        was to be found in a ROM is found in the one that is open."""
        if self._wanted is not None:
            self._refused, show = self._wanted
            self._wanted = self.explorer.rom_path or "demo", show
            self._show_wanted(self.explorer.rom_path)
        if self.explorer.world is None:
            self.open("demo")
            self.dialogs.welcome.open()

    def _place_changed(self) -> None:
        place = self.explorer.place
        self.notices.end(PLACE)
        self.walk_mode.show_path(())
        self.status.cursor.clear()
        self._show_title()
        self.docks.offer("state", bool(self.state.choices))
        if place is not None and not place.cells and place.matrix_cells:
            self.notices.notify(
                INFO,
                f"{place.header.title} owns no cell",
                f"No cell of matrix {place.matrix_id.value} names header {place.header.id}; so the matrix is shown.",
            )
        if place is not None and not place.matrix_cells:
            self.views.show_frame(None)
            self.views.ds.message = "This header has no land: no cell of its matrix names it."
        else:
            self.views.ds.message = ""

    def _show_title(self) -> None:
        """Show the name of the place, and a filler cell at which the camera looks."""
        place, (x, z) = self.explorer.place, self.explorer.tile
        title = "" if place is None else place.header.title
        cell = None if place is None else place.matrix_cells.get((int(x // CELL_TILES), int(z // CELL_TILES)))
        if cell is not None and cell.filler:
            title += f", filler cell ({cell.x}, {cell.z})"
        self.place_title.setText(title)
        self.setWindowTitle(f"{title} – {TITLE}".removeprefix(" – "))

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
        cells = () if self.explorer.options.all_cells else overlay.cells
        self.views.map.set_loaded(frozenset((part.cell.x, part.cell.z) for part in cells))

    def _show_changes_button(self) -> None:
        """The rail leads to the changed places while there are any, or their panel is shown."""
        action = self.action("show_changes")
        wanted = self.compare_mode.state.active or self.docks.shown("changes")
        if wanted and action not in self.rail.actions():
            self.rail.addAction(action)
        elif not wanted:
            self.rail.removeAction(action)

    def _view_shown(self) -> None:
        self.layers.set_views(self.views.shown)
        self.status.show_view(self.views.shown in (DS, BOTH))

    def _open_menu(self, things: Sequence[ShapeSubject], ground: Point | None, screen: QPoint) -> None:
        """Show the menu of a point: the things that are there, and what can be done with the tile."""
        menu = context_menu(self, things, self.inspection.select_clicked)
        if ground is not None and self.explorer.place is not None:
            x, z = tile_of(ground[0], ground[2])
            name = f"{self.explorer.place.header.internal_name}@{x},{z}"
            menu.addSeparator()
            menu.addAction("How do I get here", lambda: self.routes.show_way(ground))
            menu.addAction("Walk from here", lambda: self.walk_mode.start_at(ground))
            menu.addAction(f"Copy “{name}”", lambda: copy_text(name))
        if not menu.isEmpty():
            menu.popup(screen)

    def _clock_state(self) -> None:
        playing = self.explorer.clock.playing
        self.action("play").setIcon(icons.icon("pause" if playing else "play"))
        self.action("play").setText("Pause" if playing else "Play")

    # --- theme and layout

    def _system_theme_changed(self) -> None:
        if self.explorer.settings.get("theme", theme.SYSTEM) == theme.SYSTEM:
            self.set_theme(theme.SYSTEM)

    def set_theme(self, name: str) -> None:
        """Use the light theme, the dark one, or that of the system."""
        self.explorer.settings.set("theme", name)
        theme.apply(name)
        for panel in self.docks.panels.values():
            panel.refresh()

    def _restore_layout(self) -> None:
        """Restore size, panels and layers from the settings."""
        settings = self.explorer.settings
        fit_to_screen(self, 1280, 800)
        self._has_layout = settings.get("layout version", 0) == LAYOUT_VERSION
        if self._has_layout:
            self.restoreGeometry(QByteArray.fromBase64(settings.get("geometry", "").encode("ascii", "ignore")))
            # Those of another program are left out.
            with suppress(AttributeError, LookupError, OverflowError, TypeError, ValueError):
                self.docks.restore(settings.get("panels", {}))
        self.explorer.layers.restore(settings.get("layers", {}))

    def keep_layout(self) -> None:
        """Write size, panels and layers into the settings."""
        settings = self.explorer.settings
        self.docks.hide_all(False)
        settings.set("layout version", LAYOUT_VERSION)
        settings.set("geometry", bytes(self.saveGeometry().toBase64()).decode())
        settings.set("panels", self.docks.state())
        settings.set("layers", self.explorer.layers.state())
        settings.set("view", self.views.wanted)
        settings.save()

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange the panels for the window, of which only now the size is known, unless the settings had a layout."""
        super().showEvent(event)
        if not self._has_layout:
            self._has_layout = True
            self.docks.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The sides have the widths that are wanted as soon as there is room for them."""
        super().resizeEvent(event)
        self.docks.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the layers and leads back to the picture, from the clock and the tool bar, too."""
        if event.key() == Qt.Key_Escape:
            self.layers.leave()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the settings and end the threads; a running export is stopped if the user agrees."""
        if not self.dialogs.may_close():
            event.ignore()
            return
        self.keep_layout()
        self.explorer.clock.play(False)
        self.jobs.stop()
        super().closeEvent(event)
