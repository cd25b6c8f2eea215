"""A thing of a ROM with its name and its uses, as Python's users get it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mapexplorer.catalogue.kinds import KINDS, NAMED, NamedThing
from mapexplorer.catalogue.resolve import ALL, find_thing, numbered, possible_kind
from mapexplorer.catalogue.search import find, get, sought
from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.uses import WhereUsed
from mapexplorer.errors import RomError
from mapexplorer.inspector.things.uses import find_uses
from mapexplorer.world.subject import Subject
from mapexplorer.world.world import FieldWorld


@dataclass(frozen=True, repr=False)
class Thing:
    """A thing: its `subject` (kind and numbers), its name, what else is known `about` it (of a map its symbolic name
    and kind, of a trainer its class), its `address` (`item:17`, of a file its path)."""

    world: FieldWorld = field(compare=False)
    subject: Subject
    name: str
    about: str
    address: str

    def __repr__(self) -> str:
        return f"<Thing {self.address} {self.name}>"

    @property
    def uses(self) -> WhereUsed:
        """What uses it, as `where-used` says it. Raises FormatError, RomError."""
        return find_uses(self.world, NamedThing(self.subject, self.name))


def thing(world: FieldWorld, what: str | Subject) -> Thing:
    """The thing that a text or a subject means. Raises PlaceError, FormatError, RomError."""
    named = (
        find_thing(world, what, ALL)
        if isinstance(what, str)
        else numbered(world, possible_kind(what.kind, KINDS), what.key)
    )
    known = get(open_store(world.rom), named.subject) or named
    return Thing(world, known.subject, known.name, known.about, known.address)


def things(world: FieldWorld, words: str, kind: str | None = None) -> list[Thing]:
    """The things whose names have all words, the best matches first; of a kind without words all by number. Raises
    PlaceError for a kind without names, FormatError, RomError where the names of a game are not known."""
    of = None if kind is None else possible_kind(kind, [named.name for named in NAMED])
    if of is not None and not KINDS[of].is_named_in(world.game):
        raise RomError(f"The names of {KINDS[of].title.lower()} are not known in {world.game.title}.")
    store = open_store(world.rom)
    named_things = find(store, sought(world.game, world.rom.code, words), of)
    return [Thing(world, named.subject, named.name, named.about, named.address) for named in named_things]
