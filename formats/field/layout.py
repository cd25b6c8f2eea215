"""Records declared once: a frozen dataclass whose annotations are the layout of its bytes, little-endian, without gaps.

    @dataclass(frozen=True)
    class AreaData(Record, title="area data"):
        prop_set: U16
        terrain_set: U16

From these follow reading, writing and the byte range of each field; `formats.json_codec` takes the same annotations
without their layout. A field is one of

    U8 U16 U32 S8 S16 S32                       a number
    Annotated[int, Bits(10, "H")]               bits of a word, bool for a flag; bit fields in a row fill their words
                                                from bit 0
    Annotated[bytes, 44]                        bytes without a known meaning
    Slot, a subclass of Record                  its fields
    tuple[U16, U16], Annotated[tuple[Slot, ...], 12]
    U16 | None                                  a field that some forms of the record lack, see `layout`
    Annotated[NDArray, Counted("I", DTYPE)]     a count and so many elements
    Annotated[NDArray, Rest(DTYPE)]             elements up to the end of the file
"""

from __future__ import annotations

import dataclasses
import struct
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from formats.binary import Buffer, Notes, Reader, require
from formats.field.field_types import (
    NUMBER_NAMES,
    Bits,
    Counted,
    FieldSpan,
    Path,
    Rest,
    element_spans,
)
from formats.field.record import note_rest, opened, write_count, write_record, write_table


@dataclass(frozen=True, eq=False)
class Record:
    """The base of declared records; `record_title` names what is read in errors. A subclass of a record without a title
    adds fields that are not stored."""

    record_title: ClassVar[str]
    stored: ClassVar[type[Record]]

    def __init_subclass__(cls, *, title: str = "") -> None:
        if title:
            cls.record_title, cls.stored = title, cls

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read a record. Raises FormatError."""
        reader = opened(data, cls.record_title)
        value, end = layout(cls).read(reader, 0)
        reader.declare(layout(cls).spans(value, 0))
        note_rest(reader, end, notes)
        return typing.cast(Self, value)

    def to_bytes(self) -> bytes:
        """The bytes. Raises ValueError for a value that its field cannot hold."""
        return layout(self.stored).write(self)

    def spans(self) -> list[FieldSpan]:
        """The bytes of each field in file order."""
        return list(layout(self.stored).spans(self, 0))


def layout(kind: type[Record], absent: frozenset[str] = frozenset()) -> RecordLayout:
    """The layout of a record class, or of its form without the optional fields `absent`, which are None then."""
    if (kind, absent) not in _layouts:
        _layouts[kind, absent] = RecordLayout(kind, absent)
    return _layouts[kind, absent]


_layouts: dict[tuple[type[Record], frozenset[str]], RecordLayout] = {}


class RecordLayout:
    """The parts of a record class: runs of fields of fixed size, and arrays."""

    def __init__(self, kind: type[Record], absent: frozenset[str]) -> None:
        self.kind = kind
        self.absent = absent
        self._parts: list[_FieldRun | _Array] = []
        hints = typing.get_type_hints(kind, include_extras=True)
        for field in dataclasses.fields(kind):
            if field.name in absent:
                continue
            hint = hints[field.name]
            how = _annotated(hint)[1]
            if isinstance(how, Counted | Rest):
                self._parts.append(_Array(field.name, how))
                continue
            last = self._parts[-1] if self._parts else None
            if not isinstance(last, _FieldRun):
                last = _FieldRun(kind)
                self._parts.append(last)
            last.add(field.name, hint)

    @property
    def run(self) -> _FieldRun:
        """All fields of a record without arrays."""
        (part,) = self._parts
        assert isinstance(part, _FieldRun), f"{self.kind.__name__} has no fixed size"
        return part

    @property
    def size(self) -> int:
        """The number of bytes of a record without arrays."""
        return self.run.codec.size

    def read(self, reader: Reader, offset: int) -> tuple[Record, int]:
        """The record at `offset`, and its end. Raises FormatError."""
        values: dict[str, Any] = dict.fromkeys(self.absent)
        for part in self._parts:
            offset = part.read(reader, offset, values)
        return self.kind(**values), offset

    def write(self, value: Record) -> bytes:
        """The bytes of a record. Raises ValueError."""
        for name in self.absent:
            require(getattr(value, name) is None, f"this form of {self.kind.__name__} has no {name}")
        return b"".join(part.write(value) for part in self._parts)

    def spans(self, value: Record, offset: int, path: Path = ()) -> Iterator[FieldSpan]:
        """The spans of a record that begins at `offset`."""
        for part in self._parts:
            yield from part.spans(value, offset, path)
            offset += part.bytes_of(value)


class _Piece:
    """A field in a run, or bit fields in a word: the `struct` characters of its numbers, and their conversion. This one
    is a number, or bytes."""

    def __init__(self, form: str) -> None:
        self._form = form

    @property
    def form(self) -> str:
        """The `struct` characters."""
        return self._form

    @property
    def size(self) -> int:
        """Bytes."""
        return struct.calcsize("<" + self.form)

    def value(self, numbers: Iterator[Any]) -> Any:
        """The field's value, of the next numbers."""
        return next(numbers)

    def numbers(self, value: Any) -> list[Any]:
        """The numbers of a value. Raises ValueError."""
        if isinstance(value, bytes) and len(value) != self.size:
            raise ValueError(f"expected {self.size} bytes, not {len(value)}")
        return [value]

    def spans(self, value: Any, offset: int, path: Path) -> Iterator[FieldSpan]:
        """The spans of a value that begins at `offset`."""
        yield FieldSpan(path, offset, self.size, value, NUMBER_NAMES.get(self.form, "bytes"))


