"""One NITRO model in a glTF document: meshes once, node trees for every place where it stands.

Shapes under one matrix become meshes below the node whose matrix it is, with vertices in the node's space. Shapes that
mix matrices (MTX_RESTORE inside the list, NODEMIX) become skins: vertices in model space, joints for the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.export.gltf.document import INDICES, Document, Json
from mapexplorer.export.gltf.joints import Trs, joint_transforms
from mapexplorer.export.gltf.materials import WrittenMaterial, write_material
from mapexplorer.export.gltf.vertices import normalized, pack_vertices, unit_normals
from mapexplorer.export.options import BY_MATERIAL, ExportOptions
from mapexplorer.g3d.binding import bind
from mapexplorer.g3d.draw_list import BASE, Draw, DrawList, Frame, draw_list
from mapexplorer.g3d.geometry import Geometry, decode_shape
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.g3d.matrix import Matrix33
from mapexplorer.scene.light import LIBRARY_DEFAULT, VertexLight


class Light(Protocol):
    """What gives vertices with normals their colour."""

    def colors(
        self, normals: npt.NDArray[np.uint32], vector: Matrix33, material: ComposedMaterial
    ) -> npt.NDArray[np.uint8]:
        """Colours (n, 3), 0..31, for parameters of NORMAL under a vector matrix."""


@dataclass(frozen=True, slots=True)
class _JointPart:
    name: str
    parent: int | None
    outer: Trs
    inner: Trs | None


@dataclass(frozen=True, slots=True)
class _MeshPart:
    name: str
    mesh: int
    joint: int | None
    extras: Json
    skinned: bool = False


@dataclass(slots=True)
class ModelParts:
    """A model written into a document, ready to be placed any number of times.

    `materials` are its glTF material indices by material number; `missing` what its set does not hold. `triangles`
    counts what is drawn. Use `place`.
    """

    name: str
    joints: list[_JointPart] = field(default_factory=list)
    meshes: list[_MeshPart] = field(default_factory=list)
    materials: dict[int, int] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    triangles: int = 0
    inverse_binds: npt.NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The nodes of one placed model: its root, the nodes of its joints by node number, and skinned mesh nodes, which
    glTF wants at the root of the scene."""

    root: int
    joints: dict[int, int]
    skinned: tuple[int, ...]


def write_model(
    document: Document,
    draws: DrawList,
    options: ExportOptions,
    *,
    light: Light | None = None,
    keep_joints: bool = False,
) -> ModelParts:
    """Add a model's meshes and materials. `light` colours vertices with normals (None: white), unless `options.lit`.

    Nodes that only stand at the origin are left out, unless `keep_joints` asks for them (animations need them).
    """
    writer = _ModelWriter(document, draws, options, light, keep_joints)
    return writer.write()


def model_document(
    model: Model, *sets: Tex0, options: ExportOptions | None = None, light: Light | None = None
) -> tuple[Document, ModelParts]:
    """A loose model alone in a document, bound to the first of `sets` that holds each name.

    Without `light` the library's default lights shine.
    """
    document = Document()
    draws = draw_list(model, binding=bind(model, *sets))
    shining = light or VertexLight(LIBRARY_DEFAULT)
    parts = write_model(document, draws, options or ExportOptions(), light=shining)
    placed = place(document, parts, model.name, extras={"missing": parts.missing} if parts.missing else None)
    document.scene(model.name, [placed.root, *placed.skinned])
    return document, parts


def place(
    document: Document, parts: ModelParts, name: str, trs: Trs | None = None, *, extras: Json | None = None
) -> Placed:
    """Add the nodes of one instance of a model below a new root node, which the caller puts into a scene or below
    another.

    The skinned nodes of the result, if any, belong into the scene's roots.
    """
    direct = parts.meshes[0] if len(parts.meshes) == 1 and not parts.joints and not parts.meshes[0].skinned else None
    transform = trs.properties() if trs is not None else {}
    if direct is not None and direct.name == parts.name:
        extras = (extras or {}) | direct.extras
        return Placed(document.node(name, mesh=direct.mesh, extras=extras or None, **transform), {}, ())
    root = document.node(name, extras=extras, **transform)
    ends: list[int] = []
    for joint in parts.joints:
        node = document.node(joint.name, **joint.outer.properties())
        document.attach(root if joint.parent is None else ends[joint.parent], node)
        if joint.inner is not None:
            inner = document.node(f"{joint.name}.scaled", **joint.inner.properties())
            document.attach(node, inner)
            node = inner
        ends.append(node)
    skinned = []
    for part in parts.meshes:
        if part.skinned:
            skin = document.skin([root, *ends], parts.inverse_binds, skeleton=root, name=f"{name}.skin")
            skinned.append(document.node(f"{name}.{part.name}", mesh=part.mesh, skin=skin, extras=part.extras or None))
        else:
            node = document.node(part.name, mesh=part.mesh, extras=part.extras or None)
            document.attach(root if part.joint is None else ends[part.joint], node)
    return Placed(root, dict(enumerate(ends)), tuple(skinned))


