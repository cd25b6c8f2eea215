"""The initial state of a map object, from the record of its event and the save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.field.zone_event import ZoneEvents
from formats.fixed import Vector
from mapexplorer.games.map_object_tables import MovementType, ObjectGraphics
from mapexplorer.games.tables import Tables
from mapexplorer.world.save import BERRY_PATCH, CLONE, Save


@dataclass(frozen=True)
class ObjectSetting:
    """The initial state of an object: tile, fx32 height, direction, movement type, graphics; `clone`: it represents an
    object of another header; `grows`: it is a berry patch with a plant; `header`, `event` and `hidden_flag`: the event
    that it is created from (None: no event); `trainer`: the number of the trainer that its script means; `turn` of its
    picture, degrees clockwise; `position` (fx32): where something has moved it, None: in the middle of its tile, on the
    ground."""

    local_id: int
    graphics: ObjectGraphics
    movement: MovementType
    trainer_type: int
    script: int
    direction: int
    parameters: tuple[int, int, int]
    range_x: int
    range_z: int
    x: int
    z: int
    height: int
    clone: bool = False
    grows: bool = False
    header: int | None = None
    event: int | None = None
    hidden_flag: int = 0
    trainer: int | None = None
    turn: float = 0
    position: Vector | None = None


_NO_MOVEMENT = MovementType(-1, "none", (), "")


def object_setting(event: Any, header: int, save: Save, index: int | None = None) -> ObjectSetting:
    """The initial state of object event `index` (a record of `formats.field.zone_event`) of a header."""
    tables: Tables = save.game.tables
    first, second, third = (int(value) for value in event["parameters"])
    number = save.graphics(int(event["graphics"]), first, header)
    graphics = tables.map_object_graphics.get(BERRY_PATCH if number is None else number)
    script = int(event["script"])
    trainer = tables.script_numbers.trainer(script)
    return ObjectSetting(
        int(event["local_id"]),
        graphics or ObjectGraphics(number or 0, "", "nothing", (), False, 0, False),
        tables.map_objects.movement_types.get(int(event["movement_type"]), _NO_MOVEMENT),
        int(event["trainer_type"]),
        script,
        max(0, int(event["direction"])) & 3,
        (first, second, third),
        int(event["range_x"]),
        int(event["range_z"]),
        int(event["x"]),
        int(event["z"]),
        int(event["y"]),
        script == CLONE,
        int(event["graphics"]) == BERRY_PATCH and number is not None,
        header,
        index,
        int(event["hidden_flag"]),
        None if trainer is None else trainer[0],
    )


def object_settings(events: ZoneEvents | None, header: int, save: Save) -> list[ObjectSetting]:
    """The initial states of a header's objects that exist with a save, in file order."""
    if events is None:
        return []
    return [
        object_setting(event, header, save, index)
        for index, event in enumerate(save.events(header, events).objects)
        if not save.hides(int(event["hidden_flag"]), int(event["script"]))
    ]
