"""The player, tick by tick: what he does next, and how the ground, people and warps answer.

Every action is a generator of ticks; `update` is what a window calls once per field update, `press` and its like are
what a script of keys plays. All numbers are integers: tiles, and fx32 units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from formats.fixed import Vector
from mapexplorer.walk import behaviour as tiles
from mapexplorer.walk import gait as gaits
from mapexplorer.walk import special_tiles
from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.camera import CameraTarget
from mapexplorer.walk.direction import DX, DZ, SOUTH, Direction
from mapexplorer.walk.door import ZOOM_LIMIT
from mapexplorer.walk.gait import Gait, Mode
from mapexplorer.walk.ground import Ground, Grounds, centre
from mapexplorer.walk.interaction import interact, surf, trigger_events
from mapexplorer.walk.rules import Decision, Move, Refusal, Rule, Standing, decide, heights, refusal
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.walk.travel import Moment, leave
from mapexplorer.walk.warps import Spot, pushed, stepped
from mapexplorer.world import World
from mapexplorer.world.terrain import resident_corner

_SPIN_TICKS: Final = 2
_TURNING: Final = (Direction.NORTH, Direction.EAST, Direction.SOUTH, Direction.WEST)


class Walker:
    """A player on the ground of a map. Place him with `place`, move him with `update` or `press`.

    `people`: those that events put there stand in his way; `ghost`: nothing does; `running`: the run button is held;
    `surfs_by_itself`: pushing against water begins to surf, without the action button.
    """

    def __init__(
        self,
        world: World,
        header: int,
        x: int,
        z: int,
        *,
        near: int | None = None,
        facing: Direction = SOUTH,
        abilities: frozenset[Ability] = ALL_ABILITIES,
        people: bool = True,
        grounds: Grounds | None = None,
    ) -> None:
        """`near` (fx32) chooses the level; by default the highest plate of the tile."""
        self.world = world
        self.grounds = grounds or Grounds(world)
        self.abilities = abilities
        self.people = people
        self.ghost = False
        self.surfs_by_itself = False
        self.running = False
        self.ticks = 0
        self.history: list[Moment] = []
        self.return_spot: Spot | None = None
        self._events: list[Event] = []
        self._action: Iterator[Tick] | None = None
        self._held: Direction | None = None
        self._asked: list[Callable[[], None]] = []
        self.place(header, x, z, near=near, facing=facing)

    # --- where he is

    def place(self, header: int, x: int, z: int, *, near: int | None = None, facing: Direction = SOUTH) -> None:
        """Put the player on a tile of a map entered through `header`, on the highest level or nearest to `near`."""
        ground = self.grounds.entered(header)
        levels = ground.levels(x, z)
        y = (levels[0] if near is None else min(levels, key=lambda level: abs(level - near))) if levels else 0
        behaviour = ground.behaviour(x, z)
        bridge = behaviour in tiles.BRIDGE and len(levels) > 1 and y == levels[0]
        elevated = behaviour == tiles.BRIDGE_START or bridge
        mode = Mode.SURF if tiles.on_water(behaviour, elevated) else Mode.FOOT
        self.stand(header, Standing(x, z, y, elevated, mode), facing)

    def stand(self, header: int, standing: Standing, facing: Direction = SOUTH) -> None:
        """Put the player exactly so."""
        self.header = header
        self.ground: Ground = self.grounds.entered(header)
        self.x, self.z, self.y, self.elevated, self.mode, self.gear, self.speed = standing
        self.previous = (self.x, self.z)
        self.facing = facing
        self.moving = False
        self.hidden = False
        self.jump = 0
        self.half_fov = self.zoom = 0
        self.gait = ""
        self.last_refusal: Refusal | None = None
        self.momentum = special_tiles.Momentum()
        self.zone = self.ground.zone(self.x, self.z)
        self._block = resident_corner(self.x, self.z)
        self.position: Vector = (centre(self.x), self.y, centre(self.z))
        self.camera = CameraTarget(self.position)
        self._action = None

    @property
    def standing(self) -> Standing:
        """What the next step depends on."""
        return Standing(self.x, self.z, self.y, self.elevated, self.mode, self.gear, self.speed)

    @property
    def behaviour(self) -> int:
        """The behaviour of the tile underfoot."""
        return self.ground.behaviour(self.x, self.z)

    @property
    def busy(self) -> bool:
        """Whether an action is under way."""
        return self._action is not None

    def note(self, kind: str, sentence: str, **values: Any) -> None:
        """Add an event to the coming tick."""
        self._events.append(Event(kind, sentence, values))

    def pending(self) -> tuple[Event, ...]:
        """What was noted since the last tick; it is taken out."""
        events, self._events = tuple(self._events), []
        return events

    def tick(self) -> Tick:
        """End a tick: the camera follows, and everything noted since the last one goes with it."""
        self.ticks += 1
        self.camera.follow(self.position)
        self.half_fov = max(ZOOM_LIMIT, min(0, self.half_fov + self.zoom))
        events = self.pending()
        behaviour = self.behaviour
        return Tick(
            self.ticks, self.header, self.zone, self.x, self.z, behaviour, self.position, self.jump,
            gaits.SINK.get(behaviour, 0), self.facing, self.mode, self.elevated, self.gait, self.hidden,
            self.camera.position, self.half_fov, events,
        )  # fmt: skip

    # --- once per field update

    def update(self, held: Direction | None = None, *, interact: bool = False) -> Tick:
        """One field update with a direction held: goes on with the present action, or begins the next."""
        self._held = held
        while True:
            if self._action is None:
                self._action = self._next(held, interact)
                interact = False
            if self._action is None:
                self._rest()
                return self.tick()
            for tick in self._action:
                return tick
            self._action = None

    def when_free(self, action: Callable[[], None]) -> None:
        """Have something done between two movements: at once, or when the present one is over."""
        self._asked.append(action)

    def _next(self, held: Direction | None, pressed: bool) -> Iterator[Tick] | None:
        while self._asked:
            self._asked.pop(0)()
        if pressed:
            return interact(self)
        if held is not None:
            return self._begin(held)
        if special_tiles.rolls_south(self.ground, self.standing, self.people):
            return self._roll()
        return None

    def _rest(self) -> None:
        self.moving, self.speed, self.gait = False, 0, ""

    # --- a script of keys

    def press(self, direction: Direction) -> Iterator[Tick]:
        """Hold a direction until a step, a jump, a ride, a warp or a bump is done; a turn comes before it."""
        self._held = direction
        if self.facing != direction and not self.moving:
            yield from self._turn(direction)
        yield from self._act(direction)
        self._held = None

    def tap(self, direction: Direction) -> Iterator[Tick]:
        """Turn on the spot."""
        self._rest()
        if self.facing != direction:
            yield from self._turn(direction)

    def interact(self) -> Iterator[Tick]:
        """Press the action button."""
        self._rest()
        yield from interact(self)

    def wait(self) -> Iterator[Tick]:
        """Press nothing for one tick, or for as long as the Cycling Road rolls."""
        if special_tiles.rolls_south(self.ground, self.standing, self.people):
            yield from self._roll()
            return
        self._rest()
        yield self.tick()

    def toggle_bicycle(self) -> None:
        """Get on or off the bicycle, where the map lets him."""
        if self.mode is Mode.BICYCLE:
            if tiles.bike_bridge(self.behaviour, self.elevated):
                self.note("blocked", "Nobody gets off the bicycle on a bike bridge.", rule="bicycle")
                return
            self.mode, self.speed = Mode.FOOT, 0
            self.note("bicycle", "Gets off the bicycle.", riding=False)
            return
        problem = self._no_bicycle()
        if problem:
            self.note("blocked", problem, rule="bicycle")
            return
        self.mode, self.speed, self.gear = Mode.BICYCLE, 0, 3
        self.note("bicycle", "Gets on the bicycle, third gear.", riding=True)

    def _no_bicycle(self) -> str:
        header = self.world.headers[self.zone]
        if self.mode is Mode.SURF:
            return "There is no bicycle on the water."
        if Ability.BICYCLE not in self.abilities:
            return "He has no bicycle."
        if not header.bicycle:
            return f"The header of {header.title} allows no bicycle."
        if self.behaviour in tiles.NO_BICYCLE or tiles.on_snow(self.behaviour, self.elevated):
            return "This ground takes no bicycle."
        return ""

    def shift_gear(self) -> None:
        """Change between third and fourth gear; the speed is lost."""
        self.gear, self.speed = (3 if self.gear == 4 else 4), 0
        self.note("gear", f"Gear {self.gear}.", gear=self.gear)

    def back(self) -> bool:
        """Return to where the last warp was taken; False when there is none."""
        if not self.history:
            return False
        moment = self.history.pop()
        self.stand(moment.header, moment.standing, moment.facing)
        self.note("back", f"Back to {self.world.headers[moment.header].title}.", header=moment.header)
        return True

    # --- actions

    def _begin(self, direction: Direction) -> Iterator[Tick]:
        if self.facing != direction and not self.moving:
            return self._turn(direction)
        return self._act(direction)

    def _turn(self, direction: Direction) -> Iterator[Tick]:
        self.facing, self.gait = direction, "turn"
        for _ in range(gaits.TURN_TICKS):
            yield self.tick()

    def decide(self, direction: Direction) -> Decision:
        """What pressing a direction would do now."""
        if self.ghost:
            return Decision(Move.STEP)
        return decide(self.ground, self.standing, direction, self.people)

    def refused(self, direction: Direction) -> Refusal | None:
        """Why a step in `direction` would be refused now; None when it would not."""
        rule = self.decide(direction).rule
        return None if rule is None else refusal(self.ground, self.standing, direction, rule)

    def _act(self, direction: Direction) -> Iterator[Tick]:
        decision = self.decide(direction)
        self.facing = direction
        if self.ghost:
            yield from self.move(direction, gaits.RUN if self.running else gaits.WALK)
            return
        if decision.rule is Rule.WATER and self.surfs_by_itself and Ability.SURF in self.abilities:
            yield from surf(self)
            return
        if decision.move is Move.BUMP:
            use = pushed(self.ground, self.x, self.z, direction)
            yield from self._bump(direction, decision.rule) if use is None else leave(self, use, direction)
            return
        self.last_refusal = None
        self.momentum = special_tiles.Momentum()
        if decision.move is Move.LEDGE:
            self.note("ledge", "Jumps down two tiles.", tiles=2)
            yield from self.move(direction, gaits.LEDGE_JUMP)
        elif decision.move is Move.DOUBLE_LEDGE:
            self.note("ledge", "Jumps three tiles.", tiles=3)
            yield from self.move(direction, gaits.DOUBLE_LEDGE_JUMP)
        elif decision.move is Move.ASHORE:
            self.note("ashore", "Hops ashore.")
            yield from self.move(direction, gaits.SHORE_HOP)
            self.mode = Mode.FOOT
        else:
            yield from self.move(direction, self._step_gait())
        self.moving = True
        if self.mode is Mode.BICYCLE and self.gear == 4:
            self.speed = min(self.speed + 1, gaits.TOP_SPEED)
        yield from self.after(direction)

    def _step_gait(self) -> Gait:
        return gaits.step_gait(self.mode, self.gear, self.speed, self.running, self.behaviour)

    def _bump(self, direction: Direction, rule: Rule | None) -> Iterator[Tick]:
        self._rest()
        if rule is not None:
            self.last_refusal = refusal(self.ground, self.standing, direction, rule)
            self.note(
                "blocked", self.last_refusal.sentence, rule=rule.value, ahead=list(self.last_refusal.tile),
                numbers=self.last_refusal.numbers,
            )  # fmt: skip
        self.gait = "bump"
        for _ in range(gaits.BUMP_TICKS):
            yield self.tick()
        self.gait = ""

    def _roll(self) -> Iterator[Tick]:
        self.facing, self.speed = SOUTH, gaits.TOP_SPEED
        yield from self.move(SOUTH, gaits.FAST_RIDE)
        yield from self.after(SOUTH)

    def move(self, direction: Direction, gait: Gait, *, spinning: bool = False) -> Iterator[Tick]:
        """Move without asking: the tile changes at once, the position catches up tick by tick."""
        start = self.standing
        ys = heights(self.ground, start, direction, gait)
        self.previous = (self.x, self.z)
        self.x, self.z = self.x + DX[direction] * gait.tiles, self.z + DZ[direction] * gait.tiles
        self.gait = gait.name
        self._stream()
        x, z = centre(start.x), centre(start.z)
        for index, units in enumerate(gait.steps):
            x, z = x + DX[direction] * units, z + DZ[direction] * units
            self.y = ys[index]
            self.position = (x, self.y, z)
            self.jump = gait.heights[index] if gait.heights else 0
            if spinning and index % _SPIN_TICKS == 0:
                self.facing = _TURNING[(_TURNING.index(self.facing) + 1) % 4]
            if index == len(gait.steps) - 1:
                self.jump = 0
                self.previous = (self.x, self.z)
                self._arrived()
            yield self.tick()

    def _stream(self) -> None:
        block = resident_corner(self.x, self.z)
        if block != self._block:
            self._block = block
            cells = [[cell.x, cell.z] for cell in self.ground.resident(self.x, self.z).cells]
            self.note("resident", f"Cells {block} and its neighbours are loaded.", cells=cells)

    def _arrived(self) -> None:
        """What a completed step changes: the elevated flag, the zone."""
        behaviour = self.behaviour
        elevated = tiles.elevated_on(behaviour, self.elevated)
        if elevated != self.elevated:
            self.elevated = elevated
            self.note("elevated", "Is on the bridge." if elevated else "Is off the bridge.", elevated=elevated)
        self.change_zone()
        if behaviour in tiles.MUD:
            self.note("mud", "The mud may hold him here; a few presses of a direction free him.")

    def change_zone(self) -> None:
        """Notice that the tile belongs to another header."""
        zone = self.ground.zone(self.x, self.z)
        if zone == self.zone:
            return
        before, self.zone = self.world.headers[self.zone], zone
        now = self.world.headers[zone]
        self.note(
            "zone", f"From {before.title} into {now.title}.", header=zone, popup=before.label_text != now.label_text,
            weather=now.weather, music=[now.day_music, now.night_music],
        )  # fmt: skip

    def after(self, direction: Direction) -> Iterator[Tick]:
        """Everything that follows a step, in the game's order, until nobody is moved any more."""
        seen: set[tuple[int, int, Direction, str]] = set()
        while True:
            force = special_tiles.forced(self.ground, self.standing, direction, self.momentum, self._held, self.people)
            if force is None or force.kind != "spin":
                for event in trigger_events(self.ground, self.zone, self.x, self.z):
                    self._events.append(event)
                use = stepped(self.ground, self.x, self.z, direction)
                if use is not None:
                    yield from leave(self, use, direction)
                    return
            if force is None:
                if self.momentum.released:
                    self._rest()
                return
            key = (self.x, self.z, force.direction, force.kind)
            if key in seen:
                self.note("endless", "These tiles would move him in a circle for ever; he is let go.")
                return
            seen.add(key)
            self.note(force.kind, f"Is moved {force.direction.word}: {force.gait.name}.", gait=force.gait.name)
            direction = force.direction
            if not force.locked:
                self.facing = direction
            yield from self.move(direction, force.gait, spinning=force.kind == "spin")
            if force.kind == "spin":
                self.facing = direction
            elif force.kind == "slope":
                fast = self.mode is Mode.BICYCLE and self.gear == 4 and force.gait is gaits.FAST_RIDE
                self.speed = gaits.TOP_SPEED if fast else 0

    def ahead(self) -> tuple[int, int]:
        """The tile that the player faces."""
        return self.x + DX[self.facing], self.z + DZ[self.facing]
