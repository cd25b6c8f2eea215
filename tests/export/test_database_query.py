"""Questions to the database: it is made once for the same ROM, and never for another one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mapexplorer.export.database import write
from mapexplorer.export.database.query import query_database
from mapexplorer.export.progress import NoProgress
from mapexplorer.system import kept_data
from mapexplorer.world.opening import open_rom

NAMES = "SELECT internal_name FROM header ORDER BY header"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that data is kept in."""
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The ROMs whose databases are made."""
    roms: list[object] = []
    make = write.make_database
    monkeypatch.setattr(write, "make_database", lambda world, progress: roms.append(world.rom) or make(world, progress))
    return roms


def ask(rom: object, query: str = NAMES) -> list[tuple[object, ...]]:
    return query_database(open_rom(str(rom)), query, NoProgress())[1]


def test_a_second_question_makes_no_database(made: list[object], folder: Path) -> None:
    first = ask("demo")
    assert ("T01",) in first and len(made) == 1 and len(list(folder.iterdir())) == 1
    assert ask("demo") == first and len(made) == 1
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        ask("demo", "DELETE FROM header")
    assert ask("demo") == first and len(made) == 1


def test_another_rom_has_another_database(made: list[object], demo_image: bytes, tmp_path: Path) -> None:
    ask("demo")
    with open_rom("demo") as rom:
        place = demo_image.index(rom.file("fielddata/maptable/mapname.bin"))
    changed = bytearray(demo_image)
    place = changed.index(b"T01", place)
    changed[place : place + 3] = b"T77"
    (tmp_path / "changed.nds").write_bytes(changed)
    names = ask(tmp_path / "changed.nds")
    assert len(made) == 2 and ("T77",) in names and ("T01",) not in names


def test_a_damaged_kept_database_is_made_again(made: list[object], folder: Path) -> None:
    first = ask("demo")
    (file,) = folder.iterdir()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert ask("demo") == first and len(made) == 2


def test_questions_are_answered_without_a_folder(made: list[object], folder: Path) -> None:
    folder.write_bytes(b"")
    assert ask("demo") == ask("demo") and len(made) == 2


def test_few_databases_are_kept(folder: Path, demo_image: bytes, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / "changed.nds").write_bytes(demo_image[:12] + b"DEM" + bytes([65 + number]) + demo_image[16:])
        ask(tmp_path / "changed.nds")
    assert len(list(folder.iterdir())) == 2
