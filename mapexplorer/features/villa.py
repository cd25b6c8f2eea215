"""The furniture of the villa, which is there once it is bought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from mapexplorer.features.feature import Feature, RunTimeProp, StateChoice, numbers_below
from mapexplorer.games.feature_tables import Furniture
from mapexplorer.games.gym_tables import Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.direction import NORTH, Direction
from mapexplorer.world.terrain import Terrain


@dataclass(frozen=True)
class Villa(Feature):
    """`owned`: the kinds of furniture that were bought."""

    name: ClassVar[str] = "villa"
    kept: ClassVar[bool] = True

    owned: tuple[int, ...]

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        return cls(tables, header, ())

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        return cls(tables, header, numbers_below(cls.name, state, len(tables.features.villa.names)))

    @property
    def state(self) -> list[int]:
        return list(self.owned)

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        names = tables.features.villa.names
        return (
            StateChoice("none", "no furniture", []),
            StateChoice("all", "all furniture", list(range(len(names)))),
            *(StateChoice(name, f"only the {name}", [kind]) for kind, name in enumerate(names)),
        )

    @property
    def _furniture(self) -> Iterator[Furniture]:
        table = self.tables.features.villa
        return (piece for kind in self.owned for piece in table.furniture if piece.kind == kind)

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        return tuple(RunTimeProp(piece.model, piece.position, (0, 0, 0)) for piece in self._furniture)

    def _blocking(self, x: int, z: int) -> Iterator[Furniture]:
        for piece in self._furniture:
            if piece.blocks is not None:
                west, north, east, south = piece.blocks
                if west <= x <= east and north <= z <= south:
                    yield piece

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        return True if any(True for _ in self._blocking(x, z)) else None

    def script_at(self, x: int, z: int, facing: Direction) -> int | None:
        from_south = self.tables.features.villa.only_facing_north
        return next(
            (piece.script for piece in self._blocking(x, z) if facing == NORTH or piece.kind not in from_south), None
        )
