"""JSON files of a tree: their parts as numbers and texts, with errors that name the file and the line."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from mapexplorer.decomp.enumerations import Names
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError
from mapexplorer.json_lines import line_of, read_json

U8: Final = 0xFF
U16: Final = 0xFFFF
"""The largest numbers of fields, and of items in a list."""


class JsonValue:
    """A part of a JSON file; `path` leads to it as `json_lines.line_of` reads it, `index` is its place in a list."""

    __slots__ = ("file", "index", "path", "text", "value")

    def __init__(self, file: str, text: str, value: Any, path: str = "", index: int = 0) -> None:
        self.file, self.text, self.value, self.path, self.index = file, text, value, path, index

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
        """The value at a path below this one, in which `|` is between the names that a key has in different commits.
        Raises SourceError."""
        part = self
        for key in path.split(".") if path else ():
            known = [name for name in key.split("|") if isinstance(part.value, dict) and name in part.value]
            if not known:
                part.fail(f"{key.partition('|')[0]} is missing")
            part = JsonValue(self.file, self.text, part.value[known[0]], f"{part.path}.{known[0]}".lstrip("."))
        return part

    def has(self, key: str) -> bool:
        """Whether this is an object with a key, whose value is not null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def items(self, count: int | None = None, most: int = U16) -> list[JsonValue]:
        """The items of a list. Raises SourceError for something else, and for another number of items."""
        items = self._of_type(list, "a list")
        if (count is not None and len(items) != count) or len(items) > most:
            needed = f"{count} are needed" if count is not None else f"at most {most} are possible"
            self.fail(f"there are {len(items)} items, {needed}")
        return [JsonValue(self.file, self.text, item, f"{self.path}[{at}]", at) for at, item in enumerate(items)]

    def number(self, most: int, names: Names | None = None, signed: bool = False) -> int:
        """The number of a field: a number, a text with one, a name, or true. Negative ones are those of the field.
        Raises SourceError for a number that the field cannot hold and for an unknown name."""
        value = self.value
        if isinstance(value, str) and names is not None and value in names.entries:
            value = names[value]
        elif isinstance(value, str) and value.lstrip("-").isdecimal():
            value = int(value)
        if not isinstance(value, int):
            is_name = isinstance(value, str) and names is not None
            self.fail(names.unknown(value) if is_name else "a number is needed")  # type: ignore[union-attr]
        if not -(most // 2) - 1 <= value <= most:
            self.fail(f"{value} does not fit its field, which holds at most {most}")
        value &= most
        return value - most - 1 if signed and value > most // 2 else value

    def boolean(self) -> bool:
        """True or false. Raises SourceError for something else."""
        return bool(self._of_type(bool, "true or false"))

    def string(self) -> str:
        """A text. Raises SourceError for something else."""
        return str(self._of_type(str, "a text"))

    def _of_type(self, kind: type, name: str) -> Any:
        if not isinstance(self.value, kind):
            self.fail(f"{name} is needed")
        return self.value
