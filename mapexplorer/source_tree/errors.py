"""Errors of a file in an unpacked folder: its name, the line, the cause."""

from __future__ import annotations

from mapexplorer.errors import RomError


class SourceError(RomError):
    """A file of the folder that cannot be packed: one sentence that begins with the file and, where one is at fault,
    its line."""

    def __init__(self, file: str, line: int | None, why: str) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where}: {why}")
        self._parts = (file, line, why)

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, int | None, str]]:
        return type(self), self._parts
