"""Which frame of its sequence a map object shows, chosen tick by tick from where it looks and how it moves.

The animation files of objects are frame sequences; an animation is a part of one. Frames are fx32. Each renderer of
the game is a class here, named as in the tables. Source: the Platinum field code.
"""

from __future__ import annotations

from typing import Final, Protocol

from formats.fixed import ONE
from mapexplorer.games.map_object_tables import Animation, ObjectGraphics
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.direction import EAST, SOUTH, WEST

STANDING: Final = 0
RUNNING: Final = 9
HOPPING: Final = 10
"""Movement codes with pictures of their own."""

_SLOW: Final = (1, 2)
_STEP_FRAMES: Final = 8
_RUN_FRAMES: Final = 4
_RUN: Final = 4
_HALF: Final = ONE // 2
_SPEEDS: Final = {1: _HALF, 2: _HALF, 3: ONE, 4: 2 * ONE, 5: 4 * ONE}
_PATTERNS: Final = {6: (1, 1, 2, 1, 1, 2), 7: (3, 2, 3), 8: (2, 1, 1, 1, 1, 1, 1)}
_BICYCLE_STANDING: Final = 6
_BOW: Final = 4
_ROD_FRAMES: Final = 15
_BITE_FRAMES: Final = 5
_BITE_WAIT: Final = 30
_HOVER: Final = (
    0, 0x800, 0x1000, 0x2000, 0x4000, 0x5800, 0x7000, 0x8000, 0x7800, 0x6800, 0x5000, 0x3000, 0x2000, 0x1000, 0x800, 0,
)  # fmt: skip
"""The height above the ground of what hovers, fx32, two ticks each."""
_RESTS: Final = 16
_SWIMS: Final = 32


class Drawn(Protocol):
    """What a picture follows of its object."""

    facing: int
    code: int
    jump: int
    pictures_paused: bool


