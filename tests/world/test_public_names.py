"""The package's public names: all there, and cheap until they are used."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mapexplorer
from mapexplorer import api, errors, world
from mapexplorer.export.gltf.field import export_field
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
    scene = place.scene(second=20 * 3600, people=False, weather=4, weather_seed=5)
    view = View(20 * 3600, layers=("terrain", "props"), weather=4, weather_seed=5)
    assert np.array_equal(scene.render(5), field_scene.FieldScene(place.underlying, view).render(5))
    chosen = mapexplorer.ExportOptions(second=20 * 3600, static=True)
    scene.export_gltf(tmp_path / "scene.glb", mapexplorer.ExportOptions(static=True))
    export_field(place.underlying, tmp_path / "field.glb", chosen)
    assert (tmp_path / "scene.glb").read_bytes() == (tmp_path / "field.glb").read_bytes()
    pose = mapexplorer.Pose((100.0, 80.0, 200.0))
    assert place.scene(camera=pose).underlying.camera.kind == "free"


def test_a_public_scene_has_every_parameter_of_a_view() -> None:
    public = {
        name: one.default for name, one in inspect.signature(api.Place.scene).parameters.items() if name != "self"
    }
    options = {one.name: one.default for one in View.declared()}
    by_ticks_and_pose = {"tick", "zoom", "eye", "yaw", "pitch", "fov"}
    assert public == {name: one for name, one in options.items() if name not in by_ticks_and_pose} | {
        "people": True,
        "weather": True,
        "features": True,
        "save": None,
    }


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
