"""A reader of GLB files of the tests' own, and the worlds that several tests share."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """A GLB file read by the glTF specification alone."""

    def __init__(self, data: bytes) -> None:
        magic, version, size = struct.unpack_from("<4sII", data)
        assert (magic, version, size) == (b"glTF", 2, len(data))
        length, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json: dict[str, Any] = json.loads(data[20 : 20 + length])
        self.binary = data[28 + length :]

    def get(self, kind: str) -> list[Any]:
        return self.json.get(kind, [])

    def array(self, accessor: int) -> np.ndarray:
        entry = self.get("accessors")[accessor]
        view = self.get("bufferViews")[entry["bufferView"]]
        dtype, width = np.dtype(_TYPES[entry["componentType"]]), _WIDTHS[entry["type"]]
        stride = view.get("byteStride", dtype.itemsize * width)
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        count = entry["count"]
        values = np.ndarray((count, width), dtype, self.binary, start, (stride, dtype.itemsize))
        assert entry.get("byteOffset", 0) + stride * (count - 1) + dtype.itemsize * width <= view["byteLength"]
        return values

    def used(self, primitives: Sequence[Any]) -> np.ndarray:
        """The numbers of the vertices of some primitives, among those that they share with other meshes."""
        return np.unique(np.concatenate([self.array(part["indices"]).ravel() for part in primitives]))

    def image(self, index: int) -> bytes:
        view = self.get("bufferViews")[self.get("images")[index]["bufferView"]]
        return self.binary[view.get("byteOffset", 0) :][: view["byteLength"]]

    def matrix(self, node: int) -> np.ndarray:
        """The local matrix of a node for column vectors."""
        entry = self.get("nodes")[node]
        x, y, z, w = entry.get("rotation", (0, 0, 0, 1))
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        result = np.eye(4)
        result[:3, :3] = (np.eye(3) + 2 * w * cross + 2 * cross @ cross) * np.array(entry.get("scale", (1, 1, 1)))
        result[:3, 3] = entry.get("translation", (0, 0, 0))
        return result

    def walk(self, scene: int = 0) -> Iterator[tuple[int, np.ndarray, tuple[int, ...]]]:
        """(node, world matrix, ancestors) of every node of a scene, parents first."""

        def below(node: int, above: np.ndarray, path: tuple[int, ...]) -> Iterator[Any]:
            world = above @ self.matrix(node)
            yield node, world, path
            for child in self.get("nodes")[node].get("children", []):
                yield from below(child, world, (*path, node))

        for root in self.get("scenes")[scene].get("nodes", []):
            yield from below(root, np.eye(4), ())

    def triangles(self, mesh: int) -> int:
        """The triangles of a mesh; those that show their opaque texels below a translucent copy count once."""
        total = 0
        for primitive in self.get("meshes")[mesh]["primitives"]:
            if "alphaCutoff" not in self.get("materials")[primitive["material"]]:
                total += self.get("accessors")[primitive["indices"]]["count"] // 3
        return total


@pytest.fixture(scope="session")
def read_glb() -> Callable[[Any], Glb]:
    """Reads bytes, a path or a document."""

    def read(source: Any) -> Glb:
        if isinstance(source, Path):
            return Glb(source.read_bytes())
        return Glb(source if isinstance(source, bytes) else source.to_bytes())

    return read


@pytest.fixture(scope="session")
def world(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))
