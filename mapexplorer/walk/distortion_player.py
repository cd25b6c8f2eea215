"""A player in the Distortion World, tick by tick: movements, the camera that turns with them, the ghost props that they
show and hide."""

from __future__ import annotations

from collections.abc import Iterator

from formats.fixed import Vector
from mapexplorer.features.distortion_world.camera import CameraTurn
from mapexplorer.features.distortion_world.floors import Floor
from mapexplorer.features.distortion_world.mount import Mount, bobs, mount_at
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import GhostProps, Prop, drawn_props, fixed_props, prop_position
from mapexplorer.features.distortion_world.space import SPRITE_TURN, moved
from mapexplorer.walk.distortion_moves import DistortionMoves, DistortionStanding, DistortionTick
from mapexplorer.world.direction import BY_LETTER, SOUTH, Direction


class DistortionPlayer:
    """A player on a floor. `position`, `hop` (the offset of the sprite), `sprite_turn` (degrees) and `facing` are those
    of the present tick, `camera` and `ghosts` belong to the present floor; `gait`: the kind of the present movement, ""
    at rest. `running`: the run button is held; `moving`: a movement follows another, so that no turn comes before
    it. `bob`: the height by which the mount of a surfing player is raised, and the player with it."""

    def __init__(
        self,
        moves: DistortionMoves,
        standing: DistortionStanding,
        state: DistortionState,
        facing: Direction = SOUTH,
    ) -> None:
        self.moves = moves
        self.standing = standing
        self.state = state
        self.facing = facing
        self.running = self.moving = False
        self.bob = 0
        self._bobs: Iterator[int] = iter(())
        self._enter(standing.header)
        self._rest()

    def _enter(self, header: int) -> None:
        self.floor: Floor = self.moves.floors[header]
        self.camera = CameraTurn()
        self.ghosts = GhostProps(self.moves.tables, self.floor, self.moves.obstacle_frames, state=self.state)

    def _rest(self) -> None:
        self.position: Vector = self.standing.position
        self.hop: Vector = (0, 0, 0)
        self.sprite_turn: float = SPRITE_TURN[self.standing.avatar]
        self.gait = ""

    def press(self, direction: Direction, *, surf: bool = False) -> Iterator[DistortionTick]:
        """Hold a direction until everything that it leads to is done; a turn comes before it. `surf`: begin to surf on
        water."""
        if self.facing != direction and not self.moving:
            yield from self.turn(direction)
        self.facing = direction
        start = self.standing
        movements = self.moves.press(start, direction, self.state, surf=surf, running=self.running)
        if movements:
            self.ghosts.pressed(start.tile, direction)
        angle = self.floor.camera_angle(start.tile, direction)
        if angle is not None:
            self.camera.start(self.floor.camera_angles[angle])
        if not movements:
            yield from self.bump()
        for movement in movements:
            self.gait = movement.kind
            turn = SPRITE_TURN[self.standing.avatar]
            for tick in movement.ticks():
                self.position, self.hop, self.sprite_turn = tick.position, tick.hop, turn + tick.sprite_turn
                self._update(tick)
                yield tick
            self.standing, self.state = movement.end, movement.state
            if movement.event is not None:
                self.ghosts.apply(self.state)
            if movement.facing is not None:
                self.facing = movement.facing
            if self.floor.header != self.standing.header:
                self._enter(self.standing.header)
            self._rest()

    def turn(self, direction: Direction) -> Iterator[DistortionTick]:
        """Turn without moving."""
        self.facing = direction
        return self._stand(self.moves.gaits.turn_ticks, "turn")

    def bump(self) -> Iterator[DistortionTick]:
        """Step on the spot, as before an obstacle."""
        return self._stand(self.moves.gaits.bump_ticks, "bump")

    def stand(self) -> DistortionTick:
        """A tick at rest."""
        tick = DistortionTick(self.standing.header, self.position)
        self._update(tick)
        return tick

    def props(self, tick: DistortionTick) -> tuple[Prop, ...]:
        """The props that are seen in a tick of this player."""
        tables, header, ridden = self.moves.tables, self.floor.header, tick.platform
        fixed = fixed_props(tables, header, self.state, ridden)
        if ridden is not None:
            at = moved(prop_position(tables, ridden.kind, ridden.tile), tick.platform_moved)
            fixed = (*fixed, Prop(ridden.kind, at))
        return drawn_props(tables, self.ghosts.props(self.standing.tile), fixed)

    def _stand(self, ticks: int, gait: str) -> Iterator[DistortionTick]:
        self.gait = gait
        for _ in range(ticks):
            tick = DistortionTick(self.standing.header, self.position)
            self._update(tick)
            yield tick
        self.gait = ""

    def _update(self, tick: DistortionTick) -> None:
        if self.floor.header != tick.header:
            self._enter(tick.header)
        self.camera.tick()
        self.ghosts.tick()
        if not self.standing.surfing:
            self.bob = 0
        elif not self.bob:
            self._bobs = bobs(self.moves.tables.surf_mount)
        if self.standing.surfing:
            self.bob = next(self._bobs)

    @property
    def mount(self) -> Mount | None:
        """The mount of a surfing player."""
        standing = self.standing
        if not standing.surfing:
            return None
        return mount_at(self.moves.tables.surf_mount, self.position, standing.avatar, self.facing, self.bob)

    def play(self, letters: str) -> Iterator[DistortionTick]:
        """Walk a path of `DistortionReach`: N S E W, and n s e w followed by A to surf."""
        for number, letter in enumerate(letters):
            if letter in BY_LETTER:
                yield from self.press(BY_LETTER[letter])
            elif letter == "A" and number:
                yield from self.press(BY_LETTER[letters[number - 1].upper()], surf=True)
