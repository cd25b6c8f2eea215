"""Which folders are written, and what stays when that is not finished."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from mapexplorer.errors import RomError
from mapexplorer.export.files import create_part
from mapexplorer.source_tree.replacement import finish
from mapexplorer.source_tree.unpack import unpack
from mapexplorer.system.progress import Progress
from mapexplorer.world.opening import open_rom
from tests.source_tree.conftest import StoppedError, Tree, packed, stopped_and_finished, unpacked


class _Stopping(Progress):
    """Cancels after a few parts."""

    def report(self, done: int, total: int, text: str) -> None:
        if done == 3:
            raise StoppedError


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(RomError, match="is not empty and was not made by unpacking"):
        unpacked("demo", tmp_path)
    with pytest.raises(RomError, match="is not empty and was not made by unpacking"):
        unpacked("demo", tmp_path, replace=True)
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RomError, match="is a file; name a folder"):
        unpacked("demo", tmp_path / "file")


def test_an_unpacked_folder_is_replaced_when_asked(small_rom: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    unpacked(small_rom, folder)
    changed = {path: path.read_bytes() for path in (folder / "README.md", folder / "image" / "arm9.bin")}
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref")
    (folder / ".gitignore").write_text("mine")
    (folder / "README.md").write_text("changed")
    (folder / "image" / "arm9.bin").unlink()
    with pytest.raises(RomError, match="--replace writes it anew"):
        unpacked(small_rom, folder)
    unpacked(small_rom, folder, replace=True)
    names = {path.name for path in folder.iterdir()}
    assert names == {".git", ".gitignore", "README.md", "image.json", "image", "data"}
    assert (folder / ".git" / "HEAD").read_text() == "ref" and (folder / ".gitignore").read_text() == "mine"
    assert changed == {path: path.read_bytes() for path in changed}
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_existing_empty_folders_are_filled(small_rom: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the present one, and by a link; a mount point cannot be renamed either."""
    unpacked(small_rom, tmp_path / "new")
    for name in ("present", "linked"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("linked")
    monkeypatch.chdir(tmp_path / "present")
    for folder, real in ((Path(), "present"), (tmp_path / "link", "linked")):
        inode = (tmp_path / real).stat().st_ino
        unpacked(small_rom, folder)
        assert (tmp_path / real).stat().st_ino == inode
        assert sorted(path.name for path in folder.iterdir()) == ["README.md", "data", "image", "image.json"]
        assert (folder / "README.md").read_bytes() == (tmp_path / "new" / "README.md").read_bytes()


@pytest.mark.parametrize("replace", [False, True])
def test_what_was_ended_between_two_renames_is_finished(small_rom: Path, tmp_path: Path, replace: bool) -> None:
    stopped_and_finished(small_rom, tmp_path, 2, replace=replace)


def test_what_ended_processes_have_left_is_removed(small_rom: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    left, written = folder / ".unpack.1.part", folder / ".unpack.2.part"
    for part in (left, written):
        (part / "data").mkdir(parents=True)
    for lock in (left, folder / ".unpack.3.part"):  # of one that was ended before it had made its folder
        lock.with_suffix(".lock").write_bytes(b"")
    handle = create_part(written.with_suffix(".lock"))
    finish(folder)
    assert set(folder.iterdir()) == {written, written.with_suffix(".lock")}
    os.close(handle)
    unpacked(small_rom, folder)
    assert not list(folder.glob(".*"))


def test_a_temporary_folder_that_is_a_link_is_left_alone(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    (outside / "old").mkdir(parents=True)
    folder.mkdir()
    (folder / ".unpack.1.part").symlink_to(outside)
    (folder / ".unpack.1.lock").write_bytes(b"")
    finish(folder)
    assert {path.name for path in outside.iterdir()} == {"old"}


def test_an_unpacking_of_another_user_is_not_finished(tree: Tree, tmp_path: Path) -> None:
    """The data that was read in the folder is what is packed; nothing is moved out of it."""
    part, outside = tree.folder / ".unpack.1.part", tmp_path / "outside"
    (part / "data").mkdir(parents=True)
    outside.mkdir()
    part.with_suffix(".lock").write_bytes(b"")
    for make_old in ((part / "old").mkdir, lambda: (part / "old").symlink_to(outside)):
        make_old()
        try:
            with pytest.raises(RomError, match="an unpacking that was not begun here; move it out"):
                packed(tree.folder, tmp_path / "demo.nds")
            assert (tree.folder / "data" / "msgdata").is_dir() and not list(outside.iterdir())
        finally:
            (part / "old").unlink() if (part / "old").is_symlink() else (part / "old").rmdir()
    shutil.rmtree(part)
    part.with_suffix(".lock").unlink()


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_stays_of_what_was_stopped(tmp_path: Path, jobs: int) -> None:
    with pytest.raises(StoppedError):
        unpack(open_rom("demo"), tmp_path / "folder", replace=False, jobs=jobs, progress=_Stopping())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_rom_to_unpack(tmp_path: Path) -> None:
    rom = tmp_path / "rom"
    (rom / "data").mkdir(parents=True)
    demo = open_rom("demo")
    for path in demo.files:
        (rom / "data" / path).parent.mkdir(parents=True, exist_ok=True)
        (rom / "data" / path).write_bytes(demo.file(path))
    (rom / "arm9.bin").write_bytes(demo.arm9())
    with pytest.raises(RomError, match=r"only an \.nds image can be unpacked"):
        unpacked(rom, tmp_path / "folder")


def test_files_of_other_programs_are_left_out(tree: Tree, tmp_path: Path) -> None:
    tree.write("data/.DS_Store", b"hidden")
    tree.write("data/notes.txt", b"mine")
    assert packed(tree.folder, tmp_path / "demo.nds").unused == ("data/notes.txt",)


def test_a_member_may_be_bytes(tree: Tree, tmp_path: Path) -> None:
    stem = "data/fielddata/areadata/area_data.narc/0001"
    stored = open_rom("demo").archive("fielddata/areadata/area_data.narc").raw(1)
    tree.write(f"{stem}.json", None)
    tree.write(f"{stem}.bin", stored)
    packed(tree.folder, tmp_path / "demo.nds")
    assert open_rom(tmp_path / "demo.nds").file("fielddata/areadata/area_data.narc") == open_rom("demo").file(
        "fielddata/areadata/area_data.narc"
    )


def test_a_member_is_added(tree: Tree, tmp_path: Path) -> None:
    folder = "data/fielddata/areadata/area_data.narc"
    tree.write(f"{folder}/0004.json", tree.text(f"{folder}/0001.json"))
    text = tree.text("image.json")
    start = text.index("/fielddata/areadata/area_data.narc")
    tree.write("image.json", text[:start] + text[start:].replace('"members": 4', '"members": 5', 1))
    packed(tree.folder, tmp_path / "demo.nds")
    archive = open_rom(tmp_path / "demo.nds").archive("fielddata/areadata/area_data.narc")
    assert len(archive) == 5 and archive.raw(4) == archive.raw(1)
