"""Errors above the formats: of the user's ROM and the user's place names."""

from __future__ import annotations

import errno
from collections.abc import Sequence

from formats.binary import FormatError


class RomError(Exception):
    """Not a DS ROM, another game, truncated, a file missing: the message is one sentence with the cause and the
    remedy."""


class RomChangedError(RomError):
    """A file of the ROM was written by another program after it was opened."""


_LONGEST = 300
"""Characters of what a sentence quotes of a text."""


class SourceError(RomError, FormatError):
    """A text or a picture that cannot be what a file of a ROM is made from: one sentence that begins with the file and,
    where one is at fault, its line. A member that is made from it is damaged as one that violates its format."""

    def __init__(self, file: str, line: int | None, why: str) -> None:
        self.file = file
        self.line = line
        self.why = why if len(why) <= _LONGEST else f"{why[: _LONGEST // 2]} ... {why[-_LONGEST // 2 :]}"
        FormatError.__init__(self, file, 0, "", "")

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{where}: {self.why}"

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, int | None, str]]:
        return type(self), (self.file, self.line, self.why)


class OpenGLMissingError(RomError):
    """OpenGL was requested and cannot draw on this machine."""


class PlaceError(LookupError):
    """A place name that no header has, or that several have.

    `candidates` are the headers, or other things, that the name could mean; the `str` of each is one line about it.
    """

    def __init__(self, sentence: str, candidates: Sequence[object] = ()) -> None:
        super().__init__(sentence)
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return str(self.args[0])


def no_number(what: str, number: int, known: Sequence[int], owner: str = "this ROM") -> str:
    """The sentence about a number that a ROM, or another owner of the things, does not have; `known`: those that it
    has, ascending."""
    ends = f", from {known[0]} to {known[-1]}" if known else ""
    return f"There is no {what} {number}; {owner} has {len(known)}{ends}."


def check_number(what: str, number: int, known: Sequence[int], owner: str = "this ROM") -> None:
    """Raises PlaceError for a number that is not among the `known` ones."""
    if number not in known:
        raise PlaceError(no_number(what, number, known, owner))


_ADVICE = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EEXIST: "a file is where a folder is needed; choose another name",
    errno.EISDIR: "this is a folder, a file is needed",
    errno.EACCES: "permission denied; choose another place or change its rights",
    errno.EPERM: "permission denied; choose another place or change its rights",
    errno.EROFS: "this place is read-only; choose another one",
    errno.ENOSPC: "the disk is full; free space or choose another folder",
    errno.EDQUOT: "the disk quota is used up; free space or choose another folder",
    errno.ENAMETOOLONG: "this name is too long",
}


def in_words(error: BaseException) -> str:
    """An error as one sentence for users; for an OSError with the file, the cause and the remedy."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    words = _ADVICE.get(error.errno, error.strerror or str(error))
    return f"{error.filename}: {words}." if error.filename else f"{words[:1].upper()}{words[1:]}."
