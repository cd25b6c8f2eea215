"""Actions of the window as values with a callable. This module does not import Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, EVENTS, COMPARE, HELP = (
    "&File",
    "&Go",
    "Wal&k",
    "&View",
    "&Camera",
    "&Time",
    "&Layers",
    "&Inspect",
    "&Events",
    "Com&pare",
    "&Help",
)
MENUS: Final = (FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, EVENTS, COMPARE, HELP)


@dataclass(frozen=True)
class Action:
    """An action: its id, title, menu, callable, keys and icon, and when it is checked or enabled.

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
        """The title without the trailing dots."""
        return self.title.rstrip(" …")
