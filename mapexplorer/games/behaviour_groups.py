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
    """Ledges that are jumped down in a direction."""
    double_ledge: ByDirection
    """Ledges two tiles deep."""
    ramp: ByDirection
    """Bike ramps that are ridden onto in a direction."""
    slopes: Group
    """Bike slopes."""
    spin: ByDirection
    """Tiles that move the player in a direction until something is in the way or a tile of `stop_sliding` is
    reached."""
    stop_sliding: Group
    """Tiles on which spinning ends."""
    ice: Group
    """Tiles on which the player slides."""
    rock_climb: ByDirection
    """Walls that are climbed in a direction."""
    waterfall: Group
    """Waterfalls."""
    shallow_water: Group
    """Shallow water that is walked through."""
    puddle: Group
    """Puddles, which ripple underfoot."""
    reflective: Group
    """Tiles that show reflections."""
    mirror: Group
    """Those whose reflection is steady: floors."""
    bridge_start: Group
    """The ends of bridges, where the player comes to be on the deck."""
    bridge: Group
    """The decks of bridges, which may also be passed below."""
    bridge_over_water: Group
    """Bridges with water below."""
    bridge_over_sand: Group
    """Bridges with sand below."""
    bridge_over_snow: Group
    """Bridges with snow below."""
    bike_bridge_north_south: Group
    """Bridges that only a bicycle passes, northward and southward."""
    bike_bridge_east_west: Group
    """Bridges that only a bicycle passes, eastward and westward."""
    snow: Group
    """Snow of any depth."""
    shallow_snow: Group
    """Snow that does not slow the player."""
    deep_snow: Group
    """Snow into which the player sinks."""
    deeper_snow: Group
    """Snow into which the player sinks deeper."""
    deepest_snow: Group
    """Snow into which the player sinks deepest."""
    snow_with_shadows: Group
    """Snow in which people leave footprints of their own kind."""
    sand: Group
    """Sand."""
    mud: Group
    """Mud into which the player sinks."""
    mud_grass: Group
    """Mud with grass."""
    tall_grass: Group
    """Tall grass."""
    very_tall_grass: Group
    """Very tall grass."""
    table: Group
    """Counters: the action button reaches what is behind them."""
    dynamic_height: Group
    """Tiles that are closed while a moving platform supplies their height."""
    door: Group
    """Doors."""
    push: ByDirection
    """Warps that fire when the player pushes in a direction."""
    stairs: ByDirection
    """Warps that fire when the player pushes in a direction, on stairs."""
    step_warps: Group
    """Warps that fire after a step."""
    northern_warps: Group
    """Warps that fire after a step northward only."""
    panel: Group
    """Warp panels."""
    escalator: Group
    """Escalators."""
    escalator_flipping: Group
    """Those on which the player turns around."""
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
