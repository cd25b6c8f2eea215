"""Map objects: the people and things of a header's object events."""

from __future__ import annotations

from dataclasses import dataclass

from formats.fixed import ONE, Vector
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.save import Save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.terrain.terrain import Terrain


@dataclass(frozen=True)
class MapObject:
    """An object event of a map."""

    header: int
    """The map header whose event it is."""
    index: int
    """Its number among the object events of the header."""
    x: int
    """The column of its tile, matrix-wide."""
    z: int
    """The row of its tile, matrix-wide."""
    y: int
    """The height of the ground, fx32."""
    graphics: int
    """The id of its graphics."""
    direction: int
    """The initial direction, as stored."""
    script: int
    """The number of its script."""
    hidden_flag: int
    """The flag that hides it; 0: none."""
    movement_type: int
    """The number of its movement type."""
    trainer_type: int
    """How a trainer looks for the player."""
    sight: int
    """How far a trainer looks, in tiles."""

    @property
    def position(self) -> Vector:
        """The centre of its tile on the ground, fx32, matrix-wide."""
        x, z = ((2 * tile + 1) * TILE_UNITS * ONE // 2 for tile in (self.x, self.z))
        return x, self.y, z


def map_objects(world: WorldFiles, header: int, terrain: Terrain, save: Save | None = None) -> tuple[MapObject, ...]:
    """The objects of a header, each on the height plate nearest to its stored height, else at that height.

    Objects that the flags of `save` hide are left out; without a save all are included. A header whose events cannot be
    read has none.
    """
    events = readable_events(world, header)
    if events is None:
        return ()
    objects = []
    for index, event in enumerate(events.objects if save is None else save.events(header, events).objects):
        if save is not None and save.hides(int(event["hidden_flag"]), int(event["script"])):
            continue
        x, z, stored = int(event["x"]), int(event["z"]), int(event["y"])
        answer = terrain.height_fx((2 * x + 1) * TILE_UNITS * ONE // 2, (2 * z + 1) * TILE_UNITS * ONE // 2, stored)
        objects.append(
            MapObject(
                header,
                index,
                x,
                z,
                answer.fx32 if answer.found else stored,
                int(event["graphics"]),
                int(event["direction"]),
                int(event["script"]),
                int(event["hidden_flag"]),
                int(event["movement_type"]),
                int(event["trainer_type"]),
                int(event["parameters"][0]),
            )
        )
    return tuple(objects)
