"""The furniture of the villa, which is there once it is bought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from mapexplorer.features.feature import Feature, numbers_below
from mapexplorer.features.values import FeatureTable, Rectangle, RunTimeProp, StateChoice, Tile
from mapexplorer.games.reading import Fx32Vector
from mapexplorer.world.direction import NORTH, Direction
from mapexplorer.world.terrain.terrain import Terrain


class Furniture(NamedTuple):
    """A piece of furniture: kind, model, position, the tiles (west, north, east, south, inclusive) that it blocks, the
    script that it runs."""

    kind: int
    model: int
    position: Fx32Vector
    blocks: Rectangle | None
    script: int


@dataclass(frozen=True)
class VillaTable(FeatureTable):
    """The furniture, and the names of its kinds; `only_facing_north`: the kinds that are used only by someone south of
    them."""

    furniture: tuple[Furniture, ...]
    names: tuple[str, ...]
    only_facing_north: frozenset[int]


@dataclass(frozen=True)
class Villa(Feature):
    """`owned`: the kinds of furniture that were bought."""

    name: ClassVar[str] = "villa"
    kept: ClassVar[bool] = True

    table: VillaTable = field(compare=False, repr=False)
    owned: tuple[int, ...]

    @classmethod
    def entered(cls, table: VillaTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, ())

    @classmethod
    def in_state(cls, table: VillaTable, header: int, state: Any) -> Self:
        return cls(table, header, numbers_below(cls.name, state, len(table.names)))

    @property
    def state(self) -> list[int]:
        return list(self.owned)

    @classmethod
    def choices(cls, table: VillaTable, header: int) -> tuple[StateChoice, ...]:
        names = table.names
        return (
            StateChoice("none", "no furniture", []),
            StateChoice("all", "all furniture", list(range(len(names)))),
            *(StateChoice(name, f"only the {name}", [kind]) for kind, name in enumerate(names)),
        )

    @property
    def _furniture(self) -> Iterator[Furniture]:
        return (piece for kind in self.owned for piece in self.table.furniture if piece.kind == kind)

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
        from_south = self.table.only_facing_north
        return next(
            (piece.script for piece in self._blocking(x, z) if facing == NORTH or piece.kind not in from_south), None
        )
