"""The facts about a thing that a user named: what the inspector shows, or what the index of names holds."""

from __future__ import annotations

from mapexplorer.inspector.describe import KINDS, describe
from mapexplorer.inspector.facts import Description, Section
from mapexplorer.inspector.kept_names import name_index
from mapexplorer.inspector.things import Thing
from mapexplorer.inspector.use_links import INDEXED, UseLinks
from mapexplorer.world import FieldWorld
from mapexplorer.world.references import KINDS as REFERENCE_KINDS


def describe_thing(world: FieldWorld, thing: Thing) -> Description:
    """All facts about a thing, viewed from the first map that has it; its uses are the last section. Raises
    FormatError, RomError, PlaceError."""
    sections = _uses(world, thing)
    if thing.kind not in KINDS:
        return Description(thing.subject, thing.title, "", sections)
    header = next(iter(world.uses.places(thing.kind, *thing.key)), 0) if thing.kind in REFERENCE_KINDS else 0
    made = describe(world, header, thing.subject)
    return Description(made.subject, made.title, made.subtitle, (*made.sections, *sections), made.raw)


def _uses(world: FieldWorld, thing: Thing) -> tuple[Section, ...]:
    """What the index of names knows of a thing."""
    if thing.kind not in INDEXED:
        return ()
    return UseLinks(world).sections(name_index(world.rom), thing.subject)
