"""The world of the real ROM, opened once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))
