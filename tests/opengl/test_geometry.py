"""What needs no OpenGL: meshes, the order of what blends, cameras, overlays."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from formats.nds import gx
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.gpu import Engine
from mapexplorer.gpu.state import MADE_BY_CLIPPING
from mapexplorer.opengl.blending import blended_order
from mapexplorer.opengl.camera import CameraMatrices, narrowed
from mapexplorer.opengl.clip_matrices import clip_matrices
from mapexplorer.opengl.mesh import POLYGON, build_mesh
from mapexplorer.opengl.overlays import make_overlay
from mapexplorer.opengl.prepare import Prepared, Preparer
from mapexplorer.scene.camera import Pose, free_camera, game_camera
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.model_resolver import ModelResolver, place_cell
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world.layers import LAYERS
from mapexplorer.world.layers.kind import CellOverlay
from tests.opengl.conftest import projected

PLACES = (3, 33, 96, 172, 294, 411, 433)
"""Headers of the real ROM; of the demo world all are taken."""


def test_nothing_of_this_loads_opengl() -> None:
    names = ", ".join(part.__module__ for part in (blended_order, narrowed, build_mesh, make_overlay, Preparer))
    code = f"import sys, {names}; print('OpenGL' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def is_real(world: Any) -> bool:
    return len(world.headers) > PLACES[-1]


def dressed_models(world: Any) -> dict[int, Any]:
    found = {}
    headers = PLACES if is_real(world) else range(len(world.headers))
    for header in headers:
        resolver = ModelResolver(Conditions(world.place(header), None))
        for terrain, props in (place_cell(resolver, cell) for cell in resolver.place.cells):
            for placed in (terrain, *props):
                found[id(placed.resolved)] = placed.resolved
    return found


def test_meshes_hold_every_triangle(either: Any) -> None:
    models = dressed_models(either)
    blended = 0
    for resolved in models.values():
        mesh = build_mesh(resolved)
        opaque = translucent = 0
        for draw in resolved.draws().draws:
            geometry = decode_shape(resolved.model.shapes[draw.shape].commands, draw.scale)
            triangles = geometry.counts[0, 1] + 2 * geometry.counts[0, 2]
            form = draw.material.texture.format if draw.material.texture is not None else 0
            opaque += triangles if draw.material.alpha == 31 else 0
            translucent += triangles if draw.material.alpha < 31 or form in (1, 6) else 0
        assert len(mesh.indices) == 3 * opaque
        assert (mesh.blended["count"] - 2).sum() == translucent
        assert sum(part.count for part in mesh.ranges) == len(mesh.indices)
        assert sum(part.polygons for part in mesh.ranges) == len(mesh.corners)
        triangles = mesh.corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)
        whole = triangles[triangles[:, 1] != triangles[:, 2]]
        assert np.array_equal(whole, mesh.indices.reshape(-1, 3))
        assert len(mesh.blended_vertices) == mesh.blended["count"].sum()
        if len(mesh.indices):
            assert mesh.indices.max() < len(mesh.vertices)
        blended += translucent
    least = (60, 200) if is_real(either) else (30, 40)
    assert len(models) > least[0] and blended > least[1]


def test_quads_of_what_blends_stay_whole(either: Any) -> None:
    """The polygons that blend are the console's: as many quads as the shapes draw, corners in order."""
    seen = 0
    for resolved in dressed_models(either).values():
        mesh = build_mesh(resolved)
        quads = 0
        for draw in resolved.draws().draws:
            form = draw.material.texture.format if draw.material.texture is not None else 0
            if draw.material.alpha < 31 or form in (1, 6):
                quads += decode_shape(resolved.model.shapes[draw.shape].commands, draw.scale).counts[0, 2]
        assert (mesh.blended["count"] == 4).sum() == quads
        seen += quads
    assert seen > (100 if is_real(either) else 20)


def polygons(random: np.random.Generator, count: int) -> np.ndarray:
    made = np.zeros(count, POLYGON)
    made["count"] = random.integers(3, 5, count)
    made["first"] = np.cumsum(made["count"]) - made["count"]
    made["attributes"] = random.integers(0, 4, count) << 24 | random.integers(0, 2, count) << 11
    made["corners"] = random.normal(size=(count, 4, 3)) * (8, 6, 3) - (0, 0, 20)
    made["instance"] = random.integers(0, 3, count)
    return made


