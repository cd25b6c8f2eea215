"""The model behind the window, which knows no Qt."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.errors import PlaceError
from mapexplorer.gui.model import camera as cameras
from mapexplorer.gui.model.bookmarks import bookmarks
from mapexplorer.gui.model.camera import ViewCamera
from mapexplorer.gui.model.clock import Clock
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.history import BACK, FORWARD, History
from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.model.maplist import AREA, KIND, LOCATION, MATRIX, grouped
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.model.recent import recent_roms
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.model.shortcuts import Shortcuts
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer, cropped
from mapexplorer.scene.link import Link
from mapexplorer.scene.view import View
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.terrain.ground import room_box
from mapexplorer.world.world import FieldWorld


@pytest.fixture
def explorer(tmp_path: Path) -> Explorer:
    made = Explorer(Settings(tmp_path / "settings.json"))
    made.open(FieldWorld.open("demo"), "demo")
    return made


def test_the_model_imports_no_qt() -> None:
    code = (
        "import sys; import mapexplorer.gui.model.explorer, mapexplorer.inspector.describe, "
        "mapexplorer.gui.rendering.place_renderer, mapexplorer.gui.model.loose, "
        "mapexplorer.gui.actions.action, "
        "mapexplorer.gui.app.launcher; "
        "print(sorted(name for name in sys.modules if name.startswith(('PyQt5', 'OpenGL'))))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_what_the_window_shows_is_a_view(explorer: Explorer) -> None:
    assert explorer.place is not None
    for kind in cameras.KINDS:
        explorer.use_camera(kind)
        view = explorer.view
        assert view.at == explorer.tile and view.second == explorer.clock.second
        seen = view.scene_camera(explorer.place.camera)
        assert seen.kind == {cameras.GAME: "game", cameras.TOP: "top"}.get(kind, "free")
    explorer.use_camera(cameras.FLY)
    explorer.set_camera(explorer.camera.flown(0, 1e9, 0))
    assert explorer.view.eye is not None and explorer.view.eye[1] == 1e6


def test_history_goes_back_and_forward_and_forgets_what_lay_ahead() -> None:
    history: History[str] = History()
    assert not history.can_go(BACK) and history.go(BACK) is None and history.go(FORWARD) is None
    for place in "abb":
        history.visit(place)
    assert history.go(BACK) == "a" and not history.can_go(BACK)
    assert history.go(FORWARD) == "b" and not history.can_go(FORWARD)
    history.go(BACK)
    history.visit("c")
    assert history.current == "c" and not history.can_go(FORWARD)
    assert history.go(BACK) == "a"
    for number in range(500):
        history.visit(str(number))
    steps = 0
    while history.go(BACK) is not None:
        steps += 1
    assert steps == 199


def test_clock_counts_updates_and_wraps_at_midnight() -> None:
    clock = Clock(86390)
    heard = []
    clock.changed.connect(lambda: heard.append((clock.second, clock.tick)))
    clock.advance(5.0)
    assert heard == []
    clock.play(True)
    clock.set_speed(60)
    clock.advance(1.0)
    assert (clock.second, clock.tick) == (50, 29)
    clock.step()
    assert not clock.playing and clock.tick == 30
    clock.set_second(-3600)
    assert clock.second == 82800 and clock.text == "23:00"
    assert len(heard) == 3


def test_layers_remember_and_restore() -> None:
    layers = Layers()
    changed = []
    layers.changed.connect(changed.append)
    layers.show("collision", True)
    layers.show("collision", True)
    layers.set_opacity("collision", 2.0)
    assert changed == ["collision", "collision"] and layers["collision"].opacity == 1.0
    other = Layers()
    other.restore(json.loads(json.dumps(layers.state())) | {"unknown": [1.0, 1.0]})
    assert other.state() == layers.state() and other.shown("collision")
    other.set_opacity("collision", 0)
    assert not other.shown("collision")


@pytest.mark.parametrize("kind", [cameras.ORBIT, cameras.FLY, cameras.TOP])
@pytest.mark.parametrize("size", [(160, 48, 120), (64, 64, 400), (900, 100, 300)])
def test_a_framed_box_is_whole_on_the_screen_and_fills_it(kind: str, size: tuple[float, float, float]) -> None:
    low = (100.0, -20.0, 300.0)
    high = (low[0] + size[0], low[1] + size[1], low[2] + size[2])
    camera = ViewCamera(kind=kind, yaw=70, pitch=10).framing(low, high)
    seen = View(**camera.view_fields).scene_camera(None)  # type: ignore[arg-type]
    projection = Projection.of_scene(seen.view, seen.projection)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    points, visible = projection.project(corners)
    assert camera.kind == kind and visible.all()
    assert points.min() >= 0 and points.max() <= 1 and np.ptp(points, 0).max() > 0.6


def test_free_cameras_begin_with_a_whole_room(explorer: Explorer) -> None:
    assert explorer.world is not None
    rooms = 0
    for header in explorer.world.headers:
        explorer.use_camera(cameras.GAME)
        explorer.go(header.id)
        spot = explorer.camera.target
        box = room_box(explorer.world.place(header.id))
        for kind in (cameras.ORBIT, cameras.TOP):
            explorer.use_camera(cameras.GAME)
            explorer.use_camera(kind)
            framed = box is not None and explorer.camera == explorer.camera.framing(*box)
            assert framed or (box is None and explorer.camera.target == spot)
        explorer.use_camera(cameras.ORBIT)  # from one free camera to the next what was looked at stays
        assert explorer.camera == explorer.camera.switched(cameras.ORBIT)
        rooms += box is not None
    assert 0 < rooms < len(explorer.world.headers)


def test_thumbnails_are_cropped_to_what_is_drawn() -> None:
    picture = np.zeros((192, 256, 4), np.uint8)
    picture[..., 3] = 255
    assert not cropped(picture)[..., :3].any()
    picture[40:100, 100:140, :3] = 200
    small = cropped(picture)
    assert small.shape == (96, 128, 4) and (small[:, 32:96, 0] == 200).mean() > 0.95
    picture[...] = 200
    assert (cropped(picture) == 200).all()


def test_thumbnails_show_foggy_and_dark_places(rom_path: Path) -> None:
    renderer = PlaceRenderer(FieldWorld.open(rom_path))
    for header in (363, 385, 383, 284):
        small = renderer.thumbnail(header)
        assert small is not None
        brightness = small[..., :3].mean(2)
        assert brightness.std() > 20 and ((brightness > 8) & (brightness < 250)).mean() > 0.1, header


def test_cameras_keep_their_target_when_they_are_switched() -> None:
    start = ViewCamera(target=(100.0, 8.0, 200.0))
    orbit = start.switched(cameras.ORBIT)
    assert orbit.target == start.target
    distance = math.dist(orbit.eye, orbit.target)
    assert distance == pytest.approx(orbit.distance)
    fly = orbit.switched(cameras.FLY)
    assert fly.eye == pytest.approx(orbit.eye)
    ahead = fly.flown(0, 0, distance).eye
    assert ahead == pytest.approx(orbit.target, abs=1e-6)
    back = fly.switched(cameras.TOP)
    assert math.dist(back.target[::2], start.target[::2]) < 8
    assert back.zoomed(3).scale > back.scale and orbit.zoomed(3).distance < orbit.distance
    assert fly.faster(2).speed > fly.speed and start.zoomed(5) == start
    assert fly.zoomed(2).position == pytest.approx(fly.flown(0, 0, 96.0).position)
    north = start.panned(0, 16)
    assert north.target == (100.0, 8.0, 184.0)
    assert orbit.turned(0, 500).pitch == cameras.MAX_PITCH


def test_the_list_filters_plainly_and_groups(explorer: Explorer) -> None:
    assert explorer.world is not None
    headers = explorer.world.headers
    assert sum(map(len, grouped(headers, LOCATION).values())) == len(headers)
    town = next(header for header in headers if header.kind == "town or city")
    found = grouped(headers, LOCATION, town.internal_name.lower())
    assert town in [header for group in found.values() for header in group]
    assert grouped(headers, LOCATION, "no such place") == {}
    numbers = [group[0].matrix for group in grouped(headers, MATRIX).values()]
    assert numbers == sorted(numbers) and len(numbers) > 1
    assert set(grouped(headers, KIND)) >= {"Town or city", "Indoors"}
    assert all(title.startswith("Area ") for title in grouped(headers, AREA))


def test_groups_are_in_the_order_of_their_names_and_what_is_meant_is_first(explorer: Explorer) -> None:
    assert explorer.world is not None
    names = {
        3: ("C01", "Jubilife City"),
        9: ("R210", "Route 210"),
        5: ("R21", "Route 21"),
        7: ("X", ""),
        4: ("C01R01", "Jubilife City"),
        8: ("D01", "Acuity Cavern C01"),
    }
    headers = [
        dataclasses.replace(explorer.world.headers[0], id=header, internal_name=name, location_name=place)
        for header, (name, place) in names.items()
    ]
    titles = list(grouped(headers, LOCATION))
    assert titles == ["Acuity Cavern C01", "Jubilife City", "Route 21", "Route 210", "Without location name"]
    assert [group[0].id for group in grouped(headers, LOCATION, "c01").values()] == [3, 8]
    assert next(iter(grouped(headers, LOCATION, "9").values()))[0].id == 9


def test_settings_survive_and_damaged_ones_are_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "settings.json"
    settings = Settings(file)
    assert settings.get("theme") is None
    rom = tmp_path / "my.nds"
    rom.touch()
    settings.add_recent(str(rom))
    settings.add_recent("demo")
    settings.set("theme", "dark")
    settings.save()
    again = Settings(file)
    assert again.get("theme") == "dark" and again.recent == [str(rom)]
    assert again.get("theme", 3) == 3
    rom.unlink()
    assert again.recent == []
    file.write_text("{not json")
    assert Settings(file).get("theme") is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        -1,
        10**30,
        1e308,
        float("nan"),
        "x",
        "\ud800",
        "a\0b",
        "/" + "x" * 5000,
        [],
        {},
        [[]],
        [1, 2, 3],
        [None, None],
    ],
)
def test_other_values_in_the_settings_are_ignored(tmp_path: Path, value: Any) -> None:
    file = tmp_path / "settings.json"
    kept: dict[str, Any] = {"version": 1, "recent": [value, str(tmp_path)], "recent roms": {str(tmp_path): value}}
    kept |= {"last places": {"demo": value}, "layers": {"grid": value, "collision": [value, value]}}
    kept |= {"links in demo": {"mine": value}, "shortcuts": {"ruler": value, "palette": [value]}}
    file.write_text(json.dumps(kept))
    explorer = Explorer(Settings(file))
    explorer.open(FieldWorld.open("demo"), "demo")
    assert explorer.place is not None and explorer.place.header.kind == "town or city"
    explorer.layers.restore(explorer.settings.get("layers", {}))
    assert all(0 <= layer.opacity <= 1 for layer in explorer.layers)
    assert [path for path, *_ in recent_roms(explorer.settings)] == [str(tmp_path)]
    Shortcuts(explorer.settings)
    for link in bookmarks(explorer).values():
        with suppress(PlaceError):
            Link.parse(link).place(explorer.world)


def test_opening_goes_to_a_town_and_selects_its_header(explorer: Explorer) -> None:
    assert explorer.place is not None and explorer.place.header.kind == "town or city"
    assert explorer.selection == subject("header", explorer.place.header.id)
    x, y, z = explorer.camera.target
    assert explorer.place.height(x, z, y).height == y


def test_going_back_shows_the_same_place_selection_and_spot(explorer: Explorer) -> None:
    assert explorer.place is not None and explorer.world is not None
    first = explorer.place.header.id
    explorer.look_at_tile(explorer.tile[0] + 3, explorer.tile[1])
    spot = explorer.camera.target
    warp = subject("warp", first, 0)
    explorer.select(warp)
    target = explorer.world.warp_target(first, 0)
    assert target is not None
    explorer.go(target[0], None, target[1:])
    assert explorer.place.header.id == target[0] != first
    explorer.go_in_history(BACK)
    assert explorer.place.header.id == first and explorer.selection == warp
    assert explorer.camera.target == pytest.approx(spot, abs=0.01)
    explorer.go_in_history(FORWARD)
    assert explorer.place.header.id == target[0]


def test_selecting_an_event_of_another_map_goes_there(explorer: Explorer) -> None:
    assert explorer.world is not None and explorer.place is not None
    here = explorer.place.header.id
    other = next(
        header.id
        for header in explorer.world.headers
        if header.id != here and explorer.world.place(header.id).cells and len(explorer.world.events(header.id).objects)
    )
    explorer.select(subject("object", other, 0))
    record = explorer.world.events(other).objects[0]
    assert explorer.place.header.id == other
    assert tuple(int(value) for value in explorer.tile) == (int(record["x"]), int(record["z"]))


def test_the_camera_stays_over_the_matrix(explorer: Explorer) -> None:
    explorer.set_camera(explorer.camera.panned(-1e6, 1e6))
    assert explorer.camera.target[::2] == (0.0, 0.0)


def test_addresses_of_subjects_lead_back() -> None:
    for chosen in (subject("placed prop", 0, 3, 27, 4), subject("header", 411), Subject("pixel", (3, np.int64(4)))):
        assert Subject.at(chosen.address) == chosen
    with pytest.raises(ValueError):
        Subject.at("header:x")
