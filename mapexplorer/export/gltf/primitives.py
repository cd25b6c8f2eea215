"""The shapes of a NITRO model as primitives of meshes, with their materials.

A material whose texture has translucent texels is written as up to three, by the texels that triangles show: without
translucent ones (opaque, or MASK where the texture has clear texels), and with them (BLEND). Triangles most of whose
texels are opaque are in a MASK primitive, which shows these texels alone, and in a BLEND primitive over it: so they
hide what is behind them in viewers that do not sort. With `ExportOptions.lit` such a triangle is in a plain MASK
primitive alone, because surfaces in one place are black in ray tracers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.nitro.model import Model
from mapexplorer.export.gltf.animation import MaterialMotion
from mapexplorer.export.gltf.animation_parts import MaterialCurves
from mapexplorer.export.gltf.document import INDICES, Document, Json, members
from mapexplorer.export.gltf.materials import (
    MIXED,
    STILL,
    Affine,
    LitColors,
    WrittenMaterial,
    lit_colors,
    write_material,
)
from mapexplorer.export.gltf.shapes import DrawnMesh, vertices_of
from mapexplorer.export.gltf.triangles import count_texels
from mapexplorer.export.gltf.vertices import PackedVertices, pack_vertices, unit_normals
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import CUTOUT, OPAQUE, TRANSLUCENT
from mapexplorer.g3d.draw_list import SCREEN
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.g3d.matrix import Matrix33
from mapexplorer.grouping import by_key
from mapexplorer.scene.light import VertexLight

Layout = tuple[bool, bool, bool, int]
"""What vertices have beside positions: texture coordinates, colours, normals; and the number of a material with several
looks, whose shapes have texture coordinates for each look, or -1."""


@dataclass(slots=True, eq=False)
class _VertexGroup:
    """The vertices of shapes of one layout, which share the accessors of their `attributes`. `corners` are the numbers
    of the vertices of all their triangles, `looks` the accessors of the texture coordinates in other looks."""

    members: list[DrawnMesh]
    attributes: Json = field(default_factory=dict)
    corners: npt.NDArray[Any] = field(default_factory=lambda: np.empty(0, np.uint16))
    count: int = 0
    looks: dict[int, int] = field(default_factory=dict)

    def join(self, flipped: Sequence[bool]) -> Iterator[tuple[DrawnMesh, int, int]]:
        """Make the corners, those of `flipped` shapes in the other direction; for each shape their first and last."""
        lengths = [len(shape.indices) for shape in self.members]
        *starts, self.count = itertools.accumulate([len(shape.vertices) for shape in self.members], initial=0)
        corners = np.concatenate([shape.indices for shape in self.members])
        corners += np.repeat(np.array(starts, np.uint32), lengths)
        self.corners = corners.astype(np.uint16) if self.count < 0xFFFF else corners
        ends = itertools.pairwise(itertools.accumulate(lengths, initial=0))
        for shape, (first, last), turn in zip(self.members, ends, flipped, strict=True):
            if turn:
                triangles = self.corners[first:last].reshape(-1, 3)
                triangles[:] = triangles[:, ::-1].copy()
            yield shape, first, last


class PrimitiveWriter:
    """Writes the vertices, primitives and materials of one model. `motions` are its moving materials by their numbers,
    `curves` their changes by clips, `missing` what its set does not hold, `emitting` the numbers of materials whose
    texture is also their emission."""

    def __init__(
        self,
        document: Document,
        model: Model,
        options: ExportOptions,
        light: VertexLight,
        unit: float,
    ) -> None:
        self.document = document
        self.model = model
        self.options = options
        self.light = light
        self.unit = unit
        self.motions: dict[int, MaterialMotion] = {}
        self.curves: dict[int, MaterialCurves] = {}
        self.missing: list[str] = []
        self.emitting: set[int] = set()
        # By identity, as materials take long to compare; they are kept, so that no other one gets the identity.
        self._written: dict[Any, tuple[ComposedMaterial, WrittenMaterial]] = {}
        self._places: dict[DrawnMesh, tuple[_VertexGroup, int, int]] = {}

    def looks(self, material: ComposedMaterial) -> int:
        """How many meshes the looks of a material need."""
        motion, curves = self.motions.get(material.index), self.curves.get(material.index)
        return 1 if motion is None or (curves is not None and curves.atlas is not None) else len(motion.looks)

    def material(self, material: ComposedMaterial, look: int = 0, alpha: int | None = None) -> WrittenMaterial:
        """A material in one of its looks; `alpha` is what its primitive shows of the texture, None: all."""
        index = material.index
        curves = self.curves.get(index)
        key = (index, look) if curves is not None else (id(material), look, alpha)
        if key in self._written:
            return self._written[key][1]
        shown = material
        if self.looks(material) > 1:
            shown = self.motions[index].looks[look] if look else material
            shown = shown._replace(name=f"{shown.name}_picture{look}")
        wanted = (self.model.texture_name(index), self.model.palette_name(index))
        animated = STILL if curves is None else curves.animated(look)
        written = write_material(self.document, shown, self.options, wanted, animated, alpha, self._lit(shown))
        self._written[key] = material, written
        if curves is not None:
            curves.written[look] = written.index
            if "emissiveTexture" in written.shared.definition:
                self.emitting.add(written.index)
        self.missing += [what for what in written.shared.missing if what not in self.missing]
        return written

    def _lit(self, material: ComposedMaterial) -> LitColors | None:
        curves = self.curves.get(material.index)
        if not self.options.lit or (curves is not None and curves.changes_colors):
            return None
        return lit_colors(material, self.light)

    def is_lit(self, material: ComposedMaterial) -> bool:
        """Whether lights of the file shine on a material, and no clip changes its colours; else it is unlit."""
        return self._lit(material) is not None

    def layout(self, drawn: DrawnMesh) -> Layout:
        """What the vertices of a shape have; shapes of one primitive have the same."""
        material, lit = drawn.draw.material, self.is_lit(drawn.draw.material)
        textured = self.material(material).shared.texcoords is not None
        return textured, not lit, lit and drawn.has_normals, material.index if self.looks(material) > 1 else -1

    def colors(self, drawn: Sequence[DrawnMesh], material: ComposedMaterial) -> npt.NDArray[np.uint16]:
        """The colours of the vertices of shapes under a state of their material, linear, (n, 4)."""
        return self._packed(drawn, [None] * len(drawn), [material] * len(drawn)).colors

    def write_vertices(
        self, drawn: Iterable[DrawnMesh], move: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None = None
    ) -> None:
        """Write the vertices of shapes, one accessor for each attribute of those that have the same ones; `move`
        changes positions or normals (n, 3) to another space."""
        written_of = {shape: self.material(shape.draw.material) for shape in drawn}
        members_of = by_key((self.layout(shape), shape) for shape in written_of)
        groups = {layout: _VertexGroup(members) for layout, members in members_of.items()}
        shapes = [shape for group in groups.values() for shape in group.members]
        if not shapes:
            return
        packed = self._packed(
            shapes,
            [written_of[shape].shared.texcoords for shape in shapes],
            [self._brightest(shape.draw.material) for shape in shapes],
        )
        start = first = 0
        for layout, group in groups.items():
            last = first + len(group.members)
            for shape, begin, end in group.join([written_of[shape].shared.flipped for shape in group.members]):
                self._places[shape] = group, begin, end
            part = slice(start, start + group.count)
            group.attributes = self._attributes(layout, group, packed, part, packed.extents[first:last], move)
            start, first = part.stop, last

    def _brightest(self, material: ComposedMaterial) -> ComposedMaterial:
        curves = self.curves.get(material.index)
        return material if curves is None else curves.brightest

    def _attributes(
        self,
        layout: Layout,
        group: _VertexGroup,
        packed: PackedVertices,
        part: slice,
        extents: npt.NDArray[np.float32],
        move: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None,
    ) -> Json:
        document = self.document
        textured, colored, with_normals, _ = layout
        positions = packed.positions[part]
        bounds: Any = (np.minimum.reduce(extents[:, 0]), np.maximum.reduce(extents[:, 1]))
        if move is not None:
            positions, bounds = move(positions.astype(np.float64)).astype(np.float32), True
        normals = [shape.vertices["normal"] for shape in group.members if with_normals and move is None]
        return members(
            POSITION=document.accessor(positions, bounds=bounds),
            NORMAL=document.accessor(unit_normals(np.concatenate(normals))) if normals else None,
            TEXCOORD_0=document.accessor(packed.texcoords[part]) if textured else None,
            COLOR_0=document.accessor(packed.colors[part], normalized=True) if colored else None,
        )

    def _packed(
        self, drawn: Sequence[DrawnMesh], affines: Sequence[Affine | None], materials: Sequence[ComposedMaterial]
    ) -> PackedVertices:
        bounds = list(itertools.accumulate([len(shape.vertices) for shape in drawn], initial=0))
        light = self._light(drawn, bounds, materials)
        diffuse = [material.dif_amb & 0x7FFF for material in materials]
        return pack_vertices(vertices_of(drawn), bounds, self.unit, affines, diffuse, light)

    def _light(
        self, drawn: Sequence[DrawnMesh], bounds: Sequence[int], materials: Sequence[ComposedMaterial]
    ) -> npt.NDArray[np.uint8]:
        """The colours (n, 3) of vertices with normals, white where light shines at view time."""
        result = np.full((bounds[-1], 3), 31, np.uint8)
        wanted: list[tuple[Any, npt.NDArray[np.uint32], Matrix33, ComposedMaterial]] = []
        for shape, start, material in zip(drawn, bounds[:-1], materials, strict=True):
            if not shape.has_normals or self.is_lit(material):
                continue
            normals = shape.vertices["normal"]
            if not shape.restores:
                vector = self.light.facing if shape.draw.frame.billboard == SCREEN else shape.draw.frame.vector
                wanted.append((slice(start, start + len(normals)), normals, vector, material))
                continue
            slots = shape.vertices["slot"]
            for slot in np.unique(slots).tolist():
                (chosen,) = np.nonzero(slots == slot)
                wanted.append((start + chosen, normals[chosen], shape.draw.frame_of(slot).vector, material))
        if wanted:
            ends = list(itertools.accumulate([len(normals) for _, normals, _, _ in wanted], initial=0))
            colors = self.light.colors_of_shapes(
                np.concatenate([normals for _, normals, _, _ in wanted]),
                ends,
                [(vector, material) for _, _, vector, material in wanted],
            )
            for (place, _, _, _), (first, last) in zip(wanted, itertools.pairwise(ends), strict=True):
                result[place] = colors[first:last]
        return result

    def primitives(self, shapes: Sequence[DrawnMesh]) -> list[Json]:
        """The primitives of shapes that share a material, whose vertices are written."""
        material = shapes[0].draw.material
        written = self.material(material)
        group = self._places[shapes[0]][0]
        corners = np.concatenate([group.corners[slice(*self._places[shape][1:])] for shape in shapes])
        return [
            {
                "attributes": dict(group.attributes),
                "indices": self.document.accessor(
                    corners if chosen is None else corners[np.repeat(chosen, 3)], target=INDICES
                ),
                "material": (written if alpha is None else self.material(material, 0, alpha)).index,
            }
            for alpha, chosen in self._split(shapes, written)
        ]

    def _split(
        self, shapes: Sequence[DrawnMesh], written: WrittenMaterial
    ) -> list[tuple[int | None, npt.NDArray[np.bool_] | None]]:
        """(what a primitive shows, its triangles; None: all) for the primitives of shapes."""
        image = written.shared.image
        classes = None if image is None else image.picture.classes
        if image is None or classes is None or written.shared.faded or shapes[0].draw.material.index in self.motions:
            return [(None, None)]
        counts = []
        for shape in shapes:
            sampled = self.material(shape.draw.material).shared.sampled
            if sampled is None:
                return [(None, None)]
            counts.append(count_texels(shape.vertices, shape.indices, sampled, image.clamped, image.mirrored, classes))
        opaque, _, translucent = np.concatenate(counts).T
        solid = CUTOUT if (classes == CUTOUT).any() else OPAQUE
        kinds = np.where(translucent == 0, solid, np.where(opaque > translucent, MIXED, TRANSLUCENT))
        if self.options.lit:
            kinds[kinds == MIXED] = CUTOUT
        wanted = [(alpha, kinds == alpha) for alpha in dict.fromkeys((solid, CUTOUT, MIXED))]
        wanted.append((TRANSLUCENT, (kinds == MIXED) | (kinds == TRANSLUCENT)))
        return [(alpha, None if chosen.all() else chosen) for alpha, chosen in wanted if chosen.any()]

    def in_look(self, shapes: Sequence[DrawnMesh], first: Json, look: int) -> Json:
        """A primitive of shapes with another look of their material."""
        material = shapes[0].draw.material
        written = self.material(material, look)
        rest, texcoords = self.material(material).shared.texcoords, written.shared.texcoords
        group = self._places[shapes[0]][0]
        attributes = dict(first["attributes"])
        if texcoords != rest:
            attributes.pop("TEXCOORD_0", None)
            if texcoords is not None:
                if look not in group.looks:
                    members = group.members
                    packed = self._packed(members, [texcoords] * len(members), [material] * len(members))
                    group.looks[look] = self.document.accessor(packed.texcoords)
                attributes["TEXCOORD_0"] = group.looks[look]
        return first | {"attributes": attributes, "material": written.index}
