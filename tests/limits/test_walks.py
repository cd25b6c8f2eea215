"""Limits of the processor time of searches on the real ROM, scaled by how slow the machine is now."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from mapexplorer.walk.reach import search
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from tests.walk.test_reach import ALL_ABILITIES, PLAYERS_ROOM, START


def test_the_connected_world_in_twenty_seconds(rom_path: Path, slowness: Callable[[], float]) -> None:
    real = FieldWorld(open_rom(rom_path))
    before = slowness()
    start = time.process_time()
    found = search(real, real.place(PLAYERS_ROOM).header.id, *START, abilities=ALL_ABILITIES)
    assert time.process_time() - start <= 20 * max(before, slowness())
    assert found.count > 100_000
