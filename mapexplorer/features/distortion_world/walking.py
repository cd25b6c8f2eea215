"""A floor of the Distortion World under a player who walks: where they stand, and what a press, a step and a push do.

Positions of `Feature` are those of the floor's map; inside they are those of the space of all floors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

from formats.fixed import Vector, moved
from mapexplorer.features.distortion_world import events, platforms
from mapexplorer.features.distortion_world.boulders import after_fall, fall_at, falling
from mapexplorer.features.distortion_world.commands import JUMP, DistortionEvent, MovePlatform
from mapexplorer.features.distortion_world.commands import Tile as SpaceTile
from mapexplorer.features.distortion_world.files import NO_FILES, DistortionFiles
from mapexplorer.features.distortion_world.floors import Floor, JumpPoint, Platform, pressed_from
from mapexplorer.features.distortion_world.jumps import jump
from mapexplorer.features.distortion_world.mount import Mount
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import DistortionProp
from mapexplorer.features.distortion_world.space import PlatformKind, position, tile_of
from mapexplorer.features.distortion_world.tables import (
    DistortionObject,
    DistortionTables,
    MovingPlatform,
    Teleport,
    WaterfallPassage,
)
from mapexplorer.features.feature import ChangeTick, Feature, FeatureChange
from mapexplorer.features.surface import Surface
from mapexplorer.features.values import Press, SurfaceStep
from mapexplorer.games.tables import Tables
from mapexplorer.map_objects.gait import Gait, gaits_of
from mapexplorer.world.direction import WEST, Direction
from mapexplorer.world.terrain.obstacle import obstacle
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain

Ridden = tuple[MovingPlatform, Vector]
"""A moving platform that moves, and how far it is from its place."""


class DistortionLook(NamedTuple):
    """What a walk changes on the picture: the angles of the camera (u16 index), the props in the space of all floors,
    the mount of a player who surfs."""

    angles: Vector
    props: tuple[DistortionProp, ...]
    mount: Mount | None = None


@dataclass(frozen=True)
class WalkedFloor(Feature):
    """A floor and the player on it."""

    kept: ClassVar[bool] = True
    has_surfaces: ClassVar[bool] = True

    table: DistortionTables = field(compare=False, repr=False)
    """The constants of the Distortion World."""
    progress: DistortionState
    """The state of the story."""
    chosen: str | None = None
    """The name of the spot where a visit begins, None for any on the land."""
    files: DistortionFiles = field(default=NO_FILES, compare=False, repr=False)
    """What files say about the floors."""
    platform: int | None = None
    """The number of the platform that the player stands on, None: they stand on the land."""
    boulders: tuple[tuple[int, int, Vector], ...] = ()
    """(header, local id, position) of those that were pushed."""
    ridden: Ridden | None = None
    """The platform that moves now, None: none does."""
    look: DistortionLook | None = None
    """What a walk has changed on the picture, None for a visit that begins."""

    @property
    def floor(self) -> Floor | None:
        """The floor in the files; None before `with_files`, and in a ROM without it."""
        return self.files.floors.get(self.header)

    @property
    def _tables(self) -> Tables:
        """The tables of the game, once the files are known."""
        assert self.files.tables is not None
        return self.files.tables

    # --- positions

    @property
    def origin(self) -> Vector:
        x, y, z = (0, 0, 0) if self.floor is None else self.floor.offset
        return x * TILE_LENGTH, y * TILE_LENGTH, z * TILE_LENGTH

    def on_map(self, at: Vector) -> Vector:
        """A position on the map of the floor."""
        return moved(at, self.origin, -1)

    def in_space(self, x: int, z: int, y: int) -> Vector:
        """The position of the centre of a map's tile at a height."""
        return moved(position((x, 0, z)), moved(self.origin, (0, y, 0)))

    # --- where the player stands

    @property
    def _platform(self) -> Platform | None:
        return None if self.platform is None or self.floor is None else self.floor.platforms[self.platform]

    @property
    def surface(self) -> Surface:
        platform = self._platform
        return Surface.LAND if platform is None else platform.kind.surface

    def levels(self, ground: Terrain, x: int, z: int) -> list[tuple[int, Self]]:
        on_land = replace(self, platform=None, chosen=None, look=None)
        levels = super(WalkedFloor, on_land).levels(ground, x, z)
        for platform in () if self.floor is None else self.floor.platforms:
            for y in range(platform.box.y, platform.box.y + platform.box.size_y + 1):
                level = y * TILE_LENGTH - self.origin[1]
                if not platforms.collides(platform, tile_of(self.in_space(x, z, level))):
                    levels.append((level, replace(on_land, platform=platform.number)))
        return levels or [(TILE_LENGTH, on_land)]

    def behaviour(self, x: int, z: int, y: int) -> int:
        platform = self._platform
        return 0 if platform is None else platforms.behaviour(platform, tile_of(self.in_space(x, z, y))) or 0

    def step(self, press: Press) -> SurfaceStep:
        """On a floor a refused step onto a tile outside the platform is tested again on the first floor that contains
        the tile."""
        platform, floor, direction = self._platform, self.floor, press.direction
        if platform is None or floor is None:
            return SurfaceStep(True)
        target = self.surface.ahead(tile_of(self.in_space(press.x, press.z, press.y)), direction)
        groups = self._tables.behaviour_groups
        step = platforms.collision(groups, platform, target, direction)
        if step.blocked and platform.kind is PlatformKind.FLOOR and target not in platform.box:
            other = platforms.find_platform(floor.platforms, target, platform.kind)
            if other is not None:
                step = platforms.collision(groups, other, target, direction)
        return step

    def arrived(self, x: int, z: int, y: int) -> Self:
        platform, floor = self._platform, self.floor
        tile = tile_of(self.in_space(x, z, y))
        if platform is None or floor is None or tile in platform.box:
            return self
        other = platforms.find_platform(floor.platforms, tile, platform.kind)
        return self if other is None else replace(self, platform=other.number)

    def standing(self, x: int, z: int, y: int) -> dict[str, Any]:
        space_tile = list(tile_of(self.in_space(x, z, y)))
        return {"space_tile": space_tile, "on": self.surface.words, "platform": self.platform}

    def with_state(self, other: Feature) -> Feature:
        """A value that a walk has changed is not chosen by a person."""
        if not isinstance(other, WalkedFloor) or other.look is not None:
            return self
        return replace(self, progress=other.progress)

    def in_search(self, first: Self) -> Self:
        return replace(self, progress=replace(first.progress, platform_flags=self.progress.platform_flags))

    # --- what bars the way

    def occupied(self, x: int, z: int) -> bool:
        east, _, south = tile_of(self.in_space(x, z, 0))
        return (self.header, east, south) in self.table.closed_tiles

    def inhabited(self, tile: Vector) -> bool:
        return self._object_on(tile_of(moved(position(tile), self.origin))) is not None

    def _object_on(self, tile: SpaceTile) -> DistortionObject | None:
        """The person or boulder on a tile in the space of all floors."""
        objects = events.objects(self.table, self.header, self.progress)
        return next((each for each in objects if self._height_tile(each) == tile), None)

    def _height_tile(self, each: DistortionObject) -> tuple[int, float, int]:
        """The tile of an object, its height perhaps with a fraction."""
        at = self.pushed_to(each.local_id)
        if at is None:
            return each.x, each.y, each.z
        return at[0] // TILE_LENGTH, at[1] / TILE_LENGTH, at[2] // TILE_LENGTH

    def pushed_to(self, local_id: int) -> Vector | None:
        """The position of a boulder that was pushed."""
        here = (self.header, local_id)
        return next((at for header, number, at in self.boulders if (header, number) == here), None)

    # --- presses and steps

    def departure(self, press: Press) -> FeatureChange | None:
        floor = self.floor
        if floor is None:
            return None
        tile = tile_of(self.in_space(press.x, press.z, press.y))
        point = pressed_from(floor.jump_points, tile, press.direction)
        if point is not None:
            return self._jump_point(point, tile)
        if press.surfing:
            passage = events.waterfall_at(self.table, self.header, self.surface, tile, press.direction)
            if passage is not None:
                return self._waterfall(passage, tile)
        teleport = events.teleport_at(self.table, self.header, tile, press.direction, self.progress)
        return None if teleport is None else self._teleport(teleport)

    def stepped(self, x: int, z: int, y: int) -> FeatureChange | None:
        at = self.in_space(x, z, y)
        elevator = events.elevator_at(self.table, self.header, tile_of(at), self.progress)
        if elevator is not None:
            return self._ride(elevator, elevator.path, at)
        event = events.event_at(self.table, self.header, tile_of(at), self.progress)
        return None if event is None else self._event(event, at)

    def pressed(self, press: Press) -> FeatureChange | None:
        """A player on the land pushes a boulder a tile further, onto free land or onto a fall."""
        here = Surface.LAND.ahead(tile_of(self.in_space(press.x, press.z, press.y)), press.direction)
        boulder = self._object_on(here)
        if boulder is None or not press.strong or self.surface is not Surface.LAND:
            return None
        graphics = self._tables.map_object_graphics.get(boulder.graphics)
        if graphics is None or not graphics.pushed:
            return None
        there = Surface.LAND.ahead(here, press.direction)
        fall = fall_at(self.table, self.header, there)
        x, y, z = self.on_map(position(here))
        tile = x // TILE_LENGTH, z // TILE_LENGTH
        blocked = self._object_on(there) is not None or obstacle(press.ground, *tile, y, press.direction) is not None
        if fall is None and blocked:
            return None
        way = list(_straight(position(here), Surface.LAND, gaits_of(self._tables).slow, press.direction))
        after = self._with_boulder(boulder, way[-1])
        then = None
        if fall is not None:
            *down, end = falling(self.table, fall, self.progress, boulder.local_id, way[-1], press.direction)
            way += down
            below = (fall.floor, boulder.local_id, end) if fall.floor == self.table.below(self.header) else None
            progress = after_fall(self.table, fall, self.progress, boulder.local_id)
            fallen = replace(self._with_boulder(boulder, None, below), progress=progress)
            moments = (ChangeTick(fallen, gait="push"),)
            then = FeatureChange("boulder", "The boulder has fallen.", fallen, lambda: moments, {"header": self.header})
        return FeatureChange(
            "push",
            "Pushes the boulder.",
            after,
            lambda: (ChangeTick(self._with_boulder(boulder, at), gait="push") for at in way),
            {"object": boulder.local_id, "direction": press.direction.word},
            event="boulder",
            then=then,
        )

    def _with_boulder(
        self, boulder: DistortionObject, at: Vector | None, below: tuple[int, int, Vector] | None = None
    ) -> Self:
        """The floor with a boulder at a position, or without it and perhaps with one on the floor below."""
        kept = [each for each in self.boulders if each[:2] != (self.header, boulder.local_id)]
        kept += [] if at is None else [(self.header, boulder.local_id, at)]
        return replace(self, boulders=(*kept, *(() if below is None else (below,))))

    # --- changes

    def _on(self, header: int, platform: int | None = None) -> Self:
        """The player on another floor, where the game creates the objects anew of all floors but this and the next."""
        loaded = (header, self.table.below(header))
        boulders = tuple(each for each in self.boulders if each[0] in loaded)
        return replace(self, header=header, platform=platform, boulders=boulders)

    def _change(
        self,
        kind: str,
        after: WalkedFloor,
        end: Vector,
        moments: Callable[[], Iterable[ChangeTick]],
        sentence: str = "",
        **more: Any,
    ) -> FeatureChange:
        """A change that ends at a position. Another floor or surface is told instead of the sentence."""
        if after.header != self.header:
            sentence = f"Goes by {kind} to {self.files.titles[after.header]}."
        elif after.surface is not self.surface:
            sentence = f"Goes onto {after.surface.words}."
        x, y, z = after.on_map(end)
        values = {"header": after.header, "tile": list(tile_of(end))}
        return FeatureChange(kind, sentence, after, moments, values, (x // TILE_LENGTH, z // TILE_LENGTH, y), **more)

    def _jump_point(self, point: JumpPoint, tile: SpaceTile) -> FeatureChange:
        after = replace(self, platform=point.platform)
        curve = gaits_of(self._tables).ledge_curve
        end = position(moved(tile, point.tiles))

        def moments() -> Iterator[ChangeTick]:
            for at, hop, turn in jump(point, tile, curve):
                yield ChangeTick(self, self.on_map(at), hop, turn, "jump point")

        return self._change("jump point", after, end, moments, facing=point.facing)

    def _waterfall(self, passage: WaterfallPassage, tile: SpaceTile) -> FeatureChange:
        surface, slow = passage.to_state, gaits_of(self._tables).slow
        top = (passage.to_x, passage.to_y, tile[2])
        end = surface.ahead(top, WEST, passage.steps_west)
        there = self.files.floors[passage.to_header].platforms
        kind = next(kind for kind in PlatformKind if kind.surface is surface)
        platform = None if kind is PlatformKind.LAND else platforms.find_platform(there, end, kind)
        after = self._on(passage.to_header, None if platform is None else platform.number)

        def moments() -> Iterator[ChangeTick]:
            for step in range(passage.steps_west):
                for at in _straight(position(surface.ahead(top, WEST, step)), surface, slow, WEST):
                    yield ChangeTick(after, after.on_map(at), gait="waterfall")

        return self._change("waterfall", after, position(end), moments, facing=WEST)

    def _teleport(self, teleport: Teleport) -> FeatureChange:
        after = self._on(teleport.to_header)
        x, z, direction = self.table.arrivals[teleport.to_header]
        end = position((x, self.files.floors[teleport.to_header].offset[1] + 1, z))
        facing = Direction(direction)
        moments = (ChangeTick(after, after.on_map(end)),)
        return self._change("teleport", after, end, lambda: moments, facing=facing, warps=True)

    def _ride(
        self, elevator: MovingPlatform, path_number: int | None, start: Vector, ridden: int = 0
    ) -> FeatureChange | None:
        """The rides of an elevator, one for each floor that it goes by; the last one sets the flags. `ridden`: its way
        before this ride."""
        if self.floor is None or path_number is None:
            return None
        path = self.table.elevator_paths[path_number]
        below, above = self.table.links[self.header]
        header = below if elevator.ride == "down" else above
        if header is None:
            return None
        there = self._on(header, self.platform)
        after = there if path.next is not None else replace(there, progress=self.progress.after_ride(path))
        whole = path.tiles * TILE_LENGTH

        def moments() -> Iterator[ChangeTick]:
            for tick in range(1, abs(whole) // abs(path.speed) + 1):
                way = path.speed * tick
                present = there if abs(way) >= abs(path.change_after) * TILE_LENGTH else self
                at = present.on_map(moved(start, (0, way, 0)))
                yield ChangeTick(replace(present, ridden=(elevator, (0, ridden + way, 0))), at)

        end = moved(start, (0, whole, 0))
        return self._change("elevator", after, end, moments, then=after._ride(elevator, path.next, end, ridden + whole))

    def _event(self, event: DistortionEvent, at: Vector) -> FeatureChange:
        """The movements of an event's commands; the last one has the state after the event."""
        progress = events.after_event(self.progress, event)
        changes: list[FeatureChange] = []
        here: WalkedFloor = self
        displaced: dict[int, Vector] = {}
        for command in event.commands:
            if isinstance(command, MovePlatform):
                here, at, change = here._platform_moved(command, displaced, at)
            elif command.kind == JUMP:
                here, at, change = here._event_jump(Direction(*command.values), at)
            else:
                continue
            changes.append(change)
        if not changes:
            return self._change("event", replace(self, progress=progress), at, lambda: (), "The story goes on.")
        then = replace(changes.pop(), after=replace(here, progress=progress))
        for change in reversed(changes):
            then = replace(change, then=then)
        return then

    def _platform_moved(
        self, command: MovePlatform, displaced: dict[int, Vector], start: Vector
    ) -> tuple[Self, Vector, FeatureChange]:
        """A platform that moves in an event; `displaced`: by how much the platforms of the event have moved."""
        speed = command.speed
        platform = next(known for known in self.table.moving_platforms[self.header] if known.number == command.number)
        ticks = max(map(abs, command.tiles)) * TILE_LENGTH // max(map(abs, speed))
        first = displaced.get(command.number, (0, 0, 0))
        displaced[command.number] = moved(first, speed, ticks)
        after, end = self._on_tile(moved(tile_of(start), command.tiles)) if command.carried else (self, start)

        def moments() -> Iterator[ChangeTick]:
            for tick in range(1, ticks + 1):
                at = moved(start, speed, tick) if command.carried else start
                yield ChangeTick(replace(self, ridden=(platform, moved(first, speed, tick))), self.on_map(at))

        return after, end, self._change("moving platform", after, end, moments, "Rides a moving platform.")

    def _event_jump(self, direction: Direction, start: Vector) -> tuple[Self, Vector, FeatureChange]:
        gait, surface = gaits_of(self._tables).double_ledge_jump, self.surface
        after, end = self._on_tile(surface.ahead(tile_of(start), direction, gait.tiles))

        def moments() -> Iterator[ChangeTick]:
            for at, height in zip(_straight(start, surface, gait, direction), gait.heights, strict=True):
                yield ChangeTick(self, self.on_map(at), (0, height, 0), gait=gait.name)

        return after, end, self._change(gait.name, after, end, moments)

    def _on_tile(self, tile: SpaceTile) -> tuple[Self, Vector]:
        """The player on the floor platform at a tile, else on the land; and their position."""
        known = () if self.floor is None else self.floor.platforms
        platform = platforms.find_platform(known, tile, PlatformKind.FLOOR)
        return replace(self, platform=None if platform is None else platform.number), position(tile)


def _straight(start: Vector, surface: Surface, gait: Gait, direction: Direction) -> Iterator[Vector]:
    """The positions of a movement in a straight line on a surface."""
    at = start
    for units in gait.steps:
        at = moved(at, surface.deltas[direction], units)
        yield at
