"""The tiles of a map on which a player can be put: on foot, free of people and things, not on a warp or a trigger."""

from __future__ import annotations

from collections.abc import Iterator

from mapexplorer.walk.ground import Grounds
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save


def standable(place: FieldPlace, save: Save) -> Iterator[tuple[int, int, int]]:
    """The tiles (x, z) of a place with the height of their highest ground, fx32. `save`: that with which the place is
    shown. Raises FormatError, RomError."""
    ground, header = Grounds(place.world, place.known).entered(place.header.id), place.header.id
    stored, taken = place.world.events(header), set[tuple[int, int]]()
    if stored is not None:
        events = save.events(header, stored)
        taken |= {(int(warp["x"]), int(warp["z"])) for warp in events.warps}
        for person in events.objects:
            if not save.hides(int(person["hidden_flag"]), int(person["script"])):
                taken.add((int(person["x"]), int(person["z"])))
        for area in events.triggers:
            west, north, width, length = (int(area[name]) for name in ("x", "z", "width", "length"))
            taken |= {(x, z) for x in range(west, west + width) for z in range(north, north + length)}
    for tile in ground.tiles(place.cells):
        x, z = int(tile["x"]), int(tile["z"])
        water = ground.groups.on_water(int(tile["behaviour"]), elevated=False)
        levels = [] if tile["blocked"] or water or (x, z) in taken else ground.levels(x, z)
        if levels:
            yield x, z, levels[0]
