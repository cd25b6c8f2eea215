"""Bounded reading of bytes, and what a reader reports: errors and notes.

Every reader of `formats` reads bytes through `Reader`, which checks its bounds and keeps the path of the part being
read (`land_data.narc[123] > BDHC > plates`). A damaged file therefore raises a FormatError with that path, never an
IndexError, and no read allocates more memory than the size of the input justifies.

Importing this module does not import numpy, which takes as long as a search in a kept index of names.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

if TYPE_CHECKING:
    import numpy.typing as npt


class FormatError(ValueError):
    """Bytes that violate their format: path and byte offset, what was expected and what was found."""

    def __init__(self, path: str, offset: int, expected: str, found: str) -> None:
        self.path = path
        self.offset = offset
        self.expected = expected
        self.found = found
        super().__init__(path, offset, expected, found)

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}at byte 0x{self.offset:X}: expected {self.expected}, found {self.found}"


@dataclasses.dataclass(frozen=True)
class Note:
    """A deviation that the game tolerates: path, byte offset and a sentence about it."""

    path: str
    offset: int
    sentence: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}at byte 0x{self.offset:X}: {self.sentence}"


Notes = list[Note]

Declared = tuple[tuple[str | int, ...], int, int, Any, str]
"""A field: its path (names, and indices of elements), offset, size, value, and how it is stored or computed."""

Bytes = bytes  # `Reader.bytes` hides the name inside the class


class Reader:
    """A bounded little-endian view of bytes, with its path and offset in the file.

    Offsets given to the methods count from the view's first byte; offsets in errors and notes count from the first
    byte of the outermost file, as a hex editor shows them.
    """

    __slots__ = ("data", "origin", "path")

    _U8, _U16, _S16, _U32, _S32 = map(struct.Struct, ("B", "<H", "<h", "<I", "<i"))

    def __init__(self, data: bytes | bytearray | memoryview, path: str = "", origin: int = 0) -> None:
        self.data = memoryview(data).cast("B") if not isinstance(data, memoryview) else data
        self.path = path
        self.origin = origin

    @classmethod
    def of(cls, data: Buffer, name: str = "") -> Self:
        """A reader of `data`, which may be a reader, with `name` appended to its path."""
        if isinstance(data, cls):
            return data.named(name) if name else data
        return cls(data.data, join_path(data.path, name), data.origin) if isinstance(data, Reader) else cls(data, name)

    def __len__(self) -> int:
        return len(self.data)

    def fail(self, offset: int, expected: str, found: object) -> NoReturn:
        """Raise a `FormatError` for byte `offset` of this view."""
        raise FormatError(self.path, self.origin + offset, expected, str(found))

    def check(self, holds: object, offset: int, expected: str, found: object) -> None:
        """Raise a `FormatError` for byte `offset` of this view unless a rule holds."""
        if not holds:
            self.fail(offset, expected, found)

    def note(self, notes: Notes | None, offset: int, sentence: str) -> None:
        """Append a Note to `notes` unless it is None."""
        if notes is not None:
            notes.append(Note(self.path, self.origin + offset, sentence))

    def tolerate(self, holds: object, notes: Notes | None, offset: int, sentence: str) -> None:
        """Append a Note to `notes` unless a rule holds that files may break."""
        if not holds:
            self.note(notes, offset, sentence)

    def need(self, offset: int, size: int, what: str = "data") -> None:
        """Check that `size` bytes from `offset` are inside the view."""
        if offset < 0 or size < 0 or offset + size > len(self.data):
            self.fail(offset, f"{size} bytes of {what}", f"{max(0, len(self.data) - max(offset, 0))} before the end")

    def declare(self, fields: Iterable[Declared]) -> None:
        """Tell which bytes of this view are which fields. A plain reader does not need it, see `formats.recording`."""

    def u8(self, offset: int, what: str = "") -> int:
        """A number; `what`: what it is."""
        return int(self.unpack(self._U8, offset, "data", (what,))[0])

    def u16(self, offset: int, what: str = "") -> int:
        return int(self.unpack(self._U16, offset, "data", (what,))[0])

    def s16(self, offset: int, what: str = "") -> int:
        return int(self.unpack(self._S16, offset, "data", (what,))[0])

    def u32(self, offset: int, what: str = "") -> int:
        return int(self.unpack(self._U32, offset, "data", (what,))[0])

    def s32(self, offset: int, what: str = "") -> int:
        return int(self.unpack(self._S32, offset, "data", (what,))[0])

    def unpack(
        self, form: struct.Struct, offset: int, what: str = "a record", names: Sequence[str] = ()
    ) -> tuple[Any, ...]:
        """The values of a `struct.Struct` at `offset`; `names`: what each of them is."""
        if offset < 0 or offset + form.size > len(self.data):
            self.need(offset, form.size, what)
        return form.unpack_from(self.data, offset)

    def bytes(self, offset: int, size: int, what: str = "data") -> bytes:
        """A copy of `size` bytes."""
        self.need(offset, size, what)
        return bytes(self.data[offset : offset + size])

    def view(self, offset: int, size: int, name: str = "", what: str = "data") -> Self:
        """A reader of `size` bytes from `offset`; `name` is appended to the path (`file > part`). Raises
        FormatError."""
        self.need(offset, size, name or what)
        return type(self)(self.data[offset : offset + size], join_path(self.path, name), self.origin + offset)

    def named(self, name: str) -> Self:
        """The same view with `name` appended to its path."""
        return self.view(0, len(self.data), name)

    def array(self, offset: int, dtype: npt.DTypeLike, count: int, what: str = "records") -> npt.NDArray[Any]:
        """`count` records of `dtype` as a read-only numpy array of its own memory."""
        import numpy as np

        kind = np.dtype(dtype)
        self.need(offset, kind.itemsize * count, what)
        values = np.frombuffer(self.data, kind, count, offset).copy()
        values.flags.writeable = False
        return values

    def expect(self, offset: int, magic: Bytes) -> None:
        """Check a magic number."""
        stored = bytes(self.data[offset : offset + len(magic)]) if offset >= 0 else b""
        if stored != magic:
            self.fail(offset, f"{magic!r}", f"{stored!r}")
        self.declare([(("magic",), offset, len(magic), stored, "bytes")])


Buffer = bytes | bytearray | memoryview | Reader


def join_path(path: str, name: str) -> str:
    """`path > name`, leaving out what is empty."""
    return f"{path} > {name}" if path and name else path or name


def frozen(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """A read-only copy of `values` as a numpy array, the form in which values of `formats` hold arrays."""
    import numpy as np

    result = np.array(values, dtype=dtype)
    result.flags.writeable = False
    return result


def require(holds: object, why: str) -> None:
    """Raise ValueError unless a rule for a value holds; `why`: what the rule is."""
    if not holds:
        raise ValueError(why)


@contextlib.contextmanager
def fitting(what: str) -> Iterator[None]:
    """A block that raises ValueError instead of `struct.error`: `what` has a value that does not fit its field."""
    try:
        yield
    except struct.error as error:
        raise ValueError(f"{what} has a value that does not fit: {error}") from None


def pad(data: bytes, alignment: int = 4, fill: bytes = b"\0") -> bytes:
    """`data`, padded with `fill` to a multiple of `alignment` bytes."""
    return data + fill * (-len(data) % alignment)


def same(a: object, b: object) -> bool:
    """Field-by-field equality of two values of `formats` (dataclasses, arrays, sequences, mappings, plain values;
    what is no number is the same as itself)."""
    import numpy as np

    if a is b:
        return True
    if type(a) in (int, str, bytes):
        return type(a) is type(b) and a == b
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return (
            isinstance(a, np.ndarray)
            and isinstance(b, np.ndarray)
            and a.dtype == b.dtype
            and a.shape == b.shape
            and a.tobytes() == b.tobytes()
        )
    if dataclasses.is_dataclass(a) and not isinstance(a, type):
        return type(a) is type(b) and all(
            same(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a)
        )
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and _all_same(a, b)
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    return type(a) is type(b) and a == b


def _all_same(a: Sequence[object], b: Iterable[object]) -> bool:
    return all(same(x, y) for x, y in zip(a, b, strict=True))


def write_name(name: str, size: int) -> bytes:
    """A name as `size` zero-padded bytes. Raises ValueError when it does not fit."""
    try:
        data = name.encode("latin-1")
    except UnicodeEncodeError:
        raise ValueError(f"the name {name!r} has characters outside Latin-1") from None
    require(len(data) <= size, f"the name {name!r} is longer than {size} bytes")
    require(not data.endswith(b"\0"), f"the name {name!r} ends with the character 0, which fills names up")
    return data.ljust(size, b"\0")
