"""The store: made once for a ROM, by one of several processes, anew where it is damaged; what a kept one needs."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.catalogue import build, schema
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.query import answer
from mapexplorer.catalogue.search import best, find
from mapexplorer.catalogue.store import open_store, reference_store
from mapexplorer.catalogue.uses import used_by, where_used
from mapexplorer.errors import RomError
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import kept_digest
from mapexplorer.system.progress import Progress
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.subject import subject
from tests.games.conftest import diamond

__all__ = ["diamond"]

MAKES = """
import sys, time
from mapexplorer.catalogue import build
from mapexplorer.catalogue.search import find
from mapexplorer.catalogue.store import open_store
from mapexplorer.world.opening import open_rom

make = build.make

def slow(*arguments):
    open(sys.argv[1], "a").write("made\\n")
    time.sleep(0.5)
    return make(*arguments)

build.make = slow
print([one.title for one in find(open_store(open_rom("demo")), ["e"])])
"""
"""Finds something in the demo world, and writes a line into a file when it makes a store."""

IMPORTED = """
import sys
from mapexplorer.cli import main

try:
    main(sys.argv[1:])
finally:
    print("modules", *sys.modules)
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Rom]:
    """The ROMs whose stores are made."""
    roms: list[Rom] = []
    make = build.make
    monkeypatch.setattr(build, "make", lambda world, progress, earlier: roms.append(world.rom) or make(world, progress))
    return roms


@pytest.fixture
def kept_in(tmp_path: Path) -> dict[str, str]:
    """An environment with a cache folder of its own."""
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}


def stores(environment: dict[str, str]) -> list[Path]:
    """The stores that processes have kept."""
    return list(Path(environment["XDG_CACHE_HOME"]).glob("mapexplorer/data/catalogue-*"))


def names(rom: object) -> list[tuple[Any, ...]]:
    return open_store(open_rom(str(rom))).rows("SELECT internal_name FROM header ORDER BY header")


# --- keeping


def test_a_second_question_makes_no_store(made: list[Rom], folder: Path) -> None:
    first = names("demo")
    assert ("T01",) in first and len(made) == 1 and len(list(folder.glob("catalogue-*"))) == 1
    assert names("demo") == first and len(made) == 1


def test_another_rom_has_another_store(made: list[Rom], folder: Path, demo_image: bytes, tmp_path: Path) -> None:
    names("demo")
    with open_rom("demo") as rom:
        place = demo_image.index(rom.file("fielddata/maptable/mapname.bin"))
    changed = bytearray(demo_image)
    place = changed.index(b"T01", place)
    changed[place : place + 3] = b"T77"
    (tmp_path / "changed.nds").write_bytes(changed)
    found = names(tmp_path / "changed.nds")
    assert len(made) == 2 and ("T77",) in found and ("T01",) not in found


