"""Actions of the window as values: each holds what it does. Imports no Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, HELP = (
    "&File", "&Go", "Wal&k", "&View", "&Camera", "&Time", "&Layers", "&Inspect", "&Help",
)  # fmt: skip
MENUS: Final = (FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, HELP)


@dataclass(frozen=True)
class Action:
    """An action: its id, title, menu, what it does, its keys and icon, and when it is checked or can be used.

    `checked` is None for an action that has no check mark. `separator`: a line follows in the menu.
    """

    id: str
    title: str
    menu: str
    run: Callable[[], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    hint: str = ""
    checked: Callable[[], bool] | None = None
    enabled: Callable[[], bool] | None = None
    separator: bool = False

    @property
    def name(self) -> str:
        """The title without the dots of a dialog."""
        return self.title.rstrip(" …")
