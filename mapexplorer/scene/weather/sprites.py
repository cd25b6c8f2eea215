"""The sprites of a weather: their slots, creation, movement and removal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.weather_tables import Spawning
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.parallax import Parallax
from mapexplorer.scene.weather.parts import FogChange, WeatherPart
from mapexplorer.scene.weather.state import SpriteState

PLACES: Final = 48
"""The number of sprite slots of a weather."""
_RIGHT: Final = 319 * ONE
_BOTTOM: Final = 256 * ONE
_OUTSIDE: Final = -64 * ONE


@dataclass(slots=True, eq=False)
class Sprite:
    """A sprite, and values of its motion, whose meaning depends on the kind of motion."""

    x: int
    """fx32 pixels."""
    y: int
    """fx32 pixels."""
    frame: int = 0
    """The number of its frame."""
    drift: int = 0
    """Pixels per tick along x."""
    fall: int = 0
    """Pixels per tick along y, or the ticks between steps."""
    life: int = 0
    """The ticks after which it ends or changes."""
    change: int = 0
    """A change of `drift`, or the ticks between steps along x."""
    phase: int = 0
    """A counter of the motion."""
    age: int = 0
    """The ticks since its birth, in most motions."""
    wait_x: int = 0
    """The ticks since the last step along x."""
    wait_y: int = 0
    """The ticks since the last step along y."""
    slot: int = 0
    """Its place among the sprites; lower ones are drawn in front."""
    dies: bool = False
    """It is removed in the next tick."""

    def move(self, x: int, y: int) -> None:
        """Move by whole pixels."""
        self.x += x * ONE
        self.y += y * ONE

    def fly(self) -> None:
        """Move by `drift` and `fall` and grow older; after its `life` it dies."""
        self.move(self.drift, self.fall)
        self.wrap()
        self.dies = self.dies or self.age > self.life
        self.age += 1

    def slow(self, drift: int) -> None:
        """Change the drift, and fall more slowly."""
        self.drift += drift
        if self.fall > 1:
            self.fall -= 1

    def wrap(self) -> None:
        """Wrap the position into the area of the sprites."""
        if self.x > _RIGHT:
            self.x %= _RIGHT
        elif self.x < _OUTSIDE:
            self.x += _RIGHT
        if self.y > _BOTTOM:
            self.y %= _BOTTOM
        elif self.y < _OUTSIDE:
            self.y += _BOTTOM


def at(
    x: int, y: int, frame: int, *, drift: int = 0, fall: int = 0, life: int = 0, change: int = 0, phase: int = 0
) -> Sprite:
    """A sprite at a position in whole pixels, wrapped into the area."""
    sprite = Sprite(x * ONE, y * ONE, frame, drift, fall, life, change, phase)
    sprite.wrap()
    return sprite


class SpriteMotion:
    """The creation and movement of a weather's sprites; its methods for the phases do nothing by default."""

    has_parallax = True

    def __init__(self, random: MersenneTwister) -> None:
        self.random = random

    def births(self, number: int) -> list[Callable[[], Sprite]]:
        """The functions that create the sprites of a spawn of `number`."""
        return [self.birth] * number

    @abstractmethod
    def birth(self) -> Sprite:
        """A new sprite."""

    @abstractmethod
    def step(self, sprite: Sprite) -> bool:
        """One tick of a sprite; returns whether it stays."""

    def entered(self, number: int, interval: int) -> tuple[int, int]:
        """The number and interval of spawns when the weather is entered at once, from those of the table."""
        return number, interval

    def steady_number(self, number: int) -> int:
        """The number of sprites per spawn in the steady phase, from that of the table."""
        return number

    def steady(self) -> None:
        """One tick of the steady phase, before sprites are created."""

    def begin_out(self) -> None:
        """The weather starts to fade out."""

    def wait_for_end(self) -> None:
        """The other parts have faded out; the weather ends when no sprites are left."""


class SpritePart(WeatherPart):
    """The sprites of a weather and the timing of their creation."""

    def __init__(self, motion: SpriteMotion, spawning: Spawning, set_number: int, parallax: Parallax) -> None:
        self._motion = motion
        self._spawning = spawning
        self._set = set_number
        self._parallax = parallax
        self.sprites: list[Sprite] = []
        self._timer = self._number = self._interval = 0

    # --- creation

    def spawn(self, number: int) -> None:
        """Create sprites, at most as many as there are free slots."""
        used = {sprite.slot for sprite in self.sprites}
        free = (slot for slot in range(PLACES) if slot not in used)
        for birth, slot in zip(self._motion.births(number), free, strict=False):
            sprite = birth()
            sprite.slot = slot
            self.sprites.append(sprite)

    def _control(self, number: int, interval: int, target: tuple[int, int], steps: tuple[int, int]) -> None:
        self._number, self._interval = number, interval
        self._target, self._steps = target, steps
        self._spawns = 0
        self._interval_done = self._number_done = False

    def step_in(self) -> bool:
        step, number_step = self._steps
        if reached(self._interval, self._target[1], step):
            self._interval, self._interval_done = self._target[1], True
        if reached(self._number, self._target[0], number_step):
            self._number, self._number_done = self._target[0], True
        self._timer -= 1
        if self._timer <= 0:
            self.spawn(self._number)
            self._timer = self._interval
            self._spawns += 1
            if not self._interval_done:
                self._interval += step
            if not self._number_done and self._spawns >= self._spawning.every:
                self._spawns = 0
                self._number += number_step
        return self._interval_done and self._number_done

    step_out = step_in

    def _advance(self, sprite: Sprite) -> None:
        if sprite.dies or not self._motion.step(sprite):
            self.sprites.remove(sprite)

    # --- phases of the weather

    def begin_in(self, fog: FogChange) -> None:
        table = self._spawning
        target = (table.last_number, table.last_interval)
        self._control(table.number, table.interval, target, (table.interval_step, table.number_step))

    def at_once(self) -> None:
        table = self._spawning
        self._number, self._interval = self._motion.entered(table.last_number, table.last_interval)
        self.spawn(table.at_once)
        older = 0
        for index, sprite in enumerate(self.sprites[: table.at_once]):
            for _ in range(older):
                if sprite in self.sprites:
                    self._advance(sprite)
            if index >= table.older_every and index % table.older_every == 0:
                older += table.older
        self._timer = 0

    def steady(self) -> None:
        self._motion.steady()
        if self._timer <= 0:
            self.spawn(self._motion.steady_number(self._number))
            self._timer = self._interval
        else:
            self._timer -= 1

    def begin_out(self, fog: FogChange) -> None:
        self._motion.begin_out()
        table = self._spawning
        target = (table.out_number, table.out_interval)
        self._control(self._number, self._interval, target, (table.out_interval_step, table.out_number_step))

    def move(self) -> None:
        for sprite in list(self.sprites):
            self._advance(sprite)
        if self._motion.has_parallax:
            x, y = self._parallax.shift
            for sprite in self.sprites:
                sprite.x -= x
                sprite.y -= y
                sprite.wrap()

    def wait_for_end(self) -> None:
        """All other parts of the weather have faded out."""
        self._motion.wait_for_end()

    def states(self, first_slot: int) -> list[SpriteState]:
        """The states of the sprites, with slots counted from `first_slot`."""
        return [
            SpriteState(sprite.x, sprite.y, sprite.frame, self._set, first_slot + sprite.slot)
            for sprite in sorted(self.sprites, key=attrgetter("slot"))
        ]


def reached(value: int, target: int, step: int) -> bool:
    """Whether a value that changes by `step` has reached or passed `target`."""
    return step == 0 or (value >= target if step > 0 else value <= target)
