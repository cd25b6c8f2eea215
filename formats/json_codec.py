"""Converts values of `formats` to plain numbers, strings, lists and dictionaries, and back; used for dumps.

A dataclass becomes a dictionary of its fields, a tuple a list, bytes base64 text, a numpy array a dictionary with its
dtype (for records: a list of columns), its shape unless it is one-dimensional, and its values. `from_plain` follows the
annotations of the dataclass fields. A value rebuilt from its plain form writes the same bytes. Bytes may also be a list
of lines of hexadecimal digits (`hex_lines`).
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import importlib
import json
import math
import re
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from formats.binary import require

T = TypeVar("T")

_HEX_LINE = 32
_NUMBER = re.compile(r"[<|][biuf][1248]")
"""The types of numbers in arrays."""
_LARGEST_RECORD = 256
"""Bytes of a record of an array."""


class PlainError(ValueError):
    """Plain data that does not describe a value of the wanted type; the message is the place in it, `where`
    (`events.warps.values[3]`), and the reason, `why`."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where or 'the value'}: {why}")
        self.where = where
        self.why = why


def to_plain(value: object, replaced: Callable[[object], Any] | None = None) -> Any:
    """The plain form of a value. Raises TypeError for a type without one.

    `replaced` gives the plain form of dataclasses and bytes that are written in another way, None for all others.
    """
    if replaced is not None and (isinstance(value, bytes) or dataclasses.is_dataclass(value)):
        other = replaced(value)
        if other is not None:
            return other
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name), replaced) for field in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [to_plain(item, replaced) for item in value]
    if isinstance(value, dict):
        return {str(key): to_plain(item, replaced) for key, item in value.items()}
    raise TypeError(f"a {type(value).__name__} has no plain form")


def from_plain(kind: type[T], plain: Any) -> T:
    """The value of type `kind` that `plain` describes. Raises PlainError (a ValueError) for other data."""
    value: T = _build(kind, plain, "")
    return value


def to_json(value: object) -> str:
    """A value and its type as JSON text with one line per field, per record and per text."""
    return layout(to_document(value))


def from_json(text: str) -> Any:
    """The value in a text of `to_json`. Raises PlainError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlainError("", f"not JSON: {error}") from None
    return from_document(document)


def to_document(value: object, replaced: Callable[[object], Any] | None = None) -> dict[str, Any]:
    """The type of a value and its plain form, as `to_plain`."""
    kind = type(value)
    return {"type": f"{kind.__module__}.{kind.__qualname__}", "value": to_plain(value, replaced)}


def hex_lines(data: bytes) -> list[str]:
    """Bytes as lines of hexadecimal digits, 32 bytes each."""
    return [data[at : at + _HEX_LINE].hex() for at in range(0, len(data), _HEX_LINE)]


def from_document(document: Any) -> Any:
    """The value in a document of `to_document`. Raises PlainError, whose place begins below the document's value."""
    if not isinstance(document, dict) or set(document) != {"type", "value"}:
        raise PlainError("", "expected an object with a type and a value")
    return from_plain(_named_type(document["type"]), document["value"])


def layout(plain: Any) -> str:
    """Plain data as JSON text with one line per field, per record and per text."""
    return _layout(plain, "") + "\n"


def _named_type(name: Any) -> type:
    module_name, _, class_name = str(name).rpartition(".")
    if module_name.startswith("formats."):
        try:
            kind = getattr(importlib.import_module(module_name), class_name, None)
        except ImportError:
            kind = None
        if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == module_name:
            return kind
    raise PlainError("type", f"{name!r} is not a type of formats")


def _plain_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {"dtype": _plain_dtype(array.dtype)}
    if array.ndim != 1:
        plain["shape"] = list(array.shape)
    if _has_float(array.dtype) and not _all_finite(array):
        plain["base64"] = to_plain(array.tobytes())
    else:
        plain["values"] = _lists(array.ravel().tolist() if array.dtype.names else array.tolist())
    return plain


def _plain_dtype(dtype: np.dtype[Any]) -> Any:
    if dtype.hasobject:
        raise TypeError(f"arrays of {dtype} have no plain form")
    if dtype.names is None:
        return dtype.str
    columns = []
    for name in dtype.names:
        column = dtype[name]
        columns.append([name, _plain_dtype(column.base), *([list(column.shape)] if column.shape else [])])
    return columns


