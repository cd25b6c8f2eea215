"""OpenGL's pictures against the DS's, by the measure of benchmarks/gl_against_ds.py."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.gl

# Header, tile, hour, tick, people, weather: indoors (parallel camera), towns, night, fog by weather, animation, a place
# whose terrain lacks palettes, columns and rows of texels that are as wide and high as pixels, rocks and flowers whose
# animations are at their end on entering.
MOMENTS = (
    (411, (105, 876), 12, 0, False, 0),
    (20, (8, 3), 12, 0, False, 0),
    (96, (7, 10), 20, 0, False, 0),
    (172, (842, 599), 12, 0, False, 0),
    (433, (553, 646), 20, 0, False, 0),
    (68, (16, 29), 12, 0, False, 0),
    (3, (180, 756), 14, 77, True, 0),
    (411, (105, 876), 20, 100, True, 5),
    (433, (553, 646), 12, 45, True, 27),
    (6, (8, 12), 12, 100, False, 0),
    (433, (564, 664), 12, 0, True, 0),
    (211, None, 12, 0, True, 0),
    (472, None, 12, 0, True, 0),
    (577, None, 12, 0, True, 0),
    (583, None, 12, 0, True, 0),
)

WEATHERS = (
    (259, 1), (382, 2), (340, 5), (210, 6), (385, 7), (350, 8), (262, 9), (406, 10), (220, 13), (518, 14), (284, 16),
    (203, 23), (308, 26), (270, 27), (212, 29), (387, 30),
)  # fmt: skip
"""Headers and their weathers on 1 January."""

TILES = {210: (45, 21)}
"""Where a header is looked at whose default picture has edges on more pixels than a comparison may leave out."""

CHANGES = ((0, 4, 40), (2, 14, 150), (10, 0, 60), (0, 16, 25), (16, 1, 20), (7, 5, 30), (5, 11, 300), (0, 12, 200))
"""Changes of the weather: from, to, and the tick of the picture."""

DEMO_MOMENTS = (
    ("T01", (7, 35), 12),
    ("T01", (7, 35), 20),
    ("L01", (51, 52), 12),
    ("T01R0101", (15, 18), 12),
    ("D01R0101", (9, 23), 20),
)


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment[0]}-{moment[2]}h-tick{moment[3]}")
def test_picture_is_close_to_the_console_s(
    current: Any, comparison: ModuleType, world: Any, moment: tuple[int, tuple[int, int] | None, int, int, bool, Any]
) -> None:
    header, tile, hour, tick, people, weather = moment
    comparer = comparison.Comparer(world)
    ds, gl, attributes = comparer.pictures(header, hour, tick, at=tile, people=people, weather=weather)
    result = comparison.compare(ds, gl, attributes)
    assert result.holds, result
    assert len(np.unique(gl.reshape(-1, 4), axis=0)) > 20, "the picture shows nothing"


@pytest.mark.xdist_group("gl")
def test_edges_have_no_texels_from_beyond_the_polygon(current: Any, comparison: ModuleType, world: Any) -> None:
    """The rocks of the Distortion World and its ground are parts of one picture, blue and red: along the tops of rocks
    no pixel is red."""
    comparer = comparison.Comparer(world)
    ds, gl, _ = comparer.pictures(574, 12, 0, at=None, people=False, weather=0)
    (red, _, blue), (gl_red, _, gl_blue) = (np.moveaxis(picture[..., :3].astype(int), 2, 0) for picture in (ds, gl))
    full = max(red.max(), blue.max())
    rocks, ground = blue - red > full // 4, gl_red - gl_blue > full // 8
    assert rocks.sum() > 2_000 and ground.sum() > 2_000
    assert (rocks & ground & (gl_red > full // 3)).sum() <= 2


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize(("name", "tile", "hour"), DEMO_MOMENTS)
def test_picture_of_the_demo_world_is_close_to_the_console_s(
    current: Any, comparison: ModuleType, demo: Any, name: str, tile: tuple[int, int], hour: int
) -> None:
    comparer = comparison.Comparer(demo)
    ds, gl, attributes = comparer.pictures(demo.place(name).header.id, hour, 0, at=tile, people=True, weather=0)
    result = comparison.compare(ds, gl, attributes)
    assert result.holds, result
    assert len(np.unique(gl.reshape(-1, 4), axis=0)) > 20, "the picture shows nothing"


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize(("header", "weather"), WEATHERS)
def test_weather_is_close_to_the_console_s(
    current: Any, comparison: ModuleType, world: Any, header: int, weather: int
) -> None:
    comparer = comparison.Comparer(world)
    for tick in (0, 60):
        ds, gl, attributes = comparer.pictures(header, 12, tick, at=TILES.get(header), weather=None)
        ds_without, gl_without, _ = comparer.pictures(header, 12, tick, at=TILES.get(header))
        assert comparison.compare(ds, gl, attributes).holds, tick
        # A white plane behind the field is seen only where the field has a hole.
        assert (gl != gl_without).any() == (ds != ds_without).any(), "the weather is seen in one picture"
        assert (ds != ds_without).any() or weather in (8, 13), "the weather is not seen"
    assert world.weather(world.headers[header], 0).value == weather


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize(("rom", "place", "tile"), [("demo", "F01", (43, 6)), ("world", "T01", (105, 876))])
@pytest.mark.parametrize(("old", "new", "tick"), CHANGES)
def test_changes_of_the_weather_are_close_to_the_console_s(
    current: Any,
    comparison: ModuleType,
    request: pytest.FixtureRequest,
    rom: str,
    place: str,
    tile: tuple[int, int],
    old: int,
    new: int,
    tick: int,
) -> None:
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View

    world = request.getfixturevalue(rom)
    comparer = comparison.Comparer(world)
    scene = FieldScene(world.place(place), View(layers=("terrain", "props"), at=tile, weather=old))
    scene.advance(10)
    scene.timeline.change(new)
    ds, gl, attributes = comparer.pictures_of(scene, tick)
    assert scene.weather_state.step < 6 or scene.weather_state.active == new
    result = comparison.compare(ds, gl, attributes)
    assert result.holds, result


@pytest.mark.slow
@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize("people", [False, True])
def test_every_19th_place_at_two_hours(current: Any, comparison: ModuleType, world: Any, people: bool) -> None:
    comparer = comparison.Comparer(world)
    found = [
        (header, hour, comparer.compare(header, hour, people=people))
        for header in comparison.places(world, 19)
        for hour in comparison.HOURS
    ]
    assert len(found) == 62
    assert not [(header, hour, result) for header, hour, result in found if not result.holds]


def default_pictures(world: Any, header: int, hour: int) -> tuple[Any, Any]:
    """The default pictures of a map at an hour, of the DS engine and of OpenGL, red, green and blue as integers."""
    from mapexplorer.opengl.scenes import SceneView
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View

    scene, view = FieldScene(world.place(header), View(hour * 3600)), SceneView()
    ds, gl = scene.render(), view.draw(scene)
    return ds[..., :3].astype(int), gl[..., :3].astype(int)


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize("header", [288, 354, 350, 172])
def test_no_hole_along_edges_shows_the_backdrop(current: Any, world: Any, header: int) -> None:
    """Behind these maps is a white plane. A few pixels at the rim of the picture may differ, where polygons are cut."""
    ds, gl = default_pictures(world, header, 21)
    assert ((gl.min(2) >= 248) & (ds.min(2) < 224)).sum() <= 4


@pytest.mark.xdist_group("gl")
def test_polygons_seen_from_their_side_close_the_slit_of_a_machine(current: Any, world: Any) -> None:
    """The slits between the halves of the Global Terminal's machines, 130 rows high, show the floor unless the walls
    in them, which have no width on the screen, are drawn."""
    ds, gl = default_pictures(world, 28, 12)
    slit = np.abs(ds - gl)[40:180, 215:218].max(2) > 24
    assert slit.sum() <= 20


@pytest.mark.xdist_group("gl")
def test_edges_are_marked_on_the_borders_of_polygons_only(current: Any, world: Any) -> None:
    """A hall with 90 people, whose outlines are in their textures. What remains is at edges that are not smoothed."""
    ds, gl = default_pictures(world, 569, 12)
    assert (np.abs(ds - gl).max(2) > 24).mean() <= 0.02


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize("header", [6, 28, 121, 139, 198, 200, 206, 267, 307, 315, 354, 461, 562, 577, 585])
def test_default_picture_is_the_console_s_but_for_few_blocks(
    current: Any, comparison: ModuleType, world: Any, header: int
) -> None:
    assert comparison.differing_blocks(*default_pictures(world, header, 12)) <= comparison.MOST_BLOCKS


def test_measure_sees_a_shifted_picture(comparison: ModuleType) -> None:
    random = np.random.default_rng(3)
    raw = random.integers(0, 64, (192, 256, 4), np.uint8)
    shown = raw << 2 | raw >> 4
    attributes = np.zeros((192, 256), np.uint32)
    assert comparison.compare(raw, shown, attributes).holds
    assert not comparison.compare(raw, np.roll(shown, 1, axis=1), attributes).holds
    attributes[:, ::3] = 1  # with neighbours that would be everything, so that only the edges are left out
    assert comparison.left_out(attributes).mean() == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.xdist_group("gl")
@pytest.mark.parametrize(("back", "height", "pitch"), [(260, 60, 8.0), (420, 200, 22.0), (120, 90, 30.0)])
def test_people_are_hidden_by_what_hides_them_on_the_console(
    current: Any, world: Any, back: float, height: float, pitch: float
) -> None:
    from mapexplorer.opengl.scenes import SceneView
    from mapexplorer.scene.camera import Pose
    from mapexplorer.scene.field_objects import FieldObjects, instance_of
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View
    from mapexplorer.world.save import fresh_save

    place = world.place(411)
    view, seen = SceneView(), 0
    objects = FieldObjects(place, fresh_save(world.game)).of(411).objects
    for figure in map(instance_of, objects):
        x, y, z = (value / 4096 for value in figure.position)
        pose = Pose((x, y + height, z + back), pitch=pitch, fov=40.0, near=4.0, far=2400.0)
        masks = []
        for draw in (lambda scene: scene.render(), view.draw):
            with_people, without = (
                draw(
                    FieldScene(place, View(layers=layers, at=(x // 16, z // 16), weather=0), camera=pose),
                )[..., :3].astype(int)
                for layers in (("terrain", "props", "people"), ("terrain", "props"))
            )
            masks.append(np.abs(with_people - without).max(2) > 24)
        ds, gl = masks
        near = np.logical_or.reduce([np.roll(ds, (dy, dx), (0, 1)) for dy in (-2, 0, 2) for dx in (-2, 0, 2)])
        assert (gl & ~near).sum() <= 12, figure
        seen += int(ds.sum())
    assert seen > 300
