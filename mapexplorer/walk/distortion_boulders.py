"""The boulders of the Distortion World in a walk: where the player has pushed them, and pushing one.

Tiles and positions are those of the space of all floors. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.fixed import Vector
from mapexplorer.features.distortion_world.boulders import after_fall, fall_at, falling
from mapexplorer.features.distortion_world.events import objects
from mapexplorer.features.distortion_world.files import distortion_files
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.space import DELTAS, AvatarState, ahead, moved, position
from mapexplorer.games.distortion_events import Tile
from mapexplorer.games.distortion_tables import DistortionObject
from mapexplorer.walk.gait import gaits_of
from mapexplorer.walk.ground import Grounds
from mapexplorer.world.direction import Direction
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.obstacle import obstacle
from mapexplorer.world.terrain import TILE_LENGTH


class DistortionBoulders:
    """The people and boulders of the floors where they are now.

    A boulder is where it was pushed as long as the game has it loaded: on the present floor and on the one below.
    """

    def __init__(self, world: WorldFiles, grounds: Grounds) -> None:
        """Raises FormatError, RomError."""
        game = world.game.tables
        self._tables = game.distortion_world
        self._graphics = game.map_object_graphics
        self._push = gaits_of(game).slow
        self._floors = distortion_files(world).floors
        self._grounds = grounds
        self._positions: dict[tuple[int, int], Vector] = {}

    def positions(self, header: int) -> tuple[tuple[int, Vector], ...]:
        """The local ids and fx32 positions of the boulders of a floor that were pushed."""
        return tuple((number, at) for (floor, number), at in self._positions.items() if floor == header)

    def enter(self, header: int) -> None:
        """The floor of a header is entered: the game creates the objects of farther ones anew."""
        loaded = (header, self._tables.links[header].next)
        self._positions = {key: at for key, at in self._positions.items() if key[0] in loaded}

    def at(self, header: int, state: DistortionState, tile: Tile) -> DistortionObject | None:
        """The person or boulder on a tile of a floor."""
        return next((each for each in objects(self._tables, header, state) if self._tile(header, each) == tile), None)

    def _tile(self, header: int, each: DistortionObject) -> tuple[int, float, int]:
        known = self._positions.get((header, each.local_id))
        if known is None:
            return each.x, each.y, each.z
        return known[0] // TILE_LENGTH, known[1] / TILE_LENGTH, known[2] // TILE_LENGTH

    def can_push(self, header: int, state: DistortionState, each: DistortionObject, direction: Direction) -> bool:
        """Whether a thing on the land is a boulder that goes a tile further: onto free land or onto a fall."""
        graphics = self._graphics.get(each.graphics)
        if graphics is None or not graphics.pushed:
            return False
        here = self._whole_tile(header, each)
        there = ahead(here, AvatarState.LAND, direction)
        if fall_at(self._tables, header, there) is not None:
            return True
        if self.at(header, state, there) is not None:
            return False
        x, y, z = moved(here, self._floors[header].offset, -1)
        return obstacle(self._grounds.entered(header), x, z, y * TILE_LENGTH, direction) is None

    def _whole_tile(self, header: int, each: DistortionObject) -> Tile:
        x, y, z = self._tile(header, each)
        return x, int(y), z

    def push(
        self, header: int, state: DistortionState, each: DistortionObject, direction: Direction
    ) -> Iterator[DistortionState]:
        """Push a boulder of a floor one tile; the state after each tick, until it lies still."""
        key = (header, each.local_id)
        here = self._whole_tile(header, each)
        start, delta = position(here), DELTAS[AvatarState.LAND][direction]
        done = 0
        for units in self._push.steps:
            done += units
            self._positions[key] = moved(start, delta, done)
            yield state
        fall = fall_at(self._tables, header, ahead(here, AvatarState.LAND, direction))
        if fall is None:
            return
        *way, end = falling(self._tables, fall, state, each.local_id, self._positions[key], direction)
        for at in way:
            self._positions[key] = at
            yield state
        del self._positions[key]
        if fall.floor == self._tables.links[header].next:
            self._positions[fall.floor, each.local_id] = end
        yield after_fall(self._tables, fall, state, each.local_id)