def _has_float(dtype: np.dtype[Any]) -> bool:
    if dtype.names is not None:
        return any(_has_float(dtype[name].base) for name in dtype.names)
    return dtype.kind == "f"


def _all_finite(array: np.ndarray[Any, Any]) -> bool:
    if array.dtype.names is not None:
        return all(_all_finite(array[name]) for name in array.dtype.names if _has_float(array.dtype[name].base))
    return bool(np.isfinite(array).all())


def _lists(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_lists(item) for item in value] if isinstance(value, tuple | list) else value


@cache
def _fields(kind: type) -> dict[str, Any]:
    """Field name -> annotation of a dataclass."""
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@cache
def _origin(kind: Any) -> Any:
    """The origin of a generic annotation. From numpy 2.5 on, NDArray is a type alias whose value has the origin."""
    origin = typing.get_origin(kind)
    return typing.get_origin(origin.__value__) if hasattr(origin, "__value__") else origin


def _build(kind: Any, plain: Any, where: str) -> Any:
    if kind is int:  # most values are numbers
        return _expect(isinstance(plain, int) and not isinstance(plain, bool), plain, where, "a whole number")
    origin = _origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _build_union(typing.get_args(kind), plain, where)
    if origin is tuple:
        return _build_tuple(typing.get_args(kind), plain, where)
    if origin is np.ndarray:
        return _build_array(plain, where)
    if kind is type(None):
        return _expect(plain is None, None, where, "nothing (null)")
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _build_dataclass(kind, plain, where)
    if kind is bool or kind is str:
        return _expect(isinstance(plain, kind), plain, where, "true or false" if kind is bool else "text")
    if kind is float:
        return _build_float(plain, where)
    if kind is bytes:
        return _decode_bytes(plain, where)
    raise TypeError(f"{where}: no plain form leads to {kind}")


def _expect(right: bool, value: Any, where: str, what: str) -> Any:
    if not right:
        raise PlainError(where, f"expected {what}")
    return value


def _build_union(kinds: tuple[Any, ...], plain: Any, where: str) -> Any:
    """The value of the first type of a union that `plain` fits; null means None."""
    if plain is None and type(None) in kinds:
        return None
    errors = []
    for kind in kinds:
        if kind is not type(None):
            try:
                return _build(kind, plain, where)
            except PlainError as error:
                errors.append(error)
    raise errors[0]


def _build_tuple(items: tuple[Any, ...], plain: Any, where: str) -> tuple[Any, ...]:
    _expect(isinstance(plain, list), plain, where, "a list")
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple([_build(items[0], item, f"{where}[{index}]") for index, item in enumerate(plain)])
    _expect(len(plain) == len(items), plain, where, f"a list of {len(items)}")
    return tuple(_build(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(items, plain, strict=True)))


def _build_dataclass(kind: Any, plain: Any, where: str) -> Any:
    fields = _fields(kind)
    _expect(isinstance(plain, dict), plain, where, f"the fields of {kind.__name__}")
    if set(plain) != set(fields):
        odd = sorted(set(plain) ^ set(fields))
        raise PlainError(where, f"the fields of {kind.__name__} are {', '.join(fields)}; unknown or missing: {odd}")
    dot = f"{where}." if where else ""
    return kind(**{name: _build(hint, plain[name], f"{dot}{name}") for name, hint in fields.items()})


def _build_float(plain: Any, where: str) -> float:
    number = isinstance(plain, int | float) and not isinstance(plain, bool)
    return float(_expect(number or plain in ("nan", "inf", "-inf"), plain, where, "a number"))


def _decode_bytes(plain: Any, where: str) -> bytes:
    if isinstance(plain, list):
        return b"".join([_decode_hex(line, f"{where}[{index}]") for index, line in enumerate(plain)])
    _expect(isinstance(plain, str), plain, where, "base64 text")
    try:
        return base64.b64decode(plain, validate=True)
    except (ValueError, binascii.Error):
        raise PlainError(where, "expected base64 text") from None


def _decode_hex(line: Any, where: str) -> bytes:
    try:
        return bytes.fromhex(_expect(isinstance(line, str), line, where, "hexadecimal digits"))
    except ValueError:
        raise PlainError(where, "expected hexadecimal digits, two for each byte") from None


