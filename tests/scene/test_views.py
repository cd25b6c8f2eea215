"""People, passes over all cells, posters and reasons, on the real ROM."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mapexplorer.errors import PlaceError
from mapexplorer.export.poster_bands import Poster, header_of_matrix
from mapexplorer.export.request import PosterRequest
from mapexplorer.export.run import run
from mapexplorer.inspector.places.pixel import sentences
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.camera import SceneCamera, top_camera
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.passes import merged
from mapexplorer.scene.pixel_trace import trace_pixel
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import fresh_save
from tests.scene.conftest import figures


def pixel_of(camera: SceneCamera, position: tuple[int, int, int]) -> tuple[int, int]:
    view = np.eye(4)
    view[:, :3] = np.array(camera.view, float).reshape(4, 3) / 4096
    clip = np.array([*(value / 4096 for value in position), 1.0]) @ view
    clip = clip @ (np.array(camera.projection, float).reshape(4, 4) / 4096)
    return round((clip[0] / clip[3] + 1) * 128), round((1 - clip[1] / clip[3]) * 96)


def test_people_stand_on_the_ground_where_events_put_them(world: FieldWorld) -> None:
    count = 0
    for header in world.headers[::7]:
        place = world.place(header.id)
        events = world.events(header.id)
        if events is None or not place.cells:
            continue
        objects = FieldObjects(place, fresh_save(world.game).showing_all()).of(header.id).objects
        for event, mover in zip(events.objects, objects, strict=True):
            x, y, z = mover.position
            assert (x, z) == ((16 * int(event["x"]) + 8) * 4096, (16 * int(event["z"]) + 8) * 4096)
            ground = place.terrain.height_fx(x, z, int(event["y"]))
            assert y == (ground.fx32 if ground.found else int(event["y"]))
            count += 1
    assert count > 300


def test_a_person_is_drawn_where_he_stands_and_turns(world: FieldWorld) -> None:
    empty = FieldScene(world.place("T01"), View(at=(110, 875), layers=("terrain", "props")))
    scene = FieldScene(world.place("T01"), View(at=(110, 875), layers=("terrain", "props", "player")))
    x, y = pixel_of(scene.camera, scene.target)
    changed = (scene.render() != empty.render()).any(-1)
    rows, columns = np.nonzero(changed)
    assert abs(columns.mean() - x) < 3 and y - 30 < rows.mean() < y
    pictures = []
    for direction in range(4):
        scene.set_player(ObjectInstance(0, scene.target, direction))
        pictures.append(scene.render())
    assert all(not np.array_equal(one, other) for i, one in enumerate(pictures) for other in pictures[:i])


def test_shadows_go_by_the_time_of_day(world: FieldWorld) -> None:
    layers = ("player",)
    sizes = []
    for hour in (2, 12):
        scene = FieldScene(world.place("T01"), View(hour * 3600, at=(110, 875), layers=layers))
        picture = scene.render(raw=True)
        alphas = picture[..., 3]
        sizes.append((int(((alphas > 0) & (alphas < 31)).sum()), int(alphas[(alphas > 0) & (alphas < 31)].max())))
    assert sizes[0][0] < sizes[1][0], "a shadow is wider at noon than late at night"


def test_the_nearest_surface_of_several_passes_counts() -> None:
    def frame(value: int, alpha: int, depth: int) -> tuple[np.ndarray, np.ndarray]:
        return np.full((192, 256, 4), (value, value, value, alpha), np.uint8), np.full((192, 256), depth, np.uint32)

    for order in ((0, 1), (1, 0)):
        frames = [frame(50, 31, 100), frame(10, 31, 200)]
        found, _ = merged(merged(None, *frames[order[0]]), *frames[order[1]])
        assert found[0, 0].tolist() == [50, 50, 50, 31]
    found, _ = merged(merged(None, *frame(62, 31, 300)), *frame(0, 15, 200))
    assert 28 <= found[5, 5, 0] <= 33 and found[5, 5, 3] == 31, "translucent pixels let light through"
    found, _ = merged(merged(None, *frame(40, 31, 300)), *frame(0, 0, 0xFFFFFF))
    assert found[0, 0].tolist() == [40, 40, 40, 31], "a frame with nothing changes nothing"


def test_all_cells_are_drawn_with_more_polygons_than_the_engine_holds(world: FieldWorld) -> None:
    scene = FieldScene(world.place(3), View(weather=0, layers=("terrain", "props"), all_cells=True))
    scene.set_camera(top_camera((4 * 512 * 4096, 0, 24 * 512 * 4096), 1 / 16))
    polygons = sum(drawing.model.resolved.model.polygon_count for block in scene.blocks for drawing in block.drawings)
    assert polygons > 2048 and len(scene.blocks) > 1
    picture = scene.render(raw=True)
    seen = 0
    for cell in scene.place.matrix_cells.values():
        x, y = pixel_of(scene.camera, cell.centre)
        if 0 <= x < 256 and 0 <= y < 192:
            assert picture[y, x, 3] == 31, f"{cell} is missing"
            seen += 1
    assert seen > 20


def test_all_cells_agree_with_the_resident_ones_in_the_middle(world: FieldWorld) -> None:
    place = world.place("T01")
    resident = FieldScene(place, View(at=(110, 875), weather=0)).render()
    everything = FieldScene(place, View(at=(110, 875), weather=0, all_cells=True)).render()
    assert (resident[60:140, 60:200] == everything[60:140, 60:200]).all(-1).mean() > 0.97


def test_frames_of_a_poster_meet(world: FieldWorld) -> None:
    scene = FieldScene(world.place("T01"), View(at=(110, 875), weather=0, layers=("terrain", "props"), all_cells=True))

    def frame(x: int, z: int) -> np.ndarray:
        scene.set_camera(top_camera((x * 4096, 0, z * 4096)))
        return scene.render().astype(int)

    x, z = 1750, 14000
    overlaps = [
        (frame(x, z)[8:-8, 242:254], frame(x + 240, z)[8:-8, 2:14]),
        (frame(x, z)[178:190, 8:-8], frame(x, z + 176)[2:14, 8:-8]),
    ]
    for one, other in overlaps:
        assert one.max() > 0
        assert (np.abs(one - other).max(-1) > 40).mean() < 0.05


def poster_request(world: FieldWorld, matrix: int, **options: Any) -> PosterRequest:
    """A request for a matrix by its number."""
    return PosterRequest(place=header_of_matrix(world, matrix), matrix=matrix, output=Path("poster.png"), **options)


def test_poster_files_are_whole_and_the_same_for_any_number_of_jobs(
    world: FieldWorld, rom_path: Path, tmp_path: Path
) -> None:
    plan = poster_request(world, 240, cell_pixels=64, grid=True, names=True, collision=True)
    files = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.png"
        facts = run(replace(plan, output=path, jobs=jobs), world).facts
        assert (facts["width"], facts["height"]) == (256, 320)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    with Image.open(tmp_path / "1.png") as picture:
        picture.load()
        assert (picture.size, picture.mode) == ((256, 320), "RGB")
    poster = Poster(world, plan)
    assert sum(len(poster.band(number)) for number in range(poster.bands)) == poster.height == 320


def test_cells_without_land_stay_empty(world: FieldWorld) -> None:
    plan = poster_request(world, 0, cell_pixels=32)
    poster = Poster(world, plan)
    pixels = np.concatenate([poster.band(number) for number in range(3)])
    cells = poster.place.matrix_cells
    for z in range(1, len(pixels) // 32 - 1):
        for x in range(1, 29):
            around = [(x + i, z + j) in cells for i in (-1, 0, 1) for j in (-1, 0, 1)]
            tile = pixels[32 * z + 4 : 32 * z + 28, 32 * x + 4 : 32 * x + 28]
            empty = (tile == tile[0, 0]).all() and tuple(tile[0, 0].tolist()) == (12, 12, 18)
            if all(around):
                assert not empty, f"cell ({x}, {z}) is missing"
            elif not any(around):
                assert empty, f"cell ({x}, {z}) has no land"


@pytest.mark.parametrize("number", [573, 574, 580])
@pytest.mark.parametrize("whole", [False, True])
def test_a_poster_of_stacked_maps_has_the_land_below_whole_and_the_sky(
    world: FieldWorld, number: int, whole: bool
) -> None:
    """What the poster of the floor below draws of its land is drawn, moved, and nothing else reaches the borders."""
    plan = PosterRequest(place=number, cell_pixels=64, whole_matrix=whole, output=Path("a.png"), layers=("terrain",))
    poster = Poster(world, plan)
    feature = FieldScene(world.place(number)).conditions.feature
    assert feature is not None
    (below, (east, _, south)) = next(iter(feature.lands().items()))
    other = Poster(world, replace(plan, place=below, features=False))
    region, land = poster.region, other.region
    pixels, drawn = drawn_of(poster), drawn_of(other) != (12, 12, 18)
    down, across = np.nonzero(drawn.any(-1))
    down += land.upper + south * 64 // (512 * 4096) - region.upper
    across += land.left + east * 64 // (512 * 4096) - region.left
    assert min(down.min(), across.min()) > 0 and down.max() < len(pixels) - 1 and across.max() < poster.width - 1
    sky = drawn_of(Poster(world, replace(plan, layers=()), region))
    assert len(np.unique(sky.reshape(-1, 3), axis=0)) > 8 and not (sky == (12, 12, 18)).all(-1).any()
    assert (pixels[down, across] != sky[down, across]).any(-1).mean() > 0.97  # frames meet elsewhere
    border = np.ones(pixels.shape[:2], bool)
    border[1:-1, 1:-1] = False
    assert np.array_equal(pixels[border], sky[border])


def test_a_poster_shows_the_people_of_its_moment(world: FieldWorld) -> None:
    """The restaurant has guests in the evening, the map before any script all of them."""
    evening = PosterRequest(place=337, cell_pixels=128, layers=("people",), second=20 * 3600, output=Path("a.png"))
    plans = evening, replace(evening, second=8 * 3600), replace(evening, save="new")
    region = Poster(world, evening).region
    shown = [(drawn_of(Poster(world, plan, region)) != (12, 12, 18)).any(-1).sum() for plan in plans]
    assert shown[1] < shown[0] < shown[2]


def drawn_of(poster: Poster) -> np.ndarray:
    """The pixels of a poster."""
    return np.concatenate([poster.band(number) for number in range(poster.bands)])


def test_poster_options_are_checked(world: FieldWorld) -> None:
    with pytest.raises(ValueError, match="steps of 16"):
        poster_request(world, 0, cell_pixels=500)
    with pytest.raises(PlaceError):
        header_of_matrix(world, 9999)


def test_reasons_of_pixels(world: FieldWorld) -> None:
    scene = FieldScene(world.place("T01"), View(at=(110, 876), weather=0))
    picture = scene.render(raw=True)
    agreeing = 0
    spots = [(x, y) for y in range(20, 190, 40) for x in range(20, 250, 40)]
    for x, y in spots:
        reason = trace_pixel(scene, x, y)
        assert list(reason.color) == picture[y, x].tolist()
        seen = [surface for surface in reason.surfaces if surface.seen]
        assert seen, (x, y)
        agreeing += any(list(surface.color) == picture[y, x].tolist() for surface in seen)
        assert sum(line.startswith("polygon ") for line in sentences(reason)) == len(seen)
    assert agreeing >= 0.8 * len(spots), "most pixels show one opaque polygon just as it looks alone"
    scene = FieldScene(world.place("T01"), View(at=(108, 870), weather=0))
    person = next(figure for figure in figures(scene) if figure.event == 3)
    x, y = pixel_of(scene.camera, person.position)
    words = "\n".join(sentences(trace_pixel(scene, x, y - 8)))
    assert f"person {person.graphics}" in words and "object event 3 of header 411" in words
    with pytest.raises(ValueError, match="screen"):
        trace_pixel(scene, 256, 0)


def test_scene_arguments_are_checked(world: FieldWorld) -> None:
    place = world.place("T01")
    for arguments in ({"second": 86400}, {"layers": ("sky",)}, {"camera": "side"}):
        with pytest.raises(ValueError):
            FieldScene(place, View(**arguments))  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        FieldScene(place).advance(-1)


@pytest.mark.slow
def test_every_place_at_four_hours(world: FieldWorld) -> None:
    count = 0
    for header in world.headers:
        place = world.place(header.id)
        if not place.cells:
            continue
        scene = FieldScene(place, View(0))
        for hour in (0, 6, 12, 20):
            scene.set_second(hour * 3600)
            assert scene.render(1).shape == (192, 256, 4)
        count += 1
    assert count == 576


def test_a_pixel_of_all_cells_is_explained_by_the_nearest_pass(world: FieldWorld) -> None:
    scene = FieldScene(world.place("T01"), View(at=(110, 876), weather=0, all_cells=True))
    one = FieldScene(world.place("T01"), View(at=(110, 876), weather=0))
    for x, y in ((60, 20), (150, 120), (160, 115)):
        seen = [[surface for surface in trace_pixel(each, x, y).surfaces if surface.seen] for each in (scene, one)]
        names = [[surface.part.drawing.model.resolved.model.name for surface in surfaces] for surfaces in seen]
        assert names[0] == names[1]


def test_a_door_opens_when_it_is_told_to(world: FieldWorld) -> None:
    scene = FieldScene(world.place("T01"), View(at=(105, 876), weather=0, layers=("terrain", "props")))
    closed = scene.render()
    cell = next(cell for cell in scene.block.cells if (cell.x, cell.z) == (3, 27))
    doors = [prop for prop in scene.block.place.props(cell) if prop.model == 67]
    assert len(doors) > 1
    door = min(doors, key=lambda prop: abs(prop.position[0] // 65536 - 105) + abs(prop.position[2] // 65536 - 875))
    length = scene.play(door, 0)
    assert np.array_equal(scene.render(0), closed), "at its first frame it is closed"
    opened = scene.render(length - 1)
    assert not np.array_equal(opened, closed)
    assert np.array_equal(scene.render(length + 50)[80:, :], opened[80:, :]), "it stays open"
    length = scene.play(door, 1)
    later = scene.tick + length
    untouched = FieldScene(world.place("T01"), View(at=(105, 876), weather=0, layers=("terrain", "props")))
    assert np.array_equal(scene.render(later), untouched.render(later)), "it is closed again"
    with pytest.raises(ValueError, match="no animation"):
        scene.play(door, 9)
