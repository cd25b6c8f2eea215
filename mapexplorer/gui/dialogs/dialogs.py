"""The dialogs of the window; each is created when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QInputDialog, QMessageBox, QWidget

from mapexplorer.catalogue.kinds import Found
from mapexplorer.catalogue.search import best
from mapexplorer.export.request import MapRequest, ModelRequest, Request
from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.dialogs.browse import BrowseDialog
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.keys import KeysDialog
from mapexplorer.gui.dialogs.loose_files import LooseFilesDialog
from mapexplorer.gui.dialogs.model import ModelDialog
from mapexplorer.gui.dialogs.palette import CommandPalette, PaletteItem
from mapexplorer.gui.dialogs.preferences import PreferencesDialog
from mapexplorer.gui.dialogs.rom_page import RomPage
from mapexplorer.gui.dialogs.screenshot import ScreenshotDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.manual import WhatsThis
from mapexplorer.gui.map_mode import MapMode
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.pictures import Pictures
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.thing_views import ThingViews
from mapexplorer.gui.views.area import Views
from mapexplorer.inspector.found import find_tile, shown
from mapexplorer.world import Header
from mapexplorer.world.subject import subject

MOST_OF_A_KIND = 6
"""The things of a kind that the palette shows."""


class Dialogs:
    """The command palette, the welcome page, and the dialogs, which belong to the window `parent`."""

    def __init__(
        self,
        parent: QWidget,
        explorer: Explorer,
        jobs: JobController,
        views: Views,
        actions: ActionSet,
        map_mode: MapMode,
        pictures: Pictures,
        things: ThingViews,
    ) -> None:
        self._parent, self._explorer, self._jobs, self._views, self._actions = parent, explorer, jobs, views, actions
        self._map_mode = map_mode
        self._things = things
        self.palette = CommandPalette(parent, pictures)
        self.palette.closed.connect(views.take_focus)
        self.welcome = Welcome(views, explorer.settings)
        self.whats_this = WhatsThis(parent)
        self.keys: KeysDialog | None = None
        self.preferences: PreferencesDialog | None = None
        self.screenshot: ScreenshotDialog | None = None
        self.loose_files: LooseFilesDialog | None = None
        self.browse: BrowseDialog | None = None
        self.model: ModelDialog | None = None
        self.rom_page: RomPage | None = None
        self._export: ExportDialog | None = None

    @property
    def export(self) -> ExportDialog:
        """The export dialog."""
        if self._export is None:
            self._export = ExportDialog(self._parent, self._explorer, self._jobs)
        return self._export

    def may_close(self) -> bool:
        """Whether the window may close: no export is running, or the user agrees to stop it."""
        if self._export is None or self._export.task is None:
            return True
        answer = QMessageBox.question(
            self._parent, "An export is running", "Stop the export and close? What is written so far is kept.",
            QMessageBox.Yes | QMessageBox.No, QMessageBox.No,
        )  # fmt: skip
        return bool(answer == QMessageBox.Yes)

    def show_export(self, kind: type[Request] = MapRequest) -> None:
        """Show the export dialog for a kind of export."""
        self.export.open(kind)

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
            for entry, action in self._actions.usable()
            if entry.id != "palette"
        ]
        bookmarks = [
            PaletteItem(f"Bookmark: {one.name}", "bookmark", partial(self._map_mode.open, one))
            for one in self._map_mode.here
        ]
        return [*maps, *actions, *bookmarks]

    def ask_tile(self) -> None:
        """Ask for a tile of the matrix, and go there."""
        x, z = (int(value) for value in self._map_mode.tile)
        self._ask("Go to tile", "Tile of the matrix, as X,Z", f"{x},{z}", self._map_mode.go_to_text)

    def ask_bookmark(self) -> None:
        """Ask for the name of a bookmark of the present view, and add it."""
        self._ask("Add bookmark", "Name", self._map_mode.suggested_name, self._map_mode.add_bookmark)

    def _ask(self, title: str, label: str, text: str, answer: Callable[[str], object]) -> None:
        dialog = QInputDialog(self._parent)
        dialog.setAttribute(Qt.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(label)
        dialog.setTextValue(text)
        dialog.textValueSelected.connect(answer)
        dialog.open()

    def _find_names(self, text: str, take: Callable[[list[PaletteItem]], None]) -> None:
        """Search all names but those of maps, which the palette has."""

        def find(renderer: PlaceRenderer) -> tuple[list[Found], tuple[Header, int, int] | None]:
            return best(renderer.store, text, MOST_OF_A_KIND), find_tile(renderer.world, text)

        def found(answer: tuple[list[Found], tuple[Header, int, int] | None]) -> None:
            things, tile = answer
            tiles = [self._tile_item(*tile)] if tile is not None else []
            take([*tiles, *(self._palette_item(one) for one in things if one.subject.kind != "header")])

        self._jobs.ask(find, found, key="palette", failed=lambda error: take([]))

    def _tile_item(self, header: Header, x: int, z: int) -> PaletteItem:
        chosen = subject("tile", header.matrix, x, z)
        return PaletteItem(f"Tile ({x}, {z}) of {header.title}", "tile", partial(self._jobs.go, header.id, chosen))

    def _palette_item(self, one: Found) -> PaletteItem:
        chosen = shown(one.subject)
        number = "/".join(map(str, one.numbers))

        def run() -> None:
            if chosen is not None:
                self._things.show(chosen)

        return PaletteItem(" ".join(one.name.split()), f"{one.subject.kind} {number}".rstrip(), run, chosen)

    def show_keys(self) -> None:
        """Show the keyboard sheet."""
        if self.keys is not None:
            self.keys.deleteLater()  # its keys or colours may have changed
        self.keys = KeysDialog(self._parent, self._actions)
        self.keys.show()
        self.keys.raise_()

    def show_preferences(self) -> None:
        """Show the preferences."""
        if self.preferences is None:
            self.preferences = PreferencesDialog(self._parent, self._actions, self._explorer.settings)
        self.preferences.show()
        self.preferences.raise_()

    def show_browse(self, kind: str | None = None) -> None:
        """Show all prop models, texture sets or sprites."""
        if self.browse is None:
            self.browse = BrowseDialog(self._parent, self._jobs)
            self.browse.chosen.connect(self._things.open)
        self.browse.open_kind(kind)

    def show_model(self, number: int) -> None:
        """Show a prop model."""
        if self.model is None:
            self.model = ModelDialog(self._parent, self._jobs)
            self.model.chosen.connect(self._things.show)
            self.model.export_wanted.connect(lambda number: self.export.open(ModelRequest, number))
        self.model.show_model(number)

    def show_rom(self) -> None:
        """Show the page of the ROM."""
        if self.rom_page is None:
            self.rom_page = RomPage(self._parent, self._jobs)
        self.rom_page.open()

    def show_screenshot(self) -> None:
        """Show the dialog that saves the picture."""
        place = self._explorer.place
        name = place.header.internal_name if place is not None else "picture"
        self.screenshot = ScreenshotDialog(self._parent, self._views, name)
        self.screenshot.open()

    def open_loose_files(self, paths: list[str]) -> None:
        """Show the dialog for loose files with these files."""
        if self.loose_files is None:
            self.loose_files = LooseFilesDialog(self._parent, self._jobs)
        self.loose_files.show_files([Path(path) for path in paths])
