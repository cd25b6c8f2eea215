"""One prop model, large: turned by the mouse, with its animations frame by frame."""

from __future__ import annotations

from PyQt5.QtCore import QTimer, pyqtSignal
from PyQt5.QtGui import QHideEvent
from PyQt5.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mapexplorer.catalogue.uses import maps_with
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model_view import AnimationRow, ModelView, clips_of
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import fit_to_screen
from mapexplorer.world.subject import subject

Read = tuple[int, str, str, tuple[AnimationRow, ...]]
"""The header through whose place the model is seen, words about it, the model's name and animations."""


class ModelDialog(QDialog):
    """`chosen`: the model is to be inspected (Subject); `export_wanted`: it is to be exported (its number)."""

    chosen = pyqtSignal(object)
    export_wanted = pyqtSignal(int)

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(True)
        self.jobs = jobs
        self.number = -1
        column = QVBoxLayout(self)
        self.view = ModelView(jobs, 384)
        column.addWidget(self.view, 1)
        row = QHBoxLayout()
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        row.addWidget(self.words, 1)
        inspect, export, close = QPushButton("Inspect"), QPushButton("Export …"), QPushButton("Close")
        inspect.clicked.connect(lambda: self.chosen.emit(subject("prop", self.number)))
        export.clicked.connect(lambda: self.export_wanted.emit(self.number))
        close.clicked.connect(self.accept)
        for button in (inspect, export, close):
            button.setAutoDefault(False)
            row.addWidget(button)
        column.addLayout(row)
        jobs.explorer.rom_changed.connect(self.close)
        fit_to_screen(self, 620, 560)

    def show_model(self, number: int) -> None:
        """Show a model."""
        self.number = number
        self.setWindowTitle(f"Prop {number}")
        self.words.setText("Reading …")
        self.view.forget()
        self.show()
        self.raise_()

        def read(renderer: PlaceRenderer) -> Read:
            header = renderer.prop_places.of(number)
            name = renderer.world.prop_model(number).models[0].name
            placed = maps_with(renderer.world, "prop", number)
            words = f"{'' if placed else 'on no map; '}with the textures of {renderer.world.headers[header].title}"
            lacking = renderer.lacking_textures(header, number)
            if lacking:
                words += f", which has no {', '.join(lacking)}: magenta"
            return header, words, name, clips_of(renderer, number)

        def take(found: Read) -> None:
            header, words, name, clips = found
            if number == self.number:
                self.setWindowTitle(f"Prop {number}: {name}")
                self.words.setText(words)
                QTimer.singleShot(0, lambda: self.view.show_model(header, number, clips))

        self.jobs.ask(read, take, key="model dialog", title="This model cannot be read")

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest."""
        self.view.play(False)
        super().hideEvent(event)
