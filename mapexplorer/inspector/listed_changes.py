"""The differences between two ROMs as rows of a list, a group for each changed place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, Final

from formats.binary import FormatError
from mapexplorer.compare.change import Action, Change, Comparison, Kind
from mapexplorer.compare.changed_places import (
    ChangedPlace,
    changed_places,
    changed_props,
    changed_tiles,
    of_no_place,
)
from mapexplorer.errors import RomError
from mapexplorer.inspector.changes import TITLES, change_words
from mapexplorer.inspector.common import counted
from mapexplorer.inspector.listed import ListedGroup, ListedThing
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.world import FieldWorld

_MOST: Final = 200
"""The most rows of a group."""

_SUBJECTS: Final = {
    Kind.MATRIX: "matrix", Kind.LAND: "land", Kind.AREA: "area", Kind.PROP_SET: "prop set",
    Kind.MODEL: "prop", Kind.LIGHT: "light set", Kind.CAMERA: "camera", Kind.SCRIPT: "scripts", Kind.TEXT: "messages",
    Kind.ENCOUNTER: "encounters", Kind.TRAINER: "trainer", Kind.SPECIES: "species",
}  # fmt: skip
"""Kind of a difference -> the kind of subject whose number its key begins with."""


def listed_changes(before: FieldWorld, after: FieldWorld, found: Comparison) -> tuple[ListedGroup, ...]:
    """The rows of each changed place, then those of no single place by kind. Each leads to the thing in the second
    ROM, else to the map."""
    places = changed_places(before, after, found)
    groups = [ListedGroup(after.headers[one.header].title, _of_place(before, after, one), True) for one in places]
    for kind, changes in groupby(of_no_place(found), lambda change: change.kind):
        groups.append(ListedGroup(TITLES[kind], _limited(_rows(before, after, changes, None, None)), True))
    return tuple(groups)


def _of_place(before: FieldWorld, after: FieldWorld, place: ChangedPlace) -> tuple[ListedThing, ...]:
    here = subject("header", place.header)
    try:
        now = after.place(place.header)
        was = None if place.before is None else before.place(place.before)
        rows = _limited(_rows(before, after, place.own, was, now), here)
    except (FormatError, RomError):
        rows = ()
    shared = len(place.changes) - len(place.own)
    return (*rows, *([ListedThing(here, counted(shared, "difference") + " of many maps")] if shared else []))


def _rows(
    before: FieldWorld, after: FieldWorld, changes: Iterable[Change], was: FieldPlace | None, now: FieldPlace | None
) -> Iterator[ListedThing]:
    same_game = before.game is after.game
    for (first, *_), thing, what in change_words(before, after, changes):
        # The numbers of other things are those of the first ROM, which mean something else in another game.
        chosen = change_subject(first, was, now) if same_game or first.kind is Kind.TILE else None
        chosen = chosen or (None if now is None else subject("header", now.header.id))
        yield ListedThing(chosen, thing, (what,))


def _limited(rows: Iterable[ListedThing], here: Subject | None = None) -> tuple[ListedThing, ...]:
    """The first rows, and how many more there are."""
    rows = iter(rows)
    shown = tuple(islice(rows, _MOST))
    more = sum(1 for _ in rows)
    return (*shown, ListedThing(here, f"And {more:,} more")) if more else shown


def change_subject(change: Change, was: FieldPlace | None, now: FieldPlace | None) -> Subject | None:
    """The thing of a difference in the second ROM, seen from a place there, None for none; of something that was
    removed the tile where it was. `was`: the place in the first ROM."""
    key: tuple[Any, ...] = change.key
    if now is not None and change.kind in (Kind.TILE, Kind.PROP, Kind.EVENT, Kind.WARP):
        if change.kind in (Kind.EVENT, Kind.WARP) and change.action is not Action.REMOVED and isinstance(key[-1], int):
            return subject("warp" if change.kind is Kind.WARP else key[1], now.header.id, key[-1])
        for kind, places in (("placed prop", changed_props(now, change)), ("tile", changed_tiles(was, now, change))):
            if places:
                return subject(kind, now.matrix_id.value, *places[-1])
        return None
    if change.kind is Kind.MATRIX and len(key) == 3:
        return subject("cell", *key)
    numbers = [one for one in key if isinstance(one, int)]
    if change.kind is Kind.TEXT and len(key) == 2:
        return subject("text", *key)
    if change.kind not in _SUBJECTS or not numbers or change.action is Action.REMOVED:
        return None
    renumbered = change.action is Action.MOVED and isinstance(change.after, int)
    return subject(_SUBJECTS[change.kind], change.after if renumbered else numbers[0])
