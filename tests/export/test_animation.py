"""Clips of models: the file, sampled by a small player of the tests' own, shows what the library's evaluation draws."""

from __future__ import annotations

import dataclasses
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from formats import nitro
from formats.binary import FormatError
from formats.nitro.model import Model
from formats.nitro.nsbca import JointAnimation
from formats.nitro.nsbma import ColorAnimation
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.tex0 import Tex0
from mapexplorer.export.gltf.animation import Clip
from mapexplorer.export.gltf.nitro import joined_sets, model_document
from mapexplorer.export.gltf.shapes import drawn_shapes
from mapexplorer.export.options import BY_MATERIAL, ExportOptions
from mapexplorer.export.textures import picture
from mapexplorer.g3d.animation.attach import Attached, first_animation, targets
from mapexplorer.g3d.binding import bind
from mapexplorer.g3d.draw_list import Draw, draw_list
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.light import LIBRARY_DEFAULT, VertexLight
from mapexplorer.world.world import FieldWorld

UNITS = 16
"""Units in a metre of the file."""

OTHER_ARCHIVES = (
    "arc/demo_tengan_gra.narc",
    "arc/ship_demo.narc",
    "data/demo_climax.narc",
    "graphic/hiden_effect.narc",
    "data/mmodel/fldeff.narc",
)
"""Archives with kinds of animation that no prop has: colours, visibility, turning textures, skins that move."""


