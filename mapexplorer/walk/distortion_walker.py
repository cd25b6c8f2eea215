"""A player in the Distortion World under a user's control, with the interface of `Walker`.

Its ticks have the positions of the present floor's map: those in the space of all floors without the floor's offset.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from formats.fixed import Vector
from mapexplorer.features import Feature
from mapexplorer.features.distortion_world.feature import DistortionLook, DistortionWorld
from mapexplorer.features.distortion_world.platforms import behaviour
from mapexplorer.features.distortion_world.space import AvatarState, moved
from mapexplorer.games.distortion_tables import DistortionObject
from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.camera import CameraTarget
from mapexplorer.walk.control import Controlled
from mapexplorer.walk.distortion_boulders import DistortionBoulders
from mapexplorer.walk.distortion_moves import TELEPORT, DistortionMoves, DistortionTick, Movement
from mapexplorer.walk.distortion_player import DistortionPlayer
from mapexplorer.walk.gait import Mode
from mapexplorer.walk.ground import Grounds
from mapexplorer.walk.player import HistoryEntry
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.walk.walker import Walker
from mapexplorer.world.direction import SOUTH, Direction
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.map_objects import MapObject
from mapexplorer.world.obstacle import StepRule
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.terrain import TILE_LENGTH

_CARRIED: Final = {
    "elevator": "Rides a lift.",
    "moving platform": "Rides a moving platform.",
    "event": "The story goes on.",
}
"""The kinds of movements during which the player stands."""


def in_distortion_world(world: WorldFiles, header: int) -> bool:
    """Whether the map of a header is a floor of the Distortion World."""
    return header in world.game.tables.distortion_world.links and world.distortion_floors() is not None


class DistortionWalker(Controlled):
    """A player on a floor of the Distortion World.

    `people`: the people and boulders of a floor stand in the way; a player with Strength pushes boulders. `ghost` has
    no effect. `history` stays empty: no warp leads out.
    """

    def __init__(
        self,
        world: WorldFiles,
        header: int,
        x: int,
        z: int,
        *,
        near: int | None = None,
        facing: Direction = SOUTH,
        abilities: frozenset[Ability] = ALL_ABILITIES,
        people: bool = True,
        grounds: Grounds | None = None,
        save: Save | None = None,
    ) -> None:
        """Tile and height `near` (fx32) are those of the floor's map; see `DistortionMoves.standing_at`."""
        super().__init__()
        self.world = world
        self.grounds = grounds or Grounds(world)
        self.abilities = abilities
        self.people = people
        self.ghost = False
        self.save = fresh_save(world.game) if save is None else save
        self.history: list[HistoryEntry] = []
        self.moved: tuple[MapObject, ...] = ()
        self.moved_objects: Any = None
        self.moves = DistortionMoves(world, self.grounds)
        self.boulders = DistortionBoulders(world, self.grounds)
        self._events: list[Event] = []
        self._ticks = 0
        standing, state, angles = self.moves.start(self.save, header, x, z, near)
        self.player = DistortionPlayer(self.moves, standing, state, facing)
        self.player.camera.angles = angles
        self.camera = CameraTarget(standing.position)
        self._now = self.player.stand()

    # --- the present state

    @property
    def header(self) -> int:
        """The header of the present floor."""
        return self._now.header

    zone = header

    @property
    def _offset(self) -> Vector:
        x, y, z = self.moves.floors[self.header].offset
        return x * TILE_LENGTH, y * TILE_LENGTH, z * TILE_LENGTH

    @property
    def position(self) -> Vector:
        """The fx32 position on the map of the floor."""
        return moved(self._now.position, self._offset, -1)

    @property
    def x(self) -> int:
        """The tile on the map of the floor."""
        return self.position[0] // TILE_LENGTH

    @property
    def z(self) -> int:
        """The tile on the map of the floor."""
        return self.position[2] // TILE_LENGTH

    @property
    def y(self) -> int:
        """The fx32 height on the map of the floor."""
        return self.position[1]

    @property
    def mode(self) -> Mode:
        """What the player moves on."""
        return Mode.SURF if self.player.standing.surfing else Mode.FOOT

    @property
    def elevated(self) -> bool:
        """There are no bridges here."""
        return False

    @property
    def feature(self) -> DistortionWorld:
        """What code adds to the floor, as the player sees it now."""
        player = self.player
        look = DistortionLook(
            player.camera.angles, player.props(self._now), player.mount, self.boulders.positions(self.header)
        )
        return DistortionWorld(self.world.game.tables, self.header, self.player.state, None, look, self.moves.files)

    @feature.setter
    def feature(self, feature: Feature | None) -> None:
        if isinstance(feature, DistortionWorld) and feature.look is None:
            self.player.state = feature.progress

    def note(self, kind: str, sentence: str, **values: Any) -> None:
        """Add an event to the coming tick."""
        self._events.append(Event(kind, sentence, values))

    def pending(self) -> tuple[Event, ...]:
        """Remove and return the events noted since the last tick."""
        events, self._events = tuple(self._events), []
        return events

    # --- actions

    def press(self, direction: Direction) -> Iterator[Tick]:
        """Hold a direction until everything that it leads to is done; a turn comes before it."""
        yield from self._go(direction, surf=self.surfs_by_itself)

    def tap(self, direction: Direction) -> Iterator[Tick]:
        """Turn without moving."""
        self.rest()
        if self.player.facing != direction:
            yield from map(self._record, self.player.turn(direction))

    def interact(self) -> Iterator[Tick]:
        """Press the action button: begin to surf on water ahead."""
        self.rest()
        yield from self._interact()

    def wait(self) -> Iterator[Tick]:
        """Press nothing for one tick."""
        self.rest()
        yield self.tick()

    def back(self) -> bool:
        """There is no warp to go back through."""
        return False

    def toggle_bicycle(self) -> None:
        """There is no bicycle here."""
        self.note("blocked", "There is no bicycle in the Distortion World.", rule="bicycle")

    shift_gear = toggle_bicycle

    def rest(self) -> None:
        self.player.moving = False

    def tick(self) -> Tick:
        return self._record(self.player.stand())

    def _next(self, held: Direction | None, pressed: bool) -> Iterator[Tick] | None:
        if pressed:
            return self._interact()
        if held is None:
            return None
        if self.player.facing != held and not self.player.moving:
            return map(self._record, self.player.turn(held))
        return self._go(held, surf=self.surfs_by_itself)

    def _interact(self) -> Iterator[Tick]:
        begins = [one for one in self._ahead(self.player.facing, surf=True)[:1] if one.end.surfing]
        if begins and not self.player.standing.surfing:
            yield from self._go(self.player.facing, surf=True)
        else:
            yield self.tick()

    def _ahead(self, direction: Direction, *, surf: bool) -> tuple[Movement, ...]:
        surf = surf and Ability.SURF in self.abilities
        player = self.player
        return self.moves.press(player.standing, direction, player.state, surf=surf, running=player.running)

    def _go(self, direction: Direction, *, surf: bool) -> Iterator[Tick]:
        player = self.player
        player.running = self.running
        movements = self._ahead(direction, surf=surf)
        standing = player.standing
        other = None
        if self.people and movements:
            other = self.boulders.at(standing.header, player.state, movements[0].end.tile)
        if other is not None:
            player.facing, player.moving = direction, False
            pushes = standing.avatar is AvatarState.LAND and Ability.STRENGTH in self.abilities
            if pushes and self.boulders.can_push(standing.header, player.state, other, direction):
                yield from self._push(other, direction)
                return
            self.note("blocked", "Somebody or something stands there.", rule=StepRule.PERSON.value)
            yield from map(self._record, player.bump())
            return
        if not movements:
            self.note("blocked", f"There is no way on {player.standing.avatar.words}.", rule="distortion world")
        self._tell(movements)
        for tick in player.press(direction, surf=surf and Ability.SURF in self.abilities):
            yield self._record(tick)
        player.moving = bool(movements)
        if player.standing.header != standing.header:
            self.boulders.enter(player.standing.header)
        if movements and movements[-1].kind == TELEPORT:
            self.camera.place(player.position)
            yield self.tick()

    def _tell(self, movements: tuple[Movement, ...]) -> None:
        before = self.player.standing
        for movement in movements:
            end, values = movement.end, {
                "feature": DistortionWorld.name, "state": movement.state.plain(),
                "header": movement.end.header, "tile": list(movement.end.tile),
            }  # fmt: skip
            if end.header != before.header:
                there = self.world.headers[end.header].title
                self.note(
                    "feature",
                    f"Goes by {movement.kind} to {there}.",
                    change=movement.kind,
                    **values,
                )
            elif end.avatar is not before.avatar:
                sentence = f"Goes onto {end.avatar.words}."
                self.note("feature", sentence, change=movement.kind, **values)
            elif movement.kind in _CARRIED:
                self.note("feature", _CARRIED[movement.kind], change=movement.kind, **values)
            before = end

    def _push(self, boulder: DistortionObject, direction: Direction) -> Iterator[Tick]:
        """The ticks in which the player, who stays, pushes a boulder, and in which it falls where there is no land."""
        player, header = self.player, self.player.standing.header
        before = player.state
        self.note("boulder", "Pushes the boulder.", object=boulder.local_id, direction=direction.word)
        player.gait = "push"
        for state in self.boulders.push(header, before, boulder, direction):
            if state != before:
                player.state = state
                self.note(
                    "feature", "The boulder has fallen.", change="boulder", feature=DistortionWorld.name,
                    state=state.plain(), header=header,
                )  # fmt: skip
            yield self._record(player.stand())
        player.gait = ""

    def _record(self, now: DistortionTick) -> Tick:
        """The tick of the player as that of a walk."""
        self._now = now
        self._ticks += 1
        player = self.player
        self.camera.follow(now.position)
        offset = self._offset
        across, jump, along = now.hop
        x, y, z = moved(now.position, offset, -1)
        gait = "" if player.gait in _CARRIED else player.gait
        events = self.pending()
        return Tick(
            self._ticks, self.header, self.header, x // TILE_LENGTH, z // TILE_LENGTH, self._behaviour(),
            (x + across, y, z + along), jump, 0, player.facing, self.mode, False, gait, False,
            moved(self.camera.position, offset, -1), 0, events, player.sprite_turn, player.bob,
        )  # fmt: skip

    def _behaviour(self) -> int:
        standing = self.player.standing
        floor = self.moves.floors[standing.header]
        if standing.platform >= 0:
            return behaviour(floor.platforms[standing.platform], standing.tile) or 0
        ground = self.grounds.entered(standing.header)
        return ground.behaviour(standing.x - floor.offset[0], standing.z - floor.offset[2])


AnyWalker = Walker | DistortionWalker


def walker_at(world: WorldFiles, header: int, x: int, z: int, **settings: Any) -> AnyWalker:
    """A player on a tile of a map, who walks as that map needs it; `settings`: those of both kinds."""
    kind = DistortionWalker if in_distortion_world(world, header) else Walker
    return kind(world, header, x, z, **settings)
