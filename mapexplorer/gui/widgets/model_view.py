"""A prop model that is turned by the mouse, with its animations, which play or stay at a chosen frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QPointF, QRectF, QSignalBlocker, Qt
from PyQt5.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PyQt5.QtWidgets import QLabel, QToolButton, QWidget

from formats.binary import FormatError
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.rendering.model_preview import ALL_CLIPS, Orbit
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import icons
from mapexplorer.gui.widgets.controls import ComboBox, Slider
from mapexplorer.gui.widgets.layout import MUTED, column, label, row, timer
from mapexplorer.units import TICKS_PER_SECOND
from mapexplorer.world.models.animations import AUTOMATIC, prop_animations

_INTERVAL: Final = 50
"""Milliseconds between the pictures of an animation."""
_HEIGHT: Final = 200
"""The least height of the picture."""
_DEGREES: Final = 0.8
"""By a pixel of a drag."""


LoadPicture = Callable[[Any, Orbit, Take["npt.NDArray[np.uint8]"], Fail], object]
"""Requests a picture (192, 256, 4) of something, seen from an orbit, as a `Loader` does."""


class Turntable(QLabel):
    """The picture of a model, seen from `orbit`, enlarged by a whole number as far as it fits; drag to turn it, turn
    the wheel to come nearer. At most one picture is requested at once; the next one is that of the last request."""

    def __init__(self, load: LoadPicture) -> None:
        super().__init__()
        self.setObjectName("turntable")
        self.setAlignment(Qt.AlignCenter)
        self.setMinimumHeight(_HEIGHT)
        self.setCursor(Qt.SizeAllCursor)
        self.setToolTip("Drag to turn, wheel to come nearer")
        self.orbit = Orbit()
        self.drawn: Any = None
        """What is in the picture; None for nothing."""
        self._load = load
        self._wanted: Any = None
        self._pictures: Loader[None, npt.NDArray[np.uint8]] = Loader(
            self._load_picture, self._show, at_once=1, budget=None
        )
        self.destroyed.connect(lambda *_, pictures=self._pictures: pictures.clear())
        self._last: QPointF | None = None

    @property
    def waiting(self) -> bool:
        """Whether a picture is requested that is not there yet."""
        return not self._pictures.complete()

    def want(self, wanted: object | None) -> None:
        """Show something as soon as its picture is drawn; None: request no other picture."""
        self._wanted = wanted
        self._pictures.want({} if wanted is None else {None: (wanted, self.orbit)})

    def forget(self) -> None:
        """Show nothing, and discard what was requested."""
        self._wanted = self.drawn = None
        self._pictures.clear()
        self.clear()

    def _load_picture(
        self, key: None, version: tuple[Any, Orbit], take: Take[npt.NDArray[np.uint8]], fail: Fail
    ) -> object:
        def failed(error: BaseException) -> None:
            if key in self._pictures.known:  # the widget is still there
                self.setText(str(error))
            fail(error)

        return self._load(*version, take, failed)

    def _show(self, key: None, version: tuple[Any, Orbit], picture: npt.NDArray[np.uint8] | None) -> None:
        if picture is not None:
            self.drawn = version[0]
            self.setPixmap(QPixmap.fromImage(image_of(picture)))

    def _turn(self, orbit: Orbit) -> None:
        self.orbit = orbit
        self.want(self._wanted)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture, or the text."""
        picture = self.pixmap()
        if picture is None or picture.isNull():
            super().paintEvent(event)
            return
        factor = max(1, min(self.width() // picture.width(), self.height() // picture.height()))
        area = QRectF(0, 0, picture.width() * factor, picture.height() * factor)
        area.moveCenter(QRectF(self.rect()).center())
        QPainter(self).drawPixmap(area.toAlignedRect(), picture)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn."""
        self._last = QPointF(event.localPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn."""
        if self._last is not None:
            moved = (event.localPos() - self._last) * _DEGREES
            self._last = QPointF(event.localPos())
            self._turn(self.orbit.turned(moved.x(), moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop."""
        self._last = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Come nearer or go away."""
        self._turn(self.orbit.nearer(event.angleDelta().y() / 120))
        event.accept()


@dataclass(frozen=True)
class AnimationRow:
    """An animation of a model: its slot in the model's list (or ALL_CLIPS), its name, its playback in the game, its
    length in frames."""

    slot: int
    title: str
    when: str
    frames: int


def clips_of(renderer: PlaceRenderer, number: int) -> tuple[AnimationRow, ...]:
    """The clips of a model: all at once if the game starts them so, then each one; damaged ones are left out."""
    try:
        entry = renderer.world.prop_animations(number)
    except FormatError:
        return ()
    slots = list(entry.used) if entry is not None else []
    clips = [
        AnimationRow(
            slots.index(animation.index),
            f"{animation.name} ({animation.kind}, {animation.frames} frames)",
            animation.when,
            animation.frames,
        )
        for animation in prop_animations(renderer.world, number)
    ]
    if len({clip.slot for clip in clips}) > 1 and clips[0].when == AUTOMATIC:
        longest = max(clip.frames for clip in clips)
        return (AnimationRow(ALL_CLIPS, "All together", AUTOMATIC, longest), *clips)
    return tuple(clips)


class ModelView(QWidget):
    """The turntable, the choice of an animation, and the slider of its frames. Nothing is drawn while it is not
    seen."""

    def __init__(self, jobs: JobController) -> None:
        super().__init__()
        self.jobs = jobs
        self.tick = 0
        self._model: tuple[int, int] | None = None
        """The header through whose place the model is seen, and its number."""
        self.table = Turntable(self._load_picture)
        self.clips = ComboBox(changed=lambda _: self._clip_chosen(), name="model clips")
        self.clips.view().setMinimumWidth(300)
        self.play_button = QToolButton()
        self.play_button.setObjectName("play model")
        self.play_button.clicked.connect(lambda _: self.play(not self.playing))
        self.slider = Slider(self._frame_chosen, "Frame of the animation", name="model frame")
        self.slider.sliderPressed.connect(lambda: self.play(False))
        self.position = label(role=MUTED, wrap=False)
        self.position.setMinimumWidth(self.position.fontMetrics().horizontalAdvance("000 of 000"))
        frames = row(self.play_button, (self.slider, 1), self.position)
        self.setLayout(column((self.table, 1), self.clips, frames, margins=(0, 0, 0, 0), spacing=6))
        self._timer = timer(self, _INTERVAL, self._advance, repeats=True)
        self.show_model(0, None, ())

    def show_model(self, header: int, number: int | None, clips: tuple[AnimationRow, ...]) -> None:
        """Show a model with the textures of a header's place; none with None. If an animation was chosen, the first one
        of the model is played."""
        chosen = self.clip is not None
        self._model = None if number is None else (header, number)
        with QSignalBlocker(self.clips):
            self.clips.clear()
            self.clips.addItem("Still" if clips else "No animations", None)
            for clip in clips:
                self.clips.addItem(f"{clip.title}, {clip.when}", clip)
            self.clips.setCurrentIndex(1 if chosen and clips else 0)
        self.clips.setEnabled(bool(clips))
        self.clips.setToolTip("Animation to play, and when the game plays it" if clips else "This model has none")
        if number is None:
            self.table.forget()
        self._clip_chosen()

    def forget(self) -> None:
        """Discard the model and the results that are under way."""
        self.show_model(0, None, ())

    @property
    def drawn(self) -> int:
        """The number of the model in the picture; -1 for none."""
        return -1 if self.table.drawn is None else self.table.drawn[0][1]

    @property
    def clip(self) -> AnimationRow | None:
        """The animation that is chosen; None for a still model."""
        chosen: AnimationRow | None = self.clips.currentData()
        return chosen

    @property
    def playing(self) -> bool:
        """Whether an animation plays."""
        return self._timer.isActive()

    def visibility_changed(self) -> None:
        """Go on where the view has become visible, rest where it is not."""
        self.play(self.clip is not None and self.isVisible())
        self._draw()

    def play(self, plays: bool) -> None:
        """Play the animation, or stay at its frame."""
        (self._timer.start if plays else self._timer.stop)()
        self.play_button.setIcon(icons.icon("pause" if plays else "play"))
        self.play_button.setToolTip("Stay at this frame" if plays else "Play")

    def _clip_chosen(self) -> None:
        clip = self.clip
        self.tick = 0
        for widget in (self.slider, self.play_button):
            widget.setEnabled(clip is not None)
        self._show_frame()
        self.visibility_changed()

    def _show_frame(self) -> None:
        frames = self.clip.frames if self.clip is not None else 0
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, frames - 1))
            self.slider.setValue(self.tick % max(1, frames))
        self.position.setText(f"{self.slider.value()} of {frames - 1}" if frames else "")

    def _frame_chosen(self, frame: int) -> None:
        self.play(False)
        self.tick = frame
        self._show_frame()
        self._draw()

    def _advance(self) -> None:
        if not self.isVisible():
            self._timer.stop()
            return
        self.tick += round(_INTERVAL / 1000 * TICKS_PER_SECOND)
        self._show_frame()
        self._draw()

    def _draw(self) -> None:
        self.table.want((self._model, self.tick, self.clip) if self._model is not None and self.isVisible() else None)

    def _load_picture(self, wanted: Any, orbit: Orbit, take: Take[npt.NDArray[np.uint8]], fail: Fail) -> Task | None:
        (header, number), tick, clip = wanted
        slot = clip.slot if clip is not None else None
        return self.jobs.request(
            lambda renderer: renderer.model_picture(header, number, orbit, tick, slot),
            take,
            failed=fail,
            title="This model cannot be drawn",
        )
