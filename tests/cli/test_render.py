"""`render` and `poster` on the real ROM: files, sizes, options, and what is misused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import mapexplorer
from formats.nds import gx
from mapexplorer.cli import program
from mapexplorer.export.poster_bands import Poster
from mapexplorer.export.request import PictureRequest, PosterRequest
from mapexplorer.export.run import run as export
from mapexplorer.gpu import render_frame
from mapexplorer.gpu.commands import PARAMETER_COUNT
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.system.progress import Progress
from mapexplorer.world.world import FieldWorld


@pytest.fixture(scope="module")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(program, [str(argument) for argument in arguments])


def test_picture_is_the_scene(rom_path: Path, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "night.png"
    result = run("render", rom_path, "Twinleaf Town", "--hour", "20", "--at", "110,875", "--scale", "2", "-o", file)
    assert result.exit_code == 0, result.output
    assert result.output.strip().endswith("1 picture of 512 x 384, 0 failed.")
    with Image.open(file) as picture:
        pixels = np.asarray(picture)
    scene = FieldScene(FieldWorld.open(rom_path).place(411), View(20 * 3600, at=(110, 875)))
    expected = scene.render()[..., :3]
    assert pixels.shape == (384, 512, 3)
    for row in (0, 1):
        for column in (0, 1):
            assert np.array_equal(pixels[row::2, column::2], expected)
    assert [path.name for path in file.parent.iterdir()] == ["night.png"]


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_moving_pictures(rom_path: Path, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"sea.{suffix}"
    result = run("render", rom_path, "468", "--at", "844,634", "--frames", "4", "--step", "10", "-o", file)
    assert result.exit_code == 0, result.output
    with Image.open(file) as picture:
        assert (picture.n_frames, picture.size) == (4, (256, 192))
        assert picture.info["duration"] == pytest.approx(334, abs=6)


def test_frames_of_an_apng_are_exact(rom_path: Path, tmp_path: Path) -> None:
    file = tmp_path / "day.png"
    assert run("render", rom_path, "T01", "--frames", "3", "--day-cycle", "-o", file).exit_code == 0
    place = FieldWorld.open(rom_path).place("T01")
    with Image.open(file) as picture:
        for number, hour in enumerate((12, 20, 4)):
            picture.seek(number)
            expected = FieldScene(place, View(hour * 3600)).render(number)[..., :3]
            assert np.array_equal(np.asarray(picture.convert("RGB")), expected)


def test_cameras_layers_and_weather_change_the_picture(rom_path: Path, tmp_path: Path) -> None:
    variants = [
        (),
        ("--camera", "top"),
        ("--camera", "top", "--zoom", "0.5", "--all-cells"),
        ("--camera", "free", "--yaw", "30"),
        ("--layers", "terrain"),
        ("--weather", "sandstorm"),
        ("--weather", "14"),
    ]
    pictures = set()
    for number, options in enumerate(variants):
        file = tmp_path / f"{number}.png"
        result = run("render", rom_path, "T01", *options, "-o", file)
        assert result.exit_code == 0, result.output
        pictures.add(file.read_bytes())
    assert len(pictures) == len(variants)


def test_why_in_words_and_as_json(rom_path: Path) -> None:
    result = run("render", rom_path, "T01", "--at", "110,876", "--why", "60,20")
    assert result.exit_code == 0, result.output
    assert "prop 0 of land_data[0] names it" in result.output
    result = CliRunner().invoke(
        program, ["render", str(rom_path), "T01", "--at", "110,876", "--why", "60,20", "--json"]
    )
    answer = json.loads(result.stdout)
    assert answer["header"] == 411
    assert answer["pixel"] == [60, 20] and answer["surfaces"][0]["seen"]
    facts = {fact["name"]: fact for fact in answer["surfaces"][0]["facts"]}
    assert facts["Rule"]["source"]["rule"] == "prop_of_land" and facts["Rule"]["source"]["land"] == 0
    assert answer["surfaces"][0]["prop"] == facts["Rule"]["source"]["member"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Give either"),
        (("-o", "x.png", "--why", "1,2"), "Give either"),
        (("--why", "300,2"), "screen"),
        (("-o", "x.png", "--layers", "sky"), "the layers are"),
        (("-o", "x.png", "--weather", "frogs"), "no weather"),
        (("-o", "x.png", "--at", "3"), "pair of tiles"),
        (("-o", "x.png", "--day-cycle"), "needs --frames"),
        (("-o", "x.bmp", "--frames", "2"), "is written as"),
        (("-o", "x.png", "--camera", "free", "--fov", "0"), "field of view"),
        (("-o", "x.png", "--camera", "top", "--zoom", "0"), "pixel"),
    ],
)
def test_misuse_is_said(
    rom_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("render", rom_path, "T01", *options)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


def test_poster(rom_path: Path, tmp_path: Path) -> None:
    file = tmp_path / "marsh.png"
    result = run("poster", rom_path, "240", "--cell-pixels", "64", "--names", "--jobs", "1", "-o", file)
    assert result.exit_code == 0, result.output
    assert "matrix 240, 256 x 320 pixels" in result.output
    with Image.open(file) as picture:
        assert picture.size == (256, 320)
    assert run("poster", rom_path, "240", "--cell-pixels", "65", "-o", file).exit_code == 2


def test_a_poster_of_a_map_is_cropped_to_its_cells(rom_path: Path, tmp_path: Path) -> None:
    """A route in the region's matrix: what the poster of the matrix shows there."""
    file, matrix_file = tmp_path / "route.png", tmp_path / "matrix.png"
    result = run("poster", rom_path, "Route 201", "--cell-pixels", "64", "--jobs", "1", "--json", "-o", file)
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    place = FieldWorld.open(rom_path).place("Route 201")
    whole = ("poster", rom_path, "Route 201", "--whole-matrix", "--cell-pixels", "64", "--jobs", "2", "-o", matrix_file)
    assert run(*whole).exit_code == 0
    with Image.open(file) as cropped, Image.open(matrix_file) as everything:
        part, region = np.asarray(cropped).astype(int), np.asarray(everything).astype(int)
    assert region.shape[:2] == (64 * place.matrix.height, 64 * place.matrix.width)
    assert (facts["header"], facts["whole_matrix"]) == (place.header.id, False)
    assert (facts["height"], facts["width"]) == part.shape[:2]
    left, upper = (round(value * 2) for value in facts["corner"])
    around = region[upper : upper + len(part), left : left + part.shape[1]]
    first, last = place.cells[0], place.cells[-1]  # they are a rectangle
    assert (left, upper) == (64 * first.x, 64 * first.z)
    assert part.shape[:2] == (64 * (last.z - first.z + 1), 64 * (last.x - first.x + 1))
    assert (np.abs(part - around).max(-1) > 8).mean() < 0.02  # frames meet elsewhere


