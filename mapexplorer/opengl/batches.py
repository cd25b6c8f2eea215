"""The draw calls for the resident instances in a camera's view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.blending import Run, blended_order
from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.gpu_resources import GpuResources
from mapexplorer.opengl.shaders import PolygonKind

_FOG: Final = 1 << 15
"""The fog bit of POLYGON_ATTR."""
_ORDER: Final = (PolygonKind.SOLID, PolygonKind.DECAL, PolygonKind.CUT_OUT)
"""The order of opaque polygons: those whose depth is tested after their colour is computed come last."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Instances of one mesh drawn at once: a range of its indices."""

    layer: int
    """The number of the layer of models."""
    kind: PolygonKind
    """The kind of the polygons, which decides the shader."""
    faces: int
    """The culled side: POLYGON_ATTR bits 6-7 (1 back, 2 front)."""
    first: int
    """The first index, in the buffer of all indices."""
    count: int
    """The number of indices."""
    corner: int
    """The first index of the polygons with four corners, in the buffer of all indices."""
    polygons: int
    """The number of polygons with four corners."""
    vertex: int
    """The number of the mesh's first vertex, in the buffer of all vertices."""
    visible: int
    """The first entry in the visible list."""
    instances: int
    """The number of entries in the visible list."""


@dataclass(frozen=True, eq=False)
class ViewBatches:
    """A view: its visible instances, draw calls for opaque triangles, elements and runs of blended polygons, and
    whether blended polygons without fog may be among them."""

    shown: npt.NDArray[np.bool_]
    visible: npt.NDArray[np.uint32]
    opaque: list[Batch]
    elements: npt.NDArray[np.uint32]
    runs: list[Run]
    fogless: bool


def view_batches(
    residence: GpuResources, camera: CameraMatrices, offsets: npt.NDArray[np.float64], height: int, *, whole: bool
) -> ViewBatches:
    """The batches to draw; `offsets` are the positions of the instances relative to the eye, `height` the picture's
    lines; `whole`: blended polygons stay whole."""
    shown = camera.visible(residence.low - camera.eye, residence.high - camera.eye)
    seen = np.flatnonzero(shown)
    middles = (residence.low[seen] + residence.high[seen]) / 2 - camera.eye
    distances = -middles @ camera.rotation[:, 2]
    nearest_first = np.argsort(distances, kind="stable")
    seen, distances = seen[nearest_first], distances[nearest_first]
    # Of one mesh, layer by layer, so that a call's instances are side by side.
    keys = residence.mesh_of[seen] * 4 + residence.layers[seen]
    order = np.argsort(keys, kind="stable")
    visible, distances = seen[order].astype(np.uint32), distances[order]
    groups, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    opaque: list[tuple[tuple[int, int, float], Batch]] = []
    for group, start, count in zip(groups.tolist(), starts.tolist(), counts.tolist(), strict=True):
        resident = residence.used[group >> 2]
        for part in resident.mesh.ranges:
            batch = Batch(
                group & 3,
                part.kind,
                part.faces,
                resident.index + part.first,
                part.count,
                resident.corner + 4 * part.first_polygon,
                part.polygons,
                resident.vertex,
                start,
                count,
            )
            opaque.append(((_ORDER.index(part.kind), part.faces, float(distances[start])), batch))
    # Near instances first, so that the depth test discards fragments behind them.
    opaque.sort(key=lambda entry: entry[0])
    elements, runs = blended_order(
        residence.polygons, offsets, residence.scales, shown, camera.clip, height, whole=whole
    )
    polygons = residence.polygons
    fogless = bool((shown[polygons["instance"]] & (polygons["attributes"] & _FOG == 0)).any())
    return ViewBatches(shown, visible, [batch for _, batch in opaque], elements, runs, fogless)
