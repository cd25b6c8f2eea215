"""The vertex colours of several hours in one document: of the first in COLOR_0, of the others in COLOR_1 and on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mapexplorer.export.gltf.document import Document, Json

_FIRST: Final = "COLOR_0"


def add_colors(document: Document, others: Sequence[Document]) -> None:
    """Add the colours of `others`, which are the same place at other hours, to the surfaces of a document. Those that
    another one does not have alike keep the colours of the first."""
    if not others:
        return
    meshes = [{node["name"]: node["mesh"] for node in other.items("nodes") if "mesh" in node} for other in others]
    plain = list(document.items("meshes"))
    made: dict[tuple[int, ...], int] = {}
    for node in document.items("nodes"):
        if "mesh" not in node:
            continue
        own = node["mesh"]
        key = own, *(known.get(node["name"], -1) for known in meshes)
        if key not in made:
            there = [
                () if number < 0 else other.items("meshes")[number]["primitives"]
                for number, other in zip(key[1:], others, strict=True)
            ]
            primitives = [
                primitive
                | {"attributes": primitive["attributes"] | _colors(document, number, primitive, others, there)}
                for number, primitive in enumerate(plain[own]["primitives"])
            ]
            # A mesh stands in several kinds of light; the first of them keeps its number.
            made[key] = own if all(known[0] != own for known in made) else len(document.items("meshes"))
            if made[key] == own:
                document.items("meshes")[own] |= {"primitives": primitives}
            else:
                made[key] = document.mesh(primitives, name=plain[own].get("name", ""), extras=plain[own].get("extras"))
        node["mesh"] = made[key]


def _colors(
    document: Document, number: int, primitive: Json, others: Sequence[Document], there: Sequence[Sequence[Json]]
) -> Json:
    """COLOR_1 ... of a primitive, which is the one with this number of its mesh."""
    own = primitive["attributes"].get(_FIRST)
    result: Json = {}
    if own is None:
        return result
    for hour, (other, primitives) in enumerate(zip(others, there, strict=True), 1):
        wanted = own
        if number < len(primitives) and _FIRST in primitives[number]["attributes"]:
            colors = other.accessors[primitives[number]["attributes"][_FIRST]]
            if colors.shape == document.accessors[own].shape:
                wanted = document.add_accessor(colors)
        result[f"COLOR_{hour}"] = wanted
    return result
