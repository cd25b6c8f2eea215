"""Movement types of map objects: standing, looking around, turning, wandering, following a path.

A movement is a generator that yields once per tick. It is run up to its first yield when the object is created. Source:
the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.map_object_tables import MovementType
from mapexplorer.games.tables import Tables
from mapexplorer.map_objects.field import FieldSystem
from mapexplorer.map_objects.field_object import NO_ACTION, FieldObject
from mapexplorer.world.direction import EAST, NORTH, OPPOSITE, SOUTH, WEST, Direction

Movement = Callable[[FieldObject, FieldSystem], Iterator[None]]

FACE: Final = 0
WALK_SLOW: Final = 8
WALK_NORMAL: Final = 12
WALK_ON_THE_SPOT_SLOW: Final = 28
WALK_ON_THE_SPOT_NORMAL: Final = 32
"""The first number of four movement actions, one for each direction in order."""

FOLLOWING: Final = frozenset({"follow the player", "follow the partner"})
"""Kinds of movement that are updated after all others in a tick."""

STANDING: Final = frozenset({"face"})
"""Kinds of movement that never leave the object's tile and only set its direction."""

FIRST_DISGUISE: Final = 51
"""The movement type of the disguise under snow; those under sand, rock and grass follow."""

DISGUISE_DEPTH: Final = -32 * ONE

_WAITS: Final = (16, 32, 48, 64)
_FIRST_TURN_TICKS: Final = 24
_TURN_TICKS: Final = 23
_GLANCES: Final = 4
_GLANCE_TICKS: Final = 8
_LAST_GLANCE_TICKS: Final = 7
_TURNS_OF_A_ROUND: Final = 4
_BOTH_WAYS: Final = "rotate both ways"
_COUNTERCLOCKWISE: Final = (NORTH, WEST, SOUTH, EAST)
_CLOCKWISE: Final = (NORTH, EAST, SOUTH, WEST)

_FACES_SIDES: Final = 4
_GLANCING: Final = {5: _COUNTERCLOCKWISE, 6: _CLOCKWISE}
_SPINNING: Final = {7: _COUNTERCLOCKWISE, 8: _CLOCKWISE}
"""Trainer types that look around on a path."""


def following(order: tuple[int, ...], direction: int) -> int:
    """The direction after `direction` in a cyclic order."""
    return order[(order.index(direction) + 1) % len(order)]


def direction_of(x: int, z: int) -> int:
    """The direction of an offset in tiles; z is tested before x."""
    if z:
        return NORTH if z < 0 else SOUTH
    return WEST if x < 0 else EAST


