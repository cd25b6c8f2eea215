"""Questions to the database of a ROM, which is kept in the cache folder by the contents of the ROM.

Importing this module does not import what fills the tables, so that a kept database answers fast.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Final

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.errors import RomError
from mapexplorer.export.progress import Progress
from mapexplorer.games import identify
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import rom_digest
from mapexplorer.system import kept_data

_KIND: Final = "database"
_VERSION: Final = 1
"""Incremented when a database of the same ROM has other contents."""
_KEPT: Final = 2
"""The number of databases that are kept: one has 14 MB."""

Answer = tuple[list[str], list[tuple[object, ...]]]
"""The names of columns, and rows."""


def query_database(rom: Rom, query: str, progress: Progress) -> Answer:
    """Ask the database of a ROM. Raises sqlite3.Error for a query that is not one statement of SQL, or that would
    change the database; RomError, FormatError as `FieldWorld`."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(_database(rom, progress))
        database.execute("PRAGMA query_only = ON")
        cursor = database.execute(query)
        rows = cursor.fetchall()
        return [column[0] for column in cursor.description or ()], rows


def _database(rom: Rom, progress: Progress) -> bytes:
    """The kept database, else a new one, which is then kept."""
    try:
        key = rom_digest(rom, identify(rom).name, f"{_VERSION} {__version__}")
    except (FormatError, RomError):  # a damaged overlay
        key = ""
    kept = kept_data.load(_KIND, key) if key else None
    if kept is not None:
        return kept
    from mapexplorer.export.database.write import make_database
    from mapexplorer.world.world import FieldWorld

    data, _ = make_database(FieldWorld(rom), progress)
    if key:
        kept_data.store(_KIND, key, data, _KEPT)
    return data
