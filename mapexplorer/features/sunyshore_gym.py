"""The gym of Sunyshore City: gears that buttons turn by quarters, with walkways on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Self

from mapexplorer.features.feature import ChangeTick, FeatureChange, NumberedFeature
from mapexplorer.features.values import FeatureTable, Rectangle, RunTimeProp, StateChoice, Tile, steps
from mapexplorer.games.reading import Fx32Vector
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import Terrain

_PRESS: Final = "PressSunyshoreGymButton"
_QUARTER = 1 << 14
_TURN = (1 << 16) - 1
_STATES = 4


class Gear(NamedTuple):
    """A gear: model, position, quarter turns in state 0, whether it turns clockwise, whether it is vertical."""

    model: int
    position: Fx32Vector
    quarter: int
    clockwise: bool
    vertical: bool


@dataclass(frozen=True)
class SunyshoreRoom:
    """A room. `first_z`: the row of the entrance at which the state is 0, at all others it is `initial`; `blocked`: the
    numbers of the blocked regions by state."""

    initial: int
    first_z: int
    gears: tuple[Gear, ...]
    regions: tuple[Rectangle, ...]
    blocked: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class SunyshoreTable(FeatureTable):
    """`turns`: quarter turns by type of button; `step` of a gear per tick."""

    turns: tuple[int, ...]
    step: int
    rooms: Mapping[int, SunyshoreRoom]


@dataclass(frozen=True)
class SunyshoreGym(NumberedFeature):
    """A room. `quarters`: how far the gears are turned; `angle`: the same in 1/65536 of a turn while they turn."""

    name: ClassVar[str] = "sunyshore gym"

    table: SunyshoreTable = field(compare=False, repr=False)
    angle: int | None = None

    @property
    def room(self) -> SunyshoreRoom:
        """The table of the room."""
        return self.table.rooms[self.header]

    @classmethod
    def entered(cls, table: SunyshoreTable, header: int, entry: Tile | None) -> Self:
        room = table.rooms[header]
        first = entry is not None and entry[1] == room.first_z
        return cls(table, header, 0 if first else room.initial)

    @classmethod
    def choices(cls, table: SunyshoreTable, header: int) -> tuple[StateChoice, ...]:
        return tuple(StateChoice(str(state), f"gears turned by {90 * state}°", state) for state in range(_STATES))

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        turned = _QUARTER * self.number if self.angle is None else self.angle
        props = []
        for model, position, quarter, clockwise, vertical in self.room.gears:
            angle = (_QUARTER * quarter + (-turned if clockwise else turned)) & _TURN
            props.append(RunTimeProp(model, position, (angle, 0, 0) if vertical else (0, angle, 0)))
        return tuple(props)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        blocked = (self.room.regions[number] for number in self.room.blocked[self.number])
        bars = any(west <= x < west + width and north <= z < north + length for west, north, width, length in blocked)
        return True if bars else None

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> FeatureChange | None:
        types = [command.arguments[0] for command in commands if command.name == _PRESS]
        return self.turn(self.table.turns[types[0]]) if types and types[0] < len(self.table.turns) else None

    def turn(self, quarters: int) -> FeatureChange:
        """The change when a button turns the gears; the walkways count at once."""
        after = replace(self, number=(self.number + quarters) % _STATES)
        sentence = f"Presses a button: the gears turn by {90 * quarters}°."
        return FeatureChange("gears", sentence, after, lambda: self._moments(after, quarters), {"quarters": quarters})

    def _moments(self, after: SunyshoreGym, quarters: int) -> Iterator[ChangeTick]:
        start = _QUARTER * self.number
        for angle in steps(start, start + _QUARTER * quarters, self.table.step):
            yield ChangeTick(replace(after, angle=angle))