class _FieldRun(_Piece):
    """Fields of fixed size in a row: the part of a record, or a record inside another."""

    def __init__(self, kind: type[Record]) -> None:
        self._kind = kind
        self._pieces: list[tuple[str, _Piece]] = []

    def add(self, name: str, hint: Any) -> None:
        kind, how = _annotated(hint)
        if not isinstance(how, Bits):
            self._pieces.append((name, _piece(hint)))
            return
        last = self._pieces[-1][1] if self._pieces else None
        if not isinstance(last, _Word) or last.is_full or last.form != how.word:
            last = _Word(how.word)
            self._pieces.append(("", last))
        last.add(name, how, kind)

    @property
    def form(self) -> str:
        """The `struct` characters of all fields. Raises TypeError for bit fields that do not fill their words."""
        if not all(piece.is_full for _, piece in self._pieces if isinstance(piece, _Word)):
            raise TypeError(f"the bit fields of {self._kind.__name__} do not fill their words")
        return "".join(piece.form for _, piece in self._pieces)

    @cached_property
    def codec(self) -> struct.Struct:
        """How the numbers of all fields are stored."""
        return struct.Struct("<" + self.form)

    def value(self, numbers: Iterator[Any]) -> Any:
        return self._kind(**self.values(numbers))

    def values(self, numbers: Iterator[Any]) -> dict[str, Any]:
        """Field -> value, of the next numbers."""
        values: dict[str, Any] = {}
        for name, piece in self._pieces:
            values |= {name: piece.value(numbers)} if name else piece.value(numbers)
        return values

    def numbers(self, value: Any) -> list[Any]:
        """The numbers of all fields. Raises ValueError."""
        numbers = []
        for name, piece in self._pieces:
            part = getattr(value, name) if name else value
            if part is None:
                raise ValueError(f"this form of {self._kind.__name__} needs {name}")
            numbers += piece.numbers(part)
        return numbers

    def read(self, reader: Reader, offset: int, values: dict[str, Any]) -> int:
        values |= self.values(iter(reader.unpack(self.codec, offset, self._kind.record_title)))
        return offset + self.codec.size

    def write(self, value: Record) -> bytes:
        return write_record(self.codec, value, *self.numbers(value))

    def spans(self, value: Any, offset: int, path: Path) -> Iterator[FieldSpan]:
        for name, piece in self._pieces:
            whole, where = (getattr(value, name), (*path, name)) if name else (value, path)
            yield from piece.spans(whole, offset, where)
            offset += piece.size

    def bytes_of(self, value: Record) -> int:
        return self.codec.size


