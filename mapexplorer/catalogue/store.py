"""The store of a ROM: opened from the cache folder by the contents of the ROM, made where it is not there.

Importing this module does not import what makes a store, so that a kept one answers fast.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.catalogue.database import NOT_READ, Store, connected
from mapexplorer.errors import RomError
from mapexplorer.games import identify
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import kept_digest
from mapexplorer.system import kept_data
from mapexplorer.system.collection import without_collection
from mapexplorer.system.progress import Progress

if TYPE_CHECKING:
    from mapexplorer.world.world import FieldWorld

_KIND: Final = "catalogue"
_VERSION: Final = 12
"""Incremented when a store of the same ROM has other contents."""
_KEPT: Final = 4
"""The number of stores that are kept."""

_OPEN: Final[WeakKeyDictionary[Rom, Store]] = WeakKeyDictionary()
_BEFORE: Final[WeakKeyDictionary[Rom, Store]] = WeakKeyDictionary()
"""The stores of ROMs before they were written."""
_MAKING: Final = Lock()


def open_store(rom: Rom, progress: Progress | None = None) -> Store:
    """The whole store of a ROM: the kept one, else a new one, which is then kept if the cache folder can be written.
    Raises RomError, FormatError as `FieldWorld`."""
    with _MAKING:
        known = _OPEN.get(rom)
        if known is None or known.is_damaged or not known.whole:
            known = _OPEN[rom] = _whole(rom, progress or Progress())
            _BEFORE.pop(rom, None)
        return known


def follow(rom: Rom, earlier: Rom) -> None:
    """Have the store of a ROM made of that of the same ROM before it was written, if there is one."""
    store = _OPEN.get(earlier)
    before = store if store is not None and store.whole else _BEFORE.get(earlier)
    if before is not None:
        _BEFORE[rom] = before


def reference_store(world: FieldWorld) -> Store:
    """A store with at least the edges of the field data: the whole one if it is there, else one that is made in a
    fraction of a second and not kept."""
    with _MAKING:
        known = _OPEN.get(world.rom)
        if known is None or known.is_damaged:
            path = kept_data.kept(_KIND, _key(world.rom))
            _OPEN[world.rom] = (path and _opened(path)) or _of_references(world)
        return _OPEN[world.rom]


def _whole(rom: Rom, progress: Progress) -> Store:
    made: list[sqlite3.Connection] = []
    before = _BEFORE.get(rom)

    def make() -> sqlite3.Connection:
        from mapexplorer.catalogue.build import make
        from mapexplorer.world.world import FieldWorld

        with without_collection():
            made.append(make(FieldWorld(rom), progress, before))
        return made[0]

    key = _key(rom)
    for _ in range(2 if key else 0):  # a damaged file is made anew
        path = kept_data.keep(_KIND, key, lambda path: _write(make(), path), _KEPT)
        if path is not None and (kept := _opened(path)) is not None:
            if before is not None and before.path is not None and before.path != path:
                kept_data.drop(before.path)  # so that the stores of other ROMs are kept, however often this is written
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


def _opened(path: Path) -> Store | None:
    """A kept store; None for a damaged file, which is removed. Damage deep inside is seen when it is read."""
    try:
        database = connected(path)
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
    paths = [path for role, file in game.files.items() if role not in NOT_READ for path in file.paths]
    try:
        return kept_digest(rom, game.name, f"{_VERSION} {__version__}", paths)
    except (FormatError, RomError):
        return ""
