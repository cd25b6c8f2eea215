"""Trainers: which of them sees the player, the walk up to the player, and what follows. One that sees the player or is
spoken to counts as beaten.

Where objects stand still, who turns around or wanders looks as when the map is entered. A second trainer who sees the
player comes after the first. Source: the Platinum field code; the pauses of the encounter are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mapexplorer.map_objects.movement_types import STANDING
from mapexplorer.walk.ground import Ground, ObjectsOn
from mapexplorer.walk.player import Player
from mapexplorer.walk.rules import Standing, heights, meets, objects_on, same_object
from mapexplorer.walk.tick import Tick
from mapexplorer.world.direction import DX, DZ, OPPOSITE, Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.events.sight import LOOK_AHEAD, LOOK_AROUND
from mapexplorer.world.terrain.obstacle import obstacle

_FARTHEST: Final = 10
"""How many tiles away trainers are looked for. A screen shows no tile farther away; those of the game see 6 tiles."""

Sight = tuple[MapObject, Direction, int]
"""A trainer that sees the player: in which direction, how many tiles away."""


def beaten_flag(ground: Ground, script: int) -> int | None:
    """The flag that is set when the trainer with a script is beaten; None for another kind of script."""
    tables = ground.world.game.tables
    known = tables.script_numbers.trainer(script)
    return None if known is None else tables.save_names.trainers.start + known[0]


def sees_player(
    ground: Ground, standing: Standing, people: ObjectsOn, beaten: frozenset[int] = frozenset()
) -> Sight | None:
    """The trainer of `people` that sees the player, of several the one whose event is first; those whose flags are
    `beaten` do not look."""
    sights = [
        (trainer, direction, distance)
        for direction in Direction
        for distance in range(1, _FARTHEST + 1)
        for trainer in _on_line(ground, standing, people, direction, distance)
        if (flag := beaten_flag(ground, trainer.script)) is not None
        and flag not in beaten
        and direction in _looks(ground, trainer)
        and distance <= trainer.sight
        and _clear(ground, standing, people, trainer, direction, distance)
    ]
    return min(sights, key=lambda sight: sight[0].index, default=None)


def _on_line(
    ground: Ground, standing: Standing, people: ObjectsOn, direction: Direction, distance: int
) -> Iterator[MapObject]:
    """The objects on the tile from which the player is so many tiles in a direction."""
    x, z = standing.x - DX[direction] * distance, standing.z - DZ[direction] * distance
    for map_object in objects_on(ground, standing, x, z, people):
        if (map_object.x, map_object.z) == (x, z):
            yield map_object


def _looks(ground: Ground, trainer: MapObject) -> tuple[Direction, ...]:
    if trainer.trainer_type == LOOK_AROUND:
        return tuple(Direction)
    if trainer.trainer_type not in LOOK_AHEAD:
        return ()
    movement = ground.world.game.tables.map_objects.movement_types.get(trainer.movement_type)
    stands = movement is not None and movement.kind in STANDING
    return (Direction(movement.directions[0] if movement is not None and stands else trainer.direction & 3),)


def _clear(
    ground: Ground, standing: Standing, people: ObjectsOn, trainer: MapObject, direction: Direction, distance: int
) -> bool:
    """Whether a trainer could walk onto the tile of the player, but for the player."""
    feature = standing.feature
    for way in range(distance):
        x, z = trainer.x + DX[direction] * way, trainer.z + DZ[direction] * way
        ahead = (x + DX[direction], z + DZ[direction])
        plate = None if feature is None else feature.plate_height(*ahead)
        if obstacle(ground, x, z, trainer.y, direction, plate) is not None:
            return False
        if feature is not None and feature.occupied(*ahead):
            return False
        others = objects_on(ground, standing, *ahead, people)
        if any(meets(other, trainer.y) and not same_object(other, trainer) for other in others):
            return False
    return meets(trainer, standing.y)


def encounters(player: Player) -> Iterator[Tick]:
    """The ticks in which the trainers who see the player walk up, one after the other."""
    while player.trainers and (people := player.obstacles) is not None:
        sight = sees_player(player.ground, player.standing, people, player.save.flags)
        if sight is None:
            return
        yield from _walk_up(player, *sight)


def _walk_up(player: Player, trainer: MapObject, direction: Direction, distance: int) -> Iterator[Tick]:
    player.rest()
    tiles = f"{distance} tile" + "s" * (distance > 1)
    player.note(
        "trainer",
        f"Object {trainer.index} sees the player, {tiles} to the {direction.word}.",
        object=trainer.index,
        script=trainer.script,
        distance=distance,
        direction=direction.word,
    )
    for _ in range(distance - 1):
        start = Standing(trainer.x, trainer.z, trainer.y, feature=player.feature)
        height = heights(player.ground, start, direction, player.gaits.walk)[-1]
        x, z = trainer.x + DX[direction], trainer.z + DZ[direction]
        trainer = replace(trainer, x=x, z=z, y=height, direction=int(direction))
        player.displace(trainer)
        for _ in range(player.gaits.walk.ticks):
            yield player.tick()
    player.facing = OPPOSITE[direction]
    yield player.tick()
    yield from beat(player, trainer)


def beat(player: Player, person: MapObject) -> Iterator[Tick]:
    """Count a person as beaten, if it is a trainer who is not, and do what its script does to the feature of the
    map."""
    flag = beaten_flag(player.ground, person.script)
    if flag is not None and flag not in player.save.flags:
        player.save = replace(player.save, flags=player.save.flags | {flag})
        player.note("battle", f"The trainer of object {person.index} counts as beaten.", object=person.index, flag=flag)
    change = player.talk(person.script)
    if change is not None:
        yield from player.carry_out(change)
