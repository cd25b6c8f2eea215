"""Writes a database with everything that is known about a ROM."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Final, NamedTuple

from mapexplorer.export.database import schema
from mapexplorer.export.database.encounters import fill_encounters
from mapexplorer.export.database.events import fill_events
from mapexplorer.export.database.items import fill_items, fill_names
from mapexplorer.export.database.maps import fill_maps
from mapexplorer.export.database.scripts import fill_scripts
from mapexplorer.export.database.source import Fill, Source
from mapexplorer.export.database.trainers import fill_trainers
from mapexplorer.export.files import write_atomically
from mapexplorer.export.progress import Outcome, Progress
from mapexplorer.export.request import DatabaseRequest
from mapexplorer.values import count
from mapexplorer.world.world import FieldWorld

SUBJECTS: Final[tuple[tuple[str, Fill], ...]] = (
    ("maps", fill_maps),
    ("events", fill_events),
    ("scripts", fill_scripts),
    ("names", fill_names),
    ("encounters", fill_encounters),
    ("trainers", fill_trainers),
    ("items", fill_items),
)


def write_database(request: DatabaseRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `DatabaseRequest`. The database is made in memory, so that a cancelled or failed request writes nothing."""
    data, made = make_database(world, progress)
    progress.check()
    file = write_atomically(request.output, data)
    sentence = f"{count(made.tables, 'table')}, {count(made.rows, 'row')}, {len(data):,} bytes"
    facts = {"tables": made.tables, "rows": made.rows, "bytes": len(data), "damaged": made.damaged}
    return Outcome(sentence, [file], [f"left out: {one}" for one in made.damaged], facts)


class Made(NamedTuple):
    """The numbers of tables and rows of a database, and what was left out."""

    tables: int
    rows: int
    damaged: list[str]


def make_database(world: FieldWorld, progress: Progress) -> tuple[bytes, Made]:
    """The bytes of a database file with the tables, views and indexes, and what is in it."""
    source = Source(world, progress)
    with closing(sqlite3.connect(":memory:")) as database:
        tables, rows = _fill(database, source, progress)
        return database.serialize(), Made(tables, rows, source.damaged)


def _fill(database: sqlite3.Connection, source: Source, progress: Progress) -> tuple[int, int]:
    """Create the tables, views and indexes and insert all rows; the numbers of tables and rows."""
    database.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
    database.executescript(schema.TABLES)
    tables = rows = 0
    for done, (subject, subject_rows) in enumerate(SUBJECTS):
        progress.report(done, len(SUBJECTS), subject)
        for table, found in subject_rows(source):
            columns = len(database.execute(f"PRAGMA table_info({table})").fetchall())
            marks = ", ".join("?" * columns)
            rows += max(0, database.executemany(f"INSERT INTO {table} VALUES ({marks})", found).rowcount)
            tables += 1
    rows += database.executemany("INSERT INTO damaged VALUES (?)", ((one,) for one in source.damaged)).rowcount
    database.executescript(schema.INDEXES + schema.VIEWS)
    database.commit()
    progress.report(len(SUBJECTS), len(SUBJECTS), "")
    return tables + 1, rows
