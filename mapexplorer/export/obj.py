"""A glTF document as OBJ with MTL and PNG: the surfaces that its first scene shows at rest.

Surfaces of a glTF share vertices; here each has those that its triangles use. Vertices have colours (sRGB, after the
coordinates), as several programs read them. Translucent surfaces that a document has twice (see `gltf/primitives.py`)
are written once. OBJ has no clips, empty nodes, lights and cameras.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.export.files import safe_name
from mapexplorer.export.gltf.backdrop import BACKDROP
from mapexplorer.export.gltf.copying import TRANSFORM
from mapexplorer.export.gltf.document import CLAMP_TO_EDGE, Document, Json
from mapexplorer.export.gltf.joints import Trs
from mapexplorer.export.gltf.separate import SharedFiles

Floats = npt.NDArray[np.float64]

_TEXTURE_TRANSFORM: Final = "KHR_texture_transform"


def write_obj(document: Document, name: str, files: SharedFiles) -> Path:
    """Write NAME.mtl and NAME.obj, and the images. Raises OSError."""
    writer = _ObjWriter(document)
    library = f"{safe_name(name)}.mtl"
    lines = [f"mtllib {library}"]
    for number, world in _shown(document):
        lines += writer.node(number, world)
    materials = [line for number in writer.used for line in _material(document, number, files)]
    files.file(library, "\n".join([*materials, ""]).encode())
    return files.file(f"{name}.obj", "\n".join([*lines, ""]).encode())


def _shown(document: Document) -> Iterator[tuple[int, Floats]]:
    """The nodes of the first scene with their matrices (4, 4) for row vectors, without those of no size and without a
    backdrop, which would hide the map: materials of OBJ show both sides."""
    nodes = document.items("nodes")

    def below(number: int, above: Floats) -> Iterator[tuple[int, Floats]]:
        node = nodes[number]
        world = Trs(*(node.get(part) for part in TRANSFORM)).matrix() @ above
        if world[:3, :3].any():
            yield number, world
            for child in node.get("children", ()):
                yield from below(child, world)

    for root in document.items("scenes")[0].get("nodes", ()):
        if nodes[root].get("name") != BACKDROP:
            yield from below(root, np.eye(4))


class _ObjWriter:
    """Writes nodes, and counts the vertices of the file and the materials that they use."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.used: dict[int, None] = {}
        self._worlds = dict(_shown(document))
        self._counts = {"v": 0, "vt": 0, "vn": 0}

    def node(self, number: int, world: Floats) -> list[str]:
        """The lines of a node with a mesh; none for others."""
        node = self.document.items("nodes")[number]
        if "mesh" not in node:
            return []
        lines = [f"o {_word(node['name'])}"]
        for primitive in self.document.items("meshes")[node["mesh"]]["primitives"]:
            if "alphaCutoff" not in self.document.items("materials")[primitive["material"]]:
                lines += self._primitive(primitive, node, world)
        return lines if len(lines) > 1 else []

    def _primitive(self, primitive: Json, node: Json, world: Floats) -> Iterator[str]:
        used, corners = np.unique(self.document.array(primitive["indices"]).astype(np.int64), return_inverse=True)
        arrays = {name: self.document.array(number)[used] for name, number in primitive["attributes"].items()}
        matrices = world[None] if "skin" not in node else self._skin(node["skin"], arrays)
        places = np.einsum("vi,vij->vj", arrays["POSITION"].astype(np.float64), matrices[:, :3, :3])
        rows = {"v": places + matrices[:, 3, :3]}
        if "COLOR_0" in arrays:
            colors = _displayed(arrays["COLOR_0"][:, :3] / np.iinfo(arrays["COLOR_0"].dtype).max)
            rows["v"] = np.concatenate([rows["v"], colors], axis=1)
        if "TEXCOORD_0" in arrays:
            rows["vt"] = self._coordinates(arrays["TEXCOORD_0"], primitive["material"])
        if "NORMAL" in arrays:
            turns = np.linalg.inv(matrices[:, :3, :3]).swapaxes(1, 2)
            turned = np.einsum("vi,vij->vj", arrays["NORMAL"].astype(np.float64), turns)
            rows["vn"] = turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12)
        firsts = {kind: self._counts[kind] + 1 for kind in rows}
        yield from itertools.starmap(self._lines, rows.items())
        self.used[primitive["material"]] = None
        yield f"usemtl {_word(self.document.items('materials')[primitive['material']]['name'])}"
        corners = corners.reshape(-1, 3)
        if np.linalg.det(matrices[0, :3, :3]) < 0:
            corners = corners[:, ::-1]
        yield _faces(corners.ravel(), firsts)

    def _skin(self, number: int, arrays: dict[str, npt.NDArray[Any]]) -> Floats:
        """The matrix of each vertex (n, 4, 4) under the joints of a skin."""
        skin = self.document.items("skins")[number]
        inverse = self.document.array(skin["inverseBindMatrices"]).astype(np.float64)
        joints = inverse @ np.stack([self._worlds.get(joint, np.zeros((4, 4))) for joint in skin["joints"]])
        weights = arrays["WEIGHTS_0"].astype(np.float64)
        weights /= weights.sum(axis=1, keepdims=True)
        matrices: Floats = np.einsum("vk,vkij->vij", weights, joints[arrays["JOINTS_0"]])
        return matrices

    def _coordinates(self, coordinates: npt.NDArray[Any], material: int) -> Floats:
        """Texture coordinates with the transform of a material's texture; t goes upwards in OBJ."""
        surface = self.document.items("materials")[material]["pbrMetallicRoughness"]
        moved = surface.get("baseColorTexture", {}).get("extensions", {}).get(_TEXTURE_TRANSFORM, {})
        result = coordinates * np.array(moved.get("scale", (1, 1))) + np.array(moved.get("offset", (0, 0)))
        return np.stack([result[:, 0], 1 - result[:, 1]], axis=1)

    def _lines(self, kind: str, rows: Floats) -> str:
        self._counts[kind] += len(rows)
        line = f"{kind}{' %.5f' * rows.shape[1]}"
        return "\n".join([line] * len(rows)) % tuple((np.round(rows, 5) + 0.0).ravel().tolist())


