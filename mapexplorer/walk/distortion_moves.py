"""The movements of a player in the Distortion World: what a press leads to, and its ticks.

On the land the rules of walking decide, with coordinates relative to the floor; on platforms those of
`features.distortion_world`. People and boulders do not block here. Tiles and units are those of the space of all
floors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from formats.fixed import Vector
from mapexplorer.features import entered
from mapexplorer.features.distortion_world import events, platforms
from mapexplorer.features.distortion_world.feature import DistortionWorld
from mapexplorer.features.distortion_world.files import distortion_files
from mapexplorer.features.distortion_world.floors import Floor, JumpPoint
from mapexplorer.features.distortion_world.jumps import jump
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.space import (
    DELTAS,
    STATE_ON,
    AvatarState,
    PlatformKind,
    ahead,
    moved,
)
from mapexplorer.games.distortion_events import DistortionEvent, Jump, MovePlatform, Tile
from mapexplorer.games.distortion_tables import ElevatorPath, MovingPlatform, Teleport, WaterfallPassage
from mapexplorer.walk import rules
from mapexplorer.walk.gait import Gait, Mode, gaits_of
from mapexplorer.walk.ground import Grounds
from mapexplorer.walk.rules import Move
from mapexplorer.world.direction import WEST, Direction
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.obstacle import StepRule
from mapexplorer.world.save import Save
from mapexplorer.world.terrain import TILE_LENGTH, centre

TELEPORT: Final = "teleport"
"""The kind of a movement to the arrival of another floor."""

_NO_PLATFORM: Final = -1


class DistortionStanding(NamedTuple):
    """Where the player stands: floor, what they stand on, number of the platform (-1: the land), tile, fx32 height,
    whether they surf."""

    header: int
    avatar: AvatarState
    platform: int
    x: int
    z: int
    height: int
    surfing: bool = False

    @property
    def y(self) -> int:
        """The height in whole tiles."""
        return self.height // TILE_LENGTH

    @property
    def tile(self) -> Tile:
        """The tile with its height."""
        return self.x, self.y, self.z

    @property
    def position(self) -> Vector:
        """The fx32 position."""
        return centre(self.x), self.height, centre(self.z)


class DistortionTick(NamedTuple):
    """A tick of a movement: present floor, fx32 position and offset of the player's sprite, its turn in degrees since
    the start of the movement, a platform that moves with it and how far it is from its place."""

    header: int
    position: Vector
    hop: Vector = (0, 0, 0)
    sprite_turn: float = 0
    platform: MovingPlatform | None = None
    platform_moved: Vector = (0, 0, 0)


@dataclass(frozen=True)
class Movement:
    """A movement: its kind, where it ends, the state and the facing afterwards (None: unchanged), its ticks, and the
    event that ends with it."""

    kind: str
    end: DistortionStanding
    state: DistortionState
    ticks: Callable[[], Iterator[DistortionTick]]
    facing: Direction | None = None
    event: DistortionEvent | None = None


class DistortionMoves:
    """The movements on the floors of a ROM."""

    def __init__(self, world: WorldFiles, grounds: Grounds | None = None) -> None:
        """Raises FormatError for damaged files, RomError for absent ones."""
        self.tables = world.game.tables.distortion_world
        self.gaits = gaits_of(world.game.tables)
        self._groups = world.game.tables.behaviour_groups
        self._land_gaits = {
            Move.LEDGE: self.gaits.ledge_jump,
            Move.DOUBLE_LEDGE: self.gaits.double_ledge_jump,
            Move.ASHORE: self.gaits.shore_hop,
        }
        files = distortion_files(world)
        self.files = files
        self.floors, self.obstacle_frames = files.floors, files.obstacle_frames
        self._grounds = Grounds(world) if grounds is None else grounds

    def arrival(self, header: int) -> DistortionStanding:
        """Where the player stands when a floor is entered from outside. Raises KeyError for a floor that is not."""
        there = self.tables.arrivals[header]
        tile = (there.x, self.floors[header].offset[1] + 1, there.z)
        return _on_tile(header, tile, PlatformKind.LAND, _NO_PLATFORM, False)

    def start(
        self, save: Save, header: int, x: int, z: int, near: int | None = None
    ) -> tuple[DistortionStanding, DistortionState, Vector]:
        """Where a walk begins on tile (x, z) of a floor's map, nearest to height `near` on it (fx32; None: that of the
        spot that the save names, if it is on this tile), the state of the floor, and the angles of the camera: those of
        this spot, if it begins there, else zeros."""
        feature = entered(save, header)
        assert isinstance(feature, DistortionWorld)
        feature = replace(feature, files=self.files)
        spot = feature.spot
        if near is None and spot is not None and (spot.x, spot.z) == (x, z):
            near = spot.height
        west, up, north = self.floors[header].offset
        height = None if near is None else near + up * TILE_LENGTH
        standing = self.standing_at(header, x + west, z + north, height)
        there = spot is not None and (spot.x, spot.z, spot.height) == (x, z, standing.height - up * TILE_LENGTH)
        return standing, feature.progress, feature.angles if there else (0, 0, 0)

    def standing_at(self, header: int, x: int, z: int, near: int | None = None) -> DistortionStanding:
        """Where the player stands at (x, z): on the land or a free tile of a platform, whichever is nearest to a
        height (fx32); without one on the highest land, else on the first platform there."""
        floor = self.floors[header]
        west, up, north = floor.offset
        ground = self._grounds.entered(header)
        water = ground.behaviour(x - west, z - north) in self._groups.surfable
        found = [
            DistortionStanding(header, AvatarState.LAND, _NO_PLATFORM, x, z, level + up * TILE_LENGTH, water)
            for level in ground.levels(x - west, z - north)
        ]
        for platform in floor.platforms:
            for y in range(platform.box.y, platform.box.y + platform.box.size_y + 1):
                if (x, y, z) in platform.box and not platforms.collides(platform, (x, y, z)):
                    water = platforms.behaviour(platform, (x, y, z)) in self._groups.surfable
                    found.append(_on_tile(header, (x, y, z), platform.kind, platform.number, water))
        if not found:
            return _on_tile(header, (x, up + 1, z), PlatformKind.LAND, _NO_PLATFORM, False)
        return found[0] if near is None else min(found, key=lambda one: abs(one.height - near))

    def press(
        self,
        start: DistortionStanding,
        direction: Direction,
        state: DistortionState,
        *,
        surf: bool = False,
        running: bool = False,
    ) -> tuple[Movement, ...]:
        """What pressing a direction leads to, one movement after the other; nothing when the step is refused. `surf`:
        begin to surf on water; `running`: the run button is held."""
        floor = self.floors[start.header]
        number = floor.jump_point(start.tile, direction)
        if number is not None:
            return (self._jump_point(start, floor.jump_points[number], state),)
        if start.surfing:
            passage = events.waterfall_at(self.tables, start.header, start.avatar, start.tile, direction)
            if passage is not None:
                return (self._waterfall(start, passage, state),)
        teleport = events.teleport_at(self.tables, start.header, start.tile, direction, state)
        if teleport is not None:
            return (self._teleport(teleport, state),)
        if start.avatar is AvatarState.LAND:
            step = self._land_step(start, floor, direction, state, surf, running)
        else:
            step = self._platform_step(start, floor, direction, state, surf, running)
        return () if step is None else (step, *self._after_step(step))

    # --- steps

    def _land_step(
        self,
        start: DistortionStanding,
        floor: Floor,
        direction: Direction,
        state: DistortionState,
        surf: bool,
        running: bool,
    ) -> Movement | None:
        x, y, z = floor.offset
        ground = self._grounds.entered(floor.header)
        here = rules.Standing(
            start.x - x, start.z - z, start.height - y * TILE_LENGTH, mode=Mode.SURF if start.surfing else Mode.FOOT
        )
        move, rule = rules.decide(ground, here, direction)
        target = ahead(start.tile, AvatarState.LAND, direction)
        if (floor.header, target[0], target[2]) in self.tables.closed_tiles:
            return None
        surfing = start.surfing
        if rule is StepRule.WATER and surf:
            gait, surfing = self.gaits.shore_hop, True
        elif rule is not None:
            return None
        elif move is Move.STEP:
            gait = self.gaits.step(here.mode, here.gear, here.speed, running, ground.behaviour(here.x, here.z))
        else:
            gait = self._land_gaits[move]
            surfing = surfing and move is not Move.ASHORE
        end_x, _, end_z = ahead(start.tile, AvatarState.LAND, direction, gait.tiles)
        height = rules.settle(ground, here, direction, gait) + y * TILE_LENGTH
        end = start._replace(x=end_x, z=end_z, height=height, surfing=surfing)

        def heights() -> list[int]:
            return [each + y * TILE_LENGTH for each in rules.heights(ground, here, direction, gait)]

        return Movement(gait.name, end, state, partial(_straight, start, gait, direction, heights))

    def _platform_step(
        self,
        start: DistortionStanding,
        floor: Floor,
        direction: Direction,
        state: DistortionState,
        surf: bool,
        running: bool,
    ) -> Movement | None:
        bits, target, platform = platforms.step(
            self._groups, floor.platforms, floor.platforms[start.platform], start.tile, direction
        )
        if bits & platforms.BLOCKED:
            return None
        surfing = bool(bits & platforms.WATER)
        if surfing and not start.surfing and not surf:
            return None
        gait = self.gaits.run if running and not surfing else self.gaits.walk
        if surfing != start.surfing:
            gait = self.gaits.shore_hop
        if bits & platforms.DOUBLE_LEDGE:
            gait = self.gaits.double_ledge_jump
            target = ahead(start.tile, start.avatar, direction, gait.tiles)
            platform = platforms.find_platform(floor.platforms, target, platform.kind) or platform
        end = _on_tile(start.header, target, platform.kind, platform.number, surfing)
        return Movement(gait.name, end, state, partial(_straight, start, gait, direction))

    def _jump_point(self, start: DistortionStanding, point: JumpPoint, state: DistortionState) -> Movement:
        number = _NO_PLATFORM if point.platform is None else point.platform
        end = _on_tile(start.header, moved(start.tile, point.tiles), point.kind, number, start.surfing)

        def ticks() -> Iterator[DistortionTick]:
            for tick in jump(point, start.tile, point.direction, self.gaits.ledge_curve):
                yield DistortionTick(start.header, tick.position, tick.hop, tick.sprite_turn)

        return Movement("jump point", end, state, ticks, point.facing)

    # --- after a step

    def _after_step(self, step: Movement) -> tuple[Movement, ...]:
        elevator = events.elevator_at(self.tables, step.end.header, step.end.tile, step.state)
        if elevator is not None:
            return tuple(self._ride(step, elevator))
        event = events.event_at(self.tables, step.end.header, step.end.tile, step.state)
        return () if event is None else tuple(self._event(step, event))

    def _ride(self, step: Movement, elevator: MovingPlatform) -> Iterator[Movement]:
        """The rides of an elevator, one for each floor that it goes by."""
        start, state = step.end, step.state
        number: int | None = elevator.path
        ridden = 0
        while number is not None:
            path = self.tables.elevator_paths[number]
            floor = self.floors[start.header]
            header = floor.next if elevator.ride == "down" else floor.previous
            if header is None:
                return
            end = start._replace(header=header, height=start.height + path.tiles * TILE_LENGTH)
            state = state.after_ride(path)
            yield Movement("elevator", end, state, partial(_ridden, start, header, path, elevator, ridden))
            start, number, ridden = end, path.next, ridden + path.tiles * TILE_LENGTH

    def _event(self, step: Movement, event: DistortionEvent) -> Iterator[Movement]:
        """The movements of an event's commands; the last one has the state after the event."""
        start, before = step.end, step.state
        after = events.after_event(before, event)
        found: list[Movement] = []
        displaced: dict[int, Vector] = {}
        for command in event.commands:
            if isinstance(command, MovePlatform):
                movement = self._moved_platform(start, before, command, displaced)
            elif isinstance(command, Jump):
                gait = self.gaits.double_ledge_jump
                direction = Direction(command.direction)
                end = self._after_event(start, ahead(start.tile, start.avatar, direction, gait.tiles))
                movement = Movement(gait.name, end, before, partial(_straight, start, gait, direction))
            else:
                continue
            found.append(movement)
            start = movement.end
        if not found:
            found.append(Movement("event", start, after, partial(iter, ())))
        yield from found[:-1]
        yield replace(found[-1], state=after, event=event)

    def _moved_platform(
        self, start: DistortionStanding, state: DistortionState, command: MovePlatform, displaced: dict[int, Vector]
    ) -> Movement:
        """A platform that moves in an event; `displaced`: by how much the platforms of the event have moved."""
        speed = command.speed
        platform = next(one for one in self.tables.moving_platforms[start.header] if one.number == command.number)
        count = max(map(abs, command.tiles)) * TILE_LENGTH // max(map(abs, speed))
        first = displaced.get(command.number, (0, 0, 0))
        displaced[command.number] = moved(first, speed, count)
        end = self._after_event(start, moved(start.tile, command.tiles)) if command.carried else start

        def ticks() -> Iterator[DistortionTick]:
            for tick in range(1, count + 1):
                at = moved(start.position, speed, tick) if command.carried else start.position
                way = moved(first, speed, tick)
                yield DistortionTick(start.header, at, platform=platform, platform_moved=way)

        return Movement("moving platform", end, state, ticks)

    def _after_event(self, start: DistortionStanding, tile: Tile) -> DistortionStanding:
        """On the floor platform at a tile, else on the land."""
        found = platforms.find_platform(self.floors[start.header].platforms, tile, PlatformKind.FLOOR)
        if found is None:
            return _on_tile(start.header, tile, PlatformKind.LAND, _NO_PLATFORM, False)
        return _on_tile(start.header, tile, found.kind, found.number, False)

    # --- to other floors

    def _waterfall(self, start: DistortionStanding, passage: WaterfallPassage, state: DistortionState) -> Movement:
        avatar = AvatarState(passage.to_state)
        top = (passage.to_x, passage.to_y, start.z)
        tile = ahead(top, avatar, WEST, passage.steps_west)
        kind = next(kind for kind, on_it in STATE_ON.items() if on_it is avatar)
        floor = self.floors[passage.to_header]
        platform = None if kind is PlatformKind.LAND else platforms.find_platform(floor.platforms, tile, kind)
        number = _NO_PLATFORM if platform is None else platform.number
        end = _on_tile(passage.to_header, tile, kind, number, True)
        first = _on_tile(passage.to_header, top, kind, number, True)

        def ticks() -> Iterator[DistortionTick]:
            here = first
            for _ in range(passage.steps_west):
                yield from _straight(here, self.gaits.slow, WEST)
                x, y, z = ahead(here.tile, avatar, WEST)
                here = here._replace(x=x, height=y * TILE_LENGTH, z=z)

        return Movement("waterfall", end, state, ticks, WEST)

    def _teleport(self, teleport: Teleport, state: DistortionState) -> Movement:
        end = self.arrival(teleport.to_header)
        facing = Direction(self.tables.arrivals[teleport.to_header].direction)
        return Movement(TELEPORT, end, state, partial(iter, ()), facing)


