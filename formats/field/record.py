"""Helpers of the readers and writers of small field records: naming, fixed-size names, tables of one record type."""

from __future__ import annotations

import dataclasses
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, require


def opened(data: Buffer, name: str) -> Reader:
    """A reader of `data`; if it has no path, its path is `name`."""
    reader = Reader.of(data)
    return reader if reader.path else reader.named(name)


def note_rest(reader: Reader, end: int, notes: Notes | None) -> None:
    """Add a note for bytes after `end`; readers ignore them and writers leave them out."""
    reader.tolerate(len(reader) <= end, notes, end, f"{len(reader) - end} bytes follow the end and are ignored")


def read_name(reader: Reader, offset: int, size: int, what: str = "a name") -> str:
    """A zero-padded name of `size` bytes as Latin-1 text."""
    return reader.bytes(offset, size, what).rstrip(b"\0").decode("latin-1")


def write_table(values: npt.NDArray[Any], dtype: npt.DTypeLike, what: str) -> bytes:
    """The bytes of an array that must have `dtype` exactly. Raises ValueError."""
    if values.dtype != np.dtype(dtype):
        raise ValueError(f"{what} must be an array of {np.dtype(dtype)}, not of {values.dtype}")
    return values.tobytes()


def write_count(count: int, limit: int, what: str) -> int:
    """`count`, when it is at most `limit`, the largest value of its field. Raises ValueError."""
    require(count <= limit, f"{count} {what} are more than the {limit} that the format allows")
    return count


def write_record(form: struct.Struct, value: object, *numbers: int | bytes) -> bytes:
    """Pack `numbers` for `value`; a number that its field cannot hold raises ValueError naming the record."""
    try:
        return form.pack(*numbers)
    except struct.error as error:
        kind = type(value).__name__
        fields = ", ".join(f.name for f in dataclasses.fields(value)) if dataclasses.is_dataclass(value) else ""
        raise ValueError(f"a field of {kind} ({fields}) is out of range: {error}") from None
