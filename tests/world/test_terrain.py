"""Terrain over a matrix: attributes, heights in matrix-wide units, and the block that the game keeps loaded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from formats.field.height_plates import HeightReason
from formats.field.terrain_attribute import UNLOADED
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld


def test_heights_of_known_spots(real: FieldWorld) -> None:
    """Plates and heights that were read from the game's files by hand, at tile centres."""
    spots = {
        (150, 30, 3): [(31, 98402)],
        (200, 9, 3): [(10, -32818)],
        (250, 7, 7): [(6, -8192), (7, -8253)],
        (300, 3, 10): [(9, 90026)],
        (400, 2, 2): [(0, -32677)],
        (28, 11, 8): [(2, 377224), (42, 65536)],
        (225, 5, 10): [(0, 0), (1, 655360), (2, 1310720), (3, 1966080)],
    }
    checked = set()
    for header in real.headers:
        place = real.place(header.id)
        for cell in place.cells:
            for (land, tile_x, tile_z), plates in spots.items():
                if cell.land != land:
                    continue
                x, z = 512 * cell.x + 16 * tile_x + 8, 512 * cell.z + 16 * tile_z + 8
                answer = place.height(x, z)
                assert [(plate, round(height * 4096)) for plate, height in answer.candidates] == plates
                for plate, height in plates:
                    nearest = place.height(x, z, near=height / 4096)
                    assert (nearest.plate, nearest.fx32, nearest.height) == (plate, height, height / 4096)
                checked.add(land)
    assert checked == {land for land, _, _ in spots} - {200}, "land 200 is in no place"


def test_the_tiny_terrain(tiny_rom: Callable[..., Rom]) -> None:
    place = FieldWorld(tiny_rom()).place("R901")
    west, east = place.height(1024 + 100, 100), place.height(1024 + 400, 100)
    assert (west.height, west.plate, len(west.candidates)) == (16.0, 0, 2)
    assert place.height(1024 + 100, 100, near=70).height == 80.0
    assert (east.height, east.plate, len(east.candidates)) == (16.0, 0, 1)
    assert (west.cell, west.land) == ((2, 0), 0)
    for x, z in ((1024 + 600, 100), (-1, 0), (0, -0.5), (0, 512)):
        nothing = place.height(x, z)
        assert (nothing.found, nothing.height, nothing.land) == (False, 0.0, None)
        assert nothing.reason is HeightReason.NO_LAND


def test_attributes_and_the_resident_block(tiny_rom: Callable[..., Rom]) -> None:
    terrain = FieldWorld(tiny_rom()).place("R901").terrain
    assert terrain.attribute(64 + 5, 0) == 0x8000
    assert terrain.collides(64 + 5, 0)
    assert terrain.behaviour(64, 31) == 0x69
    assert terrain.attribute(96, 0) == UNLOADED
    assert terrain.attribute(0, 32) == UNLOADED
    assert terrain.attribute(-1, 0) == UNLOADED
    block = terrain.resident(64 + 15, 3)
    assert (block.west, block.north) == (1, -1)
    assert [(cell.x, cell.z) for cell in block.cells] == [(1, 0), (2, 0)]
    beyond = terrain.resident(64 + 16, 20)
    assert (beyond.west, beyond.north) == (2, 0)
    assert [(cell.x, cell.z) for cell in beyond.cells] == [(2, 0)]


@pytest.mark.parametrize(
    ("x", "z", "block"), [(0, 0, (-1, -1)), (15, 16, (-1, 0)), (16, 15, (0, -1)), (31, 31, (0, 0))]
)
def test_the_block_follows_the_half_of_the_cell(real: FieldWorld, x: int, z: int, block: tuple[int, int]) -> None:
    terrain = real.place(411).terrain
    found = terrain.resident(3 * 32 + x, 27 * 32 + z)
    assert (found.west - 3, found.north - 27) == block


def test_tiles_of_the_corpus(real: FieldWorld) -> None:
    words = np.stack([real.land_sections(index).read_attributes() for index in range(666)])
    assert words.size == 681_984
    assert int((words & 0x8000 != 0).sum()) == 335_165
    assert not (words & 0x7F00).any()
    assert len(np.unique(words & 0xFF)) == 94
