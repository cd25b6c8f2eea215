"""What a tile leads to: rides on elevators, events, waterfalls, teleports; and the objects of a floor. Values, no
motion."""

from __future__ import annotations

from dataclasses import replace

from mapexplorer.features.distortion_world.commands import (
    PROGRESS,
    PUZZLE_FLAG,
    SHADOW_SEEN,
    DistortionEvent,
    Tile,
)
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import moving_platforms
from mapexplorer.features.distortion_world.tables import (
    DistortionObject,
    DistortionTables,
    MovingPlatform,
    Teleport,
    WaterfallPassage,
)
from mapexplorer.features.surface import Surface
from mapexplorer.world.direction import Direction


def elevator_at(tables: DistortionTables, header: int, tile: Tile, state: DistortionState) -> MovingPlatform | None:
    """The elevator exactly underfoot."""
    platforms = moving_platforms(tables, header, state)
    return next((each for each in platforms if each.path is not None and each.tile == tile), None)


def event_at(tables: DistortionTables, header: int, tile: Tile, state: DistortionState) -> DistortionEvent | None:
    """The first event exactly on a tile whose condition holds."""
    events = tables.events.get(header, ())
    return next((each for each in events if each.tile == tile and state.holds(each.condition)), None)


def after_event(state: DistortionState, event: DistortionEvent) -> DistortionState:
    """The state after the commands of an event."""
    for command in event.commands:
        match command:
            case (kind, (value,)) if kind == PROGRESS:
                state = replace(state, progress=value)
            case (kind, (shadow,)) if kind == SHADOW_SEEN:
                state = replace(state, shadows_seen=state.shadows_seen | {shadow})
            case (kind, (flag, value)) if kind == PUZZLE_FLAG:
                flags = state.puzzle_flags | {flag} if value else state.puzzle_flags - {flag}
                state = replace(state, puzzle_flags=flags)
    return state


def waterfall_at(
    tables: DistortionTables, header: int, avatar: Surface, tile: Tile, direction: Direction
) -> WaterfallPassage | None:
    """The waterfall that a surfing player enters by pressing a direction."""
    x, y, z = tile
    return next(
        (
            each
            for each in tables.waterfalls
            if (each.header, each.state, each.x, each.y, each.direction) == (header, avatar, x, y, direction)
            and each.first_z <= z <= each.last_z
        ),
        None,
    )


def teleport_at(
    tables: DistortionTables, header: int, tile: Tile, direction: Direction, state: DistortionState
) -> Teleport | None:
    """The teleport that a press starts."""
    x, _, z = tile
    return next(
        (
            each
            for each in tables.teleports
            if (each.header, each.direction) == (header, direction)
            and each.first[0] <= x <= each.last[0]
            and each.first[1] <= z <= each.last[1]
            and state.progress >= each.progress
        ),
        None,
    )


def objects(tables: DistortionTables, header: int, state: DistortionState) -> tuple[DistortionObject, ...]:
    """The people and boulders on a floor."""
    return tuple(each for each in tables.objects.get(header, ()) if state.holds(each.condition))
