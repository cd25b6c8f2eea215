"""The GLB writer: what is shared, what the bytes are, what the validator says, what happens when writing fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest

from mapexplorer.export import files
from mapexplorer.export.gltf.document import INDICES, MIRRORED_REPEAT, Channel, Document, texture_info
from mapexplorer.export.images import encode_png

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]], np.float32)


def small_document() -> Document:
    """A textured triangle on a joint, animated by a node channel and a pointer channel."""
    document = Document(extras={"made_by": "a test"})
    png = encode_png(np.arange(64, dtype=np.uint8).reshape(8, 8))
    texture = document.texture(document.image(png, "grey"), document.sampler(wrap_t=MIRRORED_REPEAT), "grey")
    surface = {"baseColorTexture": texture_info(texture, offset=(0.5, 0.25), scale=(2, 1))}
    material = document.add_definition(
        "materials", {"name": "m", "pbrMetallicRoughness": surface, "extensions": {"KHR_materials_unlit": {}}}
    )
    attributes = {
        "POSITION": document.accessor(CORNERS, bounds=True),
        "TEXCOORD_0": document.accessor(np.ascontiguousarray(CORNERS[:, :2])),
        "COLOR_0": document.accessor(np.full((3, 4), 65535, np.uint16), normalized=True),
        "JOINTS_0": document.accessor(np.zeros((3, 4), np.uint8)),
        "WEIGHTS_0": document.accessor(np.tile(np.array([1, 0, 0, 0], np.float32), (3, 1))),
    }
    indices = document.accessor(np.array([0, 1, 2], np.uint16), target=INDICES)
    mesh = document.mesh([{"attributes": attributes, "indices": indices, "material": material}], name="triangle")
    joint = document.node("joint", translation=(0, 1, 0))
    skin = document.skin([joint], np.eye(4, dtype=np.float32)[None], skeleton=joint)
    shown = document.node("shown", mesh=mesh, skin=skin, extras={"id": 7})
    times = np.array([0, 0.5, 1], np.float32)
    pointer = f"/materials/{material}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"
    channels = [
        Channel(times, np.zeros((3, 3), np.float32), node=joint, path="translation", interpolation="STEP"),
        Channel(times, np.zeros((3, 2), np.float32), pointer=pointer),
    ]
    document.animation("move", channels)
    document.scene("main", [joint, shown])
    document.scene("other", [document.node("empty")])
    return document


def test_validator_finds_nothing(tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    small_document().write(tmp_path / "small.glb")
    assert validate_glb([tmp_path / "small.glb"]) == 1


def test_another_reader_sees_the_contents() -> None:
    gltf = pygltflib.GLTF2.load_from_bytes(small_document().to_bytes())
    assert [node.name for node in gltf.nodes] == ["joint", "shown", "empty"]
    assert gltf.nodes[1].extras == {"id": 7}
    assert gltf.extensionsUsed == ["KHR_animation_pointer", "KHR_materials_unlit", "KHR_texture_transform"]
    assert gltf.samplers[0].wrapT == MIRRORED_REPEAT and gltf.samplers[0].magFilter == 9728
    assert gltf.accessors[0].min == [0, 0, 0] and gltf.accessors[0].max == [1, 2, 0]
    targets = [channel.target.path for channel in gltf.animations[0].channels]
    assert targets == ["translation", "pointer"]
    assert gltf.scene == 0 and len(gltf.scenes) == 2


def test_arrays_come_back(read_glb: Callable[..., Any]) -> None:
    glb = read_glb(small_document())
    primitive = glb.get("meshes")[0]["primitives"][0]
    assert np.array_equal(glb.array(primitive["attributes"]["POSITION"]), CORNERS)
    assert glb.array(primitive["indices"]).ravel().tolist() == [0, 1, 2]
    assert np.array_equal(glb.array(glb.get("skins")[0]["inverseBindMatrices"]), np.eye(4).reshape(1, 16))
    assert glb.image(0).startswith(b"\x89PNG")
    assert all(view["byteOffset"] % 4 == 0 for view in glb.get("bufferViews"))


def test_equal_content_is_stored_once() -> None:
    document = Document()
    first = document.accessor(CORNERS, bounds=True)
    assert document.accessor(CORNERS.copy(), bounds=True) == first
    assert document.accessor(CORNERS) != first
    png = encode_png(np.zeros((8, 8), np.uint8))
    assert document.image(png, "a") == document.image(bytes(png), "b")
    assert document.sampler() == document.sampler() != document.sampler(wrap_s=MIRRORED_REPEAT)
    assert document.add_definition("materials", {"name": "x", "doubleSided": True}) == document.add_definition(
        "materials", {"doubleSided": True, "name": "x"}
    )
    assert document.node("n") != document.node("n")


def test_same_calls_same_bytes() -> None:
    assert small_document().to_bytes() == small_document().to_bytes()


def test_animation_without_channels_is_left_out() -> None:
    document = Document()
    assert document.animation("nothing", []) is None
    assert not document.items("animations")


@pytest.mark.parametrize(
    "array", [np.zeros((0, 3), np.float32), np.zeros((2, 3), np.float64), np.zeros((2, 5), np.float32)]
)
def test_impossible_accessors_are_refused(array: np.ndarray) -> None:
    with pytest.raises(ValueError):
        Document().accessor(array)


def test_vertices_are_filled_up(read_glb: Callable[..., Any]) -> None:
    """Elements in vertices begin at multiples of four bytes."""
    document = Document()
    values = np.arange(9, dtype=np.int16).reshape(3, 3)
    assert np.array_equal(document.array(document.accessor(values)), values)
    glb = read_glb(document)
    assert np.array_equal(glb.array(0), values) and glb.get("bufferViews")[0]["byteStride"] == 8
    assert glb.json["extensionsRequired"] == ["KHR_mesh_quantization"]


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.glb"
    target.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(OSError):
        small_document().write(target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_bounds_that_json_cannot_hold_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        Document().accessor(np.array([[0, value, 0]], np.float32), bounds=True)