def test_a_poster_leaves_out_what_other_maps_own(world: FieldWorld) -> None:
    """Of a map whose cells are no rectangle, the cells of its neighbours stay empty."""

    def ragged(number: int) -> bool:
        columns, rows = (len({getattr(cell, axis) for cell in world.place(number).cells}) for axis in "xz")
        return 1 < len(world.place(number).cells) < columns * rows <= 12

    number = next(
        header.id for header in world.headers if world.matrix(header.matrix).headers is not None and ragged(header.id)
    )
    poster = Poster(world, PosterRequest(place=number, cell_pixels=64, output=Path("a.png")))
    pixels = np.concatenate([poster.band(band) for band in range(poster.bands)])
    region, seen = poster.region, 0
    for z in range(region.upper, region.lower, 64):
        for x in range(region.left, region.right, 64):
            part = pixels[z - region.upper : z - region.upper + 64, x - region.left : x - region.left + 64]
            own = (x // 64, z // 64) in poster.cells
            seen += own
            assert ((part != (12, 12, 18)).any(-1).mean() > 0.9) if own else (part == (12, 12, 18)).all()
    assert seen == len(world.place(number).cells)


def test_python_writes_the_poster_of_the_command_line(rom_path: Path, tmp_path: Path) -> None:
    outcome = (
        mapexplorer.World(mapexplorer.open_rom(rom_path))
        .place("T01")
        .export_poster(tmp_path / "python.png", cell_pixels=64, names=True, jobs=1)
    )
    result = run("poster", rom_path, "T01", "--cell-pixels", "64", "--names", "-o", tmp_path / "verb.png")
    assert result.exit_code == 0 and outcome.files == [tmp_path / "python.png"]
    assert (tmp_path / "python.png").read_bytes() == (tmp_path / "verb.png").read_bytes()


def test_what_lies_over_a_poster(tmp_path: Path) -> None:
    """As pixels and as shapes: the blocked tiles in their colour, and a shape for each warp that names its map."""
    plain, over, shapes = (tmp_path / name for name in ("plain.png", "over.png", "over.svg"))
    options = "--overlays", "collision,warps", "--legend", "-j", "1"
    assert run("poster", "demo", "T01", "-j", "1", "-o", plain).exit_code == 0
    for file in (over, shapes):
        assert run("poster", "demo", "T01", *options, "-o", file).exit_code == 0
    before, after = (np.asarray(Image.open(file)).astype(int) for file in (plain, over))
    place = FieldWorld.open("demo").place("T01")
    cell, events = place.cells[0], place.events
    blocked = place.terrain.attributes(cell) & 0x8000 != 0
    middles = (before - after[: len(before)])[8::16, 8::16]
    assert (middles[blocked].any(-1)).mean() > 0.95 and not middles[~blocked].any(-1)[8:].any()
    assert len(after) > len(before) and after[-1].min() > 200
    drawn = ElementTree.parse(shapes).getroot()
    groups = {group.get("id"): [*group] for group in drawn if group.tag.endswith("}g")}
    assert len(groups["collision"]) == blocked.sum() and events is not None
    assert len(groups["warps"]) == len(events.warps) and "Millbrook" not in groups["warps"][0][0].text
    assert groups["warps"][0][0].text.startswith("→ ")
    assert "collision bit set" in [entry.text for entry in groups["legend"]]
    assert run("poster", "demo", "T01", "--legend", "-o", plain).exit_code == 2


@pytest.mark.parametrize("name", ["T01R0101", "C01R0208", "#420"])
def test_a_poster_of_a_room_has_no_wide_borders(rom_path: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "room.png"
    result = run("poster", rom_path, name, "--jobs", "1", "-o", file)
    assert result.exit_code == 0, result.output
    with Image.open(file) as picture:
        pixels = np.asarray(picture)
    drawn = (pixels != (12, 12, 18)).any(-1) & pixels.any(-1)
    across, down = np.flatnonzero(drawn.any(0)), np.flatnonzero(drawn.any(1))
    borders = across[0], down[0], pixels.shape[1] - 1 - across[-1], len(pixels) - 1 - down[-1]
    assert max(borders) <= 16 and drawn.mean() > 0.5, borders


def test_a_poster_of_a_map_without_cells_is_refused(rom_path: Path, tmp_path: Path) -> None:
    result = run("poster", rom_path, "#206", "-o", tmp_path / "none.png")
    assert "no cells of its own; --whole-matrix" in str(result.exception) and not list(tmp_path.iterdir())
    assert (
        run("poster", rom_path, "#206", "--whole-matrix", "--cell-pixels", "32", "-o", tmp_path / "all.png").exit_code
        == 0
    )


def picture_of(file: Path, *arguments: object) -> np.ndarray:
    """The pixels of a picture that `render` writes."""
    result = run("render", *arguments, "-o", file)
    assert result.exit_code == 0, result.output
    with Image.open(file) as picture:
        return np.asarray(picture)


def test_a_wireframe_is_what_the_engine_draws_of_polygons_with_alpha_0(
    rom_path: Path, world: FieldWorld, tmp_path: Path
) -> None:
    """POLYGON_ATTR has the alpha in bits 16 to 20; a channel of a pixel has 6 bits."""
    scene = FieldScene(world.place("T01"))
    words, at = scene.commands(), 0
    while at < len(words):
        if words[at] == gx.POLYGON_ATTR:
            words[at + 1] &= ~(0x1F << 16) & 0xFFFFFFFF
        at += 1 + int(PARAMETER_COUNT[words[at]])
    words = np.concatenate([words, [gx.SWAP_BUFFERS, 0]]).astype(np.uint32)
    vram = scene.block.vram
    drawn = render_frame(words, scene.registers, vram.texture, vram.palette)
    shown = picture_of(tmp_path / "wireframe.png", rom_path, "T01", "--wireframe")
    assert np.array_equal(shown >> 2, drawn[..., :3])


def test_only_what_lacks_its_texture_becomes_magenta(rom_path: Path, tmp_path: Path) -> None:
    plain = picture_of(tmp_path / "plain.png", rom_path, 324)
    marked = picture_of(tmp_path / "marked.png", rom_path, 324, "--missing")
    assert (marked == (255, 0, 255)).all(-1).sum() > 50
    before, after = (
        (shown[..., 1] == 0) & (shown[..., 0] == shown[..., 2]) & (shown[..., 0] > 0) for shown in (plain, marked)
    )
    changed = (marked != plain).any(-1)
    assert not before.any() and not (after & ~changed).any()
    # At edges colours are blended.
    assert (changed & ~after).sum() < 0.03 * changed.sum()


def test_a_picture_without_land_says_so(rom_path: Path, tmp_path: Path) -> None:
    result = run("render", rom_path, "T01", "--at", "8,8", "-o", tmp_path / "nothing.png")
    assert result.exit_code == 0 and "There is no land here" in result.output
    assert "There is no land here" not in run("render", rom_path, "T01", "-o", tmp_path / "some.png").output


def test_all_maps_are_drawn_into_a_folder_with_sheets(tmp_path: Path) -> None:
    result = run("render", "demo", "--all", "-o", tmp_path / "all", "--sheet", "3x2", "--hour", "20", "-j", "1")
    assert result.exit_code == 0, result.output
    manifest = json.loads((tmp_path / "all" / "manifest.json").read_text("utf-8"))
    files = [entry["file"] for entry in manifest["maps"] if "file" in entry]
    assert len(files) == manifest["counts"]["files"] > 6 and manifest["options"]["second"] == 20 * 3600
    assert run("render", "demo", "T01", "--hour", "20", "-o", tmp_path / "town.png").exit_code == 0
    (town,) = [entry for entry in manifest["maps"] if entry["internal_name"] == "T01"]
    with Image.open(tmp_path / "town.png") as alone, Image.open(tmp_path / "all" / town["file"]) as among:
        assert alone.convert("RGB").tobytes() == among.convert("RGB").tobytes()
    with Image.open(tmp_path / "all" / "sheet_01.png") as sheet, Image.open(tmp_path / "all" / files[4]) as fifth:
        assert sheet.size == (3 * 256, 2 * 192)
        assert sheet.crop((256, 192, 512, 384)).tobytes() == fifth.convert("RGB").tobytes()
    again = run("render", "demo", "--all", "-o", tmp_path / "all", "--hour", "20", "--resume")
    assert f"0 maps written to {tmp_path / 'all'}, {len(files)} up to date" in again.output


def test_some_maps_are_drawn_into_a_folder(tmp_path: Path) -> None:
    assert run("render", "demo", "T01", "L01", "-o", tmp_path / "two").exit_code == 0
    assert len([*(tmp_path / "two").glob("*.png")]) == 2 and (tmp_path / "two" / "manifest.json").exists()
    assert run("render", "demo", "T01@8,36", "-o", tmp_path / "one").exit_code == 0
    assert [file.name for file in (tmp_path / "one").iterdir()] == ["004_T01.png"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--all", "T01", "-o", "x"), "name no MAP beside it"),
        (("-o", "x.png"), "Name a MAP"),
        (("--all", "-o", "x.png"), "need a folder"),
        (("--all", "-o", "x", "--frames", "3"), "take no --frames"),
        (("--all", "-o", "x", "--at", "3,4"), "take no --at"),
        (("--all", "-o", "x", "--sheet", "0x5"), "COLUMNSxROWS"),
        (("T01", "-o", "x.png", "--jobs", "2"), "--jobs needs --all"),
        (("T01", "-o", "x", "--day-cycle"), "needs --frames"),
        (("--all", "-o", "x", "--why", "1,2"), "Give either"),
        (("--all", "--why", "1,2"), "need a folder"),
    ],
)
def test_misuse_of_batches_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("render", "demo", *words)
    assert result.exit_code == 2 and sentence in " ".join(result.output.split()) and not [*tmp_path.iterdir()]


def test_updates_pass_with_progress_and_can_be_cancelled(world: FieldWorld, tmp_path: Path) -> None:
    """The picture after many updates is that of one call; a request that is cancelled stops within some updates."""

    class Cancelled(Exception):
        pass

    class Recorded(Progress):
        def __init__(self, last: int) -> None:
            self.last = last
            self.steps: list[int] = []

        def report(self, done: int, total: int, text: str) -> None:
            self.steps.append(done)
            if text == "field updates" and done >= self.last:
                raise Cancelled

    request = PictureRequest(place="T01", output=tmp_path / "late.png", tick=1111)
    progress = Recorded(request.tick)
    export(request, world, progress)
    scene = FieldScene(world.place("T01"), View())
    with Image.open(request.output) as picture:
        assert np.array_equal(np.asarray(picture), scene.render(request.tick)[..., :3])
    assert len(progress.steps) > 5 and max(np.diff(progress.steps[:-1])) <= 250
    early = Recorded(400)
    with pytest.raises(Cancelled):
        export(replace(request, tick=1_000_000, output=tmp_path / "never.png"), world, early)
    assert early.steps[-1] < 700 and not (tmp_path / "never.png").exists()
