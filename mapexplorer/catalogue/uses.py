"""The uses of a thing: what uses it, on which maps it is, and what was asked to find that out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import HEADER
from mapexplorer.catalogue.rules import REFERENCE, asked
from mapexplorer.catalogue.schema import key_text
from mapexplorer.catalogue.store import open_store, reference_store
from mapexplorer.world.subject import ReferencePart, Subject, subject

if TYPE_CHECKING:
    from mapexplorer.games.game import Topic
    from mapexplorer.system.progress import Progress
    from mapexplorer.world import FieldWorld


class Use(NamedTuple):
    """A use of a thing."""

    user: Subject
    """What uses it."""
    used: Subject
    """What is used."""
    how: str
    """The kind of the use, in words."""
    part: ReferencePart | None
    """The part of the user that uses it."""
    map: str
    """The internal name of the map that the user is on; empty: none, or several."""
    location: str
    """The name of that map's location."""
    place: str
    """The name of the place in that location."""
    header: int | None
    """The id of that map."""
    tile: tuple[int, int] | None
    """The matrix-wide tile of the user."""
    rule: int
    """The number of the rule that found the use, in `rules.RULES`."""


_SELECT: Final = """
SELECT user_kind, user, used_kind, used, how, part, part_key, part_name, internal_name, location_name, place_name,
edge.header, x, z, rule FROM edge LEFT JOIN header ON header.header = edge.header """


def used_by(store: Store, used: Subject) -> list[Use]:
    """The uses of a thing; of a script file also those of its entries; of all things of a kind, without a key."""
    first = key_text(used.key)
    last = f"{first}/:" if used.kind == "scripts" and len(used.key) == 1 else first if used.key else "\U0010ffff"
    query = f"{_SELECT} WHERE used_kind = ? AND used BETWEEN ? AND ? AND rule >= 0 ORDER BY edge.rowid"
    return list(map(_use, store.rows(query, used.kind, first, last)))


def uses(store: Store, user: Subject, kind: str | None = None) -> list[Use]:
    """What a thing uses itself, of a kind or all, in the order in which it was found."""
    rows = store.rows(
        f"{_SELECT} WHERE user_kind = ? AND user = ? AND used_kind = coalesce(?, used_kind) AND rule >= 0",
        user.kind,
        key_text(user.key),
        kind,
    )
    return list(map(_use, rows))


def places(store: Store, used: Subject) -> tuple[int, ...]:
    """The ids of the headers whose maps have a thing: that use it themselves or through other things, but not by
    leading there; a prop is on a map if a land places it, not if a list names it, a behaviour if a land has tiles with
    it."""
    rows = store.rows(_PLACES, used.kind, key_text(used.key), used.kind, key_text(used.key))
    return tuple(int(row[0]) for row in rows)


_PLACES: Final = f"""
WITH RECURSIVE reached (kind, key) AS (
    VALUES (?, ?)
    UNION
    SELECT user_kind, user FROM reached JOIN edge ON used_kind = kind AND used = key
    WHERE (rule = {REFERENCE} OR kind = 'behaviour') AND kind <> '{HEADER}' AND (kind <> 'prop' OR user_kind = 'land'))
SELECT CAST(key AS INTEGER) AS number FROM reached WHERE kind = '{HEADER}' AND (SELECT count(*) FROM reached) > 1
UNION SELECT edge.header FROM edge
    WHERE used_kind = ? AND used = ? AND used_kind <> '{HEADER}' AND rule > {REFERENCE} AND edge.header IS NOT NULL
ORDER BY number
"""


@dataclass(frozen=True, eq=False)
class WhereUsed:
    """The uses of a thing with its `name`, and the headers of the maps that have it. `asked`: where was looked,
    `not_known`: what may use it and is not known of the game, `damaged`: what could not be read there."""

    used: Subject
    name: str
    uses: tuple[Use, ...]
    places: tuple[int, ...]
    asked: tuple[str, ...]
    not_known: tuple[Topic, ...]
    damaged: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether the answer says something: a use was found, or it was looked somewhere."""
        return bool(self.uses) or bool(self.asked)


def where_used(world: FieldWorld, used: Subject, name: str = "", progress: Progress | None = None) -> WhereUsed:
    """The uses of a thing. The store is made for it if other than the field data may use the thing. Raises FormatError,
    RomError."""
    from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE

    of_script = used.kind == "variable" and used.key[0] >= FIRST_SCRIPT_VARIABLE  # nothing follows these
    rules = () if of_script else asked(used.kind)
    fast = all(number == REFERENCE for number, _ in rules)
    store = reference_store(world) if fast else open_store(world.rom, progress)
    titles = tuple(rule.title for _, rule in rules if world.knows(rule.topic))
    not_known = tuple(dict.fromkeys(rule.topic for _, rule in rules if not world.knows(rule.topic)))
    read = {*titles, *(rule.topic for _, rule in rules if rule.topic)}  # several rules read all scripts
    return WhereUsed(
        used,
        name,
        tuple(used_by(store, used)),
        places(store, used),
        titles,
        tuple(topic for topic in not_known if topic is not None),
        store.damaged(*read),
    )


def references_to(world: FieldWorld, kind: str, number: int) -> list[Use]:
    """The uses of a thing by the field data. Raises FormatError, RomError where a file that all need is damaged."""
    return [use for use in used_by(reference_store(world), subject(kind, number)) if use.rule == REFERENCE]


def maps_with(world: FieldWorld, kind: str, number: int) -> tuple[int, ...]:
    """The headers of the maps that have a thing of the field data. Raises as `references_to`."""
    return places(reference_store(world), subject(kind, number))


def _subject(kind: str, key: str) -> Subject:
    return Subject(kind, tuple(int(part) if part.lstrip("-").isdecimal() else part for part in key.split("/")))


def _use(row: tuple[Any, ...]) -> Use:
    user_kind, user, used_kind, used, how, part, part_key, part_name, name, location, place, header, x, z, rule = row
    numbers = tuple(map(int, part_key.split("/"))) if part_key else ()
    held = None if part is None else ReferencePart(part, numbers, part_name or "")
    tile = None if x is None else (x, z)
    names = name or "", location or "", place or ""
    return Use(_subject(user_kind, user), _subject(used_kind, used), how, held, *names, header, tile, rule)