class Player:
    """A GLB file at a moment of one clip, by the glTF specification alone."""

    def __init__(self, glb: Any, clip: dict[str, Any], seconds: float) -> None:
        self.glb = glb
        self.nodes: dict[tuple[int, str], np.ndarray] = {}
        self.pointers: dict[str, np.ndarray] = {}
        for channel in clip["channels"]:
            sampler, target = clip["samplers"][channel["sampler"]], channel["target"]
            value = self._sample(sampler, seconds, target["path"])
            if target["path"] == "pointer":
                self.pointers[target["extensions"]["KHR_animation_pointer"]["pointer"]] = value
            else:
                self.nodes[target["node"], target["path"]] = value

    def _sample(self, sampler: dict[str, Any], seconds: float, path: str) -> np.ndarray:
        times, values = self.glb.array(sampler["input"])[:, 0], self.glb.array(sampler["output"]).astype(float)
        assert (np.diff(times) > 0).all() and len(times) == len(values)
        seconds = float(np.float32(seconds))
        after = int(np.searchsorted(times, seconds, side="right"))
        before = max(after - 1, 0)
        if after >= len(times) or sampler["interpolation"] == "STEP" or times[before] >= seconds:
            return values[min(before, len(times) - 1)]
        share = (seconds - times[before]) / (times[after] - times[before])
        value = values[before] * (1 - share) + values[after] * share
        return value / np.linalg.norm(value) if path == "rotation" else value

    def matrix(self, node: int) -> np.ndarray:
        entry = self.glb.get("nodes")[node]
        x, y, z, w = self.nodes.get((node, "rotation"), np.array(entry.get("rotation", (0, 0, 0, 1))))
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        result = np.eye(4)
        scale = self.nodes.get((node, "scale"), np.array(entry.get("scale", (1, 1, 1))))
        result[:3, :3] = (np.eye(3) + 2 * w * cross + 2 * cross @ cross) * scale
        result[:3, 3] = self.nodes.get((node, "translation"), entry.get("translation", (0, 0, 0)))
        return result

    def worlds(self) -> dict[int, np.ndarray]:
        """The world matrix of every node of the scene."""
        found: dict[int, np.ndarray] = {}

        def below(node: int, above: np.ndarray) -> None:
            found[node] = above @ self.matrix(node)
            for child in self.glb.get("nodes")[node].get("children", []):
                below(child, found[node])

        for root in self.glb.get("scenes")[0]["nodes"]:
            below(root, np.eye(4))
        return found

    def material(self, index: int) -> dict[str, Any]:
        """Base colour factor, and offset and scale of the texture, of a material now."""
        surface = self.glb.get("materials")[index]["pbrMetallicRoughness"]
        info = surface.get("baseColorTexture", {})
        transform = info.get("extensions", {}).get("KHR_texture_transform", {})
        assert "rotation" not in transform
        base = f"/materials/{index}/pbrMetallicRoughness"
        name = f"{base}/baseColorTexture/extensions/KHR_texture_transform"
        return {
            "factor": self.pointers.get(f"{base}/baseColorFactor", np.array(surface.get("baseColorFactor", (1,) * 4))),
            "offset": self.pointers.get(f"{name}/offset", np.array(transform.get("offset", (0, 0)))),
            "scale": self.pointers.get(f"{name}/scale", np.array(transform.get("scale", (1, 1)))),
            "image": self.glb.get("textures")[info["index"]]["source"] if info else None,
            "sampler": self.glb.get("samplers")[self.glb.get("textures")[info["index"]]["sampler"]] if info else None,
        }

    def shown(self) -> Iterator[tuple[str, np.ndarray, np.ndarray | None, dict[str, Any]]]:
        """(name, places in units, texture coordinates, material) of what shows, in the order of the nodes."""
        worlds = self.worlds()
        for node in sorted(worlds):
            entry = self.glb.get("nodes")[node]
            if "mesh" not in entry:
                continue
            mesh = self.glb.get("meshes")[entry["mesh"]]
            matrix = worlds[node]
            if not matrix[:3, :3].any():
                continue
            shapes: dict[str, list[Any]] = {}
            for part in mesh["primitives"]:  # the parts of a shape by the texels that they show
                shapes.setdefault(json.dumps(part["attributes"]), []).append(part)
            for parts in shapes.values():
                part = parts[0]
                attributes = part["attributes"]
                used = self.glb.used(parts)
                color = self.glb.array(attributes["COLOR_0"])[used, :3] / 65535
                places = self.glb.array(attributes["POSITION"])[used].astype(float)
                if "skin" in entry:
                    places = self._skinned(entry["skin"], attributes, used, places, worlds)
                else:
                    places = places @ matrix[:3, :3].T + matrix[:3, 3]
                material = self.material(part["material"])
                uv = None
                if "TEXCOORD_0" in attributes:
                    uv = self.glb.array(attributes["TEXCOORD_0"])[used] * material["scale"] + material["offset"]
                material |= {"index": part["material"], "color": color * material["factor"][:3]}
                if material["factor"][3] > 0:
                    yield mesh["name"], places * UNITS, uv, material

    def _skinned(
        self, number: int, attributes: Any, used: np.ndarray, places: np.ndarray, worlds: dict[int, np.ndarray]
    ) -> np.ndarray:
        skin = self.glb.get("skins")[number]
        binds = self.glb.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = np.stack([worlds[joint] for joint in skin["joints"]]) @ binds
        blended = np.zeros((len(places), 4, 4))
        for name in [name for name in attributes if name.startswith("JOINTS_")]:
            weights = self.glb.array(attributes[name.replace("JOINTS", "WEIGHTS")])[used]
            blended += (weights[:, :, None, None] * joints[self.glb.array(attributes[name])[used]]).sum(1)
        return np.einsum("nij,nj->ni", blended[:, :3, :3], places) + blended[:, :3, 3]


def resolve(glb: Any, pointer: str) -> Any:
    """What a JSON pointer names in the file; KeyError or IndexError when it names nothing."""
    value: Any = glb.json
    for part in pointer.split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def drawn_places(model: Model, draw: Draw) -> np.ndarray:
    """The vertices of a draw in units, by the matrices of the draw list."""
    geometry = decode_shape(model.shapes[draw.shape].commands, draw.scale)
    slots = geometry.vertices["slot"]
    places = np.empty((len(slots), 3))
    for slot in np.unique(slots).tolist():
        frame = draw.frame if slot < 0 else draw.slots[slot]
        matrix = np.array(frame.position, float) / 4096
        chosen = slots == slot
        places[chosen] = geometry.vertices["position"][chosen] / 4096 @ matrix[:9].reshape(3, 3) + matrix[9:]
    return places


