"""The store of a ROM: opened from the cache folder by the contents of the ROM, made where it is not there.

Importing this module does not import what makes a store, so that a kept one answers fast.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.caching import Cache, shared_property
from mapexplorer.errors import RomError
from mapexplorer.games import Role, identify
from mapexplorer.grouping import by_key
from mapexplorer.naming import joined, words
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import kept_digest
from mapexplorer.system import kept_data
from mapexplorer.system.collection import without_collection
from mapexplorer.system.progress import Progress

if TYPE_CHECKING:
    from mapexplorer.world.world import FieldWorld

_KIND: Final = "catalogue"
_VERSION: Final = 10
"""Incremented when a store of the same ROM has other contents."""
_KEPT: Final = 4
"""The number of stores that are kept."""
_MEANT: Final = 64

_NOT_READ: Final = frozenset(
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
    data alone."""

    def __init__(self, database: sqlite3.Connection, *, whole: bool, path: Path | None = None) -> None:
        self.database = database
        self.whole = whole
        self.meant_words: Cache[str, dict[str, int]] = Cache(_MEANT)
        """Typed word -> the words of names that it can mean, as the search last found them."""
        self._path = path
        self._lock = Lock()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a query gives. Raises RomError for a kept file that is damaged, which is removed."""
        with self._lock:
            try:
                return self.database.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                if self._path is None or type(error) is not sqlite3.DatabaseError:
                    raise
                kept_data.drop(self._path)
                for rom in [rom for rom, store in _OPEN.items() if store is self]:
                    del _OPEN[rom]
                raise RomError("What was kept about this ROM was damaged and is removed; ask again.") from error

    def damaged(self, *parts: str) -> tuple[str, ...]:
        """What could not be read of some parts of the game."""
        marks = ", ".join("?" * len(parts))
        query = f"SELECT DISTINCT sentence FROM damaged WHERE part IN ({marks})"
        return tuple(sentence for (sentence,) in self.rows(query, *parts))

    def another(self) -> sqlite3.Connection:
        """A connection of its own for a caller that restricts what it does."""
        if self._path is not None:
            return _connected(self._path)
        database = sqlite3.connect(":memory:")
        database.deserialize(self.database.serialize())
        return database

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


_OPEN: Final[WeakKeyDictionary[Rom, Store]] = WeakKeyDictionary()
_MAKING: Final = Lock()


def open_store(rom: Rom, progress: Progress | None = None) -> Store:
    """The whole store of a ROM: the kept one, else a new one, which is then kept if the cache folder can be written.
    Raises RomError, FormatError as `FieldWorld`."""
    with _MAKING:
        known = _OPEN.get(rom)
        if known is None or not known.whole:
            known = _OPEN[rom] = _whole(rom, progress or Progress())
        return known


def reference_store(world: FieldWorld) -> Store:
    """A store with at least the edges of the field data: the whole one if it is there, else one that is made in a
    fraction of a second and not kept."""
    with _MAKING:
        if world.rom not in _OPEN:
            path = kept_data.kept(_KIND, _key(world.rom))
            _OPEN[world.rom] = (path and _opened(path)) or _of_references(world)
        return _OPEN[world.rom]


def _whole(rom: Rom, progress: Progress) -> Store:
    made: list[sqlite3.Connection] = []

    def make() -> sqlite3.Connection:
        from mapexplorer.catalogue.build import make
        from mapexplorer.world.world import FieldWorld

        with without_collection():
            made.append(make(FieldWorld(rom), progress))
        return made[0]

    key = _key(rom)
    for _ in range(2 if key else 0):  # a damaged file is made anew
        path = kept_data.keep(_KIND, key, lambda path: _write(make(), path), _KEPT)
        if path is not None and (kept := _opened(path)) is not None:
            return kept
    if not made:
        make()
    return Store(made[-1], whole=True)


def _write(database: sqlite3.Connection, path: Path) -> None:
    """Write a store to a file, which is complete or not used at all. Raises OSError."""
    try:
        with closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA journal_mode = OFF")
            file.execute("PRAGMA synchronous = OFF")
            database.backup(file)
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from error


def _of_references(world: FieldWorld) -> Store:
    from mapexplorer.catalogue.build import make_references

    return Store(make_references(world), whole=False)


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _opened(path: Path) -> Store | None:
    """A kept store; None for a damaged file, which is removed. Damage deep inside is seen when it is read."""
    try:
        database = _connected(path)
        pages, size = (database.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("page_count", "page_size"))
        database.execute("SELECT count(*) FROM about").fetchone()
        if path.stat().st_size == pages * size:
            return Store(database, whole=True, path=path)
    except (OSError, ValueError, sqlite3.DatabaseError):
        pass
    kept_data.drop(path)
    return None


def _key(rom: Rom) -> str:
    """The key of a ROM's store; empty for a ROM with a damaged program."""
    game = identify(rom)
    paths = [path for role, file in game.files.items() if role not in _NOT_READ for path in file.paths]
    try:
        return kept_digest(rom, game.name, f"{_VERSION} {__version__}", paths)
    except (FormatError, RomError):
        return ""
