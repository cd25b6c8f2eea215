"""NARC archives: members, damaged offsets, packed members, and the real archives written again."""

from __future__ import annotations

from pathlib import Path

import ndspy.lz10
import ndspy.narc
import pytest

from formats.binary import FormatError
from mapexplorer.rom import Narc, build_archive, joined_archives, loose_archive
from mapexplorer.world.opening import open_rom

MEMBERS = [b"first", b"", b"third member", b"\x10"]


def test_members_come_back() -> None:
    archive = Narc(build_archive(MEMBERS), "a/b.narc")
    assert list(archive) == MEMBERS
    assert ndspy.narc.NARC(build_archive(MEMBERS)).files == MEMBERS
    assert archive.reader(2).path == "b.narc[2]"


def test_members_have_names_in_the_rom() -> None:
    joined = joined_archives([Narc(build_archive(MEMBERS), "a/0.narc"), Narc(build_archive(MEMBERS), "b.narc")])
    assert [joined.name_of(number) for number in (0, 3, 4, 7)] == ["a/0.narc#0", "a/0.narc#3", "b.narc#0", "b.narc#3"]
    assert loose_archive(["a/x.bin", "y.bin"], lambda path: b"").name_of(1) == "y.bin"


def test_packed_members_are_unpacked_and_kept_raw() -> None:
    text = b"terrain " * 50
    # LZ11: the size, a flag byte of eight literals, one of a copy, and the copy of 392 = 0x111 + 0x77 bytes, 8 back.
    lz11 = b"\x11\x90\x01\x00" + b"\0terrain " + b"\x80" + bytes.fromhex("10077007")
    packed = [ndspy.lz10.compress(text), lz11, text]
    archive = Narc(build_archive(packed), "x.narc")
    assert list(archive) == [text] * 3
    assert [archive.raw(index) for index in range(3)] == packed


@pytest.mark.parametrize("index", [-1, 4])
def test_a_member_that_is_not_there(index: int) -> None:
    with pytest.raises(FormatError, match="a member number below 4"):
        Narc(build_archive(MEMBERS), "x.narc")[index]


def test_a_bad_offset_spoils_one_member_only() -> None:
    data = bytearray(build_archive(MEMBERS))
    data[28 + 8 * 2 + 4 : 28 + 8 * 2 + 8] = (0xFFFFFF).to_bytes(4, "little")
    archive = Narc(bytes(data), "x.narc")
    assert archive[0] == b"first"
    with pytest.raises(FormatError, match=r"member 2 inside the \d+ bytes"):
        archive[2]


@pytest.mark.parametrize("cut", [0, 3, 15, 20, 40, 70])
def test_truncated_archives(cut: int) -> None:
    with pytest.raises(FormatError):
        Narc(build_archive(MEMBERS)[:cut], "x.narc")


def test_other_bytes_are_no_archive() -> None:
    with pytest.raises(FormatError, match="NARC"):
        Narc(b"BMD0" + bytes(60), "x.narc")


def test_every_real_archive_is_written_back_byte_for_byte(rom_path: Path) -> None:
    count = members = packed = 0
    with open_rom(rom_path) as rom:
        for path in rom.files:
            if rom.source(path).read(0, 4) == b"NARC":
                archive = rom.archive(path)
                assert build_archive(archive.raw(index) for index in range(len(archive))) == rom.file(path), path
                packed += sum(archive[index] != archive.raw(index) for index in range(len(archive)))
                members += len(archive)
                count += 1
    assert (count, members, packed) == (65, 19460, 19)
