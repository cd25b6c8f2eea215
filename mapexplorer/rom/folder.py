"""Unpacked ROM folders in the layouts of three tools.

ndstool    data/  arm9.bin  y9.bin  overlay/overlay_0005.bin  header.bin
ds-rom     files/  arm9/arm9.bin  arm9_overlays/overlays.yaml  arm9_overlays/ov005.bin  header.yaml  config.yaml
DSPRE      NAME_DSPRE_contents/ around one of these two, and unpacked/NAME/0000, 0001, ... for archives being edited;
           those are newer than the packed archive of the same content and are read instead of it; texts in
           expanded/textArchives/0000.json are still newer, unless the member was written later
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from mapexplorer.caching import shared_property
from mapexplorer.errors import RomError
from mapexplorer.rom.archive import Archive, FileArchive, folder_archive
from mapexplorer.rom.rom import CartridgeHeader, OverlayRecord, Rom, normal, read_overlay_table
from mapexplorer.rom.source import ByteSource, FileSource, Stamp, read_file

_DS_ROM_PATHS = {
    "files_dir": "files",
    "arm9_bin": "arm9/arm9.bin",
    "arm9_overlays": "arm9_overlays/overlays.yaml",
    "header": "header.yaml",
}
"""The keys of ds-rom's config.yaml that name paths, and their usual values."""
_TEXTS = (".txt", ".json")
"""The extensions of texts in `expanded/textArchives`; the last is the newest."""
_OVERLAY_NUMBERS = ("id", "base_address", "code_size", "file_id")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,8}|[1-9][0-9]{0,9}|0+")
_LARGEST_YAML = 1 << 20
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
            for key in _DS_ROM_PATHS:
                if not leads_into(_place(root, config, key), root):
                    raise RomError(
                        f"{root / 'config.yaml'} names {config[key]} as {key}, which is outside the folder; name a path"
                        " inside it."
                    )
            self._data = _place(root, config, "files_dir")
            self._arm9_path = _place(root, config, "arm9_bin")
            self._overlay_table = _place(root, config, "arm9_overlays")
            header = _yaml_values(_place(root, config, "header"))
            revision = header.get("rom_version", "0")
            version = int(revision, 0) if _NUMBER.fullmatch(revision) else 0
            self.header = CartridgeHeader(header.get("title", ""), header.get("gamecode", ""), version)
        else:
            self._data = root / "data"
            self._arm9_path = root / "arm9.bin"
            self._overlay_table = root / "y9.bin"
            file = root / "header.bin"
            data = self._source(file).read(0, 0x200) if file.is_file() else b""
            self.header = CartridgeHeader.of(data if len(data) >= 0x20 else bytes(0x20))
        self.layout = "ds-rom folder" if self._ds_rom else "ndstool folder"
        self._unpacked = root / "unpacked"
        self._unpacked_folders = unpacked_folders
        if self._unpacked.is_dir() or root.name.endswith("_DSPRE_contents"):
            self.layout = f"DSPRE folder ({'ds-rom' if self._ds_rom else 'ndstool'} layout)"
            self.project = root.name

    @property
    def edited(self) -> tuple[str, ...]:
        names = sorted(set(self._unpacked_folders.values()))
        unpacked = [f"unpacked/{name}" for name in names if (self._unpacked / name / "0000").is_file()]
        return (*unpacked, *(f"expanded/{name}" for name in names if self._expanded(name)))

    @property
    def newer_scripts(self) -> int:
        texts = (self.root / "expanded" / "scripts").glob("*.script")
        return sum(self._is_newer(text, self._unpacked / "scripts") for text in texts)

    @property
    def unpacked_overlays(self) -> tuple[int, ...]:
        return () if self._ds_rom else super().unpacked_overlays  # ds-rom keeps them unpacked until it builds an image

    @shared_property
    def files(self) -> tuple[str, ...]:
        files = []
        for folder, _, names in os.walk(self._data):
            stamp = Stamp.on_disk(Path(folder))
            if stamp is not None:  # another one when a file comes or goes
                self._opened.setdefault(Path(folder), stamp)
            for path in (Path(folder, name) for name in names):
                name = path.relative_to(self._data).as_posix()
                if path.is_symlink() and not leads_into(path, self._data):
                    self.notes.append(f"{name} is a link to a place outside the folder; it is left out.")
                elif path.is_file():
                    files.append(name)
        return tuple(sorted(files))

    def has(self, path: str) -> bool:
        path = normal(path)
        file = self._data / path
        return (file.is_file() and leads_into(file, self._data)) or self._edited(path) is not None

    def source(self, path: str) -> ByteSource:
        file = self._data / normal(path)
        if not file.is_file() or not leads_into(file, self._data):
            raise RomError(f"{self.path} has no file {normal(path)}.")
        return self._source(file)

    def _source(self, file: Path) -> ByteSource:
        source = FileSource(file, str(file), self.root)
        self._opened.setdefault(file, source.stamp)
        return source

    def is_archive(self, path: str) -> bool:
        return self._edited(normal(path)) is not None or super().is_archive(path)

    def _edited(self, path: str) -> Archive | None:
        name = self._unpacked_folders.get(path)
        if not name:
            return None
        folder = self._unpacked / name
        for watched in (self._unpacked, folder):
            stamp = Stamp.on_disk(watched)
            if stamp is not None:
                self._opened.setdefault(watched, stamp)
        archive = folder_archive(folder, path, lambda file: self._source(file).all())
        texts = {number: file for number, file in self._expanded(name).items() if self._is_newer(file, folder)}
        if not texts:
            return archive
        stored = archive or super()._open_archive(path)

        def read(number: int) -> bytes:
            return self._bank(texts[number], stored[number]) if number in texts else stored.raw(number)

        return FileArchive(path, range(len(stored)), read)

    def _expanded(self, name: str) -> dict[int, Path]:
        """Member -> the text that DSPRE keeps of it in a folder under `expanded/`."""
        folder = self.root / "expanded" / name
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        return {int(file.stem): file for file in files if file.stem.isdecimal() and file.suffix in _TEXTS}

    def _is_newer(self, file: Path, folder: Path) -> bool:
        text, member = Stamp.on_disk(file), Stamp.on_disk(folder / file.stem)
        return text is not None and (member is None or text.written >= member.written)

    def _bank(self, file: Path, stored: bytes) -> bytes:
        lines = self._source(file).all().decode("utf-8-sig", "replace").splitlines()
        from mapexplorer.rom.dspre_texts import bank_of  # numpy, which most commands do without

        return bank_of("\n".join(lines), str(file), stored)

    def _open_archive(self, path: str) -> Archive:
        return self._edited(path) or super()._open_archive(path)

    def _stored_arm9(self) -> ByteSource:
        return self._source(self._arm9_path)

    def overlay_records(self) -> tuple[OverlayRecord, ...]:
        if not self._overlay_table.is_file():
            return ()
        if self._ds_rom:
            return _yaml_overlays(self._overlay_table)
        return read_overlay_table(self._source(self._overlay_table).all())

    def _stored_overlay(self, record: OverlayRecord) -> ByteSource | None:
        if self._ds_rom:
            places = [self._overlay_table.parent / f"ov{record.number:03d}.bin"]
        else:
            places = [self.root / folder / f"overlay_{record.number:04d}.bin" for folder in ("overlay", "overlays")]
        return next((self._source(place) for place in places if place.is_file()), None)


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
        if _place(candidate, config, "arm9_bin").is_file() and _place(candidate, config, "files_dir").is_dir():
            return candidate
    return None


