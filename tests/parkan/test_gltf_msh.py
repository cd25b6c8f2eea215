"""MSH models as GLB, read back by independent readers: places of points, triangles, clips, options, limits."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest
import trimesh

from formats.binary import FormatError, frozen
from formats.parkan import Msh, NRes, Tracks
from mapexplorer.export.gltf.msh import msh_document
from mapexplorer.export.options import MshOptions
from mapexplorer.parkan import model_poses, world_matrices

TO_Y_UP = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)


def load(model: Msh, **options: Any) -> pygltflib.GLTF2:
    return pygltflib.GLTF2.load_from_bytes(msh_document(model, options=MshOptions(**options)).to_bytes())


def values(gltf: pygltflib.GLTF2, index: int) -> np.ndarray:
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    dtype = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}[accessor.componentType]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor.type]
    blob = gltf.binary_blob()
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    return np.frombuffer(blob, dtype, accessor.count * width, start).reshape(accessor.count, width)


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    """The column-vector rotation of glTF's x, y, z, w."""
    x, y, z, w = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def slerp(a: np.ndarray, b: np.ndarray, t: float) -> np.ndarray:
    """glTF's linear rotation: the shorter arc."""
    dot = float(a @ b)
    angle = np.arccos(min(abs(dot), 1.0))
    if angle < 1e-6:
        return a
    return (np.sin((1 - t) * angle) * a + np.copysign(np.sin(t * angle), dot) * b) / np.sin(angle)


def at(times: np.ndarray, keys: np.ndarray, time: float, path: str) -> np.ndarray:
    right = int(np.clip(np.searchsorted(times, time), 1, len(times) - 1))
    share = float(np.clip((time - times[right - 1]) / (times[right] - times[right - 1]), 0, 1))
    a, b = keys[right - 1].astype(float), keys[right].astype(float)
    return slerp(a, b, share) if path == "rotation" else a + share * (b - a)


def worlds(gltf: pygltflib.GLTF2, time: float | None = None) -> dict[str, np.ndarray]:
    """World matrices by node name as a viewer computes them, `time` in seconds (None: at rest)."""
    moved: dict[tuple[int, str], np.ndarray] = {}
    for channel in gltf.animations[0].channels if time is not None and gltf.animations else []:
        sampler = gltf.animations[0].samplers[channel.sampler]
        times = values(gltf, sampler.input)[:, 0]
        path = channel.target.path
        moved[channel.target.node, path] = at(times, values(gltf, sampler.output), time or 0.0, path)
    result: dict[str, np.ndarray] = {}

    def visit(index: int, parent: np.ndarray) -> None:
        node = gltf.nodes[index]
        local = np.eye(4)
        turn = moved.get((index, "rotation"), node.rotation if node.rotation is not None else (0, 0, 0, 1))
        local[:3, :3] = rotation_matrix(np.asarray(turn, float)) * (node.scale or (1, 1, 1))
        local[:3, 3] = moved.get((index, "translation"), node.translation or (0, 0, 0))
        result[node.name] = parent @ local
        for child in node.children or []:
            visit(child, result[node.name])

    for root in gltf.scenes[gltf.scene].nodes:
        visit(root, np.eye(4))
    return result


NAMES = ("root", "turret", "barrel", "antenna")


def test_rest_pose_places_points_as_the_vectors_say(truth: dict[str, Any], anim: Msh) -> None:
    found = worlds(load(anim))
    checked = 0
    for node in truth["hierarchy"][0]["nodes"]:
        point = found[NAMES[node["node"]]] @ (*node["image_of_point"]["local"], 1)
        assert point[:3] == pytest.approx(TO_Y_UP @ node["image_of_point"]["world"], abs=5e-5)
        checked += 1
    assert checked == 4


@pytest.mark.parametrize("bake", [False, True])
def test_the_clip_moves_as_the_engine_does(anim: Msh, bake: bool) -> None:
    gltf = load(anim, bake=bake, rate=30.0)
    assert len(gltf.animations) == 1
    assert [channel.target.path for channel in gltf.animations[0].channels] == ["translation", "rotation"] * 2
    keys = sorted({gltf.accessors[sampler.input].count for sampler in gltf.animations[0].samplers})
    assert keys == ([8] if bake else [2, 4])
    steps = range(8) if bake else np.arange(0, 7.01, 0.25)
    for time in steps:
        found = worlds(gltf, float(time) / 30.0)
        wanted = world_matrices(anim, model_poses(anim, float(time)))
        for name, matrix in zip(NAMES, wanted, strict=True):
            engine = np.reshape(matrix, (4, 4))
            assert found[name][:3, :3] == pytest.approx(TO_Y_UP @ engine[:3, :3], abs=2e-4)
            assert found[name][:3, 3] == pytest.approx(TO_Y_UP @ engine[:3, 3], abs=2e-4)


