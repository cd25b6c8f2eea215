"""The descriptions of all kinds of subject. `describe` reads files; it is called in a worker's thread."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mapexplorer.catalogue.kinds import SCRIPT, TEXTURE, NamedThing
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.texture_uses import texture_uses
from mapexplorer.catalogue.uses import places
from mapexplorer.features import entered
from mapexplorer.inspector.facts import Described, Describers, Description, Fact, Section, section
from mapexplorer.inspector.places.tile import tile_sections
from mapexplorer.inspector.roms.rom import describe_rom
from mapexplorer.inspector.things import events, ground, headers, models, named, records, scripts, sets
from mapexplorer.inspector.things.common import Context
from mapexplorer.inspector.things.use_sections import use_sections
from mapexplorer.world import FieldWorld
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.subject import Subject

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
    more = [*use_sections(context, chosen), *(tile_sections(context, *chosen.key) if chosen.kind == "tile" else ())]
    return Description(chosen, title, subtitle, (*sections, *more), raw)


def describe_thing(world: FieldWorld, thing: NamedThing) -> Description:
    """All facts about a thing that a user named, viewed from the first map that has it. Raises as `describe`."""
    kind, key = thing.subject.kind, thing.subject.key
    if kind == TEXTURE:
        headers = texture_uses(world, SetKey(bool(key[0]), key[1]), thing.name).places
    else:
        headers = key[:1] if kind == SCRIPT else places(reference_store(world), thing.subject)
    made = describe(world, next(iter(headers), 0), thing.subject)
    return made if made.title != str(made.subject) else replace(made, title=thing.title)
