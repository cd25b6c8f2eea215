"""Platform lifts of Iron Island and of the Pokémon League: a prop with a height plate that carries the player."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from formats.fixed import ONE
from mapexplorer.features.feature import (
    Change,
    Feature,
    HeightPlate,
    Moment,
    PlacedProp,
    RunTimeProp,
    StateChoice,
    steps,
    walked,
    whole_number,
)
from mapexplorer.games.feature_tables import Lift
from mapexplorer.games.gym_tables import Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.script_files import NamedCommand
from mapexplorer.world.terrain import Terrain, centre

_BOTTOM, _TOP = range(2)
_TRIGGER: Final = "TriggerPlatformLift"


@dataclass(frozen=True)
class PlatformLift(Feature):
    """`floor`: 0 at the bottom, 1 at the top; `moving`: the height of the prop while it moves, when the plate still
    has the former height."""

    name: ClassVar[str] = "platform lift"

    floor: int
    moving: int | None = None

    @property
    def table(self) -> Lift:
        """Its table."""
        return self.tables.features.lifts[self.header]

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        below = entry is None or entry[1] == tables.features.lifts[header].bottom_z
        return cls(tables, header, _BOTTOM if below else _TOP)

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        return cls(tables, header, whole_number(cls.name, state, _TOP + 1))

    @property
    def state(self) -> int:
        return self.floor

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        low, high = (height >> 12 for height in tables.features.lifts[header].heights)
        return (
            StateChoice("bottom", f"at the bottom, {low} units", _BOTTOM),
            StateChoice("top", f"at the top, {high} units", _TOP),
        )

    @property
    def height(self) -> int:
        """The height of the plate."""
        return self.table.heights[self.floor]

    @property
    def can_move(self) -> bool:
        """Whether it goes when its trigger runs: those of the League only upward."""
        return self.floor == _BOTTOM or self.table.goes_down

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        own = self.table.own_prop
        return () if own is None else (RunTimeProp(self.table.model, (own[0], self._prop_height, own[1])),)

    def placed_props(self) -> tuple[PlacedProp, ...]:
        return (PlacedProp(self.table.model, self._prop_height),) if self.table.own_prop is None else ()

    @property
    def _prop_height(self) -> int:
        return self.height if self.moving is None else self.moving

    @property
    def plates(self) -> tuple[HeightPlate, ...]:
        return (HeightPlate(*self.table.plate, self.height),)

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> Change | None:
        moves = any(command.name == _TRIGGER for command in commands)
        return self.ride(x, z) if moves and self.can_move else None

    def talked(self, commands: Sequence[NamedCommand], x: int, z: int, y: int) -> Change | None:
        """A person whose script moves the lift takes the player along: both walk onto it."""
        if not self.can_move or not any(command.name == _TRIGGER for command in commands):
            return None
        west, north, width, length = self.table.plate
        place = (west + width // 2, north + length // 2 - 1)
        ride = self.ride(*place)
        way = tuple(walked((x, z), place, y))
        return replace(ride, moments=lambda: itertools.chain((Moment(self, at) for at in way), ride.moments()))

    def ride(self, x: int, z: int) -> Change:
        """The change when the lift moves to its other floor with the player, who stands on (x, z)."""
        after = replace(self, floor=1 - self.floor)
        word = "up" if after.floor == _TOP else "down"
        sentence = f"The lift goes {word} to {after.height >> 12} units."
        values = {"direction": word, "destination": after.height}
        return Change("lift", sentence, after, lambda: self._moments(after, x, z), values, (x, z, after.height))

    def _moments(self, after: PlatformLift, x: int, z: int) -> Iterator[Moment]:
        step = self.table.step if after.floor == _TOP else ONE
        yield Moment(replace(self, moving=self.height), (centre(x), self.height, centre(z)))
        for height in steps(self.height, after.height, step):
            yield Moment(replace(self, moving=height), (centre(x), height, centre(z)))
        yield Moment(after, (centre(x), after.height, centre(z)))