def test_a_map_that_leaves_the_keys_is_baked(anim: Msh) -> None:
    assert isinstance(anim.animation, Tracks)
    pool = anim.animation.pool()
    words = pool.words.copy()
    words[4] = 4  # node 1 jumps to its last key for one frame
    gltf = load(replace(anim, animation=replace(pool, words=frozen(words))))
    counts = {gltf.accessors[sampler.input].count for sampler in gltf.animations[0].samplers}
    assert counts == {8}
    assert worlds(gltf, 4 / 25)["turret"][:3, 3] == pytest.approx(TO_Y_UP @ (1, -2, 2), abs=1e-5)


def test_consecutive_rotations_take_the_short_way(anim: Msh) -> None:
    gltf = load(anim)
    checked = 0
    for channel in gltf.animations[0].channels:
        if channel.target.path == "rotation":
            keys = values(gltf, gltf.animations[0].samplers[channel.sampler].output)
            assert ((keys[1:] * keys[:-1]).sum(1) >= 0).all()
            assert np.linalg.norm(keys, axis=1) == pytest.approx(1, abs=1e-6)
            checked += len(keys)
    assert checked == 6


def test_meshes(anim: Msh) -> None:
    gltf = load(anim)
    assert [node.name for node in gltf.nodes if node.mesh is not None] == ["turret", "barrel", "antenna"]
    assert {material.name for material in gltf.materials} == {"material_0", "material_1"}
    for mesh, slot in zip(gltf.meshes, (0, 2, 3), strict=True):
        attributes = mesh.primitives[0].attributes
        assert values(gltf, mesh.primitives[0].indices).size == 36
        assert anim.positions is not None
        points = values(gltf, attributes.POSITION)
        assert points == pytest.approx(anim.positions[24 * slot : 24 * slot + 24])
        corners = points[values(gltf, mesh.primitives[0].indices)[:, 0].reshape(-1, 3)]
        outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals = values(gltf, attributes.NORMAL)[values(gltf, mesh.primitives[0].indices)[::3, 0]]
        assert ((outward * normals).sum(1) > 0).all()
        assert np.unique(values(gltf, attributes.TEXCOORD_0)).tolist() == [0, 1]
    assert [node.name for node in load(anim, slot=(0, 1)).nodes if node.mesh is not None] == ["turret"]


def test_an_independent_loader_sees_the_same_triangles(anim: Msh, msh_folder: Path) -> None:
    scene = trimesh.load(io.BytesIO(msh_document(anim).to_bytes()), file_type="glb")
    assert sum(len(mesh.faces) for mesh in scene.geometry.values()) == 36
    assert scene.bounds[0][1] == pytest.approx(-1 + 2, abs=1e-3)  # the turret's box, one unit below its node 2 units up
    legacy = Msh.from_bytes((msh_folder / "synth_legacy24.msh").read_bytes())
    scene = trimesh.load(io.BytesIO(msh_document(legacy).to_bytes()), file_type="glb")
    assert sum(len(mesh.faces) for mesh in scene.geometry.values()) == 12


def test_hidden_nodes(anim: Msh) -> None:
    nodes = anim.nodes.copy()
    nodes["flags"][2] = 0x20
    model = replace(anim, nodes=frozen(nodes))
    assert [node.name for node in load(model).nodes if node.mesh is not None] == ["turret", "antenna"]
    assert len([node for node in load(model, hidden=True).nodes if node.mesh is not None]) == 3


def test_options(anim: Msh) -> None:
    plain = worlds(load(anim))
    mirrored = worlds(load(anim, mirror_x=True))
    for name in NAMES:
        assert mirrored[name][:3, 3] == pytest.approx(plain[name][:3, 3] * (-1, 1, 1))
    other_way = worlds(load(anim, conjugate=False))
    assert other_way["antenna"][:3, :3] == pytest.approx(
        TO_Y_UP @ (np.linalg.inv(TO_Y_UP) @ plain["antenna"][:3, :3]).T, abs=1e-6
    )
    pool = anim.animation.pool()
    keys = pool.keys.copy()
    keys["position"][0] = (5, 6, 7)
    shifted = replace(anim, animation=replace(pool, keys=frozen(keys)))
    assert worlds(load(shifted))["root"][:3, 3] == pytest.approx(TO_Y_UP @ (5, 6, 7))
    assert worlds(load(shifted, keep_root_translation=False))["root"][:3, 3] == pytest.approx((0, 0, 0))
    extras = [node.extras for node in load(anim, extras=True).nodes if node.name in NAMES]
    assert [(item["mapStart"], item["fallbackKey"]) for item in extras] == [(65535, 0), (0, 4), (8, 6), (65535, 7)]
    for bad in ({"rate": 0.0}, {"rate": float("nan")}, {"slot": (3, 0)}, {"order": "zyxw"}):
        with pytest.raises(ValueError, match=r"needed|selector|order"):
            load(anim, **bad)


