"""Tables: the rows that one wants, as CSV, JSON and text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_tiles_of_a_place(cli: Callable[..., Any]) -> None:
    ran = cli("table", "demo", "tiles", "T01", "--csv")
    assert ran.status == 0 and "rows." in ran.err
    place = World("demo").place("T01")
    found, tiles = rows(ran.out), place.collision()
    assert [(int(row["x"]), int(row["z"])) for row in found] == list(zip(tiles["x"], tiles["z"], strict=True))
    assert [row["blocked"] for row in found] == [str(int(blocked)) for blocked in tiles["blocked"]]
    assert [int(row["behaviour"]) for row in found] == tiles["behaviour"].tolist()
    for row in found[::97]:
        answer = place.height(16 * (int(row["x"]) + 0.5), 16 * (int(row["z"]) + 0.5))
        assert row["height"] == ("" if answer.plate is None else str(answer.height))


def test_columns_and_files(cli: Callable[..., Any], tmp_path: Path) -> None:
    ran = cli("maps", "demo", "lake", "--csv", "--columns", "internal_name,header,weather_name")
    assert ran.out.splitlines()[0] == "internal_name,header,weather_name" and ran.out.splitlines()[1].startswith(
        "L01,5,"
    )
    assert cli("table", "demo", "maps", "L01", "-o", tmp_path / "maps.csv").status == 0
    (written,) = rows((tmp_path / "maps.csv").read_text("utf-8"))
    assert written["internal_name"] == "L01" and written["bicycle"] in ("0", "1")
    as_json = json.loads(cli("table", "demo", "maps", "--json", "--columns", "header").out)
    assert as_json["columns"] == ["header"] and as_json["rows"] == [{"header": number} for number in range(10)]
    assert cli("maps", "demo", "lake", "--columns", "kind").out.splitlines()[:2] == ["kind", "outdoors"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("maps --columns nothing", "'nothing' is no column; the columns are header, internal_name, "),
        ("tiles", "Name at least one MAP"),
        ("trainers --free", "--free is for all flags or variables"),
        ("flags T01 --free", "--free is for all flags or variables"),
        ("villages", "is not one of"),
    ],
)
def test_misuse_of_tables(cli: Callable[..., Any], words: str, sentence: str) -> None:
    ran = cli("table", "demo", *words.split())
    assert ran.status == 2 and sentence in ran.err and not ran.out


def test_tables_of_some_maps(cli: Callable[..., Any]) -> None:
    assert {row["name"] for row in rows(cli("table", "demo", "trainers", "F01", "--csv").out)} == {"Holm"}
    found = rows(cli("table", "demo", "trainers", "F01", "L01", "--csv").out)
    assert [(row["name"], row["maps"]) for row in found] == [("Holm", "F01"), ("Holm", "F01"), ("Tamsin", "L01")]
    found = rows(cli("table", "demo", "items", "location:Millbrook", "--csv").out)
    assert [(row["item_name"], row["how"], row["script"]) for row in found] == [
        ("Loaf of Bread", "given", "T01R0101#1")
    ]
    as_json = json.loads(cli("table", "demo", "flags", "L01", "--json").out)
    assert {row["flag"] for row in as_json["rows"]} >= {90, 731} and as_json["not_known"] == []


def test_a_location_means_all_its_maps(cli: Callable[..., Any], rom_path: Path) -> None:
    coronet = [header.id for header in World(rom_path).headers if header.location_name == "Mt. Coronet"]
    ran = cli("encounters", rom_path, "Mt.", "Coronet", "--json")
    assert sorted(one["header"] for one in json.loads(ran.out)["maps"]) == coronet and len(coronet) == 14
    assert cli("encounters", rom_path, "Mt. Coronet").last == "29 species on 14 maps."
    found = rows(cli("table", rom_path, "maps", "Mt. Coronet", "R201", "--csv", "--columns", "header").out)
    assert sorted(int(row["header"]) for row in found) == [*coronet[:-1], 342, coronet[-1]]
    assert json.loads(cli("encounters", rom_path, "R201", "--json").out)["header"] == 342


def test_trainers_and_encounters_of_a_real_rom(cli: Callable[..., Any], rom_path: Path) -> None:
    found = rows(cli("table", rom_path, "trainers", "--csv").out)
    party = [(row["species_name"], row["level"]) for row in found if row["trainer"] == "246"]
    assert party == [("GEODUDE", "12"), ("ONIX", "12"), ("CRANIDOS", "14")]
    found = rows(cli("table", rom_path, "encounters", "R201", "--csv").out)
    assert {row["species_name"] for row in found if row["when"] == "always"} >= {"STARLY", "BIDOOF"}
