"""The ticks of a jump between platforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.fixed import ONE, Vector, moved, truncated
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.floors import JumpPoint
from mapexplorer.features.distortion_world.space import position
from mapexplorer.world.terrain.terrain import TILE_LENGTH


def jump(point: JumpPoint, tile: Tile, curve: Sequence[int]) -> Iterator[tuple[Vector, Vector, float]]:
    """The ticks of a jump from a tile, along the height curve of a ledge in units, of which the first entry is left
    out: fx32 position, offset of the sprite, its turn in degrees since the start (in equal parts)."""
    start = position(tile)
    for tick in range(1, point.ticks + 1):
        x, y, z = (truncated(tiles * TILE_LENGTH * tick, point.ticks) for tiles in point.tiles)
        height = 0 if tick == point.ticks else curve[tick * len(curve) // point.ticks] * ONE
        hop = [0, 0, 0]
        hop[point.hop_axis] = -height if point.hop_inverted else height
        yield moved(start, (x, y, z)), (hop[0], hop[1], hop[2]), point.sprite_turn * tick / point.ticks
