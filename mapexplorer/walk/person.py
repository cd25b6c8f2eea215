"""People and things that events put on tiles, as obstacles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mapexplorer.world import World
from mapexplorer.world.cells import FX, TILE_UNITS

LEVEL_SHIFT: Final = 15
"""Objects compare heights in steps of 8 units (fx32 >> 15)."""
LEVELS_APART: Final = 2
"""From so many steps on, two objects are on different levels and do not meet."""


@dataclass(frozen=True)
class Person:
    """An object event: its number in the zone, tile, fx32 height, and the flag that hides it (0: nothing does)."""

    zone: int
    number: int
    x: int
    z: int
    y: int
    graphics: int
    script: int
    hidden_flag: int

    def meets(self, y: int) -> bool:
        """Whether somebody at fx32 height y is on the same level."""
        return abs((self.y >> LEVEL_SHIFT) - (y >> LEVEL_SHIFT)) < LEVELS_APART


def people_of(
    world: World, zone: int, height: Callable[[int, int, int], int | None]
) -> Mapping[tuple[int, int], tuple[Person, ...]]:
    """Tile -> objects of a zone, each on the height plate nearest to its stored height.

    All are there, also those that a flag may hide: which flags are set depends on the player's game.
    """
    events = world.events(zone) if zone < len(world.headers) else None
    found: dict[tuple[int, int], tuple[Person, ...]] = {}
    if events is None:
        return found
    half = TILE_UNITS // 2
    for number, event in enumerate(events.objects):
        x, z, stored = int(event["x"]), int(event["z"]), int(event["y"])
        y = height((x * TILE_UNITS + half) * FX, (z * TILE_UNITS + half) * FX, stored)
        person = Person(
            zone, number, x, z, stored if y is None else y,
            int(event["graphics"]), int(event["script"]), int(event["hidden_flag"]),
        )  # fmt: skip
        found[x, z] = (*found.get((x, z), ()), person)
    return found
