"""The gym of Veilstone City: punching bags that slide when the player punches them, and stacks of tyres that they
topple.

A bag that stops is drawn up to 2 units beyond the centre of its tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntFlag
from typing import Any, ClassVar, NamedTuple, Self

from formats.binary import require
from formats.fixed import ONE, Vector
from mapexplorer.features.feature import ChangeTick, Feature, FeatureChange, numbers_below
from mapexplorer.features.values import FeatureEffect, FeatureTable, Grid, LitPerson, Press, StateChoice, Tile
from mapexplorer.games.reading import Fx32
from mapexplorer.world.direction import DX, DZ, EAST, NORTH, OPPOSITE, SOUTH, WEST, Direction
from mapexplorer.world.terrain.terrain import TILE_LENGTH, Terrain, centre

_NO_BAG, _PAUSE = 1, 4
_BARRED = {2: (NORTH, SOUTH), 3: (EAST, WEST), 5: (WEST,)}
"""Rule of a tile -> the directions in which a bag does not leave it."""

_PUSH_TICKS = 30
_SPEED_STEP = ONE // 60
_FULL_SPEED_TICK = 36
_FULL_SPEED = 2 * ONE


@dataclass(frozen=True)
class VeilstoneTable(FeatureTable):
    """The gym of Veilstone: bags, stacks of tyres. The models are members of the effects archive."""

    bags: tuple[Tile, ...]
    """The tiles of the bags at first."""
    stacks: tuple[Tile, ...]
    """The tiles of the stacks."""
    bag_model: int
    """The model of a bag."""
    stack_model: int
    """The model of a stack."""
    toppled_model: int
    """The model of a toppled stack."""
    swings: tuple[int, ...]
    """The animations of a bag that swings, by the direction of its movement reversed."""
    slides: tuple[int, ...]
    """The animations of a bag that slides, by the direction of its movement reversed."""
    topple: tuple[int, ...]
    """The animations of a stack."""
    height: Fx32
    """The height of bags and stacks."""
    rules: Grid
    """A digit per tile."""
    camera_follows_above: tuple[int, ...]
    """By direction, the number of tiles above which the camera follows a bag."""


class Stop(IntFlag):
    """Why a bag stops on a tile."""

    BARRED = 1
    STACK = 2
    PAUSE = 4


class _Slide(NamedTuple):
    """A bag in motion: its number, position (x, z), the member of its animation."""

    bag: int
    position: tuple[int, int]
    animation: int


@dataclass(frozen=True)
class VeilstoneGym(Feature):
    """`bags`: their tiles; `stacks`: the numbers of the stacks that stand; `slide`: a bag that moves; `falling`: the
    number of the stack that was toppled last; `drawn`: bag -> the position (x, z) of one that has moved."""

    name: ClassVar[str] = "veilstone gym"
    missing: ClassVar[tuple[str, ...]] = ("the camera does not follow a bag",)

    table: VeilstoneTable = field(compare=False, repr=False)
    bags: tuple[Tile, ...]
    stacks: tuple[int, ...]
    slide: _Slide | None = None
    falling: int | None = field(default=None, compare=False)
    drawn: Mapping[int, tuple[int, int]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def entered(cls, table: VeilstoneTable, header: int, entry: Tile | None) -> Self:
        return cls(table, header, table.bags, tuple(range(len(table.stacks))))

    @classmethod
    def in_state(cls, table: VeilstoneTable, header: int, state: Any) -> Self:
        require(
            isinstance(state, dict) and set(state) == {"bags", "stacks"} and isinstance(state["bags"], list),
            f"the state of {cls.name} has the tiles of the bags and a list of stacks, not {state!r}",
        )
        free = {(x, z) for z, row in enumerate(table.rules) for x, rule in enumerate(row) if int(rule) != _NO_BAG}
        bags = [next((tile for tile in free if list(tile) == given), None) for given in state["bags"]]
        require(
            len(bags) == len(table.bags) and None not in bags,
            f"the state of {cls.name} has {len(table.bags)} bags on tiles where a bag may be",
        )
        return cls(
            table, header, tuple(filter(None, bags)), numbers_below(cls.name, state["stacks"], len(table.stacks))
        )

    @property
    def state(self) -> dict[str, Any]:
        return {"bags": [list(tile) for tile in self.bags], "stacks": list(self.stacks)}

    @classmethod
    def choices(cls, table: VeilstoneTable, header: int) -> tuple[StateChoice, ...]:
        entry = cls.entered(table, header, None)
        return (
            StateChoice("entry", "as on entry", entry.state),
            StateChoice("toppled", "every stack toppled", replace(entry, stacks=()).state),
        )

    def effects(self, ground: Terrain, people: Sequence[LitPerson] = ()) -> tuple[FeatureEffect, ...]:
        table = self.table
        drawn = [
            FeatureEffect(table.stack_model, self._stand(ground, *map(centre, table.stacks[number])))
            for number in self.stacks
        ]
        for number in range(len(self.bags)):
            x, z = self._position(number)
            animations: tuple[int, ...] = ()
            if self.slide is not None and self.slide.bag == number:
                (x, z), animations = self.slide.position, (self.slide.animation,)
            drawn.append(FeatureEffect(table.bag_model, self._stand(ground, x, z), animations, repeats=False))
        if self.falling is not None:
            position = self._stand(ground, *map(centre, table.stacks[self.falling]))
            drawn.append(FeatureEffect(table.toppled_model, position, table.topple, repeats=False, ends=True))
        return tuple(drawn)

    def _position(self, bag: int) -> tuple[int, int]:
        """Where a bag at rest is drawn."""
        x, z = self.bags[bag]
        return self.drawn.get(bag, (centre(x), centre(z)))

    def _stand(self, ground: Terrain, x: int, z: int) -> Vector:
        return x, (ground.plate_height(x, z, 0) or 0) + self.table.height, z

    def occupied(self, x: int, z: int) -> bool:
        return (x, z) in self.bags or self.stack_at(x, z) is not None

    def stack_at(self, x: int, z: int) -> int | None:
        """The number of the stack that stands on a tile."""
        return next((number for number in self.stacks if self.table.stacks[number] == (x, z)), None)

    # --- punches

    def stop(self, x: int, z: int, direction: Direction) -> Stop:
        """Why a bag on a tile would not go on in a direction."""
        rules = self.table.rules
        rule = int(rules[z][x])
        onward = (x + DX[direction], z + DZ[direction])
        reasons = Stop.PAUSE if rule == _PAUSE else Stop(0)
        if direction in _BARRED.get(rule, ()) or int(rules[onward[1]][onward[0]]) == _NO_BAG:
            reasons |= Stop.BARRED
        if self.stack_at(*onward) is not None:
            reasons |= Stop.STACK
        return reasons

    def distance(self, bag: int, direction: Direction) -> tuple[int, Stop]:
        """How many tiles a punched bag slides, and why it stops."""
        x, z = self.bags[bag]
        why = self.stop(x, z, direction)
        tiles = 0
        if why in (Stop(0), Stop.PAUSE):
            while not tiles or not why:
                x, z, tiles = x + DX[direction], z + DZ[direction], tiles + 1
                why = self.stop(x, z, direction)
        return tiles, why

    def pressed(self, press: Press) -> FeatureChange | None:
        return self.punch(self.bags.index(press.ahead), press.direction) if press.ahead in self.bags else None

    def punch(self, bag: int, direction: Direction) -> FeatureChange:
        """The change when a bag is punched."""
        tiles, why = self.distance(bag, direction)
        x, z = self.bags[bag]
        values: dict[str, Any] = {"bag": bag, "tiles": tiles, "direction": direction.word}
        if not tiles:
            swing = _Slide(bag, self._position(bag), self.table.swings[OPPOSITE[direction]])
            return FeatureChange(
                "punch", f"Bag {bag} swings.", self, lambda: (ChangeTick(replace(self, slide=swing)),), values
            )
        way = tuple(_way(self._position(bag), direction, tiles))
        end = (x + DX[direction] * tiles, z + DZ[direction] * tiles)
        onward = (end[0] + DX[direction], end[1] + DZ[direction])
        fallen = self.stack_at(*onward) if Stop.STACK in why else None
        topples = "" if fallen is None else f" and topples stack {fallen}"
        after = replace(
            self,
            bags=(*self.bags[:bag], end, *self.bags[bag + 1 :]),
            stacks=tuple(number for number in self.stacks if number != fallen),
            falling=fallen,
            drawn={**self.drawn, bag: way[-1]},
        )
        sentence = f"Bag {bag} slides {direction.word} to {end}{topples}."
        values |= {"stack": fallen, "camera_follows": tiles > self.table.camera_follows_above[direction]}
        return FeatureChange("punch", sentence, after, lambda: self._moments(after, bag, direction, way), values)

    def _moments(
        self, after: VeilstoneGym, bag: int, direction: Direction, way: Sequence[tuple[int, int]]
    ) -> Iterator[ChangeTick]:
        """Every tick of the slide, and the one in which a stack begins to topple."""
        animation = self.table.slides[OPPOSITE[direction]]
        for position in way:
            yield ChangeTick(replace(self, slide=_Slide(bag, position, animation)))
        if after.falling is not None:
            yield ChangeTick(after)


def _way(start: tuple[int, int], direction: Direction, tiles: int) -> Iterator[tuple[int, int]]:
    """The position (x, z) of a bag at each tick of a slide. In the first phase the game counts the way with the speed
    of the next tick."""
    x, z = start
    speed, way, tick = _SPEED_STEP, 0, 0
    while way < tiles * TILE_LENGTH:
        x, z = x + DX[direction] * speed, z + DZ[direction] * speed
        tick += 1
        if tick <= _PUSH_TICKS:
            speed += _SPEED_STEP
            way += speed
        else:
            way += speed
            if tick < _FULL_SPEED_TICK:
                speed = speed if speed >= ONE else 2 * speed
            elif tick == _FULL_SPEED_TICK:
                speed = max(speed, _FULL_SPEED)
        yield x, z
