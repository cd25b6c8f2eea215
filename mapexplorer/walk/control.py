"""A player that a window moves once per field update. Every action is a generator of ticks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator

from mapexplorer.walk.tick import Tick
from mapexplorer.world.direction import Direction


class Controlled:
    """Runs the actions of a player. `held`: the direction that is pressed; `running`: the run button is held;
    `surfs_by_itself`: pushing against water begins to surf, without the action button."""

    held: Direction | None

    def __init__(self) -> None:
        self.held = None
        self.running = False
        self.surfs_by_itself = False
        self._action: Iterator[Tick] | None = None
        self._asked: list[Callable[[], None]] = []

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

    @abstractmethod
    def _next(self, held: Direction | None, pressed: bool) -> Iterator[Tick] | None:
        """The action that begins with a direction held, or with the action button pressed; None for none."""

    @abstractmethod
    def rest(self) -> None:
        """Stand still."""

    @abstractmethod
    def tick(self) -> Tick:
        """The state after a field update in which no action runs."""
