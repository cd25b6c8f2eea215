"""The descriptions of all kinds of subject. `describe` reads files; it is called in a worker's thread."""

from __future__ import annotations

from mapexplorer.features import entered
from mapexplorer.inspector import events, ground, headers, models, named, records, scripts, sets
from mapexplorer.inspector.common import Context
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.subject import Subject
from mapexplorer.inspector.tile import tile_sections
from mapexplorer.inspector.uses import use_sections
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save, fresh_save

_DESCRIBERS = {
    **headers.DESCRIBERS, **ground.DESCRIBERS, **events.DESCRIBERS, **models.DESCRIBERS, **sets.DESCRIBERS,
    **scripts.DESCRIBERS, **records.DESCRIBERS, **named.DESCRIBERS,
}  # fmt: skip

KINDS = frozenset(_DESCRIBERS)


def describe(world: FieldWorld, header: int, chosen: Subject, save: Save | None = None) -> Description:
    """All facts about a subject, viewed from the place of `header` with a save, by default a new game. Raises
    FormatError, RomError, KeyError."""
    save = fresh_save(world.game) if save is None else save
    context = Context(world, world.place(header).of_save(save), entered(save, header), save)
    made = _DESCRIBERS[chosen.kind](context, chosen)
    more = [*use_sections(context, chosen), *(tile_sections(context, chosen) if chosen.kind == "tile" else ())]
    return Description(made.subject, made.title, made.subtitle, (*made.sections, *more), made.raw)
