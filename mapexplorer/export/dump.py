"""Files of a ROM as values, by the names that users type: a path, and for an archive the index of a member."""

from __future__ import annotations

import re
from typing import Any, Final

import formats
from formats.binary import Notes
from mapexplorer.errors import RomError
from mapexplorer.rom import Rom

_MEMBER: Final = re.compile(r"(?P<path>.+)#(?P<index>\d+)")


def read_member(rom: Rom, name: str, notes: Notes) -> Any:
    """The value of PATH or PATH#INDEX in a ROM. Raises RomError for a name that is not there, FormatError for a file
    that cannot be read."""
    member = _MEMBER.fullmatch(name)
    path = name if member is None else member["path"]
    if not rom.has(path):
        raise RomError(f"{rom.path} has no file {path}; `mapexplorer dump {rom.path}` lists its files.")
    if member is None:
        if rom.is_archive(path):
            count = len(rom.archive(path))
            raise RomError(
                f"{path} is an archive of {count:,} member{'' if count == 1 else 's'}: say which, as {path}#0."
            )
        return formats.read(rom.view(path), path, notes=notes)
    archive, index = rom.archive(path), int(member["index"])
    if index >= len(archive):
        raise RomError(
            f"{path} has {len(archive):,} member{'' if len(archive) == 1 else 's'}, the last is {len(archive) - 1}; "
            f"there is no {index}."
        )
    return formats.read(archive.reader(index), f"{path}[{index}]", notes=notes)
