"""`extract`: one thing as a file, as it is stored, decoded, as a picture or a model."""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import formats
from formats.json_codec import from_json
from mapexplorer.export.textures import picture
from mapexplorer.gameplay.icons import species_icon
from mapexplorer.games import Role
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom

LIGHTS = "data/arealight.narc"


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")


@pytest.mark.parametrize(
    ("thing", "role", "index"),
    [("prop:5", Role.BUILD_MODEL, 5), ("matrix:0", Role.MAP_MATRIX, 0), ("land 3", Role.LAND_DATA, 3)],
)
def test_a_thing_as_it_is_stored(
    cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path, thing: str, role: Role, index: int
) -> None:
    stored = bytes(demo.rom.archive(demo.path(role))[index])
    ran = cli("extract", "demo", thing, "-o", tmp_path / "out.bin")
    assert ran.status == 0 and ran.last.endswith(f"{len(stored):,} bytes.")
    assert (tmp_path / "out.bin").read_bytes() == stored
    # The same from its JSON.
    assert cli("extract", "demo", thing, "-o", tmp_path / "out.json").status == 0
    assert from_json((tmp_path / "out.json").read_text("utf-8")).to_bytes() == stored


SECTIONS = {"permissions": ("per", 0), "props": ("bld", 1), "model": ("nsbmd", 2), "bdhc": ("bdhc", 3)}
"""Part of a land -> the ending of its file, its place among the sizes at the start of a land."""


def sections(land: bytes) -> list[bytes]:
    """The sections of a land of Platinum: four sizes, then the sections in their order."""
    ends = np.cumsum([16, *struct.unpack_from("<4I", land)]).tolist()
    return [land[start:end] for start, end in itertools.pairwise(ends)]


@pytest.mark.parametrize("part", SECTIONS)
def test_a_part_of_a_land(cli: Callable[..., Any], demo: FieldWorld, rom_path: Path, tmp_path: Path, part: str) -> None:
    ending, place = SECTIONS[part]
    with open_rom(rom_path) as rom:
        real = bytes(rom.archive("fielddata/land_data/land_data.narc")[7])
    stored = bytes(demo.rom.archive(demo.path(Role.LAND_DATA))[3])
    for source, land, data in (("demo", 3, stored), (rom_path, 7, real)):
        expected = sections(data)[place]
        assert expected and (part != "permissions" or len(expected) == 2048)
        for words in (("--part", part, "-o", tmp_path / "x"), ("-o", tmp_path / f"y.{ending}")):
            assert cli("extract", source, f"land:{land}", *words).status == 0
            assert words[-1].read_bytes() == expected


def test_a_part_that_is_a_model_opens(cli: Callable[..., Any], tmp_path: Path) -> None:
    assert cli("extract", "demo", "land:3", "-o", tmp_path / "land.nsbmd").status == 0
    assert cli("extract", "demo", "prop-set:0", "-o", tmp_path / "set.nsbtx").status == 0
    assert cli("convert", tmp_path / "land.nsbmd", "-o", tmp_path / "land.glb").status == 0
    assert cli("convert", tmp_path / "set.nsbtx", "-o", tmp_path / "pictures").status == 0
    assert (tmp_path / "land.glb").read_bytes()[:4] == b"glTF" and list((tmp_path / "pictures").glob("*.png"))


def test_all_of_a_kind(cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path) -> None:
    for kind, role, words, place, ending in (
        ("prop", Role.BUILD_MODEL, (), None, "nsbmd"),
        ("land", Role.LAND_DATA, (), None, "bin"),
        ("land", Role.LAND_DATA, ("--part", "model"), 2, "nsbmd"),
    ):
        archive, folder = demo.rom.archive(demo.path(role)), tmp_path / "-".join((kind, *words))
        ran = cli("extract", "demo", f"{kind}:all", *words, "-o", folder)
        assert ran.status == 0 and ran.last == f"every {kind}: {len(archive)} files in {folder}, 0 failed."
        written = sorted(folder.iterdir())
        data = [bytes(one) if place is None else sections(bytes(one))[place] for one in archive]
        assert [file.read_bytes() for file in written] == data
        models = [one if kind == "prop" else sections(bytes(one))[2] for one in archive]
        names = [formats.read(bytes(one)).models[0].name for one in models]
        assert [file.name for file in written] == [f"{at:04}_{name}.{ending}" for at, name in enumerate(names)]


def test_all_of_a_kind_in_another_form(cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path) -> None:
    total = len(demo.rom.archive(demo.path(Role.TERRAIN_TEXTURES)))
    assert cli("extract", "demo", "terrain-set:all", "--as", "png", "-o", tmp_path / "sheets").status == 0
    assert [file.name for file in sorted((tmp_path / "sheets").iterdir())] == [f"{n:04}.png" for n in range(total)]
    ran = cli("extract", "demo", "matrix:all", "--as", "png", "-o", tmp_path / "none")
    assert ran.status == 1 and "every matrix: 0 files" in ran.last and "A matrix has no picture" in ran.err


