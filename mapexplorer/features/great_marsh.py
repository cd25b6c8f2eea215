"""The tram of the Great Marsh: it stops at three stations, is called to one or carries the player to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

from mapexplorer.features.feature import ChangeTick, FeatureChange, NumberedFeature
from mapexplorer.features.values import FeatureTable, RunTimeProp, StateChoice, Tile, walked
from mapexplorer.games.reading import Fx32
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import TILE_LENGTH, centre

_MOVE: Final = "MoveGreatMarshTram"


@dataclass(frozen=True)
class TramTable(FeatureTable):
    """The tram."""

    model: int
    """The prop model of the tram."""
    x: Fx32
    """Its position along x."""
    y: Fx32
    """Its height."""
    stations: tuple[Fx32, ...]
    """The z of each stop."""
    names: tuple[str, ...]
    """The name of each stop."""
    initial: int
    """The stop where it is at first."""
    slow_south: tuple[int | None, ...]
    """By stop the row of tiles from which it slows down going there southward."""
    slow_north: tuple[int | None, ...]
    """The same, northward."""
    called: tuple[tuple[Fx32, int | None], ...]
    """Speed per tick and its duration in ticks (None: to the stop)."""
    ridden: tuple[int, ...]
    """Ticks per tile of the player by speed."""
    behind: Fx32
    """How far it is south of the player."""


@dataclass(frozen=True)
class GreatMarsh(NumberedFeature):
    """`number`: where the tram is; `moving`: its z while it moves. The six headers share the state of one visit."""

    name: ClassVar[str] = "great marsh"
    missing: ClassVar[tuple[str, ...]] = ("the sign of a stop does not ask where to: the tram goes to the next stop",)

    table: TramTable = field(compare=False, repr=False)
    moving: int | None = None

    @classmethod
    def entered(cls, table: TramTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, table.initial)

    @classmethod
    def choices(cls, table: TramTable, header: int) -> tuple[StateChoice, ...]:
        return tuple(StateChoice(str(number), f"tram at {name}", number) for number, name in enumerate(table.names))

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        table = self.table
        z = table.stations[self.number] if self.moving is None else self.moving
        return (RunTimeProp(table.model, (table.x, table.y, z)),)

    def call(self, station: int) -> FeatureChange:
        """The change when the tram is called to another station. Raises ValueError for its own."""
        after = self._leaves_for(station)
        return FeatureChange(
            "tram", f"The tram comes to {self.table.names[station]}.", after, lambda: self._called(after)
        )

    def _called(self, after: GreatMarsh) -> Iterator[ChangeTick]:
        station = after.number
        table = self.table
        z, end = table.stations[self.number], table.stations[station]
        sign = 1 if end > z else -1
        slow = self._slow_row(station)
        level, ticks = 0, 0
        while z != end:
            speed, duration = table.called[level]
            z += sign * speed
            row = (z - TILE_LENGTH // 2) // TILE_LENGTH
            if duration is not None and (row - slow) * sign >= 0:
                ticks += 1
                if ticks >= duration:
                    level, ticks = level + 1, 0
            yield ChangeTick(replace(after, moving=z))

    def talked(self, commands: Sequence[NamedCommand], x: int, z: int, y: int) -> FeatureChange | None:
        """The sign at a stop calls the tram and lets the player board it, to leave it on the side where they came from.
        It asks where to; a walk always goes to the next stop, from the last one to the first."""
        if not any(command.name == _MOVE for command in commands):
            return None
        table = self.table
        here = min(range(len(table.stations)), key=lambda station: abs(table.stations[station] - centre(z)))
        at_stop = self if here == self.number else replace(self, number=here)
        # Its middle is between two columns of tiles; the player boards to the nearer one.
        seat = (table.x // TILE_LENGTH - (centre(x) < table.x), self._row(here))
        there = (here + 1) % len(table.stations)
        ride = at_stop.ride(there, *seat, y)
        end = (x, self._row(there))

        def moments() -> Iterator[ChangeTick]:
            if at_stop is not self:
                yield from self.call(here).moments()
            yield from (ChangeTick(at_stop, at) for at in walked((x, z), seat, y))
            yield from ride.moments()
            yield from (ChangeTick(ride.after, at) for at in walked((seat[0], end[1]), end, y))

        return replace(ride, moments=moments, ends_at=(*end, y))

    def _row(self, station: int) -> int:
        """The row of tiles of someone who stands in the tram at a station."""
        return (self.table.stations[station] - self.table.behind) // TILE_LENGTH

    def ride(self, station: int, x: int, z: int, y: int) -> FeatureChange:
        """The change when the tram carries the player, who stands on (x, z) at height y, to another station. Raises
        ValueError for its own."""
        after = self._leaves_for(station)
        end = self._row(station)
        sentence = f"Rides the tram to {self.table.names[station]}."
        return FeatureChange("tram", sentence, after, lambda: self._ridden(after, x, z, y, end), ends_at=(x, end, y))

    def _ridden(self, after: GreatMarsh, x: int, z: int, y: int, end: int) -> Iterator[ChangeTick]:
        table = self.table
        sign = 1 if end > z else -1
        slow = self._slow_row(after.number)
        level = 0
        while z != end:
            ticks = table.ridden[level]
            for tick in range(1, ticks + 1):
                south = centre(z) + sign * tick * TILE_LENGTH // ticks
                yield ChangeTick(replace(after, moving=south + table.behind), (centre(x), y, south))
            if (z - slow) * sign < 0:
                level = min(level + 1, len(table.ridden) - 1)
            else:
                level = max(level - 1, 0)
            z += sign

    def _slow_row(self, station: int) -> int:
        """The row of tiles from which the tram slows down on its way to a station."""
        row = (self.table.slow_south if station > self.number else self.table.slow_north)[station]
        assert row is not None
        return row

    def _leaves_for(self, station: int) -> GreatMarsh:
        if station == self.number:
            raise ValueError(f"the tram is at {self.table.names[station]} already")
        return replace(self, number=station)
