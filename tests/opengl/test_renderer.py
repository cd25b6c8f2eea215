"""Drawing, asking and changing what is on the GPU, on the demo world and the real one."""

from __future__ import annotations

import dataclasses
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.scene.camera import Pose, free_camera
from mapexplorer.scene.conditions import Conditions
from tests.opengl.conftest import projected

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 320, 200


@pytest.fixture
def target(current: Any) -> Any:
    from mapexplorer.opengl.offscreen import RenderTarget

    made = RenderTarget(WIDTH, HEIGHT)
    yield made
    made.release()


@pytest.fixture(scope="module")
def town(demo: Any) -> Any:
    return demo.place("T01")


def above(place: Any, height: float = 300.0, **changes: float) -> Any:
    """A free camera over the middle of a place's first cell, as wide as the target."""
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.scenes import widened

    x, _, z = (value / 4096 for value in place.cells[0].centre)
    pose = Pose((x, height, z + height), **({"pitch": 50.0, "fov": 50.0} | changes))
    return widened(CameraMatrices.of_scene(free_camera(pose)), WIDTH, HEIGHT)


def state_of(place: Any, **fields: Any) -> Any:
    from mapexplorer.opengl.state import FrameState, lights_of

    return FrameState(lights=lights_of(Conditions(place), [place.light_set().value]), **fields)


def shot(renderer: Any, target: Any, camera: Any, state: Any) -> np.ndarray:
    renderer.draw(target.framebuffer, WIDTH, HEIGHT, camera, state)
    return target.pixels()


def test_equal_states_give_equal_pictures(renderer: Any, target: Any, town: Any) -> None:
    renderer.load(town)
    camera, state = above(town), state_of(town)
    first = shot(renderer, target, camera, state)
    shot(renderer, target, above(town, 500.0), dataclasses.replace(state, tick=40))
    again = shot(renderer, target, camera, state)
    np.testing.assert_array_equal(first, again)
    assert (first[..., :3].reshape(-1, 3).std(0) > 20).all()


def test_cells_come_and_go(renderer: Any, target: Any, town: Any) -> None:
    from mapexplorer.opengl.prepare import Preparer

    preparer = Preparer(town)
    camera, state = above(town, 900.0), state_of(town, background=(0.0, 0.0, 1.0))
    empty = shot(renderer, target, camera, state)
    assert (empty == (0, 0, 255, 255)).all()
    own = town.cells[0]
    renderer.add(preparer.cell(own), town.world)
    alone = shot(renderer, target, camera, state)
    neighbour = town.matrix_cells[own.x, own.z - 1]
    renderer.add(preparer.cell(neighbour), town.world)
    both = shot(renderer, target, camera, state)
    blue = [(picture == (0, 0, 255, 255)).all(-1).sum() for picture in (empty, alone, both)]
    assert blue[0] > blue[1] > blue[2]
    renderer.remove([("cell", neighbour.x, neighbour.z)])
    np.testing.assert_array_equal(shot(renderer, target, camera, state), alone)
    renderer.clear()
    np.testing.assert_array_equal(shot(renderer, target, camera, state), empty)


def test_layers_fade(renderer: Any, target: Any, town: Any) -> None:
    renderer.load(town)
    camera = above(town)
    full, half, none = (
        shot(renderer, target, camera, state_of(town, opacity={"prop": value})).astype(int) for value in (1.0, 0.5, 0.0)
    )
    changed = np.abs(full - none).max(-1) > 40
    assert changed.sum() > 1000
    middle = (full + none) / 2
    # Where a prop covers something opaque it is half seen; its own shadows blend in other orders.
    assert np.percentile(np.abs(half - middle)[changed], 80) <= 3


def test_wireframe(renderer: Any, target: Any, town: Any) -> None:
    renderer.load(town)
    camera = above(town)
    solid = shot(renderer, target, camera, state_of(town))
    lines = shot(renderer, target, camera, state_of(town, wireframe=1.0))
    black = (0, 0, 0)
    bare = (lines[..., :3] == black).all(-1)
    assert bare.mean() > (solid[..., :3] == black).all(-1).mean() + 0.2
    mixed = shot(renderer, target, camera, state_of(town, wireframe=0.6)).astype(int)
    # Between the edges the picture is left, fainter by the edges' share.
    assert np.percentile(np.abs(mixed - 0.4 * solid)[bare][:, :3], 80) <= 1
    assert np.abs(mixed - 0.4 * solid)[~bare][:, :3].mean() > 20


def test_what_lacks_its_texture_is_magenta(renderer: Any, target: Any, world: Any) -> None:
    gym = world.place(68)
    renderer.load(gym)
    camera = above(gym, 200.0)
    magenta = [
        (shot(renderer, target, camera, state_of(gym, missing=missing))[..., :3] == (255, 0, 255)).all(-1).sum()
        for missing in (False, True)
    ]
    assert magenta[0] == 0 and magenta[1] > 20


