"""Which scripts run on a map: on the action button, on a step, and by themselves; in the order of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from formats.field.init_script import FrameTable, InitScriptType
from formats.field.zone_event import ZoneEvents
from mapexplorer.games.behaviour_groups import BehaviourGroups
from mapexplorer.games.script_tables import FIRST_VARIABLE, TileScript
from mapexplorer.world.direction import DX, DZ, NORTH, Direction
from mapexplorer.world.events.event_rules import BackgroundKind, background_facings, in_trigger
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save
from mapexplorer.world.sources.files import WorldFiles

EventsOf = Callable[[int], ZoneEvents | None]
"""Header -> its events; None without any."""


class ScriptOccasion(StrEnum):
    """When a script runs."""

    BUTTON = "button"
    """The action button."""
    FACING = "facing"
    """While the direction to a sign is held."""
    STEP = "step"
    FRAME = "frame"
    """Each frame before input."""
    TRANSITION = "transition"
    """The map is entered, before everything else."""
    LOAD = "load"
    """The layout of the map is loaded, not drawn yet."""
    RESUME = "resume"
    """The map is drawn again, also after menus and field moves."""


class Cause(StrEnum):
    """What a script belongs to."""

    OBJECT = "object"
    BACKGROUND_EVENT = "background event"
    HONEY_TREE = "honey tree"
    BEHAVIOUR = "behaviour"
    WATER = "water"
    TRIGGER = "trigger"
    INIT_SCRIPT = "initial script"


class Need(StrEnum):
    """The kind of a condition."""

    FLAG_CLEAR = "flag clear"
    VARIABLE_IS = "variable is"
    VARIABLES_EQUAL = "variables equal"
    FACING = "facing"
    """`numbers` are directions, one of which the player faces."""
    BADGE = "badge"
    MOVE = "move"
    """A Pokémon of the player knows it."""


@dataclass(frozen=True)
class Condition:
    """A condition of a script: its kind and the numbers that it is about."""

    need: Need
    numbers: tuple[int, ...]

    def holds(self, save: Save) -> bool:
        """Whether it holds with a save; a direction and a move are the player's to choose."""
        first = self.numbers[0]
        if self.need is Need.FLAG_CLEAR:
            return first not in save.flags
        if self.need in (Need.VARIABLE_IS, Need.VARIABLES_EQUAL):
            values = [save.variables.get(number, 0) if number >= FIRST_VARIABLE else number for number in self.numbers]
            return len({*values}) == 1
        return self.need is not Need.BADGE or bool(int(save.contents["player"]["badges"]) >> first & 1)


@dataclass(frozen=True)
class Activation:
    """A script that runs on the maps of `header`: when, its number there, what it belongs to with the index of the
    event (of a trigger, an object ...; of a tile the behaviour), and the conditions, all of which must hold."""

    moment: ScriptOccasion
    header: int
    script: int
    cause: Cause
    index: int
    conditions: tuple[Condition, ...] = ()

    def holds(self, save: Save) -> bool:
        """Whether it can run with a save, as far as that decides it."""
        return all(condition.holds(save) for condition in self.conditions)


def on_button(
    place: FieldPlace, x: int, z: int, facing: Direction | None = None, events: EventsOf | None = None
) -> tuple[Activation, ...]:
    """What the action button can run for a player who faces tile (x, z), matrix-wide, in direction `facing`; None: any
    direction, which is then a condition.

    The first whose conditions hold runs. The events are those of the map that the player is on (`facing` None: that of
    the tile). Objects are on the tiles of their events, at the player's height; with `facing`, one behind a table
    counts, too. `events`: those of a header, by default as they are stored. Raises FormatError.
    """
    activations = _on_button(place, x, z, facing, events or place.world.events)
    return tuple(activation for activation in activations if _is_faced(activation, facing))


