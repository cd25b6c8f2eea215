"""Unpacked ROM folders in the layouts of three tools.

ndstool    data/  arm9.bin  y9.bin  overlay/overlay_0005.bin  header.bin
ds-rom     files/  arm9/arm9.bin  arm9_overlays/overlays.yaml  arm9_overlays/ov005.bin  header.yaml  config.yaml
DSPRE      NAME_DSPRE_contents/ around one of these two, and unpacked/NAME/0000, 0001, ... for archives being edited;
           those are newer than the packed archive of the same content and are read instead of it
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Mapping
from pathlib import Path

from mapexplorer.caching import shared_property
from mapexplorer.errors import RomError
from mapexplorer.rom.archive import Archive, FolderArchive
from mapexplorer.rom.rom import CartridgeHeader, OverlayRecord, Rom, normal, read_overlay_table

_MAP_FROM = 1 << 16
_YAML_LINE = re.compile(r"^(\s*(?:-\s+)?)([A-Za-z0-9_]+):\s*(.*?)\s*$")


class FolderRom(Rom):
    """A ROM in an unpacked folder."""

    def __init__(self, folder: Path, name: str, unpacked_folders: Mapping[str, str]) -> None:
        """`name` is the name in errors, `unpacked_folders` as for `mapexplorer.rom.open_files`. Raises RomError when
        the folder is in none of the known layouts."""
        super().__init__(name)
        root = _find_root(folder)
        if root is None:
            raise RomError(
                f"{name} is a folder, but not one that ndstool, ds-rom or DSPRE unpacks:"
                " neither data/ and arm9.bin nor files/ and arm9/arm9.bin are in it."
            )
        self.root = root
        config = _yaml_values(root / "config.yaml")
        self._ds_rom = not (root / "arm9.bin").is_file()
        if self._ds_rom:
            self._data = root / config.get("files_dir", "files")
            self._arm9_path = root / config.get("arm9_bin", "arm9/arm9.bin")
            self._overlay_table = root / config.get("arm9_overlays", "arm9_overlays/overlays.yaml")
            header = _yaml_values(root / config.get("header", "header.yaml"))
            revision = header.get("rom_version", "0")
            self.header = CartridgeHeader(
                header.get("title", ""),
                header.get("gamecode", ""),
                header.get("makercode", ""),
                int(revision) if revision.isdecimal() else 0,
            )
        else:
            self._data = root / "data"
            self._arm9_path = root / "arm9.bin"
            self._overlay_table = root / "y9.bin"
            file = root / "header.bin"
            data = file.read_bytes()[:0x200] if file.is_file() else b""
            data = data if len(data) >= 0x20 else bytes(0x20)
            text = data.decode("latin-1")
            self.header = CartridgeHeader(
                text[:12].split("\0")[0].strip(), text[12:16].strip("\0"), text[16:18].strip("\0"), data[0x1E]
            )
        self.layout = "ds-rom folder" if self._ds_rom else "ndstool folder"
        self._unpacked = root / "unpacked"
        self._unpacked_folders = unpacked_folders
        if self._unpacked.is_dir() or root.name.endswith("_DSPRE_contents"):
            self.layout = f"DSPRE folder ({'ds-rom' if self._ds_rom else 'ndstool'} layout)"

    @property
    def files(self) -> tuple[str, ...]:
        return self._files

    @shared_property
    def _files(self) -> tuple[str, ...]:
        found = (path.relative_to(self._data).as_posix() for path in self._data.rglob("*") if path.is_file())
        return tuple(sorted(found))

    def has(self, path: str) -> bool:
        path = normal(path)
        return (self._data / path).is_file() or self._edited(path) is not None

    def view(self, path: str) -> memoryview:
        file = self._data / normal(path)
        if not file.is_file() or not file.resolve().is_relative_to(self._data.resolve()):
            raise RomError(f"{self.path} has no file {normal(path)}.")
        if file.stat().st_size < _MAP_FROM:
            return memoryview(file.read_bytes())
        with file.open("rb") as opened:
            return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))

    def is_archive(self, path: str) -> bool:
        return self._edited(normal(path)) is not None or super().is_archive(path)

    def _edited(self, path: str) -> FolderArchive | None:
        name = self._unpacked_folders.get(path)
        return FolderArchive.open(self._unpacked / name, path) if name else None

    def _open_archive(self, path: str) -> Archive:
        return self._edited(path) or super()._open_archive(path)

    def _stored_arm9(self) -> bytes:
        return self._arm9_path.read_bytes()

    def overlay_records(self) -> tuple[OverlayRecord, ...]:
        if not self._overlay_table.is_file():
            return ()
        if self._ds_rom:
            return _yaml_overlays(self._overlay_table.read_text("utf-8"))
        return read_overlay_table(self._overlay_table.read_bytes())

    def _stored_overlay(self, record: OverlayRecord) -> bytes | None:
        if self._ds_rom:
            places = [self._overlay_table.parent / f"ov{record.number:03d}.bin"]
        else:
            places = [self.root / folder / f"overlay_{record.number:04d}.bin" for folder in ("overlay", "overlays")]
        return next((place.read_bytes() for place in places if place.is_file()), None)

    def close(self) -> None:
        self._archives.clear()


def _find_root(folder: Path) -> Path | None:
    """The folder with the program: `folder`, its parent (when `folder` is the file system), or a DSPRE folder inside
    it."""
    candidates = [folder, folder.parent] if folder.name in ("data", "files") else [folder]
    candidates += sorted(
        child for child in folder.iterdir() if child.is_dir() and child.name.endswith("_DSPRE_contents")
    )
    for candidate in candidates:
        config = _yaml_values(candidate / "config.yaml")
        if (candidate / "arm9.bin").is_file() and (candidate / "data").is_dir():
            return candidate
        arm9, files = config.get("arm9_bin", "arm9/arm9.bin"), config.get("files_dir", "files")
        if (candidate / arm9).is_file() and (candidate / files).is_dir():
            return candidate
    return None


def _yaml_values(file: Path) -> dict[str, str]:
    """The plain top-level `key: value` lines of a YAML file; none when it is absent. This subset is sufficient for
    ds-rom's files."""
    if not file.is_file():
        return {}
    values = {}
    for line in file.read_text("utf-8", "replace").splitlines():
        match = _YAML_LINE.match(line)
        if match and not match[1] and match[3]:
            values[match[2]] = match[3].strip("'\"")
    return values


def _yaml_overlays(text: str) -> tuple[OverlayRecord, ...]:
    """The overlays of ds-rom's overlays.yaml: a list of records that begin with `- id: N`."""
    rows: list[dict[str, str]] = []
    for line in text.splitlines():
        match = _YAML_LINE.match(line)
        if match and match[2] == "id" and "-" in match[1]:
            rows.append({})
        if match and rows:
            rows[-1][match[2]] = match[3]
    return tuple(
        OverlayRecord(
            int(row["id"]),
            int(row.get("base_address", "0"), 0),
            int(row.get("code_size", "0"), 0),
            int(row.get("file_id", "0"), 0),
            row.get("compressed") == "true",
        )
        for row in rows
    )
