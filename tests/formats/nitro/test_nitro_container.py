"""The container of NITRO files, and telling files apart."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import formats
from formats import FormatError
from formats.nitro.container import read_container, write_container
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0

FILE = write_container("BMD0", 2, [("MDL0", b"models"), ("TEX0", b"")])


def changed(offset: int, form: str, value: int) -> bytes:
    data = bytearray(FILE)
    struct.pack_into(form, data, offset, value)
    return bytes(data)


def test_the_layout() -> None:
    head = "424D4430 FFFE 0200 30000000 1000 0200 18000000 28000000"
    assert FILE.hex() == (head + "4D444C30 10000000 6D6F64656C730000 54455830 08000000").replace(" ", "").lower()


def test_blocks_are_bounded() -> None:
    notes: list[Any] = []
    container = read_container(FILE, "BMD0", notes=notes)
    assert (container.magic, container.version, notes) == ("BMD0", 2, [])
    assert [(tag, len(block)) for tag, block in container.blocks] == [("MDL0", 16), ("TEX0", 8)]
    assert container.block(1, "TEX0").origin == 0x28
    with pytest.raises(FormatError, match="JNT0"):
        container.block(0, "JNT0")
    with pytest.raises(FormatError, match="2 blocks"):
        container.block(2, "TEX0")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        FILE[:-1],
        FILE[:20],
        changed(4, "<H", 0xFFFE),
        changed(8, "<I", 0xFFFFFFFF),
        changed(12, "<H", 20),
        changed(14, "<H", 0xFFFF),
        changed(16, "<I", 4),
        changed(20, "<I", 0x18),
        changed(0x1C, "<I", 0x20),
        changed(0x1C, "<I", 7),
        changed(0, "<I", 0x20202020),
    ],
)
def test_damage_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_container(data)
    with pytest.raises(FormatError):
        formats.read(data)


def test_what_follows_the_file_is_noted() -> None:
    notes: list[Any] = []
    read_container(FILE + b"more", notes=notes)
    assert [note.offset for note in notes] == [len(FILE)]


def test_read_tells_files_apart(nsbmd: Nsbmd, textures: Tex0) -> None:
    for read in (formats.read, formats.nitro.read):
        assert isinstance(read(nsbmd.to_bytes()), Nsbmd)
        assert isinstance(read(Nsbtx(textures).to_bytes()), Nsbtx)
    assert set(formats.nitro.KINDS) == {b"BMD0", b"BTX0", b"BCA0", b"BTP0", b"BTA0", b"BMA0", b"BVA0"} | {
        b"RGCN",
        b"RLCN",
        b"RCSN",
        b"RECN",
        b"RNAN",
    }
    for magic, kind in formats.nitro.KINDS.items():
        assert getattr(formats.nitro, kind).__name__ == kind
        with pytest.raises(FormatError):
            formats.read(magic)


@pytest.mark.parametrize("data", [b"", b"BMD", b"RIFF....", bytes(100)])
def test_read_refuses_what_it_does_not_know(data: bytes) -> None:
    with pytest.raises(FormatError, match="magic"):
        formats.read(data, "a name")
    with pytest.raises(FormatError, match="magic"):
        formats.nitro.read(data)


def test_errors_carry_the_path() -> None:
    with pytest.raises(FormatError, match=r"^build_model\.narc\[3\] > MDL0"):
        formats.read(FILE, "build_model.narc[3]")
