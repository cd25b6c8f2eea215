"""`extract`: one thing as a file, as it is stored, decoded, as a picture or a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from formats.json_codec import from_json
from mapexplorer.export.textures import picture
from mapexplorer.gameplay.icons import species_icon
from mapexplorer.games import Role
from mapexplorer.world import FieldWorld

LIGHTS = "data/arealight.narc"


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")


@pytest.mark.parametrize(
    ("thing", "role", "index"),
    [("prop:5", Role.BUILD_MODEL, 5), ("matrix:0", Role.MAP_MATRIX, 0), ("land 3", Role.LAND_DATA, 3)]
)  # fmt: skip
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
        ("land:0 -o x.glb", 1, "A land is no model"),
        (f"file:{LIGHTS}#99 -o x", 1, "there is no 99"),
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
