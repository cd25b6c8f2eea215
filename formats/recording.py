"""Which bytes of a file are which fields, found by reading it: `RecordingReader` is given to the reader of any format,
and keeps every access through it and through the views that are made of it."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from formats.binary import Bytes, Declared, Reader
from formats.field.field_types import NUMBER_NAMES, FieldSpan, Path

NOT_DECODED: Final = "not decoded"
_DECLARED, _READ, _UNNAMED, _VIEW = range(4)


class RecordingReader(Reader):
    """A reader that keeps which bytes were read as what. Its path must be the name of the file."""

    def __init__(self, data: bytes | bytearray | memoryview, path: str = "", origin: int = 0) -> None:
        super().__init__(data, path, origin)
        self._kept: dict[tuple[int, int, int], dict[Path, FieldSpan]] = {}
        """Kind of access, size and offset in the file -> path -> the field; shared with all views."""
        self._keep(_VIEW, 0, len(self), (), None, "")

    def spans(self) -> list[FieldSpan]:
        """The fields in file order; they cover all bytes. Of fields with the same bytes: those that were declared, else
        the smallest that were read at once. Bytes that were read otherwise, or not at all, are fields that say so."""
        covered, spans = np.zeros(len(self), bool), list[FieldSpan]()
        for (kind, size, offset), same in sorted(self._kept.items(), key=lambda kept: kept[0]):
            part = covered[offset : offset + size]
            if kind == _VIEW:
                spans += self._gaps(next(iter(same.values())), ~part)
            elif not part.all():
                spans += same.values()
            part[:] = True
        return sorted(spans, key=lambda span: (span.offset, -span.size))

    def _gaps(self, view: FieldSpan, free: npt.NDArray[np.bool_]) -> Iterator[FieldSpan]:
        """The parts of a view that no field covers."""
        edges = (view.offset + np.flatnonzero(np.diff(free, prepend=False, append=False))).tolist()
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            yield FieldSpan((*view.path, NOT_DECODED), start, end - start, bytes(self.data[start:end]), "")

    def _keep(self, kind: int, offset: int, size: int, path: Path, value: Any, how: str) -> None:
        at, where = self.origin + offset, (*self.path.split(" > ")[1:], *path)
        if size:
            self._kept.setdefault((kind, size, at), {})[where] = FieldSpan(where, at, size, value, how)

    def declare(self, fields: Iterable[Declared]) -> None:
        for path, offset, size, value, how in fields:
            self._keep(_DECLARED, offset, size, path, value, how)

    def unpack(
        self, form: struct.Struct, offset: int, what: str = "a record", names: Sequence[str] = ()
    ) -> tuple[Any, ...]:
        values, at = super().unpack(form, offset, what), offset
        repeated = re.sub(r"(\d+)([^s\d])", lambda found: found[2] * int(found[1]), form.format)
        each: Sequence[str | int] = names or range(len(values))
        for name, part, value in zip(each, re.findall(r"\d*[a-zA-Z?]", repeated), values, strict=True):
            path = (what, name) if len(values) > 1 else (name or what,)
            size = struct.calcsize(f"<{part}")
            self._keep(_UNNAMED if name == "" else _READ, at, size, path, value, NUMBER_NAMES.get(part, "bytes"))
            at += size
        return values

    def bytes(self, offset: int, size: int, what: str = "data") -> Bytes:
        value = super().bytes(offset, size, what)
        self._keep(_READ, offset, size, (what,), value, "bytes")
        return value

    def view(self, offset: int, size: int, name: str = "", what: str = "data") -> Self:
        part = super().view(offset, size, name, what)
        part._kept = self._kept
        if size < len(self):
            self._keep(_VIEW, offset, size, (name or what,), None, "")
        return part

    def array(self, offset: int, dtype: npt.DTypeLike, count: int, what: str = "records") -> npt.NDArray[Any]:
        values = super().array(offset, dtype, count, what)
        self._keep(_READ, offset, values.nbytes, (what,), values, f"array of {count}")
        return values
