"""The gym of Snowpoint City: snowballs on the ice that a player breaks who slides into one with speed.

They are objects of the map's events; the feature knows which of them are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from mapexplorer.features.feature import ChangeTick, Feature, FeatureChange, numbers_below
from mapexplorer.features.values import FeatureEffect, FeatureTable, LitPerson, StateChoice, Tile
from mapexplorer.world.terrain.terrain import Terrain, centre


@dataclass(frozen=True)
class SnowpointTable(FeatureTable):
    """The model and the animation of a snowball that breaks, members of the effects archive; the number of the object
    event and the tile of each snowball."""

    model: int
    animation: int
    snowballs: tuple[tuple[int, Tile], ...]


@dataclass(frozen=True)
class SnowpointGym(Feature):
    """`left`: the numbers of the snowballs that are not broken; `breaking`: the one that was broken last."""

    name: ClassVar[str] = "snowpoint gym"

    table: SnowpointTable = field(compare=False, repr=False)
    left: tuple[int, ...]
    breaking: int | None = field(default=None, compare=False)

    @classmethod
    def entered(cls, table: SnowpointTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, tuple(range(len(table.snowballs))))

    @classmethod
    def in_state(cls, table: SnowpointTable, header: int, state: Any) -> Self:
        return cls(table, header, numbers_below(cls.name, state, len(table.snowballs)))

    @property
    def state(self) -> list[int]:
        return list(self.left)

    @classmethod
    def choices(cls, table: SnowpointTable, header: int) -> tuple[StateChoice, ...]:
        return (
            StateChoice("entry", "every snowball as on entry", cls.entered(table, header, None).state),
            StateChoice("broken", "every snowball broken", []),
        )

    def removed(self, header: int, event: int) -> bool:
        return header == self.header and any(
            object_event == event and number not in self.left
            for number, (object_event, _) in enumerate(self.table.snowballs)
        )

    def struck(self, header: int, event: int) -> FeatureChange | None:
        if header != self.header:
            return None
        broken = next((number for number in self.left if self.table.snowballs[number][0] == event), None)
        if broken is None:
            return None
        after = replace(self, left=tuple(number for number in self.left if number != broken), breaking=broken)
        x, z = self.table.snowballs[broken][1]
        sentence = f"Breaks the snowball on ({x}, {z})."
        return FeatureChange(
            "snowball", sentence, after, lambda: (ChangeTick(after),), {"snowball": broken, "tile": [x, z]}
        )

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        if self.breaking is None:
            return ()
        x, z = map(centre, self.table.snowballs[self.breaking][1])
        position = (x, ground.plate_height(x, z, 0) or 0, z)
        return (FeatureEffect(self.table.model, position, (self.table.animation,), repeats=False, ends=True),)