def _faces(corners: npt.NDArray[np.int64], firsts: dict[str, int]) -> str:
    """Triangles, whose corners have a number of each kind of data that there is."""
    corner = {("v",): "%d", ("v", "vt"): "%d/%d", ("v", "vn"): "%d//%d", ("v", "vt", "vn"): "%d/%d/%d"}[tuple(firsts)]
    numbers = np.stack([corners + first for first in firsts.values()], axis=1).ravel()
    return "\n".join([f"f {corner} {corner} {corner}"] * (len(corners) // 3)) % tuple(numbers.tolist())


def _material(document: Document, number: int, files: SharedFiles) -> list[str]:
    material = document.items("materials")[number]
    surface = material["pbrMetallicRoughness"]
    red, green, blue, alpha = surface.get("baseColorFactor", (1, 1, 1, 1))
    lines = [f"newmtl {_word(material['name'])}", f"Kd {red:.5f} {green:.5f} {blue:.5f}", f"d {alpha:.5f}", "illum 1"]
    if "baseColorTexture" in surface:
        texture = document.items("textures")[surface["baseColorTexture"]["index"]]
        sampler = document.items("samplers")[texture["sampler"]]
        clamp = "-clamp on " if {sampler["wrapS"], sampler["wrapT"]} == {CLAMP_TO_EDGE} else ""
        file = files.image(*document.picture(texture["source"]))
        lines.append(f"map_Kd {clamp}{file}")
        if "alphaMode" in material:
            lines.append(f"map_d {clamp}{file}")
    return lines


def _displayed(linear: npt.NDArray[Any]) -> Floats:
    """Linear light 0..1 as display values 0..1 (sRGB)."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-12) ** (1 / 2.4) - 0.055)


def _word(name: str) -> str:
    """A name without spaces, which end a name in OBJ."""
    return "_".join(name.split())
