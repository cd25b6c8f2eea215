"""The frame of its sequence that a map object shows, updated each tick from its direction and movement code.

The animation files of objects are frame sequences; an animation is a range of one. Frames are fx32. Each class is a
renderer of the game, named as in the tables. Source: the Platinum field code.
"""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from formats.fixed import ONE, Vector
from mapexplorer.games.map_object_tables import Animation
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.direction import WEST

STANDING: Final = 0
RUNNING: Final = 9
HOPPING: Final = 10
"""Movement codes with their own animations or speeds."""

STEP_FRAMES: Final = 8
HALF: Final = ONE // 2
_SPEEDS: Final = {1: HALF, 2: HALF, 3: ONE, 4: 2 * ONE, 5: 4 * ONE}
_PATTERNS: Final = {6: (1, 1, 2, 1, 1, 2), 7: (3, 2, 3), 8: (2, 1, 1, 1, 1, 1, 1)}
_BOW: Final = 4
_HOVER: Final = (
    0, 0x800, 0x1000, 0x2000, 0x4000, 0x5800, 0x7000, 0x8000, 0x7800, 0x6800, 0x5000, 0x3000, 0x2000, 0x1000, 0x800, 0,
)  # fmt: skip
"""Heights above the ground of a hovering picture, fx32, two ticks each."""
_RESTS: Final = 16
_SWIMS: Final = 32


class Drawn(Protocol):
    """The properties of an object that its picture depends on."""

    facing: int
    code: int
    jump: int
    pictures_paused: bool


class ObjectPicture:
    """The animation and frame of an object. `offset` (fx32) is the picture's offset from the object, `alpha` its
    opacity 0..31. This class itself always shows the first frame."""

    rests: ClassVar[bool] = True
    """Whether it does not change while its object stands still."""

    animation = 0
    finished = False
    shown = True
    offset: Vector = (0, 0, 0)
    alpha = 31

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom | None = None) -> None:
        """`random`: the random generator of pictures that use one."""
        self.animations = animations
        self.frame = animations[0].first * ONE
        self.random = random or SmallRandom()

    def draw(self, mover: Drawn) -> None:
        """Update the picture for this tick."""

    def start(self, animation: int) -> None:
        """Start an animation at its first frame."""
        self.animation = animation
        self.frame = self.animations[animation].first * ONE
        self.finished = False

    def advance(self, by: int) -> None:
        """Advance by fx32 frames. A frame outside the animation is first set to its beginning."""
        first, last, once = self.animations[self.animation]
        if not first * ONE <= self.frame <= last * ONE:
            self.frame = first * ONE
        elif self.frame + by > last * ONE:
            self.frame = (last if once else first) * ONE
            self.finished = once
        else:
            self.frame += by

    def within(self, multiple: int) -> int:
        """The number of frames since the animation's first one, rounded down to a multiple of `multiple`."""
        return max(0, self.frame // ONE - self.animations[self.animation].first) // multiple * multiple

    def set_within(self, animation: int, frame: int) -> None:
        """Show frame `frame` of an animation."""
        self.animation = animation
        self.frame = (self.animations[animation].first + frame) * ONE


class WalkerPicture(ObjectPicture):
    """An animation for each direction, at the speed of the movement code. Standing shows the first frame of the present
    step."""

    facing = -1
    code = STANDING
    turn = 0

    def draw(self, mover: Drawn) -> None:
        changed = mover.facing != self.facing
        if changed or mover.code != self.code:
            self.turn = 0
        if self.show(mover, changed):
            self.code = mover.code
        self.facing = mover.facing

    def show(self, mover: Drawn, changed: bool) -> bool:
        """Update the picture by the movement code. False: the code counts as changed in the next tick too."""
        if changed:
            self.start(mover.facing)
        if mover.code == STANDING:
            if not changed:
                self.set_within(self.animation, self.within(STEP_FRAMES))
        elif not mover.pictures_paused:
            self.advance(self.speed(mover.code))
        return True

    def speed(self, code: int) -> int:
        """The fx32 frames by which a movement code advances in this tick."""
        pattern = _PATTERNS.get(code)
        if pattern is None:
            return _SPEEDS.get(code, 0)
        frames = pattern[self.turn]
        self.turn = (self.turn + 1) % len(pattern)
        return frames * ONE


class Nurse(WalkerPicture):
    """A walker with a bow animation for the movement code of running."""

    def show(self, mover: Drawn, changed: bool) -> bool:
        if mover.code == RUNNING:
            if self.code != RUNNING:
                self.start(_BOW)
            self.advance(ONE)
            return True
        if self.code == RUNNING:
            self.start(mover.facing)
        return super().show(mover, changed)


class Starly(ObjectPicture):
    """One animation for north and south, one for west and east; while standing, the first frame."""

    rests = False

    code = STANDING

    def draw(self, mover: Drawn) -> None:
        animation = int(mover.facing >= WEST)
        if mover.code == self.code == STANDING or animation != self.animation:
            self.start(animation)
        self.code = mover.code
        if mover.code != STANDING:
            self.advance(ONE)


class Playing(ObjectPicture):
    """One animation, played to its end or endlessly, by `frames` a tick, `above` the ground (fx32).

    `pauses`: it stands still while pictures are paused; `late`: it starts one tick after the object was created, and
    before, nothing is shown.
    """

    rests = False

    def __init__(
        self,
        animations: tuple[Animation, ...],
        random: SmallRandom | None = None,
        *,
        frames: int = 1,
        above: int = 0,
        pauses: bool = False,
        late: bool = False,
    ) -> None:
        super().__init__(animations, random)
        self.offset = (0, above, 0)
        self.shown = not late
        self._frames = frames
        self._pauses = pauses
        self._late = late

    def draw(self, mover: Drawn) -> None:
        self.shown, self._late = not self._late, False
        if self.shown and not (self._pauses and mover.pictures_paused):
            for _ in range(self._frames):
                self.advance(ONE)


class Hovering(Playing):
    """One endless animation that moves up and down, until a jump changes the height."""

    _ticks = 0
    _height = 0

    def draw(self, mover: Drawn) -> None:
        if mover.jump == self._height:
            mover.jump = self._height = _HOVER[self._ticks // 2 % len(_HOVER)]
            self._ticks += 1
        super().draw(mover)


class FadingIn(Playing):
    """One endless animation whose alpha increases by 1 per tick."""

    alpha = 0

    def draw(self, mover: Drawn) -> None:
        self.alpha = min(31, self.alpha + 1)
        super().draw(mover)


class Magikarp(Playing):
    """A pause of a random number of ticks, then one run of the animation, repeated."""

    _swims = 0

    def __init__(self, animations: tuple[Animation, ...], random: SmallRandom) -> None:
        super().__init__(animations, random)
        self._rest = random.next() % _RESTS

    def draw(self, mover: Drawn) -> None:
        if self._rest:
            self._rest -= 1
            return
        super().draw(mover)
        self._swims += 1
        if self._swims == _SWIMS:
            self._swims, self._rest = 0, self.random.next() % _RESTS
