"""The dialogs of the window; each is created when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import QDialog, QInputDialog, QMessageBox

from mapexplorer.catalogue.kinds import NamedThing
from mapexplorer.catalogue.search import best
from mapexplorer.export.request import MapRequest, ModelRequest
from mapexplorer.gui.dialogs.browse import BrowseDialog
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.keys import keys_dialog
from mapexplorer.gui.dialogs.loose_files import LooseFilesDialog
from mapexplorer.gui.dialogs.model import ModelDialog
from mapexplorer.gui.dialogs.palette import CommandPalette, PaletteItem
from mapexplorer.gui.dialogs.preferences import PreferencesDialog
from mapexplorer.gui.dialogs.rom_page import RomPage
from mapexplorer.gui.dialogs.screenshot import ScreenshotDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.manual import WhatsThis
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.layout import bring_up
from mapexplorer.gui.widgets.notices import JOB, WARNING
from mapexplorer.inspector.script.script_page import SUBJECTS
from mapexplorer.inspector.things.found import find_tile, shown
from mapexplorer.world import Header
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.subject import Subject, subject

MOST_OF_A_KIND = 6
"""The things of a kind that the palette shows."""


class Dialogs:
    """The command palette, the welcome page, and the dialogs of a window."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._explorer, self._jobs, self._map_mode = parts, parts.explorer, parts.jobs, parts.map_mode
        self.palette = CommandPalette(parts, parts.pictures)
        self.palette.closed.connect(parts.views.take_focus)
        self.welcome = Welcome(parts.views, self._explorer.settings)
        self.whats_this = WhatsThis(parts)
        self.keys: QDialog | None = None
        self.screenshot: ScreenshotDialog | None = None

    # --- made when first shown

    @cached_property
    def export(self) -> ExportDialog:
        """Exports the map and other things of the ROM as files."""
        made = ExportDialog(self._parts, self._jobs)
        made.progressed.connect(self._parts.status.export.setText)
        made.ended.connect(lambda text: self._parts.notices.notify(WARNING, "Export", text, about=JOB))
        return made

    @cached_property
    def preferences(self) -> PreferencesDialog:
        """The scale of the interface, and the shortcuts."""
        return PreferencesDialog(self._parts, self._parts.action_set, self._explorer.settings)

    @cached_property
    def browse(self) -> BrowseDialog:
        """All prop models, texture sets and sprites."""
        made = BrowseDialog(self._parts, self._jobs)
        made.chosen.connect(self.open_thing)
        return made

    @cached_property
    def model(self) -> ModelDialog:
        """A prop model on the turntable."""
        made = ModelDialog(self._parts, self._jobs)
        made.chosen.connect(self._parts.inspection.show)
        made.export_wanted.connect(lambda number: self.export.open(ModelRequest, number))
        return made

    @cached_property
    def rom_page(self) -> RomPage:
        """The page of the ROM, and its verification."""
        return RomPage(self._parts, self._jobs)

    @cached_property
    def loose_files(self) -> LooseFilesDialog:
        """Models, textures and animations that are files of their own."""
        return LooseFilesDialog(self._parts, self._jobs)

    def open_thing(self, chosen: Subject) -> None:
        """Show a thing itself: a model on the turntable, the textures of a set, the listing of a script; facts about
        all other things."""
        docks, textures = self._parts.docks, self._parts.textures
        if chosen.kind == "prop":
            self.model.show_model(chosen.key[0])
        elif chosen.kind in ("prop set", "terrain set"):
            docks.show("textures")
            key = SetKey(chosen.kind == "terrain set", chosen.key[0])
            QTimer.singleShot(0, lambda: textures.show_set(key))  # the panel is visible then
        else:
            if chosen.kind in SUBJECTS:
                docks.show("script")
            self._parts.inspection.show(chosen)

    def may_close(self) -> bool:
        """Whether the window may close: no export is running, or the user agrees to stop it."""
        if "export" not in vars(self) or self.export.task is None:  # it was never shown, or is idle
            return True
        answer = QMessageBox.question(
            self._parts,
            "An export is running",
            "Stop the export and close? What is written so far is kept.",
            QMessageBox.Yes | QMessageBox.No,
            QMessageBox.No,
        )
        return bool(answer == QMessageBox.Yes)

    def export_now(self) -> None:
        """Export the present map with the options of the export dialog, which is shown with the progress."""
        self.export.open(MapRequest)
        self.export.begin()

    def show_palette(self) -> None:
        """Show the command palette with every map and every enabled action."""
        self.palette.open(self._findable(), self._find_names)

    def find(self, text: str) -> None:
        """Show or run what the palette finds first for a text."""
        self.palette.run_first(self._findable(), self._find_names, text)

    def _findable(self) -> list[PaletteItem]:
        """Every map, every enabled action and every bookmark."""
        world, go = self._explorer.world, self._jobs.go
        maps = [
            PaletteItem(
                header.title,
                f"#{header.id}  {header.internal_name}  {header.kind}",
                partial(go, header.id),
                subject("header", header.id),
            )
            for header in (world.headers if world is not None else ())
        ]
        actions = [
            PaletteItem(entry.name, action.shortcut().toString(), action.trigger)
            for entry, action in self._parts.action_set.usable()
            if entry.id != "palette"
        ]
        bookmarks = [
            PaletteItem(f"Bookmark: {bookmark.name}", "bookmark", partial(self._map_mode.open, bookmark))
            for bookmark in self._map_mode.here
        ]
        return [*maps, *actions, *bookmarks]

    def ask_tile(self) -> None:
        """Ask for a tile of the matrix, and go there."""
        x, z = (int(value) for value in self._map_mode.tile)
        self._input("Go to tile", "Tile of the matrix, as X,Z", f"{x},{z}", self._map_mode.go_to_text)

    def ask_bookmark(self) -> None:
        """Ask for the name of a bookmark of the present view, and add it."""
        self._input("Add bookmark", "Name", self._map_mode.suggested_name, self._map_mode.add_bookmark)

    def _input(self, title: str, label: str, text: str, answer: Callable[[str], object]) -> None:
        dialog = QInputDialog(self._parts)
        dialog.setAttribute(Qt.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(label)
        dialog.setTextValue(text)
        dialog.textValueSelected.connect(answer)
        dialog.open()

    def _find_names(self, text: str, take: Callable[[list[PaletteItem]], None]) -> None:
        """Search all names but those of maps, which the palette has."""

        def find(renderer: PlaceRenderer) -> tuple[list[NamedThing], tuple[Header, int, int] | None]:
            return best(renderer.store, text, MOST_OF_A_KIND), find_tile(renderer.world, text)

        def show(answer: tuple[list[NamedThing], tuple[Header, int, int] | None]) -> None:
            things, tile = answer
            tiles = [self._tile_item(*tile)] if tile is not None else []
            take([*tiles, *(self._palette_item(thing) for thing in things if thing.subject.kind != "header")])

        self._jobs.request(find, show, key="palette", failed=lambda error: take([]))

    def _tile_item(self, header: Header, x: int, z: int) -> PaletteItem:
        chosen = subject("tile", header.matrix, x, z)
        return PaletteItem(f"Tile ({x}, {z}) of {header.title}", "tile", partial(self._jobs.go, header.id, chosen))

    def _palette_item(self, thing: NamedThing) -> PaletteItem:
        chosen = shown(thing.subject)
        number = "/".join(map(str, thing.numbers))

        def run() -> None:
            if chosen is not None:
                self._parts.inspection.show(chosen)

        return PaletteItem(" ".join(thing.name.split()), f"{thing.subject.kind} {number}".rstrip(), run, chosen)

    def show_keys(self) -> None:
        """Show the keyboard sheet."""
        if self.keys is not None:
            self.keys.deleteLater()  # its keys or colours may have changed
        self.keys = keys_dialog(self._parts, self._parts.action_set)
        bring_up(self.keys)

    def show_screenshot(self) -> None:
        """Show the dialog that saves the picture."""
        place = self._explorer.place
        name = place.header.internal_name if place is not None else "picture"
        self.screenshot = ScreenshotDialog(self._parts, self._parts.views, name)
        self.screenshot.open()
