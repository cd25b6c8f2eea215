"""The dialogs of the window; each is created when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt5.QtWidgets import QMessageBox, QWidget

from mapexplorer.export.request import MapRequest, Request
from mapexplorer.gui.action_set import ActionSet
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.keys import KeysDialog
from mapexplorer.gui.dialogs.loose_files import LooseFilesDialog
from mapexplorer.gui.dialogs.palette import CommandPalette
from mapexplorer.gui.dialogs.screenshot import ScreenshotDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.views.area import Views


class Dialogs:
    """The command palette, the welcome page, and the dialogs, which belong to the window `parent`."""

    def __init__(
        self, parent: QWidget, explorer: Explorer, jobs: JobController, views: Views, actions: ActionSet
    ) -> None:
        self._parent, self._explorer, self._jobs, self._views, self._actions = parent, explorer, jobs, views, actions
        self.palette = CommandPalette(parent)
        self.palette.closed.connect(views.take_focus)
        self.welcome = Welcome(views, explorer.settings)
        self.keys: KeysDialog | None = None
        self.screenshot: ScreenshotDialog | None = None
        self.loose_files: LooseFilesDialog | None = None
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
        self.palette.open(self._findable())

    def find(self, text: str) -> bool:
        """Go to the map or run the action that fits a text best; whether there is one."""
        return self.palette.run_best(self._findable(), text)

    def _findable(self) -> list[tuple[str, str, Callable[[], None]]]:
        """Every map and every enabled action: title, kind or keys, and what it does."""
        world, go = self._explorer.world, self._jobs.go
        maps: list[tuple[str, str, Callable[[], None]]] = [
            (header.title, f"#{header.id}  {header.kind}", partial(go, header.id))
            for header in (world.headers if world is not None else ())
        ]
        actions = [
            (entry.name, action.shortcut().toString(), action.trigger)
            for entry, action in self._actions.usable()
            if entry.id != "palette"
        ]
        return [*maps, *actions]

    def show_keys(self) -> None:
        """Show the keyboard sheet."""
        if self.keys is None:
            self.keys = KeysDialog(self._parent, self._actions.table)
        self.keys.show()
        self.keys.raise_()

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
