"""Conditions around the lines of a source, of the preprocessor (`#if`) and of the assembler (`.if`)."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.errors import SourceError


class OpenConditions:
    """The conditions that are open at a line. `holds`: whether the line is read."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._open: list[tuple[str, int, bool, bool]] = []
        """Of each condition: its file and line, whether one of its parts was true, whether the lines around it hold."""
        self.holds = True

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, file: str, line: int, test: Callable[[], bool]) -> None:
        """Begin a condition."""
        around = self.holds
        self.holds = around and test()
        self._open.append((file, line, self.holds, around))

    def otherwise(self, file: str, line: int, test: Callable[[], bool] = lambda: True) -> None:
        """Begin a further part. Raises SourceError outside of a condition."""
        first_file, first_line, was_true, around = self._last(file, line)
        self.holds = around and not was_true and test()
        self._open[-1] = first_file, first_line, was_true or self.holds, around

    def end(self, file: str, line: int) -> None:
        """End a condition. Raises SourceError outside of one."""
        self.holds = self._last(file, line)[3]
        self._open.pop()

    def check_ended(self) -> None:
        """Raises SourceError for a condition without its end."""
        if self._open:
            file, line, _, _ = self._open[-1]
            raise SourceError(file, line, f"this condition has no {self._mark}endif")

    def _last(self, file: str, line: int) -> tuple[str, int, bool, bool]:
        if not self._open:
            raise SourceError(file, line, f"no {self._mark}if stands before this")
        return self._open[-1]