def test_order_is_the_console_s() -> None:
    random = np.random.default_rng(8)
    made = polygons(random, 400)
    offsets, scales = random.normal(size=(3, 3)), np.ones((3, 3))
    shown = np.array([True, False, True])
    projection = np.array([[1.5, 0, 0, 0], [0, 2.0, 0, 0], [0, 0, -1.1, -1], [0, 0, -2.0, 0]])
    elements, runs = blended_order(made, offsets, scales, shown, projection, 192)
    keys = []
    for number, polygon in enumerate(made):
        if not shown[polygon["instance"]]:
            continue
        corners = polygon["corners"][: polygon["count"]] + offsets[polygon["instance"]]
        clip = np.concatenate([corners, np.ones((len(corners), 1))], axis=1) @ projection
        x, y, w = clip[:, 0], clip[:, 1], clip[:, 3]
        if any(side.all() for side in (x > w, x < -w, y > w, y < -w)):
            continue
        lines = np.floor((w - y) * 192 / (2 * w)).clip(0, 192)
        keys.append((lines.max(), lines.min(), number))
    order = [number for _, _, number in sorted(keys)]
    assert len(order) > 200
    expected = []
    for number in order:
        first, count = int(made["first"][number]), int(made["count"][number])
        for corner in range(2, count):
            expected += [first, first + corner - 1, first + corner]
    assert elements.tolist() == expected
    whole, whole_runs = blended_order(made, offsets, scales, shown, projection, 192, whole=True)
    firsts, counts = made["first"][order], made["count"][order]
    assert np.array_equal(whole.reshape(-1, 4)[:, 0], firsts)
    assert np.array_equal(whole.reshape(-1, 4)[:, 3], firsts + counts - 1)
    assert sum(run.count for run in whole_runs) == len(whole)
    states = [(run.polygon_id, run.writes_depth) for run in runs]
    assert all(a != b for a, b in itertools.pairwise(states))
    assert sum(run.count for run in runs) == len(elements)
    assert runs[0].first == 0 and all(a.first + a.count == b.first for a, b in itertools.pairwise(runs))


def test_nothing_blends_nothing() -> None:
    empty = np.zeros(0, POLYGON)
    elements, runs = blended_order(empty, np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, bool), np.eye(4), 192)
    assert len(elements) == 0 and runs == []


@pytest.mark.parametrize("kind", ["perspective", "parallel", "free"])
def test_camera_there_and_back(demo: Any, kind: str) -> None:
    table = demo.camera_table.value
    if kind == "free":
        camera = CameraMatrices.of_scene(free_camera(Pose((100.0, 200.0, 300.0), yaw=30.0, pitch=20.0)))
        assert camera.eye == pytest.approx((100, 200, 300), abs=0.05)
    else:
        row = next(row for row in table if row.orthographic == (kind == "parallel"))
        camera = CameraMatrices.of_scene(game_camera(row, (1000 * 4096, 0, 2000 * 4096)))
        assert projected(camera, (1000, 0, 2000), 256, 192) == pytest.approx((128, 96, 0.9), abs=0.7)
    random = np.random.default_rng(1)
    for x, y in random.uniform((0, 0), (256, 192), (50, 2)):
        start, direction = camera.ray(x, y, 256, 192)
        far = start + direction * random.uniform(10, 500)
        assert projected(camera, far, 256, 192)[:2] == pytest.approx((x, y), abs=1e-3)
        narrow = narrowed(camera, x, y, 256, 192)
        assert projected(narrow, far, 1, 1)[:2] == pytest.approx((0.5, 0.5), abs=1e-3)


def groups(scene: FieldScene) -> Iterator[Prepared]:
    """All that a scene draws at first."""
    for number, block in enumerate(scene.blocks):
        preparer = Preparer(block.place)
        preparer.set_feature(scene.conditions.feature)
        yield preparer.lands(block.lands, number)
        yield preparer.run_time_props(block.run_time_props, number)
        yield from map(preparer.cell, block.cells)
        if block.object_events is not None:
            yield preparer.people(block.object_events.drawings(0), number)


