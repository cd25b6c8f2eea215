"""The sprites of a weather: their places in the list, how they are made, moved and taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.weather_tables import Spawning
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.parallax import Parallax
from mapexplorer.scene.weather.parts import FogChange, WeatherPart
from mapexplorer.scene.weather.state import SpriteState

PLACES: Final = 48
"""Sprites that a weather can have."""
_RIGHT: Final = 319 * ONE
_BOTTOM: Final = 256 * ONE
_OUTSIDE: Final = -64 * ONE


@dataclass(slots=True, eq=False)
class Sprite:
    """A sprite: position (fx32 pixels), frame, and what its kind of motion needs, which gives the names their meaning.

    `dies`: it is taken away in the next tick.
    """

    x: int
    y: int
    frame: int = 0
    drift: int = 0
    fall: int = 0
    life: int = 0
    change: int = 0
    phase: int = 0
    age: int = 0
    wait_x: int = 0
    wait_y: int = 0
    slot: int = 0
    dies: bool = False

    def move(self, x: int, y: int) -> None:
        """Move by whole pixels."""
        self.x += x * ONE
        self.y += y * ONE

    def wrap(self) -> None:
        """Bring the position back to the area that sprites live in."""
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
    """A sprite at whole pixels, brought into the area."""
    sprite = Sprite(x * ONE, y * ONE, frame, drift, fall, life, change, phase)
    sprite.wrap()
    return sprite


class SpriteMotion:
    """How the sprites of a weather are made and move."""

    has_parallax = True

    def __init__(self, random: MersenneTwister) -> None:
        self.random = random

    def births(self, number: int) -> list[Callable[[], Sprite]]:
        """What makes the sprites of a spawn of `number`."""
        return [self.birth] * number

    def birth(self) -> Sprite:
        """A new sprite."""
        raise NotImplementedError

    def step(self, sprite: Sprite) -> bool:
        """A tick of a sprite; whether it stays."""
        raise NotImplementedError

    def steady(self) -> None:
        """A tick of the weather while it is there, before its sprites are made."""

    def begin_out(self) -> None:
        """The weather begins to fade out."""

    def wait_for_end(self) -> None:
        """All else of the weather has faded out; the sprites that are left are waited for."""

    def entered(self, number: int, interval: int) -> tuple[int, int]:
        """Number and interval of a weather that is entered at once, from those of the table."""
        return number, interval

    def steady_number(self, number: int) -> int:
        """How many sprites are made at a time while the weather is there, from the number of the table."""
        return number


class SpritePart(WeatherPart):
    """The sprites of a weather and when they are made."""

    def __init__(self, motion: SpriteMotion, spawning: Spawning, set_number: int, parallax: Parallax) -> None:
        self._motion = motion
        self._spawning = spawning
        self._set = set_number
        self._parallax = parallax
        self.sprites: list[Sprite] = []
        self._timer = 0
        self._number = self._interval = 0
        self._target = (0, 0)
        self._steps = (0, 0)
        self._spawns = 0
        self._interval_done = self._number_done = False

    # --- making

    def spawn(self, number: int) -> None:
        """Make sprites, as many as there is room for."""
        used = {sprite.slot for sprite in self.sprites}
        for birth in self._motion.births(number):
            slot = next((slot for slot in range(PLACES) if slot not in used), None)
            if slot is None:
                return
            sprite = birth()
            sprite.slot = slot
            used.add(slot)
            self.sprites.append(sprite)

    def _control(self, number: int, interval: int, target: tuple[int, int], steps: tuple[int, int]) -> None:
        self._number, self._interval = number, interval
        self._target, self._steps = target, steps
        self._spawns = 0
        self._interval_done = self._number_done = False

    def _step_control(self) -> bool:
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

    def _advance(self, sprite: Sprite) -> None:
        if sprite.dies or not self._motion.step(sprite):
            self.sprites.remove(sprite)

    # --- the life of the weather

    def begin_in(self, fog: FogChange) -> None:
        table = self._spawning
        target = (table.last_number, table.last_interval)
        self._control(table.number, table.interval, target, (table.interval_step, table.number_step))

    def step_in(self) -> bool:
        return self._step_control()

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

    def step_out(self) -> bool:
        return self._step_control()

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
        """All else of the weather has faded out."""
        self._motion.wait_for_end()

    def states(self, first_slot: int) -> list[SpriteState]:
        """The sprites as they are shown, the places in the list counted from `first_slot`."""
        return [
            SpriteState(sprite.x, sprite.y, sprite.frame, self._set, first_slot + sprite.slot)
            for sprite in sorted(self.sprites, key=lambda sprite: sprite.slot)
        ]


def reached(value: int, target: int, step: int) -> bool:
    """Whether a value that goes to `target` by `step` is there or beyond."""
    return step == 0 or (value >= target if step > 0 else value <= target)