class Picture:
    """The animation and frame of an object. `offset` (fx32) is how far the picture stands beside the object, `alpha`
    its opacity of 31. Without more, it stays on its first frame for ever."""

    __slots__ = ("alpha", "animation", "animations", "finished", "frame", "offset", "shown")

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom | None = None) -> None:
        """`random`: what a picture draws lots from, if it does."""
        self.animations = animations
        self.animation = 0
        self.frame = animations[0].first * ONE
        self.finished = False
        self.shown = True
        self.offset = (0, 0, 0)
        self.alpha = 31

    def draw(self, mover: Drawn) -> None:
        """The picture of this tick."""

    def start(self, animation: int) -> None:
        """Begin an animation."""
        self.animation = animation
        self.frame = self.animations[animation].first * ONE
        self.finished = False

    def advance(self, by: int) -> None:
        """Go on by fx32 frames. Who is beyond the animation goes to its beginning first."""
        first, last, once = self.animations[self.animation]
        if not first * ONE <= self.frame <= last * ONE:
            self.frame = first * ONE
        elif self.frame + by > last * ONE:
            self.frame = (last if once else first) * ONE
            self.finished = once
        else:
            self.frame += by

    def within(self, multiple: int) -> int:
        """The frame since the animation's first, rounded down to a multiple."""
        return max(0, self.frame // ONE - self.animations[self.animation].first) // multiple * multiple

    def set_within(self, animation: int, frame: int) -> None:
        """Show a frame of an animation."""
        self.animation = animation
        self.frame = (self.animations[animation].first + frame) * ONE


class Walker(Picture):
    """An animation for each direction, as fast as it walks; who stands ends the step."""

    __slots__ = ("code", "facing", "turn")

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.facing = -1
        self.code = STANDING
        self.turn = 0

    def draw(self, mover: Drawn) -> None:
        changed = mover.facing != self.facing
        if changed or mover.code != self.code:
            self.turn = 0
        if self.show(mover, changed):
            self.code = mover.code
        self.facing = mover.facing

    def show(self, mover: Drawn, changed: bool) -> bool:
        """The picture of the movement code; False: the code counts as new in the next tick too."""
        if changed:
            self.start(mover.facing)
        if mover.code == STANDING:
            if not changed:
                self.set_within(self.animation, self.within(_STEP_FRAMES))
        elif not mover.pictures_paused:
            self.advance(self.speed(mover.code))
        return True

    def speed(self, code: int) -> int:
        """By how much a movement code goes on in this tick."""
        pattern = _PATTERNS.get(code)
        if pattern is None:
            return _SPEEDS.get(code, 0)
        frames = pattern[self.turn]
        self.turn = (self.turn + 1) % len(pattern)
        return frames * ONE


class Player(Walker):
    """A walker who runs in animations of its own, and waits a tick before standing still."""

    __slots__ = ("waited",)

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.waited = False

    def show(self, mover: Drawn, changed: bool) -> bool:
        if mover.code == RUNNING:
            if changed:
                self.start(_RUN + mover.facing)
            elif self.code != RUNNING:
                self.set_within(_RUN + mover.facing, self.within(_RUN_FRAMES))
            if not mover.pictures_paused:
                self.advance(ONE)
            return True
        if self.code == RUNNING and not changed:
            if mover.code == STANDING and not self.waited:
                self.waited = True
                return False
            self.set_within(mover.facing, self.within(_STEP_FRAMES))
        self.waited = False
        return super().show(mover, changed)


class Bicycle(Walker):
    """A rider: animations of riding, of hopping and of standing with a foot on the ground."""

    __slots__ = ("waited",)

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.waited = False

    def show(self, mover: Drawn, changed: bool) -> bool:
        if mover.code == STANDING:
            return self._stand(mover.facing, changed)
        if mover.code in (RUNNING, HOPPING):
            self.waited = False
            if mover.code == RUNNING or changed or self.code != HOPPING:
                self.start(_RUN + mover.facing % 2)
            self.advance(_HALF if mover.code == RUNNING else ONE)
            return True
        if changed:
            self.waited &= mover.code in _SLOW
        elif self.code == STANDING or self.waited:
            self.waited = False
            self.start(mover.facing)
        elif self.code in (RUNNING, HOPPING):
            self.set_within(mover.facing, self.within(_STEP_FRAMES))
        return super().show(mover, changed)

    def _stand(self, facing: int, changed: bool) -> bool:
        if changed or self.waited:
            self.waited = False
            self.start(_BICYCLE_STANDING + facing)
        elif self.code != STANDING:
            self.waited = True
            return False
        else:
            self.advance(ONE)
        return True


class Nurse(Walker):
    """A walker who bows with the code of running."""

    def show(self, mover: Drawn, changed: bool) -> bool:
        if mover.code == RUNNING:
            if self.code != RUNNING:
                self.start(_BOW)
            self.advance(ONE)
            return True
        if self.code == RUNNING:
            self.start(mover.facing)
        return super().show(mover, changed)


class Starly(Picture):
    """It flies north and south, or to the sides; standing it holds the first frame."""

    __slots__ = ("code",)

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.code = STANDING

    def draw(self, mover: Drawn) -> None:
        animation = int(mover.facing >= WEST)
        if mover.code == self.code == STANDING or animation != self.animation:
            self.start(animation)
        self.code = mover.code
        if mover.code != STANDING:
            self.advance(ONE)


class Looping(Picture):
    """One animation without end."""

    def draw(self, mover: Drawn) -> None:
        if not mover.pictures_paused:
            self.advance(ONE)


class LoopingTwice(Picture):
    """One animation without end, twice as fast."""

    def draw(self, mover: Drawn) -> None:
        self.advance(ONE)
        self.advance(ONE)


class LoopingLater(Looping):
    """One animation without end, which begins a tick after the object was made."""

    __slots__ = ("_made",)

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self._made = self.shown = False

    def draw(self, mover: Drawn) -> None:
        self.shown = self._made
        if self._made:
            self.advance(ONE)
        self._made = True


class LoopingAbove(LoopingLater):
    """As that, 24 units above the ground."""

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.offset = (0, 24 * ONE, 0)


class Hovering(Looping):
    """One animation without end, floating up and down until a jump ends that."""

    __slots__ = ("_height", "_ticks")

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self._ticks = self._height = 0

    def draw(self, mover: Drawn) -> None:
        if mover.jump == self._height:
            mover.jump = self._height = _HOVER[self._ticks // 2 % len(_HOVER)]
            self._ticks += 1
        super().draw(mover)


class FadingIn(Looping):
    """One animation without end, which becomes opaque by and by."""

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.alpha = 0

    def draw(self, mover: Drawn) -> None:
        self.alpha = min(31, self.alpha + 1)
        super().draw(mover)


class Magikarp(Picture):
    """It rests for a while that is drawn by lot, then moves its fins once through."""

    __slots__ = ("_random", "_rest", "_swims")

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self._random = random
        self._swims = 0
        self._rest = random.next() % _RESTS

    def draw(self, mover: Drawn) -> None:
        if self._rest:
            self._rest -= 1
            return
        self.advance(ONE)
        self._swims += 1
        if self._swims == _SWIMS:
            self._swims, self._rest = 0, self._random.next() % _RESTS


class Pose(Picture):
    """One animation, once."""

    def draw(self, mover: Drawn) -> None:
        self.advance(ONE)


class Spray(Picture):
    """One animation while standing, another while moving."""

    _STANDS, _MOVES = 1, 0

    def draw(self, mover: Drawn) -> None:
        animation = self._STANDS if mover.code == STANDING else self._MOVES
        if animation != self.animation:
            self.start(animation)
        self.advance(ONE)


class Healing(Spray):
    """As spraying, the other way round."""

    _STANDS, _MOVES = 0, 1


class Poketch(Picture):
    """An animation for each direction, once."""

    __slots__ = ("facing",)

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.facing = -1

    def draw(self, mover: Drawn) -> None:
        if mover.facing != self.facing:
            self.facing = mover.facing
            self.start(mover.facing)
        self.advance(ONE)


class Surfing(Picture):
    """The first frame of an animation for each direction."""

    def draw(self, mover: Drawn) -> None:
        self.start(mover.facing)


class Fishing(Picture):
    """An animation for each direction: taking the rod in (codes 0 and 3), throwing it out (1), waiting (2)."""

    __slots__ = ("code", "facing", "ticks")

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self.facing = self.code = -1
        self.ticks = 0

    def draw(self, mover: Drawn) -> None:
        changed = mover.facing != self.facing or mover.code != self.code
        self.facing, self.code = mover.facing, mover.code
        if changed:
            self.ticks = 0
            self.set_within(mover.facing, 0 if mover.code == 1 else _ROD_FRAMES)
        self.ticks += 1
        if mover.code == 1:
            self.advance(ONE)
        elif mover.code == 2:
            turn = (self.ticks - 1) % (2 * _BITE_FRAMES + _BITE_WAIT)
            self.set_within(mover.facing, _ROD_FRAMES - max(0, _BITE_FRAMES - abs(_BITE_FRAMES - turn)))
        else:
            self.set_within(mover.facing, max(0, self.within(1) - 1))
        self.offset = self._shift()

    def _shift(self) -> tuple[int, int, int]:
        """How far the picture stands beside the object, so that the player stays where the rod moves."""
        frame = self.frame // ONE
        if self.facing == WEST:
            return ((1 if frame < 40 else -5) * ONE, 0, 0)
        if self.facing == EAST:
            return ((-1 if frame < 56 else 5) * ONE, 0, 0)
        return (0, 0, 6 * ONE if self.facing == SOUTH and frame >= 24 else 0)


RENDERERS: Final[dict[str, type[Picture]]] = {
    "still": Picture,
    "walker": Walker,
    "player": Player,
    "nurse": Nurse,
    "magikarp": Magikarp,
    "looping": Looping,
    "looping twice": LoopingTwice,
    "berry tree": LoopingLater,
    "looping above": LoopingAbove,
    "hovering": Hovering,
    "fading in": FadingIn,
    "player bicycle": Bicycle,
    "player pose": Pose,
    "player spray": Spray,
    "player healing": Healing,
    "player poketch": Poketch,
    "player surfing": Surfing,
    "player fishing": Fishing,
    "starly": Starly,
}


def picture_of(graphics: ObjectGraphics, random: SmallRandom) -> Picture | None:
    """The picture of an object with some graphics; None for one that is no billboard."""
    renderer = RENDERERS.get(graphics.draws)
    return None if renderer is None or not graphics.animations else renderer(graphics.animations, random)