def _place(root: Path, config: Mapping[str, str], key: str) -> Path:
    """A path of ds-rom's config.yaml, by default the one that ds-rom itself uses."""
    return root / config.get(key, _DS_ROM_PATHS[key])


def _yaml_values(file: Path) -> dict[str, str]:
    """The plain top-level `key: value` lines of a YAML file; none when it is absent. This subset is sufficient for
    ds-rom's files."""
    if not file.is_file():
        return {}
    values = {}
    for line in _yaml_lines(file):
        match = _YAML_LINE.match(line)
        if match and not match[1] and match[3]:
            values[match[2]] = match[3].strip("'\"")
    return values


def _yaml_lines(file: Path) -> list[str]:
    return read_file(file, str(file), _LARGEST_YAML).decode("utf-8", "replace").splitlines()


def _yaml_overlays(file: Path) -> tuple[OverlayRecord, ...]:
    """The overlays of ds-rom's overlays.yaml: a list of records that begin with `- id: N`. Raises RomError with the
    line of a value that is no number."""
    rows: list[dict[str, str]] = []
    for number, line in enumerate(_yaml_lines(file), 1):
        match = _YAML_LINE.match(line)
        if match is None:
            continue
        key, value = match[2], match[3]
        if key in _OVERLAY_NUMBERS and not _NUMBER.fullmatch(value):
            raise RomError(f"{file}, line {number}: {key} is {value or 'empty'}; a number is needed.")
        if key == "id" and "-" in match[1]:
            rows.append({})
        if rows:
            rows[-1][key] = value
    return tuple(map(_overlay_record, rows))


def _overlay_record(row: Mapping[str, str]) -> OverlayRecord:
    number, load_address, size, file_id = (int(row.get(key, "0"), 0) for key in _OVERLAY_NUMBERS)
    return OverlayRecord(number, load_address, size, file_id, row.get("compressed") == "true")


def leads_into(path: Path, folder: Path) -> bool:
    """Whether a path leads into a folder, by whatever links; links that lead in a circle stay where they are. A path
    with a zero byte, which no file has, leads nowhere."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    except ValueError:
        return False
