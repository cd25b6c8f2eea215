"""The keys of actions: those of the table, or others that the user chose, kept in the settings. Keys are texts in the
portable form of Qt, as in `Ctrl+Shift+E`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mapexplorer.gui.actions.action import Action
from mapexplorer.gui.model.settings import Settings

_SETTING: Final = "shortcuts"

_HELD: Final = ("W", "A", "S", "D", "Q", "E", "Up", "Down", "Left", "Right")
_OF_THE_VIEWS: Final = frozenset(
    (*_HELD, *(f"Shift+{key}" for key in _HELD), "Return", "Enter", "Esc", "Tab", "Shift+Backtab")
)
"""Keys with which views and lists are operated."""


class Shortcuts:
    """The keys of the actions of a table."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        kept = settings.get(_SETTING, {})
        self._chosen = {
            name: tuple(keys)
            for name, keys in kept.items()
            if isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        }

    def of(self, action: Action) -> tuple[str, ...]:
        """The keys of an action."""
        return self._chosen.get(action.id, action.keys)

    def changed(self, action: Action) -> bool:
        """Whether an action has other keys than in the table."""
        return self.of(action) != action.keys

    def refusal(self, table: Iterable[Action], action: Action, key: str) -> str:
        """Why an action cannot have a key, as a sentence; empty where it can."""
        if key in _OF_THE_VIEWS:
            return f"{key} operates the views, or moves the camera and the player; choose another key."
        other = next((entry for entry in table if entry.id != action.id and key in self.of(entry)), None)
        if other is None:
            return ""
        return f"{key} is the shortcut of “{other.name}” ({other.group}); remove it there first."

    def give(self, action: Action, keys: tuple[str, ...]) -> None:
        """Give an action other keys, none with an empty tuple."""
        self._chosen[action.id] = keys
        self._keep()

    def reset_all(self) -> None:
        """Give all actions the keys of the table again."""
        self._chosen.clear()
        self._keep()

    def _keep(self) -> None:
        self._settings.set(_SETTING, {name: list(keys) for name, keys in self._chosen.items()})
        self._settings.save()
