"""Upright parts of the outdoor terrain: tree rows, tall grass, rails, the jetty's posts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from tools.demo_world.grid import CELL, CELL_UNITS, TILE, Grid, Tile
from tools.demo_world.mesh import Corner
from tools.demo_world.model import ModelBuilder, Paint
from tools.demo_world.outdoor import BRIDGE_DECK
from tools.demo_world.shapes import Rectangle, box, card
from tools.demo_world.terrain import LARGEST, MARGIN

TREES = Paint("trees", "trees", both_sides=True, repeat=(True, False))
BLADES = Paint("blades", "blades", both_sides=True, repeat=(True, False))
TALL_BLADES = Paint("blades_tall", "blades_tall", both_sides=True, repeat=(True, False))
RAIL = Paint("rail", "rail", both_sides=True, repeat=(True, False))
POST = Paint("post", "bark")

_TREE_HEIGHT = 52
_UP = (0.0, 0.75, 0.66)


def _runs(
    grid: Grid, mx: int, mz: int, wanted: Callable[[Tile], bool], along_x: bool
) -> Iterator[tuple[int, int, int]]:
    """Rows (x, z, length) of wanted flat tiles of one height, along x or z."""
    tiles = {(x, z): t.corners[0] for x, z, t in grid.cell_tiles(mx, mz, MARGIN) if wanted(t) and t.flat}
    step = (1, 0) if along_x else (0, 1)
    limit = LARGEST[0] if along_x else LARGEST[1]
    left = dict(tiles)
    for (x, z), height in tiles.items():
        if (x, z) not in left:
            continue
        length = 0
        while length < limit and left.get((x + length * step[0], z + length * step[1])) == height:
            del left[x + length * step[0], z + length * step[1]]
            length += 1
        yield x, z, length


def add_scenery(builder: ModelBuilder, grid: Grid, mx: int, mz: int, lift: int = 0) -> None:
    """Add a cell's scenery to its terrain model."""
    origin = (CELL_UNITS * mx + CELL_UNITS // 2, lift, CELL_UNITS * mz + CELL_UNITS // 2)

    def stand(paint: Paint, ends: Rectangle, base: float, height: float, texels: int, s: float) -> None:
        """An upright face over the line (x, z, x, z); the picture's `texels` fill its height."""
        x0, z0, x1, z1 = ends
        length = abs(x1 - x0) + abs(z1 - z0)
        face = card(
            (x0 - origin[0], base - origin[1], z0 - origin[2]),
            (x1 - origin[0], base - origin[1], z1 - origin[2]),
            height,
            (s, 0, s + length * texels / height, texels),
        )
        builder.add(paint, [corner._replace(normal=_UP) for corner in face])

    for x, z, length in _runs(grid, mx, mz, lambda tile: tile.ground == "T", True):
        base = grid.tiles[x, z].corners[0]
        if length > 1:
            line = TILE * z + 8
            stand(TREES, (TILE * x, line, TILE * (x + length), line), base, _TREE_HEIGHT, 64, (z % 3) * 21)
    for x, z, length in _runs(grid, mx, mz, lambda tile: tile.ground == "T", False):
        base = grid.tiles[x, z].corners[0]
        if length > 2 and x % 2:
            line = TILE * x + 8
            stand(TREES, (line, TILE * (z + length), line, TILE * z), base, _TREE_HEIGHT, 64, (x % 3) * 21)
    for character, paint, height, texels in (("w", BLADES, 13, 16), ("W", TALL_BLADES, 24, 32)):
        for x, z, length in _runs(grid, mx, mz, lambda tile, c=character: tile.ground == c, True):  # type: ignore[misc]
            base = grid.tiles[x, z].corners[0]
            for part in (4, 9, 14):
                line = TILE * z + part
                stand(paint, (TILE * x, line, TILE * (x + length), line), base, height, texels, part + 5 * z)


def add_bridge(builder: ModelBuilder, mx: int, mz: int) -> None:
    """Rails and side beams of the bridge, the part of it that is in a cell."""
    west, east = CELL_UNITS * mx, CELL_UNITS * (mx + 1)
    origin_x, origin_z = west + 256, CELL_UNITS * mz + CELL_UNITS // 2
    profile = ((448, 0), (480, BRIDGE_DECK), (512, BRIDGE_DECK), (544, BRIDGE_DECK), (576, 0))
    for line, side in ((36 * TILE, -1), (38 * TILE, 1)):
        for (x0, y0), (x1, y1) in itertools.pairwise(profile):
            if not (west <= x0 and x1 <= east):
                continue
            a, b = x0 - origin_x, x1 - origin_x
            z = line - origin_z
            rail = (
                Corner((a, y0 + 12, z), (x0 - 448, 0)),
                Corner((a, y0, z), (x0 - 448, 16)),
                Corner((b, y1, z), (x1 - 448, 16)),
                Corner((b, y1 + 12, z), (x1 - 448, 0)),
            )
            builder.add(RAIL, [corner._replace(normal=_UP) for corner in rail])
            if y0 == y1:
                beam = (
                    Corner((a, y0, z), (0, 0)),
                    Corner((a, y0 - 5, z), (0, 5)),
                    Corner((b, y0 - 5, z), (b - a, 5)),
                    Corner((b, y0, z), (b - a, 0)),
                )
                builder.add(POST, beam if side > 0 else beam[::-1])


def add_jetty(builder: ModelBuilder, x: int, z: int, across: int, down: int) -> None:
    """Posts and edges of a jetty of tiles (x, z, across, down), all in one cell."""
    origin_x, origin_z = CELL_UNITS * (x // CELL) + CELL_UNITS // 2, CELL_UNITS * (z // CELL) + CELL_UNITS // 2
    west, east = TILE * x - origin_x, TILE * (x + across) - origin_x
    north, south = TILE * z - origin_z, TILE * (z + down) - origin_z
    for post_z in range(north + 14, south + 1, 27):
        for post_x in (west, east):
            builder.add(POST, *box((post_x - 2, -24, post_z - 2), (post_x + 2, 5, post_z + 2)))
    builder.add(POST, *box((west, -4, north), (east, -0.25, south), top=False))


__all__ = ["add_bridge", "add_jetty", "add_scenery"]
