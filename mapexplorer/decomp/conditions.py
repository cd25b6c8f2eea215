"""Conditions around the lines of a source, of the preprocessor (`#if`) and of the assembler (`.if`)."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.errors import SourceError


class OpenConditions:
    """The conditions that are open at a line. `holds`: whether the line is read. Directives are without the mark before
    them: those that begin a condition, `otherwise`, `else`, `endif`."""

    def __init__(self, mark: str, begins: frozenset[str], otherwise: str) -> None:
        self._mark = mark
        self._begins = begins
        self._otherwise = otherwise
        self._open: tuple[tuple[str, int, bool, bool], ...] = ()
        """Of each condition: its file and line, whether one of its parts was true, whether the lines around it hold."""
        self.holds = True

    def __len__(self) -> int:
        return len(self._open)

    def read(self, file: str, line: int, word: str, test: Callable[[], bool]) -> bool:
        """Read a directive, whose condition is tested where that matters; whether it is one of conditions. Raises
        SourceError for a further part, or an end, outside of a condition."""
        if word in self._begins:
            around = self.holds
            self.holds = around and test()
            self._open += ((file, line, self.holds, around),)
            return True
        if word not in (self._otherwise, "else", "endif"):
            return False
        if not self._open:
            raise SourceError(file, line, f"no {self._mark}if stands before this")
        *outer, (first_file, first_line, was_true, around) = self._open
        self.holds = around and (word == "endif" or (not was_true and (word == "else" or test())))
        part = (first_file, first_line, was_true or self.holds, around)
        self._open = (*outer, part) if word != "endif" else tuple(outer)
        return True

    def check_ended(self) -> None:
        """Raises SourceError for a condition without its end."""
        if self._open:
            file, line, _, _ = self._open[-1]
            raise SourceError(file, line, f"this condition has no {self._mark}endif")
