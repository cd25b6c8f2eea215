"""What answers the action button (water, climbable tiles, signs, people), and the triggers that a step runs into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer.walk import behaviour as tiles
from mapexplorer.walk import gait as gaits
from mapexplorer.walk.ability import Ability
from mapexplorer.walk.direction import DX, DZ, EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.walk.gait import Gait, Mode
from mapexplorer.walk.ground import Ground
from mapexplorer.walk.rules import Rule, decide, meets
from mapexplorer.walk.special_tiles import Momentum
from mapexplorer.walk.tick import Event, Tick
from mapexplorer.world.cells import FX, TILE_UNITS

if TYPE_CHECKING:
    from mapexplorer.walk.walker import Walker

_FACINGS: Final = ((NORTH,), (EAST,), (WEST,), (SOUTH,), tuple(Direction), (WEST, EAST), (NORTH, SOUTH))
"""A background event's number of allowed facings -> the facings."""
_SIGN: Final = 1
_KINDS: Final = ("talk", "sign", "hidden item")


def background_events(ground: Ground, zone: int, x: int, z: int, y: int, facing: Direction) -> Iterator[Event]:
    """Who and what answers on the tile ahead; over a table, on the tile beyond it."""
    ahead = (x + DX[facing], z + DZ[facing])
    over = ahead if ground.behaviour(*ahead) != tiles.TABLE else (ahead[0] + DX[facing], ahead[1] + DZ[facing])
    for person in ground.objects(zone).get(over, ()):
        if meets(person, y):
            values: dict[str, Any] = {"object": person.index, "script": person.script, "graphics": person.graphics}
            yield Event("interact", f"Object {person.index} runs script {person.script}.", values)
    events = ground.world.events(zone)
    for number, event in enumerate(() if events is None else events.background):
        if (int(event["x"]), int(event["z"])) != ahead:
            continue
        kind, allowed = int(event["type"]), int(event["facing"])
        if (facing != NORTH) if kind == _SIGN else (allowed < len(_FACINGS) and facing not in _FACINGS[allowed]):
            continue
        name = _KINDS[kind] if kind < len(_KINDS) else str(kind)
        script = int(event["script"])
        yield Event("interact", f"Event {number} ({name}) runs script {script}.", {"event": number, "script": script})


def trigger_events(ground: Ground, zone: int, x: int, z: int) -> Iterator[Event]:
    """The coordinate triggers whose rectangle holds a tile; whether one fires depends on the variables of the game."""
    for number, (left, top, width, length, script, variable, value) in enumerate(ground.triggers(zone)):
        if left <= x < left + width and top <= z < top + length:
            sentence = f"Trigger {number} runs script {script} while variable {variable} is {value}."
            yield Event("trigger", sentence, {"trigger": number, "script": script, "variable": variable})


def climb_gait(ground: Ground, x: int, z: int, direction: Direction, group: frozenset[int]) -> Gait | None:
    """The movement over a run of rock or falling water to the first tile beyond; None when that is no ground."""
    length = 1
    while ground.behaviour(x + DX[direction] * length, z + DZ[direction] * length) in group:
        length += 1
    attribute = ground.attribute(x + DX[direction] * length, z + DZ[direction] * length)
    if attribute & COLLISION or attribute & BEHAVIOUR == tiles.NULL:
        return None
    ticks = gaits.CLIMB.ticks * length
    return Gait(gaits.CLIMB.name, length, (TILE_UNITS * FX * length // ticks,) * ticks)


def interact(walker: Walker) -> Iterator[Tick]:
    """The action button: Surf, Rock Climb and Waterfall where the ground asks for them, else talk and read."""
    if walker.mode is not Mode.SURF:
        on_foot = walker.standing._replace(mode=Mode.FOOT)
        if decide(walker.ground, on_foot, walker.facing, walker.people).rule is Rule.WATER:
            yield from surf(walker)
            return
    for ability, mode, group, kind in _CLIMBS:
        if walker.mode is mode and walker.ground.behaviour(*walker.ahead()) in group[walker.facing]:
            yield from _climb(walker, ability, kind, group[walker.facing])
            return
    for event in background_events(walker.ground, walker.zone, walker.x, walker.z, walker.y, walker.facing):
        walker.note(event.kind, event.sentence, **event.values)
    yield walker.tick()


def surf(walker: Walker) -> Iterator[Tick]:
    if Ability.SURF not in walker.abilities:
        walker.note("blocked", "It takes Surf.", rule=Rule.WATER.value)
        yield walker.tick()
        return
    walker.mode, walker.speed = Mode.SURF, 0
    walker.momentum = Momentum()
    walker.note("surf", "Surfs.")
    yield from walker.move(walker.facing, gaits.SHORE_HOP)
    yield from walker.after(walker.facing)


def _climb(walker: Walker, ability: Ability, kind: str, group: frozenset[int]) -> Iterator[Tick]:
    gait = climb_gait(walker.ground, walker.x, walker.z, walker.facing, group)
    if ability not in walker.abilities or gait is None:
        reason = "It takes " + ability.value + "." if ability not in walker.abilities else "There is no way up."
        walker.note("blocked", reason, rule=ability.value)
        yield walker.tick()
        return
    walker.note(kind, f"{gait.tiles} tiles {walker.facing.word}.", tiles=gait.tiles)
    walker.momentum = Momentum()
    yield from walker.move(walker.facing, gait)
    yield from walker.after(walker.facing)


_CLIMBS: Final = (
    (Ability.ROCK_CLIMB, Mode.FOOT, tiles.ROCK_CLIMB, "climb"),
    (Ability.WATERFALL, Mode.SURF, tiles.FALLS, "waterfall"),
)
