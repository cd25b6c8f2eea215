"""What a tile behaviour means for a player, and the colour and the arrow with which layers show it.

The colours are distinguishable with the usual kinds of colour blindness; blocked tiles alone are red.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from mapexplorer.games.behaviour_groups import BehaviourGroups, Group
from mapexplorer.games.tables import Tables
from mapexplorer.world.colors import Rgb
from mapexplorer.world.direction import DX, DZ


@dataclass(frozen=True)
class Meaning:
    """A kind of behaviours, with the words of the legend and its colour."""

    words: str
    color: Rgb


WATER: Final = Meaning("water to surf on", (32, 96, 200))
WATERFALL: Final = Meaning("waterfall", (90, 190, 240))
SHALLOW: Final = Meaning("puddle or shallow water", (140, 205, 225))
GRASS: Final = Meaning("grass with wild Pokémon", (60, 170, 60))
WILD: Final = Meaning("other ground with wild Pokémon", (150, 150, 50))
ICE: Final = Meaning("ice, a forced slide", (175, 240, 250))
SAND: Final = Meaning("sand", (225, 205, 120))
SNOW: Final = Meaning("snow", (190, 195, 255))
MUD: Final = Meaning("mud", (125, 85, 50))
LEDGE: Final = Meaning("ledge, jumped in its direction", (240, 150, 20))
BORDER: Final = Meaning("border that cannot be crossed", (250, 205, 60))
WARP: Final = Meaning("door, stairs or other way to another map", (165, 70, 190))
BRIDGE: Final = Meaning("bridge", (165, 125, 90))
CLIMB: Final = Meaning("rock climb", (215, 105, 130))
BICYCLE: Final = Meaning("ramp or slope for the bicycle", (100, 110, 170))
REFLECTING: Final = Meaning("reflecting floor", (110, 150, 150))
OTHER: Final = Meaning("other behaviour", (150, 150, 155))


def _grouped(groups: BehaviourGroups) -> tuple[tuple[Meaning, tuple[Group, ...]], ...]:
    """The meanings that groups have; the first with a behaviour counts."""
    return (
        (BRIDGE, (groups.bridge, groups.bridge_start)),
        (WARP, (groups.door, *groups.push, *groups.stairs, groups.step_warps)),
        (LEDGE, (*groups.ledge, *groups.double_ledge)),
        (BORDER, groups.blocks),
        (GRASS, (groups.tall_grass, groups.very_tall_grass, groups.mud_grass)),
        (ICE, (groups.ice,)),
        (SAND, (groups.sand,)),
        (SNOW, (groups.snow, groups.shallow_snow, groups.snow_with_shadows)),
        (MUD, (groups.mud,)),
        (SHALLOW, (groups.puddle, groups.shallow_water)),
        (REFLECTING, (groups.mirror,)),
    )


@cache
def behaviour_meaning(tables: Tables, behaviour: int) -> Meaning | None:
    """The meaning of a behaviour in a game; None for plain ground."""
    known = tables.behaviour(behaviour)
    if behaviour == 0:
        return None
    for meaning, groups in _grouped(tables.behaviour_groups):
        if any(behaviour in group for group in groups):
            return meaning
    if known.name == "waterfall":
        return WATERFALL
    if known.surf:
        return WATER
    if known.wild_encounters:
        return WILD
    named = (meaning for start, meaning in _NAMED if known.name.startswith(start))
    return next(named, OTHER)


@cache
def behaviour_arrow(tables: Tables, behaviour: int) -> tuple[int, int] | None:
    """The direction (tiles east, tiles south) in which a ledge is jumped or a tile slides; None without one."""
    groups = tables.behaviour_groups
    moving = zip(DX, DZ, groups.ledge, groups.double_ledge, groups.spin, strict=True)
    return next(((east, south) for east, south, *ways in moving if any(behaviour in way for way in ways)), None)


_NAMED: Final = (("rock climb", CLIMB), ("bike", BICYCLE), ("slide", ICE), ("warp", WARP))
