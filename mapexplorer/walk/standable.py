"""The tiles of a map on which a player can be put: on foot, free of people and things, not on a warp or a trigger."""

from __future__ import annotations

from collections.abc import Iterator

from mapexplorer.walk.ground import Ground
from mapexplorer.world.events.event_rules import in_trigger
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save


def standable(place: FieldPlace, save: Save) -> Iterator[tuple[int, int, int]]:
    """The tiles (x, z) of a place with the height of their highest ground, fx32. `save`: that with which the place is
    shown. Raises FormatError, RomError."""
    zone = place.header.id
    ground = Ground(place.world, zone, place.known, entered=False, save=save)
    taken = {*ground.warps(zone), *ground.objects(zone)}
    triggers = [(west, north, width, length) for west, north, width, length, *_ in ground.triggers(zone)]
    for tile in ground.tiles(place.cells):
        x, z = int(tile["x"]), int(tile["z"])
        closed = tile["blocked"] or ground.groups.on_water(int(tile["behaviour"]), elevated=False)
        if closed or (x, z) in taken or any(in_trigger(*area, x, z) for area in triggers):
            continue
        levels = ground.levels(x, z)
        if levels:
            yield x, z, levels[0]
