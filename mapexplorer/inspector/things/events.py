"""Events of a map header: people, warps, signs and triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np

from formats.field.program_tables import OBJECT_GRAPHICS
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.catalogue.uses import references_to
from mapexplorer.gameplay.items import Items
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Described, Describers, Fact, Section, filled, listed, section
from mapexplorer.inspector.places.listed_events import event_title
from mapexplorer.inspector.places.map_events import EventReader, MapEvent
from mapexplorer.inspector.things.common import (
    Context,
    fx,
    header_link,
    link,
    member,
    overlay_record,
)
from mapexplorer.inspector.things.scripts import script_fact
from mapexplorer.values import capital
from mapexplorer.world import Header
from mapexplorer.world.subject import subject

OfKind = tuple[str, *tuple[Section, ...]]
"""The subtitle of an event and the sections of its kind."""

_FACING = {-1: "none", 0: "north", 1: "south", 2: "west", 3: "east"}
_SIGN_TYPES = {0: "talk to it", 1: "sign: only facing north", 2: "hidden item"}
_SIGN_FACING = {0: "north", 1: "east", 2: "west", 3: "south", 4: "any side", 5: "west or east", 6: "north or south"}


def describe_event(kind: str, context: Context, header: int, index: int) -> Described:
    """An event of a map: where it is, what its script can say, and the facts of its kind."""
    events = context.world.events(header)
    if events is None:
        raise KeyError(f"header {header} has no events")
    record = getattr(events, EVENT_LISTS[kind])[index]
    reader, matrix = EventReader(context.world, header, context.save), context.world.headers[header].matrix
    event = reader.event(kind, index, record)
    tile = Fact("Tile", str(event.tile), "matrix-wide", link=subject("tile", matrix, *event.tile))
    subtitle, *of_kind = _OF_KIND[kind](context, header, event, record)
    raw = member(context, Role.ZONE_EVENT, context.world.headers[header].events, (EVENT_LISTS[kind], index))
    sections = (
        *filled(section("Says", *(Fact("", text) for text in event.texts))),
        *filled(section("Damaged", *(Fact("", sentence) for sentence in reader.damaged))),
        *of_kind,
        section("Where", header_link(context, header), tile),
    )
    title = capital(event_title(context.world, event, Items(context.world)))
    return title, f"{kind} {index} · {subtitle}", sections, raw


def _object(context: Context, header: int, event: MapEvent, record: np.void) -> OfKind:
    """A person or thing."""
    tables, graphics, script = context.tables, int(record["graphics"]), int(record["script"])
    looks = subject("object graphics", graphics if event.picture is None else event.picture.key[0])
    direction, sees = int(record["direction"]), int(record["trainer_type"])
    name, trainer = tables.graphics_name(looks.key[0]), tables.script_numbers.trainer(script)
    facts = section(
        "Object event",
        *([link("Trainer", subject("trainer", trainer[0]), meaning=event.name)] if trainer is not None else []),
        script_fact(context, header, script),
        _presence(event),
        Fact("Movement", str(int(record["movement_type"])), _movement(context, int(record["movement_type"]))),
        Fact("Direction", _FACING.get(direction, str(direction))),
        Fact("Wanders", f"{int(record['range_x'])} × {int(record['range_z'])}", "tiles to each side"),
        Fact("Height", fx(int(record["y"])), "units"),
        Fact("Trainer type", str(sees), tables.trainers.types.get(sees, "")),
        Fact("Local id", str(int(record["local_id"])), "by which scripts name it"),
        Fact("Graphics", str(graphics), name, link=looks),
        Fact("Parameters", ", ".join(map(str, record["parameters"].tolist())), "by kind, e.g. how far a trainer sees"),
    )
    return name or f"graphics {graphics}", facts


def _presence(event: MapEvent) -> Fact:
    """The flag that hides an object, or the object that a clone represents, which no flag hides."""
    if event.clone_of is not None:
        of, index = event.clone_of
        goal = None if index is None else subject("object", of.id, index)
        return Fact(
            "Clone of", "unknown" if index is None else f"object {index}", f"of {of.title}, always there", link=goal
        )
    if event.hidden_by is None:
        return Fact("Hidden by flag", "never")
    flag, name = event.hidden_by.flag, event.hidden_by.name
    words = "absent while this flag is set" + (f": {name}" if name else "")
    return Fact("Hidden by flag", str(flag), words, link=subject("flag", flag))


_MOVEMENTS = {
    "none": "stands",
    "player": "is the player",
    "look": "looks around at random: {directions}",
    "wander": "wanders about: {directions}",
    "wander freely": "wanders about, through obstacles: {directions}",
    "face": "faces {directions}",
    "rotate": "turns: {directions}",
    "rotate both ways": "turns a round and back: {directions}",
    "back and forth": "walks back and forth from its first direction",
    "triangle": "walks a path and back: {directions}",
    "loop": "walks around: {directions}",
    "berry patch": "is a berry patch",
    "disguise": "is hidden until it is found",
    "follow the partner": "follows the object with the same trainer",
    "follow the player": "follows the player. It stands here: its speed is that of the player's movement action, which "
    "a walk does not have",
    "copy the player": "copies the steps of the player in one of four mirrorings{where}. It stands here: which number "
    "means which mirroring is not known",
    "along walls": "walks along walls. It walks on the spot here: which number means which side is not known",
}
"""Words for the kinds of movement types, with those that a walk and the clock do not play."""
_IN_VERY_TALL_GRASS = range(59, 63)


def _movement(context: Context, number: int) -> str:
    movement = context.tables.map_objects.movement_types.get(number)
    if movement is None:
        return "no movement type of the game"
    directions = ", ".join(_FACING[direction] for direction in movement.directions)
    where = ", only in very tall grass" if number in _IN_VERY_TALL_GRASS else ""
    return _MOVEMENTS[movement.kind].format(directions=directions, where=where)


def _warp(context: Context, header: int, event: MapEvent, record: np.void) -> OfKind:
    """A warp and its target."""
    target, number = int(record["header"]), int(record["warp"])
    leads = [header_link(context, target, "Leads to")] if target != RETURN_HEADER else []
    subtitle = f"leads to {leads[0].value}" if leads else "leads back to where the player came from"
    subtitle = f"leads nowhere: {event.leads_nowhere}" if event.leads_nowhere else subtitle
    if event.leads_to is not None:
        leads.append(Fact("Arrives at", str(event.leads_to[1:]), "tile", link=subject("warp", target, number)))
    back = (
        Fact(f"Header {of.id}", f"warp {warp}", of.title, link=subject("warp", of.id, warp))
        for of, warp in _arrivals(context, header, event.index)
    )
    return subtitle, section("Warp", *leads, Fact("Warp number there", str(number))), section("Arrive here", *back)


def _arrivals(context: Context, header: int, warp: int) -> Iterator[tuple[Header, int]]:
    """The headers and their warps that lead to a warp."""
    for use in references_to(context.world, "header", header):
        if use.user.kind == "header" and use.part is not None:
            (number,), index = use.user.key, use.part.key[0]
            events = context.world.events(number)
            if events is not None and int(events.warps[index]["warp"]) == warp:
                yield context.world.headers[number], index


def _sign(context: Context, header: int, event: MapEvent, record: np.void) -> OfKind:
    """A background event."""
    kind, facing = int(record["type"]), int(record["facing"])
    facts = section(
        "Background event",
        Fact("Type", str(kind), _SIGN_TYPES.get(kind, "")),
        script_fact(context, header, int(record["script"])),
        Fact("Facing", str(facing), f"the player faces {_SIGN_FACING[facing]}" if facing in _SIGN_FACING else ""),
        Fact("Height", str(int(record["y"]))),
    )
    return _SIGN_TYPES.get(kind, ""), facts


def _trigger(context: Context, header: int, event: MapEvent, record: np.void) -> OfKind:
    """A coordinate trigger."""
    script, need = int(record["script"]), event.need
    assert need is not None
    facts = section(
        "Coordinate trigger",
        Fact("Size", f"{int(record['width'])} × {int(record['length'])}", "tiles"),
        script_fact(context, header, script),
        Fact("Runs", need.text, link=subject("variable", need.variable)),
        Fact("Height", str(int(record["y"]))),
    )
    return f"script {script}", facts


_OF_KIND: Final[Mapping[str, Callable[[Context, int, MapEvent, np.void], OfKind]]] = {
    "object": _object,
    "warp": _warp,
    "sign": _sign,
    "trigger": _trigger,
}


def describe_events(context: Context, number: int) -> Described:
    """A file of events."""
    users = references_to(context.world, "events", number)
    header = next((use.user.key[0] for use in users if use.user.kind == "header"), context.place.header.id)
    events = context.world.events(header)
    sections = (
        listed(
            f"{kind.capitalize()}s",
            (
                Fact(
                    f"{kind.capitalize()} {index}",
                    f"({int(record['x'])}, {int(record['z'])})",
                    _short(context, kind, record),
                    link=subject(kind, header, index),
                )
                for index, record in enumerate(getattr(events, EVENT_LISTS[kind], ()))
            ),
        )
        for kind in ("object", "warp", "sign", "trigger")
    )
    raw = None
    if events is not None and context.world.has(Role.ZONE_EVENT):
        raw = member(context, Role.ZONE_EVENT, number)
    return f"Events {number}", "zone_event", sections, raw


def _short(context: Context, kind: str, record: np.void) -> str:
    if kind == "warp":
        header = int(record["header"])
        return f"to {header_link(context, header).value}" if header != RETURN_HEADER else "back"
    return f"script {int(record['script'])}"


def describe_graphics(context: Context, number: int) -> Described:
    """An object graphics id: its textures and models."""
    table, game = context.world.object_graphics, context.world.game
    pictures, title = table.value.get(number), f"Object graphics {number}"
    parts, sign = context.tables.sprite_parts.get(number), context.tables.sign_models.get(number)
    sprites = f"member of {game.file_name(Role.SPRITES)}"
    facts = (
        Fact("Pictures", str(pictures) if pictures is not None else "none", sprites, table.why),
        *([Fact("Billboard", str(parts[0]), sprites), Fact("Frames", str(parts[1]), "sequence")] if parts else []),
        *([] if sign is None else [Fact("Sign model", str(sign), f"member of {game.file_name(Role.EFFECTS)}")]),
    )
    raw = None
    if pictures is not None:
        row = list(table.value).index(number)
        raw = overlay_record(context, table.why, "object graphics", OBJECT_GRAPHICS, row, len(table.value))
        raw = raw if raw is not None and raw.selected[0].value == number else None
    name = capital(context.tables.graphics_name(number)) or title
    return name, f"object graphics {number} · overworld sprite", (section("Files", *facts),), raw


DESCRIBERS: Final[Describers] = {
    **{kind: partial(describe_event, kind) for kind in _OF_KIND},
    "events": describe_events,
    "object graphics": describe_graphics,
}
