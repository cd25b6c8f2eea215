"""Copies nodes of a document into another one, with the meshes, materials, images, skins and clips that they use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
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
        animation["extras"] = {name: fact for name, fact in animation["extras"].items() if name != "instances"}
    return copier.new


class Copier:
    """Copies parts of `old` to `new`. `nodes` are the numbers of the copied nodes; what they refer to is copied with
    them, each object once."""

    def __init__(self, old: Document, new: Document, rename: Callable[[str], str] = str) -> None:
        self.old = old
        self.new = new
        self.rename = rename
        self.nodes: dict[int, int] = {}
        self._copies: dict[tuple[str, int], int] = {}
        self._made: dict[str, Callable[[Any], int]] = {
            "images": self._image,
            "samplers": lambda number: new.sampler(*old.items("samplers")[number].values()),
            "textures": self._texture,
            "materials": self._material,
            "meshes": self._mesh,
            "cameras": partial(self._plain, "cameras"),
            "lights": partial(self._plain, "lights"),
            "accessors": lambda number: new.add_accessor(old.accessors[number]),
        }

    def copy(self, kind: str, number: int) -> int:
        """The number of the copy of an object that is no node, which is made on the first call."""
        if (kind, number) not in self._copies:
            self._copies[kind, number] = self._made[kind](number)
        return self._copies[kind, number]

    def copy_all(self, *kinds: str) -> None:
        """Copy all objects of some kinds in their order."""
        for kind in kinds:
            for number in range(len(self.old.items(kind))):
                self.copy(kind, number)

    def node(self, number: int) -> int:
        """A node and what is below it."""
        below = [self.node(child) for child in self.old.items("nodes")[number].get("children", ())]
        return self.bare_node(number, below)

    def bare_node(self, number: int, children: Sequence[int], *, mesh: bool = True) -> int:
        """A node above copies of its children, with its mesh or without."""
        node = self.old.items("nodes")[number]
        self.nodes[number] = self.new.node(
            self.rename(node.get("name", "")),
            children=children,
            mesh=self.copy("meshes", node["mesh"]) if mesh and "mesh" in node else None,
            camera=node.get("camera"),
            extras=node.get("extras"),
            extensions=node.get("extensions"),
            **{part: node.get(part) for part in TRANSFORM},
        )
        return self.nodes[number]

    def skins(self, number: int) -> None:
        """Give the copies of a node and of what is below it their skins, whose joints are copied by then."""
        node = self.old.items("nodes")[number]
        if "skin" in node:
            skin = self.old.items("skins")[node["skin"]]
            matrices = skin.get("inverseBindMatrices")
            self.new.items("nodes")[self.nodes[number]]["skin"] = self.new.skin(
                [self.nodes[joint] for joint in skin["joints"]],
                None if matrices is None else self.old.array(matrices),
                skeleton=self.nodes[skin["skeleton"]],
                name=self.rename(skin.get("name", "")),
            )
        for child in node.get("children", ()):
            self.skins(child)

    def animations(self, without: Collection[str] = ()) -> None:
        """The clips but those of `without`, with the channels whose nodes and materials were copied."""
        for animation in self.old.items("animations"):
            if animation["name"] in without:
                continue
            channels = []
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                node = self.nodes.get(target.get("node", -1))
                pointer = self._pointer(target.get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer"))
                if node is None and pointer is None:
                    continue
                times, values = (self.old.array(sampler[part]) for part in ("input", "output"))
                channels.append(Channel(times, values, node, target["path"], pointer, sampler["interpolation"]))
            extras = dict(animation.get("extras", {}))
            if "node" in extras:
                extras["node"] = self.rename(extras["node"])
            self.new.animation(self.rename(animation["name"]), channels, extras=extras)

    def _pointer(self, pointer: str | None) -> str | None:
        """A pointer into a material, to its copy; None: it is not copied."""
        if pointer is None:
            return None
        _, kind, number, rest = pointer.split("/", 3)
        copy = self._copies.get((kind, int(number)))
        return None if copy is None else f"/{kind}/{copy}/{rest}"

    def _plain(self, kind: str, number: int) -> int:
        """An object that refers to no other."""
        return self.new.add_definition(kind, self.old.items(kind)[number])

    def _image(self, number: int) -> int:
        name, png = self.old.picture(number)
        return self.new.image(png, name)

    def _texture(self, number: int) -> int:
        entry = self.old.items("textures")[number]
        image, sampler = self.copy("images", entry["source"]), self.copy("samplers", entry["sampler"])
        return self.new.texture(image, sampler, entry.get("name", ""))

    def _material(self, number: int) -> int:
        definition = self.old.items("materials")[number]
        if number not in self.old.shared:
            return self.new.add_definition("materials", self._with_textures(definition))
        contents, texture = self.old.shared[number]
        copied_texture = None if texture is None else self.copy("textures", texture)
        return self.new.shared_material(contents, copied_texture, lambda: self._with_textures(definition))

    def _with_textures(self, value: Json) -> Json:
        """A part of a material with the numbers of the copies of its textures."""
        result: Json = {}
        for name, part in value.items():
            result[name] = self._with_textures(part) if isinstance(part, dict) and name != "extras" else part
            if name.endswith("Texture"):
                result[name]["index"] = self.copy("textures", part["index"])
        return result

    def _mesh(self, number: int) -> int:
        entry = self.old.items("meshes")[number]
        primitives = [
            primitive
            | {
                "attributes": {
                    name: self.copy("accessors", number) for name, number in primitive["attributes"].items()
                },
                "indices": self.copy("accessors", primitive["indices"]),
                "material": self.copy("materials", primitive["material"]),
            }
            for primitive in entry["primitives"]
        ]
        return self.new.mesh(primitives, name=self.rename(entry.get("name", "")), extras=entry.get("extras"))
