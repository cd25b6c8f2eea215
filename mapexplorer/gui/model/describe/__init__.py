"""The facts about every kind of subject. `describe` reads what it needs; it is called in a worker's thread."""

from __future__ import annotations

from mapexplorer.api import World
from mapexplorer.gui.model.describe import events, ground, headers, models, scripts, sets
from mapexplorer.gui.model.describe.common import Context, used_by
from mapexplorer.gui.model.facts import Description
from mapexplorer.gui.model.subject import Subject

_DESCRIBERS = {
    **headers.DESCRIBERS, **ground.DESCRIBERS, **events.DESCRIBERS, **models.DESCRIBERS, **sets.DESCRIBERS,
    **scripts.DESCRIBERS,
}  # fmt: skip

KINDS = frozenset(_DESCRIBERS)


def describe(world: World, header: int, chosen: Subject) -> Description:
    """Everything about a subject, seen from the place of `header`. Raises FormatError, RomError, KeyError."""
    context = Context(world, world.place(header))
    made = _DESCRIBERS[chosen.kind](context, chosen)
    users = used_by(context, chosen)
    return Description(made.subject, made.title, made.subtitle, (*made.sections, *users), made.raw)
