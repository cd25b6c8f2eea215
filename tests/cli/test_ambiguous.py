"""What verbs do with the name of a location that means several maps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mapexplorer import World


def test_the_scripts_of_all_maps_of_a_location(cli: Callable[..., Any], rom_path: Path) -> None:
    coronet = [header.id for header in World(rom_path).headers if header.location_name == "Mt. Coronet"]
    maps = json.loads(cli("script", rom_path, "Mt. Coronet", "--json").out)["maps"]
    assert sorted(one["header"] for one in maps) == coronet and len(coronet) == 14
    alone = [json.loads(cli("script", rom_path, str(one["header"]), "--json").out) for one in maps]
    assert [{"format": one["format"]} | of_map for one, of_map in zip(alone, maps, strict=True)] == alone
    ran = cli("script", rom_path, "Mt. Coronet")
    titles = [line for line in ran.out.splitlines() if line.startswith("Mt. Coronet, ")]
    assert len(titles) == 14 and titles[2] == "Mt. Coronet, 1F South: scr_seq[223], texts of pl_msg[230]"
    assert ran.last.endswith(" on 14 maps.")


def test_maps_of_a_location_from_above_in_a_new_folder(cli: Callable[..., Any], tmp_path: Path) -> None:
    def poster(output: Path) -> Any:
        return cli("poster", "demo", "location:Millbrook", "--cell-pixels", 32, "-j", 1, "-o", output)

    assert poster(tmp_path / "a" / "maps").status == 0
    written = sorted(path.name for path in (tmp_path / "a" / "maps").iterdir())
    assert written == ["004_T01.png", "006_T01R0101.png", "007_T01R0201.png"]
    ran = poster(tmp_path / "one.png")
    assert ran.status == 2 and "means 3 maps; name one of them, or give a folder with -o." in ran.err
    assert not (tmp_path / "one.png").exists()


def test_rows_have_names_of_places(cli: Callable[..., Any], rom_path: Path) -> None:
    def rows(*words: str) -> list[dict[str, Any]]:
        return list(json.loads(cli("table", rom_path, *words, "--json").out)["rows"])

    assert {one["place_name"] for one in rows("maps", "D05R0104")} == {"Mt. Coronet, Outside North"}
    gym = [one for one in rows("trainers", "C03GYM0101") if one["maps"] == "C03GYM0101"]
    assert {one["place_names"] for one in gym} == {World(rom_path).place("C03GYM0101").header.name}
    steps = cli("walk", "demo", "T01", "--path", "n").out.splitlines()
    assert steps[0].split()[:4] == ["Tick", "Zone", "Place", "X"] and steps[1].split()[1:3] == ["T01", "Millbrook"]
