"""Makes the store of a ROM: the tables of facts, the named things, the edges, and the index of words."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from typing import Final

from mapexplorer.catalogue import edges, schema
from mapexplorer.catalogue.edge import Edge
from mapexplorer.catalogue.kinds import HEADER, SCRIPTS, header_of
from mapexplorer.catalogue.rules import NOT_A_USE, REFERENCE, RULES, Rule
from mapexplorer.catalogue.source import Fill, Row, Rows, Source
from mapexplorer.catalogue.tables.encounters import fill_encounters
from mapexplorer.catalogue.tables.events import fill_events
from mapexplorer.catalogue.tables.items import fill_items, fill_names
from mapexplorer.catalogue.tables.maps import fill_maps
from mapexplorer.catalogue.tables.scripts import fill_flags, fill_scripts
from mapexplorer.catalogue.tables.trainers import fill_trainers
from mapexplorer.catalogue.things import stored, things
from mapexplorer.naming import comparable_name
from mapexplorer.system.progress import Progress
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.subject import Key, Subject
from mapexplorer.world.world import FieldWorld


def make(world: FieldWorld, progress: Progress) -> sqlite3.Connection:
    """The whole store of a ROM, in memory. Raises what `progress` raises when it is cancelled."""
    source = Source(world, progress)
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
    database.executescript(schema.TABLES)
    subjects = (*_FILLS, ("uses", _catalogue))
    for done, (subject, fill) in enumerate(subjects):
        progress.report(done, len(subjects), subject)
        with source.as_part(subject):
            for table, rows in fill(source):
                _insert(database, table, rows)
    _insert(database, "damaged", _damage(source))
    database.executescript(schema.INDEXES + schema.VIEWS)
    with suppress(sqlite3.OperationalError):  # SQLite before 3.34
        database.executescript(schema.WORDS)
    database.commit()
    progress.report(len(subjects), len(subjects), "")
    return database


def make_references(world: FieldWorld) -> sqlite3.Connection:
    """A store with the headers and the edges of the field data alone, in memory."""
    source = Source(world, Progress())
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(schema.TABLES)
    _insert(database, "edge", _edge_rows(source, _edges(source, [(REFERENCE, RULES[REFERENCE])]), _numbers()))
    _insert(database, "damaged", _damage(source))
    database.executescript(schema.EDGE_INDEXES)
    return database


def _insert(database: sqlite3.Connection, table: str, rows: Rows) -> None:
    marks = ", ".join("?" * len(database.execute(f"PRAGMA table_info({table})").fetchall()))
    database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _catalogue(source: Source) -> Iterator[tuple[str, Rows]]:
    """The things and the edges."""
    numbered_edges = sorted(_edges(source, enumerate(RULES)), key=lambda numbered: numbered[0] == NOT_A_USE)
    sources = _numbers()
    yield "edge", _edge_rows(source, numbered_edges, sources)
    yield from fill_flags(source, (edge for number, edge in numbered_edges if RULES[number].find in _OF_FLAGS))
    yield "thing", _thing_rows(source, {edge.used for number, edge in numbered_edges if number > REFERENCE}, sources)
    yield "source", ((number, file or None, member, None, None) for (file, member), number in sources.items())


_OF_FLAGS: Final = ("events", "scripts")
"""What finds the uses of flags that their table has."""

_Numbers = defaultdict[tuple[str, int | None], int]
"""(file, member) -> its number in the table of sources; a source of a ROM has no origin in a text."""


def _numbers() -> _Numbers:
    return defaultdict(count().__next__)


def _edges(source: Source, rules: Iterable[tuple[int, Rule]]) -> Iterator[tuple[int, Edge]]:
    for number, rule in rules:
        if not source.world.knows(rule.topic):
            continue
        with source.as_part(rule.title):
            yield from ((number if edge.counts else NOT_A_USE, edge) for edge in getattr(edges, rule.find)(source))


def _damage(source: Source) -> Iterator[Row]:
    return ((sentence, part) for sentence, parts in source.damaged.items() for part in parts)


def _thing_rows(source: Source, used: set[Subject], sources: _Numbers) -> Iterator[Row]:
    game, code = source.world.game, source.world.rom.code
    for thing in things(source, used):
        constant = game.constant(thing.subject.kind, thing.subject.key[0], code) if len(thing.subject.key) == 1 else ""
        also_called = game.constants.also_called(constant)
        plain = also_called.replace("'", "") if "'" in also_called else ""
        words = " ".join(comparable_name(f"{thing.name} {thing.about} {constant} {also_called} {plain}").split())
        searched = None if words == thing.name.lower() and thing.name.isascii() else words
        yield (
            thing.subject.kind,
            key_text(thing.subject.key),
            thing.name,
            thing.about,
            searched,
            sources[stored(source.world, thing.subject)],
        )


def _edge_rows(source: Source, numbered_edges: Iterable[tuple[int, Edge]], sources: _Numbers) -> Iterator[Row]:
    tiles = {
        (kind, header, index): (int(record["x"]), int(record["z"]))
        for header, events in source.events
        for kind, records in (("object", events.objects), ("sign", events.background), ("trigger", events.triggers))
        for index, record in enumerate(records)
    }
    owners = {member: header.id for member, header in script_owners(source.world).items()}
    for rule, (user, used, how, part, file, member, _) in numbered_edges:
        header = owners.get(user.key[0]) if user.kind == SCRIPTS else header_of(user)
        x, z = tiles.get((user.kind, *user.key), (None, None)) if user.kind != HEADER else (None, None)
        part_row = (None, None, None) if part is None else (part.kind, key_text(part.key), part.name or None)
        yield (
            user.kind,
            key_text(user.key),
            used.kind,
            key_text(used.key),
            how,
            *part_row,
            header,
            x,
            z,
            rule,
            sources[file, member],
        )


def key_text(key: Key) -> str:
    """A key as a text: `411/2`."""
    return str(key[0]) if len(key) == 1 else "/".join(map(str, key))


_FILLS: Final[tuple[tuple[str, Fill], ...]] = (
    ("maps", fill_maps),
    ("events", fill_events),
    ("scripts", fill_scripts),
    ("names", fill_names),
    ("encounters", fill_encounters),
    ("trainers", fill_trainers),
    ("items", fill_items),
)