@pytest.mark.parametrize("thing", ["terrain-set:0", "prop-set:0"])
def test_a_sheet_has_every_texture_once(cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path, thing: str) -> None:
    """From left to right and then down, each as `texture:` gives it alone."""
    assert cli("extract", "demo", thing, "-o", tmp_path / "sheet.png").status == 0
    sheet = np.asarray(Image.open(tmp_path / "sheet.png").convert("RGBA"))
    textures = (demo.terrain_textures if thing[0] == "t" else demo.prop_textures)(0).textures.textures
    assert len(textures) > 4
    rest, x, z, high, rows = sheet.copy(), 0, 0, 0, 1
    for index, texture in enumerate(textures):
        alone = tmp_path / "t.png"
        assert cli("extract", "demo", f"texture:{int(thing[0] == 't')}/0/{index}", "-o", alone).status == 0
        pixels = np.asarray(Image.open(alone).convert("RGBA"))
        assert pixels.shape == (texture.height, texture.width, 4)
        if not shown(sheet[z:, x:], pixels):
            x, z, high, rows = 0, z + high + 1, 0, rows + 1
        assert shown(sheet[z:, x:], pixels)
        rest[z : z + texture.height, x : x + texture.width] = 0
        x, high = x + texture.width + 1, max(high, texture.height)
    assert not rest[..., 3].any() and rows > 1


def shown(sheet: np.ndarray, pixels: np.ndarray) -> bool:
    """Whether a sheet begins with a picture; colours of clear pixels do not count."""
    cut = sheet[: pixels.shape[0], : pixels.shape[1]]
    return cut.shape == pixels.shape and bool(((cut == pixels) | ((cut[..., 3:] == 0) & (pixels[..., 3:] == 0))).all())


def test_a_file_and_a_member(cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path) -> None:
    assert cli("extract", "demo", f"file:{LIGHTS}", "-o", tmp_path / "a").status == 0
    assert (tmp_path / "a").read_bytes() == demo.rom.file(LIGHTS)
    assert cli("extract", "demo", f"file:{LIGHTS}#1", "-o", tmp_path / "b").status == 0
    assert (tmp_path / "b").read_bytes() == bytes(demo.rom.archive(LIGHTS)[1])


def test_standard_output_has_nothing_else(cli: Callable[..., Any]) -> None:
    ran = cli("extract", "demo", "matrix:0", "--json", "-o", "-")
    assert ran.status == 0 and json.loads(ran.out)["type"].endswith("MapMatrix")
    assert "bytes" in ran.err


def test_a_prop_as_a_model(cli: Callable[..., Any], tmp_path: Path) -> None:
    assert cli("extract", "demo", "prop:5", "-o", tmp_path / "prop.glb").status == 0
    assert (tmp_path / "prop.glb").read_bytes()[:4] == b"glTF"


def test_a_texture_as_a_picture(cli: Callable[..., Any], demo: FieldWorld, tmp_path: Path) -> None:
    assert cli("extract", "demo", "texture:1/0/0", "-o", tmp_path / "t.png").status == 0
    textures = demo.terrain_textures(0).textures
    texture = textures.textures[0]
    model = demo.land(0).model.models[0]
    used = next(n for n in range(len(model.materials)) if model.texture_name(n) == texture.name)
    palette = textures.palette(model.palette_name(used) or "")
    assert (tmp_path / "t.png").read_bytes() == picture(texture, palette).png


def test_pictures_of_species_and_sprites(cli: Callable[..., Any], rom_path: Path, tmp_path: Path) -> None:
    assert cli("extract", rom_path, "pikachu", "-o", tmp_path / "s.png").status == 0
    shown = np.array(Image.open(tmp_path / "s.png").convert("RGBA"))
    icon = species_icon(FieldWorld.open(rom_path), 25)
    assert shown.shape == (64, 32, 4)
    # Row 8 of the picture is the first row of the tiles 4 to 7.
    numbers = icon.tiles.tiles()[4:8, 0].ravel()
    assert (shown[8, :, 3] > 0).tolist() == (numbers > 0).tolist()
    assert cli("extract", rom_path, "object-graphics:youngster", "-o", tmp_path / "y.png").status == 0
    with Image.open(tmp_path / "y.png") as sheet:
        assert sheet.width == 32 and sheet.height % 32 == 0


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ("flag:300 -o x", 1, "A flag has no file of its own"),
        ("map:4 -o x", 1, "A header has no file of its own"),
        ("matrix:0 -o x.png", 1, "A matrix has no picture"),
        (
            "land:0 -o x.nsbtx",
            2,
            "x.nsbtx would be the wrong name for what is written; choose another ending, or --part ",
        ),
        ("land:0 --part bdhc -o x.nsbmd", 2, "x.nsbmd would be the wrong name"),
        ("land:0 --part model -o x.json", 2, "x.json would be the wrong name"),
        ("land:0 --part model --json -o x", 2, "--part is written as it is stored"),
        ("prop:5 --part bdhc -o x", 2, "A prop has no part bdhc; a land has."),
        ("prop:all --part bdhc -o x", 2, "A prop has no part bdhc; a land has."),
        ("prop:5 -o x.nsbtx", 2, "x.nsbtx would be the wrong name"),
        ("prop:5 --as json -o x.png", 2, "x.png would be the wrong name"),
        ("matrix:0 -o x.per", 2, "x.per would be the wrong name"),
        ("prop:5 --as glb -o x", 2, "its name must end in .glb or .gltf or .obj"),
        ("prop:all -o x.glb", 2, "All of a kind need a folder, and x.glb is the name of a file."),
        ("flag:all -o x", 1, "There is no archive of every flag; there is one of species, trainer, "),
        ("texture:all -o x", 1, "A texture has 3 numbers"),
        ("land:0 -o x.glb", 1, "A land is no model"),
        (f"file:{LIGHTS}#99 -o x", 1, "There is no member 99"),
        ("prop:5", 2, "Missing option"),
        ("prop:5 -o .", 1, "this is a folder"),
    ],
)
def test_what_cannot_be_extracted(
    cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, status: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("extract", "demo", *words.split())
    assert ran.status == status and sentence in ran.err and not list(tmp_path.iterdir())