class _Array:
    """An array, with or without its count."""

    def __init__(self, name: str, how: Counted | Rest) -> None:
        self._name = name
        self._what = name.replace("_", " ")
        self._dtype = np.dtype(how.dtype)
        self._count = struct.Struct("<" + (how.count if isinstance(how, Counted) else ""))

    def read(self, reader: Reader, offset: int, values: dict[str, Any]) -> int:
        start = offset + self._count.size
        counts = reader.unpack(self._count, offset, f"the number of {self._what}")
        count = counts[0] if counts else (len(reader) - start) // self._dtype.itemsize
        values[self._name] = records = reader.array(start, self._dtype, count, self._what)
        return start + records.nbytes

    def write(self, value: Record) -> bytes:
        records = getattr(value, self._name)
        counts = []
        if self._count.size:
            counts.append(write_count(len(records), (1 << 8 * self._count.size) - 1, self._what))
        return self._count.pack(*counts) + write_table(records, self._dtype, self._what)

    def spans(self, value: Any, offset: int, path: Path) -> Iterator[FieldSpan]:
        records = getattr(value, self._name)
        path = (*path, self._name)
        if self._count.size:
            yield FieldSpan((*path, "count"), offset, self._count.size, len(records), "the number of elements")
            offset += self._count.size
        for index, record in enumerate(records):
            yield from element_spans(record, offset, (*path, index))
            offset += self._dtype.itemsize

    def bytes_of(self, value: Record) -> int:
        return self._count.size + int(getattr(value, self._name).nbytes)


class _Word(_Piece):
    """Bit fields that share a word; its value is a dictionary of them."""

    def __init__(self, form: str) -> None:
        super().__init__(form)
        self._fields: list[tuple[str, int, int, type]] = []
        self._used = 0

    def add(self, name: str, bits: Bits, kind: type) -> None:
        self._fields.append((name, self._used, (1 << bits.width) - 1, kind))
        self._used += bits.width

    @property
    def is_full(self) -> bool:
        return self._used == 8 * self.size

    def value(self, numbers: Iterator[Any]) -> dict[str, Any]:
        word = next(numbers)
        return {name: kind(word >> shift & mask) for name, shift, mask, kind in self._fields}

    def numbers(self, value: Any) -> list[Any]:
        word = 0
        for name, shift, mask, _ in self._fields:
            part = int(getattr(value, name))
            require(0 <= part <= mask, f"{name} is a number from 0 to {mask}, not {part}")
            word |= part << shift
        return [word]

    def spans(self, value: Any, offset: int, path: Path) -> Iterator[FieldSpan]:
        for name, shift, mask, _ in self._fields:
            how = f"bits {shift} to {shift + mask.bit_length() - 1} of {NUMBER_NAMES[self.form]}"
            yield FieldSpan((*path, name), offset, self.size, getattr(value, name), how)


class _Tuple(_Piece):
    def __init__(self, item: _Piece, count: int) -> None:
        super().__init__(item.form * count)
        self._item = item
        self._count = count

    def value(self, numbers: Iterator[Any]) -> Any:
        return tuple([self._item.value(numbers) for _ in range(self._count)])

    def numbers(self, value: Any) -> list[Any]:
        require(len(value) == self._count, f"expected {self._count} values, not {len(value)}")
        return [number for item in value for number in self._item.numbers(item)]

    def spans(self, value: Any, offset: int, path: Path) -> Iterator[FieldSpan]:
        for index, item in enumerate(value):
            yield from self._item.spans(item, offset, (*path, index))
            offset += self._item.size


def _annotated(hint: Any) -> tuple[Any, Any]:
    """The type of an annotation and how it is stored (None: as the type itself says)."""
    if typing.get_origin(hint) is Annotated:
        kind, how = typing.get_args(hint)
        return kind, how
    return hint, None


def _piece(hint: Any) -> _Piece:
    """The piece of an annotation. Raises TypeError for one that is not a layout."""
    kind, how = _annotated(hint)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        (present,) = [argument for argument in typing.get_args(kind) if argument is not type(None)]
        return _piece(present)
    if isinstance(how, str):
        return _Piece(how)
    if kind is bytes and isinstance(how, int):
        return _Piece(f"{how}s")
    if typing.get_origin(kind) is tuple:
        first, *others = typing.get_args(kind)
        if others == [Ellipsis] and isinstance(how, int):
            return _Tuple(_piece(first), how)
        if how is None and all(other == first for other in others):
            return _Tuple(_piece(first), 1 + len(others))
    if isinstance(kind, type) and issubclass(kind, Record):
        return layout(kind).run
    raise TypeError(f"{hint} is not the layout of a field")