def test_the_other_word_order_gives_the_same_model(anim: Msh) -> None:
    pool = anim.animation.pool()
    keys = pool.keys.copy()
    keys["orientation"] = np.roll(keys["orientation"], 1, axis=1)
    turned = replace(anim, animation=replace(pool, keys=frozen(keys)))
    found, wanted = load(turned, order="auto", bake=True), load(anim, bake=True)
    assert found.asset.extras["quaternionOrder"] == "wxyz"
    assert wanted.asset.extras["quaternionOrder"] == "xyzw"
    assert worlds(found, 0.1)["barrel"] == pytest.approx(worlds(wanted, 0.1)["barrel"])


def test_models_without_animation_or_geometry(anim: Msh, msh_folder: Path) -> None:
    static = Msh.from_bytes((msh_folder / "synth_static.msh").read_bytes())
    assert not load(static).animations
    streams = tuple(stream for stream in anim.streams if stream.type_id not in (8, 19))
    still = replace(anim, streams=streams)
    assert worlds(load(still))["barrel"][:3, 3] == pytest.approx((0, 0, 0))
    bare = replace(anim, positions=None, streams=tuple(stream for stream in anim.streams if stream.type_id != 3))
    gltf = load(bare)
    assert not gltf.meshes
    assert len(gltf.animations[0].channels) == 4


def test_what_cannot_be_shown_is_refused(anim: Msh) -> None:
    assert anim.positions is not None
    assert anim.batches is not None
    assert anim.slots is not None
    points = anim.positions.copy()
    points[30] = np.nan
    with pytest.raises(FormatError, match="finite positions"):
        load(replace(anim, positions=frozen(points)), slot=(0, 1))
    slots = np.repeat(anim.slots[:1], 1000)
    slots["batch_count"] = 2000
    nodes = np.repeat(anim.nodes[:1], 1000)
    nodes["slots"][:, 0, 0] = np.arange(1000)
    pool = anim.animation.pool()
    pool = replace(
        pool, fallbacks=frozen(np.zeros(1000), np.uint16), map_starts=frozen(np.full(1000, 0xFFFF), np.uint16)
    )
    shared = replace(
        anim,
        animation=pool,
        nodes=frozen(nodes),
        slots=frozen(slots),
        batches=frozen(np.repeat(anim.batches[:1], 2000)),
    )
    with pytest.raises(FormatError, match="batches"):
        load(replace(shared, node_names=None, labels=None))
    long = replace(pool, frame_count=65535, words=frozen(np.zeros(65535), np.uint16))
    long = replace(long, fallbacks=frozen(np.full(1000, 1), np.uint16), map_starts=frozen(np.zeros(1000), np.uint16))
    with pytest.raises(FormatError, match="clip of at most"):
        load(replace(anim, animation=long, nodes=frozen(np.repeat(anim.nodes[:1], 1000)), node_names=None, labels=None))


def test_equal_input_gives_equal_bytes(anim: Msh, tmp_path: Path) -> None:
    first, second = (msh_document(anim, name="same").write(tmp_path / name).read_bytes() for name in ("a.glb", "b.glb"))
    assert first == second
    assert first[:4] == b"glTF"


VARIANTS = {
    "default": MshOptions(),
    "baked": MshOptions(bake=True, rate=30.0, extras=True),
    "swapped": MshOptions(order="wxyz", conjugate=False),
    "hidden": MshOptions(hidden=True, mirror_x=True, keep_root_translation=False),
    **{f"slot{row}{column}": MshOptions(slot=(row, column)) for row in range(3) for column in range(5)},
}


def test_validator_finds_nothing(
    msh_folder: Path, tmp_path: Path, validate_glb: Callable[[Iterable[Path]], int]
) -> None:
    """Every sample that the export can show, each variant of its options, through the files on disk."""
    archive = NRes.from_bytes((msh_folder / "synth_archive.rlb").read_bytes())
    samples = {path.name: path.read_bytes() for path in sorted(msh_folder.glob("*.msh"))}
    samples |= {f"archive.{entry.name}": entry.payload for entry in archive.entries}
    files = []
    for name, data in samples.items():
        model = Msh.from_bytes(data)
        for title, options in VARIANTS.items():
            files.append(msh_document(model, name=name, options=options).write(tmp_path / f"{name}.{title}.glb"))
    assert (len(samples), len(VARIANTS)) == (5, 19)
    assert validate_glb(files) == 95