def drawn_coordinates(model: Model, draw: Draw) -> np.ndarray:
    """The texture coordinates of a draw in 1/16 texels, by the integer texture matrix."""
    s, t = decode_shape(model.shapes[draw.shape].commands, draw.scale).vertices["texcoord"].astype(np.int64).T
    matrix = draw.material.texture_matrix
    if matrix is None or draw.material.texgen != 1:
        return np.stack([s, t], 1)
    u, v = s * matrix.m00 + t * matrix.m10 + matrix.m30, s * matrix.m01 + t * matrix.m11 + matrix.m31
    return np.stack([u >> 12, v >> 12], 1)


def drawn_colors(model: Model, draw: Draw) -> np.ndarray:
    """The linear colours of a draw's vertices under the library's default light."""
    geometry = decode_shape(model.shapes[draw.shape].commands, draw.scale)
    vertices = geometry.vertices
    words = np.where(vertices["source"] == 1, vertices["color"], draw.material.dif_amb & 0x7FFF).astype(np.int64)
    five = np.stack([words >> shift & 31 for shift in (0, 5, 10)], axis=1)
    for slot in np.unique(vertices["slot"]).tolist():
        frame = draw.frame if slot < 0 else draw.slots[slot]
        chosen = (vertices["source"] == 2) & (vertices["slot"] == slot)
        if chosen.any():
            normals = np.ascontiguousarray(vertices["normal"][chosen])
            five[chosen] = VertexLight(LIBRARY_DEFAULT).colors(normals, frame.vector, draw.material)
    value = five / 31
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def compare(
    glb: Any, clip: dict[str, Any], frame: float, model: Model, sets: tuple[Tex0, ...], value: Any, skew: float = 2e-4
) -> Counter:
    """Assert that the file shows at a frame what the library draws; count what was compared.

    `skew` is how far rotations in fixed point may be from being rotations, which quaternions always are.
    """
    attached = Attached(model, [value], textures=joined_sets(sets))
    draws = draw_list(model, binding=bind(model, *sets), **attached.at([int(frame * 4096)])).draws
    expected = [draw for draw in draws if len(decode_shape(model.shapes[draw.shape].commands, draw.scale).indices)]
    # A joint of scale 0 hides as well as a toggle does: what lies in one point is not seen.
    expected = [draw for draw in expected if np.ptp(drawn_places(model, draw), axis=0).max() > 0.01]
    found = [one for one in Player(glb, clip, frame / 30).shown() if np.ptp(one[1], axis=0).max() > 0.01]
    where = f"{model.name} {clip['name']} frame {frame}"
    assert len(found) == len(expected), where
    seen: Counter[str] = Counter()
    colors: dict[int, list[np.ndarray]] = {}
    for draw, (name, places, uv, material) in zip(expected, found, strict=True):
        sums = colors.setdefault(material["index"], [np.zeros(3), np.zeros(3)])
        sums[0] += material["color"].sum(0)
        used = np.unique(drawn_shapes(model, [draw])[0].indices)
        sums[1] += drawn_colors(model, draw)[used].sum(0)
        assert name.split("_picture")[0] == f"{model.name}_{model.shapes[draw.shape].name}".replace(":", "_"), where
        truth = drawn_places(model, draw)[used]
        error = np.abs(places - truth).max()
        assert error < 0.02 + skew * np.abs(truth).max(), f"{where} {name}: {error}"
        composed = draw.material
        assert np.isclose(material["factor"][3], (composed.alpha or 31) / 31), where
        if material["image"] is not None:
            assert composed.texture is not None
            assert glb.image(material["image"]) == picture(composed.texture, composed.palette, filtered=True).png, where
            size = np.array([composed.texture.width, composed.texture.height]) * 16
            assert uv is not None
            wrong = np.abs(uv * size - drawn_coordinates(model, draw)[used])
            assert (wrong < 1.01 + 1e-6 * np.abs(uv * size)).all(), f"{where} {name}: {wrong.max()}"
        seen["draws"] += 1
    # Light is baked at rest (joint clips move it along); clips that change colours are held against the drawn ones.
    for shown, drawn in colors.values() if isinstance(value, ColorAnimation) else ():
        # One factor stands for a material's colours: their mean is that of the drawn ones.
        assert np.allclose(shown, drawn, rtol=0.01, atol=0.01), f"{where}: {shown} {drawn}"
        seen["colors"] += 1
    return seen


