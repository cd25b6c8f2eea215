"""The shapes of the layers over a map: where they lie, what they are, and which of them a line of sight meets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.behaviours import BEHAVIOURS
from mapexplorer.world.layers.collision import COLLISION
from mapexplorer.world.layers.events import event_shapes
from mapexplorer.world.layers.grid import GRID
from mapexplorer.world.layers.kind import CellOverlay, event_owner
from mapexplorer.world.layers.overlay_picking import Ray, ground_point, picked_thing, tile_of
from mapexplorer.world.layers.plates import PLATES
from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.terrain.cell_ground import cell_ground

SHOWN = [kind.id for kind in LAYERS]


@pytest.fixture(scope="module")
def demo() -> Any:
    return FieldWorld.open("demo")


def overlay_of(place: Any) -> CellOverlay:
    return CellOverlay(place, place.cells[0], place.header.id)


def down(x: float, z: float, height: float = 500.0) -> Ray:
    """A line from above to below a point, a little slanted as those of cameras are."""
    return Ray(np.array([x, height, z + 1e-3]), np.array([x, -100.0, z]))


@pytest.mark.parametrize("name", ["H01", "F01", "T01", "L01", "D01R0101"])
def test_plates_and_free_tiles_lie_where_the_query_finds_them(demo: Any, name: str) -> None:
    place = demo.place(name)
    cell = place.cells[0]
    bdhc, ground = place.terrain.bdhc(cell), cell_ground(place, cell)
    checked = 0
    for number, (plate, normal) in enumerate(zip(ground.plates, bdhc.planes[:, :3] / 4096, strict=True)):
        x, y, z = plate.mean(0)
        _, found = bdhc.candidates(round((x - cell.x * 512 - 256) * 4096), round((z - cell.z * 512 - 256) * 4096))
        heights = dict(found)
        if number in heights:
            assert heights[number] / 4096 == pytest.approx(y, abs=0.05)
            checked += 1
        assert np.linalg.norm(normal) == pytest.approx(1, abs=0.01)
    assert checked >= len(ground.plates) * 0.8
    assert not (ground.covered & ~ground.blocked).any()
    for z, x in np.argwhere(~ground.covered).tolist():
        answer = place.height((cell.x * 32 + x) * 16 + 8, (cell.z * 32 + z) * 16 + 8, 0.0)
        height = ground.tiles[z, x, :, 1].mean()
        assert height == pytest.approx(answer.height if answer.found else 0.0, abs=0.01)


@pytest.mark.parametrize("whole", [False, True])
def test_plates_have_the_colours_of_their_heights_on_the_map(demo: Any, whole: bool) -> None:
    """The lowest and the highest plate have the first and the last colour, which the legend names with the heights."""
    place = demo.place("H01")
    cells = place.matrix_cells.values() if whole else place.cells
    parts = [CellOverlay(place, cell, place.header.id, whole) for cell in cells]
    heights = np.concatenate([part.ground.plates[..., 1].mean(1) for part in parts])
    fills = np.concatenate([part[PLATES].fills[:, :3] for part in parts])
    low, high = heights.argmin(), heights.argmax()
    assert heights[low] < heights[high]
    legend = PLATES.legend(demo.game.tables, parts)
    named = [(legend[row][0], f"plate at {heights[plate]:.4g} units") for row, plate in ((0, low), (-2, high))]
    assert named == [legend[0], legend[-2]]
    assert [tuple(fills[plate].tolist()) for plate in (low, high)] == [color for color, _ in named]


def test_each_layer_shows_what_is_there_once(demo: Any) -> None:
    place = demo.place("L01")
    part = overlay_of(place)
    attributes, cell = place.terrain.attributes(part.cell), part.cell
    assert len(part[COLLISION].faces) == (attributes & 0x8000 != 0).sum() > 0
    assert len(part[BEHAVIOURS].faces) == (attributes & 0xFF != 0).sum() > 0
    assert len(part[PLATES].faces) == len(place.terrain.bdhc(cell).plates) > 0
    for layer in (COLLISION, BEHAVIOURS):
        shapes = part[layer]
        for face, owner, fill in zip(shapes.faces, shapes.owners, shapes.fills, strict=True):
            thing = shapes.things[owner]
            x, z = tile_of(*face.mean(0)[[0, 2]].tolist())
            assert (thing.kind, thing.key) == ("tile", (cell.matrix, x, z))
            word = place.terrain.attribute(x, z)
            assert word & (0x8000 if layer is COLLISION else 0xFF)
            assert thing.label == (demo.game.tables.behaviour_name(word & 0xFF) if layer is BEHAVIOURS else "")
            assert tuple(fill) == tuple(part.tile_colors(layer)[z % 32, x % 32])
    events = place.events
    counts = {"sign": len(events.background), "object": len(events.objects), "warp": len(events.warps)}
    kinds = [thing.kind for thing in event_shapes(place, place.header.id).things]
    assert {kind: kinds.count(kind) for kind in counts} == counts
    # Every tile's northern and western border, and the four sides of the cell.
    assert len(part[GRID].lines) == 2 * 32 * 32 + 4 and not len(part[GRID].faces)


def test_events_of_a_header_are_shown_in_the_cells_in_which_they_begin(demo: Any) -> None:
    place = demo.place("T01")
    everything = event_shapes(place, place.header.id)
    by_cell = [event_shapes(place, place.header.id, cell) for cell in place.matrix_cells.values()]
    assert sorted(everything.things) == sorted(thing for shapes in by_cell for thing in shapes.things)
    assert len(everything.faces) == 5 * len(everything.things) > 0
    own, other = place.cells[0], demo.place("L01").cells[0]
    assert event_owner(other, place.header.id, whole=False) == place.header.id
    assert event_owner(other, place.header.id, whole=True) == other.header
    filler = next((cell for cell in place.matrix_cells.values() if cell.filler), None)
    assert filler is None or event_owner(filler, own.header, whole=True) == own.header


def test_events_lie_over_plates_over_tiles(demo: Any) -> None:
    place = demo.place("T01")
    part = overlay_of(place)
    record = place.events.objects[0]
    x, z = int(record["x"]), int(record["z"])
    ray = down(x * 16 + 8, z * 16 + 8)
    assert picked_thing([part], SHOWN, ray) == ShapeSubject(
        "object", (place.header.id, 0), place.world.game.tables.graphics_name(int(record["graphics"]))
    )
    plate = picked_thing([part], ("plates", "collision", "behaviours"), ray)
    assert plate is not None
    answer = place.height(x * 16 + 8, z * 16 + 8)
    assert (plate.kind, plate.key) == ("plate", (part.cell.matrix, part.cell.x, part.cell.z, answer.plate))
    blocked_z, blocked_x = np.argwhere(part.ground.blocked)[0].tolist()
    key = (part.cell.matrix, part.cell.x * 32 + blocked_x, part.cell.z * 32 + blocked_z)
    tile = picked_thing([part], ("collision",), down(key[1] * 16 + 8, key[2] * 16 + 8))
    assert tile is not None and (tile.kind, tile.key) == ("tile", key)
    free_z, free_x = np.argwhere(~part.ground.blocked)[0].tolist()
    free = down((part.cell.x * 32 + free_x) * 16 + 8, (part.cell.z * 32 + free_z) * 16 + 8)
    assert picked_thing([part], ("collision",), free) is None
    assert picked_thing([part], (), ray) is None and picked_thing([], SHOWN, ray) is None


def test_what_stands_before_a_shape_hides_it(demo: Any) -> None:
    place = demo.place("T01")
    part = overlay_of(place)
    x, y, z = part.ground.plates[0].mean(0).tolist()
    ray = down(x, z)
    assert picked_thing([part], ("plates",), ray, seen=(x, y + 40, z)) is None
    # A surface that the plate lies on does not, nor one a little above it.
    for above in (0.0, 3.0, -40.0):
        found = picked_thing([part], ("plates",), ray, seen=(x, y + above, z))
        assert found is not None and found.key[3] == 0


def test_of_events_on_one_tile_the_person_is_on_top(demo: Any) -> None:
    place = demo.place("T01R0101")
    shapes = event_shapes(place, place.header.id)
    order = [thing.kind for thing in shapes.things]
    assert order == sorted(order, key=("trigger", "sign", "warp", "object").index)


def test_blocked_tiles_lie_on_the_terrain_that_covers_them(demo: Any) -> None:
    """Walls and rocks are part of the terrain model and higher than the plates below them."""
    place = demo.place("D01R0101")
    part = overlay_of(place)
    ground = part.ground
    assert ground.covered.sum() > 100
    for z, x in np.argwhere(ground.covered)[::7].tolist():
        middle = ground.tiles[z, x].mean(0)
        answer = place.height(float(middle[0]), float(middle[2]))
        assert middle[1] > (answer.height if answer.found else 0.0) + 1
        tile = picked_thing([part], ("collision",), down(middle[0], middle[2]))
        assert tile is not None and tile.key[1:] == (part.cell.x * 32 + x, part.cell.z * 32 + z)
        # A line of sight to it ends on it and not on the ground behind and below it.
        south = Ray(middle + (0, 300, 300), middle - (0, 300, 300))
        hit = ground_point(place, [part], south)
        assert hit is not None and (tile_of(hit[0], hit[2]) == tile.key[1:] or hit[2] > middle[2])


def test_tiles_of_cells_with_an_altitude_are_not_below_the_terrain(rom_path: Path) -> None:
    """Forest east of Sandgem Town: the terrain of the cell is raised by its altitude, its plates are not."""
    place = FieldWorld.open(rom_path).place("T02")
    cell = place.terrain.cell_at(195, 840)
    assert cell.altitude == 2 and place.terrain.collides(195, 840)
    part = CellOverlay(place, cell, place.header.id)
    assert part.ground.blocked.all()
    surface = place.terrain.surface(cell) + 16
    quarters = surface.reshape(32, 2, 32, 2).transpose(0, 2, 1, 3).reshape(32, 32, 4)
    assert (part.ground.tiles[..., 1].max(-1) >= quarters.max(-1) - 1e-6).all()
    assert part.ground.tiles[..., 1].min() > 16
    tile = picked_thing([part], ("collision",), down(195 * 16 + 8, 840 * 16 + 8), seen=(195 * 16 + 8, 30, 840 * 16 + 8))
    assert tile is not None and tile.key[1:] == (195, 840)
