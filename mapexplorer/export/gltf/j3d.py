"""J3D models as GLB: joints, meshes, skins, approximated materials, and joint animations as clips.

Axes and units are those of the model (right-handed, y up); a scale is optional. Materials are an approximation of the
TEV; their extras list what is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from formats.binary import FormatError, Note, Notes
from formats.j3d.animation import FRAMES_PER_SECOND, Bck
from formats.j3d.hierarchy import Placement
from formats.j3d.model import Bmd
from formats.j3d.shapes import BILLBOARD, Y_BILLBOARD
from mapexplorer.arrays import Array
from mapexplorer.export.gltf.curves import continuous
from mapexplorer.export.gltf.document import Channel, Document, Json
from mapexplorer.export.gltf.j3d_materials import MaterialWriter
from mapexplorer.export.gltf.j3d_meshes import JointBinding, bind, rigid_joint, texcoord_sets, write_primitives
from mapexplorer.export.gltf.joints import NEUTRAL
from mapexplorer.export.options import J3dOptions
from mapexplorer.j3d.animation import sample_frames
from mapexplorer.j3d.appearance import CULL_ALL
from mapexplorer.j3d.geometry import JoinedShape, geometry
from mapexplorer.j3d.nodes import LEAF, SINGLE, NodeTransforms, arrangements, node_transforms
from mapexplorer.j3d.pose import JointPose, rest_pose

SAMPLE_LIMIT = 1 << 22
"""The most joints times frames of one clip."""


def j3d_document(
    model: Bmd,
    animations: Sequence[tuple[str, Bck]] = (),
    *,
    name: str = "model",
    options: J3dOptions | None = None,
    notes: Notes | None = None,
) -> Document:
    """The glTF document of a model with named joint animations.

    What is approximated or left out goes to `notes`. Raises FormatError for positions that become infinite and for
    animations of more joints times frames than a clip may have.
    """
    return _J3dWriter(model, name, options or J3dOptions(), notes).document_of(animations)


class _J3dWriter:
    def __init__(self, model: Bmd, name: str, options: J3dOptions, notes: Notes | None) -> None:
        self.model, self.name, self.options, self.notes = model, name, options, notes
        about = {"kind": model.kind, "flags": model.information.flags, "materials": "approximated from TEV stages"}
        self.document = Document(extras={"j3d": about})
        self.materials = MaterialWriter(self.document, model, name, notes)
        self.outer: list[int] = []
        self.carriers: list[int] = []

    def document_of(self, animations: Sequence[tuple[str, Bck]]) -> Document:
        rest = rest_pose(self.model)
        clips = [(title, animation, self._sampled(title, animation, rest)) for title, animation in animations]
        arranged = arrangements(self.model, [rest.scales, *(pose.scales for _, _, pose in clips)])
        still = node_transforms(self.model, rest, arranged)
        roots = self._joints(arranged, still)
        scale = None if self.options.scale == 1 else (self.options.scale,) * 3
        root = self.document.node(self.name, children=roots, scale=scale)
        self.document.scene(self.name, [root, *self._meshes(root)])
        for title, animation, pose in clips:
            channels = self._channels(still, node_transforms(self.model, pose, arranged))
            extras = {"loop_mode": animation.loop_mode, "frames": animation.length}
            if self.document.animation(title, channels, extras=extras) is None:
                self._note(f"animation {title!r} moves nothing and is left out")
        return self.document

    def _note(self, sentence: str) -> None:
        if self.notes is not None:
            self.notes.append(Note(self.name, 0, sentence))

    # -- joints ----------------------------------------------------------------------------------------------------

    def _joints(self, arranged: Sequence[int], still: NodeTransforms) -> list[int]:
        """Write the nodes of all joints; returns the roots."""
        for i, joint in enumerate(self.model.joints):
            extras = {"radius": joint.radius} if math.isfinite(joint.radius) and joint.radius else None
            parts = _parts(translation=still.translations[i], rotation=still.rotations[i], scale=still.scales[i])
            outer = inner = self.document.node(joint.name, extras=extras, **parts)
            if arranged[i] != SINGLE:
                parts = _parts(rotation=still.inner_rotations[i], scale=still.inner_scales[i])
                inner = self.document.node(f"{joint.name} (scaled)", below=outer, **parts)
            self.outer.append(outer)
            self.carriers.append(inner)
        roots = []
        for i, parent in enumerate(self.model.hierarchy.parents):
            if parent < 0:
                roots.append(self.outer[i])
            else:
                chain = self.outer if arranged[parent] == LEAF else self.carriers
                self.document.attach(chain[parent], self.outer[i])
        return roots

    # -- meshes ----------------------------------------------------------------------------------------------------

    def _meshes(self, root: int) -> list[int]:
        """Attach the shapes to their joints; returns the skinned ones, which must be roots of the scene."""
        drawn = []
        for placement in self.model.hierarchy.placements:
            material = placement.material
            if material is not None and self.materials.appearance(material).cull == CULL_ALL:
                self._note(f"shape {placement.shape} is never drawn and left out")
                continue
            shape_geometry = geometry(self.model.shapes[placement.shape])
            if len(shape_geometry.draw_matrices):
                drawn.append((placement, shape_geometry, rigid_joint(self.model, shape_geometry)))
        skinned = [shape_geometry for _, shape_geometry, joint in drawn if joint is None]
        binding, skin = None, None
        if skinned:
            binding = bind(self.model, skinned)
            if binding.dropped:
                self._note(f"{binding.dropped} influences beyond eight of one vertex are left out")
            nodes = [self.carriers[joint] for joint in binding.joints]
            skin = self.document.skin(nodes, binding.inverse_binds, skeleton=root, name=self.name)
        result = []
        for placement, shape_geometry, joint in drawn:
            mesh, title, extras = self._mesh(placement, shape_geometry, binding if joint is None else None)
            if mesh is None:
                continue
            if joint is None:
                result.append(self.document.node(title, mesh=mesh, skin=skin, extras=extras))
            else:
                self.document.node(title, below=self.carriers[joint], mesh=mesh, extras=extras)
        return result

    def _mesh(
        self, placement: Placement, shape_geometry: JoinedShape, binding: JointBinding | None
    ) -> tuple[int | None, str, Json]:
        """The mesh of a shape (None when it is empty), its name and the extras of its node."""
        shape = self.model.shapes[placement.shape]
        shown, material, title = None, None, shape.name
        if placement.material is not None:
            shown = self.materials.appearance(placement.material)
            sets = texcoord_sets(shape_geometry.indices)
            number = sets.index(shown.uv_set) if shown.uv_set in sets else None
            material = self.materials.write(placement.material, number)
            title = self.model.materials[placement.material].name
            if shown.texture is not None and number is None:
                self._note(f"shape {placement.shape} has no texture coordinates {shown.uv_set} for its texture")
        path = f"{self.name} > shape {placement.shape}"
        primitives = write_primitives(self.document, self.model, shape_geometry, shown, material, binding, path)
        extras: Json = {"shape": placement.shape}
        if math.isfinite(shape.radius) and shape.radius:
            extras["radius"] = shape.radius
        if shape.matrix_type in (BILLBOARD, Y_BILLBOARD):
            extras["billboard"] = "full" if shape.matrix_type == BILLBOARD else "y"
            self._note(f"shape {placement.shape} is a billboard, which glTF does not have")
        return (self.document.mesh(primitives, name=title) if primitives else None), title, extras

    # -- clips -----------------------------------------------------------------------------------------------------

    def _sampled(self, title: str, animation: Bck, rest: JointPose) -> JointPose:
        """The poses of all frames, the rest pose for joints that the animation does not have."""
        joints = len(self.model.joints)
        count = min(len(animation.tracks), joints)
        if len(animation.tracks) != joints:
            self._note(f"animation {title!r} has {len(animation.tracks)} joints, the model {joints}")
        frames = np.arange(animation.length + 1, dtype=np.float64)
        if joints * len(frames) > SAMPLE_LIMIT:
            size = f"{joints} joints and {animation.length} frames"
            raise FormatError(title, 0, f"at most {SAMPLE_LIMIT} joints times frames", size)
        sampled = sample_frames(animation, frames, range(count))
        return JointPose(
            *(
                np.concatenate((values, np.broadcast_to(still[count:], (len(frames), joints - count, 3))), 1)
                for values, still in zip(sampled, (rest.scales, rest.rotations, rest.translations), strict=True)
            )
        )

    def _channels(self, still: NodeTransforms, moving: NodeTransforms) -> list[Channel]:
        """A channel for every property that differs from its rest value; constant ones have one key."""
        times = (np.arange(len(moving.translations)) / FRAMES_PER_SECOND).astype(np.float32)
        channels = []
        for nodes, path, values, rest in (
            (self.outer, "translation", moving.translations, still.translations),
            (self.outer, "rotation", continuous(moving.rotations), still.rotations),
            (self.outer, "scale", moving.scales, still.scales),
            (self.carriers, "rotation", continuous(moving.inner_rotations), still.inner_rotations),
            (self.carriers, "scale", moving.inner_scales, still.inner_scales),
        ):
            for joint, node in enumerate(nodes):
                track = values[:, joint].astype(np.float32)
                if (track == rest[joint].astype(np.float32)).all():
                    continue
                keys = slice(0, 1) if (track == track[0]).all() else slice(None)
                channels.append(Channel(times[keys], track[keys], node=node, path=path))
        return channels


def _parts(**parts: Array) -> Json:
    """The parts of a transform that are not identity, as arguments of a node."""
    return {key: value for key, value in parts.items() if (value != NEUTRAL[key]).any()}
