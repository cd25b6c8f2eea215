"""The weather of pictures of the field: which one, where it is shown, and what of it can be read."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from mapexplorer.features import table_of
from mapexplorer.features.canalave_gym import CanalaveGym
from mapexplorer.gpu import registers as reg
from mapexplorer.gpu.picture import displayed
from mapexplorer.scene.camera import Pose, top_camera
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import FREE, GAME, TOP, View
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import fresh_save

BLIZZARD, FOG, DARK, SNOWPOINT, CANALAVE_GYM, JUBILIFE = 385, 363, 284, 165, 35, 3
RAIN = 2


def test_pictures_of_the_reference_through_the_scene(world: FieldWorld, vectors: Path) -> None:
    """The reference combines the 3D picture of tick 0 with the weather of later ticks, so that its pixels are compared
    where the 3D picture is still the same: everywhere but on animated water."""
    with np.load(vectors / "weather" / "weather_frames.npz") as file:
        frames = {name: file[name] for name in file.files}
    with np.load(vectors / "weather" / "weather_state.npz") as file:
        scenarios = {one["name"]: one for one in json.loads(str(file["meta"]))}
    counts = json.loads((vectors / "weather" / "counts.json").read_text())
    wrong, whole = {}, 0
    for number, name in enumerate(frames["name"].tolist()):
        scenario, tick = scenarios[name], int(frames["tick"][number]) - 1
        (_, _, entered), *changes = scenario["script"]
        x, z = frames["spot"][number].tolist()
        view = View(
            int(frames["second"][number]),
            at=(x, z),
            layers=("terrain", "props"),
            weather=entered,
            seed=scenario["seed"],
        )
        scene = FieldScene(world.place(int(frames["header"][number])), view)
        for after, _, weather in changes:
            if after <= tick:
                scene.advance(after - 1)
                scene.timeline.change(weather)
        shown = scene.render(tick)
        same = (scene.render(tick, raw=True) == frames["picture3d"][number]).all(-1)
        truth = np.dstack([frames["frame"][number], np.full((192, 256), 31, np.uint8)])
        differing = (shown != displayed(truth)).any(-1) & same
        if differing.any() or same.mean() < 0.5:
            wrong[f"{name}, tick {tick}"] = (int(differing.sum()), float(same.mean()))
        whole += bool(same.all())
    assert not wrong
    assert len(frames["name"]) == counts["weather_frames.npz"] and whole > 35


def test_weather_is_shown_by_default(world: FieldWorld) -> None:
    place = world.place(BLIZZARD)
    scene, bare = FieldScene(place), FieldScene(place, View(weather=0))
    states = []
    for tick in (0, 60, 300):
        shown = scene.render(tick)
        assert (shown != bare.render(tick)).any(-1).mean() > 0.5
        assert not np.array_equal(shown, displayed(scene.render(tick, raw=True)))
        states.append(scene.weather_state)
    assert len(set(states)) == 3 and not scene.damaged
    assert bare.weather_state is not None and not bare.weather_state.has_picture


def test_a_picture_without_weather_is_that_of_the_3d_engine(world: FieldWorld) -> None:
    scene = FieldScene(world.place("T01"))
    for tick in (0, 7):
        assert np.array_equal(scene.render(tick), displayed(scene.render(tick, raw=True)))
    assert scene.weather_state is not None and not scene.weather_state.has_picture


def test_going_back_in_time_repeats_the_pictures(world: FieldWorld) -> None:
    scene = FieldScene(world.place(BLIZZARD))
    pictures = {tick: scene.render(tick) for tick in (0, 60, 150, 300)}
    for tick in (150, 0, 300, 60):
        assert np.array_equal(scene.render(tick), pictures[tick])
    assert np.array_equal(FieldScene(world.place(BLIZZARD)).render(300), pictures[300])


def test_the_seed_changes_the_sprites_alone(world: FieldWorld) -> None:
    place = world.place(JUBILIFE)
    scenes = [
        FieldScene(place, View(weather=RAIN, seed=seed, layers=("terrain", "props"))) for seed in (0, 0, 2**32 - 1)
    ]
    first, again, other = (scene.render(40) for scene in scenes)
    raw, _, other_raw = (scene.render(40, raw=True) for scene in scenes)
    assert np.array_equal(first, again) and np.array_equal(raw, other_raw)
    assert 0 < (first != other).any(-1).sum() < 5000


def test_a_dark_cave_is_seen_in_a_circle(world: FieldWorld) -> None:
    lit, dark = (FieldScene(world.place(DARK), View(weather=weather)).render() for weather in (0, None))
    rows, columns = np.ogrid[:192, :256]
    distance = (columns - 128) ** 2 + (rows - 84) ** 2
    near, far = distance < 31**2, distance > 34**2
    assert np.array_equal(dark[near], lit[near]) and dark[near, :3].any()
    assert not dark[far, :3].any()


def test_fog_fades_after_a_change(world: FieldWorld) -> None:
    scene = FieldScene(world.place(JUBILIFE))
    assert not scene.registers[reg.DISP3DCNT] & reg.FOG
    scene.timeline.change(14)
    tables = []
    for tick in (60, 200):
        scene.advance(tick)
        assert scene.registers[reg.DISP3DCNT] & reg.FOG
        tables.append(scene.registers[reg.FOG_TABLE : reg.FOG_TABLE + 32])
    assert 0 < tables[0].sum() < tables[1].sum() and tables[1].tolist() == list(range(0, 128, 4))


def fogged(scene: FieldScene) -> bool:
    return bool(scene.registers[reg.DISP3DCNT] & reg.FOG)


@pytest.mark.parametrize("header", [FOG, BLIZZARD, CANALAVE_GYM])
def test_other_cameras_show_neither_weather_nor_fog(world: FieldWorld, header: int) -> None:
    place = world.place(header)
    game = FieldScene(place)
    assert fogged(game) and game.weather_state is not None
    views = [View(camera=TOP), View(camera=FREE), View(all_cells=True)]
    scenes = [FieldScene(place, view) for view in views]
    scenes += [FieldScene(place, camera=top_camera(game.target)), FieldScene(place, camera=Pose((0.0, 90.0, 0.0)))]
    for scene in scenes:
        assert not scene.view.shows_fog and not scene.view.shows_weather
        assert not any(block.registers(scene.conditions)[reg.DISP3DCNT] & reg.FOG for block in scene.blocks)
        assert scene.weather_state is None
        assert np.array_equal(scene.render(5), displayed(scene.render(5, raw=True)))


def test_the_fog_of_a_chosen_weather_is_shown_by_every_camera(world: FieldWorld) -> None:
    place = world.place(JUBILIFE)
    for view in (View(weather=RAIN, camera=TOP), View(weather=RAIN, camera=FREE), View(weather=RAIN, all_cells=True)):
        scene = FieldScene(place, view)
        assert view.shows_fog and fogged(scene)
        assert not view.shows_weather and scene.weather_state is None


def test_a_camera_that_is_set_decides_what_is_shown(world: FieldWorld) -> None:
    scene = FieldScene(world.place(BLIZZARD))
    game, shown = scene.camera, scene.render(30)
    scene.set_camera(top_camera(scene.target))
    assert not fogged(scene) and scene.weather_state is None and scene.view.camera == TOP
    scene.set_camera(game)
    assert fogged(scene) and scene.view.camera == GAME
    assert np.array_equal(scene.render(30), shown)


def test_the_save_decides_the_weather(world: FieldWorld) -> None:
    """The day selects a row of the year's table; Defog and Flash make fog and darkness clear."""
    weathers = {
        day: FieldScene(world.place(SNOWPOINT), save=fresh_save(world.game, day)).conditions.weather
        for day in range(366)
    }
    assert [list(weathers.values()).count(weather) for weather in (5, 11)] == [356, 10]
    assert {FieldScene(world.place(SNOWPOINT), View(day=day)).conditions.weather for day in (0, 1)} <= {5, 11}
    new = fresh_save(world.game)
    defog, flash = (dataclasses.replace(new, flags=new.flags | {flag}) for flag in (2427, 2426))
    for header, weather, clears, other in ((FOG, 14, defog, flash), (DARK, 16, flash, defog)):
        place = world.place(header)
        assert [Conditions(place, save=save).weather for save in (None, new, other, clears)] == [weather] * 3 + [0]
        scene = FieldScene(place, save=clears)
        assert not fogged(scene) and np.array_equal(scene.render(), displayed(scene.render(raw=True)))
        assert Conditions(place, save=clears, weather_choice=weather).weather == weather


def test_a_place_has_its_own_fog_before_that_of_the_weather(world: FieldWorld) -> None:
    place = world.place(CANALAVE_GYM)
    own = table_of(CanalaveGym, world.game.tables).fog
    scenes = [FieldScene(place), FieldScene(place, View(weather=RAIN)), FieldScene(place, View(features=False))]
    offsets = [int(scene.registers[reg.FOG_OFFSET]) for scene in scenes]
    rain = world.game.tables.weathers[RAIN].fog
    assert rain is not None and offsets == [own.offset, rain.offset, 0]
    assert scenes[0].registers[reg.FOG_TABLE : reg.FOG_TABLE + 32].tolist() == list(own.densities)
