"""The gym of Eterna City: a flower clock whose hands are bridges, and two fountains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple

from mapexplorer.features.feature import ChangeTick, FeatureChange, NumberedFeature
from mapexplorer.features.values import FeatureEffect, FeatureTable, Grid, LitPerson, RunTimeProp, StateChoice, Tile
from mapexplorer.games.reading import Fx32Vector
from mapexplorer.world.direction import Direction
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import Terrain, centre

_ADVANCE: Final = "AdvanceEternaGymClock"
_SET: Final = "SetVarFromValue"
_TURN = 1 << 16
_HOUR = 60
_DIAL = 12


class ShownTime(NamedTuple):
    """The time that the clock shows; `slides`: the hour hand moves with the minutes."""

    hour: int
    minute: int
    slides: bool = False


@dataclass(frozen=True)
class EternaTable(FeatureTable):
    """The clock and the fountains by state."""

    hour_hand: tuple[int, Fx32Vector]
    """The model and its position."""
    minute_hand: tuple[int, Fx32Vector]
    """As `hour_hand`."""
    times: tuple[tuple[int, int], ...]
    """(hour, minute) of the clock."""
    rotations: tuple[int, ...]
    """The angle of a hand by hour."""
    minute_rotation: int
    """The angle of the minute hand for a minute."""
    hour_rotation_per_minute: int
    """The angle of the hour hand for a minute."""
    hour_offset: int
    """Added to the angle of the hour hand."""
    minute_offset: int
    """Added to the angle of the minute hand."""
    minutes_per_tick: int
    """How fast the clock goes on."""
    clock: tuple[Tile, tuple[Grid, ...]]
    """The north-west tile and a grid by state, `#` blocked."""
    row: tuple[Tile, tuple[Grid, ...]]
    """As `clock`, for the row of tiles between the fountains."""
    jumps: tuple[tuple[Tile, tuple[int, int]] | None, ...]
    """The tile that is jumped over and in which directions."""
    fountain_model: int
    """A member of the effects archive, as the animations."""
    fountain_animation: int
    """The animation of a fountain, which repeats."""
    falling_animation: int
    """The animation of a fountain that ends."""
    fountains: Mapping[str, tuple[Tile, ...]]
    """The tiles of each fountain."""
    shown: tuple[tuple[str, ...], ...]
    """The fountains that are seen."""
    beaten_variable: int
    """The variable with the number of beaten trainers."""


@dataclass(frozen=True)
class EternaGym(NumberedFeature):
    """`number`: how many of the three trainers and the leader are beaten; `time`: that of the clock while it moves;
    `falling`: the fountain whose water fell last."""

    name: ClassVar[str] = "eterna gym"
    kept: ClassVar[bool] = True
    missing: ClassVar[tuple[str, ...]] = ("the camera does not fly to the clock and the fountains",)

    table: EternaTable = field(compare=False, repr=False)
    time: ShownTime | None = None
    falling: str | None = field(default=None, compare=False)

    @classmethod
    def choices(cls, table: EternaTable, header: int) -> tuple[StateChoice, ...]:
        return tuple(
            StateChoice(str(state), f"{state} beaten: the clock shows {hour}:{minute:02}", state)
            for state, (hour, minute) in enumerate(table.times)
        )

    @property
    def shown_time(self) -> ShownTime:
        """The time that the clock shows."""
        return ShownTime(*self.table.times[self.number]) if self.time is None else self.time

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        table = self.table
        hour, minute, slides = self.shown_time
        hour_turn = table.rotations[hour] + table.hour_offset + (table.hour_rotation_per_minute * minute * slides)
        quarter = minute % (_HOUR // 4) == 0
        minute_turn = table.rotations[minute * _DIAL // _HOUR] if quarter else minute * table.minute_rotation
        turns = (hour_turn, minute_turn + table.minute_offset)
        return tuple(
            RunTimeProp(model, position, (0, -turn % _TURN, 0))
            for (model, position), turn in zip((table.hour_hand, table.minute_hand), turns, strict=True)
        )

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        table = self.table
        falling = () if self.falling is None else (self.falling,)
        return tuple(
            FeatureEffect(table.fountain_model, (centre(x), 0, centre(z)), (animation,), repeats, ends=not repeats)
            for sides, animation, repeats in (
                (table.shown[self.number], table.fountain_animation, True),
                (falling, table.falling_animation, False),
            )
            for side in sides
            for x, z in table.fountains[side]
        )

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        table = self.table
        maps = (table.clock, table.row)
        return True if any(_blocked(tile, grids[self.number], x, z) for tile, grids in maps) else None

    def jumps(self, x: int, z: int, direction: Direction) -> bool:
        jump = self.table.jumps[self.number]
        return jump is not None and jump[0] == (x, z) and direction in jump[1]

    def talked(self, commands: Sequence[NamedCommand], x: int, z: int, y: int) -> FeatureChange | None:
        """A trainer's script sets the number of those beaten before it advances the clock, the leader's does not."""
        if not any(command.name == _ADVANCE for command in commands):
            return None
        numbers = [
            command.arguments[1]
            for command in commands
            if command.name == _SET and command.arguments[0] == self.table.beaten_variable
        ]
        beaten = numbers[0] if numbers else len(self.table.times) - 1
        return self.advance() if beaten > self.number else None

    def advance(self) -> FeatureChange:
        """The change after a battle is won: the clock moves to the next time."""
        shown = self.table.shown
        falling = next((side for side in shown[self.number] if side not in shown[self.number + 1]), None)
        after = replace(self, number=self.number + 1, falling=falling)
        hour, minute = self.table.times[after.number]
        return FeatureChange("clock", f"The clock moves to {hour}:{minute:02}.", after, lambda: self._moments(after))

    def _moments(self, after: EternaGym) -> Iterator[ChangeTick]:
        """Every tick of the hands, and the one in which a fountain falls, without the flight of the camera between."""
        time = self.shown_time
        goal = after.shown_time
        last = after.number == len(self.table.times) - 1
        while time[:2] != goal[:2]:
            time = self._later(time, goal, last)
            yield ChangeTick(replace(self, time=time))
        if after.falling is not None:
            yield ChangeTick(after)

    def _later(self, time: ShownTime, goal: ShownTime, last: bool) -> ShownTime:
        """The time a tick later. `last`: on the way to the last time, which is less than an hour before the present
        one, the clock goes through the hour once and its hour hand does not move."""
        hour = _DIAL - 1 if last and time.hour == goal.hour and time.minute > goal.minute else time.hour
        total = time.minute + self.table.minutes_per_tick
        hour, minute = (hour + total // _HOUR) % _DIAL, total % _HOUR
        if hour == goal.hour:
            # Minutes count on from the former hour where the hour has just changed.
            end = goal.minute + (_HOUR if total >= _HOUR else 0)
            if time.minute < end < total:
                minute = goal.minute
        if last:
            hour = goal.hour
        slides = True if hour != goal.hour else time.slides and not (last or minute <= goal.minute)
        return ShownTime(hour, minute, slides)


def _blocked(tile: Tile, rows: Grid, x: int, z: int) -> bool:
    column, row = x - tile[0], z - tile[1]
    return 0 <= row < len(rows) and 0 <= column < len(rows[row]) and rows[row][column] == "#"
