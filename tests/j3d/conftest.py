"""The original sample files, what they mean, and an evaluation of GLB files that knows nothing of J3D."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest

from formats import j3d
from formats.j3d import Bck, Bmd
from formats.j3d.joints import RIGID
from mapexplorer.j3d.animation import sample_frames
from mapexplorer.j3d.pose import JointPose, envelope_starts, inverse_binds, world_matrices

SAMPLES = Path(__file__).with_name("samples")


def pose_at(animation: Bck, frame: float) -> JointPose:
    """The pose at one frame."""
    scales, rotations, translations = sample_frames(animation, np.array([frame], np.float64))
    return JointPose(scales[0], rotations[0], translations[0])


def draw_matrices(model: Bmd, world: np.ndarray | None = None) -> np.ndarray:
    """The matrix behind each draw matrix index: the joint's world matrix, whose vertices are in the joint's space, or
    the weighted sum over an envelope, whose vertices are in the bind pose's model space."""
    world = world_matrices(model) if world is None else world
    kinds, indices = model.draw_matrices["kind"], model.draw_matrices["index"]
    result = np.empty((len(kinds), 4, 4))
    rigid = kinds == RIGID
    result[rigid] = world[indices[rigid]]
    if not rigid.all():
        influences = model.envelopes
        joints = influences.joints
        parts = influences.weights[:, None, None] * (inverse_binds(model)[joints] @ world[joints])
        blended = np.add.reduceat(parts, envelope_starts(model), axis=0)
        result[~rigid] = blended[indices[~rigid]]
    return result


@pytest.fixture(scope="session")
def expected() -> dict[str, Any]:
    """What the samples mean, by file name."""
    return {name: value for name, value in json.loads((SAMPLES / "expected.json").read_text()).items() if "." in name}


@pytest.fixture(scope="session")
def sample() -> Callable[[str], Any]:
    """A function that reads a sample file."""
    return lambda name: j3d.read((SAMPLES / name).read_bytes())


@pytest.fixture(scope="session")
def models(sample: Callable[[str], Any], expected: dict[str, Any]) -> dict[str, Bmd]:
    """The sample models."""
    found = {name: sample(name) for name in expected if name.endswith(".bmd")}
    assert len(found) == 8
    return found


@pytest.fixture(scope="session")
def wave(sample: Callable[[str], Any]) -> Bck:
    """The animation of the sample skin."""
    return sample("synth_skin_wave.bck")


class Glb:
    """A GLB file read by pygltflib and posed by the rules of glTF alone."""

    def __init__(self, data: bytes) -> None:
        self.gltf = pygltflib.GLTF2.load_from_bytes(data)
        self.blob = self.gltf.binary_blob()

    def values(self, index: int) -> np.ndarray:
        accessor = self.gltf.accessors[index]
        view = self.gltf.bufferViews[accessor.bufferView]
        dtype = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor.componentType]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        size = np.dtype(dtype).itemsize * width
        stride = view.byteStride or size
        end = start + (accessor.count - 1) * stride + size
        rows = np.lib.stride_tricks.as_strided(
            np.frombuffer(self.blob[start:end], np.uint8), (accessor.count, size), (stride, 1)
        )
        result = np.ascontiguousarray(rows).view(dtype).astype(np.float64)
        if accessor.normalized:
            result /= 255 if dtype == "u1" else 65535
        return result

    def worlds(self, animation: int | None = None, key: int = 0) -> np.ndarray:
        """Column-vector world matrices of all nodes, at rest or at key number `key` of an animation."""
        nodes = self.gltf.nodes
        parts = [
            {
                "translation": np.array(node.translation or (0, 0, 0), float),
                "rotation": np.array(node.rotation or (0, 0, 0, 1), float),
                "scale": np.array(node.scale or (1, 1, 1), float),
            }
            for node in nodes
        ]
        if animation is not None:
            clip = self.gltf.animations[animation]
            for channel in clip.channels:
                keys = self.values(clip.samplers[channel.sampler].output)
                parts[channel.target.node][channel.target.path] = keys[min(key, len(keys) - 1)]
        local = np.tile(np.eye(4), (len(nodes), 1, 1))
        for i, part in enumerate(parts):
            x, y, z, w = part["rotation"]
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            local[i, :3, :3] = (np.eye(3) + 2 * w * cross + 2 * cross @ cross) * part["scale"]
            local[i, :3, 3] = part["translation"]
        world = np.full((len(nodes), 4, 4), np.nan)

        def descend(node: int, above: np.ndarray) -> None:
            world[node] = above @ local[node]
            for child in nodes[node].children or []:
                descend(child, world[node])

        for root in self.gltf.scenes[self.gltf.scene].nodes:
            descend(root, np.eye(4))
        return world

    def triangles(self, animation: int | None = None, key: int = 0) -> dict[int, np.ndarray]:
        """J3D shape number -> (triangles, 3, 3) world positions in the file's order of corners."""
        worlds = self.worlds(animation, key)
        result = {}
        for i, node in enumerate(self.gltf.nodes):
            if node.mesh is None:
                continue
            for primitive in self.gltf.meshes[node.mesh].primitives:
                if primitive.mode not in (None, 4):
                    continue
                attributes = primitive.attributes
                positions = np.c_[
                    self.values(attributes.POSITION), np.ones(self.gltf.accessors[attributes.POSITION].count)
                ]
                if node.skin is None:
                    placed = positions @ worlds[i].T
                else:
                    skin = self.gltf.skins[node.skin]
                    binds = self.values(skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
                    joints = worlds[skin.joints] @ binds
                    placed = np.zeros_like(positions)
                    for members, weights in (("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1")):
                        if getattr(attributes, members, None) is None:
                            continue
                        index = self.values(getattr(attributes, members)).astype(int)
                        share = self.values(getattr(attributes, weights))
                        for k in range(4):
                            placed += share[:, k, None] * np.einsum("nij,nj->ni", joints[index[:, k]], positions)
                order = self.values(primitive.indices).astype(int).reshape(-1, 3)
                result[node.extras["shape"]] = placed[order, :3]
        return result


@pytest.fixture(scope="session")
def open_glb() -> type[Glb]:
    return Glb
