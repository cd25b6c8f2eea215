"""Boulders that a player with Strength pushes: one tile at a time, onto tiles that are free for a map object.

Source: the Platinum field code. A boulder is back on the tile of its event when the map is entered again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mapexplorer.walk.ability import Ability
from mapexplorer.walk.player import Player
from mapexplorer.walk.rules import Standing, heights, meets, object_ahead, objects_on
from mapexplorer.walk.tick import Tick
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.terrain.obstacle import obstacle


def pushed_boulder(player: Player, direction: Direction) -> MapObject | None:
    """The boulder ahead of a player who can push it in a direction, where it is afterwards; None without one."""
    ground, standing, people = player.ground, player.standing, player.obstacles
    ahead = None if people is None else object_ahead(ground, standing, direction, people)
    if ahead is None or people is None or Ability.STRENGTH not in player.abilities:
        return None
    graphics = ground.world.game.tables.map_object_graphics.get(ahead.graphics)
    if graphics is None or not graphics.pushed:
        return None
    x, z = ahead.x + DX[direction], ahead.z + DZ[direction]
    feature = standing.feature
    plate = None if feature is None else feature.plate_height(x, z)
    if obstacle(ground, ahead.x, ahead.z, ahead.y, direction, plate) is not None:
        return None
    if (feature is not None and feature.occupied(x, z)) or any(
        meets(other, ahead.y) for other in objects_on(ground, standing, x, z, people)
    ):
        return None
    start = Standing(ahead.x, ahead.z, ahead.y, feature=feature)
    return replace(ahead, x=x, z=z, y=heights(ground, start, direction, player.gaits.slow)[-1])


def push(player: Player, boulder: MapObject, direction: Direction) -> Iterator[Tick]:
    """The ticks in which the player, who stays, pushes a boulder onto its next tile."""
    player.rest()
    player.gait = "push"
    player.displace(boulder)
    player.note(
        "boulder",
        f"Pushes the boulder to ({boulder.x}, {boulder.z}).",
        object=boulder.index,
        tile=[boulder.x, boulder.z],
        direction=direction.word,
    )
    for _ in range(player.gaits.slow.ticks):
        yield player.tick()
    player.gait = ""
