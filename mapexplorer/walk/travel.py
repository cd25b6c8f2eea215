"""The movements after a step without a key: forced movements, triggers, and warps by door, mat, stairs, panel or
escalator.

A fade takes no ticks: how long it lasts is not a rule of movement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mapexplorer.features import remembered
from mapexplorer.map_objects.gait import TOP_SPEED, Mode
from mapexplorer.walk import special_tiles
from mapexplorer.walk.door import ZOOM_IN, ZOOM_LIMIT, ZOOM_OUT, Door, find_door
from mapexplorer.walk.events import feature_change, trigger_events
from mapexplorer.walk.player import Player
from mapexplorer.walk.rules import Standing, object_ahead
from mapexplorer.walk.tick import Tick
from mapexplorer.walk.trainers import encounters
from mapexplorer.walk.warps import Spot, Transition, WarpArrival, WarpUse, arrival, at_warp, resolve, stepped
from mapexplorer.world.direction import DX, NORTH, SOUTH, Direction
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.terrain.terrain import centre, with_plate


def after_step(player: Player, direction: Direction) -> Iterator[Tick]:
    """The ticks of everything after a step, in the game's order, until no movement follows."""
    seen: set[tuple[int, int, Direction, str]] = set()
    while True:
        yield from encounters(player)
        strike(player, direction)
        ground, standing = player.ground, player.standing
        force = special_tiles.forced(ground, standing, direction, player.momentum, player.held, player.obstacles)
        if force is None or force.kind != "spin":
            for event in trigger_events(ground, player.zone, player.x, player.z):
                player.note(event.kind, event.sentence, **event.values)
            change = feature_change(ground, player.zone, standing)
            if change is not None:
                player.rest()
                yield from player.carry_out(change)
                return
            use = stepped(ground, standing, direction)
            if use is not None:
                yield from leave(player, use, direction)
                return
        if force is None:
            if player.momentum.released:
                player.rest()
            return
        key = (player.x, player.z, force.direction, force.kind)
        if key in seen:
            player.note("endless", "These tiles would move the player in a circle for ever; the movement ends.")
            return
        seen.add(key)
        player.note(force.kind, f"Is moved {force.direction.word}: {force.gait.name}.", gait=force.gait.name)
        direction = force.direction
        if not force.locked:
            player.facing = direction
        yield from player.move(direction, force.gait, spinning=force.kind == "spin")
        if force.kind == "spin":
            player.facing = direction
        elif force.kind == "slope":
            fast = player.mode is Mode.BICYCLE and player.gear == 4 and force.gait is player.gaits.fast_ride
            player.speed = TOP_SPEED if fast else 0


def strike(player: Player, direction: Direction) -> None:
    """Do what the player does who slides with speed into an object ahead."""
    if player.feature is None or player.obstacles is None or not player.momentum.slide:
        return
    ahead = object_ahead(player.ground, player.standing, direction, player.obstacles)
    change = None if ahead is None else player.feature.struck(ahead.header, ahead.index)
    if change is not None:
        player.note_change(change)
        player.keep(change.after)


def leave(player: Player, use: WarpUse, direction: Direction) -> Iterator[Tick]:
    """Go through a warp."""
    other = None if player.feature is None else player.feature.warp_target(*use.tile)
    target = resolve(player.world, use.zone, use.number) if other is None else at_warp(player.world, *other)
    spot = player.return_spot if target.returns else target.spot
    if spot is None:
        problem = target.problem or "This warp leads back to where the player came from, and that is nowhere."
        player.note("blocked", problem, rule="warp", warp=use.number, header=use.zone)
        yield player.tick()
        return
    player.history.append((player.header, player.standing, player.facing))
    if player.world.headers[use.zone].outdoors:
        player.return_spot = Spot(player.header, *use.tile)
    if use.transition is Transition.DOOR:
        yield from _go_in(player)
    elif use.transition is Transition.STAIRS:
        yield from player.move(direction, player.gaits.slow)
    elif use.transition is Transition.ESCALATOR:
        player.note("escalator", "Rides the escalator.")
        yield player.tick()
    elif use.transition is Transition.PANEL:
        player.note("panel", "Spins away on the warp panel.")
        yield player.tick()
    player.note("fade out", "The picture fades.", transition=use.transition.value)
    yield player.tick()
    yield from arrive(player, spot, use.transition, direction)


