"""Saves that a user names: `my.sav`, or `memory.bin@0x1234` for a dump of memory with the offset of `SaveData`.

A save is only read: nothing of it is kept, logged or written elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from formats.binary import FormatError, Note, Reader
from formats.save import SaveImage
from mapexplorer.errors import RomError, in_words
from mapexplorer.games import Game, Topic
from mapexplorer.rom.source import Stamp, changed_stamps, read_file
from mapexplorer.world.save import Save, saved_game

LARGEST: Final = 64 << 20
"""Bytes of the largest file: dumps of the memory of a console with a debugger have 8 MB."""
_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


@dataclass(frozen=True, eq=False)
class SavedGame:
    """A save that was read: its file with the stamp that it had, the image, and what there is to say about it."""

    path: Path
    stamp: Stamp | None
    image: SaveImage
    notes: tuple[Note, ...]

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def opened_stamps(self) -> dict[Path, Stamp | None]:
        """The stamp of the file when it was read, as of a `Rom`."""
        return {self.path: self.stamp}

    def changes(self, paths: Iterable[Path]) -> dict[Path, Stamp | None]:
        """Whether the file was written since it was read, as of a `Rom`."""
        return changed_stamps(self.opened_stamps, paths)

    @property
    def small(self) -> Any:
        """The block of player and world, a record of SMALL_BLOCK."""
        return self.image.small

    def save(self, game: Game) -> Save:
        """What the maps of a game depend on. Raises RomError for a game whose saves are not known."""
        game.require(Topic.SAVES)
        return saved_game(game, self.small, live=self.image.memory is not None)


def file_and_offset(text: str) -> tuple[str, int | None]:
    """The path of a save and, behind @, the offset in a dump of memory."""
    path, _, digits = text.rpartition("@0x")
    if os.path.exists(text) or not path or not digits or not _DIGITS.issuperset(digits):
        return text, None
    return path, int(digits, 16)


def saved_stamp(text: str) -> Stamp | None:
    """What changes when the file of a save is written again; None where there is no such file."""
    return Stamp.on_disk(Path(file_and_offset(text)[0]))


def read_saved_game(text: str) -> SavedGame:
    """The save that a user names. Where it can no longer be read, as while an emulator writes it, it is as it was last
    read. Raises RomError, FormatError."""
    known, stamp = _last.get(text), saved_stamp(text)
    if known is None or known.stamp != stamp:
        try:
            known = _last[text] = _read(*file_and_offset(text), stamp)
        except (OSError, RomError, FormatError) as error:
            if known is None:
                raise RomError(in_words(error)) if isinstance(error, OSError) else error from None
    return known


_last: dict[str, SavedGame] = {}


def _read(path: str, offset: int | None, stamp: Stamp | None) -> SavedGame:
    file, notes = Path(path), list[Note]()
    image = SaveImage.from_bytes(Reader(read_file(path, file.name, LARGEST), file.name), memory=offset, notes=notes)
    _ = image.small  # raises for a save of which nothing counts
    return SavedGame(file, stamp, image, tuple(notes))
