"""The action button: Surf, Rock Climb and Waterfall on their tiles, else the events."""

from __future__ import annotations

from collections.abc import Iterator

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION, UNLOADED
from formats.fixed import ONE
from mapexplorer.map_objects.gait import Gait, Mode
from mapexplorer.walk.ability import Ability
from mapexplorer.walk.events import addressed, interaction_events
from mapexplorer.walk.ground import Ground
from mapexplorer.walk.player import Player
from mapexplorer.walk.rules import decide
from mapexplorer.walk.special_tiles import Momentum
from mapexplorer.walk.tick import Tick
from mapexplorer.walk.trainers import beat
from mapexplorer.walk.travel import after_step
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.terrain.obstacle import StepRule


def climb_gait(ground: Ground, x: int, z: int, direction: Direction, group: frozenset[int]) -> Gait | None:
    """The movement over a run of rock or falling water to the first tile beyond; None when that is no ground."""
    length = 1
    while ground.behaviour(x + DX[direction] * length, z + DZ[direction] * length) in group:
        length += 1
    attribute = ground.attribute(x + DX[direction] * length, z + DZ[direction] * length)
    if attribute & COLLISION or attribute & BEHAVIOUR == UNLOADED:
        return None
    climb = ground.gaits.climb
    ticks = climb.ticks * length
    return Gait(climb.name, length, (TILE_UNITS * ONE * length // ticks,) * ticks)


def interact(player: Player) -> Iterator[Tick]:
    """The action button: Surf, Rock Climb and Waterfall on their tiles, else the events of the tile ahead."""
    if player.mode is not Mode.SURF:
        on_foot = player.standing._replace(mode=Mode.FOOT)
        if decide(player.ground, on_foot, player.facing, player.obstacles).rule is StepRule.WATER:
            yield from surf(player)
            return
    groups, facing = player.ground.groups, player.facing
    for ability, mode, group, kind in (
        (Ability.ROCK_CLIMB, Mode.FOOT, groups.rock_climb[facing], "climb"),
        (Ability.WATERFALL, Mode.SURF, groups.falls[facing], "waterfall"),
    ):
        if player.mode is mode and player.ground.behaviour(*player.ahead()) in group:
            yield from _climb(player, ability, kind, group)
            return
    around = (player.ground, player.standing, player.facing, player.objects_on)
    events = [*interaction_events(player.zone, *around)]
    for event in events:
        player.note(event.kind, event.sentence, **event.values)
    feature = player.feature
    if feature is not None and (script := feature.script_at(*player.ahead(), player.facing)) is not None:
        player.note("interact", f"A thing of the {feature.name} runs script {script}.", script=script)
    yield player.tick()
    for person in addressed(*around):
        yield from beat(player, person)
    for event in events:
        change = player.talk(event.values["script"]) if "event" in event.values else None
        if change is not None:
            yield from player.carry_out(change)


def surf(player: Player) -> Iterator[Tick]:
    if Ability.SURF not in player.abilities:
        player.note("blocked", "It takes Surf.", rule=StepRule.WATER.value)
        yield player.tick()
        return
    player.mode, player.speed = Mode.SURF, 0
    player.momentum = Momentum()
    player.note("surf", "Surfs.")
    player.leave_tile(player.facing, moves=True)
    yield from player.move(player.facing, player.gaits.shore_hop)
    yield from after_step(player, player.facing)


def _climb(player: Player, ability: Ability, kind: str, group: frozenset[int]) -> Iterator[Tick]:
    gait = climb_gait(player.ground, player.x, player.z, player.facing, group)
    if ability not in player.abilities or gait is None:
        reason = "It takes " + ability.value + "." if ability not in player.abilities else "There is no way up."
        player.note("blocked", reason, rule=ability.value)
        yield player.tick()
        return
    player.note(kind, f"{gait.tiles} tiles {player.facing.word}.", tiles=gait.tiles)
    player.momentum = Momentum()
    yield from player.move(player.facing, gait)
    yield from after_step(player, player.facing)
