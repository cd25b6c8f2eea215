"""How the fields of records are declared (`layout` reads and writes them), and what is told about a stored field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

U8 = Annotated[int, "B"]
U16 = Annotated[int, "H"]
U32 = Annotated[int, "I"]
S8 = Annotated[int, "b"]
S16 = Annotated[int, "h"]
S32 = Annotated[int, "i"]

NUMBER_NAMES = {"B": "U8", "H": "U16", "I": "U32", "b": "S8", "h": "S16", "i": "S32"}
"""The character of a number in `struct` -> its name here."""

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Bits:
    """`width` bits of a word, whose size `word` gives as in `struct` (`B`, `H`)."""

    width: int
    word: str


@dataclass(frozen=True)
class Counted:
    """An array of `dtype` after its count, whose size `count` gives as in `struct`."""

    count: str
    dtype: npt.DTypeLike


@dataclass(frozen=True)
class Rest:
    """An array of `dtype` up to the end of the file."""

    dtype: npt.DTypeLike


class FieldSpan(NamedTuple):
    """The bytes of a field: its path in the record (names, and indices of elements), offset, size, value, and how that
    is stored, or computed of the bytes."""

    path: Path
    offset: int
    size: int
    value: Any
    how: str = ""

    @property
    def name(self) -> str:
        """The path as text: `objects 3: hidden_flag`."""
        text = ""
        for part in self.path:
            text += f" {part}" if isinstance(part, int) else ": " * bool(text) + part
        return text

    @property
    def text(self) -> str:
        """The value as text: numbers with commas between them, bytes as letters or hexadecimal digits; of many the
        first 64."""
        value = self.value[:64] if isinstance(self.value, bytes | np.ndarray) else self.value
        if not isinstance(value, bytes):
            return ", ".join(map(str, np.ravel(value).tolist()))
        letters = value.decode("latin-1").strip("\0\r\n")
        return letters if letters.isascii() and letters.isprintable() and letters else value.hex(" ")

    @property
    def elements(self) -> int:
        """The number of elements of an array; 0 for other fields."""
        return self.value.size if isinstance(self.value, np.ndarray) else 0

    def below(self, path: Path) -> list[FieldSpan]:
        """This field if its path begins with `path`; the fields of the element of this array that `path` names."""
        if self.path[: len(path)] == path:
            return [self]
        return self.element(int(path[-1])) if self.elements and self.path == path[:-1] else []

    def element(self, index: int) -> list[FieldSpan]:
        """The fields of an element of an array."""
        return list(element_spans(self.value[index], self.offset + index * self.value.itemsize, (*self.path, index)))


def element_spans(element: np.generic, offset: int, path: Path) -> Iterator[FieldSpan]:
    """The spans of an element of an array: of its fields, if it has fields."""
    fields = element.dtype.fields
    if fields is None:
        yield FieldSpan(path, offset, element.dtype.itemsize, element.item(), NUMBER_NAMES.get(element.dtype.char, ""))
        return
    for name in element.dtype.names or ():
        dtype, start = fields[name][:2]
        value = element[name].tolist()  # type: ignore[index]
        yield FieldSpan((*path, name), offset + start, dtype.itemsize, value, NUMBER_NAMES.get(dtype.base.char, ""))