def on_facing(place: FieldPlace, x: int, z: int, events_of: EventsOf | None = None) -> tuple[Activation, ...]:
    """What runs while a player holds north towards tile (x, z): signposts and signs. Raises FormatError."""
    header = _header(place, x, z + 1)
    events = (events_of or place.world.events)(header)
    signposts = place.world.game.tables.script_numbers.signposts
    return (
        *_objects(place.world, header, events, (x, z), ScriptOccasion.FACING, signposts),
        *[
            activation
            for activation in _background(place.world, header, events, (x, z), ScriptOccasion.FACING)
            if events is not None and int(events.background[activation.index]["type"]) == BackgroundKind.SIGN
        ],
    )


def on_step(place: FieldPlace, x: int, z: int) -> tuple[Activation, ...]:
    """What a step onto tile (x, z) can run, by the triggers of the map; the first whose variable has its value does.
    Raises FormatError."""
    header = _header(place, x, z)
    return tuple(_triggers(place.world, header, place.world.events(header), (x, z)))


def on_arrival(world: WorldFiles, header: int) -> tuple[Activation, ...]:
    """What runs by itself on the maps of a header: on entering, while it is loaded and drawn, then in each frame the
    first row whose values are equal. Raises FormatError, RomError."""
    activations: list[Activation] = []
    for index, record in enumerate(world.init_scripts(header).records):
        if not isinstance(record, FrameTable):
            moment = _MOMENTS[InitScriptType(record.type)]
            activations.append(Activation(moment, header, record.script, Cause.INIT_SCRIPT, index))
            continue
        for row in record.rows:
            need = Need.VARIABLE_IS if row.value < FIRST_VARIABLE else Need.VARIABLES_EQUAL
            conditions = (Condition(need, (row.variable, row.value)),)
            activations.append(
                Activation(ScriptOccasion.FRAME, header, row.script, Cause.INIT_SCRIPT, index, conditions)
            )
    return tuple(sorted(activations, key=lambda activation: _ARRIVAL_ORDER.index(activation.moment)))


_MOMENTS: Final = {
    InitScriptType.ON_TRANSITION: ScriptOccasion.TRANSITION,
    InitScriptType.ON_LOAD: ScriptOccasion.LOAD,
    InitScriptType.ON_RESUME: ScriptOccasion.RESUME,
}
_ARRIVAL_ORDER: Final = (ScriptOccasion.TRANSITION, ScriptOccasion.LOAD, ScriptOccasion.RESUME, ScriptOccasion.FRAME)


def of_header(world: WorldFiles, header: int) -> tuple[Activation, ...]:
    """Everything of a header that runs a script: objects, background events, triggers and initial scripts. Raises
    FormatError, RomError."""
    events = world.events(header)
    return (
        *_objects(world, header, events, None, ScriptOccasion.BUTTON),
        *_background(world, header, events, None, ScriptOccasion.BUTTON),
        *_triggers(world, header, events, None),
        *on_arrival(world, header),
    )


def _header(place: FieldPlace, x: int, z: int) -> int:
    """The header of a tile; that of the place where there is no land."""
    cell = place.terrain.cell_at(x, z)
    return place.header.id if cell is None else cell.header


def _is_none(world: WorldFiles, script: int) -> bool:
    return script in world.game.tables.script_numbers.none


def _is_faced(activation: Activation, facing: Direction | None) -> bool:
    """Whether the condition about the direction holds, if it is known."""
    faced = [condition.numbers for condition in activation.conditions if condition.need is Need.FACING]
    return facing is None or all(facing in numbers for numbers in faced)


