"""G2D files: every one of the real ROM, and what hand-built ones show of their rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import formats
from formats import FormatError
from formats.binary import frozen
from formats.nds import tiles
from formats.nds.objects import OBJECT, SIZES
from formats.nitro import KINDS
from formats.nitro.container import write_chain
from formats.nitro.labels import write_labels
from formats.nitro.nanr import INDEX, INDEX_SRT, INDEX_T, Frame, Nanr, Sequence
from formats.nitro.ncer import TRANSFER, CellData, Ncer, Transfers
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import AFFINE, TEXT, Nscr
from mapexplorer.world.opening import open_rom

COUNTS = {"Ncgr": 1096, "Nclr": 534, "Nscr": 152, "Ncer": 87, "Nanr": 87}
PACKED = 19
"""Those that are stored in LZ10 streams."""

SPRITES = frozen([(0x80F0, 0x01F8, 0x2004), (0, 0, 0), (1, 2, 3)], OBJECT)


def build_cells() -> Ncer:
    cells = (CellData(SPRITES, 0x80B, (7, 8, -7, -8)), CellData(SPRITES[:0], 0, (0, 0, 0, 0)))
    return Ncer(cells, 4, Transfers(64, frozen([(0, 64), (64, 32)], TRANSFER)), ("one", ""), 0)


def build_animations() -> Nanr:
    turned = Frame(3, 4, 0x4000, (8192, -4096), (-5, 6))
    return Nanr(
        (
            Sequence((Frame(1, 2), Frame(2, 2), Frame(1, 3)), 0, INDEX, 1, 2),
            Sequence((turned, Frame(3, 1)), 1, INDEX_SRT, 1, 1),
            Sequence((Frame(4, 4, translation=(1, -1)),), 0, INDEX_T, 1, 4),
            Sequence((Frame(2, 9), Frame(5, 9), Frame(6, 9)), 0, INDEX, 2, 3),
            Sequence((), 0, INDEX, 1, 1),
        ),
        ("walk",),
    )


def build() -> list[Any]:
    """One value of every type, with everything that it can hold."""
    return [
        Ncgr(4, (2, 1), 0x10, False, True, bytes(range(64)), (1, 2, 3, 4)),
        Ncgr(8, None, 0, True, False, bytes(range(128))),
        Nclr(4, False, frozen(np.arange(48), "<u2"), frozen([0, 3, 5], "<u2"), True),
        Nclr(8, True, frozen(np.arange(512), "<u2")),
        Nscr(16, 16, 0, TEXT, frozen([1, 2, 3, 0xFC04], "<u2")),
        Nscr(16, 8, 1, AFFINE, frozen([1, 255], "u1")),
        build_cells(),
        build_animations(),
    ]


def test_every_file_of_the_rom_comes_back(rom_path: Path) -> None:
    counts: Counter[str] = Counter()
    different, notes = [], []
    packed = 0
    with open_rom(rom_path) as rom:
        for path in rom.files:
            if not rom.is_archive(path):
                continue
            archive = rom.archive(path)
            for index in range(len(archive)):
                data = archive[index]
                if KINDS.get(data[:4]) not in COUNTS:
                    continue
                value = formats.read(data, f"{path}[{index}]", notes=notes)
                counts[type(value).__name__] += 1
                packed += archive.raw(index) != data
                if value.to_bytes() != data:
                    different.append(f"{path}[{index}]")
    assert not different
    assert not notes
    assert counts == COUNTS
    assert packed == PACKED


@pytest.mark.parametrize("value", build(), ids=lambda value: type(value).__name__)
def test_hand_built_values_come_back(value: Any) -> None:
    notes: list[Any] = []
    again = formats.nitro.read(value.to_bytes(), notes=notes)
    assert formats.same(again, value)
    assert not notes


@pytest.mark.parametrize("value", build(), ids=lambda value: type(value).__name__)
def test_every_truncation_is_refused(value: Any) -> None:
    data = value.to_bytes()
    for length in range(len(data)):
        with pytest.raises(FormatError):
            formats.nitro.read(data[:length])


def test_elements_are_stored_once_and_filled_up_per_sequence() -> None:
    data = build_animations().to_bytes()
    words = "0100 0200" + "0300 0040 00200000 00F0FFFF FBFF 0600" + "0300 0000 00100000 00100000 0000 0000"
    words += "0400 EFBE 0100 FFFF" + "0500 0600"
    assert bytes.fromhex(words) in data


def test_the_number_of_names_is_found() -> None:
    for names in ((), ("",), ("", "", "", ""), ("a", "", ""), ("\x05", "b"), tuple("abcdefgh"), ("name",) * 50):
        data = Nanr((), names).to_bytes()
        assert Nanr.from_bytes(data).labels == names
    ((_, contents),) = write_labels(("ab", "c"), None)
    block = build_animations().to_bytes()
    for damaged in (contents[:-1], contents + b"x", b"\1" + contents[1:]):
        chain = write_chain("RNAN", 0x100, [("KNBA", block[24:48].ljust(24, b"\0")), ("LBAL", damaged)])
        with pytest.raises(FormatError):
            Nanr.from_bytes(chain)


@pytest.mark.parametrize(
    "value",
    [
        Ncgr(5, None, 0, False, False, b""),
        Ncgr(4, (0xFFFF, 1), 0, False, False, b""),
        Ncgr(4, None, -1, False, False, b""),
        Nclr(4, False, frozen(np.zeros(128), "<u2"), None, True),
        Nclr(4, False, frozen(np.zeros(300), "<u2"), None, True),
        Nclr(2, False, frozen([], "<u2")),
        Nscr(8, 8, 0, 3, frozen([0], "<u2")),
        Nscr(8, 8, 0, AFFINE, frozen([0], "<u2")),
        Nscr(8, 1 << 16, 0, TEXT, frozen([0], "<u2")),
        Ncer((CellData(SPRITES, 0, None), CellData(SPRITES, 0, (0, 0, 0, 0))), 0),
        Ncer((CellData(SPRITES, 0, None),), 0, Transfers(0, frozen([], TRANSFER))),
        Nanr((Sequence((Frame(1, 1, 5),), 0, INDEX, 1, 1),)),
        Nanr((Sequence((Frame(1, 1, scale=(1, 1)),), 0, INDEX_T, 1, 1),)),
        Nanr((Sequence((), 0, 7, 1, 1),)),
        Nanr((), ("\0",)),
        Nanr((), ("Ω",)),
        Nanr((), None, -1),
    ],
    ids=repr,
)
def test_what_cannot_be_written_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        value.to_bytes()


def test_tiles_as_colour_numbers() -> None:
    data = bytes(range(64))
    assert tiles.decode(data, 4)[0, 0].tolist() == [0, 0, 1, 0, 2, 0, 3, 0]
    assert tiles.decode(data, 4)[1, 7].tolist() == [12, 3, 13, 3, 14, 3, 15, 3]
    assert tiles.decode(data + b"\1", 8).shape == (1, 8, 8)
    assert tiles.pack(tiles.unpack(data, 4), 4) == tiles.pack(tiles.unpack(data, 8), 8) == data
    for pixels, depth in (([1], 4), ([16, 0], 4), ([1], 2)):
        with pytest.raises(ValueError):
            tiles.pack(np.array(pixels, np.uint8), depth)
    with pytest.raises(ValueError):
        tiles.unpack(data, 2)


def test_a_picture_of_lines_is_cut_into_tiles() -> None:
    lines = Ncgr(8, (2, 1), 0, True, False, bytes(range(128)))
    assert lines.tiles().shape == (2, 8, 8)
    assert lines.tiles()[1, 1].tolist() == list(range(24, 32))
    assert np.array_equal(Ncgr(8, (2, 1), 0, False, False, lines.data).tiles()[0, 1], np.arange(8, 16))
    for picture in (Ncgr(8, None, 0, True, False, b""), Ncgr(8, (2, 1), 0, True, False, bytes(127))):
        with pytest.raises(ValueError):
            picture.tiles()


def test_sizes_of_sprites() -> None:
    assert SIZES[0, 3].tolist() == [64, 64]
    assert SIZES[2, 1].tolist() == [8, 32]
    assert build_cells().cells[0].radius == 44
