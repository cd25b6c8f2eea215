"""The contents of a ROM as bytes, for the keys of caches."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mapexplorer.errors import RomError
from mapexplorer.rom.rom import Rom
from mapexplorer.rom.source import Stamp
from mapexplorer.system import data_files, kept_data

_SETTLED: Final = 2_000_000_000
"""Nanoseconds after which a file that was written is taken to have another time when it is written again."""


def digest_of(parts: Iterable[bytes | memoryview]) -> str:
    """A hash of parts, each with its length."""
    digest = hashlib.sha1(usedforsecurity=False)  # processors have instructions for it
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def rom_digest(rom: Rom, game: str, version: str, paths: Iterable[str] | None = None) -> str:
    """A hash of a ROM's program, the names of its files and the contents of those at these paths (None: of all, and of
    its overlays), and of our tables of the game of this name. `version` is that of what is computed from them."""
    return digest_of(_parts(rom, game, version, paths))


def _parts(rom: Rom, game: str, version: str, paths: Iterable[str] | None) -> Iterator[bytes | memoryview]:
    """What `rom_digest` depends on."""
    yield " ".join(filter(None, (version, rom.code, rom.header_archive))).encode()
    yield from (table.read_bytes() for table in _tables(game))
    state = rom.state()
    yield state
    if state:
        return
    yield "\n".join(rom.files).encode("utf-8", "surrogateescape")
    yield rom.arm9()
    if paths is None:
        overlays = (rom.readable_overlay(record.number) for record in rom.overlay_records())
        yield from (b"" if overlay is None else overlay.data for overlay in overlays)
    for path in rom.files if paths is None else paths:
        yield from _contents(rom, path)
        yield b""


def kept_digest(rom: Rom, game: str, version: str, paths: Iterable[str]) -> str:
    """As `rom_digest`, which is computed once for each state of an image and of our tables, as the system tells it
    without reading them, because to read all takes as long as many answers."""
    state = _state(rom, game, version)
    known = kept_data.load("digest", state) if state else None
    if known is not None:
        return known.decode()
    digest = rom_digest(rom, game, version, paths)
    if state:
        kept_data.store("digest", state, digest.encode())
    return digest


def _state(rom: Rom, game: str, version: str) -> str:
    """A hash of the stamps of a ROM in one file and of our tables; empty for another ROM, and where one was written so
    lately that its time may be that of a further change."""
    stamps = rom.opened_stamps
    if rom.layout != "image" or len(stamps) != 1:
        return ""
    files = [*stamps.items(), *((table, Stamp.on_disk(table)) for table in _tables(game))]
    now = time.time_ns()
    if any(stamp is None or now - stamp.written < _SETTLED for _, stamp in files):
        return ""
    return hashlib.sha1(repr((version, game, files, rom.header_archive)).encode(), usedforsecurity=False).hexdigest()


def _tables(game: str) -> list[Path]:
    """The files of our tables of a game."""
    return sorted((data_files.FOLDER / game).iterdir())


def _contents(rom: Rom, path: str) -> Iterable[bytes | memoryview]:
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
