"""JSON files of a tree: their parts as numbers and texts, with errors that name the file and the line."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, NoReturn

from mapexplorer.decomp.enumerations import Enumerations, Names
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import line_of, read_json

U8: Final = 0xFF
U16: Final = 0xFFFF
U32: Final = 0xFFFFFFFF
"""The largest numbers of the fields."""

_MISSING: Final = object()


class NumberField(NamedTuple):
    """A number in an object: the field of a record that it is, its key, its largest value, the sources of the names
    that it may be (`Enumerations.of`), whether the record has it with a sign, what it is where the key is missing or
    null (None: an error)."""

    name: str
    key: str
    most: int
    names: str = ""
    signed: bool = False
    default: int | None = None


class JsonValue:
    """A part of a JSON file; `path` leads to it as `json_lines.line_of` reads it."""

    __slots__ = ("file", "path", "text", "value")

    def __init__(self, file: str, text: str, value: Any, path: str = "") -> None:
        self.file, self.text, self.value, self.path = file, text, value, path

    @classmethod
    def read(cls, files: TreeFiles, file: str) -> JsonValue:
        """The contents of a file. Raises SourceError."""
        text = files.text(file)
        return cls(file, text, read_json(file, text))

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return line_of(self.text, self.path)

    def fail(self, why: str) -> NoReturn:
        """Raises SourceError about this part."""
        raise SourceError(self.file, self.line, why)

    def part(self, path: str) -> JsonValue:
        """The value at a path below this one. Raises SourceError."""
        part = self
        for key in path.split("."):
            if not isinstance(part.value, dict):
                part.fail(f"an object with {key} is needed")
            value = part.value.get(key, _MISSING)
            if value is _MISSING:
                part.fail(f"{key} is missing")
            part = JsonValue(self.file, self.text, value, f"{part.path}.{key}".lstrip("."))
        return part

    def has(self, key: str) -> bool:
        """Whether this is an object with a key, whose value is not null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def items(self, count: int | None = None, most: int = U16) -> list[JsonValue]:
        """The items of a list. Raises SourceError for something else, and for another number of items."""
        if not isinstance(self.value, list):
            self.fail("a list is needed")
        if (count is not None and len(self.value) != count) or len(self.value) > most:
            needed = f"{count} are needed" if count is not None else f"at most {most} are possible"
            self.fail(f"there are {len(self.value)} items, {needed}")
        return [JsonValue(self.file, self.text, item, f"{self.path}[{index}]") for index, item in enumerate(self.value)]

    def number(self, most: int, names: Names | None = None, signed: bool = False) -> int:
        """The number of a field: a number, a text with one, a name, or true. Negative ones are those of the field.
        Raises SourceError for a number that the field cannot hold and for an unknown name."""
        value = self.value
        if isinstance(value, str):
            value = self._named(value, names)
        if not isinstance(value, int):
            self.fail("a number is needed")
        if not -(most // 2) - 1 <= value <= most:
            self.fail(f"{value} does not fit its field, which holds at most {most}")
        value &= most
        return value - most - 1 if signed and value > most // 2 else value

    def _named(self, text: str, names: Names | None) -> int:
        if names is not None and (text in names.entries):
            return names[text]
        if text.lstrip("-").isdecimal():
            return int(text)
        return self.fail(names.unknown(text) if names is not None else f"a number is needed, not {text}")

    def fields(self, fields: tuple[NumberField, ...], names: Enumerations) -> tuple[int, ...]:
        """The numbers of an object's fields. Raises SourceError as `number`."""
        return tuple(
            [
                default
                if default is not None and not self.has(key)
                else self.part(key).number(most, names.of(sources) if sources else None, signed)
                for _, key, most, sources, signed, default in fields
            ]
        )

    def numbers(self, key: str, count: int | None, most: int, names: Names | None = None) -> tuple[int, ...]:
        """The numbers of a list below a key."""
        return tuple([item.number(most, names) for item in self.part(key).items(count)])

    def boolean(self) -> bool:
        """True or false. Raises SourceError for something else."""
        if not isinstance(self.value, bool):
            self.fail("true or false is needed")
        return self.value

    def string(self) -> str:
        """A text. Raises SourceError for something else."""
        if not isinstance(self.value, str):
            self.fail("a text is needed")
        return self.value
