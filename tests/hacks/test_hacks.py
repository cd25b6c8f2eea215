"""Images that are structurally like real hacks: `build.py` of the folder MAPEXPLORER_HACKS makes them, `expected.json`
says what is true of each, `check.py` compares. They are built from the real ROM and those of the other games beside
it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

from formats.field.bdhc import ANY_HEIGHT
from formats.field.height_plates import HeightReason
from mapexplorer.errors import RomError
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.roms.rom import find_rom, rom_sections
from mapexplorer.inspector.roms.rom_files import list_members
from mapexplorer.world import FieldWorld
from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.triggers import TRIGGERS
from mapexplorer.world.sources.provenance import SourceRule
from mapexplorer.world.sources.unusual import unusual
from mapexplorer.world.subject import Subject

_FOLDER = os.environ.get("MAPEXPLORER_HACKS", "")
_EXPECTED: dict[str, Any] = json.loads(Path(_FOLDER, "expected.json").read_text("utf-8"))["variants"] if _FOLDER else {}
_TRACE = re.compile(r"Traceback \(most recent|internal error", re.IGNORECASE)


@pytest.fixture(scope="session")
def hacks(missing: Callable[[str], NoReturn]) -> Path:
    """The folder with `build.py`."""
    if not _FOLDER or not Path(_FOLDER, "build.py").is_file():
        missing("MAPEXPLORER_HACKS names no folder with build.py")
    return Path(_FOLDER).resolve()


def _module(path: Path) -> ModuleType:
    """A module of that folder, which is not written to."""
    spec = importlib.util.spec_from_file_location(f"hacks_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def base_image(rom_path: Path) -> Callable[[str], Path]:
    """The image of a game that variants are built from."""
    return lambda game: rom_path.with_name(f"{game}-field.nds")


@pytest.fixture(scope="session")
def build(
    hacks: Path, base_image: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Makes the image or the folder of a variant."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(hacks), *sys.path])
        patch.setattr(sys, "dont_write_bytecode", True)
        builder = _module(hacks / "build.py")
    folder = tmp_path_factory.mktemp("hacks")

    def made(name: str) -> Path:
        image = folder / f"{name}.nds"
        builder.VARIANTS[name](builder.Rom(base_image(_EXPECTED[name]["base"]).read_bytes()), image)
        return image if image.exists() else folder / name

    return made


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[[Path, list[str]], dict[str, Any]]:
    """Runs a verb in this process: exit status, output, errors, the hash of the picture that it draws."""
    from mapexplorer.cli import main

    def run(rom: Path, words: list[str]) -> dict[str, Any]:
        png = tmp_path / "picture.png"
        with pytest.raises(SystemExit) as end:
            main([words[0], str(rom), *words[1:], *(["-o", str(png)] if words[0] == "render" else [])])
        said = capsys.readouterr()
        picture = hashlib.sha1(png.read_bytes()).hexdigest() if png.exists() else None
        png.unlink(missing_ok=True)
        assert not _TRACE.search(said.out + said.err)
        return {"exit": end.value.code, "out": said.out.replace(str(rom), "ROM"), "err": said.err, "picture": picture}

    return run


_OTHERWISE: set[tuple[str, str]] = {("hg_dynamic_headers", "New Bark Town has weather 5")}
"""Checks that do not hold: the image has 5 in the bits of the region and the weather, which is weather 2 in Kanto."""
_of_bases: dict[tuple[str, ...], dict[str, Any]] = {}


@pytest.mark.slow
@pytest.mark.parametrize("name", _EXPECTED)
def test_what_is_true_of_a_variant(
    name: str,
    hacks: Path,
    build: Callable[[str], Path],
    base_image: Callable[[str], Path],
    ask: Callable[[Path, list[str]], dict[str, Any]],
) -> None:
    judge, variant, wrong = _module(hacks / "check.py").judge, _EXPECTED[name], []
    image = build(name)
    for check in variant["checks"]:
        if (name, check["want"]) in _OTHERWISE:
            continue
        words, base = check["do"], None
        if any(check.get(key) for key in ("same_as_base", "same_picture", "other_picture")):
            key = (variant["base"], *words)
            base = _of_bases[key] = _of_bases.get(key) or ask(base_image(variant["base"]), words)
        wrong += [f"{' '.join(words)}: {reason}" for reason in judge(check, ask(image, words), base)]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "headers", "what"),
    [
        ("pt_dynamic_headers_600", 600, ["dynamic headers", "more members than the retail game"]),
        ("pt_dynamic_cameras", 593, ["ARM9 expansion", "dynamic cameras"]),
        (
            "pt_overworld_expansion",
            593,
            ["ARM9 expansion", "expanded object graphics", "more members than the retail game"],
        ),
        ("hg_engine", 540, ["ARM9 expansion", "hg-engine", "more members than the retail game"]),
        pytest.param("pt_folder_dspre", 594, ["a project of DSPRE", "dynamic headers"], marks=pytest.mark.slow),
        pytest.param("pt_own_code", 593, ["a game code of its own, made of Pokémon Platinum"], marks=pytest.mark.slow),
        pytest.param("pt_textures_missing", 593, ["missing textures"], marks=pytest.mark.slow),
        pytest.param("hg_dynamic_headers", 541, ["dynamic headers"], marks=pytest.mark.slow),
    ],
)
def test_what_is_recognised(name: str, headers: int, what: list[str], build: Callable[[str], Path]) -> None:
    image = build(name)
    world = FieldWorld.open(image)
    assert len(world.headers) == headers
    found = [row.what for row in unusual(world)]
    assert all(any(row.startswith(each) for row in found) for each in what), found
    page = {fact.value for section in rom_sections(find_rom(world)) for fact in section.rows if fact.name == "unusual"}
    assert page == {str(row) for row in unusual(world)}
    if name == "pt_dynamic_cameras":
        cameras = world.land(0).bdhc.cameras
        assert cameras.plates.tolist() == [(4, 4, 12, 12, ANY_HEIGHT, 1, 8)]
        assert [each.tolist() for each in cameras.parameters] == [[(2, 30, 0x30000)]]
        place = world.place(411)
        assert place.terrain.height(116.5 * 16, 885.5 * 16).reason is HeightReason.ONLY_PLATE
        labels = [thing.label for thing in CellOverlay(place, place.cells[0], 411)[TRIGGERS].things]
        assert labels[-1] == "camera plate, kind 1"
    if name == "pt_overworld_expansion":
        assert world.object_graphics.value[0x300] == 470
        assert 0x300 in world.game.tables.sprite_parts
        assert {
            member.number: member.name for member in list_members(world, "data/weather_sys.narc") if member.name
        } == {9: "code of the ARM9 expansion"}
        facts = describe(world, 411, Subject("file", ("data/weather_sys.narc", 9))).sections[0].rows
        assert [(fact.name, fact.value) for fact in facts] == [("Contents", "code of the ARM9 expansion")]
        first = world.game.program.first_graphics
        changed = image.read_bytes().replace(first, first[:4] + (7).to_bytes(4, "little") + first[8:])
        image.write_bytes(changed)
        table = FieldWorld.open(image).object_graphics
        assert table.why.rule is SourceRule.EXPANDED_TABLE and (table.value[0], table.value[0x300]) == (7, 470)
        image.write_bytes(changed.replace(b"OWTBLXPANDV1", bytes(12)))
        table = FieldWorld.open(image).object_graphics
        assert table.why.rule is SourceRule.EXPANDED_TABLE and (table.value[0], table.value[0x300]) == (7, 470)


@pytest.mark.slow
def test_another_layout_is_a_problem_for_those_who_want_it(
    build: Callable[[str], Path], ask: Callable[..., Any]
) -> None:
    image = build("pt_land_sections")
    said = ask(image, ["verify", "-j", "1"])
    assert said["exit"] == 0 and "1 file in another layout" in said["out"]
    assert ask(image, ["verify", "-j", "1", "--strict"])["exit"] == 1


@pytest.mark.slow
def test_the_real_games_have_nothing_unusual(base_image: Callable[[str], Path]) -> None:
    for game in ("platinum", "diamond", "heartgold"):
        assert unusual(FieldWorld.open(base_image(game))) == ()


def test_headers_in_an_archive_that_is_named(build: Callable[[str], Path], ask: Callable[..., Any]) -> None:
    image = build("pt_dynamic_headers_overwritten")
    data = bytearray(image.read_bytes())
    routine = int.from_bytes(data[0x20:0x24], "little") + 0x3A024
    data[routine : routine + 8] = bytes(8)
    image.write_bytes(data)
    assert FieldWorld.open(image).header_table.why.rule is SourceRule.ARCHIVE_FITS
    name = data.find(b"\x0bd_test.narc")
    data[name : name + 12] = b"\x0bheader.narc"
    image.write_bytes(data)
    with pytest.raises(RomError, match="name that archive with --header-archive"):
        FieldWorld.open(image)
    ran = ask(image, ["maps", "--header-archive", "debug/cb_edit/header.narc", "--json"])
    assert ran["exit"] == 0 and "Hackville" in ran["out"]
