"""The contents of a ROM as bytes, for the keys of caches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib import resources

from mapexplorer.errors import RomError
from mapexplorer.rom.rom import Rom


class Digest:
    """A hash of parts, each with its length."""

    def __init__(self) -> None:
        self._hash = hashlib.sha1(usedforsecurity=False)  # processors have instructions for it

    def add(self, part: bytes | memoryview) -> None:
        """Add a part."""
        self._hash.update(len(part).to_bytes(8, "little"))
        self._hash.update(part)

    def add_file(self, rom: Rom, path: str) -> None:
        """Add a file of a ROM, or nothing but an end if it is absent."""
        for part in _parts(rom, path):
            self.add(part)
        self.add(b"")

    def __str__(self) -> str:
        return self._hash.hexdigest()


def rom_digest(rom: Rom, game: str, version: str, paths: Iterable[str] | None = None) -> str:
    """A hash of a ROM's program, the names of its files and the contents of those at these paths (None: of all, and of
    its overlays), and of our tables of the game of this name. `version` is that of what is computed from them."""
    digest = Digest()
    digest.add(f"{version} {rom.code}".encode())
    digest.add("\n".join(rom.files).encode("utf-8", "surrogateescape"))
    for table in sorted(resources.files("mapexplorer.data").joinpath(game).iterdir(), key=lambda one: one.name):
        digest.add(table.read_bytes())
    digest.add(rom.arm9())
    if paths is None:
        for record in rom.overlay_records():
            overlay = rom.overlay(record.number)
            digest.add(b"" if overlay is None else overlay.data)
    for path in rom.files if paths is None else paths:
        digest.add_file(rom, path)
    return str(digest)


def _parts(rom: Rom, path: str) -> Iterable[bytes | memoryview]:
    """The bytes of a file, of an unpacked archive those of its members; none of a file that the ROM lacks."""
    try:
        return (rom.file(path),)
    except RomError:
        pass
    try:
        archive = rom.archive(path)
    except RomError:
        return ()
    return [archive[index] for index in range(len(archive))]
