"""The world of the real ROM, opened once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.scene import FieldScene
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def figures(scene: FieldScene) -> list[ObjectInstance]:
    """The people and things that a picture of a scene shows."""
    assert scene.block.object_events is not None
    sources = (drawing.source for drawing in scene.block.object_events.drawings(scene.tick))
    return list(dict.fromkeys(one for one in sources if isinstance(one, ObjectInstance)))
