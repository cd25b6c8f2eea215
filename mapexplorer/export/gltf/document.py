"""A glTF 2.0 document, and its GLB: the only writer of GLB files. `separate.py` writes it as `.gltf`.

Every method that adds something returns its index. Equal objects get the same index (accessors, images, samplers,
textures, materials, meshes), and the bytes depend only on what was added and in which order: no clock, no random
numbers, no set order. Vertex and index data are in one buffer view per element size, so that a document with thousands
of accessors has a handful of views.

No two nodes, meshes, materials, images, skins or animations have the same name: a repeated one gets a number. Names
have no `[].:/`, of which three.js makes paths of properties and Godot paths of nodes; those of animations may.

Conventions of glTF: right-handed, y up, metres; matrices here are given as 16 numbers in column-vector column-major
order, which are the same 16 numbers as a row-vector row-major 4x4 (the order of the NITRO library).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from mapexplorer._version import __version__
from mapexplorer.export.files import write_atomically
from mapexplorer.export.gltf.accessor import INDICES as INDICES
from mapexplorer.export.gltf.accessor import VERTICES as VERTICES
from mapexplorer.export.gltf.accessor import AccessorData, BufferData
from mapexplorer.export.gltf.accessor import Json as Json
from mapexplorer.export.gltf.accessor import members as members

NEAREST: Final = 9728
LINEAR: Final = 9729
CLAMP_TO_EDGE: Final = 33071
MIRRORED_REPEAT: Final = 33648
REPEAT: Final = 10497

_EXTENSIONS: Final = (
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_texture_transform",
)
"""The extensions of objects of a document."""

_QUANTIZATION: Final = "KHR_mesh_quantization"
"""The extension that allows short integers in vertices."""

_RESERVED: Final = frozenset("[].:/")
_REPLACED: Final = str.maketrans("[].:/", "_____")
_NAMED: Final = frozenset(("nodes", "meshes", "materials", "images", "skins", "animations"))


class Channel(NamedTuple):
    """One animated property: key times in seconds (n,) and one value per key (n,) or (n, k).

    The property is `path` (translation, rotation, scale, weights) of `node`, or, where `pointer` is given, the JSON
    pointer of KHR_animation_pointer. With CUBICSPLINE the output holds three values per key.
    """

    times: npt.NDArray[np.float32]
    values: npt.NDArray[Any]
    node: int | None = None
    path: str = "pointer"
    pointer: str | None = None
    interpolation: str = "LINEAR"


class Document:
    """A glTF document under construction. Without `renames` its objects keep the names that they are given: for parts
    of documents. Without `pointers` its animations have no channels of KHR_animation_pointer."""

    def __init__(
        self,
        *,
        generator: str = f"Pokémon Platinum map explorer {__version__}",
        extras: Json | None = None,
        renames: bool = True,
        pointers: bool = True,
    ) -> None:
        self._asset: Json = {"version": "2.0", "generator": generator}
        if extras:
            self._asset["extras"] = extras
        self.accessors: list[AccessorData] = []
        """What the accessors hold, by their numbers."""
        self.shared: dict[int, tuple[bytes, int | None]] = {}
        """Contents and texture of the materials that `shared_material` added, by their numbers."""
        self._renames = renames
        self._pointers = pointers
        self._lists: dict[str, list[Json]] = {}
        self._known: dict[tuple[str, object], int] = {}
        self._names: set[tuple[str, str]] = set()
        self._repeated: dict[tuple[str, str], int] = {}
        self._images: list[tuple[str, bytes]] = []

    # -- data ------------------------------------------------------------------------------------------------------

    def accessor(
        self,
        array: npt.NDArray[Any],
        *,
        target: int | None = VERTICES,
        normalized: bool = False,
        bounds: bool | tuple[npt.NDArray[Any], npt.NDArray[Any]] = False,
    ) -> int:
        """An accessor over a copy of `array`: (n,) scalars, (n, 2..4) vectors or (n, 4, 4) matrices.

        The element type is the array's (int8, uint8, int16, uint16, uint32, float32). Vertex elements are filled up to
        a multiple of four bytes. `target` is VERTICES, INDICES or None (animation data, inverse bind matrices).
        `bounds` writes min and max (computed, or given as two arrays), which POSITION and animation times need.
        Raises ValueError.
        """
        return self.add_accessor(AccessorData.of(array, target, normalized, bounds))

    def add_accessor(self, data: AccessorData) -> int:
        """An accessor over data that another document may have, too."""
        number = self._add("accessors", data.entry, data.key)
        if number == len(self.accessors):
            self.accessors.append(data)
        return number

    def replace_accessor(self, number: int, data: AccessorData) -> None:
        """Put other data in the place of an accessor."""
        self._known.pop(("accessors", self.accessors[number].key), None)
        self.accessors[number], self._lists["accessors"][number] = data, data.entry
        self._known["accessors", data.key] = number

    def array(self, accessor: int) -> npt.NDArray[Any]:
        """The array of an accessor, not to be changed."""
        return self.accessors[accessor].array

    def image(self, png: bytes, name: str = "") -> int:
        """An embedded PNG; equal bytes are stored once, under the first name."""
        place: Json = {"mimeType": "image/png", "bufferView": len(self._images)}
        number = self._add("images", {"name": name, **place} if name else place, png)
        if number == len(self._images):
            self._images.append((name, png))
        return number

    def picture(self, image: int) -> tuple[str, bytes]:
        """The name and the PNG of an image."""
        return self._images[image]

    # -- appearance ------------------------------------------------------------------------------------------------

    def sampler(
        self, mag_filter: int = NEAREST, min_filter: int = NEAREST, wrap_s: int = REPEAT, wrap_t: int = REPEAT
    ) -> int:
        """A sampler; NEAREST unless told otherwise."""
        entry: Json = {"magFilter": mag_filter, "minFilter": min_filter, "wrapS": wrap_s, "wrapT": wrap_t}
        return self._add("samplers", entry, tuple(entry.values()))

    def texture(self, image: int, sampler: int, name: str = "") -> int:
        """A texture: an image with a sampler; equal ones are stored once, under the first name."""
        entry: Json = {"sampler": sampler, "source": image}
        return self._add("textures", {**entry, "name": name} if name else entry, (sampler, image))

    def add_definition(self, kind: str, definition: Json) -> int:
        """A material, a camera, a mesh, or a light of KHR_lights_punctual, as glTF writes it; equal ones are
        stored once."""
        return self._add(kind, dict(definition), orjson.dumps(definition, option=orjson.OPT_SORT_KEYS))

    def shared_material(self, contents: bytes, texture: int | None, make: Callable[[], Json]) -> int:
        """The material with these contents, of any name, and this texture; `make` gives it when it is new."""
        key = contents, texture
        number = self._known.get(("materials", key))
        if number is None:
            number = self._add("materials", make(), key)
            self.shared[number] = key
        return number

    # -- scene -----------------------------------------------------------------------------------------------------

    def mesh(self, primitives: Sequence[Json], *, name: str = "", extras: Json | None = None) -> int:
        """A mesh of primitives as glTF writes them ({"attributes": ..., "indices": ..., "material": ...})."""
        return self.add_definition("meshes", members(name=name, primitives=list(primitives), extras=extras))

    def node(
        self,
        name: str = "",
        *,
        below: int | None = None,
        children: Iterable[int] = (),
        mesh: int | None = None,
        skin: int | None = None,
        camera: int | None = None,
        translation: Sequence[float] | None = None,
        rotation: Sequence[float] | None = None,
        scale: Sequence[float] | None = None,
        matrix: Sequence[float] | None = None,
        extras: Json | None = None,
        extensions: Json | None = None,
    ) -> int:
        """A node, `below` an existing one. Identity parts of the transform may be None; `rotation` is a unit quaternion
        x, y, z, w."""
        parts = {"translation": translation, "rotation": rotation, "scale": scale, "matrix": matrix}
        given = {key: [float(number) for number in value] for key, value in parts.items() if value is not None}
        known = {"name": name, "children": list(children), "mesh": mesh, "skin": skin, "camera": camera}
        number = self._add("nodes", members(**known, **given, extensions=extensions, extras=extras))
        if below is not None:
            self.attach(below, number)
        return number

    def attach(self, parent: int, *children: int) -> None:
        """Put nodes below an existing node."""
        self._lists["nodes"][parent].setdefault("children", []).extend(children)

    def skin(
        self,
        joints: Sequence[int],
        inverse_bind_matrices: npt.NDArray[np.float32] | None = None,
        *,
        skeleton: int | None = None,
        name: str = "",
    ) -> int:
        """A skin; the matrices are float32 (joints, 4, 4) in the order of the module's docstring."""
        stored = None if inverse_bind_matrices is None else np.ascontiguousarray(inverse_bind_matrices, np.float32)
        matrices = None if stored is None else self.accessor(stored, target=None)
        entry = members(name=name, inverseBindMatrices=matrices, skeleton=skeleton, joints=list(joints))
        return self._add("skins", entry)

    def primitive(
        self, arrays: Mapping[str, npt.NDArray[Any] | None], corners: npt.NDArray[Any], material: int
    ) -> Json:
        """A primitive of triangles, with an accessor for each attribute that there is; integer colours are shares."""
        attributes = {
            name: self.accessor(
                array, bounds=name == "POSITION", normalized=name.startswith("COLOR") and array.dtype.kind == "u"
            )
            for name, array in arrays.items()
            if array is not None
        }
        return {"attributes": attributes, "indices": self.accessor(corners, target=INDICES), "material": material}

    def influences(self, joints: npt.NDArray[Any], weights: npt.NDArray[np.float32]) -> Json:
        """The attributes of vertices for the joints of a skin that move them and their weights, both (n, 4 k)."""
        attributes: Json = {}
        for number in range(joints.shape[1] // 4):
            part = slice(4 * number, 4 * number + 4)
            attributes[f"JOINTS_{number}"] = self.accessor(joints[:, part])
            attributes[f"WEIGHTS_{number}"] = self.accessor(weights[:, part])
        return attributes

    def animation(self, name: str, channels: Iterable[Channel], *, extras: Json | None = None) -> int | None:
        """An animation, with the first channel of each target; None (and nothing written) when it has no channels,
        which glTF does not allow."""
        samplers: dict[tuple[int, int, str], int] = {}
        targets: list[Json] = []
        wanted: dict[Any, Channel] = {}
        for channel in (channel for channel in channels if self._pointers or channel.pointer is None):
            wanted.setdefault((channel.node, channel.path, channel.pointer), channel)
        for channel in wanted.values():
            times = np.ascontiguousarray(channel.times, np.float32)
            key = (
                self.accessor(times, target=None, bounds=True),
                self.accessor(channel.values, target=None),
                channel.interpolation,
            )
            target: Json = {"node": channel.node, "path": channel.path}
            if channel.pointer is not None:
                target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": channel.pointer}}}
            targets.append({"sampler": samplers.setdefault(key, len(samplers)), "target": target})
        if not targets:
            return None
        entry: Json = {
            "name": name,
            "channels": targets,
            "samplers": [{"input": i, "output": o, "interpolation": kind} for i, o, kind in samplers],
        }
        return self._add("animations", entry | members(extras=extras))

    def scene(self, name: str, nodes: Iterable[int], *, extras: Json | None = None) -> int:
        """A scene of root nodes; the first one is the default."""
        return self._add("scenes", {"name": name} | members(nodes=list(nodes), extras=extras))

    # -- reading and writing ---------------------------------------------------------------------------------------

    def items(self, kind: str) -> Sequence[Json]:
        """The objects of a kind: "nodes", "meshes", "materials", "images", ... in index order."""
        return self._lists.get(kind, [])

    def to_bytes(self) -> bytes:
        """The GLB file."""
        buffer = BufferData()
        offsets = [buffer.add(part) for part in self.accessors]
        data_views, data = buffer.laid_out()
        numbers = {view: number for number, view in enumerate(data_views)}
        accessors = [
            part.placed(numbers[part.view], offset) for part, offset in zip(self.accessors, offsets, strict=True)
        ]
        views = [{"buffer": 0, **view} for view in data_views.values()]
        images = [entry | {"bufferView": entry["bufferView"] + len(views)} for entry in self.items("images")]
        chunks = [data]
        position = len(data)
        for _, png in self._images:
            views.append({"buffer": 0, "byteOffset": position, "byteLength": len(png)})
            chunks += [png, bytes(-len(png) % 4)]
            position += len(png) + -len(png) % 4
        text = self.text(accessors, images, views, [{"byteLength": position}] if views else [])
        text += b" " * (-len(text) % 4)
        parts = [b"", struct.pack("<I4s", len(text), b"JSON"), text]
        if views:
            parts += [struct.pack("<I4s", position, b"BIN\0"), *chunks]
        parts[0] = struct.pack("<4sII", b"glTF", 2, 12 + sum(map(len, parts)))
        return b"".join(parts)

    def text(
        self, accessors: Sequence[Json], images: Sequence[Json], views: Sequence[Json], buffers: Sequence[Json]
    ) -> bytes:
        """The JSON of the document with these accessors, images, buffer views and buffers."""
        data = {"accessors": accessors, "images": images, "bufferViews": views, "buffers": buffers}
        lists: Json = {kind: entries for kind in _ORDER if (entries := data.get(kind, self.items(kind)))}
        if "lights" in self._lists:
            lists["extensions"] = {"KHR_lights_punctual": {"lights": self._lists["lights"]}}
        contents = orjson.dumps(lists)
        short = any(data.target == VERTICES and data.dtype.kind == "i" for data in self.accessors)
        required = [_QUANTIZATION] if short else []
        used = {name for name in _EXTENSIONS if f'"{name}":'.encode() in contents}.union(required)
        first = 0 if self.items("scenes") else None
        about = members(extensionsUsed=sorted(used), extensionsRequired=required, scene=first)
        start = orjson.dumps({"asset": self._asset, **about})
        return start[:-1] + b"," + contents[1:] if lists else start

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the GLB beside `path` and rename it into place. Raises OSError."""
        return write_atomically(path, self.to_bytes())

    # -- internals ----------------------------------------------------------------------------------------------------

    def _add(self, kind: str, entry: Json, key: object = None) -> int:
        """The number of an object: of the one that was added with the same key, or of this one, which is added."""
        known = None if key is None else self._known.get((kind, key))
        if known is not None:
            return known
        entries = self._lists.setdefault(kind, [])
        if kind in _NAMED and "name" in entry and self._renames:
            entry["name"] = self._own_name(kind, entry["name"])
        entries.append(entry)
        number = len(entries) - 1
        if key is not None:
            self._known[kind, key] = number
        return number

    def _own_name(self, kind: str, name: str) -> str:
        """A name that no other object of the kind has."""
        plain = title = name if kind == "animations" or _RESERVED.isdisjoint(name) else safe_title(name)
        while (kind, title) in self._names:
            number = self._repeated[kind, plain] = self._repeated.get((kind, plain), 1) + 1
            title = f"{plain}_{number}"
        self._names.add((kind, title))
        return title


def safe_title(name: str) -> str:
    """A name with underscores for the characters that programs give a meaning."""
    return name.translate(_REPLACED)


def texture_info(
    texture: int,
    *,
    offset: Sequence[float] | None = None,
    scale: Sequence[float] | None = None,
    tex_coord: int = 0,
) -> Json:
    """The reference to a texture that materials hold, with KHR_texture_transform where a part of it is given."""
    transform = members(
        offset=None if offset is None else [float(value) for value in offset],
        scale=None if scale is None else [float(value) for value in scale],
    )
    extensions = {"KHR_texture_transform": transform} if transform else None
    return {"index": texture} | members(texCoord=tex_coord or None, extensions=extensions)


_ORDER = (
    "scenes",
    "nodes",
    "cameras",
    "meshes",
    "skins",
    "animations",
    "materials",
    "textures",
    "samplers",
    "images",
    "accessors",
    "bufferViews",
    "buffers",
)
