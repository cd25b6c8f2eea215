"""The package's public names: all there, and cheap until they are used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mapexplorer
from mapexplorer import api, errors, world
from mapexplorer.export.gltf.field import export_field
from mapexplorer.option import OptionError
from mapexplorer.scene import scene as field_scene
from mapexplorer.scene.view import View
from mapexplorer.world import opening

HEAVY = ("numba", "PyQt5", "OpenGL", "PIL", "ndspy", "llvmlite")


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `code`."""
    script = code + "\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return set(run.stdout.split("\n"))


def test_every_public_name_is_there() -> None:
    for name in mapexplorer.__all__:
        assert getattr(mapexplorer, name) is not None
        assert name in dir(mapexplorer)
    assert mapexplorer.open_rom is opening.open_rom
    assert mapexplorer.World is api.World
    assert mapexplorer.RomError is errors.RomError
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = mapexplorer.Nonsense


@pytest.fixture(scope="module")
def demo() -> api.World:
    return mapexplorer.World("demo")


def test_public_values_hold_those_of_the_packages(demo: api.World) -> None:
    place = demo.place("T01")
    scene = place.scene(second=20 * 3600, weather=False)
    held = (demo.underlying, place.underlying, scene.underlying)
    assert [type(each) for each in held] == [world.FieldWorld, world.FieldPlace, field_scene.FieldScene]
    assert not any(isinstance(each, type(inner)) for each, inner in zip((demo, place, scene), held, strict=True))
    assert demo.place(place.header.internal_name).header is place.header and place.world is demo
    assert scene.place is place and scene.underlying.place is place.underlying


def test_a_public_scene_draws_and_exports_what_the_packages_do(demo: api.World, tmp_path: Path) -> None:
    place = demo.place("T01")
    scene = place.scene(second=20 * 3600, people=False, weather=4, seed=5)
    view = View(20 * 3600, layers=("terrain", "props"), weather=4, seed=5)
    assert np.array_equal(scene.render(5), field_scene.FieldScene(place.underlying, view).render(5))
    chosen = mapexplorer.ExportOptions(second=20 * 3600, static=True)
    scene.export_gltf(tmp_path / "scene.glb", mapexplorer.ExportOptions(static=True))
    export_field(place.underlying, tmp_path / "field.glb", chosen)
    assert (tmp_path / "scene.glb").read_bytes() == (tmp_path / "field.glb").read_bytes()
    pose = mapexplorer.Pose((100.0, 80.0, 200.0))
    assert place.scene(camera=pose).underlying.camera.kind == "free"


OTHER_OPTIONS: dict[str, object] = {
    "second": 7200,
    "day": 59,
    "weekday": "sunday",
    "seed": 5,
    "save": "new",
    "features": False,
    "state": "A",
    "tick": 5,
    "layers": ("terrain",),
    "camera": "top",
    "at": (5, 6),
    "zoom": 2.0,
    "eye": (1.0, 2.0, 3.0),
    "yaw": 90.0,
    "pitch": 10.0,
    "fov": 50.0,
    "weather": 4,
    "wireframe": True,
    "missing": True,
    "all_cells": True,
    "all_objects": True,
    "sky": True,
}
"""A value of each option that is not its default."""


def test_a_public_scene_has_every_option_of_a_view(demo: api.World) -> None:
    place = demo.place("T01")
    assert place.scene().underlying.view == View() and list(OTHER_OPTIONS) == [each.name for each in View.declared()]
    for name, value in OTHER_OPTIONS.items():
        if name != "state":
            view = place.scene(**{name: value}).underlying.view  # type: ignore[arg-type]
            assert view == View(**{name: value}) != View()  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="code adds nothing to this map that has states"):
        place.scene(state="A")
    scene = place.scene(tick=5)
    assert np.array_equal(scene.render(), scene.render(5)) and np.array_equal(scene.commands(), scene.commands(5))
    assert not np.array_equal(scene.render(), scene.render(0))
    assert scene.explain(128, 96) == scene.explain(128, 96, 5)
    with pytest.raises(OptionError, match="there is no option wether; there are second, day, weekday, seed, save"):
        place.scene(wether=4)


def test_collision_is_what_the_land_holds(demo: api.World) -> None:
    for header in demo.headers:
        place = demo.place(header.id)
        tiles = place.collision()
        assert len(tiles) == 1024 * len(place.cells) and not tiles.flags.writeable
        for tile in tiles[::37]:
            x, z = int(tile["x"]), int(tile["z"])
            assert place.terrain.behaviour(x, z) == tile["behaviour"]
            assert place.terrain.collides(x, z) == tile["blocked"]
            cell = place.terrain.cell_at(x, z)
            assert cell is not None and cell in place.cells
    assert any(demo.place(header.id).collision()["blocked"].any() for header in demo.headers)


