"""Implementations of actions that need more than one call, and the conditions under which actions are enabled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import QFileDialog, QInputDialog, QMessageBox

from mapexplorer._version import __version__
from mapexplorer.export.files import write_atomically
from mapexplorer.gui.dialogs.dialogs import Dialogs
from mapexplorer.gui.jobs.worker import EXPECTED
from mapexplorer.gui.modes.picking import position_of
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.rendering.images import png_of
from mapexplorer.gui.views.area import MAP
from mapexplorer.gui.widgets.controls import ask_files, ask_folder
from mapexplorer.gui.widgets.notices import INFO
from mapexplorer.scene.view import ENTERED
from mapexplorer.world import FieldPlace
from mapexplorer.world.saved_game import SavedGame, read_saved_game
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.readable import readable_events, readable_warp_target
from mapexplorer.world.subject import subject


@dataclass(frozen=True)
class Commands:
    """The implementations of actions, on the parts of a window."""

    parts: Parts
    dialogs: Dialogs
    set_theme: Callable[[str], None]

    # --- files

    def ask_image(self, title: str, take: Callable[[str], object]) -> None:
        """Ask for an image of a ROM, and use it."""
        images = "Nintendo DS images (*.nds *.srl);;All files (*)"
        name, _ = QFileDialog.getOpenFileName(self.parts, title, self._folder(), images)
        if name:
            take(name)

    def ask_folder(self, title: str, take: Callable[[str], object]) -> None:
        """Ask for the folder of an unpacked ROM, and use it."""
        ask_folder(self.parts, title, take, self._folder())

    def _folder(self) -> str:
        recent = self.parts.explorer.settings.recent
        return recent[0] if recent else ""

    def open_files(self) -> None:
        """Ask for loose files and show them together."""
        title = "Open models, textures and animations"
        ask_files(self.parts, title, lambda names: self.dialogs.loose_files.show_files(names), self._folder())

    def save_picture(self) -> None:
        """Ask for the name of a PNG, and write what the view shows."""
        place = self.parts.explorer.place
        name = "picture" if place is None else place.header.internal_name
        path, _ = QFileDialog.getSaveFileName(self.parts, "Save picture", f"{name}.png", "PNG (*.png)")
        if path:
            try:
                write_atomically(path, png_of(self.parts.views.image()))
            except OSError as error:
                self.parts.jobs.notify("The picture cannot be written", error)

    # --- saves

    def ask_save(self) -> None:
        """Ask for a saved game, and show it."""
        saves = "Saves and dumps of memory (*.sav *.dsv *.duc *.bin *.dmp *.raw);;All files (*)"
        folder = next(iter(self.parts.explorer.settings.recent_saves), self._folder())
        name, _ = QFileDialog.getOpenFileName(self.parts, "Open a save of Pokémon Platinum", folder, saves)
        if name:
            self.open_save(name)

    def open_save(self, path: str, *, there: bool = True) -> None:
        """Show a saved game as soon as a worker has read it; `there`: where it was saved, else the present map."""
        parts, title = self.parts, "This save cannot be opened"

        def show(saved: SavedGame) -> None:
            try:
                parts.explorer.show_save(path, there=there)
            except EXPECTED as error:
                parts.jobs.notify(title, error)
                return
            parts.explorer.settings.add_recent_save(path)
            parts.jobs.redraw()
            for note in saved.notes:
                parts.notices.notify(INFO, saved.name, note.sentence)

        parts.jobs.request(lambda renderer: read_saved_game(path), show, key="save", title=title)

    def shown_save(self) -> SavedGame | None:
        """The saved game that is shown."""
        explorer = self.parts.explorer
        return explorer.saved if explorer.has_saved_game else None

    def open_save_again(self) -> None:
        """Show the saved game as another program has written it now."""
        self.open_save(self.parts.explorer.options.save, there=False)

    def can_switch_save(self) -> bool:
        """Whether a saved game is shown, or one was opened before."""
        explorer = self.parts.explorer
        return self.has_place() and (explorer.has_saved_game or bool(explorer.settings.recent_saves))

    def switch_save(self) -> None:
        """Show the present map with a new game in place of the saved one, or with the last saved game again."""
        explorer = self.parts.explorer
        if explorer.has_saved_game:
            explorer.show_save(ENTERED)
        elif explorer.settings.recent_saves:
            self.open_save(explorer.settings.recent_saves[0], there=False)

    # --- navigation

    def has_place(self) -> bool:
        """Whether a map is shown."""
        return self.parts.explorer.place is not None

    def neighbour(self, step: int) -> None:
        """Go to the map that is `step` rows below in the map list."""
        header = self.parts.maps.neighbour(step)
        if header is not None:
            self.parts.jobs.go(header)

    def is_selected(self, kind: str) -> bool:
        """Whether a thing of a kind is selected."""
        return self.parts.explorer.selection is not None and self.parts.explorer.selection.kind == kind

    def follow_warp(self) -> None:
        """Go to the target of the selected warp."""
        chosen, world = self.parts.explorer.selection, self.parts.explorer.world
        if chosen is None or chosen.kind != "warp" or world is None:
            return
        events = readable_events(world, chosen.key[0])
        if events is None or chosen.key[1] >= len(events.warps):
            return
        damaged: list[Damage] = []
        target = readable_warp_target(world, chosen.key[0], chosen.key[1], damaged)
        if damaged:
            self.parts.jobs.go(int(events.warps[chosen.key[1]]["header"]))
            return
        if target is None:
            nowhere = world.warp_fault(chosen.key[0], chosen.key[1])
            sentence = f"leads nowhere: {nowhere}" if nowhere else "leads back to where the player came from"
            self.parts.notices.notify(INFO, f"This warp {sentence}.")
            return
        self.parts.explorer.go(
            target[0], subject("warp", target[0], int(events.warps[chosen.key[1]]["warp"])), target[1:]
        )

    # --- view and camera

    def zoom(self, steps: float) -> None:
        """Move the camera nearer by a number of wheel steps."""
        if self.parts.map_mode.on:
            self.parts.views.map.zoom(steps)
        else:
            self.parts.explorer.zoom(steps)

    def reset_camera(self) -> None:
        """Set the camera to its first pose; that of the map shows the whole matrix."""
        if self.parts.map_mode.on:
            self.parts.views.map.fit_region()
        else:
            self.parts.explorer.reset_camera()

    def look_at_selection(self) -> None:
        """Move the camera to what is selected."""
        chosen = self.parts.explorer.selection
        overlay = self.parts.views.map.overlay if self.parts.map_mode.on else self.parts.jobs.overlay
        position = position_of(overlay, chosen) if chosen is not None else None
        if position is not None and self.parts.map_mode.on:
            self.parts.views.map.look_at(position[0], position[2])
        elif position is not None:
            self.parts.explorer.set_camera(self.parts.explorer.camera.looking_at(position))

    def toggle_matrix(self) -> None:
        """Show the grid of the matrix over the map, which is shown, too; or hide it."""
        shown = self.parts.docks.shown("matrix")
        self.parts.views.show_view(MAP)
        self.parts.docks["matrix"].setVisible(not shown)

    # --- inspection

    def inspect(self, kind: str, number_of: Callable[[FieldPlace], int]) -> None:
        """Select a thing that the place has one of, by the function that gives its number."""
        if self.parts.explorer.place is not None:
            self.parts.docks.show("inspector")
            self.parts.explorer.select(subject(kind, number_of(self.parts.explorer.place)))

    def show_names(self, kind: str | None, *, here: bool = False) -> None:
        """Show the list of names with the things of a kind, all or those of the present map."""
        self.parts.docks.show("names")
        QTimer.singleShot(0, lambda: self.parts.names.show_kind(kind, here=here))

    def show_scripts(self, show: Callable[[], None]) -> None:
        """Show what a function shows in the script panel."""
        self.parts.docks.open("script")
        show()

    # --- the save

    def selected_flag(self) -> int | None:
        """The flag that is selected, or that hides the selected person."""
        chosen, world = self.parts.explorer.selection, self.parts.explorer.world
        if chosen is None or world is None:
            return None
        if chosen.kind == "flag":
            return int(chosen.key[0])
        if chosen.kind != "object":
            return None
        events = world.events(chosen.key[0])
        return int(events.objects[chosen.key[1]]["hidden_flag"]) or None if events is not None else None

    def switch_flag(self) -> None:
        """Set the selected flag, or clear it."""
        flag = self.selected_flag()
        if flag is not None:
            self.parts.explorer.change_save(self.parts.explorer.save_change.switching(flag))

    def set_variable(self) -> None:
        """Ask for the value of the selected variable."""
        chosen = self.parts.explorer.selection
        if chosen is None or chosen.kind != "variable":
            return
        present = self.parts.explorer.save.variables.get(chosen.key[0], 0)
        value, given = QInputDialog.getInt(self.parts, "Variable", f"The value of {chosen}", present, 0, 0xFFFF)
        if given:
            self.parts.explorer.change_save(self.parts.explorer.save_change.giving(chosen.key[0], value))

    # --- help

    def show_about(self) -> None:
        """Show version and licence."""
        about = QMessageBox(self.parts)
        about.setWindowTitle("About")
        about.setTextFormat(Qt.RichText)
        about.setText(
            f"<b>Map explorer {__version__}</b><p>Shows every map of Pokémon Platinum as the Nintendo DS draws it, "
            "from your own ROM. It contains no game data and sends nothing anywhere.</p><p>Free software under the GNU "
            "General Public License, version 3 or later.</p>"
        )
        about.exec()