def _on_tile(header: int, tile: Tile, kind: PlatformKind, platform: int, surfing: bool) -> DistortionStanding:
    x, y, z = tile
    return DistortionStanding(header, STATE_ON[kind], platform, x, z, y * TILE_LENGTH, surfing)


def _straight(
    start: DistortionStanding,
    gait: Gait,
    direction: Direction,
    heights: Callable[[], list[int]] | None = None,
) -> Iterator[DistortionTick]:
    """The ticks of a movement in a straight line. `heights`: those of the land after each tick."""
    delta = DELTAS[start.avatar][direction]
    at = start.position
    known = heights() if heights is not None else None
    for tick, units in enumerate(gait.steps):
        at = moved(at, delta, units)
        if known is not None:
            at = at[0], known[tick], at[2]
        hop = gait.heights[tick] if gait.heights else 0
        yield DistortionTick(start.header, at, (0, hop, 0))


def _ridden(
    start: DistortionStanding, header: int, path: ElevatorPath, elevator: MovingPlatform, ridden: int
) -> Iterator[DistortionTick]:
    """The ticks of a ride, from the moment when the elevator moves. `ridden`: its way before this path."""
    change = abs(path.change_after) * TILE_LENGTH
    for tick in range(1, abs(path.tiles) * TILE_LENGTH // abs(path.speed) + 1):
        way = path.speed * tick
        present = header if abs(way) >= change else start.header
        at = moved(start.position, (0, way, 0))
        yield DistortionTick(present, at, platform=elevator, platform_moved=(0, ridden + way, 0))
