"""The facts about a thing that a user named: what the inspector shows, or what the index of names holds."""

from __future__ import annotations

from mapexplorer.inspector.describe import KINDS, describe
from mapexplorer.inspector.facts import Description, Section
from mapexplorer.inspector.kept_names import name_index
from mapexplorer.inspector.things import SCRIPT, TEXTURE, Thing
from mapexplorer.inspector.use_links import INDEXED, UseLinks
from mapexplorer.world import FieldWorld
from mapexplorer.world.references import KINDS as REFERENCE_KINDS
from mapexplorer.world.texture_sets import SetKey, texture_uses


def describe_thing(world: FieldWorld, thing: Thing) -> Description:
    """All facts about a thing, viewed from the first map that has it; its uses are the last section. Raises
    FormatError, RomError, PlaceError."""
    sections = _uses(world, thing)
    if thing.kind not in KINDS:
        return Description(thing.subject, thing.title, "", sections)
    made = describe(world, next(iter(_places(world, thing)), 0), thing.subject)
    return Description(made.subject, made.title, made.subtitle, (*made.sections, *sections), made.raw)


def _places(world: FieldWorld, thing: Thing) -> tuple[int, ...]:
    """The headers of the maps that have a thing, as far as references tell."""
    if thing.kind == TEXTURE:
        which, number, _ = thing.key
        return texture_uses(world, SetKey(bool(which), number), thing.name).places
    if thing.kind == SCRIPT:
        return thing.key[:1]
    return world.uses.places(thing.kind, *thing.key) if thing.kind in REFERENCE_KINDS else ()


def _uses(world: FieldWorld, thing: Thing) -> tuple[Section, ...]:
    """What the index of names knows of a thing."""
    if thing.kind not in INDEXED:
        return ()
    return UseLinks(world).sections(name_index(world.rom), thing.subject)
