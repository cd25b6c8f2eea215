"""The pictures of the player: walking and running, riding the bicycle, and the poses of actions.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.map_object_tables import Animation
from mapexplorer.map_objects.picture import (
    HALF,
    HOPPING,
    RUNNING,
    STANDING,
    STEP_FRAMES,
    Drawn,
    ObjectPicture,
    Playing,
    WalkerPicture,
)
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.direction import EAST, SOUTH, WEST

_SLOW: Final = (1, 2)
_RUN_FRAMES: Final = 4
_RUN: Final = 4
_BICYCLE_STANDING: Final = 6
_ROD_FRAMES: Final = 15
_BITE_FRAMES: Final = 5
_BITE_WAIT: Final = 30


class PlayerWalker(WalkerPicture):
    """A walker with its own animations for running; the standing frame is shown one tick later."""

    waited = False

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
            self.set_within(mover.facing, self.within(STEP_FRAMES))
        self.waited = False
        return super().show(mover, changed)


class Bicycle(WalkerPicture):
    """Animations for riding, hopping and standing with a foot on the ground."""

    rests = False

    waited = False

    def show(self, mover: Drawn, changed: bool) -> bool:
        if mover.code == STANDING:
            return self._stand(mover.facing, changed)
        if mover.code in (RUNNING, HOPPING):
            self.waited = False
            if mover.code == RUNNING or changed or self.code != HOPPING:
                self.start(_RUN + mover.facing % 2)
            self.advance(HALF if mover.code == RUNNING else ONE)
            return True
        if changed:
            self.waited &= mover.code in _SLOW
        elif self.code == STANDING or self.waited:
            self.waited = False
            self.start(mover.facing)
        elif self.code in (RUNNING, HOPPING):
            self.set_within(mover.facing, self.within(STEP_FRAMES))
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


class Chosen(Playing):
    """One of several animations, which starts when the state of the object chooses another one."""

    def __init__(
        self, animations: tuple[Animation, ...], random: SmallRandom | None, *, choose: Callable[[Drawn], int]
    ) -> None:
        super().__init__(animations, random)
        self._choose = choose

    def draw(self, mover: Drawn) -> None:
        animation = self._choose(mover)
        if animation != self.animation:
            self.start(animation)
        super().draw(mover)


class Surfing(ObjectPicture):
    """The first frame of an animation for each direction."""

    def draw(self, mover: Drawn) -> None:
        self.start(mover.facing)


class Fishing(ObjectPicture):
    """An animation for each direction: pulling in the rod (codes 0 and 3), casting it (1), waiting (2)."""

    rests = False

    facing = -1
    code = -1
    ticks = 0

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
        """The fx32 offset of the picture from the object, so that the player stays in place in frames of another
        extent."""
        frame = self.frame // ONE
        if self.facing == WEST:
            return ((1 if frame < 40 else -5) * ONE, 0, 0)
        if self.facing == EAST:
            return ((-1 if frame < 56 else 5) * ONE, 0, 0)
        return (0, 0, 6 * ONE if self.facing == SOUTH and frame >= 24 else 0)
