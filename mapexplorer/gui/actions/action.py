"""Actions of the window as values with a callable. This module does not import Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FILE, GO, WALK, VIEW, CAMERA, TIME = "File", "Go", "Walk", "View", "Camera", "Time"
LAYERS, INSPECT, EVENTS, COMPARE, HELP = "Layers", "Inspect", "Events", "Compare", "Help"
GROUPS: Final = (FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, EVENTS, COMPARE, HELP)


@dataclass(frozen=True)
class Action:
    """What the user can do, by a menu, a key or the palette."""

    id: str
    """The name by which settings and other actions know it."""
    title: str
    """Its name, with trailing dots if a dialog follows."""
    run: Callable[[], object]
    """What it does."""
    keys: tuple[str, ...] = ()
    """Its first shortcuts; the user may choose others."""
    icon: str = ""
    """The name of its icon, empty without one."""
    hint: str = ""
    """More about it, for the status bar and the tool tip."""
    checked: Callable[[], bool] | None = None
    """Whether it has its check mark now; None: it never has one."""
    enabled: Callable[[], bool] | None = None
    """Whether it can be run now; None: always."""
    group: str = ""
    """What it is about, of GROUPS; the table of actions sets it."""

    @property
    def name(self) -> str:
        """The title without the trailing dots."""
        return self.title.rstrip(" …")
