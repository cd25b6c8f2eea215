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
    """What the user can do, by a menu, a key or the palette."""

    id: str
    title: str
    """Its name, with trailing dots if a dialog follows."""
    run: Callable[[], object]
    keys: tuple[str, ...] = ()
    """Its first shortcuts; the user may choose others."""
    icon: str = ""
    hint: str = ""
    """More about it, for the status bar and the tool tip."""
    checked: Callable[[], bool] | None = None
    """Whether it has its check mark now; None: it never has one."""
    enabled: Callable[[], bool] | None = None
    """Whether it can be run now; None: always."""
    separator: bool = False
    """A line follows in the menu."""
    menu: str = ""

    @property
    def name(self) -> str:
        """The title without the trailing dots."""
        return self.title.rstrip(" …")
