"""The stores of the real ROM and of the demo world, stores made by hand, and the lines of the script vectors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.catalogue import schema
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.store import open_store
from mapexplorer.system import kept_data
from mapexplorer.world import FieldWorld


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld.open(rom_path)


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")


@pytest.fixture(scope="session")
def store(real: FieldWorld) -> Store:
    """The store of the real ROM, made in this run of the tests."""
    return open_store(real.rom)


@pytest.fixture(scope="session")
def demo_store(demo: FieldWorld) -> Store:
    """The store of the demo world, made in this run of the tests."""
    return open_store(demo.rom)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that stores are kept in during a test, which does not exist at first."""
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def hand_made() -> Callable[..., Store]:
    """Makes a store of things (kind, key, name, about, what is searched) and of edges (kind and key of the user, kind
    and key of what it uses, how, the header); `words`: with an index of words."""

    def make(things: list[tuple[Any, ...]], edges: list[tuple[Any, ...]] = [], words: bool = True) -> Store:  # noqa: B006
        database = sqlite3.connect(":memory:")
        database.executescript(schema.TABLES)
        for kind, key, name, about, searched in things:
            database.execute("INSERT INTO thing VALUES (?, ?, ?, ?, ?, NULL)", (kind, key, name, about, searched))
        for *edge, header in edges:
            database.execute(
                f"INSERT INTO edge VALUES ({'?, ' * 5} {'NULL, ' * 3} ?, NULL, NULL, 1, NULL)", (*edge, header)
            )
            database.execute(
                "INSERT OR IGNORE INTO header (header, internal_name) VALUES (?, ?)", (header, f"M{header}")
            )
        database.executescript(schema.INDEXES + (schema.WORDS if words else ""))
        return Store(database, whole=True)

    return make
