"""The ticks of a jump between platforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.floors import JumpPoint
from mapexplorer.features.distortion_world.space import position
from mapexplorer.features.surface import moved
from mapexplorer.world.direction import Direction
from mapexplorer.world.terrain.terrain import TILE_LENGTH


class JumpTick(NamedTuple):
    """A tick of a jump: the tile with its height in half tiles, which follow the position when it has moved by a whole
    one; the fx32 position, the offset of the sprite, its turn in degrees since the start (in equal parts), the
    facing."""

    x: int
    half_tiles_up: int
    z: int
    position: Vector
    hop: Vector
    sprite_turn: float
    facing: Direction


def jump(point: JumpPoint, tile: Tile, facing: Direction, curve: Sequence[int]) -> Iterator[JumpTick]:
    """The ticks of a jump from a tile, along the height curve of a ledge in units, of which the first entry is left
    out. The facing changes with the last one."""
    start = position(tile)
    for tick in range(1, point.ticks + 1):
        last = tick == point.ticks
        x, y, z = (_part(tiles * TILE_LENGTH, tick, point.ticks) for tiles in point.tiles)
        height = 0 if last else curve[tick * len(curve) // point.ticks] * ONE
        hop = [0, 0, 0]
        hop[point.hop_axis] = -height if point.hop_inverted else height
        yield JumpTick(
            tile[0] + _part(point.tiles[0], tick, point.ticks),
            2 * tile[1] + _part(2 * point.tiles[1], tick, point.ticks),
            tile[2] + _part(point.tiles[2], tick, point.ticks),
            moved(start, (x, y, z)),
            (hop[0], hop[1], hop[2]),
            point.sprite_turn * tick / point.ticks,
            point.facing if last else facing,
        )


def _part(whole: int, tick: int, ticks: int) -> int:
    """The part of a way that is behind after a tick, rounded toward zero."""
    part = abs(whole) * tick // ticks
    return part if whole >= 0 else -part
