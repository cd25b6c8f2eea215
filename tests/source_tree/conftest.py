"""Unpacked folders, and edits in them that are undone."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mapexplorer.rom import build_image
from mapexplorer.source_tree.pack import Packed, pack
from mapexplorer.source_tree.unpack import Unpacked, unpack
from mapexplorer.system import kept_data
from mapexplorer.system.progress import Progress
from mapexplorer.world.opening import open_rom
from tests.world.conftest import tiny_files, tiny_program


def unpacked(rom: str | Path, folder: Path, *, replace: bool = False, jobs: int = 1) -> Unpacked:
    """Unpack a ROM."""
    return unpack(open_rom(rom), folder, replace=replace, jobs=jobs, progress=Progress())


def packed(folder: Path, image: Path, *, check: bool = True, jobs: int = 1) -> Packed:
    """Pack a folder."""
    return pack(folder, image, check=check, jobs=jobs, progress=Progress())


class StoppedError(Exception):
    """What a cancelled request raises."""


def stopped_and_finished(rom: Path, tmp_path: Path, moved: int, *, replace: bool) -> None:
    """A process that unpacks a ROM ends after so many files were renamed; the next one that packs finishes its work.
    Asserts that the folder is whole then."""
    folder, names = tmp_path / "folder", ("README.md", "image.json", "image", "data")
    if replace:
        unpacked(rom, folder)
        (folder / "data" / "mine").write_text("changed")
    count = len(names) * (2 if replace else 1)
    rename, calls = Path.rename, itertools.count()

    def stopping(path: Path, target: Path) -> Path:
        if next(calls) == moved:
            raise StoppedError
        return rename(path, target)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(StoppedError) if moved < count else nullcontext():
        patch.setattr(Path, "rename", stopping)
        unpacked(rom, folder, replace=replace)
    packed(folder, tmp_path / "packed.nds")
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert not (folder / "data" / "mine").exists()
    assert (tmp_path / "packed.nds").read_bytes() == rom.read_bytes()


@dataclass
class Tree:
    """An unpacked folder whose changed files come back."""

    folder: Path
    before: dict[Path, bytes | None] = field(default_factory=dict)

    def write(self, name: str, data: bytes | str | None) -> None:
        """Write a file; None deletes it."""
        path = self.folder / name
        self.before.setdefault(path, path.read_bytes() if path.exists() else None)
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data.encode() if isinstance(data, str) else data)

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def undo(self) -> None:
        for path, data in self.before.items():
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(data)
        self.before.clear()


@pytest.fixture(scope="session")
def small_rom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image of a world that is unpacked in a fifth of the time of the demo world."""
    image = tmp_path_factory.mktemp("small") / "small.nds"
    image.write_bytes(build_image(tiny_files(), arm9=tiny_program(), title="POKEMON PL", code="CPUE"))
    return image


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_data, "folder", lambda: folder.parent / "kept")
        unpacked("demo", folder)
    return folder


@pytest.fixture
def cache(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of a test, with what is kept after unpacking the demo world."""
    place = tmp_path_factory.mktemp("cache") / "data"
    shutil.copytree(demo_folder.parent / "kept", place)
    monkeypatch.setattr(kept_data, "folder", lambda: place)
    return place


@pytest.fixture
def tree(demo_folder: Path, cache: Path) -> Iterator[Tree]:
    """The demo world, unpacked; changes are undone, what was packed is forgotten."""
    tree = Tree(demo_folder)
    yield tree
    tree.undo()


@pytest.fixture
def repack(tree: Tree, tmp_path: Path) -> Callable[[], Path]:
    """Packs the folder of `tree`."""

    def run() -> Path:
        packed(tree.folder, tmp_path / "packed.nds")
        return tmp_path / "packed.nds"

    return run
