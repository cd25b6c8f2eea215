"""`convert`: loose files of every kind as GLB or PNG, what is missing, and what is refused."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from formats.nds import texels
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from mapexplorer.cli import main, program
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

DOOR, TELEVISION, WATERFALL, SCREEN = 67, 82, 305, 299
SAMPLES = Path(__file__).parent.parent / "j3d" / "samples"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(program, ["convert", *[str(argument) for argument in arguments]])


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Exit status and standard error of the whole program."""
    with pytest.raises(SystemExit) as stop:
        main(["convert", *[str(argument) for argument in arguments]])
    return int(stop.value.code or 0), capsys.readouterr().err.strip()


def glb(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    value: dict[str, Any] = json.loads(data[20 : 20 + length])
    return value


@pytest.fixture(scope="module")
def loose(rom_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Members of the ROM as files: models without their own textures, their texture sets and animations."""
    folder = tmp_path_factory.mktemp("loose")
    world = FieldWorld(open_rom(rom_path))
    sets: dict[int, int] = {}
    for header in world.headers:
        for cell in world.cells(header.matrix, header.id).values():
            prop_set = world.area(cell.area.value).prop_set
            for model in world.prop_list(prop_set).models.tolist():
                sets.setdefault(model, prop_set)
    animations = world.rom.archive(PLATINUM.path(Role.PROP_ANIMATIONS))
    for name, model in (("door", DOOR), ("tv", TELEVISION), ("fall", WATERFALL), ("screen", SCREEN)):
        file = world.prop_model(model)
        (folder / f"{name}.nsbmd").write_bytes(Nsbmd(file.models, None).to_bytes())
        (folder / f"{name}.nsbtx").write_bytes(bytes(world.rom.archive(PLATINUM.path(Role.PROP_TEXTURES))[sets[model]]))
        entry = world.prop_animations(model)
        assert entry is not None
        for slot, index in enumerate(entry.used):
            (folder / f"{name}{slot}.anim").write_bytes(bytes(animations[index]))
    return folder


def test_model_textures_and_animations(loose: Path, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    out = tmp_path / "new" / "door.glb"
    result = run(*(loose / name for name in ("door1.anim", "door.nsbtx", "door.nsbmd", "door0.anim")), "-o", out)
    assert result.exit_code == 0, result.output
    assert result.output.strip().endswith("1 model written with 2 clips, 0 names missing, 0 failed.")
    assert [animation["name"] for animation in glb(out)["animations"]] == ["door_cl", "door_op"]
    assert all("missing" not in material["extras"] for material in glb(out)["materials"])
    assert validate_glb([out]) == 1


def test_names_are_looked_up_in_every_set(loose: Path, tmp_path: Path) -> None:
    """The textures of a model parted into two sets, the first with half of them."""
    whole = Nsbtx.from_bytes((loose / "screen.nsbtx").read_bytes()).textures
    parts = [
        Tex0(whole.textures[::2], whole.palettes[1::2]),
        Tex0(whole.textures[1::2], whole.palettes[::2]),
    ]
    for number, part in enumerate(parts):
        (tmp_path / f"{number}.nsbtx").write_bytes(Nsbtx(part).to_bytes())
    model = (loose / "screen.nsbmd", loose / "screen0.anim")
    files = [tmp_path / "0.nsbtx", tmp_path / "1.nsbtx"]
    assert run(*model, loose / "screen.nsbtx", "-o", tmp_path / "whole.glb").exit_code == 0
    result = run(*model, *files, "-o", tmp_path / "parted.glb")
    assert result.exit_code == 0 and "0 names missing" in result.output
    assert (tmp_path / "parted.glb").read_bytes() == (tmp_path / "whole.glb").read_bytes()
    result = run(*model, files[0], "-o", tmp_path / "half.glb")
    assert result.exit_code == 0
    assert "is missing: none of the given texture sets has it; add the NSBTX that has it" in result.output
    assert " 0 names missing" not in result.output
    result = run(*model, "-o", tmp_path / "bare.glb")
    assert "is missing: no texture set was given; add the NSBTX that has it" in result.output
    assert "images" not in glb(tmp_path / "bare.glb")


def test_textures_that_came_with_another_model_serve_last(loose: Path, tmp_path: Path) -> None:
    textures = Nsbtx.from_bytes((loose / "door.nsbtx").read_bytes()).textures
    fall = Nsbmd.from_bytes((loose / "fall.nsbmd").read_bytes())
    (tmp_path / "both.nsbmd").write_bytes(Nsbmd(fall.models, textures).to_bytes())
    result = run(loose / "door.nsbmd", tmp_path / "both.nsbmd", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert run(loose / "door.nsbmd", loose / "door.nsbtx", "-o", tmp_path / "door.glb").exit_code == 0
    assert (tmp_path / "out" / "door.glb").read_bytes() == (tmp_path / "door.glb").read_bytes()
    assert "missing" not in (tmp_path / "out" / "door.glb").read_bytes().decode("latin-1")


def test_several_models_into_a_folder(loose: Path, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    files = [loose / f"{name}.{kind}" for name in ("tv", "fall", "screen") for kind in ("nsbmd", "nsbtx")]
    result = run(*files, *(loose / f"{name}0.anim" for name in ("tv", "fall", "screen")), "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    written = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in written] == ["fall.glb", "screen.glb", "tv.glb"]
    clips = [[animation["name"] for animation in glb(path)["animations"]] for path in written]
    assert clips == [["wfall"], ["c3_s03"], ["tv01"]]
    assert validate_glb(written) == 3


def test_things_of_a_rom_and_archives(loose: Path, rom_path: Path, tmp_path: Path) -> None:
    """A ROM with members of it, as with the members as files; an archive with all members, in a ROM and loose."""
    world = FieldWorld(open_rom(rom_path))
    entry = world.prop_animations(DOOR)
    assert entry is not None
    members = [f"file:{PLATINUM.path(Role.PROP_ANIMATIONS)}#{index}" for index in entry.used[:2]]
    result = run(rom_path, f"prop:{DOOR}", loose / "door.nsbtx", *members, "-o", tmp_path / "rom")
    assert result.exit_code == 0, result.output
    (written,) = (tmp_path / "rom").iterdir()
    assert written.name == f"build_model_{DOOR:03}_{world.prop_model(DOOR).models[0].name}.glb"
    files = [loose / name for name in ("door.nsbmd", "door.nsbtx", "door0.anim", "door1.anim")]
    assert run(*files, "-o", tmp_path / "x.glb").exit_code == 0
    assert written.read_bytes() == (tmp_path / "x.glb").read_bytes()
    archive = world.path(Role.TERRAIN_ANIMATIONS)
    (tmp_path / "loose.narc").write_bytes(world.rom.file(archive))
    for words in ((rom_path, f"file:{archive}"), (tmp_path / "loose.narc",)):
        result = run(*words, "-o", tmp_path / "pictures")
        assert result.exit_code == 0 and "1 of 53 members cannot be converted" in result.output, result.output
    result = run(rom_path, "land:3", "terrain-set:0", "-o", tmp_path / "land.glb")
    assert result.exit_code == 0 and glb(tmp_path / "land.glb")["images"]


def test_an_animation_of_another_model_is_told(loose: Path, rom_path: Path, tmp_path: Path) -> None:
    result = run(rom_path, "prop:538", f"file:{PLATINUM.path(Role.PROP_ANIMATIONS)}#81", "-o", tmp_path / "x.glb")
    assert result.exit_code == 0 and "moves 1 joint, c09_s02 has 3: perhaps it is of another model" in result.output
    result = run(loose / "fall.nsbmd", loose / "tv0.anim", "-o", tmp_path / "y.glb")
    assert "'tv01' drives nothing in fall: it changes 1 material that" in result.output


def test_options(loose: Path, tmp_path: Path) -> None:
    files = [loose / name for name in ("screen.nsbmd", "screen.nsbtx", "screen0.anim")]

    def converted(*options: object) -> dict[str, Any]:
        result = run(*files, *options, "-o", tmp_path / "x.glb")
        assert result.exit_code == 0, result.output
        return glb(tmp_path / "x.glb")

    plain, atlas = converted(), converted("--pattern", "atlas")
    assert len(atlas["nodes"]) < len(plain["nodes"]) and "KHR_animation_pointer" in atlas["extensionsUsed"]
    assert "animations" not in converted("--static")
    assert "extensionsUsed" not in converted("--lit", "--static")
    assert len(converted("--merge", "material")["nodes"]) <= len(plain["nodes"])

    def extent(value: dict[str, Any]) -> float:
        return max(max(one["max"]) for one in value["accessors"] if len(one.get("max", ())) == 3)

    assert extent(converted("--metres-per-unit", "1")) == pytest.approx(16 * extent(plain))


def test_textures_as_pictures(loose: Path, tmp_path: Path) -> None:
    """A set alone gives every texture; with a model, the pairs that it shows, with the right colours."""
    result = run(loose / "tv.nsbtx", "-o", tmp_path / "all")
    textures = Nsbtx.from_bytes((loose / "tv.nsbtx").read_bytes()).textures
    assert result.exit_code == 0
    assert len(list((tmp_path / "all").glob("*.png"))) == len(textures.textures) > 100
    assert f"{len(textures.textures)} pictures written, 0 failed." in result.output
    single = Tex0(textures.textures[:1], textures.palettes[:1])
    (tmp_path / "one.nsbtx").write_bytes(Nsbtx(single).to_bytes())
    assert run(tmp_path / "one.nsbtx", "-o", tmp_path / "one.png").exit_code == 0
    (texture,), (palette,) = single.textures, single.palettes
    expected = texels.decode_rgba(
        texture.format,
        texture.width,
        texture.height,
        texture.texels,
        palette.colors,
        color0_transparent=texture.color0_transparent,
    )
    with Image.open(tmp_path / "one.png") as picture:
        found = np.asarray(picture.convert("RGBA"))
    opaque = expected[..., 3] > 0
    assert np.array_equal(found[opaque], expected[opaque])
    assert np.array_equal(found[..., 3], expected[..., 3])


@pytest.mark.parametrize(
    ("names", "clips"), [(["synth_skin.bmd", "synth_skin_wave.bck"], 1), (["synth_textures.bmd"], 0)]
)
def test_gamecube_models(tmp_path: Path, names: list[str], clips: int, validate_glb: Callable[..., int]) -> None:
    result = run(*(SAMPLES / name for name in names), "-o", tmp_path / "x.glb")
    assert result.exit_code == 0, result.output
    assert len(glb(tmp_path / "x.glb").get("animations", ())) == clips
    assert f"1 model written with {clips} clip" in result.output
    assert validate_glb([tmp_path / "x.glb"]) == 1


def test_iron3d_models(vectors: Path, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    folder = vectors / "msh"
    assert run(folder / "synth_anim.msh", "-o", tmp_path / "a.glb").exit_code == 0
    assert run(folder / "synth_anim.msh", "--rate", "50", "--bake", "-o", tmp_path / "b.glb").exit_code == 0
    ends = [
        max(one["max"][0] for one in glb(tmp_path / f"{name}.glb")["accessors"] if len(one.get("max", ())) == 1)
        for name in "ab"
    ]
    assert ends[0] > 1.9 * ends[1] > 0
    result = run(folder / "synth_archive.rlb", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    written = list((tmp_path / "out").glob("*.glb"))
    assert written and validate_glb([*written, tmp_path / "a.glb", tmp_path / "b.glb"]) == len(written) + 2


def test_refusals_are_one_sentence(loose: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(loose / "tv.nsbtx", tmp_path / "cut.nsbtx")
    (tmp_path / "cut.nsbtx").write_bytes((loose / "tv.nsbtx").read_bytes()[:5000])
    (tmp_path / "text.nsbmd").write_text("no model")
    out = tmp_path / "x.glb"
    for files, words in (
        ([tmp_path / "absent.nsbmd"], "absent.nsbmd"),
        ([tmp_path / "cut.nsbtx"], "cut.nsbtx"),
        ([tmp_path / "text.nsbmd"], "text.nsbmd"),
        ([loose / "tv0.anim"], "model"),
    ):
        status, text = refused(capsys, *files, "-o", out)
        assert status == 1 and words in text and len(text.splitlines()) == 1, text
        assert not out.exists()
    status, text = refused(capsys, loose / "door.nsbmd", loose / "tv.nsbmd", "-o", out)
    assert status == 2 and "folder" in text
    status, text = refused(capsys, loose / "tv.nsbtx", "-o", tmp_path / "x.png")
    assert status == 2 and "folder" in text
    for file, name, words in (
        ("tv.nsbtx", "x.glb", "A picture becomes a .png file, several a folder; x.glb names neither."),
        ("door.nsbmd", "x.gltf", "A model becomes a .glb file, several a folder; x.gltf names neither."),
        ("door.nsbmd", "x.foo", "A model becomes a .glb file"),
    ):
        status, text = refused(capsys, loose / file, "-o", tmp_path / name)
        assert status == 2 and words in text and not (tmp_path / name).exists()
    status, text = refused(capsys, loose / "door.nsbmd", loose / "fall0.anim", "-o", out)
    assert status == 1 and "'wfall' drives nothing in door" in text
