"""A resolved model as arrays for the GPU: vertices, indices, materials and matrices. This module does not use OpenGL.

Opaque triangles are drawn from a mesh that all instances share. Polygons that may blend are sorted one by one on the
screen, so every instance has its own vertices of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.kernel import entry, reads, writes
from formats.nds.texture_format import A3I5, A5I3, COLORS_4, COLORS_16, COLORS_256
from formats.nitro.tex0 import Tex0
from mapexplorer.arrays import Words
from mapexplorer.g3d.animation.attach import Animation, AnimationFile, Attached
from mapexplorer.g3d.binding import pictured, textured
from mapexplorer.g3d.draw_list import Draw, DrawList, draw_list, placed_vertices, rebased
from mapexplorer.g3d.geometry import VERTEX as DECODED_VERTEX
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.g3d.material import ComposedMaterial, GlobalState
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33
from mapexplorer.opengl import rows
from mapexplorer.opengl.blending import POLYGON, four_corners
from mapexplorer.opengl.shaders import PolygonKind
from mapexplorer.scene.light import FIELD_POLYGON_ATTR
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.playback import LOOPING, Playback

VERTEX: Final = np.dtype(
    [
        ("position", "<f4", 3),
        ("texcoord", "<i2", 2),
        ("normal", "<u4"),
        ("color", "<u4"),
        ("rows", "<u4"),
        ("instance", "<u4"),
    ]
)
"""A vertex: position in units under its matrix; texture coordinate in 1/16 texels; parameter of NORMAL; colour word
and, in bits 16-17, its source; material row and, in bits 16-31, matrix row within the mesh; instance, of a blended
vertex."""

_DECAL: Final = 1 << 4
"""The bit of POLYGON_ATTR of decal mode."""

NO_WORDS: Final = GlobalState(0, 0, FIELD_POLYGON_ATTR)

Vertices = npt.NDArray[Any]


class Base(NamedTuple):
    """The linear part of the base matrix of a turned mesh, for positions (with its scale) and for vectors, fx32."""

    position: Matrix33 = IDENTITY33
    vector: Matrix33 = IDENTITY33


UNTURNED: Final = Base()


@dataclass(frozen=True, slots=True)
class Range:
    """Triangles of the shared mesh with the same culling: `faces` are POLYGON_ATTR bits 6-7 (1 back, 2 front); `first`
    and `count` are of indices, `first_polygon` and `polygons` of the polygons that they are parts of."""

    faces: int
    first: int
    count: int
    kind: PolygonKind = PolygonKind.CUT_OUT
    first_polygon: int = 0
    polygons: int = 0


@dataclass(frozen=True, eq=False)
class Mesh:
    """A resolved model, ready for upload."""

    resolved: ResolvedModel
    """The model with its textures."""
    vertices: Vertices
    """The vertices of opaque polygons."""
    indices: npt.NDArray[np.uint32]
    """Three for each opaque triangle."""
    corners: npt.NDArray[np.uint32]
    """The vertices of each opaque polygon (n, 4); a triangle has its last one twice."""
    ranges: tuple[Range, ...]
    """The ranges of `indices` with the same culling."""
    blended_vertices: Vertices
    """The vertices of polygons that may blend."""
    blended: npt.NDArray[Any]
    """The polygons that may blend."""
    draws: tuple[Draw, ...]
    """A draw for each material row."""
    frames: tuple[tuple[int, int], ...]
    """(draw, slot) for each matrix row; slot -1 for the draw's own matrix."""
    box: npt.NDArray[np.float64]
    """(2, 3): the corners of its bounding box at rest, in units."""
    attached: Attached | None
    """Its animations, None: none."""
    playing: Playback = LOOPING
    """How the animations play."""
    base: Base = UNTURNED
    """The base matrix that is part of the matrix rows."""

    @cached_property
    def matrix_rows(self) -> Words:
        """The matrix rows at rest (n, MATRIX_WORDS)."""
        return _matrix_rows(self.draws, self.frames)

    def posed(self, tick: int) -> tuple[tuple[Draw, ...], Words]:
        """Draws and matrix rows of an animated mesh after `tick` updates."""
        assert self.attached is not None
        frames = [self.playing.frame(animation.frame_count, tick) for animation in self.attached.animations]
        draws = tuple(_draws(self.resolved, self.attached.at(frames), self.base).draws)
        return draws, _matrix_rows(draws, self.frames)

    def flags(self, draw: Draw) -> int:
        """The flags of a draw's material row, without its light slot."""
        flags = rows.OWN_ALL
        if self.resolved.pairs is None:
            flags = rows.own_fields(self.resolved.model.materials[draw.material.index])
        if not draw.shown:
            flags |= rows.HIDDEN
        if draw.material.index in self._textured and not pictured(draw.material.texture, draw.material.palette):
            flags |= rows.MISSING
        return flags

    @cached_property
    def _textured(self) -> frozenset[int]:
        return textured(self.resolved.model)