def _go_in(player: Player) -> Iterator[Tick]:
    door = _door(player, entering=True)
    yield from _swing(player, door, opening=True)
    player.zoom = ZOOM_IN if door is None or door.zooms else 0
    yield from player.move(NORTH, player.gaits.walk)
    player.zoom = 0
    player.hidden = True
    yield from _swing(player, door, opening=False)


def _door(player: Player, *, entering: bool) -> Door | None:
    place = FieldPlace(player.world, player.world.headers[player.header]).of_save(player.save)
    return find_door(player.world, player.ground, place, player.x, player.z, entering=entering)


def _swing(player: Player, door: Door | None, *, opening: bool) -> Iterator[Tick]:
    if door is None:
        return
    animation, ticks = (door.opens, door.open_ticks) if opening else (door.closes, door.close_ticks)
    if animation is None:
        return
    kind = "door opens" if opening else "door closes"
    player.note(
        kind,
        f"Door model {door.model} plays animation {animation} for {ticks} ticks.",
        model=door.model,
        animation=animation,
        ticks=ticks,
        cell=list(door.cell),
        record=door.record,
        sound=door.sound,
    )
    for _ in range(ticks):
        yield player.tick()


def arrive(player: Player, spot: Spot, transition: Transition, direction: Direction) -> Iterator[Tick]:
    """Appear at the other end of a warp, where the map's feature begins anew unless the save keeps its state."""
    ground = player.grounds.entered(spot.header)
    behaviour = ground.behaviour(spot.x, spot.z)
    how, facing = arrival(ground.groups, transition, behaviour, direction)
    sideways = how in (WarpArrival.STAIRS, WarpArrival.ESCALATOR)
    x = spot.x - DX[facing] if sideways else spot.x
    player.save = replace(player.save, features=remembered(player.save.features))
    feature = player.feature_of(spot.header, spot.x, spot.z)
    height = ground.plate_height(centre(x), centre(spot.z), 0)
    if feature is not None:
        height, _ = with_plate(height, feature.plate_height(x, spot.z), 0)
    y = height or 0
    elevated = ground.groups.elevated_on(behaviour, False)
    mode = Mode.SURF if ground.groups.on_water(behaviour, elevated) else Mode.FOOT
    header = player.world.headers[spot.header]
    zoomed = player.half_fov == ZOOM_LIMIT
    riding = player.mode is Mode.BICYCLE and header.bicycle and mode is Mode.FOOT
    mode = Mode.BICYCLE if riding else mode
    player.stand(spot.header, Standing(x, spot.z, y, elevated, mode, player.gear, feature=feature), facing)
    popup = bool(header.label_window and header.map_type not in player.world.game.indoor_types)
    player.note(
        "warp",
        f"Arrives in {header.title} at ({spot.x}, {spot.z}): {how.value}.",
        header=spot.header,
        tile=[spot.x, spot.z],
        arrival=how.value,
        popup=popup,
        weather=header.weather,
        music=[header.day_music, header.night_music],
    )
    if zoomed:
        player.half_fov, player.zoom = ZOOM_LIMIT, ZOOM_OUT
    player.note("fade in", "The picture comes back.")
    if how is WarpArrival.DOOR:
        yield from _come_out(player)
    elif how is WarpArrival.STEP_SOUTH:
        yield player.tick()
        yield from player.move(SOUTH, player.gaits.walk)
    elif sideways:
        yield from player.move(facing, player.gaits.slow)
    else:
        yield player.tick()


def _come_out(player: Player) -> Iterator[Tick]:
    door = _door(player, entering=False)
    player.hidden = True
    if door is None or door.zooms:
        player.half_fov, player.zoom = ZOOM_LIMIT, ZOOM_OUT
    yield player.tick()
    yield from _swing(player, door, opening=True)
    player.hidden = False
    yield from player.move(SOUTH, player.gaits.walk)
    yield from _swing(player, door, opening=False)
