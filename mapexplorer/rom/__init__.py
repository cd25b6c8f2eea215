"""The ROM as files: images and unpacked folders, archives, programs. This package returns bytes and does not interpret
them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mapexplorer.errors import RomError
from mapexplorer.rom.archive import Archive, FileArchive, Narc, build_archive, joined_archives, loose_archive
from mapexplorer.rom.folder import FolderRom
from mapexplorer.rom.image import ImageRom
from mapexplorer.rom.rom import ARM9_ADDRESS, CartridgeHeader, Overlay, OverlayRecord, Rom, RomPath
from mapexplorer.rom.source import ByteSource, MemorySource, Stamp
from mapexplorer.rom.writer import build_image
from mapexplorer.system import data_files

__all__ = [
    "ARM9_ADDRESS",
    "Archive",
    "ByteSource",
    "CartridgeHeader",
    "FileArchive",
    "MemorySource",
    "Narc",
    "Overlay",
    "OverlayRecord",
    "Rom",
    "RomPath",
    "Stamp",
    "build_archive",
    "build_image",
    "joined_archives",
    "loose_archive",
    "open_files",
]


def open_files(path: str | os.PathLike[str], unpacked_folders: Mapping[str, str]) -> Rom:
    """Open a `.nds` image, a folder as ndstool, ds-rom or DSPRE unpack it, or, for the word `demo`, the demo world.

    `unpacked_folders`: path of an archive -> the folder under `unpacked/` that DSPRE edits it in. Nothing is written
    and nothing is read beyond the tables. Raises RomError with one sentence when it is not a DS ROM or truncated,
    OSError when the path cannot be read.
    """
    if str(path) == "demo":
        return _open_demo()
    if not str(path):
        raise RomError("No ROM was named: give an .nds image, an unpacked folder, or the word demo.")
    place, name = Path(path), path if isinstance(path, str) else str(path)
    return FolderRom(place, name, unpacked_folders) if place.is_dir() else ImageRom.open(place, name)


def _open_demo() -> Rom:
    path = data_files.FOLDER / "demo.nds"
    if not path.is_file():
        raise RomError("The demo world is not installed: data/demo.nds is missing.")
    return ImageRom.open(path, "demo")
