"""One NITRO model in a glTF document: meshes are written once, a node tree for every instance.

Shapes under one matrix become meshes below the node whose matrix it is, with vertices in the node's space. Shapes that
mix matrices (MTX_RESTORE inside the list, NODEMIX) become skins: vertices in model space, joints for the nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.animation_parts import MaterialCurves, joint_parts, write_clips
from mapexplorer.export.gltf.atlas import atlas_of
from mapexplorer.export.gltf.compact import compact
from mapexplorer.export.gltf.document import Document, Json, members
from mapexplorer.export.gltf.parts import ALMOST_HIDDEN, HIDDEN, PICTURE, MeshPart, ModelParts, Toggle, add_instance
from mapexplorer.export.gltf.primitives import PrimitiveWriter
from mapexplorer.export.gltf.shapes import DrawnMesh, drawn_shapes
from mapexplorer.export.gltf.vertices import normalized, unit_normals
from mapexplorer.export.options import ATLAS, BY_MATERIAL, EVERYTHING, GODOT, ExportOptions
from mapexplorer.export.textures import joined_sets
from mapexplorer.g3d.binding import bind
from mapexplorer.g3d.draw_list import Draw, DrawList, DrawMatrix, draw_list
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.grouping import by_key
from mapexplorer.scene.light import LIBRARY_DEFAULT, VertexLight

_DEFAULT_LIGHT: Final = VertexLight(LIBRARY_DEFAULT)


def write_model(
    document: Document,
    draws: DrawList,
    options: ExportOptions,
    *,
    light: VertexLight,
    motion: Motion | None = None,
) -> ModelParts:
    """Add a model's meshes and materials. `light` colours vertices with normals, unless `options.lit`.

    Joints are left out where none moves a node, at rest or in a clip of `motion`. With `motion`, `draws` are its draws,
    and the result has its clips (`ModelParts.clips`).
    """
    return _ModelWriter(document, draws, options, light, motion).write()


def model_document(
    model: Model,
    *sets: Tex0,
    options: ExportOptions | None = None,
    clips: Sequence[Clip] = (),
) -> tuple[Document, ModelParts]:
    """A loose model alone in a document, bound to the first of `sets` that holds each name, with its clips, under the
    library's default lights. Raises FormatError."""
    chosen = (options or ExportOptions()).resolved()
    document = Document(pointers=chosen.pointers)
    binding = bind(model, *sets)
    motion = None
    if clips and not chosen.static:
        motion = Motion(model, clips, binding=binding, textures=joined_sets(sets) if sets else None)
    draws = draw_list(model, binding=binding) if motion is None else motion.draws
    parts = write_model(document, draws, chosen, light=_DEFAULT_LIGHT, motion=motion)
    instance = add_instance(document, parts, model.name, extras=members(missing=parts.missing))
    document.scene(model.name, [instance.root, *instance.skinned])
    for clip in parts.clips:
        document.animation(clip.name, clip.channels([instance]), extras=clip.extras)
    if chosen.compact:
        compact(document)
    return document, parts


