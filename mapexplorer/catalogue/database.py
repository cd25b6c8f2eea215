"""A store as a database that is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from mapexplorer.caching import Cache, shared_property
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.grouping import by_key
from mapexplorer.naming import joined, words
from mapexplorer.system import kept_data

if TYPE_CHECKING:
    from mapexplorer.world.events.script_effects import ScriptEffects

_MEANT: Final = 64

NOT_READ: Final = frozenset(
    (
        Role.MATSHP,
        Role.PROP_ANIMATIONS,
        Role.TERRAIN_SRT_ANIMATIONS,
        Role.SPECIES_ICONS,
        Role.ITEM_ICONS,
        Role.SPRITES,
        Role.EFFECTS,
        Role.WEATHER_PICTURES,
        Role.DISTORTION_FLOORS,
        Role.DISTORTION_ATTRIBUTES,
        Role.DISTORTION_SKY,
    )
)
"""The files of which a store has nothing but their number of members."""


class Store:
    """A store that answers queries, from several threads. `whole`: it has all things and edges, not those of the field
    data alone; `path`: its file, if it is kept; `is_damaged`: that file is, which is gone then."""

    def __init__(self, database: sqlite3.Connection, *, whole: bool, path: Path | None = None) -> None:
        self.database = database
        self.whole = whole
        self.is_damaged = False
        self.meant_words: Cache[str, dict[str, int]] = Cache(_MEANT)
        """Typed word -> the words of names that it can mean, as the search last found them."""
        self.path = path
        self._lock = Lock()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a query gives. Raises RomError for a kept file that is damaged, which is removed."""
        with self._lock:
            try:
                return self.database.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                if self.path is None or type(error) is not sqlite3.DatabaseError:
                    raise
                kept_data.drop(self.path)
                self.is_damaged = True
                raise RomError("What was kept about this ROM was damaged and is removed; ask again.") from error

    def damaged(self, *parts: str) -> tuple[str, ...]:
        """What could not be read of some parts of the game."""
        marks = ", ".join("?" * len(parts))
        query = f"SELECT DISTINCT sentence FROM damaged WHERE part IN ({marks})"
        return tuple(sentence for (sentence,) in self.rows(query, *parts))

    def contents(self) -> dict[str, bytes]:
        """What it was made of (`catalogue.contents`)."""
        return dict(self.rows("SELECT file, hash FROM source WHERE hash IS NOT NULL"))

    def another(self) -> sqlite3.Connection:
        """A connection of its own for a caller that restricts what it does."""
        return connected(self.path) if self.path is not None else self.copied()

    def copied(self) -> sqlite3.Connection:
        """A copy in memory, which may be changed."""
        database = sqlite3.connect(":memory:", check_same_thread=False)
        with self._lock:
            self.database.backup(database)
        return database

    def effects(self, *effects: str) -> Iterator[tuple[int, int, ScriptEffects]]:
        """As `items.script_effects`, but only some effects."""
        from mapexplorer.world.events.script_effects import ScriptEffects

        marks = ", ".join("?" * len(effects))
        query = f"SELECT * FROM effect WHERE effect IN ({marks}) ORDER BY member, entry, rowid"
        for (member, entry), rows in groupby(self.rows(query, *effects), itemgetter(0, 1)):
            of_entry = by_key(
                (effect, tuple(value for value in values if value is not None)) for _, _, effect, *values in rows
            )
            yield member, entry, ScriptEffects({effect: tuple(values) for effect, values in of_entry.items()})

    @shared_property
    def rows_of_words(self) -> dict[str, list[int]]:
        """Word of what is searched, also a name of two or three words as one -> the rows of the things that have it,
        without texts, textures and files."""
        kept = "kind NOT IN ('text', 'texture', 'file')"
        rows = self.rows(f"SELECT rowid, name, coalesce(searched, name) FROM thing WHERE {kept}")
        whole = {row: (joined(name),) if len(words(name)) in (2, 3) else () for row, name, _ in rows}
        return by_key((word, row) for row, _, searched in rows for word in {*words(searched), *whole[row]})

    @property
    def has_words(self) -> bool:
        """Whether there is an index of words."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = 'words'"))


def connected(path: Path) -> sqlite3.Connection:
    """A connection to the file of a store, which cannot change it."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
