"""Reads the JSON of `data/` as values, by the annotations of their types.

A record (a dataclass or a named tuple) is an object with its fields, or a row of them in their order; those with a
default may be missing. Spaces stand for the underscores of names. A list may be the `rows` of an object that explains
them; `about...` and `...columns` of an object are for readers of the file. A mapping is an object, or a list of rows
that begin with their keys: a record keeps the key as its first field, and where the values are tuples of records, the
rows with one key make one tuple. `Annotated[T, convert]` is what `convert` makes of the JSON.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints, overload

from formats.fixed import ONE

T = TypeVar("T")
Reader = Callable[[Any], Any]


class Groups(dict[Any, tuple[Any, ...]]):
    """Records by key; a key without records has none."""

    def __missing__(self, key: Any) -> tuple[Any, ...]:
        return ()


def fx32(units: float) -> int:
    """Units (or degrees, or pixels) as fx32."""
    return round(units * ONE)


def inclusive(ends: Sequence[int]) -> range:
    """The numbers from a first to a last one."""
    first, last = ends
    return range(first, last + 1)


Fx32 = Annotated[int, fx32]
"""Stored in units, fx32 as a value."""
Fx32Vector = tuple[Fx32, Fx32, Fx32]
Span = Annotated[range, inclusive]
"""Stored as the first and the last number."""


@overload
def read(kind: type[T], plain: Any) -> T: ...


@overload
def read(kind: Any, plain: Any) -> Any: ...


def read(kind: Any, plain: Any) -> Any:
    """The value of a type that JSON describes. Raises TypeError, ValueError or KeyError for other JSON."""
    return _reader(kind)(plain)


@cache
def _reader(kind: Any) -> Reader:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return parts[1]  # type: ignore[no-any-return]
    if origin in (Union, types.UnionType):
        return partial(_optional, _reader(parts[0]))
    if origin is tuple and parts[-1] is not Ellipsis:
        return partial(_row, tuple(map(_reader, parts)))
    if origin in (tuple, frozenset):
        return partial(_collection, origin, _reader(parts[0]))
    if origin is Mapping:
        return partial(_mapping, *parts)
    if _is_record(kind):
        return partial(_record, kind)
    return kind  # type: ignore[no-any-return]


def _optional(reader: Reader, plain: Any) -> Any:
    return None if plain is None else reader(plain)


def _row(readers: Sequence[Reader], plain: Any) -> tuple[Any, ...]:
    return tuple([reader(part) for reader, part in zip(readers, plain, strict=True)])


def _collection(kind: Any, reader: Reader, plain: Any) -> Any:
    return kind([reader(item) for item in _rows(plain)])


def _rows(plain: Any) -> Any:
    return plain["rows"] if isinstance(plain, dict) else plain


def _mapping(key: Any, value: Any, plain: Any) -> dict[Any, Any]:
    read_key, reader = _reader(key), _reader(value)
    if isinstance(plain, dict) and "rows" not in plain:
        return {read_key(name): reader(item) for name, item in plain.items() if not name.startswith("about")}
    rows = _rows(plain)
    if _is_record(value):
        return {read_key(row[0]): reader(row) for row in rows}
    if get_origin(value) is tuple and _is_record(get_args(value)[0]):
        return Groups({read_key(first): reader([row for row in rows if row[0] == first]) for first, *_ in rows})
    return {read_key(first): reader(rest[0] if len(rest) == 1 else rest) for first, *rest in rows}


def _is_record(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")


@cache
def _fields(kind: Any) -> dict[str, Reader]:
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind._fields
    return {name: _reader(hints[name]) for name in names}


def _record(kind: Any, plain: Any) -> Any:
    fields = _fields(kind)
    if not isinstance(plain, dict):
        return kind(*[reader(part) for reader, part in zip(list(fields.values())[: len(plain)], plain, strict=True)])
    named = {
        name.replace(" ", "_"): part
        for name, part in plain.items()
        if not name.startswith("about") and not name.endswith("columns")
    }
    return kind(**{name: fields[name](part) for name, part in named.items()})