class _ModelWriter:
    def __init__(
        self,
        document: Document,
        draws: DrawList,
        options: ExportOptions,
        light: VertexLight,
        motion: Motion | None,
    ) -> None:
        self.document = document
        self.draws = draws
        self.model: Model = draws.model
        self.options = options
        self.motion = motion
        self.unit = options.scale / ONE
        self.parts = ModelParts(self.model.name, hidden=ALMOST_HIDDEN if options.profile == GODOT else HIDDEN)
        self.primitives = PrimitiveWriter(document, self.model, options, light, self.unit)
        self._joint_of: dict[int, int] = {}
        moved = any(posed.joint.flags & 7 != 7 for posed in draws.nodes)
        if moved or (motion is not None and motion.moves_joints):
            self._write_joints()

    def _write_joints(self) -> None:
        # A node that is posed again keeps the joint of the first time, so that parents come before their children.
        for number, posed in enumerate(self.draws.nodes):
            self._joint_of.setdefault(posed.node, number)
        self.parts.joints = joint_parts(self.draws, self.unit, self._joint_of, self.motion)

    def _joint(self, frame: DrawMatrix) -> int | None:
        return None if frame.node is None else self._joint_of.get(frame.node)

    def write(self) -> ModelParts:
        draws = [draw for draw in self.draws.draws if self.motion is None or self.motion.ever_shown(draw)]
        shapes = drawn_shapes(self.model, draws)
        counted = [shape for shape in shapes if shape.draw.shown or self.motion is None]
        self.parts.triangles = sum(len(shape.indices) // 3 for shape in counted)
        self.parts.degenerate = sum(shape.degenerate for shape in counted)
        self.parts.duplicate = sum(shape.duplicate for shape in counted)
        drawn = [shape for shape in shapes if len(shape.indices)]
        self._prepare_curves(drawn)
        skinned = {shape: shape.restores or bool(shape.draw.frame.terms) for shape in drawn}
        plain = [shape for shape in drawn if not skinned[shape]]
        self.primitives.write_vertices(plain)
        merging = self.options.merge in (BY_MATERIAL, EVERYTHING)
        for shape in drawn:
            if skinned[shape]:
                self._add_skinned(shape)
            elif not merging:
                self._add_looks(self.model.shapes[shape.draw.shape].name, {shape.draw.material.index: [shape]})
        if merging:
            self._add_merged(plain)
        if self.motion is not None:
            self.parts.shown = {
                toggle: self.motion.shown(toggle) for part in self.parts.meshes for toggle in part.toggles
            }
            self.parts.clips = write_clips(
                self.motion,
                self.parts,
                self.primitives.curves,
                self.primitives.emitting,
                self.unit,
                self._joint_of,
            )
        self.parts.missing = self.primitives.missing
        return self.parts

    def _toggles(self, draw: Draw, look: int = 0) -> tuple[Toggle, ...]:
        toggles = () if self.motion is None else self.motion.toggles(draw, look)
        single = self.primitives.looks(draw.material) == 1
        return tuple([toggle for toggle in toggles if not single or toggle.kind != PICTURE])

    def _add_looks(self, name: str, groups: dict[Any, list[DrawnMesh]]) -> None:
        """A mesh of shapes under one matrix, by material; one for each look where the material has several."""
        first = next(iter(groups.values()))[0].draw
        looks = self.primitives.looks(first.material)
        made = [primitive for group in groups.values() for primitive in self.primitives.primitives(group)]
        hidden = None if first.shown else True
        extras = members(billboard=first.frame.billboard, texture_effect=first.effect, hidden=hidden)
        for look in range(looks):
            title = name if looks == 1 else f"{name}_picture{look}"
            if look:  # a group alone, and unsplit, as its material moves
                (group,) = groups.values()
                made = [self.primitives.in_look(group, made[0], look)]
            mesh = self.document.mesh(made, name=f"{self.model.name}_{title}")
            self.parts.meshes.append(
                MeshPart(title, mesh, self._joint(first.frame), extras, toggles=self._toggles(first, look))
            )

    def _add_merged(self, plain: Sequence[DrawnMesh]) -> None:
        """One mesh per matrix (and billboard kind, effect, visibility, moving picture), one primitive per material of
        the document, which several materials of the model may share."""

        def look(shape: DrawnMesh) -> Any:
            material = shape.draw.material
            moves = material.index in self.primitives.motions
            same = material.index if moves else self.primitives.material(material).contents
            return same, self.primitives.layout(shape)

        def place(draw: Draw) -> Any:
            return self._joint(draw.frame), draw.frame.billboard, draw.effect, draw.shown, self._toggles(draw)

        for number, shapes in enumerate(by_key((place(shape.draw), shape) for shape in plain).values()):
            groups = by_key((look(shape), shape) for shape in shapes)
            self._add_looks("shapes" if not number else f"shapes{number}", groups)

    def _prepare_curves(self, drawn: Sequence[DrawnMesh]) -> None:
        """Compute the changes of the drawn materials by the clips."""
        if self.motion is None:
            return
        groups = by_key((shape.draw.material.index, shape) for shape in drawn)
        for index, group in groups.items():
            motion = self.motion.material(index)
            if motion is None:
                continue
            self.primitives.motions[index] = motion
            atlas = None
            if self.options.pattern == ATLAS:
                coordinates = np.concatenate([shape.vertices["texcoord"] for shape in group])
                atlas = atlas_of(motion, self.options, coordinates)

            def mean_color(material: ComposedMaterial, group: Any = group) -> npt.NDArray[np.float64]:
                """The sum of the colours of all vertices under a state of the material, linear."""
                total: npt.NDArray[np.float64] = self.primitives.colors(group, material)[:, :3].sum(0, np.float64)
                return total

            if motion.series or atlas is not None:
                self.primitives.curves[index] = MaterialCurves(self.motion, motion, self.options, mean_color, atlas)

    def _add_skinned(self, drawn: DrawnMesh) -> None:
        """A shape whose vertices are under several matrices: moved to model space, bound to joints.

        Only joints can move it: no node's scale hides a skinned mesh, so it keeps the picture and visibility of rest.
        """
        if not self.parts.joints:
            self._write_joints()
        if self.parts.inverse_binds is None:
            self.parts.inverse_binds = self._inverse_binds()
        draw = drawn.draw
        slots, of_vertex = np.unique(drawn.vertices["slot"], return_inverse=True)
        frames = [draw.frame_of(slot) for slot in slots.tolist()]
        matrices = np.array([frame.position for frame in frames], np.float64)
        linear = (matrices[:, :9].reshape(-1, 3, 3) / ONE)[of_vertex]
        offset = (matrices[:, 9:] * self.unit)[of_vertex]

        def move(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            moved: npt.NDArray[Any] = np.einsum("ni,nij->nj", values, linear) + offset
            return moved

        more: Json = {}
        if self.primitives.is_lit(draw.material) and drawn.has_normals:
            turned = np.einsum("ni,nij->nj", unit_normals(drawn.vertices["normal"]).astype(np.float64), linear)
            more["NORMAL"] = self.document.accessor(normalized(turned))
        influences = [self._influences(frame) for frame in frames]
        joints = np.zeros((len(frames), -(-max(map(len, influences)) // 4) * 4), np.uint8)
        weights = np.zeros(joints.shape, np.float32)
        for row, terms in enumerate(influences):
            joints[row, : len(terms)], weights[row, : len(terms)] = zip(*terms, strict=True)
        more |= self.document.influences(joints[of_vertex], weights[of_vertex])
        self.primitives.write_vertices([drawn], move)
        made = self.primitives.primitives([drawn])
        for primitive in made:
            primitive["attributes"] |= more
        name = self.model.shapes[draw.shape].name
        mesh = self.document.mesh(made, name=f"{self.model.name}_{name}")
        extras = members(at_rest=sorted({toggle.kind for toggle in self._toggles(draw)}))
        self.parts.meshes.append(MeshPart(name, mesh, None, extras, skinned=True))

    def _influences(self, frame: DrawMatrix) -> list[tuple[int, float]]:
        """(joint of the skin, weight): joint 0 is the model's root, node n's is one after its place."""
        terms = [(source, weight) for source, _, weight in frame.terms] or [(frame, 1)]
        total = sum(weight for _, weight in terms) or 1
        weights: dict[int, float] = defaultdict(float)
        for source, weight in terms:
            joint = self._joint(source)
            weights[0 if joint is None else joint + 1] += weight / total
        return list(weights.items())

    def _inverse_binds(self) -> npt.NDArray[np.float32]:
        """Inverse bind matrices (root, then every joint) as glTF stores them."""
        ends: list[npt.NDArray[np.float64]] = []
        for joint in self.parts.joints:
            matrix = joint.outer.matrix() @ (np.eye(4) if joint.parent is None else ends[joint.parent])
            if joint.inner is not None:
                matrix = joint.inner.matrix() @ matrix
            ends.append(matrix)
        inverses = np.linalg.pinv(np.stack([np.eye(4), *ends]))
        inverses[:, :3, 3] = 0
        inverses[:, 3, 3] = 1
        return inverses.astype(np.float32)
