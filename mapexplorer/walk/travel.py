"""The part of a walk that leads through a warp: leaving by a door, mat, stairs, panel or escalator, and arriving.

A fade takes no ticks here: how long it lasts is not a rule of movement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mapexplorer.walk import behaviour as tiles
from mapexplorer.walk import gait as gaits
from mapexplorer.walk.direction import DX, NORTH, SOUTH, Direction
from mapexplorer.walk.door import ZOOM_IN, ZOOM_LIMIT, ZOOM_OUT, Door, find_door
from mapexplorer.walk.gait import Mode
from mapexplorer.walk.ground import centre
from mapexplorer.walk.rules import Standing
from mapexplorer.walk.tick import Tick
from mapexplorer.walk.warps import Arrival, Spot, Transition, WarpUse, arrival, resolve
from mapexplorer.world.header import OUTDOOR_TYPES
from mapexplorer.world.place import Place

if TYPE_CHECKING:
    from mapexplorer.walk.walker import Walker


@dataclass(frozen=True)
class Moment:
    """A place to come back to."""

    header: int
    standing: Standing
    facing: Direction


def leave(walker: Walker, use: WarpUse, direction: Direction) -> Iterator[Tick]:
    """Go through a warp."""
    target = resolve(walker.world, use.zone, use.number)
    spot = walker.return_spot if target.returns else target.spot
    if spot is None:
        problem = target.problem or "This warp leads back to where the player came from, and that is nowhere."
        walker.note("blocked", problem, rule="warp", warp=use.number, header=use.zone)
        yield walker.tick()
        return
    walker.history.append(Moment(walker.header, walker.standing, walker.facing))
    if walker.world.headers[use.zone].map_type in OUTDOOR_TYPES:
        walker.return_spot = Spot(walker.header, *use.tile)
    if use.transition is Transition.DOOR:
        yield from _go_in(walker)
    elif use.transition is Transition.STAIRS:
        yield from walker.move(direction, gaits.SLOW)
    elif use.transition is Transition.ESCALATOR:
        walker.note("escalator", "Rides the escalator.")
        yield walker.tick()
    elif use.transition is Transition.PANEL:
        walker.note("panel", "Spins away on the warp panel.")
        yield walker.tick()
    walker.note("fade out", "The picture fades.", transition=use.transition.value)
    yield walker.tick()
    yield from arrive(walker, spot, use.transition, direction)


def _go_in(walker: Walker) -> Iterator[Tick]:
    door = _door(walker, entering=True)
    yield from _swing(walker, door, opening=True)
    walker.zoom = ZOOM_IN if door is None or door.zooms else 0
    yield from walker.move(NORTH, gaits.WALK)
    walker.zoom = 0
    walker.hidden = True
    yield from _swing(walker, door, opening=False)


def _door(walker: Walker, *, entering: bool) -> Door | None:
    place = Place(walker.world, walker.world.headers[walker.header])
    return find_door(walker.world, walker.ground, place, walker.x, walker.z, entering=entering)


def _swing(walker: Walker, door: Door | None, *, opening: bool) -> Iterator[Tick]:
    if door is None:
        return
    animation, ticks = (door.opens, door.open_ticks) if opening else (door.closes, door.close_ticks)
    if animation is None:
        return
    kind = "door opens" if opening else "door closes"
    walker.note(
        kind, f"Door model {door.model} plays animation {animation} for {ticks} ticks.", model=door.model,
        animation=animation, ticks=ticks, cell=list(door.cell), record=door.record, sound=door.sound,
    )  # fmt: skip
    for _ in range(ticks):
        yield walker.tick()


def arrive(walker: Walker, spot: Spot, transition: Transition, direction: Direction) -> Iterator[Tick]:
    """Appear at the other end of a warp."""
    ground = walker.grounds.entered(spot.header)
    behaviour = ground.behaviour(spot.x, spot.z)
    how, facing = arrival(transition, behaviour, direction)
    sideways = how in (Arrival.STAIRS, Arrival.ESCALATOR)
    x = spot.x - DX[facing] if sideways else spot.x
    y = ground.plate_height(centre(x), centre(spot.z), 0) or 0
    elevated = tiles.elevated_on(behaviour, False)
    mode = Mode.SURF if tiles.on_water(behaviour, elevated) else Mode.FOOT
    header = walker.world.headers[spot.header]
    zoomed = walker.half_fov == ZOOM_LIMIT
    riding = walker.mode is Mode.BICYCLE and header.bicycle and mode is Mode.FOOT
    walker.stand(spot.header, Standing(x, spot.z, y, elevated, Mode.BICYCLE if riding else mode, walker.gear), facing)
    walker.note(
        "warp", f"Arrives in {header.title} at ({spot.x}, {spot.z}): {how.value}.", header=spot.header,
        tile=[spot.x, spot.z], arrival=how.value, popup=bool(header.label_window and header.map_type not in _INDOORS),
        weather=header.weather, music=[header.day_music, header.night_music],
    )  # fmt: skip
    if zoomed:
        walker.half_fov, walker.zoom = ZOOM_LIMIT, ZOOM_OUT
    walker.note("fade in", "The picture comes back.")
    if how is Arrival.DOOR:
        yield from _come_out(walker)
    elif how is Arrival.STEP_SOUTH:
        yield walker.tick()
        yield from walker.move(SOUTH, gaits.WALK)
    elif sideways:
        yield from walker.move(facing, gaits.SLOW)
    else:
        yield walker.tick()


def _come_out(walker: Walker) -> Iterator[Tick]:
    door = _door(walker, entering=False)
    walker.hidden = True
    if door is None or door.zooms:
        walker.half_fov, walker.zoom = ZOOM_LIMIT, ZOOM_OUT
    yield walker.tick()
    yield from _swing(walker, door, opening=True)
    walker.hidden = False
    yield from walker.move(SOUTH, gaits.WALK)
    yield from _swing(walker, door, opening=False)


_INDOORS = (4, 5)
