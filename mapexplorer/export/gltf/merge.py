"""Merges what does not move in a document: one node for each material, whatever model and cell its surfaces are of.

Nodes that clips show and hide alike (the pictures of the sea) are merged with each other too. Nodes that move, joints,
skins, billboards, cameras, lights and empty nodes stay. A node that is left without contents is removed; its name and
extras are listed in `merged` among the extras of its scene's first node. Materials that look alike become one: of
their extras, the texture and palette of the first and the curves of clips are left.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from mapexplorer.export.gltf.copying import TRANSFORM, Copier
from mapexplorer.export.gltf.curves import AUTO_PREFIX
from mapexplorer.export.gltf.document import Document, Json
from mapexplorer.export.gltf.joints import Trs
from mapexplorer.grouping import by_key

Matrix = npt.NDArray[np.float64]

_CURVES: Final = "animations"
_KEPT: Final = ("texture", "palette", _CURVES)


def merged(document: Document) -> Document:
    """A new document in which the static surfaces of the first scene are merged by material; images, cameras, lights
    and the other scenes are the same."""
    return _Merger(document).new


_Part = tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.uint32]]
"""The vertices of a primitive, by attributes, in the space of the scene, and its triangles."""


class _Merger(Copier):
    def __init__(self, document: Document) -> None:
        super().__init__(document, Document())
        self._known_materials: dict[bytes, int] = {}
        self.copy_all("images", "samplers", "textures", "cameras", "lights", "materials")
        self._channels: dict[int, list[tuple[Any, ...]]] = by_key(
            (target["node"], (number, target["path"], *animation["samplers"][channel["sampler"]].values()))
            for number, animation in enumerate(document.items("animations"))
            for channel in animation["channels"]
            if "node" in (target := channel["target"])
        )
        self._bound = {joint for skin in document.items("skins") for joint in skin["joints"]}
        self._surfaces: dict[Any, dict[Any, list[_Part]]] = {}
        self._toggled: dict[Any, list[int]] = {}
        self._gone: dict[str, Json] = {}
        for number, scene in enumerate(document.items("scenes")):
            self._scene(scene, merging=number == 0)
        self.animations()

    def _scene(self, scene: Json, *, merging: bool) -> None:
        roots = scene.get("nodes", [])
        made = [self._node(root, np.eye(4), merging=merging and not number) for number, root in enumerate(roots)]
        kept = [node for node in made if node is not None]
        if merging:
            first = self.new.items("nodes")[kept[0]]
            self.new.attach(kept[0], *self._write_surfaces())
            if self._gone:
                first["extras"] = first.get("extras", {}) | {"merged": self._gone}
        for node in roots:
            self.skins(node)
        self.new.scene(scene["name"], kept, extras=scene.get("extras"))

    def _material(self, number: int) -> int:
        """The material that stands for one of the old document and for those that look alike."""
        definition = self.old.items("materials")[number]
        extras = {name: part for name, part in definition.get("extras", {}).items() if name in _KEPT}
        wanted = {**definition, "name": "", "extras": _look_of_curves(extras)}
        key = orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)
        if key not in self._known_materials:
            self._known_materials[key] = self.new.add_definition("materials", {**definition, "extras": extras})
        return self._known_materials[key]

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, number: int, above: Matrix, *, merging: bool, root: bool = True) -> int | None:
        """Copy a node and what is below it, without what is merged; None: nothing is left."""
        node = self.old.items("nodes")[number]
        moves = number in self._channels or number in self._bound
        world = Trs(*(node.get(part) for part in TRANSFORM)).matrix() @ above
        mesh = node.get("mesh")
        taken = False
        if merging and mesh is not None and "skin" not in node and "billboard" not in node.get("extras", {}):
            toggled = number in self._channels and self._toggles(number)
            if (not moves or toggled) and not node.get("children"):
                matrix = world if not toggled else Trs(node.get("translation"), node.get("rotation")).matrix() @ above
                self._take(number, mesh, matrix, toggled=toggled)
                taken = True
        below = [
            self._node(child, world, merging=merging and not moves, root=False) for child in node.get("children", ())
        ]
        kept = [child for child in below if child is not None]
        if not root and (taken or (below and not kept and mesh is None and not moves)):
            if node.get("extras"):
                self._gone[node["name"]] = node["extras"]
            return None
        return self.bare_node(number, kept, mesh=not taken)

    def _toggles(self, number: int) -> bool:
        """Whether clips only show and hide a node: its scale is 0 or 1 at every key."""
        return all(
            path == "scale" and interpolation == "STEP" and bool(np.isin(self.old.array(output), (0, 1)).all())
            for _, path, _, output, interpolation in self._channels[number]
        )

    # -- surfaces ----------------------------------------------------------------------------------------------------

    def _take(self, number: int, mesh: int, world: Matrix, *, toggled: bool) -> None:
        """Add the primitives of a node to the surfaces that show under the same condition."""
        condition: Any = None
        if toggled:
            condition = (tuple(self.old.items("nodes")[number]["scale"]), *sorted(self._channels[number]))
            self._toggled.setdefault(condition, []).append(number)
        group = self._surfaces.setdefault(condition, {})
        mirrored = np.linalg.det(world[:3, :3]) < 0
        for primitive in self.old.items("meshes")[mesh]["primitives"]:
            attributes = primitive["attributes"]
            key = (self.copy("materials", primitive["material"]), *sorted(attributes))
            corners = self.old.array(primitive["indices"])
            used = slice(int(corners.min()), int(corners.max()) + 1)  # of the vertices, which meshes share
            arrays = {name: self.old.array(accessor)[used] for name, accessor in attributes.items()}
            places = arrays["POSITION"].astype(np.float64) @ world[:3, :3] + world[3, :3]
            arrays["POSITION"] = places.astype(np.float32)
            if "NORMAL" in arrays:
                turned = arrays["NORMAL"].astype(np.float64) @ np.linalg.inv(world[:3, :3]).T
                lengths = np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12)
                arrays["NORMAL"] = (turned / lengths).astype(np.float32)
            indices = corners.astype(np.uint32) - np.uint32(used.start)
            indices = indices.reshape(-1, 3)[:, ::-1].ravel() if mirrored else indices
            group.setdefault(key, []).append((arrays, indices))

    def _write_surfaces(self) -> list[int]:
        """A node for each condition and material; the nodes that a clip shows and hides take over its channels."""
        made = []
        for condition, group in self._surfaces.items():
            nodes = []
            for (material, *_), parts in group.items():
                name = self.new.items("materials")[material]["name"]
                mesh = self.new.mesh([self._primitive(material, parts)], name=f"merged_{name}")
                scale = None if condition is None else condition[0]
                nodes.append(self.new.node(f"merged_{name}", mesh=mesh, scale=scale))
            if condition is not None:
                if len(nodes) > 1:  # one node to show and hide
                    for node in nodes:
                        del self.new.items("nodes")[node]["scale"]
                    nodes = [self.new.node("merged_picture", children=nodes, scale=condition[0])]
                self.nodes |= dict.fromkeys(self._toggled[condition], nodes[0])
            made += nodes
        return made

    def _primitive(self, material: int, parts: Sequence[_Part]) -> Json:
        *starts, count = itertools.accumulate([len(arrays["POSITION"]) for arrays, _ in parts], initial=0)
        corners = np.concatenate([own + np.uint32(start) for (_, own), start in zip(parts, starts, strict=True)])
        joined = {name: np.concatenate([arrays[name] for arrays, _ in parts]) for name in parts[0][0]}
        return self.new.primitive(joined, corners.astype(np.uint16) if count < 0xFFFF else corners, material)


def _look_of_curves(extras: Json) -> list[Json]:
    """The curves of a material without the names of the clips where all of them loop: those play at the same time."""
    curves: list[Json] = extras.get(_CURVES, [])
    if not all(curve["clip"].startswith(AUTO_PREFIX) for curve in curves):
        return curves
    return [{name: part for name, part in curve.items() if name != "clip"} for curve in curves]
