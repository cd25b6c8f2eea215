"""Positions and texture coordinates as 16-bit integers are the numbers of plain files, exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from formats.nitro.nsbmd import Nsbmd
from mapexplorer.export.gltf.field import export_field
from mapexplorer.export.gltf.nitro import model_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.request import KitRequest
from mapexplorer.export.run import run
from mapexplorer.world.world import FieldWorld

TWINLEAF = 411


def read_places(glb: Any) -> list[tuple[str, np.ndarray]]:
    """The positions (..., 4) of each mesh node, with the name of the mesh, under the node or under each joint."""
    result = []
    for scene in range(len(glb.get("scenes"))):
        worlds = {node: matrix for node, matrix, _ in glb.walk(scene)}
        for number, matrix in worlds.items():
            node = glb.get("nodes")[number]
            if "mesh" not in node:
                continue
            matrices = matrix[None]
            if "skin" in node:
                skin = glb.get("skins")[node["skin"]]
                binds = glb.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                matrices = np.stack([worlds[joint] for joint in skin["joints"]]) @ binds
            mesh = glb.get("meshes")[node["mesh"]]
            for primitive in mesh["primitives"]:
                places = glb.array(primitive["attributes"]["POSITION"]).astype(float)
                whole = np.concatenate([places, np.ones((len(places), 1))], axis=1)
                result.append((mesh["name"], np.einsum("jab,vb->jva", matrices, whole)))
    return sorted(result, key=lambda pair: pair[0])


def read_coordinates(glb: Any) -> list[tuple[str, np.ndarray]]:
    """The texture coordinates (n, 2) of each primitive, moved as its material says."""
    result = []
    for mesh in glb.get("meshes"):
        for primitive in mesh["primitives"]:
            if "TEXCOORD_0" in primitive["attributes"]:
                texture = glb.get("materials")[primitive["material"]]["pbrMetallicRoughness"]["baseColorTexture"]
                transform = texture.get("extensions", {}).get("KHR_texture_transform", {})
                plain = glb.array(primitive["attributes"]["TEXCOORD_0"]).astype(float)
                result.append((mesh["name"], plain * transform.get("scale", 1) + transform.get("offset", 0)))
    return result


def assert_equal(plain: Any, short: Any) -> None:
    for read in (read_places, read_coordinates):
        for (name, wanted), (other, found) in zip(read(plain), read(short), strict=True):
            assert name == other and np.array_equal(wanted, found), name


def kinds(glb: Any, attribute: str) -> set[int]:
    numbers = [part["attributes"].get(attribute) for mesh in glb.get("meshes") for part in mesh["primitives"]]
    return {glb.get("accessors")[number]["componentType"] for number in numbers if number is not None}


def test_short_numbers_are_those_of_the_plain_file(
    world: FieldWorld, read_glb: Callable[..., Any], tmp_path: Path, validate_glb: Callable[..., int]
) -> None:
    place = world.place(TWINLEAF)
    contents: dict[str, Any] = {"people": True, "camera": True, "collision": True, "heights": True}
    files = [tmp_path / "plain.glb", tmp_path / "short.glb", tmp_path / "tenth.glb"]
    reports = [
        export_field(place, file, ExportOptions(**contents, **options))
        for file, options in zip(
            files, ({}, {"compact": True}, {"compact": True, "scale": 0.1, "static": True}), strict=True
        )
    ]
    plain, short, tenth = map(read_glb, files)
    assert_equal(plain, short)
    assert short.json["extensionsRequired"] == ["KHR_mesh_quantization"] and "extensionsRequired" not in plain.json
    assert kinds(short, "POSITION") == kinds(short, "TEXCOORD_0") == {5122}
    assert reports[1].floats == 0 and reports[1].size < 0.86 * reports[0].size
    # Clips scale what they show and hide, so there the mesh is below.
    animated = {
        channel["target"]["node"]
        for clip in short.get("animations")
        for channel in clip["channels"]
        if channel["target"]["path"] == "scale"
    }
    assert animated and all("mesh" not in short.get("nodes")[node] for node in animated)
    # A tenth of a metre is no power of two.
    assert kinds(tenth, "POSITION") == {5126} and kinds(tenth, "TEXCOORD_0") == {5122} and reports[2].floats > 1000
    assert validate_glb(files[1:]) == 2


def test_short_numbers_in_skins(
    world: FieldWorld, read_glb: Callable[..., Any], tmp_path: Path, validate_glb: Callable[..., int]
) -> None:
    model = Nsbmd.from_bytes(world.rom.archive("arc/demo_tengan_gra.narc").reader(17)).models[0]
    documents = [model_document(model, options=ExportOptions(compact=compact))[0] for compact in (False, True)]
    plain, short = map(read_glb, documents)
    assert short.get("skins")
    assert_equal(plain, short)
    assert 5122 in kinds(short, "POSITION")
    documents[1].write(tmp_path / "skinned.glb")
    assert validate_glb([tmp_path / "skinned.glb"]) == 1


def test_kits_are_short(tmp_path: Path) -> None:
    demo = FieldWorld.open("demo")
    sizes = []
    for compact in (False, True):
        folder = tmp_path / str(compact)
        run(KitRequest(place=4, output=folder, options=ExportOptions(compact=compact)), demo)
        sizes.append(sum(path.stat().st_size for path in folder.rglob("*.bin")))
        for path in folder.rglob("*.gltf"):
            root = json.loads(path.read_text("utf-8"))
            assert ("KHR_mesh_quantization" in root["extensionsUsed"]) == compact
            moved = "KHR_texture_transform" in json.dumps(root.get("materials"))
            assert ("KHR_texture_transform" in root["extensionsUsed"]) == moved
    assert sizes[1] < 0.95 * sizes[0]
