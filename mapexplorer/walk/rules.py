"""The step test: whether the player may move from a tile onto its neighbour, and if not, which rule refuses the step.

Both walks and searches use the same function. Source: the Platinum field code. The order of the tests is the game's;
the first that refuses is the one that is named. Ledges come before all of them: the game lets the player jump onto a
ledge tile that is solid, and never tests where they land.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Final, NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.features import Feature, Press
from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import TOP_SPEED, Gait, Mode
from mapexplorer.walk.ground import Ground, ObjectsOn
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.terrain.obstacle import StepRule, obstacle, on_one_level
from mapexplorer.world.terrain.terrain import TILE_LENGTH, centre, with_plate


class Move(Enum):
    """The result of pressing a direction."""

    STEP = "step"
    LEDGE = "ledge"
    DOUBLE_LEDGE = "double ledge"
    ONTO_RAMP = "onto a ramp"
    ASHORE = "ashore"
    BUMP = "bump"


class Standing(NamedTuple):
    """The state that a step depends on."""

    x: int
    """The column of the tile, matrix-wide."""
    z: int
    """The row of the tile, matrix-wide."""
    y: int
    """The height in fx32."""
    elevated: bool = False
    """On the deck of a bridge."""
    mode: Mode = Mode.FOOT
    """What the player moves on."""
    gear: int = 3
    """The gear of the bicycle, 3 or 4."""
    speed: int = 0
    """0 to 3."""
    feature: Feature | None = None
    """What code adds to the map, in its present state; None: nothing."""
    moved: tuple[MapObject, ...] = ()
    """The objects that the walk has moved, where they are now."""

    @property
    def surface(self) -> Surface:
        """What the player stands on."""
        return Surface.LAND if self.feature is None else self.feature.surface

    def ahead(self, direction: Direction, tiles: int = 1) -> Vector:
        """The tile to which `tiles` steps lead, with its height in whole tiles."""
        return self.surface.ahead((self.x, self.y // TILE_LENGTH, self.z), direction, tiles)

    def press(self, ground: Ground, direction: Direction, strong: bool = False) -> Press:
        """A press of a direction, for the feature of the map."""
        return Press(ground, self.x, self.z, self.y, direction, self.mode is Mode.SURF, strong)


class Decision(NamedTuple):
    """The resulting move, and the rule that refuses it, if any."""

    move: Move
    rule: StepRule | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a step is refused: the rule, a sentence, the tile that could not be entered, and the numbers compared."""

    rule: StepRule
    sentence: str
    tile: tuple[int, int]
    direction: Direction
    numbers: dict[str, float | int | str]

    def __str__(self) -> str:
        return self.sentence


_STEP: Final = Decision(Move.STEP)
_LEDGE: Final = Decision(Move.LEDGE)
_DOUBLE_LEDGE: Final = Decision(Move.DOUBLE_LEDGE)
_ONTO_RAMP: Final = Decision(Move.ONTO_RAMP)
_ASHORE: Final = Decision(Move.ASHORE)
_BUMPS: Final = {rule: Decision(Move.BUMP, rule) for rule in StepRule}


def meets(map_object: MapObject, y: int) -> bool:
    """Whether an object is on the same level as something at fx32 height y."""
    return on_one_level(map_object.y, y)


def objects_on(ground: Ground, standing: Standing, x: int, z: int, people: ObjectsOn) -> Iterator[MapObject]:
    """The objects of the player's zone that are on a tile or are leaving it: those of `people`, except that some were
    removed by the feature of the map, or moved by the walk."""
    feature, moved = standing.feature, standing.moved
    for map_object in people(ground.zone(standing.x, standing.z), x, z):
        gone = feature is not None and feature.removed(map_object.header, map_object.index)
        if not gone and not any(same_object(map_object, other) for other in moved):
            yield map_object
    for map_object in moved:
        if (map_object.x, map_object.z) == (x, z):
            yield map_object


def same_object(first: MapObject, second: MapObject) -> bool:
    """Whether two values are of the same object event."""
    return (first.header, first.index) == (second.header, second.index)


def object_ahead(ground: Ground, standing: Standing, direction: Direction, people: ObjectsOn) -> MapObject | None:
    """The object on the tile ahead, on the same level."""
    objects = objects_on(ground, standing, standing.x + DX[direction], standing.z + DZ[direction], people)
    return next((map_object for map_object in objects if meets(map_object, standing.y)), None)


