"""The workbench: loose files dropped together, what each is, models on the turntable, export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtGui import QImage, QPixmap
from PyQt5.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui.director import Director
from mapexplorer.gui.docks.models import Turntable
from mapexplorer.gui.model.loose import Assembly, LooseFile, assemble, files_below, read_file
from mapexplorer.gui.stage import Stage

DUMP_LIMIT = 200_000


class Workbench(QDialog):
    """Files on the left, the chosen one on the right: its picture, its contents as JSON, its export."""

    def __init__(self, parent: QWidget, director: Director) -> None:
        super().__init__(parent)
        self.setWindowTitle("Loose files")
        self.setAcceptDrops(True)
        self.director = director
        self.files: list[LooseFile] = []
        self.assemblies: list[Assembly] = []
        self.exported: Path | None = None
        self._stage: Stage | None = None
        self._yaw, self._tick = 30.0, 0
        self._waiting = False
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        split = QSplitter(Qt.Horizontal)
        self.tree = QTreeWidget()
        self.tree.setObjectName("loose files")
        self.tree.setHeaderLabels(["File", "What it is"])
        self.tree.currentItemChanged.connect(lambda *_: self._current())
        split.addWidget(self.tree)
        right = QWidget()
        side = QVBoxLayout(right)
        side.setContentsMargins(8, 0, 0, 0)
        self.table = Turntable()
        self.table.turned.connect(self._turn)
        side.addWidget(self.table)
        self.words = QLabel()
        self.words.setWordWrap(True)
        side.addWidget(self.words)
        self.dump = QPlainTextEdit()
        self.dump.setReadOnly(True)
        self.dump.setLineWrapMode(QPlainTextEdit.NoWrap)
        side.addWidget(self.dump, 1)
        split.addWidget(right)
        split.setSizes([330, 430])
        column.addWidget(split, 1)
        row = QHBoxLayout()
        add = QPushButton("Add files …")
        add.clicked.connect(self._add)
        row.addWidget(add)
        clear = QPushButton("Clear")
        clear.clicked.connect(self._clear)
        row.addWidget(clear)
        row.addStretch(1)
        self.export_button = QPushButton("Export as GLB …")
        self.export_button.clicked.connect(self._export)
        for button in (add, clear):
            button.setAutoDefault(False)
        self.export_button.setDefault(True)
        row.addWidget(self.export_button)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        row.addWidget(close)
        column.addLayout(row)
        self.resize(800, 620)
        self._timer = QTimer(self)
        self._timer.setInterval(50)
        self._timer.timeout.connect(self._advance)

    # --- files

    def open(self, paths: list[Path]) -> None:
        """Add files to those that are there, and show the workbench."""
        known = {file.path for file in self.files}
        self.words.setText("Reading …")
        self.show()
        self.raise_()
        self.director.look.submit(
            lambda task: [read_file(path) for path in files_below(paths) if path not in known], self._take,
            lambda error, trace: self.director.tell("These files cannot be read", error, trace),
        )  # fmt: skip

    def _take(self, files: list[LooseFile]) -> None:
        self.files += files
        self.assemblies = assemble(self.files)
        self.tree.clear()
        parts: set[Path] = set()
        for assembly in self.assemblies:
            item = QTreeWidgetItem([assembly.name, assembly.file.title])
            item.setData(0, Qt.UserRole, assembly)
            self.tree.addTopLevelItem(item)
            parts.add(assembly.file.path)
            if assembly.texture_source and assembly.texture_source != "its own":
                QTreeWidgetItem(item, [assembly.texture_source, "its textures"])
            for animation in assembly.animations:
                parts.add(animation.path)
                child = QTreeWidgetItem(item, [animation.path.name, animation.title])
                child.setData(0, Qt.UserRole, animation)
        for file in self.files:
            if file.path not in parts:
                item = QTreeWidgetItem([file.path.name, file.title])
                item.setData(0, Qt.UserRole, file)
                item.setToolTip(1, file.error)
                self.tree.addTopLevelItem(item)
        self.tree.expandAll()
        self.tree.resizeColumnToContents(0)
        if self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))

    def _add(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Add files")
        if names:
            self.open([Path(name) for name in names])

    def _clear(self) -> None:
        self.files = []
        self._take([])
        self.words.setText("")
        self.dump.clear()

    def dragEnterEvent(self, event: Any) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: Any) -> None:
        """Add them."""
        event.acceptProposedAction()
        self.open([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    # --- the chosen one

    @property
    def current(self) -> Assembly | LooseFile | None:
        """What is chosen on the left."""
        item = self.tree.currentItem()
        return item.data(0, Qt.UserRole) if item is not None else None

    def _current(self) -> None:
        chosen = self.current
        self._timer.stop()
        self._stage = None
        self.table.clear()
        self.export_button.setEnabled(isinstance(chosen, Assembly))
        file = chosen.file if isinstance(chosen, Assembly) else chosen
        if file is None:
            return
        self.words.setText(_words(chosen))
        self.table.setVisible(isinstance(chosen, Assembly) and chosen.is_nitro)
        self.director.look.submit(
            lambda task: _dump(file), self.dump.setPlainText, lambda error, trace: self.dump.setPlainText(str(error)),
            key="loose dump",
        )  # fmt: skip
        if isinstance(chosen, Assembly) and chosen.is_nitro:
            animations = [animation.value for animation in chosen.animations]
            self.director.look.submit(
                lambda task: Stage.of_files(chosen.model, chosen.textures, animations),
                lambda stage: self._staged(chosen, stage), lambda error, trace: self.table.setText(str(error)),
                key="loose stage",
            )  # fmt: skip

    def _staged(self, chosen: Assembly, stage: Stage) -> None:
        if self.current is chosen:
            self._stage, self._tick, self._waiting = stage, 0, False
            self._draw()
            if chosen.animations:
                self._timer.start()

    def _turn(self, degrees: float) -> None:
        self._yaw = (self._yaw + degrees) % 360
        self._draw()

    def _advance(self) -> None:
        if self.isVisible():
            self._tick += 1
            self._draw()

    def _draw(self) -> None:
        stage, yaw, tick = self._stage, self._yaw, self._tick
        if stage is None or self._waiting:
            return
        self._waiting = True
        self.director.look.submit(
            lambda task: stage.picture(yaw, tick), self._drawn, lambda error, trace: self.table.setText(str(error))
        )

    def _drawn(self, picture: Any) -> None:
        self._waiting = False
        height, width = picture.shape[:2]
        image = QImage(picture.data, width, height, width * 4, QImage.Format_RGBA8888)
        self.table.setPixmap(QPixmap.fromImage(image.copy()))

    # --- export

    def _export(self) -> None:
        chosen = self.current
        if isinstance(chosen, Assembly):
            name, _ = QFileDialog.getSaveFileName(self, "Export", f"{chosen.name}.glb", "GLB (*.glb)")
            if name:
                self.export(chosen, Path(name))

    def export(self, assembly: Assembly, target: Path) -> None:
        """Write a model with its textures and animations."""
        self.director.work.submit(
            lambda task: write(assembly, target), self._exported,
            lambda error, trace: self.director.tell("The model cannot be exported", error, trace),
        )  # fmt: skip

    def _exported(self, target: Path) -> None:
        self.exported = target
        self.words.setText(f"Written: {target}")

    def closeEvent(self, event: Any) -> None:
        """Nothing moves while closed."""
        self._timer.stop()
        super().closeEvent(event)


def write(assembly: Assembly, target: Path) -> Path:
    """Write a loose model as GLB. Raises FormatError, OSError."""
    if assembly.is_nitro:
        from mapexplorer.export.gltf.nitro import model_document

        sets = [assembly.textures] if assembly.textures is not None else []
        return model_document(assembly.model, *sets)[0].write(target)
    if assembly.file.kind == "Bmd":
        from mapexplorer.export.gltf.j3d import export_j3d

        animations = [(animation.path.stem, animation.value) for animation in assembly.animations]
        return export_j3d(assembly.model, target, animations, name=assembly.name)
    from mapexplorer.export.gltf.msh import export_msh

    return export_msh(assembly.model, target, name=assembly.name)


def _words(chosen: Assembly | LooseFile | None) -> str:
    if isinstance(chosen, Assembly):
        lines = [f"{chosen.file.path.name}: {chosen.file.title}"]
        if chosen.is_nitro:
            source = chosen.texture_source or "none found: add the NSBTX that belongs to it"
            lines.append(f"Textures: {source}. Animations that fit by name: {len(chosen.animations)}.")
            lines += [f"White: {words}" for words in chosen.lacking[:4]]
        return "\n".join(lines)
    if chosen is None:
        return ""
    return chosen.error or f"{chosen.path.name}: {chosen.title}"


def _dump(file: LooseFile) -> str:
    if file.value is None:
        return file.error
    from formats.plain import to_json

    text = to_json(file.value)
    return text if len(text) <= DUMP_LIMIT else text[:DUMP_LIMIT] + "\n… (mapexplorer dump writes all of it)"
