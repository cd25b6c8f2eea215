"""Movement actions of map objects.

An action is a generator that yields once per tick. It may return in the middle of a tick; the caller then continues
with the rest of that tick. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.map_object_tables import MovementAction
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.direction import DX, DZ, SOUTH
from mapexplorer.world.terrain.terrain import Terrain

START: Final = "start"
END: Final = "end"
JUMP_START: Final = "jump start"
JUMP_END: Final = "jump end"
EMOTE: Final = "emote"
DOUBLE_EMOTE: Final = "double emote"

_TILE: Final = TILE_UNITS * ONE
_CURVE_SHIFT: Final = 8

Run = Callable[[FieldObject, MovementAction, Terrain, tuple[int, ...]], Iterator[None]]


def perform(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    """The generator of a movement action. `curve`: heights of the jump curve, in units."""
    mover.action = action.id
    return _KINDS[action.kind](mover, action, terrain, curve)


def _face(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    mover.face(action.direction)
    yield


def _wait(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    for _ in action.units:
        yield


def _on_the_spot(
    mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]
) -> Iterator[None]:
    mover.face(action.direction)
    mover.direction = action.direction
    yield from _gesture(mover, action, terrain, curve)


def _go(
    mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...], *, jumps: bool
) -> Iterator[None]:
    mover.face(action.direction)
    mover.direction = action.direction
    mover.code = action.code
    moved, last = 0, len(action.units) - 1
    for index, units in enumerate(action.units):
        if units and moved % _TILE == 0:
            mover.start_step(action.direction)
        if index == 0:
            mover.events.append(JUMP_START if jumps else START)
        moved += units
        mover.position_x += DX[action.direction] * units
        mover.position_z += DZ[action.direction] * units
        if units:
            mover.find_ground(terrain)
        if jumps:
            mover.jump = curve[min(len(curve) - 1, (index + 1) * action.jump_step >> _CURVE_SHIFT)] * ONE
        if index < last:
            yield
    mover.jump = 0 if jumps else mover.jump
    mover.arrive(terrain)
    mover.events.append(JUMP_END if jumps else END)
    mover.draw()
    mover.code = 0


def _warp(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    mover.jump = -sum(units for units in action.units if units < 0)
    for units in action.units:
        mover.jump += units
        yield


def _bow(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    yield from _gesture(mover, action, terrain, curve)
    mover.face(SOUTH)


def _gesture(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    for _ in action.units:
        mover.code = action.code
        yield
    mover.code = 0


def _reveal(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
    for index in range(len(action.units)):
        mover.jump = curve[min(len(curve) - 1, 2 * (index + 1))] * ONE
        yield
    mover.jump = 0


def _setting(name: str, value: bool) -> Run:
    def run(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
        setattr(mover, name, value)
        yield

    return run


def _noting(event: str) -> Run:
    def run(mover: FieldObject, action: MovementAction, terrain: Terrain, curve: tuple[int, ...]) -> Iterator[None]:
        mover.events.append(event)
        yield

    return run


_KINDS: Final[dict[str, Run]] = {
    "face": _face,
    "walk": partial(_go, jumps=False),
    "walk on the spot": _on_the_spot,
    "jump": partial(_go, jumps=True),
    "delay": _wait,
    "warp out": _warp,
    "warp in": _warp,
    "hide": _setting("hidden", True),
    "show": _setting("hidden", False),
    "lock direction": _setting("direction_locked", True),
    "unlock direction": _setting("direction_locked", False),
    "pause pictures": _setting("pictures_paused", True),
    "resume pictures": _setting("pictures_paused", False),
    "emote": _noting(EMOTE),
    "double emote": _noting(DOUBLE_EMOTE),
    "bow": _bow,
    "gesture": _gesture,
    "reveal": _reveal,
}
