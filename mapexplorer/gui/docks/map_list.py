"""A panel with a list of things of the present map, read by a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mapexplorer.gameplay.meetings import find_encounters
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets.controls import show_text
from mapexplorer.gui.widgets.layout import MUTED, column, label, line_edit, row
from mapexplorer.gui.widgets.listing import ThingsView, copy_row
from mapexplorer.inspector.facts import ListedGroup
from mapexplorer.inspector.lines import table_lines
from mapexplorer.inspector.places.encounters import encounter_lines, encounters_json, listed_encounters
from mapexplorer.inspector.places.listed_events import listed_events
from mapexplorer.inspector.places.map_events import events_json, events_lines, find_events
from mapexplorer.inspector.saved import LEFT_COLUMNS, left_in, left_rows, listed_left
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save
from mapexplorer.world.saved_game import saved_stamp
from mapexplorer.world.subject import Subject

MapAnswer = tuple[tuple[ListedGroup, ...], Callable[[], Copied], tuple[str, ...]]
"""What a panel shows of a map: rows, what is copied of them, and sentences about what cannot be read."""

_NOTHING: Final[MapAnswer] = (), lambda: ("", None), ()


def _events(world: FieldWorld, header: int, save: Save) -> MapAnswer:
    events = find_events(world, header, save)
    rows = listed_events(world, events)
    return rows, lambda: ("\n".join(events_lines(events)), events_json(events)), events.damaged


def _left(world: FieldWorld, header: int, save: Save) -> MapAnswer:
    left = left_in(world, save, (header,))
    rows = left_rows(world, left)
    copied = "\n".join(table_lines(LEFT_COLUMNS, rows)), [dict(zip(LEFT_COLUMNS, row, strict=True)) for row in rows]
    return listed_left(world, left), lambda: copied, ()


def _encounters(world: FieldWorld, header: int, save: Save) -> MapAnswer:
    facts = find_encounters(world, header)
    return listed_encounters(facts), lambda: ("\n".join((*encounter_lines(facts), "")), encounters_json(facts)), ()


_LISTS: Final[dict[str, tuple[str, str, str, Callable[[FieldWorld, int, Save], MapAnswer]]]] = {
    "events": ("Events", "Filter events", "This map has no events.", _events),
    "encounters": ("Wild", "Filter Pokémon", "No wild Pokémon are met on this map.", _encounters),
    "left": ("Left here", "Filter what is left", "Nothing is left here.", _left),
}
"""Name of a panel -> its title, the hint in its filter, the text for no rows, and what gives the rows for a header with
a save."""


class MapListPanel(LoadedPanel):
    """A filter and the list of _LISTS with a name. `mark` marks the things that the rows lead to, while the panel is
    visible."""

    def __init__(
        self,
        jobs: JobController,
        pictures: Pictures,
        name: str,
        mark: Callable[[frozenset[Subject]], None] = lambda things: None,
    ) -> None:
        super().__init__(jobs)
        self._mark = mark
        self.name = name
        self.title, hint, self._nothing, self._read = _LISTS[name]
        self.problem = f"The {name} of this map cannot be read"
        self._copied, self._notes = _NOTHING[1:]
        self._things = frozenset[Subject]()
        self.count = label(role=MUTED, wrap=False)
        self.list = ThingsView(self.explorer, pictures, f"{name} list")
        self.list.chosen.connect(self.chosen)
        self.first = self.filter = line_edit(
            hint, self._filter, name=f"{name} filter", rows=self.list, choose_first=self.list.choose_first
        )
        self.message.hide()
        filter_row = row((self.filter, 1), self.count)
        self.setLayout(column(filter_row, (self.list, 1), self.message, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.list, lambda point: copy_row(self.list, point))
        self.explorer.save_changed.connect(self.load)

    def visibility_changed(self) -> None:
        """Mark the things while the panel is visible."""
        self._mark(self._things if self.isVisible() else frozenset())
        super().visibility_changed()

    def wanted(self) -> Wanted | None:
        """The things of the present map in the present save."""
        place = self.explorer.place
        if place is None:
            return None
        header, save, read = place.header.id, self.explorer.save, self._read
        chosen = self.explorer.options.save
        key = header, self.explorer.save_change, chosen, saved_stamp(chosen)
        return key, lambda renderer: read(renderer.world, header, save)

    def show_loaded(self, answer: MapAnswer) -> None:
        """Show the rows."""
        groups, self._copied, self._notes = answer
        self.list.show_groups(groups)
        self._things = frozenset(row.subject for group in groups for row in group.rows if row.subject is not None)
        self._mark(self._things)
        self._update_message()

    def show_error(self, error: BaseException) -> None:
        """Show the error in place of the rows."""
        self.show_loaded(_NOTHING)
        self.count.clear()
        show_text(self.message, str(error))

    def clear(self) -> None:
        """Show no rows, and no filter."""
        self.filter.clear()
        self.show_loaded(_NOTHING)

    def _filter(self, text: str) -> None:
        self.list.set_filter(text)
        self._update_message()

    def _update_message(self) -> None:
        shown, total = len(self.list.shown), self.list.total
        self.count.setText(str(total) if shown == total else f"{shown} of {total}")
        empty = "Nothing here has these words." if total else self._nothing
        show_text(self.message, "\n".join((*([] if shown else [empty]), *self._notes)))

    def copied(self) -> Copied:
        """The whole answer, as the command line prints it."""
        return self._copied()
