"""A player under a user's control, tick by tick.

A window calls `update` once per field update; `press` and similar methods are for scripts of keys. All numbers are
integers: tiles, and fx32 units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mapexplorer.map_objects.gait import TOP_SPEED, Mode
from mapexplorer.walk import special_tiles
from mapexplorer.walk.ability import Ability
from mapexplorer.walk.boulders import push, pushed_boulder
from mapexplorer.walk.interaction import interact, surf
from mapexplorer.walk.player import Player
from mapexplorer.walk.rules import Decision, Move, Refusal, decide, refusal, step_gait
from mapexplorer.walk.tick import Tick
from mapexplorer.walk.trainers import encounters
from mapexplorer.walk.travel import after_step, leave
from mapexplorer.walk.warps import pushed
from mapexplorer.world.direction import SOUTH, Direction
from mapexplorer.world.terrain.obstacle import StepRule


class Walker(Player):
    """A player that is moved with `update` or `press`. Every action is a generator of ticks.

    `running`: the run button is held; `ghost`: nothing blocks the player; `surfs_by_itself`: pushing against water
    begins to surf, without the action button.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """As `Player`."""
        self.ghost = self.running = self.surfs_by_itself = False
        self._action: Iterator[Tick] | None = None
        self._asked: list[Callable[[], None]] = []
        super().__init__(*arguments, **settings)

    @property
    def busy(self) -> bool:
        """Whether an action is running."""
        return self._action is not None

    def update(self, held: Direction | None = None, *, interact: bool = False) -> Tick:
        """Do one field update with a direction held: continue the present action, or begin the next."""
        self.held = held
        while True:
            if self._action is None:
                while self._asked:
                    self._asked.pop(0)()
                self._action = self._next(held, interact)
                interact = False
            if self._action is None:
                self.rest()
                return self.tick()
            for tick in self._action:
                return tick
            self._action = None

    def when_free(self, action: Callable[[], None]) -> None:
        """Call a function between two movements: at once, or after the present one."""
        self._asked.append(action)

    def place(self, header: int, x: int, z: int, *, near: int | None = None, facing: Direction = SOUTH) -> None:
        """As `Player.place`; the present action ends."""
        self._action = None
        super().place(header, x, z, near=near, facing=facing)

    def _next(self, held: Direction | None, pressed: bool) -> Iterator[Tick] | None:
        """The action that begins with a direction held, or with the action button pressed; None for none."""
        if pressed:
            return interact(self)
        if held is not None:
            return self._begin(held)
        if special_tiles.rolls_south(self.ground, self.standing, self.obstacles):
            return self._roll()
        return None

    # --- a script of keys

    def press(self, direction: Direction) -> Iterator[Tick]:
        """Hold a direction until a step, a jump, a ride, a warp or a bump is done; a turn comes before it."""
        self.held = direction
        if self.facing != direction and not self.moving:
            yield from self._turn(direction)
        yield from self._act(direction)
        self.held = None

    def tap(self, direction: Direction) -> Iterator[Tick]:
        """Turn without moving."""
        self.rest()
        if self.facing != direction:
            yield from self._turn(direction)

    def interact(self) -> Iterator[Tick]:
        """Press the action button."""
        self.rest()
        yield from interact(self)

    def wait(self) -> Iterator[Tick]:
        """Press nothing for one tick, or for as long as the Cycling Road rolls."""
        if special_tiles.rolls_south(self.ground, self.standing, self.obstacles):
            yield from self._roll()
            return
        self.rest()
        yield self.tick()

    def toggle_bicycle(self) -> None:
        """Get on or off the bicycle, where the map allows it."""
        if self.mode is Mode.BICYCLE:
            if self.ground.groups.bike_bridge(self.behaviour, self.elevated):
                self.note("blocked", "The player cannot get off the bicycle on a bike bridge.", rule="bicycle")
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
            return "The player has no bicycle."
        if not header.bicycle:
            return f"The header of {header.title} allows no bicycle."
        groups = self.ground.groups
        if self.behaviour in groups.no_bicycle or groups.on_snow(self.behaviour, self.elevated):
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
        header, standing, facing = self.history.pop()
        self._action = None
        self.stand(header, standing, facing)
        self.note("back", f"Back to {self.world.headers[header].title}.", header=header)
        return True

    # --- actions

    def _begin(self, direction: Direction) -> Iterator[Tick]:
        if self.facing != direction and not self.moving:
            return self._turn(direction)
        return self._act(direction)

    def _turn(self, direction: Direction) -> Iterator[Tick]:
        self.facing, self.gait = direction, "turn"
        for _ in range(self.gaits.turn_ticks):
            yield self.tick()

    def decide(self, direction: Direction) -> Decision:
        """The decision for pressing a direction now."""
        if self.ghost:
            return Decision(Move.STEP)
        return decide(self.ground, self.standing, direction, self.obstacles)

    def refused(self, direction: Direction) -> Refusal | None:
        """Why a step in `direction` would be refused now; None when it would not."""
        rule = self.decide(direction).rule
        return None if rule is None else refusal(self.ground, self.standing, direction, rule, self.objects_on)

    def _act(self, direction: Direction) -> Iterator[Tick]:
        """The ticks of what a direction leads to, and of the trainers who see the player afterwards."""
        if self.ghost:
            self.facing = direction
            yield from self.move(direction, self.gaits.run if self.running else self.gaits.walk)
            return
        yield from self._go(direction)
        yield from encounters(self)

    def _go(self, direction: Direction) -> Iterator[Tick]:
        self.facing = direction
        departure = None if self.feature is None else self.feature.departure(self.press_toward(direction))
        if departure is not None:
            self.leave_tile(direction, moves=True)
            yield from self.carry_out(departure)
            self.moving = True
            return
        decision = self.decide(direction)
        self.leave_tile(direction, moves=decision.move is not Move.BUMP)
        if decision.rule is StepRule.WATER and self.surfs_by_itself and Ability.SURF in self.abilities:
            yield from surf(self)
            return
        if decision.move is Move.BUMP:
            change = None if self.feature is None else self.feature.pressed(self.press_toward(direction))
            if change is not None:
                self.rest()
                yield from self.carry_out(change)
                return
            boulder = pushed_boulder(self, direction)
            if boulder is not None:
                yield from push(self, boulder, direction)
                return
            use = pushed(self.ground, self.standing, direction)
            yield from self._bump(direction, decision.rule) if use is None else leave(self, use, direction)
            return
        self.last_refusal = None
        self.momentum = special_tiles.Momentum()
        if decision.move is Move.LEDGE:
            self.note("ledge", "Jumps down two tiles.", tiles=2)
            yield from self.move(direction, self.gaits.ledge_jump)
        elif decision.move is Move.DOUBLE_LEDGE:
            self.note("ledge", "Jumps three tiles.", tiles=3)
            yield from self.move(direction, self.gaits.double_ledge_jump)
        elif decision.move is Move.ASHORE:
            self.note("ashore", "Hops ashore.")
            yield from self.move(direction, self.gaits.shore_hop)
            self.mode = Mode.FOOT
        else:
            yield from self.move(direction, step_gait(self.ground, self.standing, self.running))
        self.moving = True
        if self.mode is Mode.BICYCLE and self.gear == 4:
            self.speed = min(self.speed + 1, TOP_SPEED)
        yield from after_step(self, direction)

    def _bump(self, direction: Direction, rule: StepRule | None) -> Iterator[Tick]:
        self.rest()
        if rule is not None:
            self.last_refusal = refusal(self.ground, self.standing, direction, rule, self.objects_on)
            self.note(
                "blocked",
                self.last_refusal.sentence,
                rule=rule.value,
                ahead=list(self.last_refusal.tile),
                numbers=self.last_refusal.numbers,
            )
        self.gait = "bump"
        for _ in range(self.gaits.bump_ticks):
            yield self.tick()
        self.gait = ""

    def _roll(self) -> Iterator[Tick]:
        self.facing, self.speed = SOUTH, TOP_SPEED
        yield from self.move(SOUTH, self.gaits.fast_ride)
        yield from after_step(self, SOUTH)
