"""The differences between two event files: people, signs, triggers, and where warps lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.compare.alignment import aligned
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Key, differing
from mapexplorer.compare.fields import differences
from mapexplorer.compare.sides import Side, Sides
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.games import Role

_MEANINGS: Final = {"hidden_flag": "flag", "script": "script", "variable": "variable"}
_TARGET: Final = ("header", "warp")
_POSITION: Final = ("x", "z", "y")


def event_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two event files. Raises FormatError."""
    from formats.field.zone_event import ZoneEvents

    old, new = sides.members(Role.ZONE_EVENT, before, after, ZoneEvents.from_bytes)
    maps = sides.maps(Role.ZONE_EVENT, before, after)
    for word, field in EVENT_LISTS.items():
        here, there = getattr(old, field), getattr(new, field)
        for i, j in aligned([row.tobytes() for row in here], [row.tobytes() for row in there], _likeness(here, there)):
            kind = ChangedKind.WARP if field == "warps" else ChangedKind.EVENT
            index = i if i is not None else j or 0
            key: Key = (before, index) if kind is ChangedKind.WARP else (before, word, index)
            row, side = (here[i], sides.before) if i is not None else (there[index], sides.after)
            name = object_name(side.world, row) if word == "object" else ""
            if i is None or j is None:
                yield _alone(side, kind, key, name, row, maps, added=i is None)
            elif here[i] != there[j]:
                yield from _record(sides, kind, key, name, here[i], there[j], maps)


def _likeness(before: Any, after: Any) -> Callable[[int, int], float]:
    """The share of equal fields of two records of these arrays."""
    names = before.dtype.names

    def of(i: int, j: int) -> float:
        old, new = before[i], after[j]
        return float(np.mean([bool((old[name] == new[name]).all()) for name in names]))

    return of


def _alone(
    side: Side, kind: ChangedKind, key: Key, name: str, row: Any, maps: tuple[int, ...], *, added: bool
) -> Change:
    """An event that only one of the ROMs has, with its tile, and of a warp where it leads."""
    tile = _numbers(row, ("x", "z"))
    target = _target_name(side, row) if kind is ChangedKind.WARP else ""
    if added:
        return Change(kind, ChangeAction.ADDED, key, name, "", None, tile, "", target, maps)
    return Change(kind, ChangeAction.REMOVED, key, name, "", tile, None, target, "", maps)


def _record(
    sides: Sides, kind: ChangedKind, key: Key, name: str, before: Any, after: Any, maps: tuple[int, ...]
) -> Iterator[Change]:
    place = [part for part in _POSITION if part in before.dtype.names]
    position = ", ".join(place), _numbers(before, place), _numbers(after, place)
    yield from differing(kind, key, position, name=name, headers=maps, action=ChangeAction.MOVED)
    if kind is ChangedKind.WARP and any(before[part] != after[part] for part in _TARGET):
        targets = _numbers(before, _TARGET), _numbers(after, _TARGET)
        names = _target_name(sides.before, before), _target_name(sides.after, after)
        yield Change(kind, ChangeAction.CHANGED, key, name, "target", *targets, *names, maps)
    done = {*place, *(_TARGET if kind is ChangedKind.WARP else ())}
    fields = (field for field in differences(before, after) if field.path[0] not in done)
    yield from sides.field_changes(kind, key, fields, name=name, headers=maps, meanings=_MEANINGS)


def _numbers(row: Any, names: Sequence[str]) -> tuple[int, ...]:
    return tuple([int(row[name]) for name in names])


def _target_name(side: Side, row: Any) -> str:
    """The map that a warp leads to; empty for one that leads back."""
    headers = side.world.headers
    return headers[row["header"]].title if row["header"] < len(headers) else ""
