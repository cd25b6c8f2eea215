"""Everything with a name: species, items, trainers, flags, texts ..., searched, with where each is used."""

from __future__ import annotations

from typing import Any, Final

from PyQt5.QtCore import QPoint, Qt, QTimer, pyqtSignal
from PyQt5.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from mapexplorer.catalogue.kinds import NAMED, Found
from mapexplorer.catalogue.search import best
from mapexplorer.catalogue.store import Store
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.listing import ThingsView
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.pictures import Pictures
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import CheckBox, ComboBox, Extra, copy_text, is_seen, offer_copy
from mapexplorer.inspector.found import found_json, found_text, listed_names
from mapexplorer.inspector.listed import ListedGroup

_MOST_OF_ALL: Final = 12
"""The things of each kind that are shown where all kinds are searched."""
_MOST_OF_ONE: Final = 300

_PAUSE: Final = 60
"""Milliseconds without a letter after which a search starts."""

Answer = tuple[Store | None, list[Found], tuple[ListedGroup, ...]]


class NamesPanel(QWidget):
    """A field, a kind, and the things that were found. `chosen`: the user chose one."""

    chosen = pyqtSignal(object)

    def __init__(self, explorer: Explorer, jobs: JobController, pictures: Pictures) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self.found: list[Found] = []
        self._store: Store | None = None
        self._asked: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 4, 4)
        column.setSpacing(6)
        self.field = QLineEdit()
        self.field.setObjectName("name field")
        self.field.setPlaceholderText("A name, words of a text, flag:401, of maps weather:snow")
        self.field.setClearButtonEnabled(True)
        column.addWidget(self.field)
        row = QHBoxLayout()
        self.kinds = ComboBox()
        self.kinds.setObjectName("name kinds")
        self.kinds.addItem("Everything", None)
        for kind in NAMED:
            self.kinds.addItem(kind.title, kind.name)
        self.kinds.view().setMinimumWidth(150)
        row.addWidget(self.kinds, 1)
        self.here = CheckBox("This map")
        self.here.setToolTip("Only what is used on the map that is shown")
        row.addWidget(self.here)
        column.addLayout(row)
        self.list = ThingsView(pictures, "name list")
        self.list.chosen.connect(self.chosen)
        column.addWidget(self.list, 1)
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        column.addWidget(self.words)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self.look)
        self.field.textChanged.connect(lambda: self._timer.start())
        self.field.returnPressed.connect(self._choose_first)
        self.kinds.currentIndexChanged.connect(self.look)
        self.here.toggled.connect(lambda _: self.look())
        offer_copy(self, self.list, self._copy_one)
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self.look)
        explorer.selection_changed.connect(lambda: self.list.mark(explorer.selection))

    def _rom_changed(self) -> None:
        self._asked = None
        self._take((None, [], ()))

    def show_kind(self, kind: str | None, *, here: bool = False) -> None:
        """Show the things of a kind, all or those that are used on the present map."""
        self.field.clear()
        self.here.setChecked(here)
        self.kinds.setCurrentIndex(self.kinds.findData(kind))
        self.look()
        self.field.setFocus(Qt.ShortcutFocusReason)

    def look(self) -> None:
        """Search for what the fields say, if the panel is visible and shows something else."""
        place, world = self.explorer.place, self.explorer.world
        if place is None or not is_seen(self):
            return
        self._timer.stop()
        text, kind = self.field.text().strip(), self.kinds.currentData()
        user = place.header.id if self.here.isChecked() else None
        wanted = world, text, kind, user
        if wanted == self._asked:
            return
        self._asked = wanted
        if not text and kind is None and user is None:
            self._take((None, [], ()))
            return
        most = _MOST_OF_ALL if kind is None else _MOST_OF_ONE

        def find(renderer: PlaceRenderer) -> Answer:
            found = best(renderer.store, text, most, kind, user)
            return renderer.store, found, listed_names(renderer.store, found)

        if not self.found:
            self.words.setText("Searching …")
        self.jobs.ask(find, self._take, key="names", title="The names cannot be read")

    def _take(self, found: Answer) -> None:
        self._store, self.found, groups = found
        self.list.show_groups(groups)
        self.list.mark(self.explorer.selection)
        most = _MOST_OF_ALL if self.kinds.currentData() is None else _MOST_OF_ONE
        full = [group.title for group in groups if len(group.things) >= most]
        if not groups:
            asked = self.field.text().strip() or self.kinds.currentData() or self.here.isChecked()
            self.words.setText("Nothing has such a name." if asked else "Type a few letters, or choose a kind.")
        else:
            self.words.setText(f"There are more {', '.join(full).lower()} than are shown here." if full else "")
        self.words.setVisible(bool(self.words.text()))

    def _choose_first(self) -> None:
        first = self.list.first()
        if first.isValid():
            self.list.setCurrentIndex(first)

    def _copy_one(self, point: QPoint) -> Extra:
        one = self.list.thing_at(point)
        return [] if one is None else [("Copy this row", lambda: copy_text("\n".join((one.title, *one.lines))))]

    def as_text(self) -> str:
        """What was found, as the command line prints it."""
        store = self._store
        return "".join(f"{found_text(store, one)}\n" for one in self.found) if store is not None else ""

    def as_value(self) -> Any:
        """The same as plain values."""
        store = self._store
        return [found_json(store, one) for one in self.found] if store is not None else []
