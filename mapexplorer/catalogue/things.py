"""The named things of a ROM: what is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final

from formats.binary import FormatError
from formats.field.trainer import Trainer
from mapexplorer.catalogue.kinds import FILE, HEADER, KINDS, Kind, NamedThing
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.source import Source
from mapexplorer.errors import RomError
from mapexplorer.gameplay.names import name, unpacked
from mapexplorer.gameplay.script_names import readable
from mapexplorer.gameplay.text_slots import TextSlots, merged
from mapexplorer.games import NameBank, Role
from mapexplorer.grouping import by_key
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.room_names import outside_name
from mapexplorer.world.subject import Subject, subject

_NAME_BANKS: Final = (NameBank.SPECIES, NameBank.ITEMS, NameBank.MOVES, NameBank.TRAINERS)


def things(source: Source, kind: Kind) -> Iterator[NamedThing]:
    """The named things of a kind, all used flags and variables, the texts of the banks that are read anew. What
    cannot be read is left out."""
    made = {"unused": _never_run, "text": _texts}.get(kind.name)
    seen = dict[Subject, None]()
    for thing in made(source) if made is not None else _of_kind(source, kind):
        if thing.subject not in seen:
            seen[thing.subject] = None
            yield thing
    for (number,) in source.store.rows(_USED, kind.name) if kind.name in _NAMELESS else ():
        if (bare := subject(kind.name, number)) not in seen:
            yield NamedThing(bare, _NAMELESS[kind.name].format(number))


_NAMELESS: Final = {"flag": "flag {}", "variable": "variable 0x{:X}"}
"""Kinds whose things are listed also where they have no name -> the name then."""
_USED: Final = f"""
SELECT DISTINCT CAST(used AS INTEGER) FROM edge WHERE used_kind = ? AND rule > {REFERENCE} ORDER BY 1"""


def is_new(source: Source, kind: Kind) -> bool:
    """Whether things of a kind are read anew."""
    return source.is_new(*filter(None, (kind.bank, kind.archive, kind.file)), *kind.reads)


def _of_kind(source: Source, kind: Kind) -> Iterator[NamedThing]:
    titles = source.world.game.tables.music.titles if kind.name == "music" else {}
    named = source.part(lambda: list(kind.names(source.world))) or []
    if kind.name in _LAST:
        named.sort(key=lambda pair: _LAST[kind.name](source.world, pair[1][0]))
    for title, key in named:
        if title.strip(" -?"):
            thing = Subject(kind.name, key)
            about = titles.get(key[0], ("", ""))[0] if titles else _about(source, thing)
            yield NamedThing(thing, title, about if about != title else "")


def _is_dummy(world: FieldWorld, trainer: int) -> bool:
    return "DUMMY" in world.game.constant("trainer", trainer, world.rom.code)


_LAST: Final[Mapping[str, Callable[[FieldWorld, int], Any]]] = {
    HEADER: lambda world, number: world.headers[number].order,
    "trainer": _is_dummy,
}
"""Kind -> the key by which its things are sorted: towns first, what the game does not use last."""


def _about(source: Source, thing: Subject) -> str:
    world = source.world
    match thing.kind:
        case "header":
            header = world.headers[thing.key[0]]
            hides = "hidden items" if header.id in source.hiding else ""
            code = header.internal_name if header.internal_name not in header.title else ""
            known = code, f"{header.symbolic_name} {header.kind}".strip(), hides, _surroundings(source, header)
            return ", ".join(filter(None, known))
        case "trainer":
            with suppress(FormatError, RomError):
                kind = world.member(Role.TRAINERS, thing.key[0], Trainer.from_bytes).trainer_class
                return name(world, NameBank.TRAINER_CLASSES, kind)
        case "flag":
            ranges = world.game.tables.save_names.flag_ranges
            return next((meaning for numbers, _, meaning in ranges if thing.key[0] in numbers), "")
        case "script":
            band = world.game.tables.script_numbers.band(thing.key[1])
            return "" if band is None else band.name
        case "weather":
            return world.game.tables.weathers[thing.key[0]].visual
        case "texture":
            return f"{('prop set', 'terrain set')[thing.key[0]]} {thing.key[1]}"
        case "file":
            role = world.game.role(thing.key[0])
            return f"{role}: {world.game.files[role].purpose}" if role is not None else ""
    return ""


def _surroundings(source: Source, header: Header) -> str:
    """`in Jubilife City`, of a room with another name than the place outdoors whose internal name it has."""
    outside = source.by_internal_name.get(outside_name(header.internal_name), header)
    differs = outside.location_name not in ("", header.location_name)
    return f"in {outside.location_name}" if differs and outside.outdoors else ""


def _never_run(source: Source) -> Iterator[NamedThing]:
    """The scripts of maps that no event and no initial script runs."""
    for member, entry, map_name, location in source.store.rows(_NEVER_RUN):
        yield NamedThing(subject("unused", member, entry), f"{map_name}#{entry + 1}", location)


_NEVER_RUN: Final = """
SELECT member, entry, internal_name, location_name
FROM never_run JOIN header ON header.header = (SELECT min(header) FROM header WHERE scripts = member)
ORDER BY member, entry"""


def _texts(source: Source) -> Iterator[NamedThing]:
    """All texts that are no names of other kinds; placeholders say what scripts fill them with."""
    world, commands = source.world, source.world.game.tables.script_commands
    shown = by_key(
        ((source.banks[member], int(values[0])), (member, item))
        for member, _, effects in source.constant_effects
        for item, effect, values in effects
        if effect == "text"
    )
    files = dict(source.scripts)
    slots_in = cache(lambda member: TextSlots(files[member], commands))
    skipped = {world.game.name_bank(bank, world.rom.code) for bank in _NAME_BANKS}
    for bank, texts in source.each(source.read_anew(Role.MESSAGES), world.messages):
        for number, text in enumerate(texts.messages) if bank not in skipped else ():
            if "{" in text:
                by_file = by_key(shown.get((bank, number), ()))
                slots = merged(slots_in(member).of_text(number, items) for member, items in by_file.items())
                text = readable(text, slots)
            if text:
                yield NamedThing(Subject("text", (bank, number)), " ".join(unpacked(text).split()))


def stored(world: FieldWorld, thing: Subject) -> tuple[str, int | None]:
    """The file and the member that a thing's name is read from."""
    number = int(thing.key[0]) if thing.kind != FILE else 0
    bank = NameBank.PLACES if thing.kind == "location" else KINDS[thing.kind].bank
    if bank is not None:
        return Role.MESSAGES, world.game.name_bank(bank, world.rom.code)
    match thing.kind:
        case "text":
            return Role.MESSAGES, number
        case "unused":
            return Role.SCRIPTS, number
        case "texture":
            return (Role.PROP_TEXTURES, Role.TERRAIN_TEXTURES)[number], thing.key[1]
    kind = KINDS[thing.kind]
    return (kind.archive, number) if kind.archive is not None else (kind.file or "", None)