def test_warps_lead_where_the_events_say(demo: api.World) -> None:
    count = 0
    for header in demo.headers:
        place = demo.place(header.id)
        events = place.events
        warps = place.warps()
        assert len(warps) == (0 if events is None else len(events.warps))
        for warp in warps:
            assert events is not None
            record = events.warps[warp.number]
            assert warp.tile == (record["x"], record["z"])
            if warp.target.spot is not None:
                there = demo.place(warp.target.spot.header).warps()[int(record["warp"])]
                assert there.tile == (warp.target.spot.x, warp.target.spot.z)
                count += 1
    assert count > 5


def test_values_say_in_one_line_what_they_are(demo: api.World) -> None:
    place = demo.place("T01")
    shown = [repr(each) for each in (demo, demo.rom, place, place.scene(), place.header, place.cells[0])]
    assert all("\n" not in words and len(words) < 250 for words in shown)
    assert f"{len(demo.headers)} map headers" in shown[0]
    assert place.header.title in shown[2] and place.header.title in shown[3] and place.header.title in shown[4]


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert "mapexplorer" in loaded_by("import mapexplorer")
    assert not loaded_by("import mapexplorer") & {*HEAVY, "numpy", "mapexplorer.rom", "formats"}


def test_listing_places_needs_no_compiler(rom_path: Path) -> None:
    code = (
        "import mapexplorer, sys\n"
        "world = mapexplorer.World(mapexplorer.open_rom(sys.argv[1]))\n"
        "assert len(world.headers) == 593\n"
        "assert len(world.place('T01').cells) == 1"
    )
    modules = loaded_by(code, str(rom_path))
    assert "mapexplorer.world.world" in modules
    assert not modules & set(HEAVY)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts resident memory as Linux does")
def test_a_padded_image_is_not_read_into_memory(rom_path: Path, tmp_path: Path) -> None:
    padded = tmp_path / "padded.nds"
    padded.write_bytes(rom_path.read_bytes())
    with padded.open("r+b") as file:
        file.truncate(128 << 20)
    code = (
        "import mapexplorer, sys\n"
        "world = mapexplorer.World(mapexplorer.open_rom(sys.argv[1]))\n"
        "lines = open('/proc/self/status').read().splitlines()\n"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(padded)], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 120 * 1024


def test_spots_outside_the_matrix_raise(demo: api.World) -> None:
    """The demo's first matrix has 2 x 2 cells of 32 tiles of 16 units."""
    place = demo.place("T01")
    assert (place.matrix.width, place.matrix.height) == (2, 2)
    for x, z in ((1024, 5), (5, 1024), (-1 / 4096, 5), (1e9, 5), (float("nan"), 5)):
        with pytest.raises(mapexplorer.PlaceError, match="is outside matrix 0, whose tiles are"):
            place.height(x, z)
        with pytest.raises(mapexplorer.PlaceError, match="is outside matrix 0"):
            place.scene(at=(x / 16, z / 16) if x == x else (64, 0))
    assert place.height(1023.9, 1023).cell == (1, 1) and place.scene(at=(63.9, 0)).underlying.at == (63.9, 0)


def test_values_of_other_types_are_sentences(demo: api.World) -> None:
    place = demo.place("T01")
    for call, sentence in (
        (lambda: place.height("a", 3), "'a' is not a number of units"),
        (lambda: place.height(3, 3, near=None), "None is not a number of units"),
        (lambda: place.props((0, 0)), r"\(0, 0\) is not a cell of the place"),
        (lambda: place.scene(weather="snow"), "'snow' is not a weather id, True or False"),
        (lambda: place.scene().render("x"), "'x' is not a number of updates"),
        (lambda: demo.place(4.5), "4.5 is not the id or the name of a map"),
        (lambda: demo.place("T01", area=1.5), "1.5 is not the number of a file"),
    ):
        with pytest.raises(TypeError, match=sentence):
            call()
    with pytest.raises(OptionError, match="at: 'x' is not a pair"):
        place.scene(at="x")
    assert demo.place(np.int64(4)).header is place.header and place.height(np.float32(8), 8).found


def test_files_are_named_for_what_they_are(demo: api.World, tmp_path: Path) -> None:
    place = demo.place("T01R0101")
    for name in ("x.foo", "x.png", "x"):
        with pytest.raises(ValueError, match=r"it is written as .glb or .gltf or .obj"):
            place.export_gltf(tmp_path / name)
    with pytest.raises(ValueError, match=r"must end in .png"):
        place.export_poster(tmp_path / "x.jpg")
    with pytest.raises(OptionError, match="there is no option foo"):
        place.export_poster(tmp_path / "x.png", foo=3)
    assert not list(tmp_path.iterdir())
    report = place.export_gltf(tmp_path / "x.gltf")
    scene = json.loads((tmp_path / "x.gltf").read_text("utf-8"))
    files = [tmp_path / "x.gltf", *(tmp_path / one["uri"] for kind in ("buffers", "images") for one in scene[kind])]
    assert sum(file.stat().st_size for file in files) == report.size
    place.export_gltf(tmp_path / "x.obj")
    assert (tmp_path / "x.obj").read_text("ascii").count("\nv ") > 100
