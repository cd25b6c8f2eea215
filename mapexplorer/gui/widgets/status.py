"""The fields of the status bar."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PyQt5.QtWidgets import QLabel, QStatusBar

from formats.kernel.progress import KernelProgress
from mapexplorer.gui.app.compilation_bar import compilation_bar
from mapexplorer.gui.model.camera import FLY, ViewCamera
from mapexplorer.gui.model.save_change import SaveChange
from mapexplorer.gui.rendering.place_renderer import RenderedFrame
from mapexplorer.gui.widgets.controls import ElidedLabel, show_text
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.view import GAME, View
from mapexplorer.values import count
from mapexplorer.world import FieldPlace
from mapexplorer.world.cells import TILE_UNITS

_SECONDS: Final = 6


class StatusFields:
    """The fields of the status bar: the object under the cursor, compilation, a running export, other work, how much
    the user changed of the save, weather that is not shown, the flying camera's speed, the tick and the time of the
    picture, and the state of the walking player."""

    def __init__(self, bar: QStatusBar) -> None:
        self._bar = bar
        bar.setSizeGripEnabled(False)
        self.compilation = compilation_bar()
        self.busy, self.weather, self.speed, self.tick, self.time = (QLabel() for _ in range(5))
        self.export, self.save = QLabel(), QLabel()
        self.cursor, self.walk = ElidedLabel(), ElidedLabel()
        self.save.setToolTip(
            "The saved game, and what you changed of flags and variables: Ctrl+Z undoes the last change"
        )
        self.speed.setToolTip("Speed of the flying camera: turn the wheel with Ctrl to change it; Shift flies faster")
        self.tick.setToolTip("Field updates of 1/29.9 s since the map was entered")
        self.time.setToolTip("How long the picture took to draw")
        self.walk.setObjectName("walk state")
        bar.addWidget(self.cursor, 1)
        for field in (
            self.compilation,
            self.export,
            self.busy,
            self.save,
            self.weather,
            self.speed,
            self.tick,
            self.time,
        ):
            bar.addPermanentWidget(field)
        bar.addPermanentWidget(self.walk, 2)
        self.compilation.hide()  # adding it to the status bar has shown it
        self.walk.hide()

    def tell(self, text: str) -> None:
        """Say what was done, for some seconds."""
        self._bar.showMessage(text, _SECONDS * 1000)

    def show_compilation(self, progress: KernelProgress | None, visible: bool) -> None:
        """Show the progress of compilation; None when nothing is compiled."""
        if progress is not None:
            self.compilation.show_progress(progress)
        self.compilation.setVisible(progress is not None and visible)

    def show_weather(self, place: FieldPlace | None, view: View) -> None:
        """Show which part of a place's weather is not drawn because the camera is not the game's."""
        text = ""
        if place is not None and not view.shows_weather and _has_weather(place, view):
            subject = "Sprites and background of the weather" if view.shows_fog else "Fog and weather"
            text = f"{subject}: only with the game's camera{' and without the whole matrix' if view.all_cells else ''}"
        show_text(self.weather, text)

    def show_save(self, name: str, change: SaveChange) -> None:
        """Show the name of the saved game, empty for a new one, and how many of its flags and variables are changed."""
        changes = f"{count(len(change), 'change')} of the save" if change else ""
        show_text(self.save, ", ".join(filter(None, (name, changes))))

    def show_camera(self, camera: ViewCamera) -> None:
        """Show the speed of a flying camera."""
        flies = camera.kind == FLY
        show_text(self.speed, f"flies {camera.speed / TILE_UNITS:.3g} tiles a second" if flies else "")

    def show_frame(self, frame: RenderedFrame | None) -> None:
        """Show tick and time of a DS picture."""
        self.busy.clear()
        if frame is None:
            return
        self.time.setText(f"{frame.seconds * 1000:.0f} ms")
        altered = f"  ·  not the console's picture: {frame.altered}" if frame.altered else ""
        self.tick.setText(f"tick {frame.request.view.tick}{altered}")

    def show_view(self, has_frame: bool) -> None:
        """Show the fields of a DS picture, or hide them in a view that has none."""
        self.tick.setVisible(has_frame)
        self.time.setVisible(has_frame)


def _has_weather(place: FieldPlace, view: View) -> bool:
    """Whether the game's camera would show fog or weather."""
    conditions = Conditions.of_view(place, replace(view, camera=GAME, all_cells=False))
    return conditions.weather != 0 or conditions.fog is not None
