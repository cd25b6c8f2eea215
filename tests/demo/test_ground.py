"""The ground that is drawn is the ground that is walked on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from formats.nitro.model import Model
from mapexplorer.world import FieldWorld

UPRIGHT = ("trees", "blades", "blades_tall", "rail", "post", "wall", "cliff", "bank")
SURF = (0x10, 0x13, 0x15, 0x73)

Triangles = npt.NDArray[np.float64]


def surfaces(triangles: Triangles, x: float, z: float) -> list[float]:
    """Heights of the triangles above or below a point."""
    found = []
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles:
        area = (bx - ax) * (cz - az) - (cx - ax) * (bz - az)
        if abs(area) < 1e-6:
            continue
        v = ((x - ax) * (cz - az) - (cx - ax) * (z - az)) / area
        w = ((bx - ax) * (z - az) - (x - ax) * (bz - az)) / area
        if v >= -1e-9 and w >= -1e-9 and v + w <= 1 + 1e-9:
            found.append(ay + v * (by - ay) + w * (cy - ay))
    return found


def test_every_height_plate_lies_on_a_drawn_surface(
    demo_world: FieldWorld, triangles_of: Callable[[Model, Callable[[str], bool]], Triangles]
) -> None:
    seen: set[int] = set()
    points = 0
    for header in demo_world.headers[2:]:
        for cell in demo_world.place(header.id).matrix_cells.values():
            if cell.land in seen:
                continue
            seen.add(cell.land)
            land = demo_world.land(cell.land)
            triangles = triangles_of(land.model.models[0], lambda name: name not in UPRIGHT)
            triangles = triangles + np.array([0.0, 8.0 * cell.altitude, 0.0])
            west = triangles[..., 0].min(1)
            east = triangles[..., 0].max(1)
            north = triangles[..., 2].min(1)
            south = triangles[..., 2].max(1)
            for tz in range(32):
                for tx in range(32):
                    if land.attributes[tz, tx] & 0x8000:
                        continue
                    x, z = 16 * tx + 8 - 256, 16 * tz + 8 - 256
                    _, plates = land.bdhc.candidates(x * 4096, z * 4096)
                    assert plates, f"land {cell.land}, tile {tx},{tz}: one can stand there but there is no plate"
                    near = triangles[(west <= x) & (x <= east) & (north <= z) & (z <= south)]
                    drawn = surfaces(near, x, z)
                    falls = land.attributes[tz, tx] & 0xFF == 0x13
                    for _, height in plates:
                        gap = min((abs(height / 4096 - y) for y in drawn), default=99.0)
                        assert gap < 0.02 or falls, f"land {cell.land}, tile {tx},{tz}: plate {height / 4096}, {drawn}"
                        points += 1
    assert len(seen) == 8
    assert points > 2500


def test_the_bridges_have_two_levels(demo_world: FieldWorld) -> None:
    river = demo_world.land(2).bdhc
    _, plates = river.candidates((30 * 16 + 8 - 256) * 4096, (4 * 16 + 8 - 256) * 4096)
    assert sorted(height // 4096 for _, height in plates) == [-4, 16]
    cave = demo_world.land(6).bdhc
    _, plates = cave.candidates((14 * 16 + 8 - 256) * 4096, (10 * 16 + 8 - 256) * 4096)
    assert sorted(height // 4096 for _, height in plates) == [0, 32]


def test_props_stand_on_the_ground(demo_world: FieldWorld) -> None:
    """On a plate, or on the water's bed where the map is closed; what hangs or floats is named."""
    free = {15: "neon sign", 12: "waterfall", 11: "boat"}
    counted = 0
    for header in demo_world.headers[2:]:
        place = demo_world.place(header.id)
        for cell in place.cells:
            land = demo_world.land(cell.land)
            for prop in land.props:
                if int(prop["model"]) in free:
                    continue
                x, y, z = (int(value) for value in prop["position"])
                _, plates = land.bdhc.candidates(x, z)
                assert y in [height for _, height in plates], (
                    cell.land,
                    int(prop["model"]),
                    x / 4096,
                    y / 4096,
                    z / 4096,
                )
                counted += 1
    assert counted > 100


def test_scenery_does_not_stand_in_the_way(demo_world: FieldWorld) -> None:
    """Every prop that is solid closes the tile that it stands on."""
    open_models = {0, 3, 12, 15, 18, 20}
    for header in demo_world.headers[2:]:
        place = demo_world.place(header.id)
        for cell in place.cells:
            land = demo_world.land(cell.land)
            for prop in land.props:
                if int(prop["model"]) in open_models:
                    continue
                tx = (int(prop["position"][0]) // 4096 + 256) // 16
                tz = (int(prop["position"][2]) // 4096 + 256) // 16
                assert land.attributes[tz, tx] & 0x8000, (cell.land, int(prop["model"]), tx, tz)