def _on_button(
    place: FieldPlace, x: int, z: int, facing: Direction | None, events_of: EventsOf
) -> Iterator[Activation]:
    world, numbers = place.world, place.world.game.tables.script_numbers
    header = _header(place, x, z) if facing is None else _header(place, x - DX[facing], z - DZ[facing])
    events = events_of(header)
    groups, behaviour = world.game.tables.behaviour_groups, place.terrain.behaviour(x, z)
    over_table = facing is not None and behaviour in groups.table
    spot = (x + DX[facing], z + DZ[facing]) if facing is not None and over_table else (x, z)
    yield from _objects(world, header, events, spot, ScriptOccasion.BUTTON)
    yield from _background(world, header, events, (x, z), ScriptOccasion.BUTTON)
    if numbers.honey_tree_prop in place.terrain.props_on(x, z):
        north = Condition(Need.FACING, (NORTH,))
        yield Activation(
            ScriptOccasion.BUTTON, header, numbers.honey_tree, Cause.HONEY_TREE, numbers.honey_tree_prop, (north,)
        )
    tile = numbers.tile_scripts.get(behaviour)
    if tile is not None:
        yield Activation(
            ScriptOccasion.BUTTON, header, tile.script, Cause.BEHAVIOUR, behaviour, _tile_conditions(groups, tile)
        )
    if behaviour in groups.surfable:
        needs = (Condition(Need.BADGE, (numbers.surf_badge,)), Condition(Need.MOVE, (numbers.surf_move,)))
        yield Activation(ScriptOccasion.BUTTON, header, numbers.surf, Cause.WATER, behaviour, needs)


def _triggers(
    world: WorldFiles, header: int, events: ZoneEvents | None, spot: tuple[int, int] | None
) -> Iterator[Activation]:
    for index, event in enumerate(events.triggers if events is not None else ()):
        rectangle = (int(event["x"]), int(event["z"]), int(event["width"]), int(event["length"]))
        script = int(event["script"])
        if (spot is None or in_trigger(*rectangle, *spot)) and not _is_none(world, script):
            needs = (Condition(Need.VARIABLE_IS, (int(event["variable"]), int(event["value"]))),)
            yield Activation(ScriptOccasion.STEP, header, script, Cause.TRIGGER, index, needs)


def _objects(
    world: WorldFiles,
    header: int,
    events: ZoneEvents | None,
    spot: tuple[int, int] | None,
    moment: ScriptOccasion,
    graphics: range | None = None,
) -> Iterator[Activation]:
    for index, event in enumerate(events.objects if events is not None else ()):
        if spot not in (None, (int(event["x"]), int(event["z"]))) or _is_none(world, int(event["script"])):
            continue
        if graphics is not None and int(event["graphics"]) not in graphics:
            continue
        flag = int(event["hidden_flag"])
        needs = (Condition(Need.FLAG_CLEAR, (flag,)),) if flag else ()
        yield Activation(moment, header, int(event["script"]), Cause.OBJECT, index, needs)


def _background(
    world: WorldFiles, header: int, events: ZoneEvents | None, spot: tuple[int, int] | None, moment: ScriptOccasion
) -> Iterator[Activation]:
    for index, event in enumerate(events.background if events is not None else ()):
        script = int(event["script"])
        if spot in (None, (int(event["x"]), int(event["z"]))) and not _is_none(world, script):
            needs = tuple(_background_conditions(world, event, script))
            yield Activation(moment, header, script, Cause.BACKGROUND_EVENT, index, needs)


def _background_conditions(world: WorldFiles, event: Any, script: int) -> Iterator[Condition]:
    numbers, names = world.game.tables.script_numbers, world.game.tables.save_names
    if int(event["type"]) == BackgroundKind.HIDDEN_ITEM:
        if script in numbers.hidden_items and names.hidden_items:
            yield Condition(Need.FLAG_CLEAR, (names.hidden_items[script - numbers.hidden_items.start],))
        return
    facings = background_facings(event)
    if len(facings) < len(Direction):
        yield Condition(Need.FACING, tuple(facings))


def _tile_conditions(groups: BehaviourGroups, tile: TileScript) -> tuple[Condition, ...]:
    if tile.facing == "north":
        return (Condition(Need.FACING, (NORTH,)),)
    if tile.facing == "climb":
        along = tuple(direction for direction in Direction if tile.behaviour in groups.rock_climb[direction])
        return (Condition(Need.FACING, along),)
    return ()
