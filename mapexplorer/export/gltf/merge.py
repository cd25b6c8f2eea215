"""Merges what does not move in a document: one node for each material, whatever model and cell its surfaces are of.

Nodes that clips show and hide alike (the pictures of the sea) are merged with each other too. Nodes that move, joints,
skins, billboards, cameras, lights and empty nodes stay. A node that is left without contents is removed; its name and
extras are listed in `merged` among the extras of its scene's first node. Materials that look alike become one: of
their extras, the texture and palette of the first and the curves of clips are left.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf.document import INDICES, Channel, Document, Json
from mapexplorer.export.gltf.joints import Trs

Matrix = npt.NDArray[np.float64]

_TRANSFORM: Final = ("translation", "rotation", "scale")
_CURVES: Final = "animations"
_KEPT: Final = ("texture", "palette", _CURVES)


def merged(document: Document) -> Document:
    """A new document in which the static surfaces of the first scene are merged by material; images, cameras, lights
    and the other scenes are the same."""
    return _Merger(document).result


@dataclass(slots=True)
class _Surface:
    """Arrays of primitives of one material under one condition, in the space of the scene."""

    attributes: dict[str, list[npt.NDArray[Any]]] = field(default_factory=dict)
    indices: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    count: int = 0


class _Merger:
    def __init__(self, document: Document) -> None:
        self.old = document
        self.result = document.derived()
        self.nodes = document.items("nodes")
        self._known_materials: dict[str, int] = {}
        self._material_of = [self._material(definition) for definition in document.items("materials")]
        self._copied: dict[int, int] = {}
        self._accessors: dict[int, int] = {}
        self._meshes: dict[int, int] = {}
        self._channels: dict[int, list[tuple[Any, ...]]] = {}
        for number, animation in enumerate(document.items("animations")):
            for channel in animation["channels"]:
                node = channel["target"].get("node")
                if node is not None:
                    sampler = animation["samplers"][channel["sampler"]]
                    key = (number, channel["target"]["path"], *sampler.values())
                    self._channels.setdefault(node, []).append(key)
        self._bound = {joint for skin in document.items("skins") for joint in skin["joints"]}
        self._surfaces: dict[Any, dict[Any, _Surface]] = {}
        self._stand_ins: dict[int, int] = {}
        self._gone: dict[str, Json] = {}
        for number, scene in enumerate(document.items("scenes")):
            self._scene(scene, merging=number == 0)
        self._animations()

    def _scene(self, scene: Json, *, merging: bool) -> None:
        roots = scene.get("nodes", [])
        made = [self._node(root, np.eye(4), merging=merging and not number) for number, root in enumerate(roots)]
        kept = [node for node in made if node is not None]
        if merging:
            first = self.result.items("nodes")[kept[0]]
            self.result.attach(kept[0], *self._write_surfaces())
            if self._gone:
                first["extras"] = first.get("extras", {}) | {"merged": self._gone}
        for node in roots:
            self._skins(node)
        self.result.scene(scene["name"], kept, extras=scene.get("extras"))

    def _material(self, definition: Json) -> int:
        extras = {name: one for name, one in definition.get("extras", {}).items() if name in _KEPT}
        curves = {name: one for name, one in extras.items() if name == _CURVES}
        key = json.dumps({**definition, "name": "", "extras": curves}, sort_keys=True)
        if key not in self._known_materials:
            self._known_materials[key] = self.result.material({**definition, "extras": extras})
        return self._known_materials[key]

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, number: int, above: Matrix, *, merging: bool, root: bool = True) -> int | None:
        """Copy a node and what is below it, without what is merged; None: nothing is left."""
        node = self.nodes[number]
        moves = number in self._channels or number in self._bound
        trs = Trs(*(node.get(part) for part in _TRANSFORM))
        world = trs.matrix() @ above
        mesh = node.get("mesh")
        if merging and mesh is not None and "skin" not in node and "billboard" not in node.get("extras", {}):
            toggled = number in self._channels and self._toggles(number)
            if (not moves or toggled) and not node.get("children"):
                matrix = world if not toggled else Trs(node.get("translation"), node.get("rotation")).matrix() @ above
                self._take(number, mesh, matrix, toggled=toggled)
                if not root:
                    if node.get("extras"):
                        self._gone[node["name"]] = node["extras"]
                    return None
                mesh = None
        below = [
            self._node(child, world, merging=merging and not moves, root=False) for child in node.get("children", ())
        ]
        kept = [child for child in below if child is not None]
        if not root and below and not kept and mesh is None and not moves:
            if node.get("extras"):
                self._gone[node["name"]] = node["extras"]
            return None
        parts = {part: node.get(part) for part in _TRANSFORM}
        copy = self.result.node(
            node.get("name", ""), children=kept, mesh=None if mesh is None else self._mesh(mesh),
            camera=node.get("camera"), extras=node.get("extras"), extensions=node.get("extensions"), **parts,
        )  # fmt: skip
        self._copied[number] = copy
        return copy

    def _toggles(self, number: int) -> bool:
        """Whether clips only show and hide a node: its scale is 0 or 1 at every key."""
        for _, path, _, output, interpolation in self._channels[number]:
            values = self.old.array(output)
            if path != "scale" or interpolation != "STEP" or not np.isin(values, (0, 1)).all():
                return False
        return True

    def _skins(self, number: int) -> None:
        """Give the copies of skinned nodes their skins, whose joints are copied by then."""
        node = self.nodes[number]
        if "skin" in node:
            skin = self.old.items("skins")[node["skin"]]
            matrices = skin.get("inverseBindMatrices")
            made = self.result.skin(
                [self._copied[joint] for joint in skin["joints"]],
                None if matrices is None else self.old.array(matrices),
                skeleton=self._copied[skin["skeleton"]], name=skin.get("name", ""),
            )  # fmt: skip
            self.result.items("nodes")[self._copied[number]]["skin"] = made

    # -- surfaces ----------------------------------------------------------------------------------------------------

    def _take(self, number: int, mesh: int, world: Matrix, *, toggled: bool) -> None:
        """Add the primitives of a node to the surfaces that show under the same condition."""
        condition: Any = None
        if toggled:
            condition = (tuple(self.nodes[number]["scale"]), *sorted(self._channels[number]))
        group = self._surfaces.setdefault(condition, {})
        mirrored = np.linalg.det(world[:3, :3]) < 0
        for primitive in self.old.items("meshes")[mesh]["primitives"]:
            attributes = primitive["attributes"]
            key = (self._material_of[primitive["material"]], *sorted(attributes))
            surface = group.setdefault(key, _Surface())
            arrays = {name: self.old.array(accessor) for name, accessor in attributes.items()}
            places = arrays["POSITION"].astype(np.float64) @ world[:3, :3] + world[3, :3]
            arrays["POSITION"] = places.astype(np.float32)
            if "NORMAL" in arrays:
                turned = arrays["NORMAL"].astype(np.float64) @ np.linalg.inv(world[:3, :3]).T
                lengths = np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12)
                arrays["NORMAL"] = (turned / lengths).astype(np.float32)
            for name, array in arrays.items():
                surface.attributes.setdefault(name, []).append(array)
            indices = self.old.array(primitive["indices"]).astype(np.uint32) + np.uint32(surface.count)
            surface.indices.append(indices.reshape(-1, 3)[:, ::-1].ravel() if mirrored else indices)
            surface.count += len(places)
        if toggled:
            self._stand_ins.setdefault(number, -1)

    def _write_surfaces(self) -> list[int]:
        """A node for each condition and material; the nodes that a clip shows and hides take over its channels."""
        made = []
        for condition, group in self._surfaces.items():
            nodes = []
            for (material, *_), surface in group.items():
                name = self.result.items("materials")[material]["name"]
                mesh = self.result.mesh([self._primitive(material, surface)], name=f"merged_{name}")
                scale = None if condition is None else condition[0]
                nodes.append(self.result.node(f"merged_{name}", mesh=mesh, scale=scale))
            if condition is not None:
                if len(nodes) > 1:  # one node to show and hide
                    for node in nodes:
                        del self.result.items("nodes")[node]["scale"]
                    nodes = [self.result.node("merged_picture", children=nodes, scale=condition[0])]
                for number in self._stand_ins:
                    if (tuple(self.nodes[number]["scale"]), *sorted(self._channels[number])) == condition:
                        self._copied[number] = nodes[0]
            made += nodes
        return made

    def _primitive(self, material: int, surface: _Surface) -> Json:
        corners = np.concatenate(surface.indices)
        if surface.count < 0xFFFF:
            corners = corners.astype(np.uint16)
        attributes = {
            name: self.result.accessor(
                np.concatenate(arrays), bounds=name == "POSITION", normalized=name.startswith("COLOR")
            )
            for name, arrays in surface.attributes.items()
        }
        indices = self.result.accessor(corners, target=INDICES)
        return {"attributes": attributes, "indices": indices, "material": material}

    # -- copies ------------------------------------------------------------------------------------------------------

    def _accessor(self, number: int) -> int:
        if number not in self._accessors:
            self._accessors[number] = self.result.copied_accessor(self.old, number)
        return self._accessors[number]

    def _mesh(self, number: int) -> int:
        if number not in self._meshes:
            mesh = self.old.items("meshes")[number]
            primitives = [
                primitive
                | {
                    "attributes": {name: self._accessor(one) for name, one in primitive["attributes"].items()},
                    "indices": self._accessor(primitive["indices"]),
                    "material": self._material_of[primitive["material"]],
                }
                for primitive in mesh["primitives"]
            ]
            self._meshes[number] = self.result.mesh(primitives, name=mesh.get("name", ""), extras=mesh.get("extras"))
        return self._meshes[number]

    def _pointer(self, pointer: str | None) -> str | None:
        """A pointer into a material, to the material of the new document."""
        if pointer is None:
            return None
        _, kind, number, rest = pointer.split("/", 3)
        return f"/{kind}/{self._material_of[int(number)]}/{rest}"

    def _animations(self) -> None:
        for animation in self.old.items("animations"):
            channels: dict[Any, Channel] = {}
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                times, values = (self.old.array(sampler[part]) for part in ("input", "output"))
                node = None if "node" not in target else self._copied[target["node"]]
                pointer = self._pointer(target.get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer"))
                channels.setdefault(
                    (node, target["path"], pointer),
                    Channel(times, values, node, target["path"], pointer, sampler["interpolation"]),
                )
            self.result.animation(animation["name"], channels.values(), extras=animation.get("extras"))
