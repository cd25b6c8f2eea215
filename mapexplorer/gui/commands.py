"""What the actions do, and when each can be used or is checked. The names here are those of the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QFileDialog, QMessageBox

from mapexplorer._version import __version__
from mapexplorer.gui import theme
from mapexplorer.gui.model.camera import FLY, ORBIT
from mapexplorer.gui.walk_mode import WalkCommands
from mapexplorer.gui.widgets import as_json, copy_text
from mapexplorer.inspector.subject import subject

if TYPE_CHECKING:
    from mapexplorer.gui.window import Window


class Commands(WalkCommands):
    """The window's commands."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.explorer = window.explorer
        self.director = window.director

    # --- files

    def open_image(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self.window, "Open a ROM image", self._folder(), "Nintendo DS images (*.nds *.srl);;All files (*)"
        )
        if name:
            self.window.open(name)

    def open_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self.window, "Open an unpacked ROM", self._folder())
        if name:
            self.window.open(name)

    def _folder(self) -> str:
        recent = self.explorer.settings.recent
        return recent[0] if recent else ""

    def open_demo(self) -> None:
        self.window.open("demo")

    def open_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self.window, "Open models, textures and animations", self._folder())
        if names:
            self.window.open_loose(names)

    def export(self) -> None:
        self.window.show_export()

    def screenshot(self) -> None:
        self.window.show_screenshot()

    def copy_picture(self) -> None:
        QApplication.clipboard().setImage(self.window.views.image())

    def quit(self) -> None:
        self.window.close()

    # --- going

    def back(self) -> None:
        self.explorer.back()

    def forward(self) -> None:
        self.explorer.forward()

    def palette(self) -> None:
        self.window.show_palette()

    def filter(self) -> None:
        self.window.show_dock("maps")
        self.window.maps.filter.setFocus(Qt.ShortcutFocusReason)
        self.window.maps.filter.selectAll()

    def next_map(self) -> None:
        self._neighbour(1)

    def previous_map(self) -> None:
        self._neighbour(-1)

    def _neighbour(self, step: int) -> None:
        header = self.window.maps.neighbour(step)
        if header is not None:
            self.explorer.go(header)

    def follow_warp(self) -> None:
        chosen, world = self.explorer.selection, self.explorer.world
        if chosen is None or chosen.kind != "warp" or world is None:
            return
        target = world.warp_target(*chosen.key)
        if target is None:
            self.window.tell("info", "This warp leads back to where the player came from.")
            return
        events = world.events(chosen.key[0])
        assert events is not None
        self.explorer.go(target[0], subject("warp", target[0], int(events.warps[chosen.key[1]]["warp"])), target[1:])

    # --- view

    def show_view(self, which: str) -> None:
        self.window.views.show_view(which)

    def toggle_whole_matrix(self) -> None:
        self.director.set_whole_matrix(not self.director.whole_matrix)

    def toggle_sharp(self) -> None:
        self.window.views.set_sharp(not self.sharp)

    def set_theme(self, name: str) -> None:
        self.window.set_theme(name)

    def toggle_panels(self) -> None:
        self.window.hide_panels(not self.panels_hidden)

    def toggle_full_screen(self) -> None:
        self.window.setWindowState(self.window.windowState() ^ Qt.WindowFullScreen)

    def default_layout(self) -> None:
        self.window.default_layout()

    # --- camera

    def use_camera(self, kind: str) -> None:
        self.explorer.use_camera(kind)

    def reset_camera(self) -> None:
        self.explorer.reset_camera()

    def look_at_selection(self) -> None:
        self.window.look_at_selection()

    def zoom(self, steps: float) -> None:
        camera = self.explorer.camera
        if camera.kind != FLY:
            self.explorer.look((camera if camera.kind != "game" else camera.switched(ORBIT)).zoomed(steps))

    def copy_camera(self) -> None:
        QApplication.clipboard().setText(self.explorer.camera.words())

    # --- time

    def toggle_playing(self) -> None:
        self.explorer.clock.play(not self.explorer.clock.playing)

    def step(self) -> None:
        self.explorer.clock.step()

    def restart(self) -> None:
        self.explorer.clock.restart()

    def add_hours(self, hours: int) -> None:
        self.explorer.clock.set_second(self.explorer.clock.second + hours * 3600)

    def set_hour(self, hour: int) -> None:
        self.explorer.clock.set_second(hour * 3600)

    # --- layers and inspection

    def toggle_layer(self, name: str) -> None:
        self.explorer.layers.show(name, not self.explorer.layers[name].visible)

    def inspect_header(self) -> None:
        if self.explorer.place is not None:
            self._inspect("header", self.explorer.place.header.id)

    def inspect_area(self) -> None:
        if self.explorer.place is not None:
            self._inspect("area", self.explorer.place.area_id.value)

    def inspect_matrix(self) -> None:
        if self.explorer.place is not None:
            self._inspect("matrix", self.explorer.place.matrix_id.value)

    def _inspect(self, kind: str, number: int) -> None:
        self.window.show_dock("inspector")
        self.explorer.select(subject(kind, number))

    def show_dock(self, name: str) -> None:
        self.window.toggle_dock(name)

    def copy_text(self) -> None:
        dock = self.window.front_dock()
        copy_text((dock.widget() if dock is not None else self.window.inspector).as_text())

    def copy_json(self) -> None:
        dock = self.window.front_dock()
        copy_text(as_json((dock.widget() if dock is not None else self.window.inspector).as_value()))

    def toggle_floating(self) -> None:
        dock = self.window.front_dock()
        if dock is not None:
            dock.setFloating(not dock.isFloating())

    # --- help

    def show_keys(self) -> None:
        self.window.show_keys()

    def show_welcome(self) -> None:
        self.window.show_welcome()

    def show_opengl(self) -> None:
        self.window.tell("info", "OpenGL on this machine", self.window.views.opengl_words())

    def about(self) -> None:
        QMessageBox.about(
            self.window,
            "About",
            f"<b>Map explorer {__version__}</b><p>Shows every map of Pokémon Platinum as the Nintendo DS draws it, "
            "from your own ROM. It contains no game data and sends nothing anywhere.</p><p>Free software under the GNU "
            "General Public License, version 3 or later.</p>",
        )

    # --- when

    def enabled(self, name: str) -> bool:
        """Whether an action with this condition can be used."""
        return bool(getattr(self, name)) if name else True

    def checked(self, name: str, argument: Any) -> bool:
        """Whether an action with this condition is checked."""
        if name == "layer":
            return self.explorer.layers[argument].visible
        if name == "dock":
            return self.window.dock_shown(argument)
        return bool(getattr(self, name))

    @property
    def has_place(self) -> bool:
        return self.explorer.place is not None

    @property
    def can_go_back(self) -> bool:
        return self.explorer.history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        return self.explorer.history.can_go_forward

    @property
    def warp_selected(self) -> bool:
        return self.explorer.selection is not None and self.explorer.selection.kind == "warp"

    @property
    def is_playing(self) -> bool:
        return self.explorer.clock.playing

    @property
    def whole_matrix(self) -> bool:
        return self.director.whole_matrix

    @property
    def sharp(self) -> bool:
        return self.window.views.ds.sharp

    @property
    def ds_shown(self) -> bool:
        return self.window.views.shown == "ds"

    @property
    def gl_shown(self) -> bool:
        return self.window.views.shown == "gl"

    @property
    def both_shown(self) -> bool:
        return self.window.views.shown == "both"

    @property
    def panels_hidden(self) -> bool:
        return self.window.panels_hidden

    @property
    def panel_floats(self) -> bool:
        dock = self.window.front_dock()
        return dock is not None and dock.isFloating()

    @property
    def is_full_screen(self) -> bool:
        return self.window.isFullScreen()

    def __getattr__(self, name: str) -> bool:
        if name.startswith("camera_is_"):
            return self.explorer.camera.kind == name.removeprefix("camera_is_")
        if name.startswith("theme_is_"):
            return bool(self.explorer.settings.get("theme", theme.SYSTEM) == name.removeprefix("theme_is_"))
        raise AttributeError(name)
