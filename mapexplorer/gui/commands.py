"""Implementations of actions that need more than one call, and the conditions under which actions are enabled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import QApplication, QFileDialog, QInputDialog, QMainWindow, QMessageBox

from mapexplorer._version import __version__
from mapexplorer.gui import theme
from mapexplorer.gui.compare_mode import CompareMode
from mapexplorer.gui.dialogs.dialogs import Dialogs
from mapexplorer.gui.docks.docks import Docks
from mapexplorer.gui.docks.maps import MapsPanel
from mapexplorer.gui.docks.names import NamesPanel
from mapexplorer.gui.docks.script import ScriptPanel
from mapexplorer.gui.docks.state import StatePanel
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.map_mode import MapMode
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.save_change import NO_CHANGE
from mapexplorer.gui.notices import INFO, Notices
from mapexplorer.gui.picking import position_of
from mapexplorer.gui.routes import Routes
from mapexplorer.gui.views.area import Views
from mapexplorer.gui.walk_mode import WalkMode
from mapexplorer.world.damage import Damage
from mapexplorer.world.readable import readable_events, readable_warp_target
from mapexplorer.world.subject import subject


@dataclass(frozen=True)
class Commands:
    """The implementations of actions, on the parts of a window."""

    window: QMainWindow
    explorer: Explorer
    jobs: JobController
    views: Views
    docks: Docks
    maps: MapsPanel
    state: StatePanel
    dialogs: Dialogs
    notices: Notices
    walk_mode: WalkMode
    routes: Routes
    map_mode: MapMode
    set_theme: Callable[[str], None]
    script: ScriptPanel
    names: NamesPanel
    compare_mode: CompareMode

    # --- files

    def open_image(self) -> None:
        """Ask for an image of a ROM and open it."""
        name = self._asked_image("Open a ROM image")
        if name:
            self.jobs.open(name)

    def _asked_image(self, title: str) -> str:
        """The image of a ROM that the user chooses; empty for none."""
        images = "Nintendo DS images (*.nds *.srl);;All files (*)"
        return QFileDialog.getOpenFileName(self.window, title, self._folder(), images)[0]

    def compare_image(self) -> None:
        """Ask for an image of a ROM, the one before, and compare."""
        name = self._asked_image("The ROM as it was before")
        if name:
            self.compare_mode.open(name)

    def compare_folder(self) -> None:
        """Ask for the folder of an unpacked ROM, the one before, and compare."""
        name = QFileDialog.getExistingDirectory(self.window, "The unpacked ROM as it was before", self._folder())
        if name:
            self.compare_mode.open(name)

    def open_folder(self) -> None:
        """Ask for the folder of an unpacked ROM and open it."""
        name = QFileDialog.getExistingDirectory(self.window, "Open an unpacked ROM", self._folder())
        if name:
            self.jobs.open(name)

    def _folder(self) -> str:
        recent = self.explorer.settings.recent
        return recent[0] if recent else ""

    def open_files(self) -> None:
        """Ask for loose files and show them together."""
        names, _ = QFileDialog.getOpenFileNames(self.window, "Open models, textures and animations", self._folder())
        if names:
            self.dialogs.open_loose_files(names)

    def copy_picture(self) -> None:
        """Copy the picture of the views to the clipboard."""
        QApplication.clipboard().setImage(self.views.image())

    # --- navigation

    def has_place(self) -> bool:
        """Whether a map is shown."""
        return self.explorer.place is not None

    def has_states(self) -> bool:
        """Whether code adds something to the map that has states."""
        return bool(self.state.choices)

    def filter_maps(self) -> None:
        """Focus the filter of the map list."""
        self.docks.show("maps")
        self.maps.filter.setFocus(Qt.ShortcutFocusReason)
        self.maps.filter.selectAll()

    def neighbour(self, step: int) -> None:
        """Go to the map that is `step` rows below in the map list."""
        header = self.maps.neighbour(step)
        if header is not None:
            self.jobs.go(header)

    def warp_selected(self) -> bool:
        """Whether a warp is selected."""
        return self.explorer.selection is not None and self.explorer.selection.kind == "warp"

    def follow_warp(self) -> None:
        """Go to the target of the selected warp."""
        chosen, world = self.explorer.selection, self.explorer.world
        if chosen is None or chosen.kind != "warp" or world is None:
            return
        events = readable_events(world, chosen.key[0])
        if events is None or chosen.key[1] >= len(events.warps):
            return
        damaged: list[Damage] = []
        target = readable_warp_target(world, chosen.key[0], chosen.key[1], damaged)
        if damaged:
            self.jobs.go(int(events.warps[chosen.key[1]]["header"]))
            return
        if target is None:
            self.notices.tell(INFO, "This warp leads back to where the player came from.")
            return
        self.explorer.go(target[0], subject("warp", target[0], int(events.warps[chosen.key[1]]["warp"])), target[1:])

    # --- view and camera

    def theme(self) -> str:
        """The theme that the user chose."""
        return str(self.explorer.settings.get("theme", theme.SYSTEM))

    def toggle_full_screen(self) -> None:
        """Toggle full screen mode."""
        self.window.setWindowState(self.window.windowState() ^ Qt.WindowFullScreen)

    def zoom(self, steps: float) -> None:
        """Move the camera nearer by a number of wheel steps."""
        if self.map_mode.on:
            self.views.map.zoom(steps)
        else:
            self.explorer.zoom(steps)

    def reset_camera(self) -> None:
        """Set the camera to its first pose; that of the map shows the whole matrix."""
        if self.map_mode.on:
            self.views.map.fit_region()
        else:
            self.explorer.reset_camera()

    def look_at_selection(self) -> None:
        """Move the camera to what is selected."""
        chosen = self.explorer.selection
        overlay = self.views.map.overlay if self.map_mode.on else self.jobs.overlay
        position = position_of(overlay, chosen) if chosen is not None else None
        if position is not None and self.map_mode.on:
            self.views.map.look_at(position[0], position[2])
        elif position is not None:
            self.explorer.look(self.explorer.camera.looking_at(position))

    # --- inspection

    def inspect_header(self) -> None:
        """Select the map header."""
        if self.explorer.place is not None:
            self._inspect("header", self.explorer.place.header.id)

    def inspect_area(self) -> None:
        """Select the area of the map."""
        if self.explorer.place is not None:
            self._inspect("area", self.explorer.place.area_id.value)

    def inspect_matrix(self) -> None:
        """Select the matrix of the map."""
        if self.explorer.place is not None:
            self._inspect("matrix", self.explorer.place.matrix_id.value)

    def _inspect(self, kind: str, number: int) -> None:
        self.docks.show("inspector")
        self.explorer.select(subject(kind, number))

    def show_names(self, kind: str | None, *, here: bool = False) -> None:
        """Show the list of names with the things of a kind, all or those of the present map."""
        self.docks.show("names")
        QTimer.singleShot(0, lambda: self.names.show_kind(kind, here=here))

    def show_map_scripts(self) -> None:
        """Show all scripts of the map."""
        self.docks.show("script")
        self.script.show_map()

    def show_initial_scripts(self) -> None:
        """Show the initial scripts of the map."""
        self.docks.show("script")
        self.script.show_initial()

    # --- the save

    def selected_flag(self) -> int | None:
        """The flag that is selected, or that hides the selected person."""
        chosen, world = self.explorer.selection, self.explorer.world
        if chosen is None or world is None:
            return None
        if chosen.kind == "flag":
            return int(chosen.key[0])
        if chosen.kind != "object":
            return None
        events = world.events(chosen.key[0])
        return int(events.objects[chosen.key[1]]["hidden_flag"]) or None if events is not None else None

    def has_flag(self) -> bool:
        """Whether a flag can be switched."""
        return self.selected_flag() is not None

    def flag_is_set(self) -> bool:
        """Whether the selected flag is set in the save that is shown."""
        return self.selected_flag() in self.explorer.save.flags

    def switch_flag(self) -> None:
        """Set the selected flag, or clear it."""
        flag = self.selected_flag()
        if flag is not None:
            self.explorer.change_save(self.explorer.save_change.switching(flag))

    def has_variable(self) -> bool:
        """Whether a variable is selected."""
        return self.explorer.selection is not None and self.explorer.selection.kind == "variable"

    def set_variable(self) -> None:
        """Ask for the value of the selected variable."""
        chosen = self.explorer.selection
        if chosen is None or chosen.kind != "variable":
            return
        present = self.explorer.save.variables.get(chosen.key[0], 0)
        value, given = QInputDialog.getInt(self.window, "Variable", f"The value of {chosen}", present, 0, 0xFFFF)
        if given:
            self.explorer.change_save(self.explorer.save_change.giving(chosen.key[0], value))

    def save_is_changed(self) -> bool:
        """Whether flags or variables differ from those of a new game."""
        return self.explorer.save_change != NO_CHANGE

    def copy_panel_text(self) -> None:
        """Copy the contents of the front panel to the clipboard as text."""
        self.docks.front_panel.copy_text()

    def copy_panel_json(self) -> None:
        """Copy the contents of the front panel to the clipboard as JSON."""
        self.docks.front_panel.copy_json()

    # --- help

    def show_opengl_state(self) -> None:
        """Show whether OpenGL can be used."""
        self.notices.tell(INFO, "OpenGL on this machine", self.views.opengl_words())

    def show_about(self) -> None:
        """Show version and licence."""
        about = QMessageBox(self.window)
        about.setWindowTitle("About")
        about.setTextFormat(Qt.RichText)
        about.setText(
            f"<b>Map explorer {__version__}</b><p>Shows every map of Pokémon Platinum as the Nintendo DS draws it, "
            "from your own ROM. It contains no game data and sends nothing anywhere.</p><p>Free software under the GNU "
            "General Public License, version 3 or later.</p>"
        )
        about.exec()
