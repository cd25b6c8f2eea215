"""The store of a ROM that was written: made of that before, it has the rows of one that is made of nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.catalogue import build, edges
from mapexplorer.catalogue.contents import contents, written
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import NAMED
from mapexplorer.catalogue.rules import RULES
from mapexplorer.catalogue.source import Source
from mapexplorer.catalogue.store import follow, open_store
from mapexplorer.catalogue.things import things
from mapexplorer.games import NameBank, Role
from mapexplorer.rom import Archive
from mapexplorer.system.progress import Progress
from mapexplorer.world import FieldWorld
from tests.compare.conftest import Edits
from tests.compare.random_edits import random_edits

Tables = dict[str, list[tuple[Any, ...]]]


def made(world: FieldWorld, earlier: Store | None = None) -> Store:
    return Store(build.make(world, Progress(), earlier), whole=True)


def tables(store: Store) -> Tables:
    """All rows, those of things and uses in their order, with their sources in place of the numbers of these."""
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'words%' AND name <> 'source'"
    sources = {number: row for number, *row in store.rows("SELECT * FROM source")}
    rows = {name: store.rows(f"SELECT * FROM {name}") for (name,) in store.rows(names)}
    of_members = {name: [(*row, sources[number]) for *row, number in rows.pop(name)] for name in ("edge", "thing")}
    hashes = store.rows("SELECT file, hash FROM source WHERE hash IS NOT NULL ORDER BY file")
    return {name: sorted(of_table, key=repr) for name, of_table in rows.items()} | of_members | {"source": hashes}


def is_as_new(store: Store, world: FieldWorld) -> bool:
    """Whether a store has the rows of a new one, and its index of words."""
    new = tables(made(world))
    assert tables(store) == new
    store.database.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    store.database.rollback()
    return True


def test_a_store_follows_random_edits(demo: FieldWorld, demo_store: Store, tmp_path: Path) -> None:
    followed = 0
    for seed in range(2):
        edits = Edits(demo)
        random_edits(edits, random.Random(seed), 3)
        (tmp_path / f"{seed}.nds").write_bytes(edits.image())
        world = FieldWorld.open(tmp_path / f"{seed}.nds")
        followed += written(world, demo_store, contents(world)) is not None
        assert is_as_new(made(world, demo_store), world)
    assert followed


def test_the_store_of_a_rom_that_is_written_takes_the_place_of_that_before(
    demo: FieldWorld, tmp_path: Path, folder: Path
) -> None:
    rom = FieldWorld.open("demo").rom
    open_store(rom)
    kept = {file.name for file in folder.glob("*catalogue-*")}
    edits = Edits(demo)
    random_edits(edits, random.Random(0), 3)
    (tmp_path / "edited.nds").write_bytes(edits.image())
    edited = FieldWorld.open(tmp_path / "edited.nds").rom
    follow(edited, rom)
    open_store(edited)
    now = {file.name for file in folder.glob("*catalogue-*")}
    assert len(now) == len(kept) == 2 and not now & kept


def pieces() -> Iterator[tuple[str, tuple[str, ...], Callable[[Source], Any]]]:
    """What makes rows: its name, what it says that it reads, and what reads."""
    for part, fill, reads, _ in build._FILLS:
        yield f"{part}: {fill.__name__}", reads, lambda source, fill=fill: [list(rows) for _, rows in fill(source)]
    for rule in RULES:
        if rule.find:
            yield rule.title, rule.reads, lambda source, rule=rule: list(getattr(edges, rule.find)(source))
    for kind in NAMED:
        own = tuple(filter(None, (kind.bank, kind.archive, kind.file, *kind.reads)))
        yield kind.title, own, lambda source, kind=kind: list(things(source, kind))


@pytest.mark.parametrize("name", ["demo", pytest.param("real", marks=pytest.mark.slow)])
def test_what_makes_rows_says_what_it_reads(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members of an archive, beside banks of names only where the archive of texts is not named."""
    first: FieldWorld = request.getfixturevalue(name)
    store: Store = request.getfixturevalue("demo_store" if name == "demo" else "store")
    roles = {first.path(role): role for role in first.game.files}
    banks = {first.game.name_bank(kind, first.rom.code): kind for kind in NameBank}
    read, take = set[str](), Archive.__getitem__

    def taken(archive: Archive, number: int) -> bytes:
        role = roles.get(archive.path, archive.path)
        read.add(banks[number] if role == Role.MESSAGES and number in banks else role)
        return take(archive, number)

    monkeypatch.setattr(Archive, "__getitem__", taken)
    unsaid: dict[str, set[str]] = {}
    for piece, reads, make in pieces():
        world = FieldWorld.open(first.rom.path)
        read.clear()
        make(Source(world, Progress(), store))
        unsaid[piece] = read - {*reads, *(NameBank if Role.MESSAGES in reads else ())}
    assert {piece: extra for piece, extra in unsaid.items() if extra} == {"scripts of events": {Role.SCRIPTS}}
