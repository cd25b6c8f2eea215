"""Hidden locations: maps whose cells code replaces while they are known or unknown (`world.sources.matrix_patches`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from formats.binary import require
from mapexplorer.features.feature import Feature
from mapexplorer.features.values import StateChoice, Tile
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS, HiddenLocationTable


@dataclass(frozen=True)
class HiddenLocations(Feature):
    """`known`: the names of the known ones. It concerns the cells of the matrix, and adds nothing to them."""

    name: ClassVar[str] = HIDDEN_LOCATIONS
    in_walks: ClassVar[bool] = False
    kept: ClassVar[bool] = True

    table: HiddenLocationTable = field(compare=False, repr=False)
    known: tuple[str, ...]

    @classmethod
    def entered(cls, table: HiddenLocationTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, ())

    @classmethod
    def in_state(cls, table: HiddenLocationTable, header: int, state: Any) -> Self:
        names = [patch.location for patch in table.patches]
        require(
            isinstance(state, (list, tuple)) and all(name in names for name in state),
            f"the state of {cls.name} is a list of known ones of {', '.join(names)}, not {state!r}",
        )
        return cls(table, header, tuple(name for name in names if name in state))

    @property
    def state(self) -> list[str]:
        return list(self.known)

    @classmethod
    def choices(cls, table: HiddenLocationTable, header: int) -> tuple[StateChoice, ...]:
        names = [patch.location for patch in table.patches]
        return (
            StateChoice("none", "none is known, as in a new game", []),
            *(StateChoice(name, f"{name} is known", [name]) for name in names),
            StateChoice("all", "all are known", list(names)),
        )
