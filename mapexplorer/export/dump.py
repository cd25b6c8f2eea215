"""Reads files by the names that users type: loose files, and files of a ROM by path and member index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import formats
from formats.binary import Notes
from formats.field.trainer import Trainer
from formats.field.trainer_party import TrainerParty
from mapexplorer.errors import RomError, no_number
from mapexplorer.games import Role, identify, kind_of
from mapexplorer.rom import Rom
from mapexplorer.rom.source import read_file
from mapexplorer.values import count

if TYPE_CHECKING:
    from mapexplorer.export.request import FileRequest
    from mapexplorer.system.progress import Outcome, Progress
    from mapexplorer.world.world import FieldWorld

_MEMBER: Final = re.compile(r"(?P<path>.+)#(?P<index>\d+)")


def read_loose(path: Path, name: str, notes: Notes) -> Any:
    """The value of a loose file. The type of a field file follows from `name`, which must be as in a ROM
    (`land_data.narc#12`); errors use it as well. Raises FormatError, OSError, RomError as `open_file`."""
    return formats.read(read_file(path, name), name, kind_of(name), notes=notes)


def read_member(rom: Rom, name: str, notes: Notes) -> Any:
    """The value of PATH or PATH#INDEX in a ROM. Raises RomError for a name that is not there, FormatError for a file
    that cannot be read."""
    member = _MEMBER.fullmatch(name)
    path = name if member is None else member["path"]
    if not rom.has(path):
        raise RomError(f"{rom.path} has no file {path}; `mapexplorer dump {rom.path}` lists its files.")
    game = identify(rom)
    kind = game.kind(name)
    if member is None:
        if rom.is_archive(path):
            members = count(len(rom.archive(path)), "member")
            raise RomError(f"{path} is an archive of {members}: name one, for instance {path}#0.")
        return formats.read(rom.file(path), path, kind, notes=notes)
    archive, index = rom.archive(path), int(member["index"])
    if index >= len(archive):
        raise RomError(no_number("member", index, range(len(archive)), path))
    reader = archive.reader(index)
    if game.role(path) is Role.TRAINER_PARTIES:  # the form is in the trainer's record
        form = Trainer.from_bytes(rom.archive(game.path(Role.TRAINERS)).reader(index)).party_form
        return TrainerParty.from_bytes(reader, form=form, notes=notes)
    return formats.read(reader, f"{path}[{index}]", kind, notes=notes)


def write_file(request: FileRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `FileRequest`: write a file of a ROM as JSON."""
    from formats.json_codec import to_json
    from mapexplorer.export.files import write_atomically
    from mapexplorer.system.progress import Outcome

    notes: Notes = []
    text = to_json(read_member(world.rom, request.path, notes))
    progress.check()
    target = write_atomically(request.output, text.encode())
    return Outcome(f"{request.path}, {len(text):,} characters", [target], [str(note) for note in notes])
