"""Makes the store of a ROM: the tables of facts, the named things, the edges, and the index of words."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from typing import Final

from mapexplorer.catalogue import edges, schema
from mapexplorer.catalogue.contents import Contents, Place, contents, with_texts, written
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import NAMED, SCRIPTS, Kind, header_of
from mapexplorer.catalogue.rules import NOT_A_USE, REFERENCE, RULES, Rule
from mapexplorer.catalogue.source import Fill, Row, Rows, Source
from mapexplorer.catalogue.tables.encounters import fill_encounters
from mapexplorer.catalogue.tables.events import fill_events, fill_initial_scripts
from mapexplorer.catalogue.tables.items import fill_items, fill_names
from mapexplorer.catalogue.tables.maps import fill_maps
from mapexplorer.catalogue.tables.scripts import fill_flags, fill_scripts, fill_texts, fill_words
from mapexplorer.catalogue.tables.trainers import fill_trainers
from mapexplorer.catalogue.things import is_new, stored, things
from mapexplorer.games import NameBank, Role
from mapexplorer.naming import comparable_name
from mapexplorer.system.progress import Progress
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.subject import Key
from mapexplorer.world.world import FieldWorld


def make(world: FieldWorld, progress: Progress, earlier: Store | None = None) -> sqlite3.Connection:
    """The whole store of a ROM, in memory. `earlier`: that of the same ROM before it was written; of its rows those are
    made anew that depend on what was written. Raises what `progress` raises when it is cancelled."""
    now = contents(world)
    only = None if earlier is None or earlier.rows(_DAMAGED) else written(world, earlier, now)
    database = _created(schema.TABLES + schema.VIEWS) if earlier is None or only is None else earlier.copied()
    source = Source(world, progress, Store(database, whole=False), only)
    if only is not None:
        with suppress(sqlite3.OperationalError):  # without the index of words
            database.executescript(schema.FOLLOWING_WORDS)
    for done, (part, fill, reads, alone) in enumerate(_FILLS):
        progress.report(done, len(_FILLS) + 1, part)
        if source.is_new(*reads):
            with source.as_part(part):
                _fill(source, fill, alone)
    progress.report(len(_FILLS), len(_FILLS) + 1, "uses")
    numbers = _numbers(now)
    with source.as_part("uses"):
        _fill_edges(source, enumerate(RULES), numbers)
        if source.is_new(Role.ZONE_EVENT, Role.SCRIPTS):
            _fill(source, fill_flags)
        _fill_things(source, numbers)
    _fill_sources(source, numbers, now)
    _insert(database, "damaged", _damage(source))
    if only is None:
        database.executescript(schema.INDEXES)
        with suppress(sqlite3.OperationalError):  # SQLite before 3.34
            database.executescript(schema.WORDS)
    database.commit()
    progress.report(len(_FILLS) + 1, len(_FILLS) + 1, "")
    return database


def make_references(world: FieldWorld) -> sqlite3.Connection:
    """A store with the headers and the edges of the field data alone, in memory."""
    database = _created(schema.TABLES)
    source = Source(world, Progress(), Store(database, whole=False))
    _fill_edges(source, [(REFERENCE, RULES[REFERENCE])], _numbers(()))
    _insert(database, "damaged", _damage(source))
    database.executescript(schema.EDGE_INDEXES)
    return database


def _created(tables: str) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
    database.executescript(tables)
    return database


def _insert(database: sqlite3.Connection, table: str, rows: Rows, first: str = "") -> None:
    """Insert rows; `first` is a column before those of the table."""
    columns = [*filter(None, [first]), *(name for _, name, *_ in database.execute(f"PRAGMA table_info({table})"))]
    marks = ", ".join("?" * len(columns))
    database.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def _fill(source: Source, fill: Fill, alone: Role | None = None) -> None:
    """Replace the rows of tables, or those of the members of the archive `alone` that are read anew; the number of the
    member, or of the header with these events, is in the first column."""
    database, numbers = source.store.database, list[tuple[int]]()
    if source.only is not None and alone is not None:
        anew = source.headers if alone is Role.ZONE_EVENT else source.read_anew(alone)
        numbers = [(number,) for number in anew]
    for table, rows in fill(source):
        if numbers:
            column = database.execute(f"PRAGMA table_info({table})").fetchone()[1]
            database.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)
        else:
            database.execute(f"DELETE FROM {table}")
        _insert(database, table, rows)


_DAMAGED: Final = "SELECT 1 FROM damaged LIMIT 1"
_Numbers = defaultdict[Place, int]
"""What a store is made of -> its number in the table of sources."""
_RULE_BITS, _KIND_BITS, _MEMBER_BITS = 48, 40, 20
"""The low bits of the number of a row that belong to a rule, a kind or a rank, and one member."""


def _numbers(places: Iterable[Place]) -> _Numbers:
    """The numbers of places, and of any others when they are asked for."""
    next_number = count()
    return _Numbers(next_number.__next__, zip(places, next_number, strict=False))


def _fill_sources(source: Source, numbers: _Numbers, now: Contents) -> None:
    """Replace the rows of what the store is made of that are others now."""
    world, database, before = source.world, source.store.database, source.store.contents()
    changed = {
        place: number for place, number in numbers.items() if place not in now or before.get(place) != now[place]
    }
    database.executemany("DELETE FROM source WHERE source = ?", [(number,) for number in changed.values()])
    rows: list[Row] = []
    for (file, member), number in changed.items():
        is_text = world.rom.laid_over is not None
        origin = world.origin(Role(file), member) if is_text and member is not None else None
        rows.append((number, file or None, member, *(origin or (None, None)), now.get((file, member))))
    _insert(database, "source", rows)


def _damage(source: Source) -> Iterator[Row]:
    return ((sentence, part) for sentence, parts in source.damaged.items() for part in parts)


def _fill_edges(source: Source, rules: Iterable[tuple[int, Rule]], numbers: _Numbers) -> None:
    database = source.store.database
    for number, rule in rules:
        if not source.world.knows(rule.topic) or not source.is_new(*rule.reads):
            continue
        query = f"DELETE FROM edge WHERE max(rule, {REFERENCE}) = {number}"
        if rule.alone is not None and source.is_alone(rule.alone, rule.reads):
            members = (numbers[rule.alone, member] for member in source.read_anew(rule.alone))
            query += f" AND source IN ({', '.join(map(str, members))})"
        database.execute(query)
        with source.as_part(rule.title):
            _insert(database, "edge", _edge_rows(source, number, rule, numbers), "rowid")


def _edge_rows(source: Source, number: int, rule: Rule, numbers: _Numbers) -> Iterator[Row]:
    """The uses that a rule finds, each with the number of its row."""
    rows, ends = source.store.rows, defaultdict[int, int](int)
    tiles = {(kind, header, index): tile for kind, header, index, *tile in rows(_TILES)}
    owners = {member: header.id for member, header in script_owners(source.world).items()}
    for user, used, how, part, file, member, counts, rank in getattr(edges, rule.find)(source):
        first = (number if counts else len(RULES)) << _RULE_BITS | rank << _KIND_BITS
        first |= user.key[0] << _MEMBER_BITS if rule.alone else 0
        ends[first] += 1
        header = owners.get(user.key[0]) if user.kind == SCRIPTS else header_of(user)
        yield (
            first + ends[first],
            user.kind,
            key_text(user.key),
            used.kind,
            key_text(used.key),
            how,
            *((None, None, None) if part is None else (part.kind, key_text(part.key), part.name or None)),
            header,
            *tiles.get((user.kind, *user.key), (None, None)),
            number if counts else NOT_A_USE,
            numbers[file, member],
        )


_TILES: Final = """
SELECT 'object', header, object, x, z FROM object UNION ALL SELECT 'sign', header, background, x, z FROM background
UNION ALL SELECT 'trigger', header, trigger, x, z FROM trigger_event"""


def _fill_things(source: Source, numbers: _Numbers) -> None:
    """Replace the rows of named things that are others now."""
    spoken = source
    if source.only is not None:
        spoken = Source(source.world, Progress(), source.store, with_texts(source.world, source.only))
    for index, kind in enumerate(NAMED):
        first = index << _KIND_BITS
        if kind.name == "text" and is_new(source, kind):
            firsts = [first | bank << _MEMBER_BITS for bank in spoken.read_anew(Role.MESSAGES)]
            _replace(source, firsts, 1 << _MEMBER_BITS, _thing_rows(spoken, kind, first, numbers))
        elif is_new(source, kind):
            _replace(source, [first], 1 << _KIND_BITS, _thing_rows(source, kind, first, numbers))


def _replace(source: Source, firsts: Iterable[int], count: int, rows: Iterable[Row]) -> None:
    """Put rows of things in the place of those with some numbers: `count` of them from each of `firsts` on."""
    database, before = source.store.database, set[Row]()
    for first in firsts if source.only is not None else ():
        query = "SELECT rowid, * FROM thing WHERE rowid BETWEEN ? AND ?"
        before.update(database.execute(query, (first, first + count - 1)))
    now = dict.fromkeys(rows)
    database.executemany("DELETE FROM thing WHERE rowid = ?", [row[:1] for row in before.difference(now)])
    _insert(database, "thing", [row for row in now if row not in before], "rowid")


def _thing_rows(source: Source, kind: Kind, first: int, numbers: _Numbers) -> Iterator[Row]:
    game, code = source.world.game, source.world.rom.code
    for number, thing in enumerate(things(source, kind)):
        constant = game.constant(thing.subject.kind, thing.subject.key[0], code) if len(thing.subject.key) == 1 else ""
        also_called = game.constants.also_called(constant)
        plain = also_called.replace("'", "") if "'" in also_called else ""
        words = " ".join(comparable_name(f"{thing.name} {thing.about} {constant} {also_called} {plain}").split())
        searched = None if words == thing.name.lower() and thing.name.isascii() else words
        bank, text = thing.subject.key if kind.name == "text" else (0, number)
        yield (
            first | bank << _MEMBER_BITS | text,
            thing.subject.kind,
            key_text(thing.subject.key),
            thing.name,
            thing.about,
            searched,
            numbers[stored(source.world, thing.subject)],
        )


def key_text(key: Key) -> str:
    """A key as a text: `411/2`."""
    return str(key[0]) if len(key) == 1 else "/".join(map(str, key))


_FILLS: Final[tuple[tuple[str, Fill, tuple[Role | NameBank, ...], Role | None], ...]] = (
    (
        "maps",
        fill_maps,
        (Role.MAP_MATRIX, Role.AREA_DATA, Role.AREA_BUILD, Role.LAND_DATA, Role.MUSIC, NameBank.PLACES),
        None,
    ),
    ("events", fill_events, (Role.ZONE_EVENT,), Role.ZONE_EVENT),
    ("events", fill_initial_scripts, (Role.SCRIPTS,), None),
    ("scripts", fill_words, (), None),
    ("scripts", fill_scripts, (Role.SCRIPTS,), Role.SCRIPTS),
    ("scripts", fill_texts, (Role.MESSAGES,), Role.MESSAGES),
    ("names", fill_names, tuple(NameBank), None),
    ("encounters", fill_encounters, (Role.ENCOUNTERS, Role.ENCOUNTER_EXTRAS), None),
    (
        "trainers",
        fill_trainers,
        (
            *(Role.TRAINERS, Role.TRAINER_PARTIES, Role.TRAINER_MESSAGES, Role.SPECIES),
            *(NameBank.TRAINERS, NameBank.TRAINER_CLASSES, NameBank.TRAINER_MESSAGES),
        ),
        None,
    ),
    ("items", fill_items, (Role.ITEMS, Role.ZONE_EVENT, Role.SCRIPTS, NameBank.ITEMS), None),
)
"""The part of a game, what makes the rows of its tables, the archives and banks of names that are read for them, and
the archive of which the rows of each member depend on that member alone."""
