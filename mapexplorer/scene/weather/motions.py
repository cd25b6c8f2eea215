"""The sprites of each weather: rain, snow, ash, sand, dust and spirits.

The numbers are those of the game's program, and random numbers are generated in its order. Positions and speeds are
whole pixels.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Final

from formats.fixed import truncated
from mapexplorer.scene.weather.counters import remainder
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.sprites import Sprite, SpriteMotion, at

_SPLASH: Final = 3
"""Frame of a raindrop that has hit the ground."""


class Rain(SpriteMotion):
    """Drops in three sizes that fall, then splash or end."""

    vanishing = 7
    """Out of ten drops."""

    def birth(self) -> Sprite:
        value = self.random.next()
        frame, extra = value % 3, value % 20
        fall = 10 * (frame + 1) + extra + (10 if frame == 2 else 0)
        drift = -5 * (frame + 1) - extra // 5 - (5 if frame == 2 else 0)
        return at(15 * frame + value % 270, -96, frame, drift=drift, fall=fall, life=1 + value % 3)

    def step(self, sprite: Sprite) -> bool:
        if sprite.frame == _SPLASH:
            if sprite.age <= 0:
                sprite.dies = True
            sprite.age -= 1
            return True
        sprite.move(2 * sprite.drift, 2 * sprite.fall)
        sprite.age += 2
        if sprite.age > sprite.life:
            if self.random.below(10) < self.vanishing:
                sprite.dies = True
            else:
                sprite.frame, sprite.age = _SPLASH, 4
        sprite.wrap()
        return True


class HeavyRain(Rain):
    """Drops whose speed changes with gusts."""

    vanishing = 5
    _tick = 0

    def steady(self) -> None:
        self._tick = (self._tick + 1) % 300

    def birth(self) -> Sprite:
        gust = (1, 1, 2, 1, 3)[self._tick // 60]
        value = self.random.next()
        frame = value % 3
        speed = 24 * (frame + 1) * gust
        return at(value % 512, -80 + value % 48, frame, drift=-speed, fall=speed, life=value % 4 // gust)


def _is_out(sprite: Sprite) -> bool:
    """Whether a flake has left the area at the top or bottom."""
    y = sprite.y >> 12
    return -296 < y < -284 or 212 < y < 232


class Flakes(SpriteMotion):
    """The base of snow and ash: a flake that has left the area is replaced, and from then on each spawn makes two for
    one."""

    _gone = False
    _fading = False

    def births(self, number: int) -> list[Callable[[], Sprite]]:
        if not self._gone:
            return [self.birth] * number
        return [self.birth] * number + [partial(self.flake, -40)] * number

    def birth(self) -> Sprite:
        return self.flake(-8)

    @abstractmethod
    def flake(self, y: int) -> Sprite:
        """A new flake, at most 19 pixels above `y`."""


class Snow(Flakes):
    """Flakes that move to and fro while they fall."""

    def wait_for_end(self) -> None:
        self._fading = True

    def flake(self, y: int) -> Sprite:
        frame = self.random.below(4)
        value = self.random.signed()
        stay, side = 4 + remainder(value, 60), 1 if value % 2 == 0 else -1
        wait, fall = 4 + self.random.below(2), 1 + self.random.below(2)
        x = -32 + self.random.below(414)
        return at(x, y - self.random.below(20), frame, life=stay, drift=side, change=wait, fall=fall, phase=10)

    def step(self, sprite: Sprite) -> bool:
        if sprite.wait_x >= sprite.change:
            sprite.move(sprite.drift, 0)
            sprite.phase += 1
            sprite.wait_x = 0
            sprite.change += -1 if sprite.phase < 10 else 1
            if sprite.phase >= 20:
                sprite.phase = 0
                sprite.drift = -sprite.drift
        if sprite.wait_y >= sprite.fall:
            sprite.move(0, 1)
            sprite.wait_y = 0
        sprite.wrap()
        sprite.wait_x += 1
        sprite.wait_y += 1
        if _is_out(sprite):
            self._gone = True
            return False
        if self._fading:
            sprite.life -= 1
            return sprite.life >= 0
        return True


class HeavySnow(SpriteMotion):
    """Flakes that fall diagonally, with changing speed."""

    _births = 0

    def birth(self) -> Sprite:
        self._births = (self._births + 1) % 800
        life = 4 + self.random.below(42)
        frame = (life - 4) // 15
        x = -20 + 20 * frame + self.random.below(420)
        wind = (16, 32, 16, 10)[self._births // 200]
        return at(x, -8, frame, life=life, drift=-(frame + 1), fall=2 * (frame + 1), change=wind)

    def step(self, sprite: Sprite) -> bool:
        sprite.fly()
        if sprite.age % sprite.change == 0:
            sprite.slow(-1)
        return True


class Blizzard(SpriteMotion):
    """Flakes whose speed changes with gusts."""

    has_parallax = False
    _calls = 0

    def births(self, number: int) -> list[Callable[[], Sprite]]:
        self._calls = (self._calls + 1) % 2048
        return [self.birth] * (4 * number)

    @property
    def gust(self) -> int:
        """The kind of the present gust."""
        return (-4, -6, -8, -10)[self._calls // 512]

    def steady_number(self, number: int) -> int:
        return 2 * number if self.gust <= -8 else number

    def birth(self) -> Sprite:
        drive, fall = self.gust, (2, 4, 2, 4)[self._calls // 512]
        life = 18 + self.random.below(6)
        frame = self.random.below(4)
        times = frame + 1 + (frame == 3)
        x = 256 + self.random.below(24)
        y = -32 + self.random.below(168)
        return at(x, y, frame, life=life, drift=drive * times, fall=fall * times, change=drive)

    def step(self, sprite: Sprite) -> bool:
        sprite.fly()
        if sprite.age % 4 == 0:
            sprite.slow(sprite.change)
        return True


class Ash(Flakes):
    """Flakes that fall slowly."""

    def begin_out(self) -> None:
        self._fading = True

    def flake(self, y: int) -> Sprite:
        frame = self.random.below(4)
        self.random.next()
        self.random.next()
        stay = 10 + self.random.below(20)
        return at(-32 + self.random.below(414), y - self.random.below(20), frame, life=stay)

    def step(self, sprite: Sprite) -> bool:
        if sprite.wait_y >= 1:
            sprite.move(0, 1)
            sprite.wait_y = 0
            sprite.wrap()
        sprite.wait_y += 1
        if self._fading:
            sprite.life -= 1
        if _is_out(sprite) or (self._fading and sprite.life <= 0):
            self._gone = True
            return False
        return True


class Sand(SpriteMotion):
    """Grains whose speed changes with gusts. `storms`: twice as many in stronger gusts."""

    def __init__(self, random: MersenneTwister, *, storms: bool = False) -> None:
        super().__init__(random)
        self._calls = 0
        self._storms = storms

    def births(self, number: int) -> list[Callable[[], Sprite]]:
        self._calls = (self._calls + 1) % 320
        return [self.birth] * number

    def steady_number(self, number: int) -> int:
        gust = (-3, -5, -5, -3, -5, -6, -10, -6)[self._calls // 40]
        return 2 * number if self._storms and gust <= -6 else number

    def birth(self) -> Sprite:
        gust = self._calls // 40
        drive, fall = (-3, -5, -5, -4, -5, -6, -10, -6)[gust], (2, 2, 2, 4, 4, 2, 2, 2)[gust]
        life = 15 + self.random.below(20)
        frame = 3 - (life - 15) // 6
        fall, drift = fall * (frame + 1), drive * (frame + 1)
        if self.random.below(1000) == 777:
            frame = 4
            fall += fall // 2
        x = 262 + self.random.below(24)
        return at(x, -64 + self.random.below(192), frame, life=life, drift=drift, fall=fall, change=drive)

    def step(self, sprite: Sprite) -> bool:
        sprite.fly()
        if sprite.age % 5 == 1:
            sprite.drift += sprite.change
        return True


class Dust(SpriteMotion):
    """Still glints, most of them in a band across the screen."""

    def birth(self) -> Sprite:
        life = 7 + self.random.below(5)
        for _ in range(3):
            self.random.next()  # a speed that the game computes but does not store
        frame = self.random.below(20)
        x = -64 + self.random.below(384)
        y = -8 + self.random.below(256)
        sprite = at(x, y, frame, life=life)
        x, y = sprite.x >> 12, sprite.y >> 12
        top = 50 - truncated(x, 3)
        height = 206 - truncated(x, 3)
        bottom = top - self.random.below(-height) if height < 0 else top + self.random.below(height)
        if top <= y <= bottom:
            sprite.life *= 2
        else:
            sprite.frame = self.random.below(4)
        return sprite

    def step(self, sprite: Sprite) -> bool:
        sprite.age += 1
        return sprite.age < sprite.life


class Spirits(SpriteMotion):
    """Rising lights."""

    def entered(self, number: int, interval: int) -> tuple[int, int]:
        return 1, 4  # an error of the game: not the numbers of the table

    def birth(self) -> Sprite:
        frame = self.random.below(14)
        speed = frame // 4 + 1
        rise = (8 + self.random.below(25)) * speed
        wobble = 2 if self.random.below(2) == 0 else -2
        x = -128 + self.random.below(512)
        top, room = ((8, 192), (8, 192), (64, 128), (160, 32))[speed - 1]
        return at(x, top + self.random.below(room), frame, life=rise, fall=16 // speed, drift=wobble)

    def step(self, sprite: Sprite) -> bool:
        sprite.phase += sprite.fall
        if sprite.life > 0:
            sprite.life -= 1
            sprite.move(0, -truncated(sprite.phase, 100))
        else:
            sprite.move(0, -truncated(sprite.phase, 50))
        sprite.move(sprite.drift, 0)
        sprite.drift = -sprite.drift
        sprite.wrap()
        return sprite.y >> 12 > -16


MOTIONS: Final[dict[int, Callable[[MersenneTwister], SpriteMotion]]] = {
    2: Rain,
    3: HeavyRain,
    4: HeavyRain,
    5: Snow,
    6: HeavySnow,
    7: Blizzard,
    9: Ash,
    10: partial(Sand, storms=True),
    11: Dust,
    12: Spirits,
    21: HeavySnow,
    22: Sand,
}
"""By weather id."""
