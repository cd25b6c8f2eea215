"""Every prop and map model as GLB: places of vertices against the peer's, counts against the headers, the validator."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from formats.nitro.model import Model
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.export.gltf.nitro import model_document
from mapexplorer.export.gltf.shapes import drawn_shapes
from mapexplorer.export.options import BY_MATERIAL, ExportOptions
from mapexplorer.g3d.draw_list import draw_list
from mapexplorer.games import Role
from mapexplorer.world.world import FieldWorld

UNITS = 16 * 4096
"""Steps of 1/4096 unit in a metre."""


def _count(world: FieldWorld, role: Role) -> int:
    return len(world.rom.archive(world.path(role)))


@pytest.fixture(scope="module")
def models(world: FieldWorld) -> dict[str, list[Nsbmd]]:
    props = [world.prop_model(index) for index in range(_count(world, Role.BUILD_MODEL))]
    lands = [world.land_sections(index).read_model() for index in range(_count(world, Role.LAND_DATA))]
    return {"props": props, "maps": lands}


def primitives(glb: Any) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The accessor of places, the indices and the world matrix of each primitive."""
    for node, world_matrix, _ in glb.walk():
        mesh = glb.get("nodes")[node].get("mesh")
        for primitive in () if mesh is None else glb.get("meshes")[mesh]["primitives"]:
            yield primitive["attributes"]["POSITION"], glb.array(primitive["indices"]).ravel(), world_matrix


def corners_of(glb: Any) -> np.ndarray:
    """Places of all triangle corners in steps of 1/4096 unit."""
    return np.concatenate([placed(glb.array(accessor)[used], matrix) for accessor, used, matrix in primitives(glb)])


def vertices_of(glb: Any, model: Model) -> np.ndarray:
    """Places of all vertices in steps of 1/4096 unit. Shapes that mix no matrices share vertices, those of each shape
    behind those of the one before."""
    users: dict[int, list[tuple[int, np.ndarray]]] = {}
    for accessor, indices, world_matrix in primitives(glb):
        users.setdefault(accessor, []).append((int(indices.max()), world_matrix))
    vertices = []
    drawn = [one for one in drawn_shapes(model, draw_list(model).draws) if len(one.indices)]
    bounds = np.cumsum([len(one.vertices) for one in drawn if not (one.restores or one.draw.frame.terms)])
    for accessor, matrices in users.items():
        places = glb.array(accessor)
        if len(matrices) == 1:
            vertices.append(placed(places, matrices[0][1]))
            continue
        assert len(places) == bounds[-1]
        matrix_of = {int(np.searchsorted(bounds, last, "right")): matrix for last, matrix in matrices}
        parts = np.split(places, bounds[:-1])
        vertices += [placed(part, matrix_of[number]) for number, part in enumerate(parts)]
    return np.concatenate(vertices)


def placed(places: np.ndarray, world_matrix: np.ndarray) -> np.ndarray:
    moved: np.ndarray = (places.astype(np.float64) @ world_matrix[:3, :3].T + world_matrix[:3, 3]) * UNITS
    return moved


def digest(places: np.ndarray) -> str:
    whole = np.floor(places + 0.5).astype("<i4")
    whole = whole[np.lexsort((whole[:, 2], whole[:, 1], whole[:, 0]))]
    return hashlib.sha256(whole.tobytes()).hexdigest()[:24]


def test_geometry_equals_the_peers(
    models: dict[str, list[Nsbmd]], references: Path, read_glb: Callable[..., Any]
) -> None:
    groups = json.loads((references / "apicula" / "geometry.json").read_text())["groups"]
    seen: Counter[str] = Counter()
    for group, files in models.items():
        truth = {entry["name"]: entry for entry in groups[group].values()}
        assert len(truth) == len(files)
        for file in files:
            model = file.models[0]
            document, parts = model_document(model)
            left_out = 3 * (parts.degenerate + parts.duplicate)
            glb = read_glb(document)
            corners, vertices = corners_of(glb), vertices_of(glb, model)
            entry = truth[model.name]
            assert len(vertices) == model.vertex_count == entry["verts"], model.name
            wanted = 3 * (model.triangle_count + 2 * model.quad_count)
            assert len(corners) + left_out == wanted == 3 * entry["tris"], model.name
            if entry["grid_dev"] == 0:
                seen["exact"] += 1
                assert digest(vertices) == entry["position_hash_vertices"], model.name
                if not left_out:
                    assert digest(corners) == entry["position_hash_corners"], model.name
            else:
                seen["near"] += 1
                # The peer rescales rotations to length one, which moves its vertices by up to 0.0064 units.
                low, high = np.array(entry["bbox"])
                assert np.abs(vertices.min(0) / 4096 - low).max() < 0.007, model.name
                assert np.abs(vertices.max(0) / 4096 - high).max() < 0.007, model.name
                assert np.abs(vertices.mean(0) / 4096 - np.array(entry["sum"]) / len(vertices)).max() < 0.004
    assert seen == {"exact": 1233, "near": 23}


