"""What a save decides about maps: flags, variables, the state of features, the day.

Which objects an object event puts on a map, and with which graphics, follows from it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from mapexplorer.games import Game

CLONE: Final = 0xFFFF
"""The script of an object that stands for one of another header; its hidden flag holds that header."""

BERRY_PATCH: Final = 100
"""The graphics id of a berry patch, whose first parameter is its number."""

_FIRST_BERRY_TREE: Final = 4096
_STAGES: Final = 3
"""Pictures of a berry tree behind the common one: growing, blooming, with fruit."""


def _frozen(values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(values))


@dataclass(frozen=True)
class Save:
    """The part of a save that maps depend on.

    `flags` that are set; `variables` by number (absent: 0, or what the scripts of a map give its graphics); `features`:
    states of what code adds to maps, by name; `day` of a leap year, which decides the weather of some maps.
    """

    game: Game
    flags: frozenset[int] = frozenset()
    variables: Mapping[int, int] = field(default_factory=dict)
    features: Mapping[str, Any] = field(default_factory=dict)
    day: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", _frozen(self.variables))
        object.__setattr__(self, "features", _frozen(self.features))

    def hides(self, hidden_flag: int, script: int) -> bool:
        """Whether an object event creates no object: its flag is set. A clone is always created."""
        return script != CLONE and hidden_flag in self.flags

    def graphics(self, graphics: int, parameter: int, header: int) -> int | None:
        """The graphics id with which an object of a header is drawn: ids that stand for variables are looked up, a
        berry patch (`parameter`: its number) shows its tree. None where nothing grows."""
        tables = self.game.tables
        if graphics in tables.variable_graphics:
            number = tables.new_game.first_graphics_variable + tables.variable_graphics.index(graphics)
            known = tables.new_game.map_variables.get(header, {}).get(number, 0)
            return self.variables.get(number, known)
        if graphics == BERRY_PATCH:
            return self._berry_tree(parameter)
        return graphics

    def _berry_tree(self, patch: int) -> int | None:
        """The tree of a patch: with fruit, as a new game has them all."""
        berries = self.game.tables.new_game.berries
        return _FIRST_BERRY_TREE + _STAGES * berries[patch] if patch < len(berries) else None

    def showing_all(self) -> Save:
        """The same without flags, so that every object exists."""
        return replace(self, flags=frozenset())


def fresh_save(game: Game, day: int = 0) -> Save:
    """A new game, before the scripts of any map have run."""
    new = game.tables.new_game
    return Save(game, new.flags, new.variables, {}, day)
