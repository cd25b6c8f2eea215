"""The export dialog: what, how and where to; the work goes on in the background and can be stopped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt, QTime, QUrl
from PyQt5.QtGui import QDesktopServices
from PyQt5.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.export.batch import file_name
from mapexplorer.export.options import BY_MATERIAL, BY_SHAPE, ExportOptions
from mapexplorer.gui.director import Director
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.export_process import run_beside
from mapexplorer.gui.model.exports import ALL_MAPS, KINDS, MODEL, PRESETS, THIS_MAP, ExportJob, Kind, Outcome
from mapexplorer.gui.widgets import ComboBox
from mapexplorer.gui.workers import CancelledError, Task

ENGINE_HINTS = (
    "Textures are to be shown without smoothing: Blender sets Closest by itself; in Godot choose Nearest in the import "
    "tab; three.js and model-viewer follow the file."
)


class ExportDialog(QDialog):
    """Modeless: the window can be used while files are written."""

    def __init__(self, parent: QWidget, explorer: Explorer, director: Director) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.explorer, self.director = explorer, director
        self.task: Task | None = None
        self.outcome: Outcome | None = None
        self.model = 0
        self.headers: tuple[int, ...] | None = None
        self._chosen_target: dict[str, str] = {}
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
        self.options = self._options()
        right.addWidget(self.options)
        right.addStretch(1)
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
        self.resize(720, 520)
        self._take_options(ExportOptions(second=explorer.clock.second))
        explorer.place_changed.connect(self._suggest)

    def _options(self) -> QWidget:
        box = QWidget()
        form = QFormLayout(box)
        form.setContentsMargins(0, 4, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        self.preset = ComboBox()
        self.preset.addItems(PRESETS)
        self.preset.activated.connect(lambda: self._take_options(list(PRESETS.values())[self.preset.currentIndex()]))
        form.addRow("Preset", self.preset)
        self.light = ComboBox()
        self.light.addItem("Baked into vertex colours, unlit", False)
        self.light.addItem("Normals and lit materials", True)
        form.addRow("Light", self.light)
        self.time = QTimeEdit()
        self.time.setDisplayFormat("HH:mm")
        form.addRow("Hour of the light", self.time)
        self.merge = ComboBox()
        self.merge.addItem("One node for each shape", BY_SHAPE)
        self.merge.addItem("Merged by material", BY_MATERIAL)
        form.addRow("Meshes", self.merge)
        self.scale = QDoubleSpinBox()
        self.scale.setDecimals(5)
        self.scale.setRange(0.00001, 100.0)
        self.scale.setSingleStep(0.0625)
        self.scale.setSuffix(" m a unit")
        self.scale.setToolTip("1/16 = 0.0625: a tile of 16 units is a metre")
        form.addRow("Scale", self.scale)
        self.mirror = QCheckBox("Bake mirrored textures, for tools that lose mirrored repeat")
        self.collision = QCheckBox("Collision and behaviours as a scene of their own")
        self.heights = QCheckBox("Height plates as a scene of their own")
        self.dummies = QCheckBox("Dummy boxes that the game would show")
        for check in (self.mirror, self.collision, self.heights, self.dummies):
            form.addRow("", check)
        note = QLabel(ENGINE_HINTS)
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        form.addRow(note)
        return box

    def _take_options(self, options: ExportOptions) -> None:
        self.light.setCurrentIndex(int(options.lit))
        self.time.setTime(QTime(0, 0).addSecs(options.second))
        self.merge.setCurrentIndex(int(options.merge == BY_MATERIAL))
        self.scale.setValue(options.scale)
        self.mirror.setChecked(options.bake_mirror)
        self.collision.setChecked(options.collision)
        self.heights.setChecked(options.heights)
        self.dummies.setChecked(options.dummies)

    def chosen_options(self) -> ExportOptions:
        """The options as they are set."""
        return ExportOptions(
            second=QTime(0, 0).secsTo(self.time.time()),
            lit=self.light.currentData(),
            scale=self.scale.value(),
            merge=self.merge.currentData(),
            bake_mirror=self.mirror.isChecked(),
            collision=self.collision.isChecked(),
            heights=self.heights.isChecked(),
            dummies=self.dummies.isChecked(),
        )

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
        self._suggest()
        self.show()
        self.raise_()
        self.activateWindow()

    def _kind_changed(self) -> None:
        kind = self.kind
        self.hint.setText(kind.hint)
        self.options.setVisible(kind.options)
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
            name, _ = QFileDialog.getSaveFileName(self, "Export to", self.target.text(), f"*{kind.suffix}")
        if name:
            self.target.setText(name)

    # --- doing it

    def begin(self) -> None:
        """Start the export."""
        place, rom = self.explorer.place, self.director.rom
        if place is None or rom is None or self.task is not None or not self.target.text().strip():
            return
        target = Path(self.target.text()).expanduser()
        kind = self.kind
        cores = os.cpu_count() or 1
        job = ExportJob(
            kind.id, place.header.id, self.chosen_options(), target, self.model,
            jobs=max(1, cores - 1) if kind.id == ALL_MAPS and (self.headers is None or len(self.headers) > 20) else 1,
            headers=self.headers,
        )  # fmt: skip
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
            self.result.setText("Stopped. Files that were finished are complete; starting again goes on from there.")
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
