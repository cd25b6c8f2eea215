"""The gym of Pastoria City: water at one of three levels, which buttons change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Self

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
)
from mapexplorer.games.reading import Fx32
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import Terrain

_PRESS: Final = "PressPastoriaGymButton"


class WaterLevel(NamedTuple):
    """A level of the water: the colour of its button, the height, the model of the button."""

    color: str
    height: Fx32
    button: int


@dataclass(frozen=True)
class PastoriaTable(FeatureTable):
    """`position`: x and z of the water; `walkable`: behaviour of a tile -> the only height from which it is entered;
    `step` of the water per tick."""

    model: int
    position: tuple[Fx32, Fx32]
    levels: tuple[WaterLevel, ...]
    initial: int
    plate: Rectangle
    walkable: Mapping[int, Fx32]
    step: Fx32


@dataclass(frozen=True)
class PastoriaGym(NumberedFeature):
    """`number`: the number of the water level, from the lowest; `water`: the height of the water while it moves, and
    `goal`: the number of the level that it moves to."""

    name: ClassVar[str] = "pastoria gym"

    table: PastoriaTable = field(compare=False, repr=False)
    water: int | None = None
    goal: int | None = None

    @classmethod
    def entered(cls, table: PastoriaTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, table.initial)

    @classmethod
    def choices(cls, table: PastoriaTable, header: int) -> tuple[StateChoice, ...]:
        return tuple(
            StateChoice(level.color, f"{level.color} button pressed: water at {level.height >> 12} units", number)
            for number, level in enumerate(table.levels)
        )

    @property
    def height(self) -> int:
        """The height of the level."""
        return self.table.levels[self.number].height

    def props(self, y: int = 0) -> tuple[RunTimeProp, ...]:
        height = self.height if self.water is None else self.water
        x, z = self.table.position
        return (RunTimeProp(self.table.model, (x, height, z)),)

    def placed_props(self) -> tuple[PlacedProp, ...]:
        pressed = self.number if self.goal is None else self.goal
        return tuple(
            PlacedProp(level.button, animation=0, at_end=number == pressed)
            for number, level in enumerate(self.table.levels)
        )

    @property
    def plates(self) -> tuple[HeightPlate, ...]:
        return (HeightPlate(*self.table.plate, self.height),)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        height = self.table.walkable.get(ground.behaviour(x, z))
        return None if height is None or height == y else True

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> FeatureChange | None:
        if not any(command.name == _PRESS for command in commands):
            return None
        props = ground.props_on(x, z)
        level = next((number for number, level in enumerate(self.table.levels) if level.button in props), self.number)
        return None if level == self.number else self.press(level)

    def press(self, level: int) -> FeatureChange:
        """The change when the button of a level is pressed: the buttons move, then the water."""
        color, height, _ = self.table.levels[level]
        sentence = f"Presses a {color} button: the water moves from {self.height >> 12} to {height >> 12} units."
        after = replace(self, number=level)
        before = replace(self, goal=level)
        return FeatureChange("water", sentence, after, lambda: self._moments(level), {"level": level}, before=before)

    def _moments(self, level: int) -> Iterator[ChangeTick]:
        start, end = self.height, self.table.levels[level].height
        moving = replace(self, goal=level)
        yield ChangeTick(replace(moving, water=start))
        middle = 0 < level < len(self.table.levels) - 1
        if middle and start == end:
            return
        if middle:
            # The button of the middle level takes a tick to find out where the water is.
            yield ChangeTick(replace(moving, water=start))
        for height in steps(start, end, self.table.step):
            yield ChangeTick(replace(moving, water=height))
        yield ChangeTick(replace(moving, number=level, water=end))