@pytest.mark.parametrize("header", [3, 8, 28, 188, 354, 562, 580])
def test_vertices_are_where_the_geometry_engine_puts_them(world: Any, header: int) -> None:
    """Terrain, props, billboards of both kinds, mixed nodes and people, under perspective and parallel projections."""
    scene = FieldScene(world.place(header), View())
    camera = CameraMatrices.of_scene(scene.camera)
    places: set[tuple[int, ...]] = set()
    for group in groups(scene):
        for number, instance in enumerate(group.instances):
            mesh, count = instance.mesh, len(instance.mesh.matrix_rows)
            pose = mesh.matrix_rows if mesh.attached is None else mesh.posed(0)[1]
            position, scale = (np.repeat(each[[number]], count, 0) for each in (group.positions, group.scales))
            matrices = clip_matrices(pose, position, scale, np.full(count, instance.biased), camera)
            for vertices in (mesh.vertices, mesh.blended_vertices):
                rows = vertices["rows"] >> 16
                fixed = np.rint(vertices["position"] * 4096 * 4096 / pose[rows, 23, None].astype(float))
                columns = matrices.reshape(-1, 4, 4)[rows].astype(np.int64)
                clip = (np.einsum("ni,nij->nj", fixed.astype(np.int64), columns[:, :3]) >> 12) + columns[:, 3]
                places.update(map(tuple, clip.tolist()))
    engine = Engine()
    engine.execute(np.concatenate([scene.commands(0), np.array([gx.SWAP_BUFFERS, 0], np.uint32)]))
    corners = engine.geometry.vertices
    corners = corners[corners[:, MADE_BY_CLIPPING] == 0][:, :4]
    assert len(corners) > 500
    assert sum(tuple(corner) not in places for corner in corners.tolist()) <= len(corners) // 50


def test_boxes_in_view() -> None:
    camera = CameraMatrices.of_scene(free_camera(Pose((0.0, 0.0, 0.0), pitch=0.0, fov=60.0, near=1.0, far=100.0)))
    low = np.array([[-1, -1, -11], [-1, -1, 9], [-1, -1, -211], [80, -1, -11], [-500, -500, -500.0]])
    high = low + 2
    high[4] = 500
    assert camera.visible(low, high).tolist() == [True, False, False, False, True]


def test_layers_become_triangles_and_lines_around_the_middle_of_their_cell(demo: Any) -> None:
    place = demo.place("L01")
    part = CellOverlay(place, place.cells[0], place.header.id)
    seen = 0
    for layer in LAYERS:
        shapes, made = part[layer], make_overlay(part.cell, layer.id, part[layer])
        triangles, lines = (records["position"] + np.array(made.origin) for records in (made.triangles, made.lines))
        assert triangles.reshape(-1, 6, 3) == pytest.approx(shapes.faces[:, [0, 1, 2, 0, 2, 3]], abs=1e-4)
        outlines = lines[: 8 * len(shapes.faces)].reshape(-1, 4, 2, 3)
        assert outlines == pytest.approx(np.stack([shapes.faces, np.roll(shapes.faces, -1, 1)], 2), abs=1e-4)
        assert lines[8 * len(shapes.faces) :].reshape(-1, 2, 3) == pytest.approx(shapes.lines, abs=1e-4)
        assert (made.triangles["color"].reshape(-1, 6, 4) == shapes.fills[:, None]).all()
        seen += len(shapes.faces)
    assert seen > 500


def test_models_are_prepared_once(world: Any) -> None:
    place = world.place(411)
    preparer = Preparer(place)
    cells = [preparer.cell(cell) for cell in place.matrix_cells.values()]
    instances = [instance for cell in cells for instance in cell.instances]
    meshes = {id(instance.mesh) for instance in instances}
    assert len(cells) == 468 and len(instances) == 969
    assert len(meshes) == 417  # a new game has one land in the four cells that hide Spring Path
