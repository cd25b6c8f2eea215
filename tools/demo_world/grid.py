"""The ground of a map as a grid of tiles with corner heights: one source for terrain model and height plates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tools.demo_world.plates import Plate

K = TypeVar("K")

TILE = 16
CELL = 32
CELL_UNITS = CELL * TILE

Corners = tuple[int, int, int, int]
"""Heights of a tile's north-west, north-east, south-west and south-east corner, in units."""


@dataclass(frozen=True)
class Tile:
    """A tile: the `ground` that is painted on it, its corner heights, its attribute word, and the ground of its sides.

    `hidden` tiles draw no top; tiles that are not `solid_ground` have no height plate.
    """

    ground: str
    corners: Corners = (0, 0, 0, 0)
    attribute: int = 0
    wall: str = "cliff"
    hidden: bool = False
    solid_ground: bool = True

    @property
    def flat(self) -> bool:
        return len(set(self.corners)) == 1

    @property
    def rises(self) -> tuple[int, int]:
        """The rise eastward and southward in units. Raises ValueError for a tile that is not plane."""
        nw, ne, sw, se = self.corners
        if ne - nw != se - sw or sw - nw != se - ne:
            raise ValueError(f"a tile with the corners {self.corners} is no plane")
        return ne - nw, sw - nw


@dataclass
class Grid:
    """`width` x `height` tiles; (0, 0) is the north-west one. Tiles outside are only drawn, by the nearest cell."""

    width: int
    height: int
    tiles: dict[tuple[int, int], Tile] = field(default_factory=dict)

    @classmethod
    def drawn(cls, rows: Sequence[str], make: Callable[[str, int, int], Tile]) -> Grid:
        """A grid from lines of text, a character for each tile."""
        widths = {len(row) for row in rows}
        if len(widths) != 1:
            raise ValueError(f"the rows of a grid are equally long, not {sorted(widths)}")
        grid = cls(widths.pop(), len(rows))
        for z, row in enumerate(rows):
            for x, character in enumerate(row):
                grid.tiles[x, z] = make(character, x, z)
        return grid

    def get(self, x: int, z: int) -> Tile | None:
        return self.tiles.get((x, z))

    def cell_tiles(self, mx: int, mz: int, margin: int = 0) -> Iterator[tuple[int, int, Tile]]:
        """(x, z, tile) of the tiles of a cell, row by row; with up to `margin` tiles outside the grid."""
        west, north = CELL * mx, CELL * mz
        east, south = west + CELL, north + CELL
        for z in range(north - margin * (north == 0), south + margin * (south == self.height)):
            for x in range(west - margin * (west == 0), east + margin * (east == self.width)):
                tile = self.get(x, z)
                if tile is not None:
                    yield x, z, tile

    def plates(self, mx: int, mz: int) -> list[Plate]:
        """The height plates of a cell: tiles of one plane merged into rectangles."""
        where = {(x, z): tile for x, z, tile in self.cell_tiles(mx, mz) if tile.solid_ground}
        plane = {place: _plane(place, tile) for place, tile in where.items()}
        plates = []
        for x, z, across, down in rectangles(plane):
            tile = where[x, z]
            rise_x, rise_z = tile.rises
            west, north = TILE * (x - CELL * mx) - 256, TILE * (z - CELL * mz) - 256
            plates.append(
                Plate(west, north, west + TILE * across, north + TILE * down, tile.corners[0], rise_x, rise_z)
            )
        return plates


def _plane(place: tuple[int, int], tile: Tile) -> tuple[int, int, int]:
    """What tiles of the same plane share: rises and the height at the grid's origin."""
    rise_x, rise_z = tile.rises
    return rise_x, rise_z, tile.corners[0] - rise_x * place[0] - rise_z * place[1]


def rectangles(
    kinds: dict[tuple[int, int], K], widest: int = 1 << 20, deepest: int = 1 << 20
) -> Iterator[tuple[int, int, int, int]]:
    """Cut places of equal kind into rectangles (x, z, width, height): greedy, from the north-west."""
    left = dict(kinds)
    for x, z in sorted(kinds, key=lambda place: (place[1], place[0])):
        if (x, z) not in left:
            continue
        kind = left[x, z]
        across = 1
        while across < widest and left.get((x + across, z)) == kind and (x + across, z) in left:
            across += 1
        down = 1
        while down < deepest and all(
            (x + i, z + down) in left and left[x + i, z + down] == kind for i in range(across)
        ):
            down += 1
        for i in range(across):
            for j in range(down):
                del left[x + i, z + j]
        yield x, z, across, down
