"""The terrain model of a cell: tops of tiles in large rectangles, edge tiles from atlases, walls between heights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tools.demo_world.grid import CELL, CELL_UNITS, TILE, Grid, Tile, rectangles
from tools.demo_world.mesh import Corner, Face, Vector
from tools.demo_world.model import ModelBuilder, Paint

MARGIN = 10
"""Tiles outside a grid that are drawn, so that the edge of the world is out of view."""

LARGEST = (16, 8)
"""Tiles across and down of the largest face: the hardware drops a face that reaches behind the far plane."""

SOLID = "#"
"""The ground of tiles inside walls; what shows between two of them has the paint of that name."""

INSET = 0.125
"""Texels that an edge tile keeps away from its neighbours in the atlas."""


@dataclass(frozen=True)
class Surface:
    """What covers a tile's top: a paint, and the texel of its north-west corner.

    `tiled` surfaces repeat their picture over the world and merge into large faces.
    """

    paint: Paint
    s: int = 0
    t: int = 0
    tiled: bool = True


@dataclass(frozen=True)
class Style:
    """The paints and pictures of a grid.

    `surface` gives what covers the tile at (x, z), `walls` the paint of each kind of wall (a tile with the wall "" has
    none), whose pictures begin at the top edge, and `shade` the colour of a point of an unlit face.
    """

    surface: Callable[[Grid, int, int, Tile], Surface]
    walls: Mapping[str, Paint]
    shade: Callable[[Vector], int] | None = None


def add_terrain(builder: ModelBuilder, grid: Grid, style: Style, mx: int, mz: int, lift: int = 0) -> None:
    """Add a cell's ground to a model whose origin is the cell's centre; `lift` units are taken off all heights."""
    origin_x, origin_z = CELL_UNITS * mx + CELL_UNITS // 2, CELL_UNITS * mz + CELL_UNITS // 2

    def add(paint: Paint, face: Face) -> None:
        moved = []
        for corner in face:
            x, y, z = corner.position
            color = style.shade(corner.position) if style.shade and not paint.lights else None
            moved.append(corner._replace(position=(x - origin_x, y - lift, z - origin_z), color=color))
        builder.add(paint, moved)

    _add_tops(add, grid, style, mx, mz)
    for paint, face in walls(grid, style, mx, mz):
        add(paint, face)


def _add_tops(add: Callable[[Paint, Face], None], grid: Grid, style: Style, mx: int, mz: int) -> None:
    surfaces = {
        (x, z): style.surface(grid, x, z, tile) for x, z, tile in grid.cell_tiles(mx, mz, MARGIN) if not tile.hidden
    }
    tiled = {}
    for place, surface in surfaces.items():
        tile = grid.tiles[place]
        if surface.tiled and tile.flat and (style.shade is None or surface.paint.picture is None):
            tiled[place] = (surface.paint, tile.corners[0])
        else:
            face = _top(place, 1, 1, tile, surface)
            if tile.corners[0] + tile.corners[3] == tile.corners[1] + tile.corners[2]:
                add(surface.paint, face)
            else:
                add(surface.paint, face[:3])
                add(surface.paint, (face[0], face[2], face[3]))
    for x, z, across, down in rectangles(tiled, *LARGEST):
        add(tiled[x, z][0], _top((x, z), across, down, grid.tiles[x, z], surfaces[x, z]))


def _top(place: tuple[int, int], across: int, down: int, tile: Tile, surface: Surface) -> Face:
    x, z = place
    west, east, north, south = TILE * x, TILE * (x + across), TILE * z, TILE * (z + down)
    # Pictures are at most 64 texels wide and high, so the cell's corner is always a picture's corner.
    s0, t0 = (float(west % CELL_UNITS), float(north % CELL_UNITS))
    s1, t1 = s0 + east - west, t0 + south - north
    if not surface.tiled:
        s0, t0 = surface.s + INSET, surface.t + INSET
        s1, t1 = surface.s + TILE - INSET, surface.t + TILE - INSET
    nw, ne, sw, se = tile.corners
    return (
        Corner((west, nw, north), (s0, t0)),
        Corner((west, sw, south), (s0, t1)),
        Corner((east, se, south), (s1, t1)),
        Corner((east, ne, north), (s1, t0)),
    )


@dataclass(frozen=True)
class _Edge:
    """A wall below one side of a tile: heights of its upper and lower edge at its first and second end."""

    paint: Paint
    top: tuple[int, int]
    bottom: tuple[int, int]


_SIDES = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
_ENDS = {"north": (1, 0), "south": (2, 3), "west": (0, 2), "east": (3, 1)}
"""Corners of a tile at the left and right end of each side, seen from outside."""
_OPPOSITE = {"north": (3, 2), "south": (0, 1), "west": (1, 3), "east": (2, 0)}
"""The neighbour's corners at the same places."""


