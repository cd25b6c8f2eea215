"""The contents of an MSH model as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.parkan import text
from formats.parkan.animation import KeyPool, Tracks
from formats.parkan.geometry import LEGACY_NODE
from formats.parkan.nres import PayloadLayout
from formats.parkan.streams import KEYS, Stream


@dataclass(frozen=True, eq=False)
class MshContents:
    """A model. A value is None where the file has no such stream.

    `nodes` is an array of `geometry.NODE` (or `LEGACY_NODE`); `animation` is `Tracks` where the file is canonical,
    else the engine's flat `KeyPool`; `bounds` are 35 floats (8 box corners, a sphere, two axis points and a radius of
    the posed model); `slots`, `batches`, `triangles` are arrays of the dtypes in `geometry`; `positions` (n, 3) f32;
    `normals` (n, 4) s8 (x, y, z times 127, one unknown byte); `uvs` and `lightmap_uvs` (n, 2) s16 times 1024, v down;
    `indices` u16; `node_names` of at most 32 bytes; `labels` any length ("" for none), both one per node.
    `streams` lists the container's entries in order.
    """

    nodes: npt.NDArray[Any]
    animation: Tracks | KeyPool
    streams: tuple[Stream, ...]
    bounds: npt.NDArray[np.float32] | None = None
    slots: npt.NDArray[Any] | None = None
    positions: npt.NDArray[np.float32] | None = None
    normals: npt.NDArray[np.int8] | None = None
    uvs: npt.NDArray[np.int16] | None = None
    lightmap_uvs: npt.NDArray[np.int16] | None = None
    indices: npt.NDArray[np.uint16] | None = None
    triangles: npt.NDArray[Any] | None = None
    batches: npt.NDArray[Any] | None = None
    node_names: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    layout: PayloadLayout | None = None

    @property
    def legacy(self) -> bool:
        """Whether the nodes have the older 24-byte layout: geometry without hierarchy or animation."""
        return self.nodes.dtype == LEGACY_NODE

    @property
    def has_geometry(self) -> bool:
        """Whether the model has slots, positions, indices and batches."""
        parts = (self.slots, self.positions, self.indices, self.batches)
        return all(part is not None for part in parts)

    @property
    def animated(self) -> bool:
        """Whether the model has a key pool for its nodes."""
        return not self.legacy and self.has(KEYS)

    def has(self, type_id: int) -> bool:
        """Whether the container has a stream of that type."""
        return any(stream.type_id == type_id for stream in self.streams)

    def payload(self, type_id: int) -> bytes | None:
        """The bytes of the first opaque stream of that type, or None."""
        found = (stream.payload for stream in self.streams if stream.type_id == type_id)
        return next(found, None)

    def node_name(self, node: int) -> str:
        """The name to show: from Res9, else the label of Res10, else `node_<number>`."""
        for names in (self.node_names, self.labels):
            if names is not None and text.shown(names[node]):
                return text.shown(names[node])
        return f"node_{node}"

    def material_numbers(self) -> npt.NDArray[np.int64]:
        """The material row of each batch: the byte that retail files use, else the word that other tools wrote."""
        if self.batches is None:
            return np.zeros(0, np.int64)
        rows = self.batches["material_row"] if self.batches["material_row"].any() else self.batches["material_index"]
        return rows.astype(np.int64)
