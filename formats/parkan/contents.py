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
    """A model. A value is None where the file has no such stream."""

    nodes: npt.NDArray[Any]
    """An array of `geometry.NODE` (or `LEGACY_NODE`)."""
    animation: Tracks | KeyPool
    """`Tracks` where the file is canonical, else the engine's flat `KeyPool`."""
    streams: tuple[Stream, ...]
    """The container's entries in order."""
    bounds: npt.NDArray[np.float32] | None = None
    """35 floats: 8 box corners, a sphere, two axis points and a radius of the posed model."""
    slots: npt.NDArray[Any] | None = None
    """An array of `geometry.SLOT`."""
    positions: npt.NDArray[np.float32] | None = None
    """(n, 3)."""
    normals: npt.NDArray[np.int8] | None = None
    """(n, 4): x, y, z times 127, one unknown byte."""
    uvs: npt.NDArray[np.int16] | None = None
    """(n, 2) times 1024, v down."""
    lightmap_uvs: npt.NDArray[np.int16] | None = None
    """As `uvs`, for the light map."""
    indices: npt.NDArray[np.uint16] | None = None
    """Vertex numbers of the batches."""
    triangles: npt.NDArray[Any] | None = None
    """An array of `geometry.TRIANGLE`."""
    batches: npt.NDArray[Any] | None = None
    """An array of `geometry.BATCH`."""
    node_names: tuple[str, ...] | None = None
    """A name of at most 32 bytes for each node."""
    labels: tuple[str, ...] | None = None
    """A label of any length for each node ("" for none)."""
    layout: PayloadLayout | None = None
    """The order of the payloads, None where it is the canonical one."""

    @property
    def legacy(self) -> bool:
        """Whether the nodes have the older 24-byte layout: geometry without hierarchy or animation."""
        return self.nodes.dtype == LEGACY_NODE

    @property
    def has_geometry(self) -> bool:
        """Whether the model has slots, positions, indices and batches."""
        return all(part is not None for part in (self.slots, self.positions, self.indices, self.batches))

    @property
    def animated(self) -> bool:
        """Whether the model has a key pool for its nodes."""
        return not self.legacy and self.has(KEYS)

    def has(self, type_id: int) -> bool:
        """Whether the container has a stream of that type."""
        return any(stream.type_id == type_id for stream in self.streams)

    def payload(self, type_id: int) -> bytes | None:
        """The bytes of the first opaque stream of that type, or None."""
        return next((stream.payload for stream in self.streams if stream.type_id == type_id), None)

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
