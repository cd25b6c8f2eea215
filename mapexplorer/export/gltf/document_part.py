"""Meshes that are worked out once and added to several documents, with their materials and images."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from mapexplorer.export.gltf.document import Document, Json


class DocumentPart(Document):
    """Meshes, materials and images under numbers and names of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._contents: list[tuple[bytes, int | None]] = []

    def shared_material(
        self, contents: bytes, texture: int | None, make: Callable[[], Json], extensions: Iterable[str] = ()
    ) -> int:
        """See `Document.shared_material`; a part has no other materials."""
        number = super().shared_material(contents, texture, make, extensions)
        if number == len(self._contents):
            self._contents.append((contents, texture))
        return number

    def _own_name(self, kind: str, name: str) -> str:
        return name  # the document that it is added to changes it

    def add_to(self, document: Document) -> tuple[list[int], list[int]]:
        """Add everything to a document as if it had been added there first; the numbers that meshes and materials have
        there."""
        accessors = [document.add_accessor(data) for data in self._accessors]
        images = [document.image(png, name) for name, png in self._images]
        samplers = [
            document.sampler(
                wrap_s=one["wrapS"], wrap_t=one["wrapT"], mag_filter=one["magFilter"], min_filter=one["minFilter"]
            )
            for one in self.items("samplers")
        ]
        textures = [
            document.texture(images[one["source"]], samplers[one["sampler"]], one.get("name", ""))
            for one in self.items("textures")
        ]
        materials = [
            document.shared_material(
                contents, None if texture is None else textures[texture], partial(_textured, one, textures)
            )
            for one, (contents, texture) in zip(self.items("materials"), self._contents, strict=True)
        ]
        meshes = [
            document.mesh(
                [
                    {
                        "attributes": {name: accessors[one] for name, one in primitive["attributes"].items()},
                        "indices": accessors[primitive["indices"]],
                        "material": materials[primitive["material"]],
                    }
                    for primitive in mesh["primitives"]
                ],
                name=mesh.get("name", ""),
            )
            for mesh in self.items("meshes")
        ]
        for name, required in self._used.items():
            document.use_extension(name, required=required)
        return meshes, materials


def _textured(value: Json, textures: list[int]) -> Json:
    """A part of a material with the numbers that its textures have elsewhere."""
    result: Json = {}
    for name, one in value.items():
        result[name] = _textured(one, textures) if isinstance(one, dict) and name != "extras" else one
        if name.endswith("Texture"):
            result[name]["index"] = textures[one["index"]]
    return result