def _build_array(plain: Any, where: str) -> np.ndarray[Any, Any]:
    known = isinstance(plain, dict) and set(plain) - {"shape"} in ({"dtype", "values"}, {"dtype", "base64"})
    _expect(known, plain, where, "an array: dtype, values and, unless it is one-dimensional, shape")
    try:
        dtype = _build_dtype(plain["dtype"])
        if "base64" in plain:
            flat = np.frombuffer(_decode_bytes(plain["base64"], where), dtype)
        else:
            flat = _exact(plain["values"], dtype)
        shape = plain.get("shape", [len(flat)])
        require(
            isinstance(shape, list) and all(type(length) is int and length >= 0 for length in shape),
            "a shape is a list of lengths",
        )
        array = flat.reshape(shape).copy()
    except (TypeError, ValueError, LookupError, OverflowError, MemoryError) as error:
        raise PlainError(_wrong_row(plain, where), f"not the values of an array: {error}") from None
    array.flags.writeable = False
    return array


def _wrong_row(plain: Any, where: str) -> str:
    """The place of the first row of an array that does not fit its dtype; `where` when no single row is at fault."""
    try:
        dtype = _build_dtype(plain["dtype"])
        rows = list(plain.get("values", ()))
    except (TypeError, ValueError, KeyError, IndexError):
        return where
    for index, row in enumerate(rows):
        try:
            _exact([row], dtype)
        except (TypeError, ValueError, LookupError, OverflowError):
            return f"{where}.values[{index}]"
    return where


def _exact(values: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of plain numbers; a fraction for an integer type raises ValueError instead of being truncated."""
    require(isinstance(values, list), "a list is needed")
    if dtype.names is not None:
        array = np.array([tuple(row) for row in values], dtype)
        for index, name in enumerate(dtype.names):
            _check_whole([row[index] for row in values], dtype[name].base)
        return array
    _check_whole(values, dtype)
    return np.array(values, dtype)


def _check_whole(values: Any, dtype: np.dtype[Any]) -> None:
    given = np.asarray(values)
    require(dtype.kind != "b" or not given.size or given.dtype.kind == "b", "expected true or false")
    if dtype.kind not in "iu" or given.dtype.kind in "iub":
        return
    require(all(isinstance(value, int) for value in np.array(values, object).flat), "expected whole numbers")


def _build_dtype(plain: Any) -> np.dtype[Any]:
    """The dtype of an array of numbers or records. Raises ValueError, TypeError for every other one."""
    if isinstance(plain, str) and _NUMBER.fullmatch(plain):
        return np.dtype(plain)
    columns = [_build_column(column) for column in plain] if isinstance(plain, list) else []
    dtype = np.dtype(columns)
    require(0 < dtype.itemsize <= _LARGEST_RECORD, f"no array of formats has the dtype {plain!r:.80}")
    return dtype


def _build_column(column: Any) -> tuple[str, str, tuple[int, ...]]:
    """A column of records: its name, its type, and its shape where it has several numbers."""
    name, kind, shape = (*column, []) if isinstance(column, list) and len(column) == 2 else column
    sizes = isinstance(shape, list) and all(type(length) is int and 0 < length <= _LARGEST_RECORD for length in shape)
    if not (isinstance(name, str) and isinstance(kind, str) and _NUMBER.fullmatch(kind) and sizes and len(shape) < 4):
        raise ValueError(f"no record of formats has the column {column!r:.80}")
    return name, kind, tuple(shape)


def _layout(plain: Any, indent: str) -> str:
    """JSON with one line per entry, except that a list of plain numbers stays on one line."""
    deeper = indent + "  "
    if isinstance(plain, dict) and plain:
        lines = [f"{deeper}{json.dumps(key)}: {_layout(item, deeper)}" for key, item in plain.items()]
        return "{\n" + ",\n".join(lines) + "\n" + indent + "}"
    if isinstance(plain, list) and any(isinstance(item, dict | list | str) for item in plain):
        if all(_is_flat(item) for item in plain):
            lines = [deeper + _compact(item) for item in plain]
        else:
            lines = [deeper + _layout(item, deeper) for item in plain]
        return "[\n" + ",\n".join(lines) + "\n" + indent + "]"
    return _compact(plain)


def _is_flat(plain: Any) -> bool:
    """Whether a record fits on a line: a list whose items are numbers, texts or lists of those."""
    return isinstance(plain, list) and not any(isinstance(item, dict) for item in plain)


def _compact(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False)
