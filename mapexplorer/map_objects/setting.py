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
    """The initial state of an object."""

    local_id: int
    """The number by which scripts of the map name it."""
    graphics: ObjectGraphics
    """How it is drawn."""
    movement: MovementType
    """How it moves."""
    trainer_type: int
    """How it looks for the player."""
    script: int
    """The number of the script that it runs."""
    direction: int
    """0 north, 1 south, 2 west, 3 east."""
    parameters: tuple[int, int, int]
    """Three numbers whose meaning depends on the script and the trainer type."""
    range_x: int
    """How far it moves from its tile along x, in tiles."""
    range_z: int
    """How far it moves from its tile along z, in tiles."""
    x: int
    """The column of its tile, matrix-wide."""
    z: int
    """The row of its tile, matrix-wide."""
    height: int
    """The height of the ground, fx32."""
    clone: bool = False
    """It represents an object of another header."""
    grows: bool = False
    """It is a berry patch with a plant."""
    header: int | None = None
    """The map of the event that it is created from, None: no event."""
    event: int | None = None
    """The index of that event, None: no event."""
    hidden_flag: int = 0
    """The flag that hides it, 0: none."""
    trainer: int | None = None
    """The number of the trainer that its script means, None: none."""
    turn: float = 0
    """The turn of its picture, degrees clockwise."""
    position: Vector | None = None
    """Where something has moved it, fx32; None: in the middle of its tile, on the ground."""


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
