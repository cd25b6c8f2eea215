"""The differences between two values of `formats`, field by field."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from formats.binary import same
from formats.json_codec import to_plain
from mapexplorer.compare.alignment import aligned

_SHOWN_BYTES = 8
_MOST = 12
"""The most differences in one field of a value that are named one by one."""

_ALIGNED = 256
"""The most items of an array in which added and removed items are searched."""

Path = tuple[int | str, ...]


class FieldChange(NamedTuple):
    """A difference: the names and indices that lead to it, and both values in plain form; None: absent, or both None:
    too large to show."""

    path: Path
    before: Any
    after: Any

    @property
    def field(self) -> str:
        """The path as text: `slots[3].level`."""
        return "".join([f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path]).removeprefix(".")


def differences(before: Any, after: Any) -> Iterator[FieldChange]:
    """All differences, in the order of the fields; of a field with many only that it differs."""
    for _, of_a_field in groupby(_differences(before, after, ()), lambda change: change.path[:1]):
        many = list(of_a_field)
        if len(many) > _MOST:
            yield FieldChange(many[0].path[:1], None, None)
        else:
            yield from many


def _differences(before: Any, after: Any, path: Path) -> Iterator[FieldChange]:
    if same(before, after):
        return
    if type(before) is not type(after):
        yield FieldChange(path, to_plain(before), to_plain(after))
    elif dataclasses.is_dataclass(before):
        for field in dataclasses.fields(before):
            yield from _differences(getattr(before, field.name), getattr(after, field.name), (*path, field.name))
    elif isinstance(before, tuple):
        yield from _of_lists(before, after, path)
    elif isinstance(before, np.ndarray):
        yield from _of_arrays(before, after, path)
    elif isinstance(before, bytes):
        yield _of_bytes(before, after, path)
    elif isinstance(before, np.void):
        for name in before.dtype.names or ():
            yield from _differences(before[name], after[name], (*path, name))
    else:
        yield FieldChange(path, to_plain(before), to_plain(after))


def _of_lists(before: tuple[Any, ...], after: tuple[Any, ...], path: Path) -> Iterator[FieldChange]:
    if len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, (*path, getattr(old, "name", None) or index))
        return
    for i, j in aligned(_comparable(before), _comparable(after)):
        if j is None and i is not None:
            yield from _alone(before[i], (*path, i), added=False)
        elif i is None and j is not None:
            yield from _alone(after[j], (*path, j), added=True)
        elif i is not None and j is not None:
            yield from _differences(before[i], after[j], (*path, i))


def _of_arrays(before: Any, after: Any, path: Path) -> Iterator[FieldChange]:
    if before.dtype != after.dtype or before.ndim != after.ndim or (before.shape != after.shape and before.ndim != 1):
        yield FieldChange((*path, "shape"), list(before.shape), list(after.shape))
    elif before.shape != after.shape and max(len(before), len(after)) > _ALIGNED:
        yield FieldChange(path, None, None)
    elif before.shape != after.shape:
        yield from _of_lists(tuple(before), tuple(after), path)
    else:
        changed = np.argwhere(before != after).tolist()
        if len(changed) > _MOST:
            yield FieldChange(path, None, None)
            return
        for place in changed:
            yield from _differences(before[tuple(place)], after[tuple(place)], (*path, *place))


def _of_bytes(before: bytes, after: bytes, path: Path) -> FieldChange:
    if max(len(before), len(after)) <= _SHOWN_BYTES:
        return FieldChange(path, before.hex(" "), after.hex(" "))
    return FieldChange(path, None, None)


def _comparable(items: Iterable[Any]) -> list[Any]:
    """Items that can be compared and hashed in the place of values."""
    return [item if isinstance(item, int | str) else repr(to_plain(item)) for item in items]


def _alone(item: Any, path: Path, *, added: bool) -> Iterator[FieldChange]:
    """The fields of an item that only one of the values has; of one with a name only that."""
    if dataclasses.is_dataclass(item) and not hasattr(item, "name"):
        for field in dataclasses.fields(item):
            yield from _alone(getattr(item, field.name), (*path, field.name), added=added)
        return
    plain = to_plain(getattr(item, "name", item))
    yield FieldChange(path, None, plain) if added else FieldChange(path, plain, None)
