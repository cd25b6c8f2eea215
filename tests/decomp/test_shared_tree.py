"""The source tree of the decompilation: its members are those of the ROM."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.decomp.records import Part
from mapexplorer.decomp.tree import TreeRom, table_of
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.inspector.origins import hidden_item_origin
from mapexplorer.world.subject import subject
from mapexplorer.world.world import FieldWorld
from tests.decomp.packed import PackedFiles

OF_OTHER_TESTS = {"pl_msg", "scr_seq"}


@pytest.fixture(scope="module")
def expected(vectors: Path) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads((vectors / "tree" / "tree_expected.json").read_text("utf-8"))
    return contents


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_members_are_those_of_the_rom(packed: PackedFiles, expected: dict[str, Any], every: int) -> None:
    rom = TreeRom(packed, table_of(packed))
    different = {}
    for role, known in expected["roles"].items():
        if (known.get("form") in ("as in the ROM", "converted") or role == "mmodel") and role not in OF_OTHER_TESTS:
            archive = rom.archive(known["path"]) if known["archive"] else (rom.file(known["path"]),)
            numbers = range(0, len(known["members"]), every)
            wrong = [n for n in numbers if hashlib.sha1(archive[n]).hexdigest() != known["members"][n]]
            if wrong or len(archive) != len(known["members"]):
                different[role] = wrong
    assert different == {}


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("role", ["scr_seq", "pl_msg"])
def test_scripts_and_texts_are_those_of_the_rom(
    packed: PackedFiles, expected: dict[str, Any], role: str, every: int
) -> None:
    known = expected["roles"][role]
    archive = TreeRom(packed, table_of(packed)).archive(known["path"])
    assert len(archive) == len(known["members"])
    numbers = range(0, len(archive), every)
    assert [n for n in numbers if hashlib.sha1(archive[n]).hexdigest() != known["members"][n]] == []


T01 = 390
PLACES: dict[str, tuple[Role, int, Part]] = {
    "event object 2 (from 0) of header T01": (Role.ZONE_EVENT, T01, ("objects", 2)),
    "graphics of event object 2 of header T01": (Role.ZONE_EVENT, T01, ("objects", 2, "graphics")),
    "hidden flag of event object 0 of header T01": (Role.ZONE_EVENT, T01, ("objects", 0, "hidden_flag")),
    "warp 0 of header T01": (Role.ZONE_EVENT, T01, ("warps", 0, "header")),
    "coordinate trigger 0 of header T01": (Role.ZONE_EVENT, T01, ("triggers", 0, "variable")),
    "sign (background event) 0 of header T01": (Role.ZONE_EVENT, T01, ("background", 0, "script")),
    "trainer of object 0 of Route 202": (Role.ZONE_EVENT, 329, ("objects", 0, "script")),
    "first Message command of T01": (Role.SCRIPTS, 1052, ("byte", 152)),
    "script 1 of T01": (Role.SCRIPTS, 1052, ("byte", 0)),
    "message 0 of bank twinleaf_town": (Role.MESSAGES, 554, ("text", 0)),
    "text TwinleafTown_Text_RivalWentTearingOff": (Role.MESSAGES, 554, ("text", 5)),
    "key of bank twinleaf_town": (Role.MESSAGES, 554, ("seed",)),
    "Route 201: land slot 3": (Role.ENCOUNTERS, 140, ("grass", 3, "species")),
    "Route 201: land rate": (Role.ENCOUNTERS, 140, ("grass_rate",)),
    "Route 201: radar slot 1": (Role.ENCOUNTERS, 140, ("radar", 1)),
    "Twinleaf Town: surf slot 0": (Role.ENCOUNTERS, 176, ("surf", "slots", 0, "highest")),
    "matrix 0: altitude row 3": (Role.MAP_MATRIX, 0, ("altitudes", 3)),
    "matrix 0: header of column 3, row 27": (Role.MAP_MATRIX, 0, ("headers", 27, 3)),
    "area 0: lights": (Role.AREA_DATA, 0, ("light_set",)),
    "youngster Tristan": (Role.TRAINER_PARTIES, 1, ("pokemon", 0, "level")),
    "Oran Berry: price": (Role.ITEMS, 133, ("price",)),
}
"""The beginning of a fact of the vectors -> the archive, the member, the part."""


def test_parts_of_members_lead_to_their_lines(packed: PackedFiles, vectors: Path) -> None:
    rom = TreeRom(packed, table_of(packed))
    locations = json.loads((vectors / "tree" / "locations.json").read_text("utf-8"))["locations"]
    for begin, (role, member, part) in PLACES.items():
        (known,) = [place for place in locations if place["fact"].startswith(begin)]
        assert rom.origin(PLATINUM.path(role), member, part) == (known["file"], known["line"]), begin


def test_rows_of_tables_and_names_of_members_lead_to_their_lines(packed: PackedFiles, vectors: Path) -> None:
    rom = TreeRom(packed, table_of(packed))
    tables = {name: rom.table(name) for name in ("MAP_HEADERS", "HIDDEN_ITEMS", "CAMERAS")}
    (header, *fields), hidden, cameras = (
        table.origins[row] for table, row in zip(tables.values(), (411, 0, 0), strict=True) if table is not None
    )
    events = PLATINUM.path(Role.ZONE_EVENT)
    found = {
        "header T01: its record": header,
        "header T01: dayMusicID": fields[6],
        "header T01: eventsArchiveID": fields[9],
        "header T01: weather": fields[12],
        "header T01: mapType": fields[14],
        "hidden item 0": hidden[0],
        "camera type 0": cameras[0],
        "member 0 of zone_event": rom.members.sources(events)[0].named,
        "path of zone_event in the ROM": (rom.listing.table, rom.listing.rows[events][1]),
    }
    locations = json.loads((vectors / "tree" / "locations.json").read_text("utf-8"))["locations"]
    known = {place["fact"]: (place["file"], place["line"]) for place in locations}
    assert found == {fact: known[fact] for fact in found}


def test_names_lead_to_their_lines(packed: PackedFiles) -> None:
    rom = TreeRom(packed, table_of(packed))
    assert rom.name_origin("TEXT_BANK_TWINLEAF_TOWN") == ("generated/text_banks.txt", 555)
    assert rom.name_origin("MAP_HEADER_TWINLEAF_TOWN") == ("generated/map_headers.txt", 412)
    assert rom.name_origin("NOTHING") is None
    assert rom.origin(PLATINUM.path(Role.ZONE_EVENT), 0) == ("res/field/events/events_empty.json", 1)
    assert rom.listing.rows[PLATINUM.path(Role.ZONE_EVENT)][1] == 259


def test_tables_of_the_program_are_those_of_the_rom(packed: PackedFiles, expected: dict[str, Any]) -> None:
    rom = TreeRom(packed, table_of(packed))
    tables = {name: rom.table(name.upper()) for name in expected["program_tables"]}
    hashes = {name: hashlib.sha1(table.data).hexdigest() for name, table in tables.items() if table is not None}
    assert hashes == {name: known["sha1"] for name, known in expected["program_tables"].items()}
    headers, hidden, cameras = tables["map_headers"], tables["hidden_items"], tables["cameras"]
    assert headers is not None and hidden is not None and cameras is not None
    assert [headers.origins[411][field] for field in (0, 7, 10, 13, 15)] == [
        ("include/data/map_headers.h", line) for line in (9086, 9093, 9096, 9099, 9101)
    ]
    assert hidden.origins[0][0] == ("include/data/field/hidden_items.h", 22)
    assert cameras.origins[0][0] == ("src/overlay005/field_camera.c", 24)
    machines = rom.table("MACHINES")
    assert machines is not None and len(machines.data) == 2 * (92 + 8)


def test_weathers_of_the_year_are_rows(packed: PackedFiles) -> None:
    world = FieldWorld(TreeRom(packed, table_of(packed)))
    assert world.yearly_weather is not None and world.yearly_weather.value.shape == (366, 5)
    assert {world.weather(header, 0).value for header in world.headers if header.weather >= 32} == {0, 2, 5, 6}


def test_scripts_have_lines(packed: PackedFiles) -> None:
    script = TreeRom(packed, table_of(packed)).members.assembler.assemble("res/field/scripts/scripts_twinleaf_town.s")
    assert script.labels["TwinleafTown_Guitarist"][1] == 35
    assert script.line_at(0) == 6


def test_the_hidden_item_of_a_sign_leads_to_its_row(packed: PackedFiles) -> None:
    world = FieldWorld(TreeRom(packed, table_of(packed)))
    first = world.game.tables.script_numbers.hidden_items.start + world.hidden_items.value[0].number
    signs = {
        (header.id, index): int(sign["script"])
        for header in world.headers
        if (events := world.events(header.id)) is not None
        for index, sign in enumerate(events.background)
    }
    place = next(place for place, script in signs.items() if script == first)
    other = next(place for place, script in signs.items() if script < 1000)
    assert hidden_item_origin(world, subject("sign", *place)) == ("include/data/field/hidden_items.h", 22)
    assert hidden_item_origin(world, subject("sign", *other)) is None
