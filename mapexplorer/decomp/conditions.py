"""Conditions around the lines of a source, of the preprocessor (`#if`) and of the assembler (`.if`)."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.errors import SourceError

_Open = tuple[str, int, bool, bool, int, "_Open | None"]
"""An open condition: its file and line, whether the line is in a part that holds, whether a later one may, how many are
open; the one around it."""


class OpenConditions:
    """The conditions that are open at a line. Directives are without the mark before them: those that begin a
    condition, `otherwise`, `else`, `endif`."""

    def __init__(self, mark: str, begins: frozenset[str], otherwise: str) -> None:
        self._mark = mark
        self._begins = begins
        self._otherwise = otherwise
        self._open: _Open | None = None

    @property
    def holds(self) -> bool:
        """Whether the line is read."""
        return self._open is None or self._open[2]

    def __len__(self) -> int:
        return 0 if self._open is None else self._open[4]

    def read(self, file: str, line: int, word: str, test: Callable[[], bool]) -> bool:
        """Read a directive, whose condition is tested where that matters; whether it is one of conditions. Raises
        SourceError for a further part, or an end, outside of a condition."""
        if word in self._begins:
            self._open = (file, line, False, self.holds, len(self) + 1, self._open)
        elif word not in (self._otherwise, "else", "endif"):
            return False
        if self._open is None:
            raise SourceError(file, line, f"no {self._mark}if stands before this")
        first_file, first_line, _, may_hold, depth, outer = self._open
        holds = may_hold and word != "endif" and (word == "else" or test())
        part = (first_file, first_line, holds, may_hold and not holds, depth, outer)
        self._open = outer if word == "endif" else part
        return True

    def check_ended(self) -> None:
        """Raises SourceError for a condition without its end."""
        if self._open is not None:
            raise SourceError(*self._open[:2], f"this condition has no {self._mark}endif")
