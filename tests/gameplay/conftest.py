"""The real world, the demo world, and the lines of the script vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")
