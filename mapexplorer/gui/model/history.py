"""Back and forward, as in a browser."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")

BACK, FORWARD = -1, 1

LIMIT = 200


class History(Generic[T]):
    """Visited items in order, and the index of the present one."""

    def __init__(self) -> None:
        self._visited: list[T] = []
        self._at = -1

    def visit(self, item: T) -> None:
        """Append a new item after the present one; later items are removed. An item equal to the present one is not
        added."""
        if self._at >= 0 and self._visited[self._at] == item:
            return
        del self._visited[self._at + 1 :]
        self._visited.append(item)
        del self._visited[:-LIMIT]
        self._at = len(self._visited) - 1

    def replace(self, item: T) -> None:
        """Replace the present item."""
        self._visited[self._at] = item

    @property
    def current(self) -> T | None:
        """The present item; None when nothing was visited."""
        return self._visited[self._at] if self._at >= 0 else None

    def can_go(self, step: int) -> bool:
        """Whether there is an item `step` further."""
        return 0 <= self._at + step < len(self._visited)

    def go(self, step: int) -> T | None:
        """Go back (-1) or forward (1); None if there is no such item."""
        if not self.can_go(step):
            return None
        self._at += step
        return self._visited[self._at]

    def clear(self) -> None:
        """Remove all items."""
        self._visited.clear()
        self._at = -1