def test_night_lights_windows(renderer: Any, target: Any, town: Any) -> None:
    from mapexplorer.opengl.state import FrameState, lights_of

    renderer.load(town)
    camera = above(town)
    states = [
        FrameState(lights=lights_of(Conditions(town, hour * 3600), [town.light_set().value])) for hour in (12, 21)
    ]
    day, night = (shot(renderer, target, camera, state)[..., :3].astype(int) for state in states)
    assert night.mean() < day.mean() - 20
    brighter = (night - day)[..., 0] > 40
    assert brighter.sum() > 20, "no window is lit"


def test_water_moves_with_the_tick(renderer: Any, target: Any, demo: Any) -> None:
    place = demo.place("L01")
    renderer.load(place)
    camera = above(place)
    pictures = [
        shot(renderer, target, camera, state_of(place, tick=tick, opacity={"prop": 0.0})) for tick in (0, 5, 15, 80, 0)
    ]
    np.testing.assert_array_equal(pictures[0], pictures[1])
    assert (pictures[0] != pictures[2]).any(-1).mean() > 0.02
    np.testing.assert_array_equal(pictures[0], pictures[4])


@pytest.mark.parametrize("pixel", [(160, 100), (40, 60), (250, 150), (5, 195)])
def test_pick_answers_what_is_seen(renderer: Any, target: Any, town: Any, pixel: tuple[int, int]) -> None:
    from mapexplorer.world.cells import CELL_UNITS

    renderer.load(town, _around(town))
    camera, state = above(town), state_of(town)
    shown = shot(renderer, target, camera, state)
    pick = renderer.pick(*pixel, WIDTH, HEIGHT, camera, state)
    assert pick is not None and pick.kind in ("terrain", "prop")
    x, y, _ = projected(camera, pick.point, WIDTH, HEIGHT)
    assert (x, y) == pytest.approx((pixel[0] + 0.5, pixel[1] + 0.5), abs=0.01)
    model = pick.source.resolved.model
    assert pick.draw.material.name == model.materials[pick.draw.material.index].name
    if pick.kind == "terrain":
        centre = [value / 4096 for value in pick.source.position]
        assert abs(pick.point[0] - centre[0]) <= CELL_UNITS / 2 + 32
        assert abs(pick.point[2] - centre[2]) <= CELL_UNITS / 2 + 32
    # Asking leaves the picture alone.
    np.testing.assert_array_equal(target.pixels(), shown)
    np.testing.assert_array_equal(shot(renderer, target, camera, state), shown)


def _around(place: Any) -> list[Any]:
    own = place.cells[0]
    return [cell for cell in place.matrix_cells.values() if abs(cell.x - own.x) <= 1 and abs(cell.z - own.z) <= 1]


def test_every_prop_can_be_picked(renderer: Any, town: Any) -> None:
    """From above or, where something hides it from there, from the south."""
    from mapexplorer.opengl.camera import CameraMatrices

    renderer.load(town)
    renderer.residence.update()
    state = state_of(town, opacity={"terrain": 0.0})
    found = []
    props = [instance for instance in renderer.residence.instances if instance.layer == 1]
    # Spots of a prop's box, as shares of it: a flag does not fill the middle of its own.
    for instance, share in itertools.product(props, ((0.5, 0.5, 0.5), (0.25, 0.75, 0.5), (0.75, 0.75, 0.5))):
        low, high = instance.mesh.box
        x, y, z = ((low + (high - low) * share) * instance.scale + instance.position).tolist()
        for pose in (
            Pose((x, 400.0, z + 1), pitch=89.0, fov=20.0),
            Pose((x, y + 10, z + 40), pitch=14.0, fov=20.0, near=4.0),
            Pose((x, y + 30, z + 120), pitch=14.0, fov=20.0),
        ):
            camera = CameraMatrices.of_scene(free_camera(pose))
            place = projected(camera, (x, y, z), 200, 150)
            pick = renderer.pick(place[0], place[1], 200, 150, camera, state)
            if pick is not None and pick.source is instance.source:
                found.append(instance)
                break
    lost = [instance.mesh.resolved.model.name for instance in props if instance not in found]
    assert len(props) > 5 and not lost


def test_edges_are_marked_where_ids_meet(renderer: Any, target: Any, town: Any) -> None:
    renderer.load(town)
    camera = above(town)
    plain = shot(renderer, target, camera, state_of(town)).astype(int)
    marked = shot(renderer, target, camera, state_of(town, edge_colors=((4, 4, 4),) * 8)).astype(int)
    changed = (plain != marked).any(-1)
    assert 100 < changed.sum() < changed.size * 0.1
    # 17 parts of the line's colour (9 of 63), 15 of what was there.
    expected = (9 / 63 * 255 * 17 + plain * 15) / 32
    close = np.abs(expected - marked)[..., :3].max(-1) <= 2
    assert (close & changed).sum() > changed.sum() * 0.9
    np.testing.assert_array_equal(plain, shot(renderer, target, camera, state_of(town)))