def test_merging_by_material_keeps_every_triangle(models: dict[str, list[Nsbmd]], read_glb: Callable[..., Any]) -> None:
    count = 0
    for file in [*models["props"][::10], *models["maps"][::20]]:
        model: Model = file.models[0]
        plain = read_glb(model_document(model)[0])
        merged = read_glb(model_document(model, options=ExportOptions(merge=BY_MATERIAL))[0])
        one, other = corners_of(plain), corners_of(merged)
        assert digest(one) == digest(other)
        used = [part["material"] for mesh in merged.get("meshes") for part in mesh["primitives"]]
        assert len(merged.get("meshes")) == 1 or len(model.nodes) > 1
        assert len(used) <= len([part for mesh in plain.get("meshes") for part in mesh["primitives"]])
        if len(model.nodes) == 1:
            assert len(used) == len(set(used))
        count += 1
    assert count == 93


def test_skins_stand_where_the_draw_script_puts_them(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    """A skinned model in its rest pose: the skin's matrices give back the vertices, weights sum to one."""
    archive = world.rom.archive("arc/demo_tengan_gra.narc")
    seen = 0
    for member in (17, 24, 45, 59):
        model = Nsbmd.from_bytes(archive.reader(member)).models[0]
        glb = read_glb(model_document(model)[0])
        matrices = {node: matrix for node, matrix, _ in glb.walk()}
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for node in glb.get("nodes"):
            if "skin" not in node:
                continue
            skin = glb.get("skins")[node["skin"]]
            binds = glb.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            joints = np.stack([matrices[joint] for joint in skin["joints"]]) @ binds
            for primitive in glb.get("meshes")[node["mesh"]]["primitives"]:
                attributes = primitive["attributes"]
                places = glb.array(attributes["POSITION"]).astype(np.float64)
                weights = glb.array(attributes["WEIGHTS_0"])
                assert np.allclose(weights.sum(1), 1, atol=1e-6)
                chosen = joints[glb.array(attributes["JOINTS_0"])]
                blended = (weights[:, :, None, None] * chosen).sum(1)
                moved = np.einsum("nij,nj->ni", blended[:, :3, :3], places) + blended[:, :3, 3]
                assert np.abs(moved - places).max() < 1e-3
                low, high = np.minimum(low, places.min(0)), np.maximum(high, places.max(0))
                seen += 1
        size = np.array(model.box[3:]) * model.box_pos_scale / UNITS / 4096
        assert ((high - low) <= size + 0.01).all()
    assert seen == 14


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_models_of_the_rom_are_valid(
    models: dict[str, list[Nsbmd]], tmp_path: Path, validate_glb: Callable[..., int], step: int
) -> None:
    paths_ = []
    for group, files in models.items():
        for index, file in enumerate(files[::step]):
            sets = (file.textures,) if file.textures is not None else ()
            document, _ = model_document(file.models[0], *sets)
            paths_.append(document.write(tmp_path / f"{group}_{index}.glb"))
    assert validate_glb(paths_) == sum(-(-len(files) // step) for files in models.values()) > 200


@pytest.mark.parametrize(
    ("archive", "member"),
    [("arc/demo_tengan_gra.narc", 84), ("arc/ship_demo.narc", 2), ("data/mmodel/fldeff.narc", 156)],
)
def test_baked_mirrors_show_the_same_texels(
    world: FieldWorld, archive: str, member: int, read_glb: Callable[..., Any]
) -> None:
    """No field model repeats mirrored; these do, on one axis and on both."""
    file = Nsbmd.from_bytes(world.rom.archive(archive).reader(member))
    assert file.textures is not None
    plain = read_glb(model_document(file.models[0], file.textures)[0])
    baked = read_glb(model_document(file.models[0], file.textures, options=ExportOptions(bake_mirror=True))[0])
    wraps = [sampler[axis] for sampler in plain.get("samplers") for axis in ("wrapS", "wrapT")]
    assert 33648 in wraps
    wraps = [sampler[axis] for sampler in baked.get("samplers") for axis in ("wrapS", "wrapT")]
    assert 33648 not in wraps

    def sample(glb: Any, part: dict[str, Any]) -> np.ndarray | None:
        surface = glb.get("materials")[part["material"]]["pbrMetallicRoughness"]
        if "baseColorTexture" not in surface:
            return None
        info = surface["baseColorTexture"]
        texture = glb.get("textures")[info["index"]]
        pixels = np.asarray(Image.open(io.BytesIO(glb.image(texture["source"]))).convert("RGBA"))
        uv = glb.array(part["attributes"]["TEXCOORD_0"])[glb.array(part["indices"]).ravel()].astype(np.float64)
        transform = info.get("extensions", {}).get("KHR_texture_transform", {})
        uv = uv * transform.get("scale", (1, 1)) + transform.get("offset", (0, 0))
        texels = np.floor(uv * (pixels.shape[1], pixels.shape[0]) + 0.25).astype(int)
        sampler = glb.get("samplers")[texture["sampler"]]
        for axis, (wrap, size) in enumerate(
            zip((sampler["wrapS"], sampler["wrapT"]), pixels.shape[1::-1], strict=True)
        ):
            column = texels[:, axis]
            if wrap == 33071:
                column = column.clip(0, size - 1)
            elif wrap == 10497:
                column = column % size
            else:
                column = column % (2 * size)
                column = np.where(column >= size, 2 * size - 1 - column, column)
            texels[:, axis] = column
        return pixels[texels[:, 1], texels[:, 0]]

    compared = 0
    for one, other in zip(plain.get("meshes"), baked.get("meshes"), strict=True):
        assert one["name"] == other["name"]
        for left, right in zip(one["primitives"], other["primitives"], strict=True):
            a, b = sample(plain, left), sample(baked, right)
            if a is not None and b is not None:
                assert np.array_equal(a, b)
                compared += 1
    assert compared > 0
