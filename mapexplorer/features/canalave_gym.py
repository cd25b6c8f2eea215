"""The gym of Canalave City: four floors in one map, and platforms that carry the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from formats.fixed import Vector
from mapexplorer.features.feature import ChangeTick, Feature, FeatureChange, whole_number
from mapexplorer.features.values import FeatureConditions, FeatureTable, Grid, RunTimeProp, StateChoice, Tile, steps
from mapexplorer.games.field_tables import CameraType, FogRegisters
from mapexplorer.games.reading import Fx32, Fx32Vector
from mapexplorer.grouping import by_key
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain, centre

_X, _Y, _Z = range(3)
_WORDS = (("west", "east"), ("down", "up"), ("north", "south"))


def _on_tile(tile: Sequence[int]) -> Vector:
    """The centre of a tile at a height in tiles."""
    x, y, z = tile
    return centre(x), y * TILE_LENGTH, centre(z)


class GymPlatform(NamedTuple):
    """A platform between two positions, A and B, on the centres of tiles, and the floor of each."""

    model: int
    ends: tuple[Annotated[Vector, _on_tile], Annotated[Vector, _on_tile]]
    floors: tuple[int, int]


@dataclass(frozen=True)
class CanalaveTable(FeatureTable):
    """The gym of Canalave: its floors and platforms."""

    floors: tuple[tuple[int, Fx32Vector, Fx32], ...]
    """Of each upper floor the model, the position, the height of the player from which it is drawn."""
    platforms: tuple[GymPlatform, ...]
    """The platforms by number."""
    initial: int
    """Bit i is set if platform i is at B."""
    collision: tuple[Grid, ...]
    """A grid per floor, `#` blocked."""
    floor_distance: Fx32
    """The height of a floor above the one below."""
    step: Fx32
    """The step of a lift per tick."""
    ticks_per_tile: int
    """Of a ride on a floor."""
    clip_planes: tuple[Fx32, Fx32]
    """Near and far."""
    fog: FogRegisters
    """The fog of the gym."""


@cache
def _stops(platforms: tuple[GymPlatform, ...]) -> dict[Vector, list[tuple[int, int]]]:
    """(x, y, z) in tiles -> (platform, its side there) of the platforms that stop there."""
    return by_key(
        ((x // TILE_LENGTH, y // TILE_LENGTH, z // TILE_LENGTH), (number, side))
        for number, platform in enumerate(platforms)
        for side, (x, y, z) in enumerate(platform.ends)
    )


class _Ride(NamedTuple):
    """A platform in motion: its number, position and floor."""

    platform: int
    position: Vector
    floor: int


@dataclass(frozen=True)
class CanalaveGym(Feature):
    """`at_b`: bit i is set if platform i is at its position B."""

    name: ClassVar[str] = "canalave gym"

    table: CanalaveTable = field(compare=False, repr=False)
    at_b: int
    ride: _Ride | None = None

    @classmethod
    def entered(cls, table: CanalaveTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, table.initial)

    @classmethod
    def in_state(cls, table: CanalaveTable, header: int, state: Any) -> Self:
        return cls(table, header, whole_number(cls.name, state, 1 << len(table.platforms)))

    @property
    def state(self) -> int:
        return self.at_b

    @classmethod
    def choices(cls, table: CanalaveTable, header: int) -> tuple[StateChoice, ...]:
        return (
            StateChoice("entry", "platforms as on entry", table.initial),
            StateChoice("a", "every platform at its first position", 0),
            StateChoice("b", "every platform at its second position", (1 << len(table.platforms)) - 1),
        )

    @property
    def conditions(self) -> FeatureConditions:
        return FeatureConditions(self.table.fog)

    def camera(self, camera: CameraType) -> CameraType:
        near, far = self.table.clip_planes
        return replace(camera, near=near, far=far)

    def position(self, platform: int) -> Vector:
        """Where a platform is."""
        if self.ride is not None and self.ride.platform == platform:
            return self.ride.position
        return self.table.platforms[platform].ends[self._side(platform)]

    def floor(self, platform: int) -> int:
        """The floor with which a platform is seen."""
        if self.ride is not None and self.ride.platform == platform:
            return self.ride.floor
        return self.table.platforms[platform].floors[self._side(platform)]

    def _side(self, platform: int) -> int:
        return self.at_b >> platform & 1

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        hidden = [False, *(y < shown_from for *_, shown_from in self.table.floors)]
        floors = (
            RunTimeProp(model, position, None, hidden[number])
            for number, (model, position, _) in enumerate(self.table.floors, 1)
        )
        platforms = (
            RunTimeProp(row.model, self.position(number), None, hidden[self.floor(number)])
            for number, row in enumerate(self.table.platforms)
        )
        return (*floors, *platforms)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        floors = self.table.collision
        rows = floors[min(max(y // self.table.floor_distance, 0), len(floors) - 1)]
        return rows[z][x] == "#" if 0 <= z < len(rows) and 0 <= x < len(rows[z]) else None

    def stepped(self, x: int, z: int, y: int) -> FeatureChange | None:
        stops = _stops(self.table.platforms).get((x, y // TILE_LENGTH, z), ())
        return next((self.board(number) for number, side in stops if side == self._side(number)), None)

    def board(self, platform: int) -> FeatureChange:
        """The change when the player stands on a platform: it goes to its other position."""
        ends, side = self.table.platforms[platform].ends, self._side(platform)
        start, end = ends[side], ends[1 - side]
        axis = next(axis for axis in (_X, _Y, _Z) if start[axis] != end[axis])
        word = _WORDS[axis][end[axis] > start[axis]]
        x, z = (end[axis] // TILE_LENGTH for axis in (_X, _Z))
        return FeatureChange(
            "platform",
            f"Platform {platform} goes {word}.",
            replace(self, at_b=self.at_b ^ 1 << platform),
            lambda: self._moments(platform, start, end, axis),
            {"platform": platform, "direction": word, "destination": end[axis]},
            (x, z, end[_Y]),
        )

    def _moments(self, platform: int, start: Vector, end: Vector, axis: int) -> Iterator[ChangeTick]:
        floors, side = self.table.platforms[platform].floors, self._side(platform)
        # A rising platform has its new floor when it arrives, a sinking one when it starts.
        floor = floors[0] if axis == _Y else floors[side]
        step = self.table.step if axis == _Y else TILE_LENGTH // self.table.ticks_per_tile
        after = replace(self, at_b=self.at_b ^ 1 << platform)
        yield ChangeTick(replace(after, ride=_Ride(platform, start, floor)), start)
        for value in steps(start[axis], end[axis], step):
            x, y, z = (value if number == axis else part for number, part in enumerate(start))
            ride = _Ride(platform, (x, y, z), floors[1 - side] if value == end[axis] else floor)
            yield ChangeTick(replace(after, ride=ride), (x, y, z))
        yield ChangeTick(after, end)
