"""The bytes of the file that a thing is in, with all fields of the file and those of the thing."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from formats.binary import FormatError
from formats.field.field_types import FieldSpan, Path
from formats.field.terrain_attribute import BEHAVIOUR
from formats.recording import RecordingReader
from mapexplorer.gameplay.names import name
from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.world.headers.header_names import header_field_name

if TYPE_CHECKING:
    from mapexplorer.rom.rom import Origin
    from mapexplorer.world import FieldWorld


@dataclass(frozen=True, eq=False)
class RawBytes:
    """The file that a thing is in: its name, its bytes, and what reads them. `own`: the paths of the thing's fields;
    none: the file is the thing. `meaning` says what the value of a field means. The fields are read when they are asked
    for first."""

    path: str
    data: bytes = dataclasses.field(repr=False)
    read: Callable[[RecordingReader], object] = dataclasses.field(repr=False)
    meaning: Callable[[FieldSpan], str] = dataclasses.field(repr=False)
    own: tuple[Path, ...] = ()
    origin: Callable[[Path, int], Origin | None] = dataclasses.field(default=lambda path, offset: None, repr=False)
    """Where a field stands, by its path and offset, in the text that the file is made from."""

    @cached_property
    def fields(self) -> list[FieldSpan]:
        """All fields in file order, of a damaged file those before the damage; they cover all bytes."""
        reader = RecordingReader(self.data, self.path)
        with suppress(FormatError):
            self.read(reader)
        return reader.spans()

    @cached_property
    def selected(self) -> list[FieldSpan]:
        """The fields of the thing in file order."""
        own = [part for path in self.own for field in self.fields for part in field.below(path)]
        return sorted(own, key=lambda field: field.offset) if self.own else self.fields

    def is_own(self, offset: int) -> bool:
        """Whether a byte is the thing's."""
        return not self.own or any(field.offset <= offset < field.offset + field.size for field in self.selected)

    def field_at(self, offset: int) -> FieldSpan:
        """The smallest field that holds a byte, in an array a field of an element."""
        begun = self.fields[: bisect_right(self.fields, offset, key=lambda field: field.offset)]
        field = next(field for field in reversed(begun) if offset < field.offset + field.size)
        parts: list[FieldSpan] = (
            field.element((offset - field.offset) // field.value.itemsize) if field.elements else [field]
        )
        return [part for part in parts if part.offset <= offset][-1]


_MEANINGS: Final[Mapping[str, Callable[[FieldWorld, Any], str]]] = {
    "graphics": lambda world, number: world.game.tables.graphics_name(number),
    "header": lambda world, number: world.headers[number].title if number < len(world.headers) else "",
    "tiles": lambda world, word: world.game.tables.behaviour_name(word & BEHAVIOUR),
    "command": lambda world, values: world.game.tables.script_commands.names[values[0]].name,
}
"""The last name of a field's path -> what its value means; of fields that neither header nor banks of names explain."""


def field_meaning(world: FieldWorld, field: FieldSpan) -> str:
    """What the value of a field means, by the names and tables of the game; empty where they do not say it."""
    last = next((part for part in reversed(field.path) if isinstance(part, str)), "")
    words = last.replace("_", " ").removesuffix("s")
    bank = next((bank for kind, bank in NAMES_OF.items() if words.endswith(kind.removesuffix("s"))), None)
    with suppress(FormatError):
        if last in _MEANINGS:
            return _MEANINGS[last](world, field.value)
        if bank is not None:
            return name(world, bank, field.value) if isinstance(field.value, int) and field.value else ""
    return header_field_name(world, last, field.value)
