"""The gym of Sunyshore City: gears that buttons turn by quarters, with walkways on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from mapexplorer.features.feature import Change, Feature, Moment, RunTimeProp, StateChoice, steps, whole_number
from mapexplorer.games.gym_tables import SunyshoreRoom, Tile
from mapexplorer.games.tables import Tables
from mapexplorer.world.script_files import NamedCommand
from mapexplorer.world.terrain import Terrain

_PRESS: Final = "PressSunyshoreGymButton"
_QUARTER = 1 << 14
_TURN = (1 << 16) - 1
_STATES = 4


@dataclass(frozen=True)
class SunyshoreGym(Feature):
    """A room. `quarters`: how far the gears are turned; `angle`: the same in 1/65536 of a turn while they turn."""

    name: ClassVar[str] = "sunyshore gym"

    quarters: int
    angle: int | None = None

    @property
    def room(self) -> SunyshoreRoom:
        """The table of the room."""
        return self.tables.features.sunyshore[self.header]

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        room = tables.features.sunyshore[header]
        first = entry is not None and entry[1] == room.first_z
        return cls(tables, header, 0 if first else room.initial)

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        return cls(tables, header, whole_number(cls.name, state, _STATES))

    @property
    def state(self) -> int:
        return self.quarters

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        return tuple(StateChoice(str(state), f"gears turned by {90 * state}°", state) for state in range(_STATES))

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        turned = _QUARTER * self.quarters if self.angle is None else self.angle
        found = []
        for model, position, quarter, clockwise, vertical in self.room.gears:
            angle = (_QUARTER * quarter + (-turned if clockwise else turned)) & _TURN
            found.append(RunTimeProp(model, position, (angle, 0, 0) if vertical else (0, angle, 0)))
        return tuple(found)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        for number in self.room.blocked[self.quarters]:
            west, north, width, length = self.room.regions[number]
            if west <= x < west + width and north <= z < north + length:
                return True
        return None

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> Change | None:
        types = [command.arguments[0] for command in commands if command.name == _PRESS]
        return self.turn(self.room.turns[types[0]]) if types and types[0] < len(self.room.turns) else None

    def turn(self, quarters: int) -> Change:
        """The change when a button turns the gears; the walkways count at once."""
        after = replace(self, quarters=(self.quarters + quarters) % _STATES)
        sentence = f"Presses a button: the gears turn by {90 * quarters}°."
        return Change("gears", sentence, after, lambda: self._moments(after, quarters), {"quarters": quarters})

    def _moments(self, after: SunyshoreGym, quarters: int) -> Iterator[Moment]:
        start = _QUARTER * self.quarters
        for angle in steps(start, start + _QUARTER * quarters, self.room.step):
            yield Moment(replace(after, angle=angle))
