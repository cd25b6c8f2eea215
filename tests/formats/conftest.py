"""The real ROM's files for format tests, and what proofs by reading and writing share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.rom import Rom
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def rom(rom_path: Path) -> Rom:
    return open_rom(rom_path)


@pytest.fixture(scope="session")
def header_table(rom: Rom) -> bytes:
    """The 593 map headers of the US release, found by the bytes of the first two."""
    arm9 = rom.arm9()
    first = bytes.fromhex(
        "00000000910181031700E803E803FFFF0000000600008271 00000000910181031700E803E803FFFF0000000600008001"
    )
    assert arm9.count(first) == 1
    start = arm9.index(first)
    return arm9[start : start + 593 * 24]


@pytest.fixture(scope="session")
def rewritten() -> Callable[[Any], Any]:
    """A function that writes a value and reads it back, and insists that writing it again gives the same bytes."""

    def function(value: Any) -> Any:
        data = value.to_bytes()
        again = type(value).from_bytes(data)
        assert again.to_bytes() == data
        return again

    return function