def test_fog_hides_what_is_far(renderer: Any, target: Any, town: Any) -> None:
    from mapexplorer.games.field_tables import FogRegisters
    from mapexplorer.games.platinum import PLATINUM
    from mapexplorer.scene.camera import projection_matrix
    from mapexplorer.scene.weather.state import OPAQUE, STEADY_DENSITIES

    renderer.load(town, _around(town))
    camera = above(town, pitch=35.0)
    of_rain = PLATINUM.tables.weathers[2].fog
    fog = FogRegisters(True, of_rain.shift, of_rain.offset, of_rain.color, OPAQUE, STEADY_DENSITIES)
    state = state_of(town, fog=fog, fog_projection=projection_matrix(town.camera))
    clear, foggy = (shot(renderer, target, camera, each).astype(int) for each in (state_of(town), state))
    grey = np.array([2 * part + 1 for part in fog.color]) / 63 * 255
    near, far = HEIGHT - 20, 40
    seen = clear[..., :3].max(-1) > 0
    assert seen[near].mean() > 0.9 and seen[far].mean() > 0.5, "the far row looks into the void"
    gap, change = np.abs(foggy[..., :3] - grey).mean(-1), np.abs(foggy - clear).mean(-1)
    assert gap[far][seen[far]].mean() < gap[near][seen[near]].mean()
    assert change[far][seen[far]].mean() > change[near][seen[near]].mean() + 10


def test_nothing_is_picked_in_the_void(renderer: Any, town: Any) -> None:
    renderer.load(town)
    camera = above(town, 300.0, pitch=-60.0)
    assert renderer.pick(100, 100, WIDTH, HEIGHT, camera, state_of(town)) is None


def test_overlays_are_drawn_and_go_with_their_cell(renderer: Any, target: Any, town: Any) -> None:
    from mapexplorer.opengl.overlays import make_overlay
    from mapexplorer.world.layers import LAYERS
    from mapexplorer.world.layers.kind import CellOverlay

    renderer.load(town)
    cell = town.cells[0]
    part = CellOverlay(town, cell, town.header.id)
    for layer in LAYERS:
        renderer.overlays.add(make_overlay(cell, layer.id, part[layer]))
    camera = above(town)
    plain = shot(renderer, target, camera, state_of(town))
    shown = [layer.id for layer in LAYERS if len(part[layer].faces) or len(part[layer].lines)]
    assert {"behaviours", "collision", "plates", "grid", "events"} <= set(shown)
    for layer in shown:
        picture = shot(renderer, target, camera, state_of(town, opacity={layer: 1.0}))
        assert (np.abs(picture[..., :3].astype(int) - plain[..., :3]).max(-1) > 40).sum() > 20, layer
    renderer.remove([("cell", cell.x, cell.z)])
    assert not renderer.overlays.resident


@pytest.mark.slow
def test_whole_overworld_in_memory(rom_path: Path) -> None:
    """All 468 cells resident and drawn, in a process of its own: its peak memory, with ROM and interpreter."""
    program = """
import sys
from mapexplorer.opengl.offscreen import RenderTarget, offscreen_context
with offscreen_context():
    import numpy as np
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.renderer import FieldRenderer
    from mapexplorer.opengl.state import FrameState, lights_of
    from mapexplorer.scene.conditions import Conditions
    from mapexplorer.world.world import FieldWorld
    world = FieldWorld.open(sys.argv[1])
    place = world.place(411)
    renderer = FieldRenderer()
    renderer.initialize()
    renderer.load(place, place.matrix_cells.values())
    target = RenderTarget(1280, 800)
    state = FrameState(lights=lights_of(Conditions(place), range(3)))
    view = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0], [-7680, 7680, -3000]], float)
    projection = np.diag([2 / 24576, 2 / 15360, -2 / 6000, 1.0])
    projection[3, 2] = -1
    renderer.draw(target.framebuffer, 1280, 800, CameraMatrices(view, projection), state)
    shown = (target.pixels()[..., :3] > 0).any(-1).mean()
    with open("/proc/self/status") as lines:  # of this program alone; getrusage counts the process that started it
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024
    print(len(renderer.residence.groups), len(renderer.residence.instances), round(shown, 3), peak)
"""
    done = subprocess.run([sys.executable, "-c", program, str(rom_path)], capture_output=True, text=True, check=True)
    cells, instances, shown, peak = done.stdout.split()
    assert int(cells) == 468
    assert int(instances) == 969
    assert float(shown) > 0.2
    assert int(peak) <= 1200


def test_demo_world_is_drawn(renderer: Any, target: Any, demo: Any) -> None:
    drawn = 0
    for header in demo.headers:
        place = demo.place(header.id)
        if not place.cells:
            continue
        renderer.clear()
        renderer.load(place)
        picture = shot(renderer, target, above(place), state_of(place))
        assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 20
        drawn += 1
    assert drawn >= 1
