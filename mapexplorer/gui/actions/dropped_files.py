"""Files that are dropped on the window or named on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt5.QtCore import QMimeData


def local_files(data: QMimeData) -> list[str]:
    """The paths of dropped files."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def are_loose(paths: Sequence[str]) -> bool:
    """Whether files and folders are loose models, textures and animations, not one ROM. What does not exist is opened
    as a ROM, which says so."""
    if len(paths) > 1:
        return True
    path = Path(paths[0])
    return path.exists() and not _is_unpacked(path) and path.suffix.lower() not in (".nds", ".srl")


def is_save(path: str) -> bool:
    """Whether a file is a saved game by its name."""
    return path.lower().endswith((".sav", ".dsv", ".duc"))


def _is_unpacked(folder: Path) -> bool:
    """Whether a folder is an unpacked ROM, even a damaged one; else its files are loose ones."""
    parts = ("arm9.bin", "arm9", "data", "files", "header.bin", "config.yaml")
    return folder.is_dir() and (
        folder.name in ("data", "files")
        or any((folder / part).exists() for part in parts)
        or any(folder.glob("*_DSPRE_contents"))
    )
