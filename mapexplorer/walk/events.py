"""The events of a tile: those that react to the action button, and the triggers of a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mapexplorer.features import FeatureChange
from mapexplorer.walk.ground import Ground, ObjectsOn
from mapexplorer.walk.rules import Standing, meets, objects_on
from mapexplorer.walk.tick import Event
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.event_rules import background_facings, in_trigger
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.sources.readable import readable_events

_KINDS: Final = ("talk", "sign", "hidden item")


def addressed(ground: Ground, standing: Standing, facing: Direction, people: ObjectsOn) -> list[MapObject]:
    """The objects on the tile ahead that react to the action button; over a table, those on the tile beyond it."""
    x, z = standing.x + DX[facing], standing.z + DZ[facing]
    over = (x, z) if ground.behaviour(x, z) not in ground.groups.table else (x + DX[facing], z + DZ[facing])
    present = objects_on(ground, standing, *over, people)
    return [person for person in present if (person.x, person.z) == over and meets(person, standing.y)]


def interaction_events(
    zone: int, ground: Ground, standing: Standing, facing: Direction, people: ObjectsOn
) -> Iterator[Event]:
    """The events that react to the action button."""
    for person in addressed(ground, standing, facing, people):
        values: dict[str, Any] = {"object": person.index, "script": person.script, "graphics": person.graphics}
        yield Event("interact", f"Object {person.index} runs script {person.script}.", values)
    ahead = (standing.x + DX[facing], standing.z + DZ[facing])
    events = readable_events(ground.world, zone)
    for number, event in enumerate(() if events is None else events.background):
        if (int(event["x"]), int(event["z"])) != ahead:
            continue
        if facing not in background_facings(event):
            continue
        kind = int(event["type"])
        name = _KINDS[kind] if kind < len(_KINDS) else str(kind)
        script = int(event["script"])
        yield Event("interact", f"Event {number} ({name}) runs script {script}.", {"event": number, "script": script})


def _triggers(ground: Ground, zone: int, x: int, z: int) -> Iterator[tuple[int, int, int, int]]:
    """Number, script, variable and its value of the triggers whose rectangle holds a tile."""
    for number, (left, top, width, length, script, variable, value) in enumerate(ground.triggers(zone)):
        if in_trigger(left, top, width, length, x, z):
            yield number, script, variable, value


def trigger_events(ground: Ground, zone: int, x: int, z: int) -> Iterator[Event]:
    """The coordinate triggers whose rectangle holds a tile; whether one fires depends on the variables of the game."""
    for number, script, variable, value in _triggers(ground, zone, x, z):
        named = ground.world.game.tables.save_names.variable(variable)
        sentence = f"Trigger {number} runs script {script} while variable {named} is {value}."
        yield Event("trigger", sentence, {"trigger": number, "script": script, "variable": variable})


def feature_change(ground: Ground, zone: int, standing: Standing) -> FeatureChange | None:
    """What a step that has ended does to the feature of the map, by itself or by a trigger on the tile."""
    feature, x, z = standing.feature, standing.x, standing.z
    if feature is None:
        return None
    reactions = (
        feature.triggered(ground.script_commands(zone, script), ground, x, z)
        for _, script, _, _ in _triggers(ground, zone, x, z)
    )
    return feature.stepped(x, z, standing.y) or next((change for change in reactions if change is not None), None)