def decide(ground: Ground, standing: Standing, direction: Direction, people: ObjectsOn | None = None) -> Decision:
    """The decision for pressing `direction`. `people`: the map objects that block tiles; None: they do not."""
    x, z, y, elevated, mode, gear, speed, feature, _ = standing
    if feature is not None and feature.surface is not Surface.LAND:
        return _decide_on_surface(ground, standing, direction, people)
    tile = (x + DX[direction], z + DZ[direction])
    groups, ahead = ground.groups, ground.behaviour(*tile)
    riding = mode is Mode.BICYCLE
    if mode is not Mode.SURF:
        if ahead in groups.ledge[direction] or (feature is not None and feature.jumps(*tile, direction)):
            return _LEDGE
        if ahead in groups.double_ledge[direction]:
            return _DOUBLE_LEDGE
        if ahead in groups.ramp[direction]:
            return _ONTO_RAMP if riding and (gear == 3 or speed >= TOP_SPEED) else _BUMPS[StepRule.BIKE_RAMP]
    if feature is None:
        rule = obstacle(ground, x, z, y, direction)
    else:
        rule = obstacle(ground, x, z, y, direction, feature.plate_height(*tile), feature.collides)
        if rule is None and feature.occupied(*tile):
            rule = StepRule.FEATURE
    if rule is None and people is not None:
        inhabited = feature is not None and feature.inhabited(standing.ahead(direction))
        if inhabited or object_ahead(ground, standing, direction, people) is not None:
            rule = StepRule.PERSON
    if rule is not None:
        return _BUMPS[rule]
    axis = groups.bike_bridge(ahead, elevated)
    if axis and not (riding and direction in axis):
        return _BUMPS[StepRule.BIKE_BRIDGE]
    water = groups.on_water(ahead, elevated)
    if mode is Mode.SURF:
        if ahead in groups.waterfall:
            return _BUMPS[StepRule.WATERFALL]
        return _STEP if water else _ASHORE
    if water:
        return _BUMPS[StepRule.WATER]
    if riding and (ahead in groups.no_bicycle or groups.on_snow(ahead, elevated)):
        return _BUMPS[StepRule.BICYCLE]
    return _STEP


def _decide_on_surface(ground: Ground, standing: Standing, direction: Direction, people: ObjectsOn | None) -> Decision:
    """As `decide`, on ground that the feature adds with an orientation."""
    assert standing.feature is not None
    blocked, water, double_ledge = standing.feature.step(standing.press(ground, direction))
    if blocked:
        return _BUMPS[StepRule.FEATURE]
    if people is not None and standing.feature.inhabited(standing.ahead(direction)):
        return _BUMPS[StepRule.PERSON]
    surfing = standing.mode is Mode.SURF
    if water and not surfing:
        return _BUMPS[StepRule.WATER]
    if double_ledge:
        return _DOUBLE_LEDGE
    return _ASHORE if surfing and not water else _STEP


def step_gait(ground: Ground, standing: Standing, running: bool) -> Gait:
    """The gait of a plain step. On a surface with an orientation a player who surfs is as fast as one who walks."""
    gaits = ground.gaits
    if standing.surface is not Surface.LAND:
        return gaits.run if running and standing.mode is not Mode.SURF else gaits.walk
    return gaits.step(standing.mode, standing.gear, standing.speed, running, ground.behaviour(standing.x, standing.z))


def after_step(ground: Ground, standing: Standing, direction: Direction) -> Standing:
    """The standing after a plain step on ground without special effects: as by `Walker`, without its ticks. Each tick
    takes the height nearest to the one before; without ground it stays."""
    feature = standing.feature
    on_land = feature is None or feature.surface is Surface.LAND
    x, z = standing.x + DX[direction], standing.z + DZ[direction]
    y = ground.single_height(x, z) if on_land and (feature is None or not feature.plates) else None
    if y is None:
        y = heights(ground, standing, direction, step_gait(ground, standing, False))[-1]
    if feature is not None and not on_land:
        x, _, z = standing.ahead(direction)
        return standing._replace(x=x, z=z, y=y, feature=feature.arrived(x, z, y))
    _, _, _, elevated, mode, gear, speed, _, moved = standing
    speed = min(speed + 1, TOP_SPEED) if mode is Mode.BICYCLE and gear == 4 else 0
    elevated = ground.groups.elevated_on(ground.behaviour(x, z), elevated)
    return Standing(x, z, y, elevated, mode, gear, speed, feature, moved)


