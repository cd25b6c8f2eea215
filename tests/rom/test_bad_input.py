"""Damaged images and archives raise RomError or FormatError and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.rom import Narc
from mapexplorer.world.opening import open_rom


def read_everything(path: Path) -> int:
    """Open, list and read all that the ROM holds; the number of bytes."""
    total = 0
    with open_rom(path) as rom:
        total += len(rom.arm9())
        for record in rom.overlay_records()[:20]:
            overlay = rom.overlay(record.number)
            total += len(overlay.data) if overlay else 0
        for name in rom.files:
            total += len(rom.file(name))
            if name.endswith(".narc"):
                total += sum(len(member) for member in rom.archive(name))
    return total


@pytest.mark.parametrize("seed", range(4))
def test_mutants_of_an_image(tmp_path: Path, tiny_image: bytes, seed: int) -> None:
    generator = random.Random(seed)
    tables = [int.from_bytes(tiny_image[at : at + 4], "little") for at in (0x40, 0x48, 0x50)]
    file = tmp_path / "mutant.nds"
    refused = 0
    for _ in range(150):
        mutant = bytearray(tiny_image)
        for _ in range(generator.randrange(1, 5)):
            start = generator.choice([0, *tables, generator.randrange(len(mutant) - 0x100)])
            mutant[start + generator.randrange(0x100)] = generator.randrange(256)
        if generator.random() < 0.2:
            del mutant[generator.randrange(len(mutant)) :]
        file.write_bytes(mutant)
        try:
            assert read_everything(file) < 8 * len(tiny_image)
        except (FormatError, RomError) as error:
            assert str(error)
            refused += 1
    assert 20 < refused < 140


def test_mutants_of_an_archive(tiny_files: dict[str, bytes]) -> None:
    generator = random.Random(9)
    data = tiny_files["data/arealight.narc"]
    refused = 0
    for _ in range(1000):
        mutant = bytearray(data)
        for _ in range(generator.randrange(1, 4)):
            mutant[generator.randrange(4, len(mutant))] = generator.randrange(256)
        del mutant[len(mutant) - generator.randrange(3) :]
        try:
            assert sum(len(member) for member in Narc(bytes(mutant), "x.narc")) < 1000
        except FormatError as error:
            assert error.path
            refused += 1
    assert 100 < refused < 950
