"""Merged files show the same surfaces as unmerged ones, at rest and in every clip, in fewer draws."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mapexplorer.export.gltf.document import INDICES, Channel, Document
from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.gltf.merge import merged
from mapexplorer.export.options import BY_SHAPE, EVERYTHING, ExportOptions
from mapexplorer.world.world import FieldWorld


def draws(glb: Any) -> int:
    return sum(len(glb.get("meshes")[node["mesh"]]["primitives"]) for node in glb.get("nodes") if "mesh" in node)


def look_of(glb: Any, number: int) -> str:
    """What a material looks like, with the image's bytes for its number."""
    material = {key: one for key, one in glb.get("materials")[number].items() if key not in ("name", "extras")}
    text = json.dumps(material, sort_keys=True)
    surface = material["pbrMetallicRoughness"]
    if "baseColorTexture" in surface:
        texture = glb.get("textures")[surface["baseColorTexture"]["index"]]
        sampler = glb.get("samplers")[texture["sampler"]]
        text += f"{hash(glb.image(texture['source']))}{sorted(sampler.items())}"
        text = text.replace(f'"index": {surface["baseColorTexture"]["index"]}', "")
    return text


def surfaces(glb: Any, clip: str | None = None, seconds: float = 0) -> Counter[Any]:
    """The triangles that show: places in millimetres, coordinates, colours, look."""
    scales: dict[int, np.ndarray] = {}
    for animation in glb.get("animations"):
        for channel in animation["channels"] if animation["name"] == clip else ():
            if channel["target"]["path"] == "scale":
                sampler = animation["samplers"][channel["sampler"]]
                times = glb.array(sampler["input"])[:, 0]
                key = int(np.searchsorted(times, np.float32(seconds), side="right")) - 1
                scales[channel["target"]["node"]] = glb.array(sampler["output"])[key]
    for node, scale in scales.items():
        glb.get("nodes")[node]["scale"] = scale.tolist()
    found: Counter[Any] = Counter()
    for node, world, _ in glb.walk():
        entry = glb.get("nodes")[node]
        if "mesh" not in entry or not world[:3, :3].any():
            continue
        for primitive in glb.get("meshes")[entry["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            corners = glb.array(primitive["indices"]).ravel()
            places = glb.array(attributes["POSITION"]).astype(float) @ world[:3, :3].T + world[:3, 3]
            parts = [np.rint(places * 500).astype(int)]
            parts += [
                np.rint(glb.array(attributes[name]) * 64).astype(int)
                for name in ("TEXCOORD_0", "COLOR_0")
                if name in attributes
            ]
            rows = np.concatenate(parts, axis=1)[corners].reshape(len(corners) // 3, -1)
            look = look_of(glb, primitive["material"])
            found.update((row, look) for row in map(bytes, rows.astype("<i8")))
    return found


@pytest.mark.parametrize("header", [3, 33, 411])
def test_the_same_surfaces_show(world: FieldWorld, read_glb: Callable[..., Any], header: int) -> None:
    place = world.place(header)
    plain, merged = (
        field_document(place, ExportOptions(merge=how, people=True, events=True))[0].to_bytes()
        for how in (BY_SHAPE, EVERYTHING)
    )
    one, other = read_glb(plain), read_glb(merged)
    assert draws(other) < 0.65 * draws(one) and len(other.get("nodes")) < len(one.get("nodes"))
    assert surfaces(one) == surfaces(other)
    names = [[clip["name"] for clip in glb.get("animations")] for glb in (one, other)]
    assert names[0] == names[1]
    loops = [clip for clip in one.get("animations") if clip["extras"]["kind"] == "terrain texture"]
    for clip in [*loops, one.get("animations")[0]]:
        for part in (0.3, 0.8):
            seconds = part * clip["extras"]["frames"] / 30
            here, there = read_glb(plain), read_glb(merged)
            assert surfaces(here, clip["name"], seconds) == surfaces(there, clip["name"], seconds), clip["name"]
    kept = {node["name"] for node in other.get("nodes")}
    gone = other.get("nodes")[other.get("scenes")[0]["nodes"][0]]["extras"]["merged"]
    told = {node["name"] for node in one.get("nodes") if "billboard" not in node.get("extras", {"billboard": 0})}
    lost = told - kept - set(gone)
    assert not lost and len(gone) > 5


def test_other_scenes_and_clips_are_kept(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    options = ExportOptions(merge=EVERYTHING, collision=True, heights=True, lit=True)
    glb = read_glb(field_document(world.place(3), options)[0])
    assert [scene["name"] for scene in glb.get("scenes")] == ["field", "collision", "heights"]
    plain = read_glb(field_document(world.place(3), ExportOptions(merge=BY_SHAPE, collision=True, heights=True))[0])
    for scene in (1, 2):
        assert len(list(glb.walk(scene))) == len(list(plain.walk(scene)))
    for animation in glb.get("animations"):
        for channel in animation["channels"]:
            pointer = channel["target"].get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer")
            if pointer is None:
                assert 0 <= channel["target"]["node"] < len(glb.get("nodes"))
            else:
                value = glb.json
                for part in pointer.split("/")[1:]:
                    value = value[int(part)] if isinstance(value, list) else value[part]
                assert value is not None


@pytest.mark.slow
def test_the_overworld_is_one_file(world: FieldWorld, read_glb: Callable[..., Any]) -> None:
    place = world.place(411)
    document, report = field_document(place, ExportOptions(merge=EVERYTHING), place.matrix_cells.values())
    glb = read_glb(document)
    assert report.cells == 468 and draws(glb) <= 1500 and len(glb.get("materials")) <= 650


@pytest.mark.parametrize(("clips", "left"), [(("auto.a", "auto.b"), 1), (("door.a", "door.b"), 2)])
def test_materials_that_loop_alike_are_one(clips: tuple[str, str], left: int) -> None:
    document = Document()
    corners = document.accessor(np.eye(3, dtype=np.float32), bounds=True)
    order = document.accessor(np.arange(3, dtype=np.uint16), target=INDICES)
    nodes = []
    for clip in clips:
        curve = {"clip": clip, "property": "offset", "keys": [[0, 0.0, 0.0], [1, 1.0, 0.0]]}
        material = document.add_definition("materials", {"name": clip, "extras": {"animations": [curve]}})
        primitive = {"attributes": {"POSITION": corners}, "indices": order, "material": material}
        nodes.append(document.node(clip, mesh=document.mesh([primitive], name=clip)))
        times, alpha = np.array([0, 1], np.float32), np.array([1, 0], np.float32)
        pointer = f"/materials/{material}/pbrMetallicRoughness/baseColorFactor"
        document.animation(clip, [Channel(times, alpha, pointer=pointer)])
    document.scene("field", [document.node("place", children=nodes)])
    result = merged(document)
    assert len(result.items("materials")) == left
    pointers = [
        channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
        for animation in result.items("animations")
        for channel in animation["channels"]
    ]
    assert [pointer.split("/")[2] for pointer in pointers] == ["0", str(left - 1)]
