"""The gym of Snowpoint City: snowballs on the ice that a player breaks who slides into one with speed.

They are objects of the map's events; the feature knows which of them are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from mapexplorer.features.feature import Change, Feature, FeatureEffect, LitPerson, Moment, StateChoice, numbers_below
from mapexplorer.games.gym_tables import SnowpointTable, Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.terrain import Terrain, centre


@dataclass(frozen=True)
class SnowpointGym(Feature):
    """`left`: the numbers of the snowballs that are not broken; `breaking`: the one that was broken last."""

    name: ClassVar[str] = "snowpoint gym"

    left: tuple[int, ...]
    breaking: int | None = field(default=None, compare=False)

    @property
    def table(self) -> SnowpointTable:
        """Its table."""
        return self.tables.features.snowpoint

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        return cls(tables, header, tuple(range(len(tables.features.snowpoint.snowballs))))

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        return cls(tables, header, numbers_below(cls.name, state, len(tables.features.snowpoint.snowballs)))

    @property
    def state(self) -> list[int]:
        return list(self.left)

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        entry = cls.entered(tables, header, None)
        return (
            StateChoice("entry", "every snowball as on entry", entry.state),
            StateChoice("broken", "every snowball broken", []),
        )

    def removed(self, header: int, event: int) -> bool:
        return header == self.header and any(
            row.event == event and number not in self.left for number, row in enumerate(self.table.snowballs)
        )

    def struck(self, header: int, event: int) -> Change | None:
        if header != self.header:
            return None
        broken = next((number for number in self.left if self.table.snowballs[number].event == event), None)
        if broken is None:
            return None
        left = tuple(number for number in self.left if number != broken)
        after = replace(self, left=left, breaking=broken)
        x, z = self.table.snowballs[broken].tile
        sentence = f"Breaks the snowball on ({x}, {z})."
        return Change("snowball", sentence, after, lambda: (Moment(after),), {"snowball": broken, "tile": [x, z]})

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        if self.breaking is None:
            return ()
        x, z = map(centre, self.table.snowballs[self.breaking].tile)
        position = (x, ground.plate_height(x, z, 0) or 0, z)
        return (FeatureEffect(self.table.model, position, (self.table.animation,), repeats=False, ends=True),)