class _ModelWriter:
    def __init__(
        self, document: Document, draws: DrawList, options: ExportOptions, light: Light | None, keep_joints: bool
    ) -> None:
        self.document = document
        self.draws = draws
        self.model: Model = draws.model
        self.options = options
        self.light = light
        self.unit = options.scale / 4096
        self.parts = ModelParts(self.model.name)
        self._written: dict[ComposedMaterial, WrittenMaterial] = {}
        self._joint_of: dict[int, int] = {}
        moved = any(posed.joint.flags & 7 != 7 for posed in draws.nodes)
        if moved or keep_joints:
            self._write_joints()

    def _write_joints(self) -> None:
        for posed in self.draws.nodes:
            parent = self._joint(posed.parent)
            outer, inner = joint_transforms(posed.joint, self.model.scaling_rule, self.unit)
            self._joint_of[posed.node] = len(self.parts.joints)
            self.parts.joints.append(_JointPart(self.model.nodes[posed.node].name, parent, outer, inner))

    def _joint(self, frame: Frame) -> int | None:
        return None if frame.node is None else self._joint_of.get(frame.node)

    def write(self) -> ModelParts:
        plain: list[tuple[Draw, Geometry]] = []
        for draw in self.draws.draws:
            geometry = decode_shape(self.model.shapes[draw.shape].commands, draw.scale)
            if not len(geometry.indices):
                continue
            self.parts.triangles += len(geometry.indices) // 3
            if geometry.restores or draw.frame.terms:
                self._add_skinned(draw, geometry)
            elif self.options.merge == BY_MATERIAL:
                plain.append((draw, geometry))
            else:
                primitive = self._primitive([(draw, geometry)])
                name = self.model.shapes[draw.shape].name
                mesh = self.document.mesh([primitive], name=name)
                self._add_part(name, mesh, draw)
        if plain:
            self._add_merged(plain)
        return self.parts

    def _add_part(self, name: str, mesh: int, draw: Draw) -> None:
        extras: Json = {}
        if draw.frame.billboard is not None:
            extras["billboard"] = draw.frame.billboard
        if draw.effect is not None:
            extras["texture_effect"] = draw.effect
        if not draw.shown:
            extras["hidden"] = True
        self.parts.meshes.append(_MeshPart(name, mesh, self._joint(draw.frame), extras))

    def _add_merged(self, plain: Sequence[tuple[Draw, Geometry]]) -> None:
        """One mesh per matrix (and billboard kind, effect, visibility), one primitive per material."""
        meshes: dict[Any, dict[int, list[tuple[Draw, Geometry]]]] = {}
        for draw, geometry in plain:
            key = (self._joint(draw.frame), draw.frame.billboard, draw.effect, draw.shown)
            meshes.setdefault(key, {}).setdefault(draw.material.index, []).append((draw, geometry))
        for number, groups in enumerate(meshes.values()):
            primitives = [self._primitive(group) for group in groups.values()]
            name = self.model.name if not number else f"{self.model.name}.{number}"
            first = next(iter(groups.values()))[0][0]
            self._add_part(name, self.document.mesh(primitives, name=name), first)

    def _material(self, material: ComposedMaterial) -> WrittenMaterial:
        written = self._written.get(material)
        if written is None:
            model = self.model
            wanted = (model.texture_name(material.index), model.palette_name(material.index))
            written = write_material(self.document, material, self.options, wanted)
            self._written[material] = written
            self.parts.materials[material.index] = written.index
            self.parts.missing += [what for what in written.missing if what not in self.parts.missing]
        return written

    def _colors(self, draw: Draw, geometry: Geometry) -> npt.NDArray[np.uint8] | None:
        if not geometry.has_normals or self.light is None or self.options.lit:
            return None
        normals = np.ascontiguousarray(geometry.vertices["normal"])
        if not geometry.restores:
            return self.light.colors(normals, draw.frame.vector, draw.material)
        slots = geometry.vertices["slot"]
        result = np.empty((len(normals), 3), np.uint8)
        for slot in np.unique(slots).tolist():
            chosen = slots == slot
            frame = draw.frame if slot < 0 else draw.slots.get(slot, BASE)
            result[chosen] = self.light.colors(normals[chosen], frame.vector, draw.material)
        return result

    def _primitive(
        self,
        group: Sequence[tuple[Draw, Geometry]],
        move: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None = None,
    ) -> Json:
        """A primitive of shapes that share a material; `move` changes positions or normals (n, 3) to another space."""
        material = group[0][0].material
        written = self._material(material)
        packed = [
            pack_vertices(
                geometry.vertices, self.unit, written.texcoords, material.dif_amb & 0x7FFF, self._colors(draw, geometry)
            )
            for draw, geometry in group
        ]
        normals = [unit_normals(geometry.vertices["normal"]) for _, geometry in group] if self.options.lit else []
        indices = [geometry.indices for _, geometry in group]
        if len(group) > 1:
            starts = np.cumsum([0, *[len(geometry.vertices) for _, geometry in group]])
            indices = [array + np.uint32(start) for array, start in zip(indices, starts, strict=False)]
        return self._write_primitive(material, written, packed, normals, indices, group, move)

    def _write_primitive(
        self,
        material: ComposedMaterial,
        written: WrittenMaterial,
        packed: Sequence[Any],
        normals: Sequence[npt.NDArray[np.float32]],
        indices: Sequence[npt.NDArray[np.uint32]],
        group: Sequence[tuple[Draw, Geometry]],
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
        corners = _joined(indices)
        if written.flipped:
            corners = np.ascontiguousarray(corners.reshape(-1, 3)[:, ::-1]).ravel()
        if len(positions) < 0xFFFF:
            corners = corners.astype(np.uint16)
        return {
            "attributes": attributes,
            "indices": document.accessor(corners, target=INDICES),
            "material": written.index,
        }

    def _add_skinned(self, draw: Draw, geometry: Geometry) -> None:
        """A shape whose vertices lie under several matrices: moved to model space, bound to joints."""
        if not self.parts.joints:
            self._write_joints()
        if self.parts.inverse_binds is None:
            self.parts.inverse_binds = self._inverse_binds()
        slots = geometry.vertices["slot"]
        count = len(slots)
        linear = np.empty((count, 3, 3))
        offset = np.empty((count, 3))
        influences: dict[int, list[tuple[int, float]]] = {}
        for slot in np.unique(slots).tolist():
            frame = draw.frame if slot < 0 else draw.slots.get(slot, BASE)
            matrix = np.array(frame.position, np.float64)
            linear[slots == slot] = matrix[:9].reshape(3, 3) / 4096
            offset[slots == slot] = matrix[9:] * self.unit
            influences[slot] = self._influences(frame)

        def move(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            moved: npt.NDArray[Any] = np.einsum("ni,nij->nj", values, linear) + offset
            return moved

        primitive = self._primitive([(draw, geometry)], move)
        if "NORMAL" in primitive["attributes"]:
            turned = np.einsum("ni,nij->nj", unit_normals(geometry.vertices["normal"]).astype(np.float64), linear)
            primitive["attributes"]["NORMAL"] = self.document.accessor(normalized(turned))
        sets = (max(map(len, influences.values())) + 3) // 4
        joints = np.zeros((count, 4 * sets), np.uint8)
        weights = np.zeros((count, 4 * sets), np.float32)
        for slot, terms in influences.items():
            for place_, (joint, weight) in enumerate(terms):
                joints[slots == slot, place_] = joint
                weights[slots == slot, place_] = weight
        for number in range(sets):
            part = slice(4 * number, 4 * number + 4)
            primitive["attributes"][f"JOINTS_{number}"] = self.document.accessor(joints[:, part])
            primitive["attributes"][f"WEIGHTS_{number}"] = self.document.accessor(weights[:, part])
        name = self.model.shapes[draw.shape].name
        mesh = self.document.mesh([primitive], name=name)
        self.parts.meshes.append(_MeshPart(name, mesh, None, {}, skinned=True))

    def _influences(self, frame: Frame) -> list[tuple[int, float]]:
        """(joint of the skin, weight): joint 0 is the model's root, node n's is one after its place."""
        if not frame.terms:
            joint = self._joint(frame)
            return [(0 if joint is None else joint + 1, 1.0)]
        total = sum(weight for _, _, weight in frame.terms) or 1
        merged: dict[int, float] = {}
        for source, _, weight in frame.terms:
            joint = self._joint(source)
            key = 0 if joint is None else joint + 1
            merged[key] = merged.get(key, 0.0) + weight / total
        return list(merged.items())

    def _inverse_binds(self) -> npt.NDArray[np.float32]:
        """Inverse bind matrices (root, then every joint) as glTF stores them."""
        rest = [np.eye(4)]
        ends: list[npt.NDArray[np.float64]] = []
        for joint in self.parts.joints:
            matrix = joint.outer.matrix() @ (np.eye(4) if joint.parent is None else ends[joint.parent])
            if joint.inner is not None:
                matrix = joint.inner.matrix() @ matrix
            ends.append(matrix)
            rest.append(matrix)
        inverses = np.linalg.pinv(np.stack(rest))
        inverses[:, :3, 3] = 0
        inverses[:, 3, 3] = 1
        return inverses.astype(np.float32)


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
