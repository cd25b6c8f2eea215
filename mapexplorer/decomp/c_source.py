"""Initialisers in C sources: `TYPE NAME[...] = { [X] = { .field = value, ... }, ... };` as values with their lines.

Macros are replaced before; a source is read with what it includes, of which the tree may lack parts (NITRO's library).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final, NamedTuple, NoReturn

from mapexplorer.decomp.brackets import enclosed
from mapexplorer.decomp.preprocessor import Macro, Preprocessor, Scope
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

_LIBRARY: Final = {"TRUE": "1", "FALSE": "0", "NULL": "0", "FX32_ONE": "0x1000"}
"""Names of NITRO's library, which the tree has not."""
_FX32: Final = re.compile(r"\bFX32_CONST\(\s*(-?[0-9]+(?:\.[0-9]*)?)f?\s*\)")
_ANGLE: Final = re.compile(r"\bFX_DEG_TO_IDX\(\s*(-?[0-9]+)\s*\)")
_ITEM: Final = re.compile(r"\s*(?:(\[[^\]]*\]|\.\w+)\s*=\s*)?")
_FIELD: Final = re.compile(r"(\w+)\s*(?:\[[^\]]*\]|:\s*\d+)?\s*;")
_MOST_ROWS, _DEEPEST = 1 << 16, 16
"""Rows of a table, and lists inside each other."""


class Initialiser(NamedTuple):
    """An item between braces: `[X]`, `.field` or nothing; its text or its items; where it begins in the source."""

    designator: str
    value: str | list[Initialiser]
    at: int


class CSource:
    """A source with what it includes. Raises SourceError for one that cannot be read."""

    def __init__(self, preprocessor: Preprocessor, path: str) -> None:
        self.path = path
        self._scope = Scope()
        for name, value in _LIBRARY.items():
            self._scope.macros[name] = Macro(None, value)
        self._lines = [(file, *line) for file, line in preprocessor.read(path, self._scope)]
        texts = [self._scope.expanded(file, line, text) for file, line, text in self._lines]
        self._text = "\n".join(texts)
        self._starts = [0, *accumulate([len(text) + 1 for text in texts])]

    def origin(self, at: int) -> tuple[str, int]:
        """The file and the line of a place in the text."""
        return self._lines[bisect_right(self._starts, at) - 1][:2]

    def array(self, definition: str) -> tuple[str, list[Initialiser]]:
        """The type and the items of the array whose definition matches a regular expression, which ends behind its
        first brace and has the type as its group. Raises SourceError for a source without it."""
        match = re.search(definition, self._text)
        if match is None:
            raise SourceError(self.path, None, "the table that this version looks for is not there")
        return match[1], self._items(self._text.index("{", match.start()), 1)

    def _items(self, at: int, depth: int) -> list[Initialiser]:
        """The items between the brace at a place and the one that closes it."""
        parts, end = enclosed(self._text, at)
        if not end or depth > _DEEPEST:
            self.fail(at, "the brace that begins here is not closed" if not end else "too many braces are open here")
        items: list[Initialiser] = []
        for start, stop in parts:
            match = _ITEM.match(self._text, start, stop)
            text = self._text[match.end() : stop].strip() if match is not None else ""
            if match is not None and text:
                value = self._items(match.end(), depth + 1) if text[0] == "{" else text
                items.append(Initialiser(match[1] or "", value, match.start(1) if match[1] else match.end()))
        return items

    def placed(self, items: list[Initialiser], names: tuple[str, ...] = ()) -> dict[int, Initialiser]:
        """Place -> item of an array, or of a struct whose fields have names. Raises SourceError."""
        rows: dict[int, Initialiser] = {}
        place = 0
        for item in items:
            name = item.designator.strip(".[]")
            if item.designator[:1] == "[":
                place = self._number(item.at, name)
            elif name and name not in names:
                self.fail(item.at, f"{name} is no field of this table{nearest(name, names)}")
            elif name:
                place = names.index(name)
            if not 0 <= place < (len(names) or _MOST_ROWS):
                self.fail(item.at, f"{'a row has no field' if names else 'an array has no place'} {place}")
            rows[place] = item
            place += 1
        return rows

    def number(self, item: Initialiser) -> Any:
        """The number of an item; those of a list. Raises SourceError."""
        return [*map(self.number, item.value)] if isinstance(item.value, list) else self._number(item.at, item.value)

    def _number(self, at: int, text: str) -> int:
        text = _FX32.sub(lambda match: str(_nearest_integer(float(match[1]) * 4096)), text)
        text = _ANGLE.sub(lambda match: str(_angle(int(match[1]))), text)
        return self._scope.value(*self.origin(at), text)

    def struct(self, name: str) -> tuple[str, ...]:
        """The names of the fields of a struct; none for another type."""
        match = re.search(rf"typedef\s+struct\s*+\w*+\s*+\{{([^{{}}]*)\}}\s*{name}\s*;", self._text)
        return tuple(_FIELD.findall(match[1])) if match else ()

    def fail(self, at: int, why: str) -> NoReturn:
        """Raises SourceError about a place."""
        raise SourceError(*self.origin(at), why)


def _nearest_integer(number: float) -> int:
    """The nearest integer, the one farther from 0 of two."""
    return math.floor(abs(number) + 0.5) * (1 if number >= 0 else -1)


def _angle(degrees: int) -> int:
    """An angle in degrees (fx32) in 65536ths of a turn, as NITRO's FX_DEG_TO_IDX."""
    return degrees * _nearest_integer(65536 / 360 * (1 << 32)) + (1 << 43) >> 44
