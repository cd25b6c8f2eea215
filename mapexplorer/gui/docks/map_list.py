"""A panel with a list of things of the present map, read by a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PyQt5.QtCore import QPoint, pyqtSignal
from PyQt5.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.listing import ThingsView
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.pictures import Pictures
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import Extra, copy_text, is_seen, offer_copy
from mapexplorer.inspector.listed import ListedGroup
from mapexplorer.world.save import Save


@dataclass(frozen=True, eq=False)
class MapAnswer:
    """What a panel shows of a map: rows, and the same as text and as values of JSON types. `notes`: sentences about
    what cannot be read."""

    groups: tuple[ListedGroup, ...]
    as_text: Callable[[], str]
    as_value: Callable[[], Any]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class MapQuestion:
    """What a panel shows: its name, the words for no rows, and how it is read for a header with a save."""

    name: str
    hint: str
    nothing: str
    read: Callable[[PlaceRenderer, int, Save], MapAnswer]


class MapListPanel(QWidget):
    """A filter and the list. `chosen`: the user chose a thing."""

    chosen = pyqtSignal(object)

    def __init__(self, explorer: Explorer, jobs: JobController, pictures: Pictures, question: MapQuestion) -> None:
        super().__init__()
        self.explorer, self.jobs, self.question = explorer, jobs, question
        self.answer: MapAnswer | None = None
        self._asked: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 4, 4)
        column.setSpacing(6)
        row = QHBoxLayout()
        self.filter = QLineEdit()
        self.filter.setObjectName(f"{question.name} filter")
        self.filter.setPlaceholderText(question.hint)
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        row.addWidget(self.filter, 1)
        row.addWidget(self.count)
        column.addLayout(row)
        self.list = ThingsView(pictures, f"{question.name} list")
        self.list.chosen.connect(self.chosen)
        column.addWidget(self.list, 1)
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        self.words.hide()
        column.addWidget(self.words)
        offer_copy(self, self.list, self._copy_one)
        explorer.rom_changed.connect(self._rom_changed)
        for signal in (explorer.place_changed, explorer.save_changed):
            signal.connect(self.look)
        explorer.selection_changed.connect(lambda: self.list.mark(explorer.selection))

    def _rom_changed(self) -> None:
        self._asked, self.answer = None, None
        self.filter.clear()
        self.list.show_groups(())

    def look(self) -> None:
        """Read the list of the present map, unless it is shown or the panel is not visible."""
        place, world = self.explorer.place, self.explorer.world
        if place is None or not is_seen(self):
            return
        header, save, question = place.header.id, self.explorer.save, self.question
        wanted = world, header, self.explorer.save_change
        if wanted == self._asked:
            return
        self._asked = wanted
        self.jobs.ask(
            lambda renderer: question.read(renderer, header, save), self._show, key=question.name,
            title=f"The {question.name} of this map cannot be read", failed=self._failed,
        )  # fmt: skip

    def _show(self, answer: MapAnswer) -> None:
        self.answer = answer
        self.list.show_groups(answer.groups)
        self.list.mark(self.explorer.selection)
        self._update_words()

    def _failed(self, error: BaseException) -> None:
        self.answer = None
        self.list.show_groups(())
        self.count.clear()
        self._say(str(error))

    def _filter(self, text: str) -> None:
        self.list.set_filter(text)
        self._update_words()

    def _update_words(self) -> None:
        things, notes = self.list.things, self.answer.notes if self.answer is not None else ()
        shown, total = things.count, things.total
        self.count.setText(str(total) if shown == total else f"{shown} of {total}")
        empty = "Nothing here has these words." if total else self.question.nothing
        self._say("\n".join((*([] if shown else [empty]), *notes)))

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setVisible(bool(text))

    def _copy_one(self, point: QPoint) -> Extra:
        one = self.list.thing_at(point)
        return [] if one is None else [("Copy this row", lambda: copy_text("\n".join((one.title, *one.lines))))]

    def as_text(self) -> str:
        """The whole answer, as the command line prints it."""
        return self.answer.as_text() if self.answer is not None else ""

    def as_value(self) -> Any:
        """The same as plain values."""
        return self.answer.as_value() if self.answer is not None else None
