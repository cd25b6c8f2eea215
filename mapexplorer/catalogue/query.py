"""Questions in SQL to the store of a ROM."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import inf
from typing import Final

from mapexplorer.catalogue.database import Store
from mapexplorer.option import OptionError

_STEPS: Final = 10_000
"""Instructions of SQLite between two looks at signals, less than a millisecond."""

_LONGEST: Final = 1 << 24
"""Bytes of the longest text: one instruction can make one, and cannot be interrupted."""

Answer = tuple[list[str], Iterator[tuple[object, ...]]]
"""The names of columns, and rows; blobs are hexadecimal texts."""


@contextmanager
def answer(store: Store, query: str) -> Iterator[Answer]:
    """The answer of a store to a query, whose rows are read one by one in the block. Raises, also there, OptionError
    for a query that is not one statement that reads, or that SQLite refuses; KeyboardInterrupt."""
    with closing(store.another()) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        database.set_authorizer(_authorized)
        database.set_progress_handler(lambda: 0, _STEPS)  # the interpreter handles signals when it calls this
        try:
            cursor = database.execute(query.encode(errors="backslashreplace").decode())
            if cursor.description is None:
                raise OptionError("The query has no statement.")
            yield [column[0] for column in cursor.description], (tuple(map(_plain, row)) for row in cursor)
        except (sqlite3.Error, sqlite3.Warning) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from None
            words = "a query only reads" if "authori" in str(error) else str(error).rstrip(".")
            raise OptionError("SQLite: {0}.", words) from None


def _authorized(action: int, first: str | None, second: str | None, *_: object) -> int:
    """Whether a statement may do something: only what reads the tables."""
    allowed = (
        action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
        or (action == sqlite3.SQLITE_FUNCTION and second != "load_extension")
        or (action == sqlite3.SQLITE_PRAGMA and first in ("table_info", "table_list", "index_list"))
        # SQLite declares table-valued functions (json_each) so; a statement that does it is refused anyway.
        or (action == sqlite3.SQLITE_UPDATE and first == "sqlite_master")
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _plain(value: object) -> object:
    """A value as JSON can have it."""
    return value.hex() if isinstance(value, bytes) else str(value) if value in (inf, -inf) else value
