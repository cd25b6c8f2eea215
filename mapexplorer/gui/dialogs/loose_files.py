"""The dialog for loose files: the type of each, which files belong together, a preview of models, export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import Qt
from PyQt5.QtGui import QDragEnterEvent, QDropEvent
from PyQt5.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from mapexplorer.export.options import MAPS_ONLY, ConvertOptions, ExportOptions, J3dOptions, MshOptions
from mapexplorer.gui.actions.dropped_files import local_files
from mapexplorer.gui.dialogs.forms import Form
from mapexplorer.gui.dialogs.job_dialog import JobDialog
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Take
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.loose import (
    TITLES,
    Assembly,
    Bench,
    LooseFile,
    LooseItem,
    files_below,
    playing_in,
    put_together,
    read_file,
    text_about,
)
from mapexplorer.gui.rendering.model_preview import ModelPreview, Orbit
from mapexplorer.gui.widgets.controls import ask_files, ask_folder
from mapexplorer.gui.widgets.layout import bring_up, button, chosen_value, column, row, table_row, timer
from mapexplorer.gui.widgets.model_view import Turntable
from mapexplorer.system.progress import Outcome

DUMP_LIMIT = 200_000
NOTICES_SHOWN = 4


class LooseFilesDialog(JobDialog):
    """Files on the left, the chosen one on the right: its picture, its contents as JSON, its export."""

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent, jobs, "Loose files", 900, 680)
        self.setAcceptDrops(True)
        self.bench = Bench()
        self._given: list[LooseFile] = []
        self._stage: ModelPreview | None = None
        self._tick = 0
        self.tree = QTreeWidget()
        self.tree.setObjectName("loose files")
        self.tree.setHeaderLabels(["File", "What it is"])
        self.tree.currentItemChanged.connect(lambda *_: self._current())
        self.table = Turntable(self._load_picture)
        self.options = QStackedWidget()
        self.model_options = Form(ExportOptions, without=MAPS_ONLY)
        self.j3d_options, self.msh_options = Form(J3dOptions), Form(MshOptions)
        for form in (self.model_options, self.j3d_options, self.msh_options):
            self.options.addWidget(form)
        self.options.hide()
        self.dump = QPlainTextEdit()
        self.dump.setObjectName("contents of the file")
        self.dump.setReadOnly(True)
        self.dump.setLineWrapMode(QPlainTextEdit.NoWrap)
        right = QWidget()
        right.setMinimumWidth(460)
        right.setLayout(column(self.table, self.message, self.options, (self.dump, 1), margins=(8, 0, 0, 0)))
        split = QSplitter(Qt.Horizontal)
        for side in (self.tree, right):
            split.addWidget(side)
        split.setSizes([410, 460])
        self.setLayout(column((split, 1), self._buttons(), margins=(12, 12, 12, 12)))
        self._timer = timer(self, 50, self._advance, repeats=True)
        self.finished.connect(self._timer.stop)

    def _buttons(self) -> QHBoxLayout:
        hint = "How models are written as GLB"
        self.options_button = button("Options", self._show_options, hint, default=False)
        self.options_button.setCheckable(True)
        self.pictures_button = button(
            "Textures as PNG …",
            lambda: ask_folder(self, "Export textures into", lambda name: self.export_pictures(Path(name))),
            default=False,
        )
        hint = "Every model with what belongs to it, into a folder"
        self.all_button = button(
            "All as GLB …",
            lambda: ask_folder(
                self, "Export all models into", lambda name: self.export(self.bench.assemblies, Path(name))
            ),
            hint,
            default=False,
        )
        self.export_button = button("Export as GLB …", self._export, default=True)
        self.stop_button = button("Stop", self.cancel, default=False)
        self.stop_button.hide()
        add = button("Add files …", lambda: ask_files(self, "Add files", self.show_files), default=False)
        clear = button("Clear", self._clear, default=False)
        exports = self.options_button, self.pictures_button, self.all_button, self.export_button, self.stop_button
        return row(add, clear, None, *exports, button("Close", self.close, default=False))

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
            for path, _ in bench.files.j3d_animations if bench.files and assembly.file.kind == "Bmd" else ():
                parts.add(path)
                _line(item, path.stem, f"{files[path].title} ({path.name})", LooseItem(files[path], assembly))
        for file in bench.given:
            if file.path not in parts:
                item = _line(self.tree, file.path.name, file.title, LooseItem(file))
                item.setToolTip(1, file.error or bench.refused.get(file.path, ""))
        self.tree.expandAll()
        self.tree.resizeColumnToContents(0)
        self.show_running(self.task is not None)
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

    @property
    def _assembly(self) -> Assembly | None:
        """The model of what is chosen."""
        return self.current.assembly if self.current is not None else None

    def _current(self) -> None:
        chosen, assembly = self.current, self._assembly
        self._timer.stop()
        self._stage = None
        self.table.forget()
        self.show_running(self.task is not None)
        self._show_options()
        if chosen is None:
            return
        file = chosen.file
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

    def _show_options(self) -> None:
        """Show the options of the chosen model's kind instead of its contents."""
        assembly = self._assembly
        self.options_button.setEnabled(assembly is not None)
        shown = assembly is not None and self.options_button.isChecked()
        if assembly is not None:
            form = {"Bmd": self.j3d_options}.get(assembly.file.kind, self.msh_options)
            self.options.setCurrentWidget(self.model_options if assembly.is_nitro else form)
        self.options_button.setText("Contents" if self.options_button.isChecked() else "Options")
        self.options.setVisible(shown)
        self.dump.setVisible(not shown)

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

    def chosen_options(self) -> ConvertOptions:
        """The present values of the options."""
        nitro, j3d = ExportOptions(**self.model_options.values()), J3dOptions(**self.j3d_options.values())
        return ConvertOptions(nitro, j3d, MshOptions(**self.msh_options.values()))

    def _export(self) -> None:
        assembly = self._assembly
        if assembly is not None:
            name, _ = QFileDialog.getSaveFileName(self, "Export", f"{assembly.name}.glb", "GLB (*.glb)")
            if name:
                target = Path(name)
                self.export([assembly], target if target.suffix else target.with_suffix(".glb"))

    def export(self, assemblies: Sequence[Assembly], target: Path) -> None:
        """Write a model with its textures and animations as a file, or several into a folder."""
        from mapexplorer.export.convert import write_models

        files, options, models = self.bench.files, self.chosen_options(), [assembly.loose for assembly in assemblies]
        if files is not None:
            self._work(lambda task: write_models(files, models, options, target, task), _written)

    def export_pictures(self, folder: Path) -> None:
        """Write the textures of all files into a folder."""
        from mapexplorer.export.convert import write_pictures

        files = self.bench.files
        if files is not None:
            self._work(
                lambda task: write_pictures(files, folder, task),
                lambda outcome: f"Written: {len(outcome.files)} textures into {outcome.files[0].parent}",
            )

    def _work(self, work: Callable[[Task], Outcome], text_of: Callable[[Outcome], str]) -> None:
        """Write files, and show a text about them; nothing while others are being written."""
        if self.task is None:
            self.message.setText("Writing …")
            self.run(work, lambda outcome: self.message.setText(text_of(outcome)))

    def show_failure(self, error: BaseException, trace: str) -> None:
        """Show why the export ended early; an error also as a notice."""
        stopped = isinstance(error, CancelledError)
        self.message.setText("Stopped. Files that were finished are complete." if stopped else str(error))
        self.jobs.notify("The export failed", error, trace)

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show which file is written."""
        self.message.setText(f"Writing {done + 1} of {total}: {text}")

    def show_running(self, runs: bool) -> None:
        """Show what stops an export, or enable what can be exported."""
        self.stop_button.setVisible(runs)
        self.export_button.setEnabled(not runs and self._assembly is not None)
        self.all_button.setEnabled(not runs and len(self.bench.assemblies) > 1)
        self.pictures_button.setEnabled(not runs and self.bench.pictures > 0)


def _line(parent: QTreeWidget | QTreeWidgetItem, name: str, what: str, choice: LooseItem) -> QTreeWidgetItem:
    return table_row(parent, (name, what), choice, {1: what})


def _written(outcome: Outcome) -> str:
    """The models that were written, with their clips and notices."""
    lines = []
    for entry in outcome.facts["models"][:NOTICES_SHOWN]:
        clips = f", clips {', '.join(entry['clips'])}" if entry["clips"] else ""
        lines.append(f"Written: {entry['file']}{clips}")
        lines += entry["notices"][:NOTICES_SHOWN]
    more = len(outcome.files) - NOTICES_SHOWN
    return "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def _dump(file: LooseFile) -> str:
    if file.value is None:
        return file.error
    from formats.json_codec import to_json

    text = to_json(file.value)
    return text if len(text) <= DUMP_LIMIT else text[:DUMP_LIMIT] + "\n… (mapexplorer dump writes all of it)"