def test_two_processes_at_once_make_one_store_and_agree(kept_in: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAKES, str(tmp_path / "made")]
    both = [subprocess.Popen(command, env=kept_in, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    first, second = (process.communicate(timeout=120)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0] and first == second and len(first) > 1000
    assert (tmp_path / "made").read_text() == "made\n"
    (store,) = stores(kept_in)
    others = {file.name for file in store.parent.iterdir()} - {store.name, f"seal-{store.name}", "catalogue.lock"}
    assert all(re.fullmatch("digest-[0-9a-f]{40}", name) for name in others) and len(others) < 2


def test_the_few_stores_that_were_used_last_are_kept(folder: Path, demo_image: bytes, tmp_path: Path) -> None:
    names("demo")
    [often] = folder.glob("catalogue-*")
    made = often.stat().st_mtime_ns
    for number in range(5):
        (tmp_path / "changed.nds").write_bytes(demo_image[:12] + b"DEM" + bytes([65 + number]) + demo_image[16:])
        names(tmp_path / "changed.nds")
        names("demo")
    assert len(list(folder.glob("catalogue-*"))) == len(list(folder.glob("seal-catalogue-*"))) == 4
    assert often.stat().st_mtime_ns == made


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def no_database(file: Path) -> None:
    file.write_bytes(os.urandom(file.stat().st_size))


def other_names(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE thing SET name = 'changed'")


def no_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DROP TABLE thing")


@pytest.mark.parametrize("damage", [empty, cut, no_database, other_names, no_tables])
@pytest.mark.parametrize("whole", [True, False])
def test_a_damaged_kept_store_is_made_anew(
    made: list[Rom], folder: Path, damage: Callable[[Path], None], whole: bool
) -> None:
    first = names("demo")
    (file,) = folder.glob("catalogue-*")
    damage(file)
    if whole:
        assert names("demo") == first and len(made) == 2
        assert sqlite3.connect(file).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    else:  # a question about the field data needs no whole store
        store = reference_store(FieldWorld.open("demo"))
        assert not store.whole and store.rows("SELECT count(*) FROM edge WHERE rule = 0")[0][0] > 100
        assert len(made) == 1


def test_damage_deep_in_a_kept_store_is_said_and_removed(made: list[Rom], folder: Path) -> None:
    store = open_store(open_rom("demo"))
    expected = find(store, ["mill"])
    (file,) = folder.glob("catalogue-*")
    ((first,),) = store.rows("SELECT rootpage FROM sqlite_master WHERE name = 'thing'")
    data = bytearray(file.read_bytes())
    data[(first - 1) * schema.PAGE_BYTES : first * schema.PAGE_BYTES] = b"\xff" * schema.PAGE_BYTES
    status = file.stat()
    file.write_bytes(data)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # as a disk damages it
    rom = open_rom("demo")
    with pytest.raises(RomError, match=r"^What was kept about this ROM was damaged and is removed; ask again\.$"):
        find(open_store(rom), ["mill"])
    assert not file.exists()
    assert find(open_store(rom), ["mill"]) == expected != [] and len(made) == 2


def test_questions_are_answered_where_nothing_can_be_kept(made: list[Rom], folder: Path) -> None:
    folder.write_bytes(b"")
    assert names("demo") == names("demo") != [] and len(made) == 2
    world = FieldWorld.open("demo")
    with answer(open_store(world.rom), "SELECT count(*) FROM header") as (_, rows):
        assert list(rows) == [(len(world.headers),)]


def test_a_kept_store_serves_where_nothing_can_be_written(
    made: list[Rom], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No lock is made, no file of SQLite beside it."""
    first = names("demo")
    before = {one.name for one in folder.iterdir()} - {"catalogue.lock"}
    (folder / "catalogue.lock").unlink()
    (folder / "catalogue.lock").mkdir()  # as good as a folder that cannot be written, also for root
    assert names("demo") == first and len(made) == 1
    assert {one.name for one in folder.iterdir()} == {*before, "catalogue.lock"}


# --- what a question needs


def run(environment: dict[str, str], *arguments: str, program: str = IMPORTED) -> set[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1].startswith("modules "), done.stderr
    return set(lines[-1].split())


def test_a_kept_search_imports_little(kept_in: dict[str, str]) -> None:
    """Neither numpy nor what reads or makes a store; only the first search does."""
    slow = {
        "numpy",
        "mapexplorer.world.world",
        "mapexplorer.world.sources.files",
        "mapexplorer.catalogue.build",
        "mapexplorer.catalogue.edges",
        "mapexplorer.catalogue.things",
        "mapexplorer.catalogue.names",
        "mapexplorer.games.tables",
        "mapexplorer.world.events.script_effects",
        "click.testing",
        "rich.table",
    }
    assert slow - run(kept_in, "find", "demo", "mill") == {"click.testing", "rich.table"}
    for arguments in (["mill"], ["mill", "--json"], ["species:1"], ["e", "--kind", "text"], ["T01"]):
        assert run(kept_in, "find", "demo", *arguments) & slow == set(), arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ("maps",),
        ("tile", "T01@17,37"),
        ("encounters", "F01"),
        ("show", "T01"),
        ("height", "T01", "17", "37"),
        ("walk", "T01", "--path", "N"),
        ("where-used", "prop:5"),
        ("where-used", "area:0"),
        ("where-used", "texture:grass"),
    ],
    ids=" ".join,
)
def test_no_store_is_made_for_what_needs_none(kept_in: dict[str, str], arguments: tuple[str, ...]) -> None:
    modules = run(kept_in, arguments[0], "demo", *arguments[1:])
    assert stores(kept_in) == []
    assert arguments[0] == "where-used" or "mapexplorer.catalogue.build" not in modules


# --- SQLite without an index of trigrams


@pytest.fixture(scope="module")
def without_words(store: Store) -> Store:
    """The store of the real ROM without its index."""
    database = sqlite3.connect(":memory:")
    store.database.backup(database)
    database.execute("DROP TABLE words")
    return Store(database, whole=True)


def test_a_store_is_made_without_the_index(
    demo: FieldWorld, demo_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an SQLite before 3.34, which does not know the tokenizer."""
    monkeypatch.setattr(schema, "WORDS", schema.WORDS.replace("'trigram'", "'unknown'"))
    made = Store(build.make(demo, Progress()), whole=True)
    assert not made.has_words and demo_store.has_words
    assert [find(made, [word]) for word in ("mill", "e", "t01")] == [
        find(demo_store, [word]) for word in ("mill", "e", "t01")
    ]
    assert made.rows("SELECT * FROM thing") == demo_store.rows("SELECT * FROM thing")


@pytest.mark.parametrize(
    "words",
    [
        "pikachu",
        "moon stone",
        "e",
        "mt",
        "route 201",
        "T01",
        "the power of science",
        "Pokémon",
        "100%",
        "o'clock",
        "x y",
    ],
)
def test_find_finds_the_same_without_the_index(store: Store, without_words: Store, words: str) -> None:
    assert store.has_words
    found = find(store, words.split())
    assert found == find(without_words, words.split())
    for kind in ("text", "header", "species", "flag"):
        assert find(store, words.split(), kind) == find(without_words, words.split(), kind)
    for kind in ("header", "species", "item"):
        assert best(store, words, 8, kind) == best(without_words, words, 8, kind)


# --- what is not known


def test_where_nothing_is_known_nothing_is_said_to_be_unused(diamond: FieldWorld) -> None:
    """Trainers, scripts and items of Diamond are not read: nothing is known of an item; a map is known to be led to."""
    found = where_used(diamond, subject("item", 17))
    assert not found.known and found.asked == () and found.uses == () and "items" in found.not_known
    prop = where_used(diamond, subject("prop", 25))
    assert prop.known and prop.uses and prop.not_known == ()
    rows = used_by(open_store(diamond.rom), subject("music", diamond.headers[1].day_music))
    assert any(use.how == "by day" for use in rows)


def test_the_json_of_a_kind_that_is_not_known(diamond: FieldWorld, kept_in: dict[str, str]) -> None:
    path = str(diamond.rom.path)
    command = [sys.executable, "-m", "mapexplorer", "where-used", path, "item:17", "--json"]
    done = subprocess.run(command, env=kept_in, capture_output=True, text=True, check=False)
    (thing,) = json.loads(done.stdout)["things"]
    assert done.returncode == 1 and thing["known"] is False and thing["uses"] == thing["asked"] == []


def test_a_digest_is_kept_for_a_state_of_an_image(folder: Path, demo_image: bytes, tmp_path: Path) -> None:
    """It is computed again when the image has been written, and not kept while another write could have its time."""
    image = tmp_path / "rom.nds"
    image.write_bytes(demo_image)
    first = kept_digest(open_rom(image), "platinum", "1", [])
    assert not list(folder.glob("digest-*"))
    os.utime(image, ns=(10**18, 10**18))
    assert kept_digest(open_rom(image), "platinum", "1", []) == first and len(list(folder.glob("digest-*"))) == 1
    image.write_bytes(demo_image[:12] + b"DEMX" + demo_image[16:])
    os.utime(image, ns=(10**18 + 1, 10**18 + 1))
    assert kept_digest(open_rom(image), "platinum", "1", []) != first
    assert kept_digest(open_rom(image), "platinum", "2", []) != first
