"""One prop model, large: turned by the mouse, with its animations frame by frame."""

from __future__ import annotations

from PyQt5.QtCore import QTimer, pyqtSignal
from PyQt5.QtGui import QHideEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.catalogue.uses import maps_with
from mapexplorer.gui.dialogs.job_dialog import JobDialog
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.layout import MUTED, bring_up, button, column, label, row
from mapexplorer.gui.widgets.model_view import AnimationRow, ModelView, clips_of
from mapexplorer.world.subject import subject

Read = tuple[int, str, str, tuple[AnimationRow, ...]]
"""The header through whose place the model is seen, text about it, the model's name and animations."""


class ModelDialog(JobDialog):
    """`chosen`: the model is to be inspected (Subject); `export_wanted`: it is to be exported (its number)."""

    chosen = pyqtSignal(object)
    export_wanted = pyqtSignal(int)

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent, jobs, "Prop", 620, 560)
        self.setSizeGripEnabled(True)
        self.number = -1
        self.view = ModelView(jobs, 384)
        self.message = label(role=MUTED)
        buttons = (
            button("Inspect", lambda: self.chosen.emit(subject("prop", self.number)), default=False),
            button("Export …", lambda: self.export_wanted.emit(self.number), default=False),
            button("Close", self.accept, default=False),
        )
        self.setLayout(column((self.view, 1), row((self.message, 1), *buttons)))
        jobs.explorer.rom_changed.connect(self.close)

    def show_model(self, number: int) -> None:
        """Show a model."""
        self.number = number
        self.setWindowTitle(f"Prop {number}")
        self.message.setText("Reading …")
        self.view.forget()
        bring_up(self)

        def read(renderer: PlaceRenderer) -> Read:
            header = renderer.prop_places.of(number)
            name = renderer.world.prop_model(number).models[0].name
            placed = maps_with(renderer.world, "prop", number)
            text = f"{'' if placed else 'on no map; '}with the textures of {renderer.world.headers[header].title}"
            lacking = renderer.lacking_textures(header, number)
            if lacking:
                text += f", which has no {', '.join(lacking)}: magenta"
            return header, text, name, clips_of(renderer, number)

        def take(model: Read) -> None:
            header, text, name, clips = model
            if number == self.number:
                self.setWindowTitle(f"Prop {number}: {name}")
                self.message.setText(text)
                QTimer.singleShot(0, lambda: self.view.show_model(header, number, clips))

        self.jobs.request(read, take, key="model dialog", title="This model cannot be read")

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest."""
        self.view.play(False)
        super().hideEvent(event)
