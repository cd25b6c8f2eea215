"""The world of the real ROM, opened once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.rom import open_rom
from mapexplorer.world import World


@pytest.fixture(scope="session")
def world(rom_path: Path) -> World:
    return World(open_rom(rom_path))
