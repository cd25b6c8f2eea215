"""The numbered streams of an MSH container ("Res" and a decimal type), and the classification of sets of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

NODES, SLOTS, POSITIONS, NORMALS, UVS, INDICES, TRIANGLES, KEYS, NAMES, LABELS = range(1, 11)
BATCHES, SERVICE, TANGENTS, INTERIOR_GRAPH, LIGHTMAP_UVS, FRAME_MAP, RARE = 13, 15, 16, 17, 18, 19, 20

KNOWN = frozenset({*range(1, 11), BATCHES, SERVICE, TANGENTS, INTERIOR_GRAPH, LIGHTMAP_UVS, FRAME_MAP, RARE})
GEOMETRY = frozenset({NODES, SLOTS, POSITIONS, INDICES, BATCHES})
ANIMATION = frozenset({NODES, KEYS, FRAME_MAP})
TERRAIN = frozenset({11, 21})


@dataclass(frozen=True, eq=False)
class Stream:
    """One entry of a model's container: its type, its name, and the parts that do not follow from the model's values.

    `attr1`, `attr2` and `attr3` are None where the format's table gives them; `payload` is None where the values of the
    model are its contents, else the bytes of an opaque stream.
    """

    type_id: int
    name: str
    attr1: int | None = None
    attr2: int | None = None
    attr3: int | None = None
    payload: bytes | None = None


def classify(types: Iterable[int]) -> str:
    """The kind of a container with streams of these types: "model", "animation" (a model without geometry), "terrain"
    or "archive"."""
    present = set(types)
    if present >= TERRAIN and INDICES not in present:
        return "terrain"
    if present >= GEOMETRY:
        return "model"
    return "animation" if present >= ANIMATION else "archive"