def five(count: int) -> list[int]:
    return sorted({count * part // 4 if part < 4 else count - 1 for part in range(5)})


@pytest.fixture(scope="module")
def props(world: FieldWorld) -> list[tuple[Model, tuple[Tex0, ...], list[Clip]]]:
    """Every animated prop with the textures of the first prop set that lists it, and its clips."""
    sets: dict[int, int] = {}
    for header in world.headers:
        for cell in world.cells(header.matrix, header.id).values():
            prop_set = world.area(cell.area.value).prop_set
            for model in world.prop_list(prop_set).models.tolist():
                sets.setdefault(model, prop_set)
    result = []
    for number in range(len(world.rom.archive(PLATINUM.path(Role.BUILD_MODEL)))):
        entry = world.prop_animations(number)
        if entry is None or not entry.has_animations:
            continue
        clips = []
        for index in entry.used:
            animation = first_animation(world.animation(index))
            clips.append(Clip(f"{animation.name}.{index}", animation))
        textures = (world.prop_textures(sets[number]).textures,)
        result.append((world.prop_model(number).models[0], textures, clips))
    return result


def test_every_animated_prop_moves_as_evaluated(
    props: list[Any], tmp_path: Path, read_glb: Callable[..., Any], validate_glb: Callable[..., int]
) -> None:
    seen: Counter[str] = Counter()
    files = []
    for model, sets, clips in props:
        document, parts = model_document(model, *sets, clips=clips)
        assert not parts.missing
        files.append(document.write(tmp_path / f"{len(files)}.glb"))
        glb = read_glb(files[-1])
        animations = glb.get("animations")
        assert [one["name"] for one in animations] == [clip.name for clip in clips], model.name
        for animation, clip in zip(animations, clips, strict=True):
            seen["clips"] += 1
            seen[type(clip.animation).__name__] += 1
            for channel in animation["channels"]:
                if channel["target"]["path"] == "pointer":
                    pointer = channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
                    width = glb.array(animation["samplers"][channel["sampler"]]["output"]).shape[1]
                    assert len(resolve(glb, pointer)) == width
                    assert any(one["clip"] == clip.name for one in resolve(glb, pointer_owner(pointer))["animations"])
                    seen["pointers"] += 1
            ends = [glb.array(sampler["input"])[-1, 0] for sampler in animation["samplers"]]
            assert np.allclose(ends, clip.frame_count / 30)
            for frame in five(clip.frame_count):
                seen += compare(glb, animation, frame, model, sets, clip.animation)
                seen["samples"] += 1
    assert (len(props), seen["clips"]) == (112, 166)
    assert seen["samples"] > 700 and seen["draws"] > 1500 and seen["pointers"] > 70, seen
    assert validate_glb(files) == 112


def pointer_owner(pointer: str) -> str:
    """The extras of the material that a pointer is into."""
    return "/".join(pointer.split("/")[:3]) + "/extras"


@pytest.fixture(scope="module")
def effects(world: FieldWorld) -> list[tuple[Model, tuple[Tex0, ...], list[Clip]]]:
    """Models of other archives with the animations of their name."""
    result = []
    for path in OTHER_ARCHIVES:
        archive = world.rom.archive(path)
        files = [archive.reader(index) for index in range(len(archive)) if bytes(archive[index][1:4]) in _NITRO]
        values = [nitro.read(reader) for reader in files]
        animations = [value for value in values if not isinstance(value, Nsbmd)]
        for file in values:
            if not isinstance(file, Nsbmd) or file.textures is None:
                continue
            model = file.models[0]
            own = [value for value in animations if first_animation(value).name == model.name]
            own = [value for value in own if targets(value, model)]
            if own:
                clips = [Clip(type(value).__name__, first_animation(value)) for value in own]
                result.append((model, (file.textures,), clips))
    return result


_NITRO = (b"MD0", b"CA0", b"TP0", b"TA0", b"MA0", b"VA0")


FEW = ("c_demo_D", "ari_start", "aritama", "iwakudaki", "gym07_woodbox")


@pytest.mark.parametrize(
    ("names", "counts"),
    [
        (FEW, {"Nsbca": 5, "Nsbma": 5, "Nsbta": 3, "Nsbtp": 3, "Nsbva": 1}),
        pytest.param((), {"Nsbca": 35, "Nsbma": 19, "Nsbta": 19, "Nsbtp": 20, "Nsbva": 3}, marks=pytest.mark.slow),
    ],
    ids=["few", "all"],
)
def test_effects_with_every_kind_of_animation_move_as_evaluated(
    effects: list[Any],
    names: tuple[str, ...],
    counts: dict[str, int],
    tmp_path: Path,
    read_glb: Callable[..., Any],
    validate_glb: Callable[..., int],
) -> None:
    seen: Counter[str] = Counter()
    draws: Counter[str] = Counter()
    files = []
    for model, sets, clips in effects:
        if names and model.name not in names:
            continue
        document, _ = model_document(model, *sets, clips=clips)
        files.append(document.write(tmp_path / f"{len(files)}.glb"))
        glb = read_glb(files[-1])
        animations = {one["name"]: one for one in glb.get("animations")}
        for clip in clips:
            if clip.name not in animations:
                # Its texture turns, on a skinned shape: glTF hides no single picture of those.
                assert (model.name, clip.name) == ("aritama", "Nsbta")
                continue
            seen[clip.name] += 1
            for frame in five(clip.frame_count):
                draws += compare(glb, animations[clip.name], frame, model, sets, clip.animation, 1.2e-3)
    assert seen == counts
    assert draws["draws"] > 40 * len(files) and draws["colors"] > 5 * counts["Nsbma"]
    assert validate_glb(files) == len(files)


def colors_at(glb: Any, image: int, sampler: dict[str, Any], uv: np.ndarray) -> np.ndarray:
    """The texels of an embedded image at coordinates (n, 2), wrapped as the sampler says."""
    pixels = np.asarray(Image.open(io.BytesIO(glb.image(image))).convert("RGBA"))
    size = np.array(pixels.shape[1::-1])
    texels = np.floor(uv * size).astype(int)
    for axis, wrap in enumerate((sampler["wrapS"], sampler["wrapT"])):
        if wrap == 33071:
            texels[:, axis] = texels[:, axis].clip(0, size[axis] - 1)
        elif wrap == 33648:
            turned = texels[:, axis] % (2 * size[axis])
            texels[:, axis] = np.where(turned >= size[axis], 2 * size[axis] - 1 - turned, turned)
        else:
            texels[:, axis] %= size[axis]
    return pixels[texels[:, 1], texels[:, 0]]


def test_an_atlas_shows_the_same_texels(props: list[Any], read_glb: Callable[..., Any], tmp_path: Path) -> None:
    """Inside every triangle, at every frame of every pattern clip, as the pictures of their own do."""
    compared = moved = 0
    for model, sets, clips in props:
        if not any(type(clip.animation).__name__ == "PatternAnimation" for clip in clips):
            continue
        plain = read_glb(model_document(model, *sets, clips=clips)[0])
        packed = read_glb(model_document(model, *sets, clips=clips, options=ExportOptions(pattern="atlas"))[0])
        for one, other in zip(plain.get("animations"), packed.get("animations"), strict=True):
            if not any(channel["target"]["path"] == "pointer" for channel in other["channels"]):
                continue
            moved += 1
            for frame in range(next(clip.frame_count for clip in clips if clip.name == one["name"])):
                left, right = (list(Player(*part, frame / 30).shown()) for part in ((plain, one), (packed, other)))
                for (_, _, uv, first), (_, _, uv2, second) in zip(left, right, strict=True):
                    if uv is None or uv2 is None:
                        continue
                    corners = [values[: len(values) // 3 * 3].reshape(-1, 3, 2).mean(1) for values in (uv, uv2)]
                    found = [
                        colors_at(glb, material["image"], material["sampler"], places)
                        for glb, material, places in zip((plain, packed), (first, second), corners, strict=True)
                    ]
                    assert np.array_equal(*found), f"{model.name} {one['name']} frame {frame}"
                    compared += len(found[0])
    assert moved >= 15 and compared > 5000, (moved, compared)


def test_merging_keeps_what_moves_apart(props: list[Any], read_glb: Callable[..., Any]) -> None:
    merged = 0
    for model, sets, clips in props:
        one = read_glb(model_document(model, *sets, clips=clips)[0])
        other = read_glb(model_document(model, *sets, clips=clips, options=ExportOptions(merge=BY_MATERIAL))[0])
        assert [clip["name"] for clip in one.get("animations")] == [clip["name"] for clip in other.get("animations")]
        for left, right in zip(one.get("animations"), other.get("animations"), strict=True):
            for frame in five(round(float(one.array(left["samplers"][0]["input"])[-1, 0]) * 30)):
                places = [
                    np.concatenate([places for _, places, _, _ in Player(glb, clip, frame / 30).shown()])
                    for glb, clip in ((one, left), (other, right))
                ]
                order = [values[np.lexsort(values.round(3).T)] for values in places]
                assert np.allclose(*order, atol=2e-3), model.name
                merged += 1
    assert merged > 700


def test_static_leaves_clips_out(props: list[Any], read_glb: Callable[..., Any]) -> None:
    model, sets, clips = props[0]
    glb = read_glb(model_document(model, *sets, clips=clips, options=ExportOptions(static=True))[0])
    assert "animations" not in glb.json and clips
    assert glb.json == read_glb(model_document(model, *sets)[0]).json


def test_interpolating_clips_blend_between_frames(props: list[Any], read_glb: Callable[..., Any]) -> None:
    """Half way between frames, and half way from the last one to the first where the flag asks for it."""
    seen: Counter[str] = Counter()
    for model, sets, clips in props:
        for clip in clips:
            if not isinstance(clip.animation, JointAnimation) or not clip.animation.interpolate:
                continue
            for closed in (False, True):
                animation = dataclasses.replace(clip.animation, end_to_start=closed)
                glb = read_glb(model_document(model, *sets, clips=[Clip("clip", animation)])[0])
                (written,) = glb.get("animations")
                assert {sampler["interpolation"] for sampler in written["samplers"]} == {"LINEAR"}
                for frame in {0.5, clip.frame_count // 2 + 0.5, clip.frame_count - 0.5}:
                    seen += compare(glb, written, frame, model, sets, animation, 2e-3)
                    seen["closed" if closed else "open"] += 1
    assert seen["closed"] == seen["open"] >= 15, seen


def test_clips_out_of_proportion_are_refused(effects: list[Any]) -> None:
    model, sets, clips = next(one for one in effects if one[0].name == "kurotama")
    clip = next(clip for clip in clips if isinstance(clip.animation, JointAnimation))
    endless = Clip("endless", dataclasses.replace(clip.animation, frame_count=65535))
    with pytest.raises(FormatError, match="evaluations of its tracks"):
        model_document(model, *sets, clips=[endless])
