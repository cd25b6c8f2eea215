"""The ROM as files: images and unpacked folders, archives, programs. It answers bytes, never meaning."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from mapexplorer.errors import RomError
from mapexplorer.rom.archive import Archive, FolderArchive, Narc, build_archive
from mapexplorer.rom.folder import FolderRom
from mapexplorer.rom.image import ImageRom
from mapexplorer.rom.release import NEEDED_FILES, OPTIONAL_FILES, Release
from mapexplorer.rom.rom import ARM9_ADDRESS, Overlay, OverlayRecord, Rom
from mapexplorer.rom.writer import build_image

__all__ = [
    "ARM9_ADDRESS",
    "NEEDED_FILES",
    "OPTIONAL_FILES",
    "Archive",
    "FolderArchive",
    "Narc",
    "Overlay",
    "OverlayRecord",
    "Release",
    "Rom",
    "build_archive",
    "build_image",
    "open_rom",
]


def open_rom(path: str | os.PathLike[str]) -> Rom:
    """Open a `.nds` image, a folder as ndstool, ds-rom or DSPRE unpack it, or, for the word `demo`, the demo world.

    Nothing is written and nothing is read beyond the tables. Raises RomError with one sentence when it is not a DS ROM,
    another game, truncated, or lacks a file that every map needs; OSError when the path cannot be read.
    """
    if str(path) == "demo":
        rom: Rom = _open_demo()
    elif not str(path):
        raise RomError("No ROM was named: give an .nds image, an unpacked folder, or the word demo.")
    else:
        place = Path(path)
        rom = FolderRom(place, str(path)) if place.is_dir() else ImageRom.open(place, str(path))
    rom.check()
    return rom


def _open_demo() -> Rom:
    resource = resources.files("mapexplorer.data").joinpath("demo.nds")
    if not resource.is_file():
        raise RomError("The demo world is not installed: data/demo.nds is missing.")
    if isinstance(resource, Path):
        return ImageRom.open(resource, "demo")
    return ImageRom("demo", memoryview(resource.read_bytes()))
