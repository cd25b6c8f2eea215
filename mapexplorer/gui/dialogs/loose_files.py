"""The dialog for loose files: the type of each, which files belong together, a preview of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import Qt
from PyQt5.QtGui import QDragEnterEvent, QDropEvent
from PyQt5.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from mapexplorer.gui.actions.dropped_files import local_files
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Take
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.loose import (
    TITLES,
    Bench,
    LooseExport,
    LooseFile,
    LooseItem,
    export_of,
    files_below,
    playing_in,
    put_together,
    read_file,
    text_about,
)
from mapexplorer.gui.rendering.model_preview import ModelPreview, Orbit
from mapexplorer.gui.widgets.controls import ask_files, fit_to_screen
from mapexplorer.gui.widgets.layout import bring_up, button, chosen_value, column, label, row, table_row, timer
from mapexplorer.gui.widgets.model_view import Turntable

DUMP_LIMIT = 200_000


class LooseFilesDialog(QDialog):
    """Files on the left, the chosen one on the right: its picture, and its contents as JSON. `export` gets what is to
    be exported."""

    def __init__(self, parent: QWidget, jobs: JobController, export: Callable[[LooseExport], object]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Loose files")
        self.setAcceptDrops(True)
        self.jobs, self._export = jobs, export
        self.bench = put_together(())
        self._given: list[LooseFile] = []
        self._stage: ModelPreview | None = None
        self._tick = 0
        self.tree = QTreeWidget()
        self.tree.setObjectName("loose files")
        self.tree.setHeaderLabels(["File", "What it is"])
        self.tree.currentItemChanged.connect(lambda *_: self._current())
        self.table = Turntable(self._load_picture)
        self.message = label(selectable=True)
        self.dump = QPlainTextEdit()
        self.dump.setObjectName("contents of the file")
        self.dump.setReadOnly(True)
        self.dump.setLineWrapMode(QPlainTextEdit.NoWrap)
        right = QWidget()
        right.setMinimumWidth(460)
        right.setLayout(column(self.table, self.message, (self.dump, 1), margins=(8, 0, 0, 0)))
        split = QSplitter(Qt.Horizontal)
        for side in (self.tree, right):
            split.addWidget(side)
        split.setSizes([410, 460])
        self.setLayout(column((split, 1), self._buttons(), margins=(12, 12, 12, 12)))
        self._timer = timer(self, 50, self._advance, repeats=True)
        self.finished.connect(self._timer.stop)
        fit_to_screen(self, 900, 680)

    def _buttons(self) -> QHBoxLayout:
        add = button("Add files …", lambda: ask_files(self, "Add files", self.show_files), default=False)
        clear = button("Clear", self._clear, default=False)
        hint = "Every model with what belongs to it, into a folder"
        self.all_button = button("Export all …", lambda: self._open_export(None), hint, default=False)
        self.export_button = button("Export …", lambda: self._open_export(self.current), default=True)
        close = button("Close", self.close, default=False)
        return row(add, clear, None, self.all_button, self.export_button, close)

    # --- files

    def show_files(self, names: Iterable[str]) -> None:
        """Add files, also those of folders, and show the dialog."""
        paths = [Path(name) for name in names]
        self.message.setText("Reading …")
        bring_up(self)
        self.jobs.read.submit(
            lambda task: [read_file(path) for path in files_below(paths)],
            self._take,
            lambda error, trace: self.jobs.notify("These files cannot be read", error, trace),
        )

    def _take(self, files: list[LooseFile]) -> None:
        """Add files and match all files again; a file that was added before is read again."""
        again = {file.path for file in files}
        self._given = [file for file in self._given if file.path not in again] + files
        given = list(self._given)
        self.jobs.read.submit(
            lambda task: put_together(given),
            self._show,
            lambda error, trace: self.jobs.notify("These files cannot be put together", error, trace),
            key="loose bench",
        )

    def _show(self, bench: Bench) -> None:
        self.bench = bench
        self.tree.clear()
        files = {file.path: file for file in bench.given}
        parts: set[Path] = set()
        for assembly in bench.assemblies:
            item = _line(self.tree, assembly.name, assembly.file.title, LooseItem(assembly.file, assembly))
            parts.add(assembly.file.path)
            for path in assembly.texture_sources:
                if path is not None:
                    parts.add(path)
                    _line(item, path.name, "its textures", LooseItem(files[path], assembly))
            for clip in assembly.clips:
                file = files[clip.path]
                parts.add(file.path)
                what = f"{TITLES[clip.kind.capitalize()]} ({file.path.name})"
                _line(item, clip.name, what, LooseItem(file, assembly, clip))
            for path, _ in bench.files.j3d_animations if assembly.file.kind == "Bmd" else ():
                parts.add(path)
                _line(item, path.stem, f"{files[path].title} ({path.name})", LooseItem(files[path], assembly))
        for file in bench.given:
            if file.path not in parts:
                item = _line(self.tree, file.path.name, file.title, LooseItem(file))
                item.setToolTip(1, file.error or bench.refused.get(file.path, ""))
        self.tree.expandAll()
        self.tree.resizeColumnToContents(0)
        self.all_button.setEnabled(len(bench.assemblies) > 1)
        if self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        else:
            self.message.setText("Add models, textures and animations, or drop them here.")
            self.dump.clear()

    def _clear(self) -> None:
        self._given = []
        self._take([])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add dropped files."""
        event.acceptProposedAction()
        self.show_files(local_files(event.mimeData()))

    # --- the selected file

    @property
    def current(self) -> LooseItem | None:
        """What is chosen on the left."""
        return chosen_value(self.tree, LooseItem)

    def _current(self) -> None:
        chosen = self.current
        self._timer.stop()
        self._stage = None
        self.table.forget()
        self.export_button.setEnabled(chosen is not None and export_of(self.bench, chosen) is not None)
        if chosen is None:
            return
        file, assembly = chosen.file, chosen.assembly
        self.message.setText(text_about(chosen, self.bench))
        self.table.setVisible(assembly is not None and assembly.is_nitro)
        self.jobs.read.submit(
            lambda task: _dump(file),
            self.dump.setPlainText,
            lambda error, trace: self.dump.setPlainText(str(error)),
            key="loose dump",
        )
        if assembly is not None and assembly.is_nitro:
            playing = playing_in(assembly, chosen.clip)
            self.jobs.read.submit(
                lambda task: ModelPreview.of_files(assembly.model, assembly.textures, playing),
                lambda stage: self._staged(chosen, stage, bool(playing)),
                lambda error, trace: self.table.setText(str(error)),
                key="loose stage",
                owner=self,
            )

    def _staged(self, chosen: LooseItem, stage: ModelPreview, playing: bool) -> None:
        if self.current is chosen:
            self._stage, self._tick = stage, 0
            self.table.want((stage, 0))
            if playing:
                self._timer.start()

    def _advance(self) -> None:
        if self.isVisible():
            self._tick += 1
            self.table.want((self._stage, self._tick))

    def _load_picture(
        self, wanted: tuple[ModelPreview, int], orbit: Orbit, take: Take[npt.NDArray[np.uint8]], fail: Fail
    ) -> Task:
        stage, tick = wanted
        return self.jobs.read.submit(lambda task: stage.picture(orbit, tick), take, lambda error, trace: fail(error))

    # --- export

    def _open_export(self, chosen: LooseItem | None) -> None:
        export = export_of(self.bench, chosen)
        if export is not None:
            self._export(export)


def _line(parent: QTreeWidget | QTreeWidgetItem, name: str, what: str, choice: LooseItem) -> QTreeWidgetItem:
    return table_row(parent, (name, what), choice, {1: what})


def _dump(file: LooseFile) -> str:
    if file.value is None:
        return file.error
    from formats.json_codec import to_json

    text = to_json(file.value)
    return text if len(text) <= DUMP_LIMIT else text[:DUMP_LIMIT] + "\n… (mapexplorer dump writes all of it)"
