"""Makes the store of a ROM: the tables of facts, the named things, the edges, and the index of words."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from operator import itemgetter
from typing import Final

from mapexplorer.catalogue import edges, schema
from mapexplorer.catalogue.contents import Contents, contents, with_texts, written
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.edge import Edge
from mapexplorer.catalogue.kinds import NAMED, SCRIPTS, Kind, header_of
from mapexplorer.catalogue.rules import NOT_A_USE, REFERENCE, RULES, Rule
from mapexplorer.catalogue.schema import key_text
from mapexplorer.catalogue.source import Fill, Row, Rows, Source
from mapexplorer.catalogue.tables.encounters import fill_encounters
from mapexplorer.catalogue.tables.events import fill_events, fill_initial_scripts
from mapexplorer.catalogue.tables.items import fill_item_sources, fill_items, fill_names
from mapexplorer.catalogue.tables.maps import fill_maps
from mapexplorer.catalogue.tables.scripts import fill_flags, fill_scripts, fill_texts, fill_words
from mapexplorer.catalogue.tables.trainers import fill_trainers
from mapexplorer.catalogue.things import is_new, stored, things
from mapexplorer.games import NameBank, Role
from mapexplorer.naming import comparable_name
from mapexplorer.system.progress import Progress
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.world import FieldWorld


def make(world: FieldWorld, progress: Progress, earlier: Store | None = None) -> sqlite3.Connection:
    """The whole store of a ROM, in memory. `earlier`: that of the same ROM before it was written; of its rows those are
    made anew that depend on what was written. Raises what `progress` raises when it is cancelled."""
    if earlier is not None:
        with suppress(sqlite3.IntegrityError):  # a member has more rows than numbers are free between those of others
            return _made(world, progress, earlier)
    return _made(world, progress, None)


def _made(world: FieldWorld, progress: Progress, earlier: Store | None) -> sqlite3.Connection:
    now = contents(world)
    only = None if earlier is None else written(world, earlier, now)
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
    numbers = _numbers(source)
    with source.as_part("uses"):
        _fill_edges(source, enumerate(RULES), numbers)
        if source.is_new(Role.ZONE_EVENT, Role.SCRIPTS):
            _fill(source, fill_flags)
        _fill_things(source, numbers)
    _fill_sources(source, numbers, now)
    _insert(database, "damaged", {*_damage(source)}.difference(source.store.rows("SELECT * FROM damaged")))
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
    _fill_edges(source, [(REFERENCE, RULES[REFERENCE])], _numbers(source))
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


_Numbers = defaultdict[tuple[str, int | None], int]
"""(file, member) -> its number in the table of sources."""
_RULE_BITS, _RANK_BITS, _MEMBER_BITS = 30, 24, 12
"""The low bits of the number of a row that belong to a rule or kind, to a rank, and to a member."""


def _numbers(source: Source) -> _Numbers:
    """The numbers of what there is, and of any others when they are asked for."""
    known = {(file or "", member): number for number, file, member, *_ in source.store.rows("SELECT * FROM source")}
    return _Numbers(count(len(known)).__next__, known)


def _fill_sources(source: Source, numbers: _Numbers, now: Contents) -> None:
    """Add what has a number now, and put the hashes of what was read."""
    hashes = [(data, numbers[file, None]) for file, data in now.items()]
    known, rows = _numbers(source), list[Row]()
    for (file, member), number in numbers.items():
        if (file, member) not in known:
            origin = source.world.origin(Role(file), member) if member is not None else None
            rows.append((number, file or None, member, *(origin or (None, None)), None))
    _insert(source.store.database, "source", rows)
    source.store.database.executemany("UPDATE source SET hash = ? WHERE source = ?", hashes)


def _damage(source: Source) -> Iterator[Row]:
    return ((sentence, part) for sentence, parts in source.damaged.items() for part in parts)


def _fill_edges(source: Source, rules: Iterable[tuple[int, Rule]], numbers: _Numbers) -> None:
    """Replace the uses that rules find, in the order of their numbers: a row between others splits a page."""
    database, made = source.store.database, list[Row]()
    tiles = {(kind, header, index): tile for kind, header, index, *tile in source.store.rows(_TILES)}
    owners = {member: header.id for member, header in script_owners(source.world).items()}
    for number, rule in rules:
        if not source.world.knows(rule.topic) or not source.is_new(*rule.reads):
            continue
        query = f"DELETE FROM edge WHERE max(rule, {REFERENCE}) = {number}"
        if rule.alone is not None and source.is_alone(rule.alone, rule.reads):
            members = (numbers[rule.alone, member] for member in source.read_anew(rule.alone))
            query += f" AND source IN ({', '.join(map(str, members))})"
        database.execute(query)
        with source.as_part(rule.title):
            made += _edge_rows(source, number, rule, tiles, owners, numbers)
    _insert(database, "edge", sorted(made, key=itemgetter(0)), "rowid")


def _edge_rows(
    source: Source,
    number: int,
    rule: Rule,
    tiles: Mapping[tuple[str, int, int], Sequence[int]],
    owners: Mapping[int, int],
    numbers: _Numbers,
) -> Iterator[Row]:
    """The uses that a rule finds, each with the number of its row. `tiles`: those of events; `owners`: script file ->
    header."""

    def place(edge: Edge) -> tuple[int, int, int]:
        return number if edge.counts else len(RULES), edge.rank, edge.user.key[0] if rule.alone else 0

    last, placed = 0, [(place(edge), edge) for edge in getattr(edges, rule.find)(source)]
    for (slot, rank, member), edge in sorted(placed, key=itemgetter(0)):
        last = max(slot << _RULE_BITS | rank << _RANK_BITS | member << _MEMBER_BITS, last + 1)
        user, used, how, part, file, member, counts, _ = edge
        header = owners.get(user.key[0]) if user.kind == SCRIPTS else header_of(user)
        yield (
            last,
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
    for index, kind in enumerate(NAMED):
        if not is_new(source, kind):
            continue
        of_kind, banks = source, list[int]()
        if kind.name == "text" and source.only is not None:
            of_kind = Source(source.world, Progress(), source.store, with_texts(source.world, source.only))
            banks = list(of_kind.read_anew(Role.MESSAGES))
        database, now = source.store.database, _thing_rows(of_kind, kind, index << _RULE_BITS, numbers)
        if source.only is not None:
            before, rows = set(_things_before(source, kind, banks)), list(now)
            database.executemany("DELETE FROM thing WHERE rowid = ?", [row[:1] for row in before.difference(rows)])
            now = (row for row in rows if row not in before)
        _insert(database, "thing", now, "rowid")


def _things_before(source: Source, kind: Kind, banks: Sequence[int]) -> Iterator[Row]:
    """The rows of things of a kind, of texts those of some banks."""
    query = "SELECT rowid, * FROM thing WHERE kind = ?"
    if kind.name != "text":
        yield from source.store.rows(query, kind.name)
    for bank in banks:
        yield from source.store.rows(f"{query} AND key > ? AND key < ?", kind.name, f"{bank}/", f"{bank}0")


def _thing_rows(source: Source, kind: Kind, first: int, numbers: _Numbers) -> Iterator[Row]:
    game, code, last = source.world.game, source.world.rom.code, first - 1
    for thing in things(source, kind):
        bank = thing.subject.key[0] if kind.name == "text" else 0
        last = max(first | bank << _MEMBER_BITS, last + 1)
        constant = game.constant(thing.subject.kind, thing.subject.key[0], code) if len(thing.subject.key) == 1 else ""
        also_called = game.constants.also_called(constant) if constant else ""
        plain = also_called.replace("'", "")
        parts = dict.fromkeys(filter(None, (thing.name, thing.about, constant, also_called, plain)))
        words = comparable_name(" ".join(parts))
        searched = None if words == thing.name.lower() and thing.name.isascii() else words
        yield (
            last,
            thing.subject.kind,
            key_text(thing.subject.key),
            thing.name,
            thing.about,
            searched,
            numbers[stored(source.world, thing.subject)],
        )


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
    ("items", fill_items, (Role.ITEMS, NameBank.ITEMS), None),
    ("items", fill_item_sources, (Role.ZONE_EVENT, Role.SCRIPTS), None),
)
"""The part of a game, what makes the rows of its tables, the archives and banks of names that are read for them, and
the archive of which the rows of each member depend on that member alone."""
