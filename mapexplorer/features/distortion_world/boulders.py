"""The boulders of the puzzle: where one is after each tick of a fall, and the state afterwards.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from formats.fixed import Vector, moved
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.progress import ConditionKind, DistortionState
from mapexplorer.features.distortion_world.tables import BoulderFall, DistortionObject, DistortionTables
from mapexplorer.features.surface import Surface
from mapexplorer.world.direction import Direction
from mapexplorer.world.terrain.terrain import TILE_LENGTH


def fall_at(tables: DistortionTables, header: int, tile: Tile) -> BoulderFall | None:
    """The fall of a boulder on a tile of a floor."""
    x, _, z = tile
    return next((fall for fall in tables.boulder_falls if (fall.header, fall.x, fall.z) == (header, x, z)), None)


def is_its_place(fall: BoulderFall, state: DistortionState) -> bool:
    """Whether a fall ends in a pit that is the place of a boulder and holds none."""
    return fall.flag is not None and fall.flag not in state.puzzle_flags


def all_in_their_places(tables: DistortionTables, state: DistortionState) -> bool:
    """Whether every pit that is the place of a boulder holds one."""
    return {fall.flag for fall in tables.boulder_falls if fall.flag is not None} <= state.puzzle_flags


def on_floor(tables: DistortionTables, header: int, local_id: int) -> DistortionObject:
    """A boulder as an object of a floor. Raises StopIteration for a number that none of them has."""
    return next(each for each in tables.objects[header] if each.local_id == local_id)


def falling(
    tables: DistortionTables,
    fall: BoulderFall,
    state: DistortionState,
    boulder: int,
    start: Vector,
    direction: Direction,
) -> Iterator[Vector]:
    """The fx32 position of boulder `boulder` after each tick of a fall that begins at `start`, after a push in a
    direction."""
    motion, at = tables.boulder_motion, start
    if fall.floor == tables.below(fall.header):
        ground = int(on_floor(tables, fall.floor, boulder).y * TILE_LENGTH)
        while at[1] > ground:
            at = at[0], max(ground, at[1] + motion.onto_land), at[2]
            yield at
        return
    place = is_its_place(fall, state)
    for ticks, ahead, up in motion.into_pit if place else (*motion.into_pit, *motion.through_pit):
        for _ in range(ticks):
            x, _, z = moved((0, 0, 0), Surface.LAND.deltas[direction], ahead)
            at = moved(at, (x, up, z))
            yield at
    if place:
        for tick in range(motion.shake_ticks):
            yield moved(at, (0, motion.shake if tick % 2 == 0 else -motion.shake, 0))
        for _ in range(motion.rest_ticks):
            yield at


def after_fall(tables: DistortionTables, fall: BoulderFall, state: DistortionState, boulder: int) -> DistortionState:
    """The state after a boulder has fallen."""
    gone = {_flag(on_floor(tables, fall.header, boulder))}
    if is_its_place(fall, state):
        new, gone = {fall.flag}, gone | {fall.guardian_flag}
    else:
        new = {_flag(on_floor(tables, fall.floor, boulder))}
    flags = (state.puzzle_flags - gone) | new
    return replace(state, puzzle_flags=frozenset(flag for flag in flags if flag is not None))


def _flag(boulder: DistortionObject) -> int | None:
    """The puzzle flag with which a boulder is on its floor."""
    kind, flag = boulder.condition
    return flag if kind == ConditionKind.PUZZLE_FLAG_SET else None