def walls(grid: Grid, style: Style, mx: int, mz: int) -> list[tuple[Paint, Face]]:
    """The walls of a cell's tiles down to lower neighbours; equal ones in a row are one face."""
    edges: dict[tuple[str, int, int], _Edge] = {}
    for x, z, tile in grid.cell_tiles(mx, mz, MARGIN):
        for side, (dx, dz) in _SIDES.items():
            other = grid.get(x + dx, z + dz)
            if other is None or tile.wall == "":
                continue
            top = (tile.corners[_ENDS[side][0]], tile.corners[_ENDS[side][1]])
            bottom = (other.corners[_OPPOSITE[side][0]], other.corners[_OPPOSITE[side][1]])
            if top[0] > bottom[0] or top[1] > bottom[1]:
                low = (min(top[0], bottom[0]), min(top[1], bottom[1]))
                inside = tile.ground == other.ground == SOLID
                edges[side, x, z] = _Edge(style.walls[SOLID if inside else tile.wall], top, low)
    return list(_merged(edges, style))


def _merged(edges: dict[tuple[str, int, int], _Edge], style: Style) -> list[tuple[Paint, Face]]:
    faces = []
    done = set()
    for side, x, z in sorted(edges, key=lambda key: (key[0], key[2], key[1])):
        if (side, x, z) in done:
            continue
        edge = edges[side, x, z]
        step = (1, 0) if side in ("north", "south") else (0, 1)
        count = 1
        if edge.top[0] == edge.top[1] and edge.bottom[0] == edge.bottom[1]:
            while edges.get((side, x + count * step[0], z + count * step[1])) == edge and (
                (x + count * step[0]) // CELL == x // CELL
                and (z + count * step[1]) // CELL == z // CELL
                and style.shade is None
                and count < (LARGEST[0] if step[0] else LARGEST[1])
            ):
                done.add((side, x + count * step[0], z + count * step[1]))
                count += 1
        faces.append((edge.paint, _wall(side, x, z, count, edge)))
    return faces


def _wall(side: str, x: int, z: int, count: int, edge: _Edge) -> Face:
    west, north = TILE * x, TILE * z
    length = TILE * count
    if side in ("north", "south"):
        line = north if side == "north" else north + TILE
        ends = ((west + length, line), (west, line)) if side == "north" else ((west, line), (west + length, line))
        start = (-(west + length) if side == "north" else west) % CELL_UNITS
    else:
        line = west if side == "west" else west + TILE
        ends = ((line, north), (line, north + length)) if side == "west" else ((line, north + length), (line, north))
        start = (north if side == "west" else -(north + length)) % CELL_UNITS
    high = max(edge.top)
    corners = []
    for (px, pz), s, top, bottom in zip(ends, (start, start + length), edge.top, edge.bottom, strict=True):
        corners.append((Corner((px, top, pz), (s, high - top)), Corner((px, bottom, pz), (s, high - bottom))))
    (left_top, left_bottom), (right_top, right_bottom) = corners
    face = [left_top, left_bottom, right_bottom, right_top]
    if left_top.position == left_bottom.position:
        del face[1]
    elif right_top.position == right_bottom.position:
        del face[2]
    return tuple(face)
