"""A ROM that another program writes while it is open, and folders that name places outside themselves."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from formats.binary import FormatError
from mapexplorer.errors import RomChangedError, RomError
from mapexplorer.rom import Rom, Stamp, build_image
from mapexplorer.world.opening import open_rom

MATRICES = "fielddata/mapmatrix/map_matrix.narc"


def on_disk(rom: Rom) -> dict[Path, Stamp | None]:
    """The present stamps of the files of a ROM."""
    return {path: Stamp.on_disk(path) for path in rom.opened_stamps}


@pytest.mark.parametrize("left", [0, 0x300, 0x4000])
def test_a_truncated_image_is_no_longer_read(tmp_path: Path, tiny_image: bytes, left: int) -> None:
    place = tmp_path / "rom.nds"
    place.write_bytes(tiny_image)
    rom = open_rom(place)
    archive = rom.archive(MATRICES)
    os.truncate(place, left)
    for read in (lambda: archive[0], lambda: rom.file(MATRICES), lambda: rom.overlay(5), rom.overlay_records):
        with pytest.raises(RomChangedError, match=r"rom\.nds was changed by another program while it was open"):
            read()


def test_an_image_that_is_written_again_is_no_longer_read(tmp_path: Path, tiny_image: bytes) -> None:
    place = tmp_path / "rom.nds"
    place.write_bytes(tiny_image)
    rom = open_rom(place)
    assert on_disk(rom) == rom.opened_stamps
    place.write_bytes(tiny_image)
    os.utime(place, ns=(0, rom.opened_stamps[place].written + 1_000_000))
    with pytest.raises(RomChangedError):
        rom.file(MATRICES)
    assert on_disk(rom) != rom.opened_stamps


def test_a_replaced_image_stays_the_one_that_was_opened(tmp_path: Path, tiny_image: bytes) -> None:
    place, new = tmp_path / "rom.nds", tmp_path / "new.nds"
    place.write_bytes(tiny_image)
    rom = open_rom(place)
    before = rom.file(MATRICES)
    new.write_bytes(bytes(len(tiny_image)))
    new.replace(place)
    assert rom.file(MATRICES) == before
    assert on_disk(rom) != rom.opened_stamps
    place.unlink()
    assert on_disk(rom) == {place: None}


def test_a_changed_archive_of_a_folder_is_no_longer_read(write_folder) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ndstool")
    rom = open_rom(root)
    archive = rom.archive(MATRICES)
    file = root / "data" / MATRICES
    assert on_disk(rom) == rom.opened_stamps
    os.truncate(file, 20)
    with pytest.raises(RomChangedError, match=r"map_matrix\.narc was changed"):
        archive[0]
    assert on_disk(rom)[file] != rom.opened_stamps[file]


@pytest.mark.parametrize("value", ["/etc/passwd", "../elsewhere", "/dev/zero", "zero\0byte"])
@pytest.mark.parametrize("key", ["arm9_bin", "header", "arm9_overlays"])
def test_a_configuration_cannot_name_files_outside_the_folder(write_folder, key: str, value: str) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ds-rom")
    (root.parent / "elsewhere").write_bytes(b"secret")
    usual = {"arm9_bin": "arm9/arm9.bin", "header": "header.yaml", "arm9_overlays": "arm9_overlays/overlays.yaml"}
    lines = "".join(f"{name}: {value if name == key else path}\n" for name, path in usual.items())
    (root / "config.yaml").write_text(lines)
    with pytest.raises(RomError, match=r"outside the folder|not one that ndstool"):
        open_rom(root)


def test_a_link_to_another_place_is_left_out(write_folder, tmp_path: Path, tiny_files: dict[str, bytes]) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ndstool")
    (tmp_path / "secret.bin").write_bytes(b"secret")
    (root / "data" / "secret.bin").symlink_to(tmp_path / "secret.bin")
    (root / "data" / "tree").symlink_to(tmp_path)
    with open_rom(root) as rom:
        assert rom.files == tuple(sorted(tiny_files))
        assert not rom.has("secret.bin")
        assert any("secret.bin is a link" in note for note in rom.notes)


@pytest.mark.parametrize(
    ("key", "value"), [("id", "abc"), ("base_address", "ten"), ("file_id", ""), ("id", "9" * 5000)]
)
def test_an_overlay_list_with_a_wrong_number(write_folder, key: str, value: str) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ds-rom")
    values = {"id": "0", "base_address": "1", "code_size": "1", "file_id": "0"} | {key: value}
    text = "overlays:\n- " + "".join(f"{'  ' if name != 'id' else ''}{name}: {one}\n" for name, one in values.items())
    (root / "arm9_overlays" / "overlays.yaml").write_text(text)
    with pytest.raises(RomError, match=rf"overlays\.yaml, line {2 + list(values).index(key)}: {key} is "):
        open_rom(root).overlay_records()


def test_the_program_is_limited_by_the_memory_of_a_ds(tmp_path: Path, tiny_files: dict[str, bytes]) -> None:
    image = bytearray(build_image(tiny_files, arm9=b"x" * 64, code="CPUE"))
    struct.pack_into("<I", image, 0x2C, 0x0FFFFFFF)
    place = tmp_path / "rom.nds"
    place.write_bytes(image)
    os.truncate(place, 0x10001000)
    with pytest.raises(RomError, match="its ARM9 program takes 268435455 bytes, a DS allows 4194304"):
        open_rom(place)


def test_a_program_in_a_folder_is_limited_too(write_folder) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ndstool")
    os.truncate(root / "arm9.bin", 0x0FFFFFFF)
    with pytest.raises(FormatError, match="the main memory of a DS"):
        open_rom(root).arm9()


def test_links_that_lead_in_a_circle_are_left_out(write_folder, tiny_files: dict[str, bytes]) -> None:  # type: ignore[no-untyped-def]
    root = write_folder("ds-rom")
    (root / "files" / "loop").symlink_to(root / "files" / "loop")
    with open_rom(root) as rom:
        assert rom.files == tuple(sorted(tiny_files))
    (root / "config.yaml").write_text((root / "config.yaml").read_text().replace("arm9/arm9.bin", "files/loop"))
    with pytest.raises(RomError, match=r"not one that ndstool|missing|no file|arm9"):
        open_rom(root)
