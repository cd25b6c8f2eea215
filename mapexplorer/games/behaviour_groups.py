"""The groups of tile behaviours that the game's code tests for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Group = frozenset[int]
ByDirection = tuple[Group, Group, Group, Group]
"""A group for each direction, by its number: north, south, west, east."""

NORTH_SOUTH: Final = (0, 1)
WEST_EAST: Final = (2, 3)
_WORDS: Final = ("north", "south", "west", "east")


@dataclass(frozen=True, slots=True, eq=False)
class BehaviourGroups:
    """The groups of a game, named as in its code; one that the game lacks, or of which nothing is known, is empty.

    `blocks`: tiles that cannot be left in a direction, nor entered from this side; `ramp`: the bike ramps that are
    ridden onto in a direction, `ramps` all of them; `slopes`: bike slopes; `spin`: tiles that move the player in a
    direction until something is in the way or a tile of `stop_sliding` is reached; `falls`: waterfalls climbed in a
    direction; `push` and `stairs`: warps that fire when the player pushes in a direction, `step_warps` those that fire
    after a step, `northern_warps` after one northward only; `dynamic_height`: tiles that are closed while a moving
    platform supplies their height.
    """

    blocks: ByDirection
    ledge: ByDirection
    double_ledge: ByDirection
    ramp: ByDirection
    ramps: Group
    slopes: Group
    spin: ByDirection
    stop_sliding: Group
    ice: Group
    rock_climb: ByDirection
    waterfall: Group
    falls: ByDirection
    surfable: Group
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
    no_bicycle: Group
    table: Group
    dynamic_height: Group
    door: Group
    push: ByDirection
    stairs: ByDirection
    step_warps: Group
    northern_warps: Group
    panel: Group
    escalator: Group
    escalator_flipping: Group

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


def read_behaviour_groups(groups: Mapping[str, Sequence[int]], surfable: Group) -> BehaviourGroups:
    """The groups from their JSON, which has a list for each name; `surfable`: the behaviours of water."""

    def group(name: str) -> Group:
        return frozenset(groups[name])

    climb_north_south, climb_east_west = group("rock climb north-south"), group("rock climb east-west")
    ramp = _by_direction(group, "bike ramp", "west", "east")
    mud, mud_grass, very_tall_grass = group("mud"), group("mud grass"), group("very tall grass")
    waterfall, none = group("waterfall"), Group()
    return BehaviourGroups(
        blocks=_by_direction(group, "blocks"),
        ledge=_by_direction(group, "ledge"),
        double_ledge=_by_direction(group, "double ledge"),
        ramp=ramp,
        ramps=none.union(*ramp),
        slopes=group("bike slope"),
        spin=_by_direction(group, "slide"),
        stop_sliding=group("stop sliding"),
        ice=group("ice"),
        rock_climb=(climb_north_south, climb_north_south, climb_east_west, climb_east_west),
        waterfall=waterfall,
        falls=(waterfall, waterfall, none, none),
        surfable=surfable,
        shallow_water=group("shallow water"),
        puddle=group("puddle"),
        reflective=group("reflective"),
        mirror=group("mirror floor"),
        bridge_start=group("bridge start"),
        bridge=group("bridge"),
        bridge_over_water=group("bridge over water"),
        bridge_over_sand=group("bridge over sand"),
        bridge_over_snow=group("bridge over snow"),
        bike_bridge_north_south=group("bike bridge north-south"),
        bike_bridge_east_west=group("bike bridge east-west"),
        snow=group("snow"),
        shallow_snow=group("shallow snow"),
        deep_snow=group("deep snow"),
        deeper_snow=group("deeper snow"),
        deepest_snow=group("deepest snow"),
        snow_with_shadows=group("snow with shadows"),
        sand=group("sand"),
        mud=mud,
        mud_grass=mud_grass,
        tall_grass=group("tall grass"),
        very_tall_grass=very_tall_grass,
        no_bicycle=mud | mud_grass | very_tall_grass,
        table=group("table"),
        dynamic_height=group("dynamic height"),
        door=group("door"),
        push=_by_direction(group, "warp when pushing", "south", "west", "east"),
        stairs=_by_direction(group, "warp stairs", "west", "east"),
        step_warps=group("warp on step"),
        northern_warps=group("warp on step northward"),
        panel=group("warp panel"),
        escalator=group("escalator"),
        escalator_flipping=group("escalator flipping"),
    )


def _by_direction(group: Callable[[str], Group], kind: str, *words: str) -> ByDirection:
    """The groups `kind north` and so on; empty for a direction that is not among `words`, if there are any."""
    known = words or _WORDS
    north, south, west, east = (group(f"{kind} {word}") if word in known else Group() for word in _WORDS)
    return north, south, west, east