def build_mesh(
    resolved: ResolvedModel,
    animations: Sequence[Animation | AnimationFile] = (),
    textures: Tex0 | None = None,
    playing: Playback = LOOPING,
    base: Base = UNTURNED,
) -> Mesh:
    """The mesh of a resolved model in its rest pose under a base; `textures` are those that pattern animations
    name."""
    attached = (
        Attached(resolved.model, animations, textures=textures) if animations and resolved.pairs is None else None
    )
    draws = tuple(_draws(resolved, attached.at(()) if attached is not None else None, base).draws)
    builder = _Builder(resolved, attached is not None)
    for draw in draws:
        builder.add(draw)
    return builder.mesh(draws, attached, playing, base)


def _draws(resolved: ResolvedModel, evaluators: Any, base: Base) -> DrawList:
    if resolved.pairs is not None:
        draws = resolved.draws()
    else:
        everything = evaluators is not None
        draws = draw_list(
            resolved.model, binding=resolved.binding, state=NO_WORDS, everything=everything, **(evaluators or {})
        )
    return draws if base == UNTURNED else rebased(draws, *base)


def _matrix_rows(draws: tuple[Draw, ...], frames: tuple[tuple[int, int], ...]) -> Words:
    if not frames:
        return np.zeros((0, rows.MATRIX_WORDS), np.uint32)
    return np.stack([rows.matrix_row(draws[draw].frame_of(slot), draws[draw].scale) for draw, slot in frames])


def _kind(material: ComposedMaterial, *, animated: bool) -> PolygonKind:
    """The kind of opaque polygons with this material; animations may change its alpha and its texture."""
    if material.polygon_attr & _DECAL:
        return PolygonKind.DECAL
    texture = material.texture
    solid = texture is None or (texture.format in (COLORS_4, COLORS_16, COLORS_256) and not texture.color0_transparent)
    return PolygonKind.SOLID if solid and not animated else PolygonKind.CUT_OUT


