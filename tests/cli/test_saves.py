"""Saved games on the command line: what the verbs say with one, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from formats.save import SaveImage
from mapexplorer.world import FieldWorld
from tests.saves import small_block, write_save

VALLEY = 200


def test_the_verbs_say_so(cli: Callable[..., Any], rom_path: Path, tmp_path: Path) -> None:
    path = write_save(tmp_path, variables={0x40E6: 1, 0x4070: 1})
    small = small_block()
    small["encounters"]["honey_trees"][17] = (600, 0, 0, 1, 1)
    (tmp_path / "honey.sav").write_bytes(SaveImage.of(small).to_bytes())
    said = cli("encounters", rom_path, VALLEY, "--save", tmp_path / "honey.sav")
    assert "honey tree" in said.out and "600 minutes left" in said.out
    every, now = (cli("script", rom_path, "T01", *words).out for words in ((), ("--save", path)))
    runs = [text.partition("Runs\n")[2].partition("\n\n")[0].splitlines() for text in (every, now)]
    gone = [line for line in runs[0] if line not in runs[1]]
    assert len(gone) == 1 and "0x40E6" in gone[0] and any("0x4070" in line for line in runs[1])


def test_a_save_that_is_neither_word_nor_file(cli: Callable[..., Any], tmp_path: Path) -> None:
    for verb, *words in (("render", "-o", "x.png"), ("walk", "--path", "N"), ("events",), ("script",)):
        ran = cli(verb, "demo", "T01", *words, "--save", "enterd")
        assert ran.status == 2 and "'enterd' is neither entered nor new nor a file" in " ".join(ran.err.split())
    damaged = tmp_path / "new"
    damaged.write_bytes(bytes(100))
    ran = cli("events", "demo", "T01", "--save", damaged)
    assert ran.status == 1
    assert ran.err == "new: at byte 0x0: expected a save of Pokémon Platinum, found no valid block\n"
    ran = cli("save", "demo", tmp_path / "absent.sav")
    assert ran.status == 2 and "is not a file that can be read" in " ".join(ran.err.split())


def test_the_hour_is_that_of_the_save_unless_it_is_given(cli: Callable[..., Any], tmp_path: Path) -> None:
    village = FieldWorld.open("demo").place("T01").header.id
    small = small_block(at=(village, 8, 36))
    small["system"]["date"], small["system"]["time"] = (18, 5, 25, 5), (20, 15, 0)
    path = tmp_path / "my.sav"
    path.write_bytes(SaveImage.of(small).to_bytes())

    def facts(*words: object) -> dict[str, Any]:
        written = cli("export", "demo", "T01", "-o", tmp_path / "t.glb", "--json", *words).out
        options: dict[str, Any] = json.loads(written)["options"]
        return {name: options[name] for name in ("second", "day", "weekday")}

    assert facts("--save", path) == {"second": 72900, "day": 145, "weekday": "friday"}
    assert facts("--hour", 6, "--save", path) == {"second": 21600, "day": 145, "weekday": "friday"}
    scene = (tmp_path / "t.glb").read_bytes()
    assert b"mapexplorer:" in scene and b"my.sav" not in scene
    end = json.loads(cli("walk", "demo", "T01", "--path", "N", "--save", path, "--json").out)["ticks"][0]
    assert end["tile"] == [8, 36]


def test_what_is_damaged_is_said(cli: Callable[..., Any], tmp_path: Path) -> None:
    first = SaveImage.of(small_block(money=1)).to_bytes()
    newer = bytearray(first[0x40000:0x60000])
    newer[0xCF18] = newer[0xCF1C] = 2  # its counters
    data = bytes(newer) + first[0x20000:]  # the newer small block without its PC boxes
    path = tmp_path / "my.sav"
    path.write_bytes(data)
    ran = cli("save", "demo", path)
    assert ran.status == 0 and "a newer save is damaged" in ran.err and "Money       1, 0 coins" in ran.out
    rows = cli("save", "demo", path, "--left", "--csv").out.splitlines()
    assert rows[0] == "kind,header,place,x,z,name,count,flag,variable" and len(rows) > 1
    assert np.frombuffer(path.read_bytes(), np.uint8).tobytes() == data  # it is only read
