"""The groups of tile behaviours that the game's code tests for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

Group = frozenset[int]
ByDirection = tuple[Group, Group, Group, Group]
"""A group for each direction, by its number: north, south, west, east."""

NORTH_SOUTH: Final = (0, 1)
WEST_EAST: Final = (2, 3)


@dataclass(frozen=True, eq=False)
class BehaviourGroups:
    """The groups of a game, named as in its code; one that the game lacks, or of which nothing is known, is empty."""

    blocks: ByDirection
    """Tiles that cannot be left in a direction, nor entered from this side."""
    ledge: ByDirection
    double_ledge: ByDirection
    ramp: ByDirection
    """Bike ramps that are ridden onto in a direction."""
    slopes: Group
    """Bike slopes."""
    spin: ByDirection
    """Tiles that move the player in a direction until something is in the way or a tile of `stop_sliding` is
    reached."""
    stop_sliding: Group
    ice: Group
    rock_climb: ByDirection
    waterfall: Group
    shallow_water: Group
    puddle: Group
    reflective: Group
    mirror: Group
    bridge_start: Group
    bridge: Group
    bridge_over_water: Group
    bridge_over_sand: Group
    bridge_over_snow: Group
    bike_bridge_north_south: Group
    bike_bridge_east_west: Group
    snow: Group
    shallow_snow: Group
    deep_snow: Group
    deeper_snow: Group
    deepest_snow: Group
    snow_with_shadows: Group
    sand: Group
    mud: Group
    mud_grass: Group
    tall_grass: Group
    very_tall_grass: Group
    table: Group
    dynamic_height: Group
    """Tiles that are closed while a moving platform supplies their height."""
    door: Group
    push: ByDirection
    """Warps that fire when the player pushes in a direction."""
    stairs: ByDirection
    """Warps that fire when the player pushes in a direction, on stairs."""
    step_warps: Group
    """Warps that fire after a step."""
    northern_warps: Group
    """Warps that fire after a step northward only."""
    panel: Group
    escalator: Group
    escalator_flipping: Group
    surfable: Group = frozenset()
    """Water, from the table of behaviours."""

    @cached_property
    def ramps(self) -> Group:
        """All bike ramps."""
        return Group().union(*self.ramp)

    @cached_property
    def falls(self) -> ByDirection:
        """Waterfalls, which are climbed northward and southward."""
        return self.waterfall, self.waterfall, Group(), Group()

    @cached_property
    def no_bicycle(self) -> Group:
        """The tiles on which no bicycle is ridden."""
        return self.mud | self.mud_grass | self.very_tall_grass

    def on_water(self, behaviour: int, elevated: bool) -> bool:
        """Whether a tile is water for a player: a bridge over water is one only below the deck."""
        return behaviour in self.surfable and not (elevated and behaviour in self.bridge_over_water)

    def on_snow(self, behaviour: int, elevated: bool) -> bool:
        """Whether a tile is snow for a player; a bridge over snow is one only below the deck."""
        return behaviour in self.snow or (behaviour in self.bridge_over_snow and not elevated)

    def bike_bridge(self, behaviour: int, elevated: bool) -> tuple[int, ...]:
        """The directions of a bike bridge's deck; empty for any other tile and for a player below the deck."""
        if not elevated:
            return ()
        if behaviour in self.bike_bridge_north_south:
            return NORTH_SOUTH
        return WEST_EAST if behaviour in self.bike_bridge_east_west else ()

    def elevated_on(self, behaviour: int, elevated: bool) -> bool:
        """The elevated flag after entering a tile: a bridge start sets it, bridge tiles keep it, all others clear
        it."""
        return behaviour in self.bridge_start or (elevated and behaviour in self.bridge)
