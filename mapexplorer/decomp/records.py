"""Records of `formats` from JSON: the type says which fields there are and what they can hold, a table says where each
is in the JSON. The same table leads from a field to its line."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from formats.field.field_types import Bits, Counted, Rest
from mapexplorer.decomp.enumerations import Names
from mapexplorer.decomp.json_value import U16, JsonValue
from mapexplorer.decomp.listing import MemberSource, TreeListing
from mapexplorer.games import Role

Part = tuple[str | int, ...]
"""The path of a field in a record: names, and indices of elements."""


class JsonField(NamedTuple):
    """Where a field is in the JSON of its record.

    key      its path below the object of the record, see `JsonValue.part`; one for each element of a tuple; empty: the
             object itself
    names    the source of the names that it may be (`Enumerations.of`), or the archive whose members' names it may be
    default  what it is where the key is missing or null, unless that is an error (None)
    most     its largest value, where the type does not say it
    fills    whether the list may be shorter, and zeros fill it up
    make     what makes it of the object of the record, in place of what is at the key
    """

    key: str | tuple[str, ...] = ""
    names: str | Role = ""
    default: Any = None
    most: int = 0
    fills: bool = False
    make: Callable[[Encoder, JsonValue], Any] | None = None


Fields = Mapping[str, JsonField]
"""Path of a field in a record, without indices -> where it is; others have their own name as the key."""


def always(value: Any) -> JsonField:
    """A field that the JSON has not."""
    return JsonField(make=lambda encoder, source: value)


ZERO: Final = always(0)


class Encoder(NamedTuple):
    """Makes the value of a member of its JSON. Its methods raise SourceError with the line of what cannot be one."""

    listing: TreeListing
    member: MemberSource
    fields: Fields

    def names(self, source: str | Role) -> Names:
        """The names of a source, see `JsonField`."""
        return self.listing.index(source) if isinstance(source, Role) else self.listing.names.of(source)

    def record(self, kind: Any, source: JsonValue, path: str = "") -> Any:
        """A dataclass, or a row of an array of `kind` as a tuple, of an object. `path`: of the record in the whole."""
        values = {name: self._field(hint, source, name, f"{path}{name}") for name, hint in _hints(kind).items()}
        return tuple(values.values()) if isinstance(kind, np.dtype) else kind(**values)

    def _field(self, hint: Any, source: JsonValue, name: str, path: str) -> Any:
        field = self.fields.get(path) or JsonField(name)
        if field.make is not None:
            return field.make(self, source)
        if isinstance(field.key, tuple):
            return tuple([self._value(_shape(hint).element, source.part(key), field, path) for key in field.key])
        if field.default is not None and not source.has(field.key):
            return field.default
        return self._value(hint, source.part(field.key), field, path)

    def _value(self, hint: Any, part: JsonValue, field: JsonField, path: str) -> Any:
        shape = _shape(hint)
        if shape.most:
            names = self.names(field.names) if field.names else None
            return part.number(field.most or shape.most, names, shape.signed)
        if shape.element is None:
            return part.boolean() if shape.is_flag else self.record(hint, part, f"{path}.")
        items = part.items(None if field.fills else shape.size, shape.size or U16)
        values = [self._value(shape.element, item, field, path) for item in items]
        if isinstance(shape.element, np.dtype) and shape.size is None:
            return np.array(values, shape.element)
        return (*values, *[0] * ((shape.size or 0) - len(values)))


class _Shape(NamedTuple):
    """What a type holds: a number up to `most`, a flag, or so many elements (None: any number), else a record."""

    most: int = 0
    signed: bool = False
    is_flag: bool = False
    element: Any = None
    size: int | None = None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """The types of the fields of a dataclass, or of a row of an array."""
    if isinstance(kind, np.dtype):
        return {name: kind[name] for name in kind.names or ()}
    hints = typing.get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@cache
def _shape(hint: Any) -> _Shape:
    kind, how = typing.get_args(hint) if typing.get_origin(hint) is Annotated else (hint, None)
    if type(None) in typing.get_args(kind):
        return _shape(typing.get_args(kind)[0])
    if isinstance(how, Counted | Rest):
        return _Shape(element=np.dtype(how.dtype))
    if kind is bool:
        return _Shape(is_flag=True)
    if kind is int:
        width = how.width if isinstance(how, Bits) else 8 * np.dtype(how or "u4").itemsize
        return _Shape((1 << width) - 1, isinstance(how, str) and how.islower())
    if isinstance(kind, np.dtype) and kind.subdtype is not None:
        return _Shape(element=kind.subdtype[0], size=kind.subdtype[1][0])
    if isinstance(kind, np.dtype) and kind.names is None:
        return _Shape((1 << 8 * kind.itemsize) - 1, kind.kind == "i")
    if typing.get_origin(kind) is tuple:
        first, *others = typing.get_args(kind)
        return _Shape(element=first, size=how or (None if Ellipsis in others else 1 + len(others)))
    return _Shape()


def json_path(fields: Fields, part: Part) -> str | None:
    """The path in the JSON of a record, of a field of it; None for one that is not there."""
    name = ""
    steps: list[str] = []
    field = JsonField()
    for step in part:
        if isinstance(step, int):
            steps.append(field.key[step].rpartition(".")[2] if isinstance(field.key, tuple) else f"[{step}]")
            continue
        name = f"{name}.{step}".lstrip(".")
        field = fields.get(name) or JsonField(step)
        if field.make is not None and not field.key:
            return None
        steps.append(field.key if isinstance(field.key, str) else field.key[0].rpartition(".")[0])
    return ".".join(filter(None, steps)).replace(".[", "[")