def _stand(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    yield from repeat(None)


def _look(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    directions, random = mover.setting.movement.directions, field.random
    timer = random.choice(_WAITS)
    while True:
        yield
        timer -= 1
        if timer <= 0:
            timer = random.choice(_WAITS)
            mover.face(random.choice(directions))


def _wander(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    directions, random = mover.setting.movement.directions, field.random
    free = field.in_range if mover.setting.movement.kind == "wander freely" else field.free
    path, direction = _Path(mover, field), mover.facing
    while True:
        yield
        yield from _act(mover, field, FACE + direction)
        for _ in range(random.choice(_WAITS) - 1):
            yield
        direction = random.choice(directions)
        mover.face(direction)
        if free(mover, direction):
            yield from _act(mover, field, WALK_NORMAL + direction)
            yield from path.look_around()


def _face(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    yield
    mover.face(mover.setting.movement.directions[0])
    yield from repeat(None)


def _rotate(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    movement = mover.setting.movement
    order, ticks, turns = movement.directions, _FIRST_TURN_TICKS, 0
    while True:
        for _ in range(ticks):
            yield
        mover.face(following(order, mover.facing))
        ticks, turns = _TURN_TICKS, turns + 1
        if movement.kind == _BOTH_WAYS and turns == _TURNS_OF_A_ROUND:
            order, turns = order[::-1], 0


def _back_and_forth(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    setting = mover.setting
    forward, returns = setting.direction, False
    path = _Path(mover, field)
    while True:
        yield
        if returns and (mover.x, mover.z) == (setting.x, setting.z):
            returns = False
        direction = OPPOSITE[forward] if returns else forward
        if not field.in_range(mover, direction):
            returns = not returns
            direction = OPPOSITE[forward] if returns else forward
        yield from path.step(direction)


def _path(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    setting = mover.setting
    directions, axis = _listed_from(setting.movement, field.tables), setting.movement.axis
    path, part = _Path(mover, field), 0
    while True:
        yield
        if part == 2 and (mover.x == setting.x if axis == "x" else mover.z == setting.z):
            part = 3
        if part == 3 and (mover.x, mover.z) == (setting.x, setting.z):
            part = 0
        if not field.in_range(mover, directions[part]):
            part = (part + 1) % len(directions)
        yield from path.step(directions[part])


def _listed_from(movement: MovementType, tables: Tables) -> tuple[int, ...]:
    """The directions of a path, then those of the preceding types, which follow them in the program: on the last part
    of the path the game reads beyond the list when the object leaves its range."""
    listed, number = movement.directions, movement.id - 1
    while (before := tables.map_objects.movement_types[number]).kind == movement.kind:
        listed, number = listed + before.directions, number - 1
    return listed


class _Path:
    """The steps of an object, and the looking around of a trainer between them."""

    def __init__(self, mover: FieldObject, field: FieldSystem) -> None:
        self._mover = mover
        self._field = field
        self._steps = 0
        self._other_side = False

    def step(self, direction: int) -> Iterator[None]:
        """Take a step, or walk on the spot where the step is not possible; then look around if it is due."""
        mover, field = self._mover, self._field
        walks = field.free(mover, direction)
        action = (WALK_NORMAL if walks else WALK_ON_THE_SPOT_NORMAL) + direction
        order = _SPINNING.get(mover.setting.trainer_type)
        if order is None:
            mover.face(direction)
        else:
            mover.face(following(order, mover.facing))
            mover.direction_locked = True
        yield from _act(mover, field, action)
        mover.direction_locked = False
        if walks:
            yield from self.look_around()

    def look_around(self) -> Iterator[None]:
        """What follows a step: a trainer looks around after as many as the event's second parameter says."""
        mover = self._mover
        self._steps += 1
        looks = mover.setting.trainer_type in _GLANCING or mover.setting.trainer_type == _FACES_SIDES
        if not looks or self._steps < mover.setting.parameters[1]:
            return
        self._steps = 0
        yield
        for index, look in enumerate(self._looks(mover.facing)):
            mover.face(look)
            for _ in range(_GLANCE_TICKS if index < _GLANCES - 1 else _LAST_GLANCE_TICKS - 1):
                yield

    def _looks(self, facing: int) -> list[int]:
        order = _GLANCING.get(self._mover.setting.trainer_type)
        if order is not None:
            start = order.index(Direction(facing))
            return [order[(start + 1 + index) % len(order)] for index in range(_GLANCES)]
        sides = [WEST, EAST] if facing in (NORTH, SOUTH) else [NORTH, SOUTH]
        self._other_side = not self._other_side
        return [*(sides if self._other_side else reversed(sides))] * 2


def _along_walls(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    while True:
        yield
        next(field.action(mover, WALK_ON_THE_SPOT_SLOW + mover.facing))


def _copy_the_player(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    mover.face(NORTH)
    yield
    mover.face(SOUTH)
    yield from repeat(None)


def _follow_the_partner(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    yield
    partner = field.partner(mover)
    while True:
        if partner is not None and (partner.x, partner.z) != (partner.previous_x, partner.previous_z):
            left = partner.previous_x - mover.x, partner.previous_z - mover.z
            yield from _act(mover, field, WALK_NORMAL + direction_of(*left))
        yield


def _disguise(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    mover.jump = DISGUISE_DEPTH
    mover.shadow_hidden = True
    yield from repeat(None)


def _act(mover: FieldObject, field: FieldSystem, action: int) -> Iterator[None]:
    """Run a movement action, which may return in the middle of a tick."""
    yield from field.action(mover, action)
    mover.action = NO_ACTION


MOVEMENTS: Final[dict[str, Movement]] = {
    "look": _look,
    "wander": _wander,
    "wander freely": _wander,
    "face": _face,
    "rotate": _rotate,
    _BOTH_WAYS: _rotate,
    "back and forth": _back_and_forth,
    "triangle": _path,
    "loop": _path,
    "disguise": _disguise,
    "along walls": _along_walls,
    "follow the partner": _follow_the_partner,
    "copy the player": _copy_the_player,
}
"""The movement of each kind. Those of the other kinds stand: "follow the player" repeats the movement action of the
player, which a walk does not have. Of the kinds "along walls" and "copy the player" this is what they do in the open
and while the player stands; which number turns or mirrors in which way is not known."""


def movement_of(mover: FieldObject, field: FieldSystem) -> Iterator[None]:
    """The generator of an object's movement type, run up to its first yield."""
    movement = MOVEMENTS.get(mover.setting.movement.kind, _stand)(mover, field)
    next(movement)
    return movement
