"""Unpacked folders in the three known layouts answer as the image does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from formats.field import MessageBank
from mapexplorer.errors import RomError
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import FileArchive, Overlay, build_archive
from mapexplorer.rom.source import read_file
from mapexplorer.world.opening import open_rom


@pytest.mark.parametrize("layout", ["ndstool", "ds-rom"])
def test_a_folder_answers_as_the_image_does(write_folder, tiny_files: dict[str, bytes], layout: str) -> None:  # type: ignore[no-untyped-def]
    root = write_folder(layout)
    for place in (root, root / ("data" if layout == "ndstool" else "files")):
        with open_rom(place) as rom:
            assert rom.layout == f"{layout} folder"
            assert rom.files == tuple(sorted(tiny_files))
            assert {path: rom.file(path) for path in rom.files} == tiny_files
            assert PLATINUM.release(rom) == "Pokémon Platinum, German (CPUD), revision 0"
            assert rom.overlay(5) == Overlay(5, bytes(range(200)) * 3, 0x021D0D80)
            assert len(rom.arm9()) == 256 * 24


@pytest.mark.parametrize("layout", ["ndstool", "ds-rom"])
def test_dspre_folders_serve_what_is_being_edited(write_folder, tmp_path: Path, layout: str) -> None:  # type: ignore[no-untyped-def]
    root = write_folder(layout, "hack_DSPRE_contents")
    edited = root / "unpacked" / "matrices"
    edited.mkdir(parents=True)
    for index in range(13):
        (edited / f"{index + (index > 9):04d}").write_bytes(bytes([index]) * 3)  # number 10 is missing
    for backup in ("0000.bak", "0011.backup"):
        (edited / backup).write_bytes(b"old")
    texts = root / "expanded" / "textArchives"
    texts.mkdir(parents=True)
    (texts / "0001.json").write_text('{"messages": [{"id": "a", "en_US": ["Jason ", "{STRVAR_1 3, 0, 0}\\\\n"]}]}')
    (texts / "0000.txt").write_text("# Key: 0x1F\n{FOO}é\nB")
    text_archive = root / ("data" if layout == "ndstool" else "files") / "msgdata" / "pl_msg.narc"
    text_archive.parent.mkdir(parents=True)
    text_archive.write_bytes(build_archive([MessageBank(7, ("one", "two")).to_bytes()] * 2))
    for name, number, written in (
        ("unpacked", "0003", 2),
        ("expanded", "0003.script", 1),
        ("expanded", "0004.script", 1),
    ):
        script = root / name / "scripts" / number
        script.parent.mkdir(exist_ok=True)
        script.write_text("Script 1:")
        os.utime(script, (written, written))
    broken = root / "unpacked" / "areaData"
    broken.mkdir()
    (broken / "0001").write_bytes(b"no member 0")
    for place in (root, tmp_path):
        with open_rom(place) as rom:
            assert rom.layout == f"DSPRE folder ({layout} layout)"
            archive = rom.archive("fielddata/mapmatrix/map_matrix.narc")
            assert isinstance(archive, FileArchive)
            assert [archive[index] for index in (0, 9, 11)] == [b"\0\0\0", b"\x09" * 3, b"\x0b" * 3]
            assert len(archive) == 13
            banks = [MessageBank.from_bytes(data) for data in rom.archive("msgdata/pl_msg.narc")]
            assert [(bank.seed, bank.messages) for bank in banks] == [
                (0x1F, ("?é", "B")),
                (0, ("Jason {command 0103 0 0}\n", "two")),
            ]
            assert (rom.project, rom.edited) == (
                "hack_DSPRE_contents",
                ("unpacked/matrices", "expanded/textArchives"),
            )
            assert rom.newer_scripts == 1
            assert len(rom.archive("fielddata/areadata/area_data.narc")) == 2


def test_a_missing_file_in_a_folder_is_named(write_folder) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ndstool")
    path = next(iter(PLATINUM.needed))
    (root / "data" / path).unlink()
    with pytest.raises(RomError, match=r"lacks fielddata/maptable/mapname\.bin"):
        open_rom(root)


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "holiday.txt").write_text("x")
    with pytest.raises(RomError, match="not one that ndstool, ds-rom or DSPRE unpacks"):
        open_rom(tmp_path)


def test_without_header_files_the_files_decide(write_folder) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ndstool")
    (root / "header.bin").unlink()
    (root / "y9.bin").unlink()
    with open_rom(root) as rom:
        assert "recognised by its files" in PLATINUM.release(rom)
        assert rom.overlay(5) is None


def test_links_out_of_a_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for place in (folder / "data", outside):
        place.mkdir(parents=True)
        (place / "file").write_text(place.name)
    for link, target in (("inner", "data"), ("link", "inner/file"), ("outer", "../outside"), ("far", "outer/file")):
        (folder / link).symlink_to(target)
    for name in ("inner/file", "data/../data/file", "link"):
        assert read_file(folder / name, "this", below=folder) == b"data"
    for name in ("outer/file", "../outside/file", "far"):
        with pytest.raises(RomError, match="this is a link to a place outside the folder"):
            read_file(folder / name, "this", below=folder)
    (tmp_path / "name").symlink_to("folder")
    assert read_file(tmp_path / "name" / "data" / "file", "this", below=tmp_path / "name") == b"data"
    (tmp_path / "name").unlink()
    (tmp_path / "name").symlink_to("outside")
    assert read_file(tmp_path / "name" / "file", "this", below=tmp_path / "name") == b"outside"


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system does not say what was opened")
def test_a_link_that_comes_while_a_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for place in (folder, outside):
        place.mkdir()
        (place / "file").write_text("mine")
    is_link, descriptors = os.path.islink, len(os.listdir("/proc/self/fd"))

    def swapped(path: Path) -> bool:
        (tmp_path / "folder").rename(tmp_path / "old")
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "data").symlink_to(outside)
        return is_link(path)

    monkeypatch.setattr(os.path, "islink", swapped)
    with pytest.raises(RomError, match="this is a link to a place outside the folder"):
        read_file(folder / "data" / "file", "this", below=folder)
    assert len(os.listdir("/proc/self/fd")) == descriptors
