"""What is typed wrong and what is not there: a status, a sentence, never a traceback."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MATRIX = "fielddata/mapmatrix/map_matrix.narc"


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("info", "Missing argument 'ROM'"),
        ("inof demo", "'inof' is neither a verb nor a file; did you mean 'info'?"),
        ("xyzzy", "'xyzzy' is neither a verb nor a file."),
        ("--nonsense", "No such option"),
        ("info demo A", "unexpected extra argument"),
        ("show demo", "Missing argument 'THING'"),
        ("table demo", "Choose from: maps, tiles,"),
        ("show demo 2 --matrix nan", "not a valid integer"),
        ("height demo 2 nan 0", "'nan' is not a number"),
        ("height demo 2 0 inf", "'inf' is not a number"),
        ("height demo 2 x 0", "'x' is not a number"),
        ("height demo 2 1 1 --near nan", "'nan' is not a number"),
        ("height demo 2 1 1 --nonsense", "No such option"),
        ("export demo 2", "Missing option '--output'"),
        ("export demo -o x", "Name at least one MAP"),
        ("export demo 2 --all -o x", "name no MAP"),
        ("export demo --all --cell 1,1 -o x", "--all takes no --cell"),
        ("export demo 2 --models both -o x", "--models exports models: name no MAP"),
        ("export demo --models both --hour 3 -o x", "--models takes no --hour"),
        ("export demo --models both --kit -o x", "--models takes no --kit"),
        ("export demo --models both -o x.glb", "Models are written into a folder"),
        ("export demo --models prop:9-3 -o x", "has its greater number first"),
        ("export demo 2 --resume -o x.glb", "A map takes no --resume"),
        ("export demo 2 --jobs 2 -o x.glb", "A map takes no --jobs"),
        ("export demo --all --jobs 0 -o x", "x>=1"),
        ("export demo 2 3 -o x.glb", "need a folder"),
        ("export demo 2 -o x.fbx", "A map is written as .glb, .gltf, .obj or .html"),
        ("export demo --all -o x.zip", "A map is written as .glb, .gltf, .obj or .html"),
        ("export demo 2 4 -o -", "Standard output takes one map"),
        ("export demo 2 --json -o -", "nothing beside it"),
        ("export demo 2 --cell a,b -o x.glb", "write X,Z"),
        ("export demo 2 --cell 1 -o x.glb", "write X,Z"),
        ("export demo 2 --metres-per-unit 0 -o x.glb", "a scale is"),
        ("export demo 2 --metres-per-unit -1 -o x.glb", "a scale is"),
        ("export demo 2 --metres-per-unit nan -o x.glb", "not a number"),
        ("export demo 2 --metres-per-unit 1e300 -o x.glb", "a scale is"),
        ("export demo 2 --hour 24 -o x.glb", "not a time of the day"),
        ("export demo 2 --hour 6:60 -o x.glb", "not a time of the day"),
        ("export demo 2 --hour -1 -o x.glb", "not a time of the day"),
        ("export demo 2 --hour 6: -o x.glb", "write H, H:MM or H:MM:SS"),
        ("export demo 2 --hour nan -o x.glb", "write H, H:MM or H:MM:SS"),
        ("export demo 2 --merge some -o x.glb", "not one of"),
        ("dump demo " + MATRIX + "#0 --binary -o x", "reads one JSON FILE"),
        ("dump x.json --binary", "needs -o FILE"),
        ("verify demo --jobs 0", "x>=1"),
        ("where-used demo prop -3", "No such option"),
        ("render demo 2", "Give either -o FILE or --why X,Y."),
        ("render demo 2 -o x.jpg", "it is written as .png"),
        ("render demo 2 -o x.gif", "A .gif needs --frames"),
        ("render demo 2 --at nan,1 -o x.png", "not a pair of tiles"),
        ("render demo 2 --tick -1 -o x.png", "is not in the range"),
        ("render demo 2 --tick 99999999999999999999 -o x.png", "is not in the range"),
        ("render demo 2 --frames 2 --step 99999 -o x.png", "is not in the range"),
        ("render demo 2 --camera top --zoom nan -o x.png", "'nan' is not a number"),
        ("render demo 2 --camera top --zoom 0 -o x.png", "a unit has 1/32 to 256 pixels"),
        ("render demo 2 --camera top --zoom 1e300 -o x.png", "a unit has 1/32 to 256 pixels"),
        ("render demo 2 --camera free --eye nan,0,0 -o x.png", "is not X,Y,Z"),
        ("render demo 2 --camera free --eye 1e30,0,0 -o x.png", "is not X,Y,Z"),
        ("render demo 2 --camera free --fov 180 -o x.png", "a field of view of 1 to 150 degrees"),
        ("render demo 2 --weather nothing -o x.png", "is no weather"),
        ("render demo 2 --layers nothing -o x.png", "the layers are"),
        ("render demo 2 --why 256,0", "the screen has pixels (0, 0) to (255, 191)"),
        ("poster demo 2 -o x.jpg", "it is written as .png"),
        ("poster demo 2 --cell-pixels 0 -o x.png", "a cell is 32 to 2048 pixels wide"),
        ("convert -o x.glb", "Missing argument 'FILE...'"),
        ("convert x.nsbmd", "Missing option '--output'"),
        ("walk demo 2 --from nan,0 --reach", "not a pair of tiles"),
        ("walk demo 2 --near nan --reach", "'nan' is not a number"),
        ("export demo 2 --maps 3-5 -o x.glb", "A map takes no --maps"),
        ("export demo --all --maps 3-99 -o x", "map headers go from 0 to 9, not 3-99"),
        ("convert x.msh --slot 3 0 -o x.glb", "the slot selector has rows 0 to 2"),
        ("render demo 2 --day-cycle -o x.png", "--day-cycle needs --frames."),
        ("render demo 2 --weather-seed -1 -o x.png", "-1 is not in the range 0<=x<=4294967295"),
    ],
)
def test_misuse_is_status_2(
    cli: Callable[..., Any], line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli(*line.split())
    assert ran.status == 2 and not ran.out
    assert sentence in re.sub(r"\s+", " ", ran.err)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("info nowhere.nds", "nowhere.nds: there is no such file or folder."),
        ("info empty", "empty is a folder, but not one that ndstool, ds-rom or DSPRE unpacks"),
        ("info text", "text is not a DS ROM: it is only 3 bytes long."),
        ("info zeros", "zeros is not a DS ROM: its first bytes are no cartridge header."),
        ("info zip", "zip is not a DS ROM: it is a ZIP archive; unpack it first."),
        ("info " + os.devnull, "is a device or a pipe, not a file."),
        ("show demo zzzqqq", "There is no thing called 'zzzqqq'."),
        ("show demo 9999", "There is no map header 9999; this ROM has "),
        ("show demo 2 --matrix 99", "There is no matrix 99; this ROM has "),
        ("show demo 2 --matrix -1", "There is no matrix -1; this ROM has "),
        ("show demo 2 --area 99", "There is no area 99; this ROM has "),
        ("export demo 2 --cell 99,99 -o x.glb", "has no cell 99,99 with land."),
        ("export demo 0 -o x.glb", "has no cells of its own; --whole-matrix takes the others."),
        ("export demo 2 -o text/x.glb", "text: a file is where a folder is needed; choose another name."),
        ("export demo 2 -o text", "text: a file is where a folder is needed; choose another name."),
        ("export demo --all -o text", "text: a file is where a folder is needed; choose another name."),
        ("export demo 2 -o folder.glb", "folder.glb: this is a folder, a file is needed."),
        ("dump nowhere", "nowhere: there is no such file or folder."),
        (
            "dump text",
            "text: at byte 0x0: expected a known magic number, or a name as field files have in the ROM, found b'hi",
        ),
        ("dump none", "found an empty file"),
        (
            "render demo 2 --at 900,3 -o x.png",
            "Tile (900, 3) is outside matrix 0, whose tiles are (0, 0) to (63, 63).",
        ),
        ("render demo 2 --at 0,-0.5 -o x.png", "Tile (0, -0.5) is outside matrix 0"),
        ("height demo 2 99999999 5", "Tile (1e+08, 5) is outside matrix 0, whose tiles are (0, 0) to (63, 63)."),
        ("height demo 2 64,0", "Tile (64, 0) is outside matrix 0"),
        ("tile demo T01 -5,3", "Tile (-5, 3) is outside matrix 0, whose tiles are (0, 0) to (63, 63)."),
        ("tile demo T01 3,64", "Tile (3, 64) is outside matrix 0"),
        ("walk demo T01 --to T01@64,3", "Tile (64, 3) is outside matrix 0"),
        ("render demo 6 --at 32,0 -o x.png", ", whose tiles are (0, 0) to (31, 31)."),
        ("dump demo nowhere", "demo has no file nowhere; `mapexplorer dump demo` lists its files."),
        ("dump demo " + MATRIX, "name one, for instance " + MATRIX + "#0."),
        ("dump demo " + MATRIX + "#9999999999999999999", "There is no member 9999999999999999999; "),
        ("dump demo " + MATRIX + "#-1", "has no file " + MATRIX + "#-1"),
        ("dump demo " + MATRIX + "#0 -o empty", "empty: this is a folder, a file is needed."),
        ("dump text --binary -o x", "text: "),
        ("where-used demo tree:3", "'tree' is no kind of thing; possible here: map, species, item, trainer, move, "),
        ("where-used demo prop:qqqq", "There is no prop called 'qqqq'."),
        ("where-used demo prop 9999", "There is no prop 9999; this ROM has 33, from 0 to 32."),
        ("where-used demo header 9999", "There is no map header 9999; this ROM has 10, from 0 to 9."),
        ("verify nowhere", "nowhere: there is no such file or folder."),
        ("render demo 2 --matrix 99 -o x.png", "There is no matrix 99; this ROM has "),
        ("render demo 2 -o text/x.png", "text: a file is where a folder is needed; choose another name."),
        ("poster demo 99 -o x.png", "No map header uses matrix 99; "),
        ("convert nowhere.nsbmd -o x.glb", "nowhere.nsbmd: there is no such file or folder."),
        ("convert text -o x.glb", "text: at byte 0x0: expected a known magic number"),
        ("walk demo zzzqqq --reach", "There is no place called 'zzzqqq'."),
    ],
)
def test_what_is_not_there_is_one_sentence(
    cli: Callable[..., Any], line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = Path("empty"), Path("folder.glb")
    for folder in folders:
        folder.mkdir()
    Path("text").write_text("hi\n")
    Path("zeros").write_bytes(bytes(1024))
    Path("none").write_bytes(b"")
    Path("zip").write_bytes(b"PK\x03\x04" + bytes(1024))
    ran = cli(*line.split())
    assert ran.status == 1 and not ran.out
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "folder.glb", "none", "text", "zeros", "zip"]
    assert not any(path for folder in folders for path in folder.iterdir())


@pytest.mark.parametrize("empty", [("info", ""), ("export", "demo", "2", "-o", ""), ("show", "demo", "")])
def test_empty_arguments_are_refused(cli: Callable[..., Any], empty: tuple[str, ...]) -> None:
    ran = cli(*empty)
    assert ran.status in (1, 2) and ran.err and not ran.out


def test_an_ambiguous_name_lists_what_it_could_mean(cli: Callable[..., Any], rom_path: Path) -> None:
    ran = cli("show", rom_path, "Route 205")
    assert ran.status == 1 and not ran.out
    first, *candidates = ran.err.splitlines()
    assert first.startswith("'Route 205' could mean any of 3 maps")
    assert [line.split()[1] for line in candidates] == ["R205A", "R205B", "R205AR0101"]


def test_a_name_that_is_nearly_right_gets_a_hint(cli: Callable[..., Any]) -> None:
    from mapexplorer import World

    name = next(header.location_name for header in World("demo").headers if header.map_type == 1)
    ran = cli("show", "demo", name[:-3] + "qqq")
    assert ran.status == 1 and name in ran.err


def test_huge_and_negative_numbers_are_outside_the_matrix(cli: Callable[..., Any]) -> None:
    for x, z in (("1e300", "0"), ("-1e300", "-5"), ("-5", "-5"), ("1e18", "1e18")):
        ran = cli("height", "demo", "2", x, z)
        assert ran.status == 1 and not ran.out and "is outside matrix 0, whose tiles are (0, 0) to" in ran.err


@pytest.mark.parametrize("name", ["mil", "Millbrok", "brook", "Mirrow Lak", "1,2", "ook"])
def test_a_name_that_means_nothing_writes_nothing(cli: Callable[..., Any], tmp_path: Path, name: str) -> None:
    target = tmp_path / "x"
    for verb, ending in (("export", ".glb"), ("render", ".png"), ("poster", ".png")):
        for words in ([name], name.split()):
            ran = cli(verb, "demo", *words, "-o", target.with_suffix(ending))
            assert ran.status == 1 and ran.err.startswith("There is no ")
    assert not list(tmp_path.glob("x*"))


def test_words_mean_the_same_for_every_verb(cli: Callable[..., Any], rom_path: Path) -> None:
    for words in (["Snowpoint Gym"], ["Snowpoint", "Gym"]):
        for verb in ("show", "events", "encounters"):
            ran = cli(verb, rom_path, *words, "--json")
            assert ran.status == 0 and json.loads(ran.out)["internal_name"] == "C09GYM0101"
        ran = cli("table", rom_path, "maps", *words, "--columns", "internal_name", "--csv")
        assert ran.out.split() == ["internal_name", "C09GYM0101"]