class _Builder:
    def __init__(self, resolved: ResolvedModel, animated: bool) -> None:
        self._resolved = resolved
        self._animated = animated
        self._frames: list[tuple[int, int]] = []
        self._rows: dict[object, int] = {}
        self._vertices: list[Vertices] = []
        self._count = 0
        self._opaque: dict[tuple[int, PolygonKind], list[tuple[Words, Words]]] = {}
        self._blended_vertices: list[Vertices] = []
        self._blended_count = 0
        self._polygons: list[npt.NDArray[Any]] = []
        self._low = np.full(3, np.inf)
        self._high = np.full(3, -np.inf)
        self._number = 0

    def _row(self, draw: Draw, slot: int) -> int:
        frame = draw.frame_of(slot)
        # Animated frames are new objects at every tick, so each use has its own row.
        key = (self._number, slot) if self._animated else (id(frame), draw.scale)
        if key not in self._rows:
            self._rows[key] = len(self._frames)
            self._frames.append((self._number, slot))
        return self._rows[key]

    def add(self, draw: Draw) -> None:
        number = self._number
        if draw.shown or self._animated:
            self._add(draw)
        self._number = number + 1

    def _add(self, draw: Draw) -> None:
        geometry = decode_shape(self._resolved.model.shapes[draw.shape].commands, draw.scale)
        if not len(geometry.indices):
            return
        matrix_of = np.zeros(33, np.uint32)
        for slot in np.unique(geometry.vertices["slot"]).tolist():
            matrix_of[slot + 1] = self._row(draw, slot)
        positions = placed_vertices(draw, geometry.vertices)
        self._low = np.minimum(self._low, positions.min(0))
        self._high = np.maximum(self._high, positions.max(0))
        vertices = np.empty(len(geometry.vertices), VERTEX)
        _pack(geometry.vertices, self._number, matrix_of, vertices)
        attributes = draw.material.polygon_attr
        form = draw.material.texture.format if draw.material.texture is not None else 0
        polygons = np.zeros(len(geometry.indices) // 3, POLYGON)
        polygons = polygons[: _polygons(geometry.indices, positions, attributes, polygons)]
        # Corners of a polygon are one after the other, whatever the primitive shared.
        order = np.empty(int(polygons["count"].sum()), np.uint32)
        _corners(geometry.indices, polygons, order)
        if draw.material.alpha == 31:
            key = attributes >> 6 & 3, _kind(draw.material, animated=self._animated)
            first = np.uint32(self._count)
            self._opaque.setdefault(key, []).append((geometry.indices + first, order[four_corners(polygons)] + first))
            self._vertices.append(vertices)
            self._count += len(vertices)
        if draw.material.alpha < 31 or form in (A3I5, A5I3):
            polygons["first"] += np.uint32(self._blended_count)
            self._blended_vertices.append(vertices[order])
            self._blended_count += len(order)
            self._polygons.append(polygons)

    def mesh(self, draws: tuple[Draw, ...], attached: Attached | None, playing: Playback, base: Base) -> Mesh:
        ranges: list[Range] = []
        indices, corners = [np.zeros(0, np.uint32)], [np.zeros((0, 4), np.uint32)]
        for (faces, kind), parts in self._opaque.items():
            first, first_polygon = sum(map(len, indices)), sum(map(len, corners))
            indices += [triangles for triangles, _ in parts]
            corners += [polygons for _, polygons in parts]
            count, polygon_count = sum(map(len, indices)) - first, sum(map(len, corners)) - first_polygon
            ranges.append(Range(faces, first, count, kind, first_polygon, polygon_count))
        low, high = (self._low, self._high) if np.isfinite(self._low).all() else (np.zeros(3), np.zeros(3))
        return Mesh(
            self._resolved,
            np.concatenate(self._vertices) if self._vertices else np.zeros(0, VERTEX),
            np.concatenate(indices),
            np.concatenate(corners),
            tuple(ranges),
            np.concatenate(self._blended_vertices) if self._blended_vertices else np.zeros(0, VERTEX),
            np.concatenate(self._polygons) if self._polygons else np.zeros(0, POLYGON),
            draws,
            tuple(self._frames),
            np.stack([low, high]),
            attached,
            playing,
            base,
        )


@entry(source=reads(DECODED_VERTEX), material=int, matrix_of=reads(np.uint32), out=writes(VERTEX))
def _pack(source: Any, material: int, matrix_of: npt.NDArray[np.uint32], out: Any) -> None:
    for i in range(len(source)):
        vertex = source[i]
        target = out[i]
        for axis in range(3):
            target.position[axis] = vertex.position[axis] / ONE
        target.texcoord[0] = vertex.texcoord[0]
        target.texcoord[1] = vertex.texcoord[1]
        target.normal = vertex.normal
        target.color = np.uint32(vertex.color) | np.uint32(vertex.source) << np.uint32(16)
        target.rows = np.uint32(material) | matrix_of[vertex.slot + 1] << np.uint32(16)
        target.instance = 0


@entry(indices=reads(np.uint32), positions=reads(np.float64, 2), attributes=int, out=writes(POLYGON), returns=int)
def _polygons(indices: npt.NDArray[np.uint32], positions: npt.NDArray[np.float64], attributes: int, out: Any) -> int:
    """Join the two triangles of every quad; `first` counts corners. Returns the number of polygons."""
    place = 0
    count = 0
    corners = 0
    while place < len(indices):
        quad = place + 6 <= len(indices) and indices[place] == indices[place + 3]
        # Two triangles of a strip can share these corners too, but not in ascending order.
        quad = quad and indices[place + 2] == indices[place + 4] and indices[place + 1] == indices[place] + 1
        polygon = out[count]
        polygon.first = corners
        polygon.count = 4 if quad else 3
        polygon.attributes = attributes
        for corner in range(4):
            source = indices[place + (5 if corner == 3 and quad else min(corner, 2))]
            for axis in range(3):
                polygon.corners[corner, axis] = positions[source, axis]
        corners += polygon.count
        place += 6 if quad else 3
        count += 1
    return count


@entry(indices=reads(np.uint32), polygons=reads(POLYGON), out=writes(np.uint32))
def _corners(indices: npt.NDArray[np.uint32], polygons: Any, out: npt.NDArray[np.uint32]) -> None:
    """The vertices of the polygons' corners, one polygon after the other."""
    place = 0
    at = 0
    for i in range(len(polygons)):
        for corner in range(3):
            out[at + corner] = indices[place + corner]
        if polygons[i].count == 4:
            out[at + 3] = indices[place + 5]
            place += 6
        else:
            place += 3
        at += polygons[i].count
