"""A script as the window shows it: its lines with links, where its commands are, the ways of its movement lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from formats.field.zone_event import ZoneEvents
from mapexplorer.catalogue.kinds import EVENT_LISTS, SCRIPTED
from mapexplorer.gameplay.activation import Cause
from mapexplorer.gameplay.movement_path import Tile, movement_path
from mapexplorer.inspector.script.script_listing import (
    InitScriptFacts,
    ScriptFacts,
    map_facts,
    member_facts,
    script_facts,
)
from mapexplorer.inspector.script.script_text import EVENT_OF, ScriptRow, script_rows
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.subject import Subject

_PLAYER: Final = "player"

SUBJECTS: Final = ("script", "scripts", *SCRIPTED)
"""The kinds of subjects with a script to show."""


@dataclass(frozen=True, eq=False)
class ScriptPage:
    """The lines of a script; `shown`: the subject that it is; `facts` of it; `paths`: byte offset of a movement list,
    or of a command that applies it -> the tiles (x, z) over which it leads its object on the map;
    `goal`: the byte offset of the entry that was named in a whole file."""

    shown: Subject
    facts: ScriptFacts | InitScriptFacts
    rows: tuple[ScriptRow, ...]
    paths: Mapping[int, tuple[Tile, ...]] = field(default_factory=dict)
    goal: int | None = None


def read_page(world: FieldWorld, header: int, chosen: Subject) -> ScriptPage | None:
    """The script of a subject: one of `SUBJECTS`, or a header for all scripts of its map; None for an event without a
    script. `header`: the map through which it is seen. Raises FormatError, RomError, PlaceError."""
    facts = _facts(world, header, chosen)
    if facts is None:
        return None
    of_entry = isinstance(facts, ScriptFacts) and facts.entry is not None
    paths = _paths(world, facts) if isinstance(facts, ScriptFacts) else {}
    return ScriptPage(chosen, facts, script_rows(world, facts, effects=of_entry), paths, _entry_offset(chosen, facts))


def _entry_offset(chosen: Subject, facts: ScriptFacts | InitScriptFacts) -> int | None:
    if chosen.kind != "scripts" or len(chosen.key) == 1 or isinstance(facts, InitScriptFacts):
        return None
    return next((offset for offset, entries in facts.listing.entries.items() if chosen.key[1] in entries), None)


def _facts(world: FieldWorld, header: int, chosen: Subject) -> ScriptFacts | InitScriptFacts | None:
    if chosen.kind == "header":
        return map_facts(world, chosen.key[0])
    if chosen.kind == "script":
        return script_facts(world, *chosen.key)
    if chosen.kind == "scripts":
        member = chosen.key[0]
        return map_facts(world, header) if world.headers[header].scripts == member else member_facts(world, member)
    records = getattr(world.events(chosen.key[0]), EVENT_LISTS[chosen.kind])
    number = int(records[chosen.key[1]]["script"])
    if number in world.game.tables.script_numbers.none:
        return None
    return script_facts(world, chosen.key[0], number)


def _paths(world: FieldWorld, facts: ScriptFacts) -> dict[int, tuple[Tile, ...]]:
    """The ways of the movement lists that are applied to an object of the map, or to the player of an event's
    script."""
    events = world.events(facts.header) if facts.header is not None else None
    if events is None:
        return {}
    tiles = {int(record["local_id"]): (float(record["x"]), float(record["z"])) for record in events.objects}
    player = _player_tile(facts, events)
    if player is not None:
        tiles |= {
            number: player for number, what in world.game.tables.script_commands.objects.items() if what == _PLAYER
        }
    paths: dict[int, tuple[Tile, ...]] = {}
    for offset, (mover, moves) in facts.movements.items():
        if mover.number in tiles:
            steps = [(action, count) for action, _, count in moves.steps]
            path = movement_path(world.game.tables, tiles[mover.number], steps)
            if len(path) > 1:
                paths[offset] = path
                paths.setdefault(moves.offset, path)
    return paths


def _player_tile(facts: ScriptFacts, events: ZoneEvents) -> Tile | None:
    """Where the player is taken to be when the shown script begins: on the first tile of its trigger, before its
    person or thing as that faces when the map is entered, or south of its sign. None for what no event runs."""
    run = next(
        (
            activation
            for activation in facts.runs
            if activation.script == facts.number and activation.header == facts.header
        ),
        None,
    )
    if run is None or run.cause not in EVENT_OF:
        return None
    event = getattr(events, EVENT_LISTS[EVENT_OF[run.cause]])[run.index]
    x, z = float(event["x"]), float(event["z"])
    if run.cause is Cause.TRIGGER:
        return x, z
    beside = Direction(int(event["direction"]) & 3) if run.cause is Cause.OBJECT else Direction.SOUTH
    return x + DX[beside], z + DZ[beside]
