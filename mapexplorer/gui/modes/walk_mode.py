"""Walking in the window: the keys, and the timer that drives the player."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from PyQt5.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QKeyEvent

from mapexplorer.gameplay.conversation import Conversation
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.walking import Walking
from mapexplorer.gui.views.area import MAP, Views
from mapexplorer.gui.views.canvas import Canvas
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.gui.widgets.text_box import TextBox
from mapexplorer.units import TICKS_PER_SECOND
from mapexplorer.world.cells import TILE_UNITS

KEYS: Final[dict[int, int]] = {
    Qt.Key_Up: 0,
    Qt.Key_W: 0,
    Qt.Key_Down: 1,
    Qt.Key_S: 1,
    Qt.Key_Left: 2,
    Qt.Key_A: 2,
    Qt.Key_Right: 3,
    Qt.Key_D: 3,
}
INTERACT = (Qt.Key_Return, Qt.Key_Enter, Qt.Key_E)
_BEHIND = 4
"""The most updates that are run at once after the window was blocked."""


class WalkMode(QObject):
    """Drives a `Walking` while it is on, and shows what is said to the player. `changed`: it was turned on or off, or
    its status text has changed."""

    changed = pyqtSignal()

    def __init__(self, explorer: Explorer, views: Views, walking: Walking) -> None:
        super().__init__(views)
        self.explorer, self.views, self.walking = explorer, views, walking
        self._timer = timer(self, round(1000 / TICKS_PER_SECOND / 2), self._catch_up, repeats=True)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._due = 0.0
        self._was_on = False
        self.walking.changed.connect(self._changed)
        self.walking.spoken.connect(self._talk)
        self.box = TextBox(views, self._picture)
        self.box.answered.connect(self._answer)
        self._conversation: Conversation | None = None

    @property
    def on(self) -> bool:
        """Whether the player walks."""
        return self.walking.active

    def attach(self, view: Canvas) -> None:
        """Receive the keys of a view while walking, instead of the camera."""
        view.installEventFilter(self)

    def press_button(self) -> None:
        """Press the action button: talk, read, go on in a text."""
        if self.box.isVisible():
            self.box.go_on()
        else:
            self.walking.interact()

    def toggle(self) -> None:
        """Start or stop."""
        if self.on:
            self.walking.stop()
        else:
            if self.views.wanted == MAP:
                self.views.toggle_map()
            self.explorer.clock.play(False)
            self.walking.start()
            self.views.active.setFocus(Qt.OtherFocusReason)

    def _changed(self) -> None:
        if not self.on:
            self.box.hide()
        if self.on != self._was_on:
            self._was_on = self.on
            self._due = time.perf_counter()
            (self._timer.start if self.on else self._timer.stop)()
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        walking = self.walking
        self.explorer.marks = replace(
            self.explorer.marks, trail=tuple(walking.trail), refused=walking.refused, reason=walking.reason
        )

    def _catch_up(self) -> None:
        now = time.perf_counter()
        self._due = max(self._due, now - _BEHIND / TICKS_PER_SECOND)
        while self.on and self._due <= now:
            self._due += 1 / TICKS_PER_SECOND
            self.update()

    def update(self) -> None:
        """Do one field update."""
        self.walking.update()
        self._mark()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the views; those for walking are not passed on."""
        if not self.on:
            return False
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.KeyPress, QEvent.KeyRelease):
            return self._key(event, event.type() == QEvent.KeyPress)
        if event.type() == QEvent.FocusOut:
            self.walking.release_all()
        return False

    def _key(self, event: QKeyEvent, down: bool) -> bool:
        from mapexplorer.walk import Direction

        if event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
            return False
        if self.box.isVisible():
            if down:
                self.box.press(event.key())
            return True
        self.walking.runs = bool(event.modifiers() & Qt.ShiftModifier)
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

    # --- what is said

    def _picture(self) -> QRectF:
        view = self.views.active
        area = view.picture()
        return area.translated(QPointF(view.mapTo(self.views, QPoint())))

    def _talk(self, script: int, answers: tuple[int, ...] = ()) -> None:
        """Have a worker run a script with the answers that it was given so far, and show what it says then."""
        place, save, before = self.explorer.place, self.explorer.save, self._conversation if answers else None
        if place is None:
            return
        header = place.header.id
        self.walking.release_all()

        def show(conversation: Conversation) -> None:
            self._conversation = conversation
            names = ", ".join(conversation.unknown)
            if self.on:
                said = " ".join(" ".join(conversation.pages[:1]).split())
                self.walking.say(f"{self.walking.met}: {said}" if said else self.walking.text)
                self.box.show_pages(
                    conversation.pages,
                    [title for title, _ in conversation.choices],
                    f"Taken as 0, for it is not known: {names}" if names else "",
                    0 if before is None else len(before.pages),
                )

        self.views.jobs.request(
            lambda renderer: Conversation(renderer.world, header, script, save, answers),
            show,
            key="talk",
            title=f"Script {script} cannot be read",
        )

    def _answer(self, number: int) -> None:
        spoken = self._conversation
        if spoken is not None:
            self._talk(spoken.number, (*spoken.answers, spoken.choices[number][1]))

    def show_path(self, tiles: tuple[tuple[float, float], ...]) -> None:
        """Show the way of a movement list on the map, unless the player walks."""
        if not self.on:
            middles = [((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS) for x, z in tiles]
            trail = tuple(self.explorer.ground(x, z) for x, z in middles)
            self.explorer.mark(trail=trail, refused=())

    def start_at(self, point: Point) -> None:
        """Walk from the ground at a point in units."""
        if not self.on:
            self.toggle()
        self.put_at(point)

    def put_at(self, point: Point) -> None:
        """Put the player on the ground at a point in units, if they walk."""
        if self.on:
            self.walking.put(int(point[0] // TILE_UNITS), int(point[2] // TILE_UNITS), point[1])
