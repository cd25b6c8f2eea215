"""The tables of the store: what docs/database.md says, what the readers and the vectors say; damage."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.uses import where_used
from mapexplorer.export.request import DatabaseRequest
from mapexplorer.export.run import run
from mapexplorer.games import Role
from mapexplorer.system.progress import Progress
from mapexplorer.world.opening import open_rom
from mapexplorer.world.subject import subject
from mapexplorer.world.world import FieldWorld
from tests.conftest import Cases

PAGE = (Path(__file__).parents[2] / "docs" / "database.md").read_text("utf-8")
TABLES = {name: re.findall(r"\w+", columns) for name, columns in re.findall(r"`(\w+)` \(((?:`\w+`(?:,\s+)?)+)\)", PAGE)}
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def real_file(real: FieldWorld, store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "real.sqlite"
    assert run(DatabaseRequest(output=path), real).notices == []
    return path


@pytest.fixture(scope="module")
def written(real_file: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(real_file)
    yield connection
    connection.close()


def rows(database: sqlite3.Connection, query: str, *values: object) -> list[list[Any]]:
    return [list(row) for row in database.execute(query, values)]


def test_the_page_has_every_table_and_column(tmp_path: Path) -> None:
    outcome = run(DatabaseRequest(output=tmp_path / "demo.sqlite"), open_rom("demo"))
    database = sqlite3.connect(tmp_path / "demo.sqlite")
    found = {
        name: [column[1] for column in database.execute(f"PRAGMA table_info({name})")]
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'words%'"
        )
    }
    assert found == TABLES
    counts = {name: rows(database, f"SELECT count(*) FROM {name}")[0][0] for name in found}
    assert counts["header"] == len(FieldWorld.open("demo").headers) and counts["damaged"] == 0
    for table in ("cell", "prop_placement", "object", "warp", "command", "text", "reference", "thing", "edge"):
        assert counts[table] > 0, table
    tables = [
        name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'") if name in counts
    ]
    assert outcome.facts["rows"] == sum(counts[name] for name in tables) and outcome.facts["tables"] == len(tables)
    for query in QUERIES:
        database.execute(query)
    database.close()


@pytest.mark.parametrize("query", QUERIES)
def test_each_query_of_the_page_has_an_answer(written: sqlite3.Connection, query: str) -> None:
    found = rows(written, query)
    assert found and all(any(value is not None for value in row) for row in found)


def test_the_same_rom_gives_the_same_bytes_of_a_bounded_size(real: FieldWorld, real_file: Path, tmp_path: Path) -> None:
    """Also where processes with other hashes of texts make it anew."""
    files = [tmp_path / "first.sqlite", tmp_path / "second.sqlite"]
    for number, file in enumerate(files):
        settings = {"PYTHONHASHSEED": str(number), "XDG_CACHE_HOME": str(tmp_path / file.stem)}
        command = [sys.executable, "-m", "mapexplorer", "database", "demo", "-o", str(file)]
        subprocess.run(command, env=os.environ | settings, check=True)
    assert files[0].read_bytes() == files[1].read_bytes()
    run(DatabaseRequest(output=tmp_path / "again.sqlite"), real)
    assert (tmp_path / "again.sqlite").read_bytes() == real_file.read_bytes()
    assert real_file.stat().st_size <= 32_000_000


def test_counts_are_those_of_the_readers(real: FieldWorld, written: sqlite3.Connection) -> None:
    events = [found for header in real.headers if (found := real.events(header.id)) is not None]
    for table, field in (
        ("object", "objects"),
        ("background", "background"),
        ("warp", "warps"),
        ("trigger_event", "triggers"),
    ):
        assert rows(written, f"SELECT count(*) FROM {table}") == [[sum(len(getattr(one, field)) for one in events)]]
    for table, role in (("land", Role.LAND_DATA), ("matrix", Role.MAP_MATRIX), ("trainer", Role.TRAINERS)):
        archive = real.archive(role)
        assert archive is not None and rows(written, f"SELECT count(*) FROM {table}") == [[len(archive)]]
    place = real.place("Jubilife City")
    props = [
        (prop.stored, *(one / 4096 for one in prop.position)) for cell in place.cells for prop in place.props(cell)
    ]
    found = written.execute("SELECT prop, x, y, z FROM place_prop WHERE header = ?", (place.header.id,)).fetchall()
    assert sorted(found) == sorted(props) and len(props) > 5
    terrain = place.terrain
    for cell in place.cells:
        ((blob,),) = rows(written, "SELECT attributes FROM land WHERE land = ?", cell.land)
        assert blob == terrain.attributes(cell).astype("<u2").tobytes()
    cells = rows(written, "SELECT x, z, land FROM place_cell WHERE header = ?", place.header.id)
    assert sorted(cells) == sorted([cell.x, cell.z, cell.land] for cell in place.cells)


def test_commands_are_those_of_the_vectors(written: sqlite3.Connection, cases: Cases) -> None:
    compared = 0
    for case in cases("scripts"):
        commands = {
            at: [number]
            for at, number in rows(
                written, "SELECT at, command FROM command WHERE member = ? ORDER BY at", case["member"]
            )
        }
        query = "SELECT at, value FROM argument WHERE member = ? ORDER BY at, argument"
        for at, value in rows(written, query, case["member"]):
            commands[at].append(value)
        assert [[at, *values] for at, values in commands.items()] == case["commands"]
        movement = rows(written, "SELECT at + 4 * step, action, count FROM movement WHERE member = ?", case["member"])
        assert sorted(movement) == case["movement"]
        entries = rows(written, "SELECT at FROM script_entry WHERE member = ? ORDER BY entry", case["member"])
        assert [at for (at,) in entries] == case["entries"]
        compared += len(case["commands"])
    assert compared > 10_000


def test_the_flags_of_the_demo(demo: FieldWorld, demo_store: Store) -> None:
    lake, village = demo.place("L01").header, demo.place("T01").header
    used = demo_store.rows("SELECT DISTINCT flag FROM flag_use")
    assert [flag for (flag,) in used] == [90, 1014, 1015], "the others hide the items on the floor"
    found = demo_store.rows("SELECT use, member, at, header, object FROM flag_use WHERE flag = 90")
    assert [row[3:] for row in found if row[0] == "hide"] == [(lake.id, 1)]
    members = {"set": {lake.scripts}, "clear": {lake.scripts, village.scripts}, "check": {lake.scripts}}
    assert {use: {row[1] for row in found if row[0] == use} for use in members} == members
    assert all(at in demo.script_file(member).offsets() for use, member, at, *_ in found if use != "hide")


def test_flags_items_and_trainers_are_those_of_the_vectors(written: sqlite3.Connection, cases: Cases) -> None:
    for case in cases("xref_flags"):
        for use in ("set", "clear", "check"):  # a case has only the uses that there are
            query = "SELECT member, at FROM flag_use WHERE flag = ? AND use = ?"
            assert sorted(rows(written, query, case["key"], use)) == sorted(case.get(use, []))
        query = "SELECT header, object FROM flag_use WHERE flag = ? AND use = 'hide'"
        assert sorted(rows(written, query, case["key"])) == sorted(case.get("hides", []))
    on_map, of_script = "header, x, z, count", "member, entry"
    columns = {
        "floor": f"{on_map}, flag",
        "hidden": f"{on_map}, flag",
        "berry": f"{on_map}, patch",
        "script": f"{of_script}, count",
        "add": f"{of_script}, count",
        "mart": f"{of_script}, shop",
        "exchange": f"{of_script}, shop",
        "common mart": "step",
        "game corner": "coins",
    }
    compared = 0
    for case in cases("xref_items"):
        for kind, names in columns.items():
            found = rows(written, f"SELECT {names} FROM item_source WHERE item = ? AND source = ?", case["key"], kind)
            wanted = [row[1:] for row in case["rows"] if row[0] == kind]
            assert all(row in found for row in wanted)
            compared += len(wanted)
    assert compared == sum(len(case["rows"]) for case in cases("xref_items"))
    for case in cases("trainers"):
        party = "SELECT species, form, level, iv_scale, nature FROM trainer_pokemon WHERE trainer = ? ORDER BY slot"
        wanted = [[one[key] for key in ("species", "form", "level", "iv_scale", "nature")] for one in case["party"]]
        assert rows(written, party, case["trainer"]) == wanted


def test_every_trainer_has_a_name_in_letters(written: sqlite3.Connection) -> None:
    """Most of these names are packed strings."""
    assert rows(written, "SELECT name FROM trainer WHERE name = '' OR name LIKE '%{%'") == []


def test_chances_are_those_of_the_vectors(written: sqlite3.Connection, cases: Cases) -> None:
    """The slots of a condition replace those of the file, in the order of the game; the view has those by time."""
    query = "SELECT slot, species, percent, lowest, highest FROM encounter_slot WHERE member = ? AND method = 'grass'"
    view = (
        "SELECT species, sum(percent), min(lowest), max(highest) FROM grass "
        "WHERE member = ? AND time = ? GROUP BY species ORDER BY species"
    )
    lists = dict(rows(written, "SELECT time, list FROM encounter_time"))
    compared = 0
    for case in cases("encounter_chances"):
        for time, swarm, radar, cartridge, wanted in case["grass"]:
            slots: dict[int, list[int]] = {}
            for name in ("file", lists[time], "swarm" * swarm, cartridge, "radar" * radar):
                slots |= {slot: row for slot, *row in rows(written, f"{query} AND list = ?", case["member"], name)}
            found: dict[int, list[int]] = {}
            for species, percent, lowest, highest in slots.values():
                one = found.get(species, [species, 0, lowest, highest])
                found[species] = [species, one[1] + percent, min(one[2], lowest), max(one[3], highest)]
            assert [found[species] for species in sorted(found)] == wanted
            if not (swarm or radar or cartridge):
                assert rows(written, view, case["member"], time) == wanted
            compared += len(wanted)
    assert compared > 10_000


def test_a_damaged_file_is_left_out_and_named(demo: FieldWorld, demo_image: bytes, tmp_path: Path) -> None:
    """The second land has a length that is none. The land and what is on it are left out; `damaged` names it once for
    each part of the answers that lacks it."""
    image, path = bytearray(demo_image), tmp_path / "damaged.sqlite"
    land = demo.rom.archive(demo.path(Role.LAND_DATA))[1]
    image[image.index(land)] ^= 0xFF
    (tmp_path / "damaged.nds").write_bytes(image)
    outcome = run(DatabaseRequest(output=path), open_rom(tmp_path / "damaged.nds"))
    database = sqlite3.connect(path)
    lands = [number for (number,) in rows(database, "SELECT land FROM land ORDER BY land")]
    assert lands == [number for number in range(len(demo.members(Role.LAND_DATA))) if number != 1]
    [sentence] = outcome.facts["damaged"]
    assert "land_data.narc[1]" in sentence and outcome.notices == [f"left out: {sentence}"]
    parts = rows(database, "SELECT part FROM damaged WHERE sentence = ? ORDER BY part", sentence)
    assert parts == [["maps"], ["the field data"], ["the tiles of lands"]]
    database.close()
    found = where_used(FieldWorld.open(tmp_path / "damaged.nds"), subject("behaviour", 2))
    assert found.damaged == (sentence,) and subject("land", 1) not in {use.user for use in found.uses}


def test_a_cancelled_request_leaves_the_file_as_it_was(tmp_path: Path, folder: Path) -> None:
    class Cancelled(Exception):
        pass

    class Cancels(Progress):
        def report(self, done: int, total: int, text: str) -> None:
            if done > 2:
                raise Cancelled

    path = tmp_path / "files" / "demo.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"before")
    with pytest.raises(Cancelled):
        run(DatabaseRequest(output=path), open_rom("demo"), Cancels())
    assert path.read_bytes() == b"before" and list(path.parent.iterdir()) == [path]
    assert not list(folder.glob("catalogue-*"))
