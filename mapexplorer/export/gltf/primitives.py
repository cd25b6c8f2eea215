"""The shapes of a NITRO model as primitives of meshes, with their materials.

A material whose texture has translucent texels is written as up to three, by the texels that triangles show: without
translucent ones (opaque, or MASK where the texture has clear texels), and with them (BLEND). Triangles most of whose
texels are opaque are in a MASK primitive, which shows these texels alone, and in a BLEND primitive over it: so they
hide what is behind them in viewers that do not sort. With `ExportOptions.lit` such a triangle is in a plain MASK
primitive alone, because surfaces in one place are black in ray tracers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from formats.nds.texture_format import COLORS_4, COLORS_16, COLORS_256
from formats.nitro.model import Model
from mapexplorer.export.gltf.animation import Motion
from mapexplorer.export.gltf.animation_parts import MaterialCurves
from mapexplorer.export.gltf.atlas import AtlasCurves
from mapexplorer.export.gltf.document import INDICES, Document, Json
from mapexplorer.export.gltf.materials import MIXED, WrittenMaterial, write_material
from mapexplorer.export.gltf.triangles import KEPT, count_texels, sort_out
from mapexplorer.export.gltf.vertices import pack_vertices, unit_normals
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import CUTOUT, OPAQUE, TRANSLUCENT
from mapexplorer.g3d.draw_list import SCREEN, Draw
from mapexplorer.g3d.geometry import Geometry, decode_shape
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.g3d.matrix import Matrix33

Drawn = tuple[Draw, Geometry]

_INDEXED: Final = (COLORS_4, COLORS_16, COLORS_256)


class LightSource(Protocol):
    """Computes the colours of vertices with normals. `facing` is the vector matrix of what faces the screen."""

    @property
    def facing(self) -> Matrix33:
        """See the class."""

    def colors(
        self, normals: npt.NDArray[np.uint32], vector: Matrix33, material: ComposedMaterial
    ) -> npt.NDArray[np.uint8]:
        """Colours (n, 3), 0..31, for parameters of NORMAL under a vector matrix."""


@dataclass(slots=True)
class Dropped:
    """How many triangles of a model are left out: without area, and at the place of another of the same shape."""

    degenerate: int = 0
    duplicate: int = 0


def shape_geometry(model: Model, draw: Draw, dropped: Dropped) -> Geometry:
    """The geometry of a draw without the triangles that show nothing, which are added to `dropped`."""
    geometry = decode_shape(model.shapes[draw.shape].commands, draw.scale)
    if not len(geometry.indices):
        return geometry
    texture = draw.material.texture
    solid = texture is not None and texture.format in _INDEXED and not texture.color0_transparent
    kinds = sort_out(geometry.vertices, geometry.indices, textured=not solid)
    if not kinds.any():
        return geometry
    _, degenerate, duplicate = np.bincount(kinds, minlength=3).tolist()
    dropped.degenerate += degenerate
    dropped.duplicate += duplicate
    kept = geometry.indices.reshape(-1, 3)[kinds == KEPT]
    return dataclasses.replace(geometry, indices=np.ascontiguousarray(kept).ravel())


class PrimitiveWriter:
    """Writes the primitives and materials of one model. `curves` are the changes of its materials by clips, `missing`
    what its set does not hold."""

    def __init__(
        self,
        document: Document,
        model: Model,
        options: ExportOptions,
        light: LightSource | None,
        motion: Motion | None,
        unit: float,
    ) -> None:
        self.document = document
        self.model = model
        self.options = options
        self.light = light
        self.motion = motion
        self.unit = unit
        self.curves: dict[int, MaterialCurves | AtlasCurves] = {}
        self.missing: list[str] = []
        self._written: dict[Any, WrittenMaterial] = {}

    def looks(self, material: ComposedMaterial) -> int:
        """How many meshes the looks of a material need."""
        motion = None if self.motion is None else self.motion.material(material.index)
        return 1 if motion is None or isinstance(self.curves.get(material.index), AtlasCurves) else len(motion.looks)

    def moves(self, material: ComposedMaterial) -> bool:
        """Whether a clip changes a material."""
        return self.motion is not None and self.motion.material(material.index) is not None

    def material(self, material: ComposedMaterial, look: int = 0, alpha: int | None = None) -> WrittenMaterial:
        """A material in one of its looks; `alpha` is what its primitive shows of the texture, None: all."""
        index = material.index
        curves = self.curves.get(index)
        if self.looks(material) > 1:
            motion = None if self.motion is None else self.motion.material(index)
            shown = material if motion is None or not look else motion.looks[look]
            material = dataclasses.replace(shown, name=f"{shown.name}_picture{look}")
        key = (index, look) if curves is not None else (material, alpha)
        written = self._written.get(key)
        if written is None:
            wanted = (self.model.texture_name(index), self.model.palette_name(index))
            animated = None if curves is None else curves.animated(look)
            written = write_material(self.document, material, self.options, wanted, animated, alpha)
            self._written[key] = written
            if curves is not None:
                curves.written[look] = written.index
            self.missing += [what for what in written.missing if what not in self.missing]
        return written

    def colors(self, draw: Draw, geometry: Geometry, material: ComposedMaterial) -> npt.NDArray[np.uint16]:
        """The colours of a shape's vertices, linear, (n, 4)."""
        found: npt.NDArray[np.uint16] = self._packed(draw, geometry, None, material)[2]
        return found

    def _packed(self, draw: Draw, geometry: Geometry, affine: Any, material: ComposedMaterial) -> Any:
        light = self._light(draw, geometry, material)
        return pack_vertices(geometry.vertices, self.unit, affine, material.dif_amb & 0x7FFF, light)

    def _light(self, draw: Draw, geometry: Geometry, material: ComposedMaterial) -> npt.NDArray[np.uint8] | None:
        if not geometry.has_normals or self.light is None or self.options.lit:
            return None
        normals = np.ascontiguousarray(geometry.vertices["normal"])
        if not geometry.restores:
            vector = self.light.facing if draw.frame.billboard == SCREEN else draw.frame.vector
            return self.light.colors(normals, vector, material)
        slots = geometry.vertices["slot"]
        result = np.empty((len(normals), 3), np.uint8)
        for slot in np.unique(slots).tolist():
            chosen = slots == slot
            frame = draw.frame_of(slot)
            result[chosen] = self.light.colors(normals[chosen], frame.vector, material)
        return result

    def primitives(
        self, group: Sequence[Drawn], move: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None = None
    ) -> list[Json]:
        """The primitives of shapes that share a material, which have the same vertices; `move` changes positions or
        normals (n, 3) to another space."""
        material = group[0][0].material
        written = self.material(material)
        curves = self.curves.get(material.index)
        packed = [
            self._packed(
                draw,
                geometry,
                (written if draw.material is material else self.material(draw.material)).texcoords,
                draw.material if curves is None else curves.brightest,
            )
            for draw, geometry in group
        ]
        normals = [unit_normals(geometry.vertices["normal"]) for _, geometry in group] if self.options.lit else []
        starts = np.cumsum([0, *[len(geometry.vertices) for _, geometry in group]])
        corners = _joined(
            [
                geometry.indices if not start else geometry.indices + np.uint32(start)
                for (_, geometry), start in zip(group, starts[:-1], strict=True)
            ]
        )
        attributes = self._attributes(material, written, packed, normals, group, move)
        small = int(starts[-1]) < 0xFFFF
        return [
            {
                "attributes": dict(attributes),
                "indices": self._indices(corners if chosen is None else corners[np.repeat(chosen, 3)], written, small),
                "material": (written if alpha is None else self.material(material, 0, alpha)).index,
            }
            for alpha, chosen in self._split(group, written)
        ]

    def _split(
        self, group: Sequence[Drawn], written: WrittenMaterial
    ) -> list[tuple[int | None, npt.NDArray[np.bool_] | None]]:
        """(what a primitive shows, its triangles; None: all) for the primitives of a group."""
        image = written.image
        classes = None if image is None else image.picture.classes
        if image is None or classes is None or written.faded or self.moves(group[0][0].material):
            return [(None, None)]
        counts = []
        for draw, geometry in group:
            sampled = self.material(draw.material).sampled
            if sampled is None:
                return [(None, None)]
            counts.append(
                count_texels(geometry.vertices, geometry.indices, sampled, image.clamped, image.mirrored, classes)
            )
        opaque, _, translucent = np.concatenate(counts).T
        solid = CUTOUT if (classes == CUTOUT).any() else OPAQUE
        kinds = np.where(translucent == 0, solid, np.where(opaque > translucent, MIXED, TRANSLUCENT))
        if self.options.lit:
            kinds[kinds == MIXED] = CUTOUT
        wanted = [(alpha, kinds == alpha) for alpha in dict.fromkeys((solid, CUTOUT, MIXED))]
        wanted.append((TRANSLUCENT, (kinds == MIXED) | (kinds == TRANSLUCENT)))
        found = [(alpha, chosen) for alpha, chosen in wanted if chosen.any()]
        return [(alpha, None if chosen.all() else chosen) for alpha, chosen in found]

    def in_look(self, group: Sequence[Drawn], first: Json, look: int) -> Json:
        """A primitive with another look of its material."""
        material = group[0][0].material
        rest, written = self.material(material), self.material(material, look)
        attributes = dict(first["attributes"])
        if written.texcoords != rest.texcoords:
            attributes.pop("TEXCOORD_0", None)
            if written.texcoords is not None:
                arrays = [self._packed(draw, geometry, written.texcoords, material)[1] for draw, geometry in group]
                attributes["TEXCOORD_0"] = self.document.accessor(_joined(arrays))
        return first | {"attributes": attributes, "material": written.index}

    def _attributes(
        self,
        material: ComposedMaterial,
        written: WrittenMaterial,
        packed: Sequence[Any],
        normals: Sequence[npt.NDArray[np.float32]],
        group: Sequence[Drawn],
        move: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None,
    ) -> Json:
        document = self.document
        positions = _joined([part[0] for part in packed])
        attributes: Json = {}
        if move is not None:
            positions = move(positions.astype(np.float64)).astype(np.float32)
            bounds: Any = True
        else:
            low = packed[0][3] if len(packed) == 1 else np.stack([part[3] for part in packed])
            bounds = (low[0], low[1]) if len(packed) == 1 else (low[:, 0].min(0), low[:, 1].max(0))
        attributes["POSITION"] = document.accessor(positions, bounds=bounds)
        if normals and all(geometry.has_normals for _, geometry in group):
            attributes["NORMAL"] = document.accessor(_joined(normals))
        if written.texcoords is not None:
            attributes["TEXCOORD_0"] = document.accessor(_joined([part[1] for part in packed]))
        if not (self.options.lit and material.lights):
            attributes["COLOR_0"] = document.accessor(_joined([part[2] for part in packed]), normalized=True)
        return attributes

    def _indices(self, corners: npt.NDArray[np.uint32], written: WrittenMaterial, small: bool) -> int:
        if written.flipped:
            corners = np.ascontiguousarray(corners.reshape(-1, 3)[:, ::-1]).ravel()
        return self.document.accessor(corners.astype(np.uint16) if small else corners, target=INDICES)


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
