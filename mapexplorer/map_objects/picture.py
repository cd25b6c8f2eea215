"""Which frame of its sequence a map object shows, chosen tick by tick from where it looks and how it moves.

The animation files of objects are frame sequences; an animation is a part of one. Frames are fx32. Each renderer of
the game is a class here, named as in the tables. Source: the Platinum field code.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.games.map_object_tables import FX, Animation, ObjectGraphics
from mapexplorer.map_objects.small_random import SmallRandom

STANDING: Final = 0
RUNNING: Final = 9
HOPPING: Final = 10
"""Movement codes with pictures of their own."""

_STEP_FRAMES: Final = 8
_RUN_FRAMES: Final = 4
_RUN: Final = 4
_HALF: Final = FX // 2
_SPEEDS: Final = {1: _HALF, 2: _HALF, 3: FX, 4: 2 * FX, 5: 4 * FX}
_PATTERNS: Final = {6: (1, 1, 2, 1, 1, 2), 7: (3, 2, 3), 8: (2, 1, 1, 1, 1, 1, 1)}
_RESTS: Final = 16
_SWIMS: Final = 32


class Picture:
    """The animation and frame of an object. `offset` (fx32) is how far the picture stands beside the object, `alpha`
    its opacity of 31. Without more, it stays on its first frame for ever."""

    __slots__ = ("alpha", "animation", "animations", "finished", "frame", "offset")

    def __init__(self, animations: tuple[Animation, ...], facing: int, random: SmallRandom) -> None:
        self.animations = animations
        self.animation = 0
        self.frame = animations[0].first * FX
        self.finished = False
        self.offset = (0, 0, 0)
        self.alpha = 31

    def draw(self, facing: int, code: int, paused: bool) -> None:
        """One tick of an object that looks to `facing` and moves with a movement code."""

    def start(self, animation: int) -> None:
        """Begin an animation."""
        self.animation = animation
        self.frame = self.animations[animation].first * FX
        self.finished = False

    def advance(self, by: int) -> None:
        """Go on by fx32 frames. Who is beyond the animation goes to its beginning first."""
        first, last, once = self.animations[self.animation]
        if not first * FX <= self.frame <= last * FX:
            self.frame = first * FX
        elif self.frame + by > last * FX:
            self.frame = (last if once else first) * FX
            self.finished = once
        else:
            self.frame += by

    def within(self, multiple: int) -> int:
        """The frame since the animation's first, rounded down to a multiple."""
        return max(0, self.frame // FX - self.animations[self.animation].first) // multiple * multiple

    def set_within(self, animation: int, frame: int) -> None:
        """Show a frame of an animation."""
        self.animation = animation
        self.frame = (self.animations[animation].first + frame) * FX


class Walker(Picture):
    """An animation for each direction, as fast as it walks; who stands ends the step."""

    __slots__ = ("code", "facing", "turn")

    def __init__(self, animations: tuple[Animation, ...], facing: int, random: SmallRandom) -> None:
        super().__init__(animations, facing, random)
        self.facing = -1
        self.code = 0
        self.turn = 0

    def draw(self, facing: int, code: int, paused: bool) -> None:
        changed = facing != self.facing
        if changed:
            self.start(facing)
        if changed or code != self.code:
            self.turn = 0
        self.show(facing, code, paused, changed)
        self.facing, self.code = facing, code

    def show(self, facing: int, code: int, paused: bool, changed: bool) -> None:
        """The picture of a movement code in the animation of the direction."""
        if code == STANDING:
            if not changed:
                self.set_within(self.animation, self.within(_STEP_FRAMES))
        elif not paused:
            self.advance(self.speed(code))

    def speed(self, code: int) -> int:
        """By how much a movement code goes on in this tick."""
        pattern = _PATTERNS.get(code)
        if pattern is None:
            return _SPEEDS.get(code, 0)
        frames = pattern[self.turn]
        self.turn = (self.turn + 1) % len(pattern)
        return frames * FX


class Player(Walker):
    """A walker who runs in animations of its own."""

    __slots__ = ("waited",)

    def __init__(self, animations: tuple[Animation, ...], facing: int, random: SmallRandom) -> None:
        super().__init__(animations, facing, random)
        self.waited = False

    def show(self, facing: int, code: int, paused: bool, changed: bool) -> None:
        if code == RUNNING:
            if changed:
                self.start(_RUN + facing)
            elif self.code != RUNNING:
                self.set_within(_RUN + facing, self.within(_RUN_FRAMES))
            if not paused:
                self.advance(FX)
            return
        if self.code == RUNNING and not changed:
            self.set_within(facing, self.within(_STEP_FRAMES))
        super().show(facing, code, paused, changed)


class Nurse(Walker):
    """A walker who bows with the code of running."""

    def show(self, facing: int, code: int, paused: bool, changed: bool) -> None:
        if code == RUNNING:
            if self.code != RUNNING:
                self.start(4)
            self.advance(FX)
            return
        if self.code == RUNNING:
            self.start(facing)
        super().show(facing, code, paused, changed)


class Looping(Picture):
    """One animation without end."""

    def draw(self, facing: int, code: int, paused: bool) -> None:
        self.advance(FX)


class LoopingTwice(Picture):
    """One animation without end, twice as fast."""

    def draw(self, facing: int, code: int, paused: bool) -> None:
        self.advance(FX)
        self.advance(FX)


class LoopingAbove(Looping):
    """One animation without end, 24 units above the ground."""

    def __init__(self, animations: tuple[Animation, ...], facing: int, random: SmallRandom) -> None:
        super().__init__(animations, facing, random)
        self.offset = (0, 24 * FX, 0)


class Magikarp(Picture):
    """It rests for a while that is drawn by lot, then moves its fins once through."""

    __slots__ = ("_random", "_rest", "_swims")

    def __init__(self, animations: tuple[Animation, ...], facing: int, random: SmallRandom) -> None:
        super().__init__(animations, facing, random)
        self._random = random
        self._swims = 0
        self._rest = random.next() % _RESTS

    def draw(self, facing: int, code: int, paused: bool) -> None:
        if self._rest:
            self._rest -= 1
            return
        self.advance(FX)
        self._swims += 1
        if self._swims == _SWIMS:
            self._swims, self._rest = 0, self._random.next() % _RESTS


RENDERERS: Final[dict[str, type[Picture]]] = {
    "still": Picture,
    "walker": Walker,
    "player": Player,
    "nurse": Nurse,
    "magikarp": Magikarp,
    "looping": Looping,
    "looping twice": LoopingTwice,
    "looping above": LoopingAbove,
}


def picture_of(graphics: ObjectGraphics, facing: int, random: SmallRandom) -> Picture | None:
    """The picture of an object with some graphics; None for one that is no billboard."""
    renderer = RENDERERS.get(graphics.draws)
    return None if renderer is None or not graphics.animations else renderer(graphics.animations, facing, random)
