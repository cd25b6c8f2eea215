"""The descriptions of all kinds of subject. `describe` reads files; it is called in a worker's thread."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mapexplorer.catalogue.kinds import SCRIPT, TEXTURE, NamedThing
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.texture_uses import texture_uses
from mapexplorer.catalogue.uses import places
from mapexplorer.features import entered
from mapexplorer.inspector.facts import Described, Describers, Description, Fact, Section, filled, section
from mapexplorer.inspector.origins import hidden_item_origin, name_origin, source_fact, thing_origin
from mapexplorer.inspector.places.tile import tile_sections
from mapexplorer.inspector.raw_bytes import RawBytes
from mapexplorer.inspector.roms.rom import describe_rom
from mapexplorer.inspector.things import events, ground, headers, models, named, records, scripts, sets
from mapexplorer.inspector.things.common import Context
from mapexplorer.inspector.things.use_sections import use_sections
from mapexplorer.world import FieldWorld
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.provenance import Provenance
from mapexplorer.world.subject import Subject

_MOST_FIELDS: Final = 100

DESCRIBERS: Final[Describers] = {
    **headers.DESCRIBERS,
    **ground.DESCRIBERS,
    **events.DESCRIBERS,
    **models.DESCRIBERS,
    **sets.DESCRIBERS,
    **scripts.DESCRIBERS,
    **records.DESCRIBERS,
    **named.DESCRIBERS,
    "rom": describe_rom,
}


def describe(world: FieldWorld, header: int, chosen: Subject, save: Save | None = None) -> Description:
    """All facts about a subject, viewed from the place of `header` with a save, by default a new game; of a kind
    without facts of its own its uses. Raises FormatError, RomError, PlaceError, KeyError."""
    save = fresh_save(world.game) if save is None else save
    context = Context(world, world.place(header).of_save(save), save, entered(save, header))
    described: Described = (str(chosen), "", (Section(str(chosen), ()),), None)
    if chosen.kind in DESCRIBERS:
        described = DESCRIBERS[chosen.kind](context, *chosen.key)
    title, subtitle, sections, raw = described
    constant = world.game.constant(chosen.kind, chosen.key[0], world.rom.code) if len(chosen.key) == 1 else ""
    if constant and chosen.kind != "header":  # its fields have it
        sections = (*sections, section("Name in code", Fact("Constant", constant, "in the decompilation")))
    sections = (*(_sourced(world, part) for part in sections), *filled(source_section(world, chosen, raw)))
    more = [*use_sections(context, chosen), *(tile_sections(context, *chosen.key) if chosen.kind == "tile" else ())]
    return Description(chosen, title, subtitle, (*sections, *more), raw)


def _sourced(world: FieldWorld, part: Section) -> Section:
    """A section whose sources have the texts that members are made of."""
    if world.rom.laid_over is None:
        return part
    facts = [
        replace(fact, why=world.sourced(fact.why)) if isinstance(fact.why, Provenance) else fact for fact in part.rows
    ]
    return replace(part, rows=tuple(facts))


def source_section(world: FieldWorld, chosen: Subject, raw: RawBytes | None) -> Section:
    """Where a thing and its fields stand in the text that the ROM is made from; empty for a ROM of bytes."""
    whole = thing_origin(world, chosen)
    if whole is None and raw is not None:
        whole = raw.origin(raw.own[0] if len(raw.own) == 1 else (), 0)
    named = name_origin(world, chosen)
    rows = {"Record": whole, **({"Name": named} if named != whole else {})}
    rows["Hidden item"] = hidden_item_origin(world, chosen)
    if raw is not None and whole is not None:
        own = len(raw.own[0]) if len(raw.own) == 1 else 0
        for field in raw.selected[:_MOST_FIELDS]:
            origin = None if field.elements else raw.origin(field.path, field.offset)
            if origin not in rows.values():
                rows[field._replace(path=field.path[own:]).name] = origin
    return section(
        "Source text",
        *(source_fact(name, origin) for name, origin in rows.items() if origin is not None),
    )


def describe_thing(world: FieldWorld, thing: NamedThing) -> Description:
    """All facts about a thing that a user named, viewed from the first map that has it. Raises as `describe`."""
    kind, key = thing.subject.kind, thing.subject.key
    if kind == TEXTURE:
        headers = texture_uses(world, SetKey(bool(key[0]), key[1]), thing.name).places
    else:
        headers = key[:1] if kind == SCRIPT else places(reference_store(world), thing.subject)
    made = describe(world, next(iter(headers), 0), thing.subject)
    return made if made.title != str(made.subject) else replace(made, title=thing.title)
