"""Everything with a name: species, items, trainers, flags, texts ..., searched, with where each is used."""

from __future__ import annotations

from typing import Final

from PyQt5.QtCore import Qt

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import NAMED, NamedThing
from mapexplorer.catalogue.search import best
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.search import MOST_OF_A_KIND
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.controls import ComboBox, show_text
from mapexplorer.gui.widgets.layout import check_box, column, line_edit, row, timer
from mapexplorer.gui.widgets.listing import ThingsView, copy_row
from mapexplorer.inspector.facts import ListedGroup
from mapexplorer.inspector.things.found import found_json, found_text, listed_names

_MOST_OF_ONE: Final = 600

_PAUSE: Final = 60
"""Milliseconds without a letter after which a search starts."""

Answer = tuple[Store | None, list[NamedThing], tuple[ListedGroup, ...]]


class NamesPanel(LoadedPanel):
    """A field, a kind, and the things that were found."""

    name, title = "names", "Search"
    problem = "The names cannot be read"

    def __init__(self, jobs: JobController, pictures: Pictures) -> None:
        super().__init__(jobs)
        self.found: list[NamedThing] = []
        self._store: Store | None = None
        self._timer = timer(self, _PAUSE, self.load)
        hint = "A name, words of a text, flag:401, of maps weather:snow"
        kinds = [("All kinds", None), *((kind.title, kind.name) for kind in NAMED)]
        self.kinds = ComboBox(kinds, lambda _: self.load(), name="name kinds")
        self.kinds.view().setMinimumWidth(150)
        self.here = check_box("This map", lambda _: self.load(), hint="Only what is used on the map that is shown")
        self.list = ThingsView(self.explorer, pictures, "name list")
        self.list.chosen.connect(self.chosen)
        self.first = self.field = line_edit(
            hint, lambda _: self._timer.start(), name="name field", rows=self.list, choose_first=self.list.choose_first
        )
        parts = self.field, row((self.kinds, 1), self.here), self.message, (self.list, 1)
        self.setLayout(column(*parts, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.list, lambda point: copy_row(self.list, point))

    def clear(self) -> None:
        """Show nothing."""
        self.show_loaded((None, [], ()))

    def leave(self) -> None:
        """Go back to the picture; what was found stays."""
        self.left.emit()

    def show_kind(self, kind: str | None, *, here: bool = False) -> None:
        """Show the things of a kind, all or those that are used on the present map."""
        self.field.clear()
        self.here.setChecked(here)
        self.kinds.choose(kind)
        self.load()
        self.field.setFocus(Qt.ShortcutFocusReason)

    @property
    def _most(self) -> int:
        """The most things of a kind that are shown."""
        return MOST_OF_A_KIND if self.kinds.currentData() is None else _MOST_OF_ONE

    def wanted(self) -> Wanted | None:
        """What the fields say."""
        text, kind, most, place = self.field.text().strip(), self.kinds.currentData(), self._most, self.explorer.place
        user = place.header.id if place is not None and self.here.isChecked() else None
        if place is None or not (text or kind is not None or user is not None):
            return None

        def find(renderer: PlaceRenderer) -> Answer:
            things = best(renderer.store, text, most, kind, user)
            return renderer.store, things, listed_names(renderer.store, things)

        return (text, kind, user), find

    def show_loading(self) -> None:
        """Show that the names are being searched, where no others are shown."""
        if not self.found:
            self.message.setText("Searching …")

    def show_loaded(self, answer: Answer) -> None:
        """Show what was found."""
        self._store, self.found, groups = answer
        self.list.show_groups(groups)
        full = [group.title for group in groups if len(group.rows) >= self._most]
        text = f"There are more {', '.join(full).lower()} than are shown here." if full else ""
        if not groups:
            asked = self.field.text().strip() or self.kinds.currentData() or self.here.isChecked()
            text = "Nothing has such a name." if asked else "Type a few letters, or choose a kind."
        show_text(self.message, text)

    def copied(self) -> Copied:
        """What was found, as the command line prints it."""
        store = self._store
        if store is None:
            return "", []
        text = "".join(f"{found_text(store, thing)}\n" for thing in self.found)
        return text, [found_json(store, thing) for thing in self.found]
