"""Events of a map header: people, warps, signs and triggers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from formats.binary import FormatError
from formats.field.program_tables import OBJECT_GRAPHICS
from formats.field.zone_event import RETURN_HEADER, ZoneEvents
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.catalogue.uses import references_to
from mapexplorer.errors import RomError
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.games import Role
from mapexplorer.inspector.common import (
    Context,
    field_spans,
    fx,
    header_link,
    link,
    member,
    overlay_record,
    whole_elements,
)
from mapexplorer.inspector.facts import Description, Fact, RawBytes, Section
from mapexplorer.inspector.map_events import ScriptTexts
from mapexplorer.inspector.scripts import script_fact
from mapexplorer.world import Header
from mapexplorer.world.readable import readable_original, readable_warp_target
from mapexplorer.world.subject import Subject, subject

_FACING = {-1: "none", 0: "north", 1: "south", 2: "west", 3: "east"}
_SIGN_TYPES = {0: "talk to it", 1: "sign: only facing north", 2: "hidden item"}
_SIGN_FACING = {0: "north", 1: "east", 2: "west", 3: "south", 4: "any side", 5: "west or east", 6: "north or south"}


def _record(context: Context, chosen: Subject) -> tuple[ZoneEvents, np.void]:
    events = context.world.events(chosen.key[0])
    if events is None:
        raise KeyError(f"header {chosen.key[0]} has no events")
    return events, getattr(events, EVENT_LISTS[chosen.kind])[chosen.key[1]]


def _where(context: Context, chosen: Subject, record: np.void) -> Section:
    header = chosen.key[0]
    matrix = context.world.headers[header].matrix
    x, z = int(record["x"]), int(record["z"])
    return Section(
        "Where",
        (
            header_link(context, header),
            Fact("Tile", f"({x}, {z})", "matrix-wide", None, subject("tile", matrix, x, z)),
        ),
    )


def _raw(context: Context, chosen: Subject, events: ZoneEvents, record: np.void) -> RawBytes:
    spans = [span for span in events.spans() if span.path[:2] == (EVENT_LISTS[chosen.kind], chosen.key[1])]
    start = spans[0].offset
    number = context.world.headers[chosen.key[0]].events
    return member(context, Role.ZONE_EVENT, number, field_spans(spans, start), start, record.dtype.itemsize)


def _says(context: Context, chosen: Subject, script: int) -> tuple[Section, ...]:
    """The texts that the script of an event can show."""
    if script in context.tables.script_numbers.none:
        return ()
    try:
        texts = list(ScriptTexts(context.world, chosen.key[0]).of(script))
    except (FormatError, RomError, IndexError) as error:
        texts = [f"cannot be read: {error}"]
    return (Section("Says", tuple(Fact("", text) for text in texts)),) if texts else ()


def _variable(context: Context, number: int) -> str:
    name = context.tables.save_names.variables.get(number, "")
    return f"variable {number}" + (f" ({name})" if name else "")


def describe_object(context: Context, chosen: Subject) -> Description:
    """A person or thing."""
    events, record = _record(context, chosen)
    graphics = int(record["graphics"])
    original, sees = readable_original(context.world, record), int(record["trainer_type"])
    script, movement = int(record["script"]), int(record["movement_type"])
    graphics_name = context.tables.graphics_name(graphics) or "object graphics (overworld)"
    trainer = context.tables.script_numbers.trainer(script)
    facts = (
        Fact("Local id", str(int(record["local_id"])), "by which scripts name it"),
        Fact("Graphics", str(graphics), graphics_name, None, subject("object graphics", graphics)),
        script_fact(context, chosen.key[0], script),
        *([link("Trainer", subject("trainer", trainer[0]))] if trainer is not None else []),
        Fact("Movement", str(movement), _movement(context, movement)),
        Fact("Direction", _FACING.get(int(record["direction"]), str(int(record["direction"])))),
        Fact("Wanders", f"{int(record['range_x'])} × {int(record['range_z'])}", "tiles to each side"),
        Fact("Height", fx(int(record["y"])), "units"),
        Fact("Trainer type", str(sees), context.tables.trainers.types.get(sees, "")),
        _clone_fact(*original) if original is not None else _hidden_fact(context, int(record["hidden_flag"])),
        Fact("Parameters", ", ".join(map(str, record["parameters"].tolist())), "by kind, e.g. how far a trainer sees"),
    )
    sections = (_where(context, chosen, record), *_says(context, chosen, script), Section("Object event", facts))
    raw = _raw(context, chosen, events, record)
    return Description(
        chosen,
        f"Object {chosen.key[1]}",
        " ".join(filter(None, ("graphics", str(graphics), context.tables.graphics_name(graphics)))),
        sections,
        raw,
    )


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


def _hidden_fact(context: Context, flag: int) -> Fact:
    if not flag:
        return Fact("Hidden by flag", "never")
    name = flag_name(context.tables.save_names, flag)
    words = "absent while this flag is set" + (f": {name}" if name else "")
    return Fact("Hidden by flag", str(flag), words, None, subject("flag", flag))


def _clone_fact(header: int, index: int | None) -> Fact:
    """The object that a clone represents, which no flag hides."""
    known = index is not None
    goal = subject("object", header, index) if index is not None else None
    return Fact("Clone of", f"object {index}" if known else "unknown", f"of header {header}, always there", None, goal)


def describe_warp(context: Context, chosen: Subject) -> Description:
    """A warp and its target."""
    events, record = _record(context, chosen)
    target = int(record["header"])
    there = readable_warp_target(context.world, chosen.key[0], chosen.key[1])
    leads: list[Fact] = []
    subtitle = "leads back to where the player came from"
    if target != RETURN_HEADER:
        leads.append(header_link(context, target, "Leads to"))
        subtitle = f"leads to {leads[0].value}"
    if there is not None:
        leads.append(
            Fact("Arrives at", f"({there[1]}, {there[2]})", "tile", None, subject("warp", target, int(record["warp"])))
        )
    leads.append(Fact("Warp number there", str(int(record["warp"]))))
    back = [
        Fact(f"Header {header.id}", f"warp {index}", header.title, None, subject("warp", header.id, index))
        for header, index in _arrivals(context, chosen.key[0], chosen.key[1])
    ]
    sections = (_where(context, chosen, record), Section("Warp", tuple(leads)), Section("Arrive here", tuple(back)))
    return Description(chosen, f"Warp {chosen.key[1]}", subtitle, sections, _raw(context, chosen, events, record))


def _arrivals(context: Context, header: int, warp: int) -> Iterator[tuple[Header, int]]:
    """The headers and their warps that lead to a warp."""
    for use in references_to(context.world, "header", header):
        if use.user.kind == "header" and use.part is not None:
            (number,), index = use.user.key, use.part.key[0]
            events = context.world.events(number)
            if events is not None and int(events.warps[index]["warp"]) == warp:
                yield context.world.headers[number], index


def describe_sign(context: Context, chosen: Subject) -> Description:
    """A background event."""
    events, record = _record(context, chosen)
    kind, facing = int(record["type"]), int(record["facing"])
    facts = (
        Fact("Type", str(kind), _SIGN_TYPES.get(kind, "")),
        script_fact(context, chosen.key[0], int(record["script"])),
        Fact("Facing", str(facing), f"the player faces {_SIGN_FACING[facing]}" if facing in _SIGN_FACING else ""),
        Fact("Height", str(int(record["y"]))),
    )
    says = _says(context, chosen, int(record["script"]))
    sections = (_where(context, chosen, record), *says, Section("Background event", facts))
    raw = _raw(context, chosen, events, record)
    return Description(chosen, f"Sign {chosen.key[1]}", _SIGN_TYPES.get(kind, ""), sections, raw)


def describe_trigger(context: Context, chosen: Subject) -> Description:
    """A coordinate trigger."""
    events, record = _record(context, chosen)
    variable = int(record["variable"])
    facts = (
        Fact("Size", f"{int(record['width'])} × {int(record['length'])}", "tiles"),
        script_fact(context, chosen.key[0], int(record["script"])),
        Fact(
            "Runs when",
            f"{_variable(context, variable)} is {int(record['value'])}",
            "",
            None,
            subject("variable", variable),
        ),
        Fact("Height", str(int(record["y"]))),
    )
    says = _says(context, chosen, int(record["script"]))
    sections = (_where(context, chosen, record), *says, Section("Coordinate trigger", facts))
    raw = _raw(context, chosen, events, record)
    return Description(chosen, f"Trigger {chosen.key[1]}", f"script {int(record['script'])}", sections, raw)


def describe_events(context: Context, chosen: Subject) -> Description:
    """A file of events."""
    users = references_to(context.world, "events", chosen.key[0])
    header = next((use.user.key[0] for use in users if use.user.kind == "header"), context.place.header.id)
    events = context.world.events(header)
    sections = []
    for kind, name in (("object", "Objects"), ("warp", "Warps"), ("sign", "Signs"), ("trigger", "Triggers")):
        records = getattr(events, EVENT_LISTS[kind], ())
        facts = tuple(
            Fact(f"{kind.capitalize()} {index}", f"({int(record['x'])}, {int(record['z'])})", _short(kind, record),
                 link=subject(kind, header, index))
            for index, record in enumerate(records)
        )  # fmt: skip
        sections.append(Section(f"{name} ({len(facts)})", facts))
    raw = None
    if events is not None and context.world.has(Role.ZONE_EVENT):
        raw = member(context, Role.ZONE_EVENT, chosen.key[0], field_spans(whole_elements(events.spans())))
    return Description(chosen, f"Events {chosen.key[0]}", "zone_event", tuple(sections), raw)


def _short(kind: str, record: np.void) -> str:
    if kind == "warp":
        return f"to header {int(record['header'])}" if int(record["header"]) != RETURN_HEADER else "back"
    return f"script {int(record['script'])}"


def describe_graphics(context: Context, chosen: Subject) -> Description:
    """An object graphics id: its textures and models."""
    number = chosen.key[0]
    table = context.world.object_graphics
    pictures = table.value.get(number)
    parts = context.tables.sprite_parts.get(number)
    sprites = f"member of {context.world.game.file_name(Role.SPRITES)}"
    facts = [Fact("Pictures", str(pictures) if pictures is not None else "none", sprites, table.why)]
    if parts is not None:
        facts += [Fact("Billboard", str(parts[0]), sprites), Fact("Frames", str(parts[1]), "sequence")]
    rows = list(table.value)
    raw = None
    if number in table.value:
        title = f"object graphics {number}"
        raw = overlay_record(context, table.why, title, OBJECT_GRAPHICS, rows.index(number))
        raw = raw if raw is not None and int.from_bytes(raw.data[:4], "little") == number else None
    sign = context.tables.sign_models.get(number)
    if sign is not None:
        facts.append(Fact("Sign model", str(sign), f"member of {context.world.game.file_name(Role.EFFECTS)}"))
    title = f"Object graphics {number}"
    return Description(chosen, title, "overworld sprite", (Section("Files", tuple(facts)),), raw)


DESCRIBERS = {
    "object": describe_object,
    "warp": describe_warp,
    "sign": describe_sign,
    "trigger": describe_trigger,
    "events": describe_events,
    "object graphics": describe_graphics,
}
