"""Conditions around the lines of a source, of the preprocessor (`#if`) and of the assembler (`.if`)."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.errors import SourceError


class OpenConditions:
    """The conditions that are open at a line. Directives are without the mark before them: those that begin a
    condition, `otherwise`, `else`, `endif`."""

    def __init__(self, mark: str, begins: frozenset[str], otherwise: str) -> None:
        self._mark = mark
        self._begins = begins
        self._otherwise = otherwise
        self._open: tuple[tuple[str, int, bool, bool], ...] = ()
        """Of each condition: its file and line, whether the line is in a part that holds, whether a later one may."""

    @property
    def holds(self) -> bool:
        """Whether the line is read."""
        return not self._open or self._open[-1][2]

    def __len__(self) -> int:
        return len(self._open)

    def read(self, file: str, line: int, word: str, test: Callable[[], bool]) -> bool:
        """Read a directive, whose condition is tested where that matters; whether it is one of conditions. Raises
        SourceError for a further part, or an end, outside of a condition."""
        if word in self._begins:
            self._open += ((file, line, False, self.holds),)
        elif word not in (self._otherwise, "else", "endif"):
            return False
        if not self._open:
            raise SourceError(file, line, f"no {self._mark}if stands before this")
        *outer, (first_file, first_line, _, may_hold) = self._open
        holds = may_hold and word != "endif" and (word == "else" or test())
        part = (first_file, first_line, holds, may_hold and not holds)
        self._open = tuple(outer) if word == "endif" else (*outer, part)
        return True

    def check_ended(self) -> None:
        """Raises SourceError for a condition without its end."""
        if self._open:
            file, line, _, _ = self._open[-1]
            raise SourceError(file, line, f"this condition has no {self._mark}endif")
