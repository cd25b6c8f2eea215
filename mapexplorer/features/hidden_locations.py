"""Hidden locations: maps whose cells code replaces while they are known or unknown (`world.matrix_patches`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from mapexplorer.features.feature import Feature, StateChoice
from mapexplorer.games.gym_tables import Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.matrix_patches import HIDDEN_LOCATIONS, hidden_locations


@dataclass(frozen=True)
class HiddenLocations(Feature):
    """`known`: the names of the known ones. It concerns the cells of the matrix, and adds nothing to them."""

    name: ClassVar[str] = HIDDEN_LOCATIONS
    in_walks: ClassVar[bool] = False
    kept: ClassVar[bool] = True

    known: tuple[str, ...]

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        return cls(tables, header, ())

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        names = hidden_locations(tables)
        if not isinstance(state, (list, tuple)) or not all(name in names for name in state):
            raise ValueError(f"the state of {cls.name} is a list of known ones of {', '.join(names)}, not {state!r}")
        return cls(tables, header, tuple(name for name in names if name in state))

    @property
    def state(self) -> list[str]:
        return list(self.known)

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        names = hidden_locations(tables)
        return (
            StateChoice("none", "none is known, as in a new game", []),
            *(StateChoice(name, f"{name} is known", [name]) for name in names),
            StateChoice("all", "all are known", list(names)),
        )
