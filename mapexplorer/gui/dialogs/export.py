"""The export dialog: what, how and where to; the work goes on in the background and can be stopped."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt, QUrl
from PyQt5.QtGui import QDesktopServices
from PyQt5.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.api import World
from mapexplorer.errors import PlaceError
from mapexplorer.export.batch import file_name
from mapexplorer.export.options import ExportOptions
from mapexplorer.gui.dialogs.export_pages import FilePage, GltfPage, PicturePage, PosterPage, own_value, scrolled
from mapexplorer.gui.dialogs.options import number
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import CancelledError, Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.export_process import run_beside
from mapexplorer.gui.model.exports import (
    ALL_MAPS,
    FILE,
    GLTF_KINDS,
    KINDS,
    MODEL,
    PICTURE,
    POSTER,
    TEXTURES,
    THIS_MAP,
    ExportJob,
    Kind,
    Outcome,
    parse_headers,
)

STOPPED = {
    ALL_MAPS: "Stopped. Files that were finished are complete; starting again goes on from there.",
    TEXTURES: "Stopped. Files that were finished are complete.",
}


class ExportDialog(QDialog):
    """Modeless: the window can be used while files are written."""

    def __init__(self, parent: QWidget, explorer: Explorer, director: JobController) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.explorer, self.director = explorer, director
        self.task: Task | None = None
        self.outcome: Outcome | None = None
        self.model = 0
        self._running = ""
        row = QHBoxLayout()
        row.setSpacing(14)
        self.kinds = QListWidget()
        self.kinds.setObjectName("export kinds")
        self.kinds.setFixedWidth(210)
        for kind in KINDS:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.UserRole, kind)
            item.setToolTip(kind.hint)
            self.kinds.addItem(item)
        self.kinds.currentItemChanged.connect(self._kind_changed)
        row.addWidget(self.kinds)
        right = QVBoxLayout()
        self.hint = QLabel()
        self.hint.setWordWrap(True)
        right.addWidget(self.hint)
        self.gltf, self.poster, self.picture, self.file = GltfPage(), PosterPage(), PicturePage(), FilePage()
        self.pages = QStackedWidget()
        for page in (self.gltf, self.poster, self.picture, self.file, QWidget()):
            self.pages.addWidget(scrolled(page))
        right.addWidget(self.pages, 1)
        row.addLayout(right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(10)
        column.addLayout(row, 1)
        target = QHBoxLayout()
        target.addWidget(QLabel("To"))
        self.target = QLineEdit()
        self.target.setObjectName("export target")
        target.addWidget(self.target, 1)
        browse = QPushButton("Browse …")
        browse.clicked.connect(self._browse)
        target.addWidget(browse)
        self.processes_label = QLabel("Processes")
        target.addWidget(self.processes_label)
        self.processes = number(1, 64, os.cpu_count() or 1, hint="More are faster, and leave less to other programs")
        target.addWidget(self.processes)
        column.addLayout(target)
        self.progress = QProgressBar()
        self.progress.hide()
        column.addWidget(self.progress)
        self.result = QLabel()
        self.result.setWordWrap(True)
        self.result.setTextInteractionFlags(Qt.TextSelectableByMouse)
        column.addWidget(self.result)
        buttons = QHBoxLayout()
        self.show_files = QPushButton("Open folder")
        self.show_files.clicked.connect(self._open_folder)
        self.show_files.hide()
        buttons.addWidget(self.show_files)
        buttons.addStretch(1)
        self.stop = QPushButton("Close")
        self.stop.clicked.connect(self._stop)
        self.start = QPushButton("Export")
        self.start.setDefault(True)
        self.start.clicked.connect(self.begin)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.start)
        column.addLayout(buttons)
        self.resize(820, 700)
        self.gltf.form.take(ExportOptions(second=explorer.clock.second))
        explorer.place_changed.connect(self._suggest)

    # --- what and where

    @property
    def kind(self) -> Kind:
        """What is chosen on the left."""
        return self.kinds.currentItem().data(Qt.UserRole)

    def open(self, kind: str = THIS_MAP, model: int | None = None) -> None:
        """Show the dialog for a kind of export."""
        chosen = self.explorer.selection
        if model is None and chosen is not None and chosen.kind == "prop":
            model = chosen.key[0]
        self.model = model if model is not None else self.model
        for index in range(self.kinds.count()):
            entry = self.kinds.item(index).data(Qt.UserRole)
            if entry.id == MODEL:
                usable = model is not None
                flags = Qt.ItemIsEnabled | Qt.ItemIsSelectable
                self.kinds.item(index).setFlags(flags if usable else Qt.NoItemFlags)
            if entry.id == kind:
                self.kinds.setCurrentRow(index)
        if not self.isVisible():
            self.picture.take(self.explorer)
            if self.director.rom is not None:
                self.file.offer(self.director.rom.rom.files)
        self._suggest()
        self.show()
        self.raise_()
        self.activateWindow()

    def _kind_changed(self) -> None:
        kind = self.kind
        self.hint.setText(kind.hint)
        pages = {POSTER: 1, PICTURE: 2, FILE: 3}
        self.pages.setCurrentIndex(0 if kind.id in GLTF_KINDS else pages.get(kind.id, self.pages.count() - 1))
        self.gltf.show_kind(kind.id)
        for widget in (self.processes_label, self.processes):
            widget.setVisible(kind.id in (ALL_MAPS, POSTER))
        self._suggest()

    def _suggest(self) -> None:
        place = self.explorer.place
        if place is None or self.kinds.currentItem() is None:
            return
        kind = self.kind
        base = self.explorer.settings.get("export folder", "") or str(Path.home())
        name = Path(file_name(place.header.id, place.header.internal_name)).stem
        if kind.id == ALL_MAPS:
            target = Path(base) / "maps"
        elif kind.id == MODEL:
            target = Path(base) / f"model_{self.model:03}.glb"
        elif kind.folder:
            target = Path(base) / f"{name}_textures"
        elif kind.id == THIS_MAP:
            target = Path(base) / f"{name}.glb"
        else:
            target = Path(base) / f"{name}_{kind.id}{kind.suffix}"
        self.target.setText(str(target))

    def _browse(self) -> None:
        kind = self.kind
        if kind.folder:
            name = QFileDialog.getExistingDirectory(self, "Export into", self.target.text())
        else:
            endings = " ".join(f"*{suffix}" for suffix in kind.suffixes)
            name, _ = QFileDialog.getSaveFileName(self, "Export to", self.target.text(), endings)
        if name:
            self.target.setText(name)

    # --- doing it

    def begin(self) -> None:
        """Start the export."""
        place, rom = self.explorer.place, self.director.rom
        if place is None or rom is None or self.task is not None or not self.target.text().strip():
            return
        target = Path(self.target.text()).expanduser()
        try:
            job = self._job(rom.world, place.header.id, target)
        except (ValueError, PlaceError) as error:
            self.result.setText(str(error))
            return
        self._running = job.kind
        self.explorer.settings.set("export folder", str(target.parent))
        self.outcome = None
        self.result.setText("")
        self.show_files.hide()
        self.progress.setRange(0, 0)
        self.progress.show()
        self.start.setEnabled(False)
        self.stop.setText("Stop")
        self.task = self.director.work.submit(
            lambda task: run_beside(job, rom.path, task), self._done, self._failed, progress=self._progressed
        )

    def _job(self, world: World, header: int, target: Path) -> ExportJob:
        """The job as it is set. Raises ValueError, PlaceError."""
        kind = self.kind
        jobs = self.processes.value() if kind.id in (ALL_MAPS, POSTER) else 1
        job = ExportJob(kind.id, header, self.gltf.options(), target, self.model, jobs)
        if not kind.folder and target.suffix.lower() not in kind.suffixes:
            raise ValueError(f"{kind.title}: the file's name ends in {' or '.join(kind.suffixes)}")
        if kind.id in GLTF_KINDS:
            job = replace(job, **self.gltf.settings(kind.id))
        if kind.id == ALL_MAPS:
            job = replace(job, headers=parse_headers(world, self.gltf.maps.text()))
        elif kind.id == POSTER:
            job = replace(job, plan=self.poster.plan(), matrix=own_value(self.poster.matrix))
        elif kind.id == PICTURE:
            page = self.picture
            if target.suffix.lower() == ".gif" and page.frames.value() == 1:
                raise ValueError("A .gif has several frames; one picture is written as .png.")
            job = replace(
                job, plan=page.plan(self.explorer), engine=page.engine.currentData(), scale=page.scale.value(),
                matrix=own_value(page.matrix), area=own_value(page.area),
            )  # fmt: skip
        elif kind.id == FILE:
            if not self.file.path.text().strip():
                raise ValueError("Which file of the ROM?")
            job = replace(job, path=self.file.path.text().strip())
        return job

    def _progressed(self, done: int, total: int, text: str) -> None:
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.progress.setFormat(f"{done} of {total}")
        self.result.setText(text)

    def _finished(self) -> None:
        self.task = None
        self.progress.hide()
        self.start.setEnabled(True)
        self.stop.setText("Close")
        self.stop.setEnabled(True)

    def _done(self, outcome: Outcome) -> None:
        self._finished()
        self.outcome = outcome
        failures = "\n".join(outcome.failures[:8])
        self.result.setText(f"Done: {outcome.sentence}.\n{failures}".strip())
        self.show_files.show()

    def _failed(self, error: BaseException, trace: str) -> None:
        self._finished()
        if isinstance(error, CancelledError):
            self.result.setText(STOPPED.get(self._running, "Stopped. Nothing was written."))
        elif isinstance(error, ValueError):
            self.result.setText(str(error))
        else:
            self.result.setText(f"Failed: {error}")
            self.director.tell("The export failed", error, trace)

    def _stop(self) -> None:
        if self.task is None:
            self.close()
            return
        self.task.cancel()
        self.stop.setEnabled(False)
        self.result.setText("Stopping …")

    def _open_folder(self) -> None:
        if self.outcome is not None and self.outcome.files:
            file = self.outcome.files[0]
            folder = file if file.is_dir() else file.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def reject(self) -> None:
        """Escape closes the dialog; the work goes on."""
        self.hide()

    def closeEvent(self, event: Any) -> None:
        """As `reject`."""
        self.hide()
        event.ignore()
