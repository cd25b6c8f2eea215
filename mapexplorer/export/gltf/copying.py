"""Copies nodes of a document into another one, with the meshes, materials, images, skins and clips that they use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from mapexplorer.export.gltf.document import Channel, Document, Json

TRANSFORM: Final = ("translation", "rotation", "scale")


def copied(
    document: Document,
    roots: Sequence[int],
    scene: str,
    *,
    rename: Callable[[str], str] = str,
    without: Collection[str] = (),
    placed: bool = True,
) -> Document:
    """A new document with one scene of some nodes of a document and what is below them. Clips but those of `without`
    have the channels of these nodes and of their materials. `rename` changes the names of nodes, meshes and clips;
    roots lose their places unless `placed`."""
    copier = Copier(document, Document(), rename)
    made = [copier.node(root) for root in roots]
    if not placed:
        for node in made:
            for part in TRANSFORM:
                copier.new.items("nodes")[node].pop(part, None)
    for root in roots:
        copier.skins(root)
    copier.new.scene(scene, made)
    copier.animations(without)
    for animation in copier.new.items("animations"):
        animation["extras"] = {name: one for name, one in animation["extras"].items() if name != "instances"}
    return copier.new


class Copier:
    """Copies parts of `old` to `new`. `nodes` and `materials` are the numbers of the copies."""

    def __init__(self, old: Document, new: Document, rename: Callable[[str], str] = str) -> None:
        self.old = old
        self.new = new
        self.rename = rename
        self.nodes: dict[int, int] = {}
        self.materials: dict[int, int] = {}
        self._accessors: dict[int, int] = {}
        self._meshes: dict[int, int] = {}
        self._textures: dict[int, int] = {}

    def node(self, number: int) -> int:
        """A node and what is below it."""
        below = [self.node(child) for child in self.old.items("nodes")[number].get("children", ())]
        return self.bare_node(number, below)

    def bare_node(self, number: int, children: Sequence[int], *, mesh: bool = True) -> int:
        """A node above copies of its children, with its mesh or without."""
        node = self.old.items("nodes")[number]
        shown = node["mesh"] if mesh and "mesh" in node else None
        copy = self.new.node(
            self.rename(node.get("name", "")), children=children, mesh=None if shown is None else self.mesh(shown),
            camera=node.get("camera"), extras=node.get("extras"), extensions=node.get("extensions"),
            **{part: node.get(part) for part in TRANSFORM},
        )  # fmt: skip
        self.nodes[number] = copy
        return copy

    def skins(self, number: int) -> None:
        """Give the copies of a node and of what is below it their skins, whose joints are copied by then."""
        node = self.old.items("nodes")[number]
        if "skin" in node:
            skin = self.old.items("skins")[node["skin"]]
            matrices = skin.get("inverseBindMatrices")
            made = self.new.skin(
                [self.nodes[joint] for joint in skin["joints"]],
                None if matrices is None else self.old.array(matrices),
                skeleton=self.nodes[skin["skeleton"]], name=self.rename(skin.get("name", "")),
            )  # fmt: skip
            self.new.items("nodes")[self.nodes[number]]["skin"] = made
        for child in node.get("children", ()):
            self.skins(child)

    def mesh(self, number: int) -> int:
        """A mesh with its materials."""
        if number not in self._meshes:
            mesh = self.old.items("meshes")[number]
            primitives = [
                primitive
                | {
                    "attributes": {name: self._accessor(one) for name, one in primitive["attributes"].items()},
                    "indices": self._accessor(primitive["indices"]),
                    "material": self.material(primitive["material"]),
                }
                for primitive in mesh["primitives"]
            ]
            self._meshes[number] = self.new.mesh(
                primitives, name=self.rename(mesh.get("name", "")), extras=mesh.get("extras")
            )
        return self._meshes[number]

    def material(self, number: int) -> int:
        """A material with its images."""
        if number not in self.materials:
            self.materials[number] = self.new.material(self._with_textures(self.old.items("materials")[number]))
        return self.materials[number]

    def _with_textures(self, value: Json) -> Json:
        """A part of a material with the numbers of the copies of its textures."""
        result: Json = {}
        for name, one in value.items():
            result[name] = self._with_textures(one) if isinstance(one, dict) and name != "extras" else one
            if name.endswith("Texture"):
                result[name]["index"] = self._texture(one["index"])
        return result

    def _texture(self, number: int) -> int:
        if number not in self._textures:
            texture = self.old.items("textures")[number]
            name, png = self.old.picture(texture["source"])
            sampler = self.old.items("samplers")[texture["sampler"]]
            self._textures[number] = self.new.texture(
                self.new.image(png, name),
                self.new.sampler(
                    wrap_s=sampler["wrapS"], wrap_t=sampler["wrapT"], mag_filter=sampler["magFilter"],
                    min_filter=sampler["minFilter"],
                ),
                texture.get("name", ""),
            )  # fmt: skip
        return self._textures[number]

    def _accessor(self, number: int) -> int:
        if number not in self._accessors:
            self._accessors[number] = self.new.add_accessor(self.old.accessor_data(number))
        return self._accessors[number]

    def animations(self, without: Collection[str] = ()) -> None:
        """The clips but those of `without`, with the channels whose nodes and materials were copied."""
        for animation in self.old.items("animations"):
            if animation["name"] in without:
                continue
            channels: dict[Any, Channel] = {}
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                node = target.get("node")
                pointer = target.get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer")
                if node is not None:
                    node = self.nodes.get(node)
                if pointer is not None:
                    pointer = self._pointer(pointer)
                if node is None and pointer is None:
                    continue
                times, values = (self.old.array(sampler[part]) for part in ("input", "output"))
                channels.setdefault(
                    (node, target["path"], pointer),
                    Channel(times, values, node, target["path"], pointer, sampler["interpolation"]),
                )
            extras = dict(animation.get("extras", {}))
            if "node" in extras:
                extras["node"] = self.rename(extras["node"])
            self.new.animation(self.rename(animation["name"]), channels.values(), extras=extras)

    def _pointer(self, pointer: str) -> str | None:
        """A pointer into a material, to its copy; None: it is not copied."""
        _, kind, number, rest = pointer.split("/", 3)
        copy = self.materials.get(int(number))
        return None if copy is None else f"/{kind}/{copy}/{rest}"
