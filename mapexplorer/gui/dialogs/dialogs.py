"""The dialogs of the window; each is created when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import QInputDialog, QMessageBox

from mapexplorer.catalogue.kinds import NamedThing
from mapexplorer.catalogue.search import best
from mapexplorer.export.request import ConvertRequest, MapRequest
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.loose_files import LooseFilesDialog
from mapexplorer.gui.dialogs.palette import CommandPalette, PaletteItem, Search, Take
from mapexplorer.gui.dialogs.preferences import PreferencesDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.manual import ManualWindow
from mapexplorer.gui.model.bookmarks import bookmarks
from mapexplorer.gui.model.links import target_of
from mapexplorer.gui.model.search import MOST_OF_A_KIND
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.inspector.facts import ListedThing
from mapexplorer.inspector.script.script_page import SUBJECTS
from mapexplorer.inspector.things.found import find_tile, listed
from mapexplorer.scene.link import SCHEME, Link
from mapexplorer.world import Header
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.subject import Subject, subject

_TOLD = 12
"""The first names that are found of which the rows say where they are used."""


class Dialogs:
    """The command palette, the welcome page, and the dialogs of a window. `find_first` searches for the start page."""

    def __init__(self, parts: Parts, find_first: Search) -> None:
        self._parts, self._explorer, self._jobs, self._map_mode = parts, parts.explorer, parts.jobs, parts.map_mode
        pictures = parts.maps.thumbnails, parts.pictures
        self.palette = CommandPalette(parts, pictures, self._offered, self.find_names)
        search = CommandPalette(parts, pictures, self._offered, find_first, page=True)

        def open_another(path: str) -> None:
            if path != self._explorer.rom_path:
                parts.jobs.open(path)

        self.welcome = Welcome(
            parts.views,
            self._explorer.settings,
            search,
            lambda: parts.action_set["open"].trigger(),
            open_another,
        )
        for finder in (self.palette, search):
            finder.closed.connect(parts.views.take_focus)

    # --- made when first shown

    @cached_property
    def export(self) -> ExportDialog:
        """Exports the map and other things of the ROM as files."""
        return ExportDialog(self._parts, self._jobs, self._parts.status.export, self._parts.notices)

    @cached_property
    def preferences(self) -> PreferencesDialog:
        """The scale of the interface, and the shortcuts."""
        return PreferencesDialog(self._parts, self._parts.action_set, self._explorer.settings)

    @cached_property
    def loose_files(self) -> LooseFilesDialog:
        """Models, textures and animations that are files of their own."""
        return LooseFilesDialog(self._parts, self._jobs, lambda loose: self.export.open(ConvertRequest, loose=loose))

    @cached_property
    def manual(self) -> ManualWindow:
        """The pages of the manual."""
        return ManualWindow(self._parts)

    def open_thing(self, chosen: Subject) -> None:
        """Show a thing itself: a model on the turntable, the textures of a set, the listing of a script; facts about
        all other things."""
        docks, textures = self._parts.docks, self._parts.textures
        if chosen.kind == "prop":
            docks.show("models")
            self._parts.models.show_model(chosen.key[0])
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

    def _offered(self) -> list[PaletteItem]:
        """Every enabled action and every bookmark."""
        actions = [
            PaletteItem(ListedThing(None, entry.name, side=action.shortcut().toString()), action.trigger)
            for entry, action in self._parts.action_set.usable()
            if entry.id != "palette"
        ]
        marked = [
            PaletteItem(
                ListedThing(None, f"Bookmark: {name}", side="bookmark"),
                partial(self._map_mode.open, link),
            )
            for name, link in bookmarks(self._explorer).items()
        ]
        return [*actions, *marked]

    def ask_tile(self) -> None:
        """Ask for a tile of the matrix, and go there."""
        x, z = (int(value) for value in self._map_mode.tile)
        self._input("Go to tile", "Tile of the matrix, as X,Z", f"{x},{z}", self._map_mode.go_to_text)

    def ask_bookmark(self) -> None:
        """Ask for the name of a bookmark of the present view, and add it."""
        self._input("Add bookmark", "Name", self._map_mode.suggested_name, self._map_mode.add_bookmark)

    def ask_commit(self) -> None:
        """Ask for a commit of a source tree, and compare with it."""
        path = self._explorer.rom_path
        label = "The source tree as it was before, as TREE@REVISION"
        self._input("Compare with commit", label, f"{path}@HEAD", self._parts.compare_mode.open)

    def _input(self, title: str, label: str, text: str, answer: Callable[[str], object]) -> None:
        dialog = QInputDialog(self._parts)
        dialog.setAttribute(Qt.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(label)
        dialog.setTextValue(text)
        dialog.textValueSelected.connect(answer)
        dialog.open()

    def find_names(self, text: str, take: Take) -> None:
        """Search all names of the ROM, and tiles; of a link its view."""

        def find(renderer: PlaceRenderer) -> list[PaletteItem]:
            if text.startswith(SCHEME):
                header = target_of(Link.parse(text), renderer.world)[0].header
                return [
                    PaletteItem(
                        ListedThing(subject("header", header.id), f"View of {header.title}", side="link"),
                        partial(self._map_mode.open, text),
                    )
                ]
            things, tile = best(renderer.store, text, MOST_OF_A_KIND), find_tile(renderer.world, text)
            tiles = [self._tile_item(*tile)] if tile is not None else []
            rows = [
                listed(renderer.store, thing, used=number < _TOLD and thing.subject.kind != "header")
                for number, thing in enumerate(things)
            ]
            return [*tiles, *map(self._item, things, rows)]

        self._jobs.request(
            find, lambda items: take(items, ""), key="palette", failed=lambda error: take([], str(error))
        )

    def _tile_item(self, header: Header, x: int, z: int) -> PaletteItem:
        chosen = subject("tile", header.matrix, x, z)
        row = ListedThing(chosen, f"Tile ({x}, {z}) of {header.title}", side="tile")
        return PaletteItem(row, partial(self._jobs.go, header.id, chosen))

    def _item(self, thing: NamedThing, row: ListedThing) -> PaletteItem:
        shown = row.subject or thing.subject
        run = partial(self._parts.inspection.show, shown)
        if shown.kind == "header":
            run = partial(self._jobs.go, shown.key[0])
        return PaletteItem(replace(row, side=f"{thing.word} {row.side}".rstrip()), run)
