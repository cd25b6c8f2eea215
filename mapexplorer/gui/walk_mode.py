"""Walking in the window: keys, the clock that drives the player, and the read-out of why he was refused."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PyQt5.QtCore import QEvent, QObject, Qt, QTimer
from PyQt5.QtWidgets import QLabel

from mapexplorer.gui.model.walking import Walking
from mapexplorer.units import TICKS_PER_SECOND

if TYPE_CHECKING:
    from mapexplorer.gui.window import Window

KEYS = {
    Qt.Key_Up: 0, Qt.Key_W: 0, Qt.Key_Down: 1, Qt.Key_S: 1,
    Qt.Key_Left: 2, Qt.Key_A: 2, Qt.Key_Right: 3, Qt.Key_D: 3,
}  # fmt: skip
INTERACT = (Qt.Key_Return, Qt.Key_Enter, Qt.Key_E)
_BEHIND = 4
"""Updates that are made up for at most when the window was held up."""


class WalkMode(QObject):
    """Drives a `Walking` for a window while it is on."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.window = window
        self.walking = Walking(window.explorer)
        self.slowest = 0.0
        window.director.player = lambda: self.walking.figure
        window.views.in_use = lambda: self.walking.holding
        self._label = QLabel()
        self._label.setObjectName("walk words")
        self._label.hide()
        window.statusBar().addPermanentWidget(self._label)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.setInterval(round(1000 / TICKS_PER_SECOND / 2))
        self._timer.timeout.connect(self._catch_up)
        self._due = 0.0
        self._was_on = False
        self.walking.changed.connect(self._changed)
        self.attach(window.views.ds)
        window.views.gl_made.connect(self.attach)

    @property
    def on(self) -> bool:
        """Whether somebody walks."""
        return self.walking.active

    def attach(self, view: Any) -> None:
        """Take the keys of a view while walking, before they move the camera."""
        view.installEventFilter(self)

    def toggle(self) -> None:
        """Start or stop."""
        if self.on:
            self.walking.stop()
        else:
            self.window.explorer.clock.play(False)
            self.walking.start()
            self.window.views.active.setFocus(Qt.OtherFocusReason)

    def _changed(self) -> None:
        if self.on != self._was_on:
            self._was_on = self.on
            self._due = time.perf_counter()
            (self._timer.start if self.on else self._timer.stop)()
        self._label.setVisible(self.on)
        self._label.setText(self.walking.words)
        self.window.explorer.marks = (tuple(self.walking.trail), self.walking.refused)
        self.window.update_actions()

    def _catch_up(self) -> None:
        now = time.perf_counter()
        self._due = max(self._due, now - _BEHIND / TICKS_PER_SECOND)
        while self.on and self._due <= now:
            self._due += 1 / TICKS_PER_SECOND
            self.update()

    def update(self) -> None:
        """One field update; how long the slowest took is kept in `slowest`, in seconds of this thread's own work."""
        start = time.thread_time()
        self.walking.update()
        self.window.explorer.marks = (tuple(self.walking.trail), self.walking.refused)
        self.slowest = max(self.slowest, time.thread_time() - start)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the views: those that walk go no further."""
        if not self.on:
            return False
        if event.type() in (QEvent.KeyPress, QEvent.KeyRelease):
            return self._key(event, event.type() == QEvent.KeyPress)
        if event.type() == QEvent.FocusOut:
            self.walking.release_all()
        return False

    def _key(self, event: Any, down: bool) -> bool:
        from mapexplorer.walk import Direction

        if event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
            return False
        self.walking.run(bool(event.modifiers() & Qt.ShiftModifier))
        number = KEYS.get(event.key())
        if number is not None:
            if not event.isAutoRepeat():
                (self.walking.hold if down else self.walking.release)(Direction(number))
            return True
        if event.key() in INTERACT and down and not event.isAutoRepeat():
            self.walking.interact()
            return True
        if event.key() == Qt.Key_Escape and down:
            self.toggle()
            return True
        return False

    def put_at(self, spot: tuple[float, float, float]) -> None:
        """Put the player on the ground at a spot in units."""
        self.walking.put(int(spot[0] // 16), int(spot[2] // 16), spot[1])


class WalkCommands:
    """The commands of the Walk menu."""

    window: Window

    @property
    def _walking(self) -> Walking:
        return self.window.walk_mode.walking

    def toggle_walk(self) -> None:
        self.window.walk_mode.toggle()

    def walk_interact(self) -> None:
        self._walking.interact()

    def walk_bicycle(self) -> None:
        self._walking.toggle_bicycle()

    def walk_gear(self) -> None:
        self._walking.shift_gear()

    def walk_back(self) -> None:
        self._walking.back()

    def toggle_run(self) -> None:
        self._walking.always_run = not self._walking.always_run

    def toggle_surf(self) -> None:
        self._walking.surfs_by_itself = not self._walking.surfs_by_itself

    def toggle_walk_people(self) -> None:
        self._walking.set_people(not self._walking.people)

    def toggle_ghost(self) -> None:
        self._walking.set_ghost(not self._walking.ghost)

    @property
    def walks(self) -> bool:
        return self._walking.active

    @property
    def rides(self) -> bool:
        walker = self._walking.walker
        return walker is not None and walker.mode.name == "BICYCLE"

    @property
    def always_runs(self) -> bool:
        return self._walking.always_run

    @property
    def surfs_by_itself(self) -> bool:
        return self._walking.surfs_by_itself

    @property
    def meets_people(self) -> bool:
        return self._walking.people

    @property
    def is_ghost(self) -> bool:
        return self._walking.ghost
