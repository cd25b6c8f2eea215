"""Platform lifts of Iron Island and of the Pokémon League: a prop with a height plate that carries the player."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Self

from formats.fixed import ONE
from mapexplorer.features.feature import ChangeTick, FeatureChange, NumberedFeature
from mapexplorer.features.values import (
    FeatureTable,
    HeightPlate,
    PlacedProp,
    Rectangle,
    RunTimeProp,
    StateChoice,
    Tile,
    steps,
    walked,
)
from mapexplorer.games.reading import Fx32
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import Terrain, centre

_BOTTOM, _TOP = range(2)
_TRIGGER: Final = "TriggerPlatformLift"
_CHAMPION_ROOM: Final = 185


class Lift(NamedTuple):
    """A platform lift."""

    header: int
    """The header of its map."""
    model: int
    """The prop model."""
    heights: tuple[Fx32, Fx32]
    """At the bottom and at the top."""
    plate: Rectangle
    """The tiles of the platform."""
    bottom_z: int
    """The row of the entrance at which it is at the bottom."""
    goes_down: bool
    """Whether it goes down."""
    own_prop: tuple[Fx32, Fx32] | None
    """The position (x, z) of a prop that code creates, None: it is placed on the map."""
    step: Fx32
    """The upward step per tick."""


@dataclass(frozen=True)
class LiftTable(FeatureTable):
    """The lifts by header."""

    lifts: Mapping[int, Lift]


@dataclass(frozen=True)
class PlatformLift(NumberedFeature):
    """`number`: 0 at the bottom, 1 at the top; `moving`: the height of the prop while it moves, when the plate still
    has the former height."""

    name: ClassVar[str] = "platform lift"

    table: LiftTable = field(compare=False, repr=False)
    moving: int | None = None

    @property
    def lift(self) -> Lift:
        """The row of its table."""
        return self.table.lifts[self.header]

    @classmethod
    def entered(cls, table: LiftTable, header: int, entry: Tile | None) -> Self:
        below = entry is None or entry[1] == table.lifts[header].bottom_z
        return cls(table, header, _BOTTOM if below else _TOP)

    @classmethod
    def choices(cls, table: LiftTable, header: int) -> tuple[StateChoice, ...]:
        low, high = (height >> 12 for height in table.lifts[header].heights)
        return (
            StateChoice("bottom", f"at the bottom, {low} units", _BOTTOM),
            StateChoice("top", f"at the top, {high} units", _TOP),
        )

    @property
    def not_modelled(self) -> tuple[str, ...]:
        if self.header != _CHAMPION_ROOM:
            return ()
        return ("the scene begins when the Champion is spoken to, not on entering, and she stays where she is",)

    @property
    def height(self) -> int:
        """The height of the plate."""
        return self.lift.heights[self.number]

    @property
    def can_move(self) -> bool:
        """Whether it goes when its trigger runs: those of the League only upward."""
        return self.number == _BOTTOM or self.lift.goes_down

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        own = self.lift.own_prop
        return () if own is None else (RunTimeProp(self.lift.model, (own[0], self._prop_height, own[1])),)

    def placed_props(self) -> tuple[PlacedProp, ...]:
        return (PlacedProp(self.lift.model, self._prop_height),) if self.lift.own_prop is None else ()

    @property
    def _prop_height(self) -> int:
        return self.height if self.moving is None else self.moving

    @property
    def plates(self) -> tuple[HeightPlate, ...]:
        return (HeightPlate(*self.lift.plate, self.height),)

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> FeatureChange | None:
        moves = any(command.name == _TRIGGER for command in commands)
        return self.ride(x, z) if moves and self.can_move else None

    def talked(self, commands: Sequence[NamedCommand], x: int, z: int, y: int) -> FeatureChange | None:
        """A person whose script moves the lift takes the player along: both walk onto it."""
        if not self.can_move or not any(command.name == _TRIGGER for command in commands):
            return None
        west, north, width, length = self.lift.plate
        place = (west + width // 2, north + length // 2 - 1)
        ride = self.ride(*place)
        way = tuple(walked((x, z), place, y))
        return replace(ride, moments=lambda: itertools.chain((ChangeTick(self, at) for at in way), ride.moments()))

    def ride(self, x: int, z: int) -> FeatureChange:
        """The change when the lift moves to its other floor with the player, who stands on (x, z)."""
        after = replace(self, number=1 - self.number)
        word = "up" if after.number == _TOP else "down"
        sentence = f"The lift goes {word} to {after.height >> 12} units."
        values = {"direction": word, "destination": after.height}
        return FeatureChange("lift", sentence, after, lambda: self._moments(after, x, z), values, (x, z, after.height))

    def _moments(self, after: PlatformLift, x: int, z: int) -> Iterator[ChangeTick]:
        step = self.lift.step if after.number == _TOP else ONE
        yield ChangeTick(replace(self, moving=self.height), (centre(x), self.height, centre(z)))
        for height in steps(self.height, after.height, step):
            yield ChangeTick(replace(self, moving=height), (centre(x), height, centre(z)))
        yield ChangeTick(after, (centre(x), after.height, centre(z)))
