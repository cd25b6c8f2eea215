"""Initialisers in C sources: `TYPE NAME[...] = { [X] = { .field = value, ... }, ... };` as values with their lines.

Macros are replaced before; a source is read with what it includes, of which the tree may lack parts (NITRO's library).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple, NoReturn

from mapexplorer.caching import shared_property
from mapexplorer.decomp.preprocessor import Macro, Preprocessor, Scope
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

_LIBRARY: Final = {"TRUE": "1", "FALSE": "0", "NULL": "0", "FX32_ONE": "0x1000"}
"""Names of NITRO's library, which the tree has not."""
_FX32: Final = re.compile(r"\bFX32_CONST\(\s*(-?[0-9]+(?:\.[0-9]*)?)f?\s*\)")
_ANGLE: Final = re.compile(r"\bFX_DEG_TO_IDX\(\s*(-?[0-9]+)\s*\)")
_MARK: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[(){},;]')
_DESIGNATOR: Final = re.compile(r"\s*(?:(\[[^\]]*\]|\.\w+)\s*=\s*)?")
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
            self._scope.define(name, Macro(None, value, path, 1))
        self._lines = [(file, *line) for file, line in preprocessor.read(path, self._scope)]

    @shared_property
    def _text(self) -> str:
        """The lines that are no directives, with macros replaced."""
        return "\n".join([self._scope.expanded(file, line, text) for file, line, text in self._lines])

    @shared_property
    def _starts(self) -> list[int]:
        """Where each line begins in the text."""
        return [0, *accumulate([len(line) + 1 for line in self._text.split("\n")])]

    def origin(self, at: int) -> tuple[str, int]:
        """The file and the line of a place in the text."""
        file, line, _ = self._lines[bisect_right(self._starts, at) - 1]
        return file, line

    def array(self, definition: str) -> tuple[str, list[Initialiser]]:
        """The type and the items of the array whose definition matches a regular expression, which ends behind its
        first brace and has the type as its group. Raises SourceError for a source without it."""
        match = re.search(definition, self._text)
        if match is None:
            raise SourceError(self.path, None, "the table that this version looks for is not there")
        return match[1], self._items(self._text.index("{", match.start()))

    def _items(self, at: int) -> list[Initialiser]:
        """The items between the brace at a place and the one that closes it."""
        open_lists: list[tuple[int, list[Initialiser]]] = []
        start, depth = at, 0
        for mark in _MARK.finditer(self._text, at):
            sign = mark[0]
            depth += (sign == "(") - (sign == ")")
            if sign[0] in '()"' or depth:
                continue
            if sign == "{":
                open_lists.append((start, []))
                if len(open_lists) > _DEEPEST:
                    self.fail(start, f"more than {_DEEPEST} braces are open here")
            elif sign == ";":
                break
            else:
                list_start, items = open_lists[-1]
                if self._text[start : mark.start()].strip():
                    self._add(items, start, None, mark.start())
                if sign == "}":
                    open_lists.pop()
                    if not open_lists:
                        return items
                    self._add(open_lists[-1][1], list_start, items)
            start = mark.end()
        raise SourceError(*self.origin(at), "the brace that begins here is not closed")

    def _add(self, items: list[Initialiser], start: int, value: list[Initialiser] | None, end: int = 0) -> None:
        """Add the item at a place; its value is a list, or the text up to `end`."""
        match = _DESIGNATOR.match(self._text, start)
        assert match is not None
        at = match.start(1) if match[1] else match.end()
        items.append(Initialiser(match[1] or "", self._text[match.end() : end].strip() if value is None else value, at))

    def placed(self, items: list[Initialiser]) -> list[Initialiser | None]:
        """The items of an array at their places; None where it has none. Raises SourceError."""
        rows: dict[int, Initialiser] = {}
        place = 0
        for item in items:
            if item.designator:
                place = self._number(item.at, item.designator.strip("[]"))
            if not 0 <= place < _MOST_ROWS:
                self.fail(item.at, f"an array has no place {place}")
            rows[place] = item
            place += 1
        return [rows.get(place) for place in range(max(rows, default=-1) + 1)]

    def fields(self, row: Initialiser, names: tuple[str, ...]) -> dict[str, Initialiser]:
        """The items of a struct by the names of its fields. Raises SourceError."""
        values: dict[str, Initialiser] = {}
        place = 0
        for item in row.value if isinstance(row.value, list) else ():
            if item.designator:
                name = item.designator.strip(".")
                if name not in names:
                    self.fail(item.at, f"{name} is no field of this table{nearest(name, names)}")
                place = names.index(name)
            if place >= len(names):
                self.fail(item.at, f"a row has {len(names)} fields, not more")
            values[names[place]] = item
            place += 1
        return values

    def number(self, item: Initialiser) -> int:
        """The number of an item. Raises SourceError."""
        if isinstance(item.value, list):
            self.fail(item.at, "a number is needed, not a list")
        return self._number(item.at, item.value)

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
