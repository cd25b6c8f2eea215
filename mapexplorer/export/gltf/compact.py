"""Positions and texture coordinates as 16-bit integers (KHR_mesh_quantization), where no number changes.

They are multiples of a power of two. That of positions becomes the scale of the node of their mesh; a node that has
children or whose scale has another use gets a child for the mesh. In skins it is a part of the inverse bind matrices.
Those of texture coordinates become the scale of the textures of their materials. What shares data shares the power.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf.accessor import AccessorData
from mapexplorer.export.gltf.document import VERTICES, Document, Json

_POSITION: Final = "POSITION"
_COORDINATES: Final = "TEXCOORD_0"
_TRANSFORM: Final = "KHR_texture_transform"
_MANTISSA: Final = 24
"""The bits of a float32."""

_Groups = dict[Hashable, set[Any]]
"""What shares data: each member with its group."""


def compact(document: Document) -> int:
    """Make positions and texture coordinates short; the result is how many of them keep floats."""
    return _shorten_positions(document) + _shorten_coordinates(document)


def _shorten_positions(document: Document) -> int:
    groups: _Groups = {}
    for mesh in document.items("meshes"):
        _join(groups, {primitive["attributes"][_POSITION] for primitive in mesh["primitives"]})
    for node in document.items("nodes"):
        if "skin" in node:
            _join(groups, {_positions(document, node), document.items("skins")[node["skin"]]["inverseBindMatrices"]})
    floats = 0
    steps: dict[int, float] = {}
    for group in _distinct(groups):
        arrays = [document.array(number) for number in group if document.accessors[number].target == VERTICES]
        step = _step(arrays)
        if step is None:
            floats += sum(map(len, arrays))
        else:
            steps |= dict.fromkeys(group, step)
    _scale_nodes(document, steps)
    for number, step in steps.items():
        if document.accessors[number].target == VERTICES:
            _shorten(document, number, step, bounds=True)
        else:
            matrices = document.array(number) * np.array([step, step, step, 1], np.float32)[:, None]
            document.replace_accessor(number, AccessorData.of(matrices, None, False, False))
    return floats


def _positions(document: Document, node: Json) -> int:
    """The first positions of a node's mesh."""
    number: int = document.items("meshes")[node["mesh"]]["primitives"][0]["attributes"][_POSITION]
    return number


def _scale_nodes(document: Document, steps: dict[int, float]) -> None:
    targets = [channel["target"] for animation in document.items("animations") for channel in animation["channels"]]
    kept = {target["node"] for target in targets if target["path"] == "scale"}
    kept.update(*(skin["joints"] for skin in document.items("skins")))
    for number, node in enumerate(list(document.items("nodes"))):
        step = steps.get(_positions(document, node)) if "mesh" in node and "skin" not in node else None
        if step is None:
            continue
        if number in kept or "children" in node:
            document.attach(number, document.node(node["name"], mesh=node.pop("mesh"), scale=[step] * 3))
        else:
            node["scale"] = [step * size for size in node.get("scale", (1.0, 1.0, 1.0))]


def _shorten_coordinates(document: Document) -> int:
    materials = document.items("materials")
    groups: _Groups = {}
    for mesh in document.items("meshes"):
        for primitive in mesh["primitives"]:
            if _COORDINATES in primitive["attributes"]:
                _join(groups, {primitive["attributes"][_COORDINATES], (primitive["material"],)})
    floats = 0
    for group in _distinct(groups):
        users = [member[0] for member in group if isinstance(member, tuple)]
        numbers = [member for member in group if not isinstance(member, tuple)]
        arrays = [document.array(number) for number in numbers]
        steps = [_step(array[:, axis] for array in arrays) for axis in (0, 1)]
        curves = [curve for user in users for curve in materials[user].get("extras", {}).get("animations", ())]
        if None in steps or any(curve["property"] == "scale" for curve in curves):
            floats += sum(map(len, arrays))
            continue
        for user in users:
            materials[user].update(_with_scale(materials[user], steps))
        for number in numbers:
            _shorten(document, number, steps, bounds=False)
    return floats


def _with_scale(part: Json, steps: Collection[float | None]) -> Json:
    """A part of a material whose textures are scaled by two numbers, too."""
    result = dict(part)
    for name, value in part.items():
        if name.endswith("Texture"):
            transform = value.get("extensions", {}).get(_TRANSFORM, {})
            scale = [step * size for step, size in zip(steps, transform.get("scale", (1.0, 1.0)), strict=True) if step]
            result[name] = {**value, "extensions": {_TRANSFORM: {**transform, "scale": scale}}}
        elif name == "pbrMetallicRoughness":
            result[name] = _with_scale(value, steps)
    return result


def _join(groups: _Groups, group: set[Any]) -> None:
    """Make one group of some members and of the groups in which they are."""
    joined = group.union(*(groups.get(member, ()) for member in group))
    if any(groups.get(member) != joined for member in group):
        groups |= dict.fromkeys(joined, joined)


def _distinct(groups: _Groups) -> Iterable[set[Any]]:
    return {id(group): group for group in groups.values()}.values()


def _step(arrays: Iterable[npt.NDArray[np.float32]]) -> float | None:
    """The largest power of two of which all numbers are multiples; None where one is no int16 then."""
    values = np.concatenate([array.ravel() for array in arrays])
    values = values[values != 0]
    if not len(values):
        return 1.0
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, _MANTISSA).astype(np.int32)
    step = float(np.ldexp(whole & -whole, exponents - _MANTISSA).min())
    return step if np.abs(values).max() <= step * np.iinfo(np.int16).max else None


def _shorten(document: Document, number: int, step: Any, *, bounds: bool) -> None:
    """Divide the elements of an accessor by a number, or by one for each component."""
    short = np.rint(document.array(number) / step).astype(np.int16)
    document.replace_accessor(number, AccessorData.of(short, VERTICES, False, bounds))