def heights(ground: Ground, standing: Standing, direction: Direction, gait: Gait) -> tuple[int, ...]:
    """The height of the ground, of a height plate or on a surface under a movement, tick by tick."""
    up = standing.surface.deltas[direction][1]
    if standing.surface is not Surface.LAND:
        return tuple(standing.y + up * units for units in accumulate(gait.steps))
    if standing.feature is not None and standing.feature.plates:
        return tuple(_heights(ground, standing, direction, gait, standing.feature))
    key = (standing.x, standing.z, standing.y, direction, gait)
    if key not in ground.heights:
        ground.heights[key] = tuple(_heights(ground, standing, direction, gait))
    return ground.heights[key]


def _heights(
    ground: Ground, standing: Standing, direction: Direction, gait: Gait, feature: Feature | None = None
) -> Iterator[int]:
    x, z, y = centre(standing.x), centre(standing.z), standing.y
    for units in gait.steps:
        x, z = x + DX[direction] * units, z + DZ[direction] * units
        under = ground.plate_height(x, z, y)
        if feature is not None:
            under, _ = with_plate(under, feature.plate_height(x // TILE_LENGTH, z // TILE_LENGTH), y)
        y = y if under is None else under
        yield y


def refusal(
    ground: Ground, standing: Standing, direction: Direction, rule: StepRule, people: ObjectsOn | None = None
) -> Refusal:
    """The explanation of a refused step. `people`: the map objects, by default those of the events."""
    x, _, z = standing.ahead(direction)
    tile = (x, z)
    behaviour = ground.behaviour(*tile)
    tables = ground.world.game.tables
    name = tables.behaviour_name(behaviour)
    where = f"Tile ({tile[0]}, {tile[1]}) to the {direction.word}"
    numbers: dict[str, float | int | str] = {"behaviour": behaviour, "height": standing.y / ONE}
    if rule is StepRule.HEIGHT:
        feature = standing.feature
        plate = None if feature is None else feature.plate_height(*tile)
        height, _ = with_plate(ground.centre_height(*tile, standing.y), plate, standing.y)
        numbers |= {"ahead": (height or 0) / ONE, "limit": ground.height_limit / ONE}
        what = "has no plate, which counts as height 0" if height is None else f"is at {height / ONE:g}"
        sentence = (
            f"{where} {what}, {abs((height or 0) - standing.y) / ONE:g} units from the present {standing.y / ONE:g};"
            f" a step covers less than {ground.height_limit / ONE:g}."
        )
    elif rule is StepRule.PERSON:
        person = object_ahead(ground, standing, direction, people or ground.objects_on)
        number = -1 if person is None else person.index
        flag = 0 if person is None else person.hidden_flag
        numbers |= {"object": number, "hidden_flag": flag}
        leave = f"; flag {flag} hides it" if flag else ""
        what = "something that code adds" if person is None else f"object {number}{leave}"
        sentence = f"On tile ({tile[0]}, {tile[1]}) to the {direction.word} is {what}."
    elif standing.surface is not Surface.LAND and rule is StepRule.FEATURE:
        sentence = f"There is no way on {standing.surface.words}."
    elif rule is StepRule.EDGE_HERE:
        here = tables.behaviour_name(ground.behaviour(standing.x, standing.z))
        sentence = f"This tile ({here}) cannot be left going {direction.word}."
    else:
        sentence = f"{where} {_WORDS[rule].format(name=name, known=f' ({name})' if behaviour else '')}"
    return Refusal(rule, sentence, tile, direction, numbers)


_WORDS: Final = {
    StepRule.COLLISION: "has the collision bit{known}.",
    StepRule.DYNAMIC_HEIGHT: "is closed while a moving platform supplies its height.",
    StepRule.FEATURE: "is barred by what code adds to this map.",
    StepRule.UNLOADED: "has no land.",
    StepRule.EDGE_AHEAD: "cannot be entered from this side ({name}).",
    StepRule.WATER: "is water ({name}): it takes Surf.",
    StepRule.WATERFALL: "is a waterfall: it takes the move.",
    StepRule.BIKE_BRIDGE: "is the deck of a bike bridge: it takes a bicycle, along the bridge.",
    StepRule.BIKE_RAMP: "is a bike ramp: it takes a bicycle in third gear, or at top speed in fourth.",
    StepRule.BICYCLE: "is {name}, which takes no bicycle.",
}
