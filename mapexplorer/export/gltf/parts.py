"""A model that was written into a document once, and the node trees of its instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf.copying import Copier
from mapexplorer.export.gltf.curves import KeyCurve
from mapexplorer.export.gltf.document import Channel, Document, Json
from mapexplorer.export.gltf.joints import Quaternion, Trs
from mapexplorer.g3d.draw_list import SCREEN

HIDDEN: Final = (0.0, 0.0, 0.0)
SHOWN: Final = (1.0, 1.0, 1.0)
"""The scales with which nodes are hidden and shown; every viewer supports them."""

ALMOST_HIDDEN: Final = (1e-6, 1e-6, 1e-6)
"""The same as HIDDEN for the import of Godot 4, which takes a rotation from each node and reports an error where the
scale is 0."""

VISIBILITY: Final = "visibility"
PICTURE: Final = "picture"


@dataclass(frozen=True, slots=True)
class Toggle:
    """A condition for showing a mesh: the visibility of node `index`, or look number `look` of material `index`."""

    kind: str
    index: int
    look: int = 0


class JointPart(NamedTuple):
    """The node of a joint below joint `parent` (None: the model's root), `inner` where its scaling rule needs two."""

    name: str
    parent: int | None
    outer: Trs
    inner: Trs | None


class MeshPart(NamedTuple):
    """A mesh below a joint (None: the model's root), and its toggles, from the outermost to the innermost."""

    name: str
    mesh: int
    joint: int | None
    extras: Json
    skinned: bool = False
    toggles: tuple[Toggle, ...] = ()


class ClipPart(NamedTuple):
    """The curves of a clip: of (joint number, inner node, property), of toggles, and of (material, path below it)."""

    name: str
    extras: Json
    joints: tuple[tuple[tuple[int, bool, str], KeyCurve], ...]
    toggles: dict[Toggle, KeyCurve]
    pointers: tuple[tuple[int, str, KeyCurve], ...]

    def channels(self, instances: Sequence[ModelInstance]) -> list[Channel]:
        """The channels for all instances of the model, which share the clip's phase."""
        channels = [curve.channel(pointer=f"/materials/{number}/{path}") for number, path, curve in self.pointers]
        for instance in instances:
            for (joint, inner, path), curve in self.joints:
                node = (instance.inner if inner else instance.outer)[joint]
                channels.append(curve.channel(node=node, path=path))
            for toggle, node in instance.toggles:
                if toggle in self.toggles:
                    channels.append(self.toggles[toggle].channel(node=node, path="scale"))
        return channels


@dataclass(slots=True)
class ModelParts:
    """A model written into a document, of which `add_instance` makes any number of instances."""

    name: str
    """The model's name."""
    joints: list[JointPart] = field(default_factory=list)
    """Its joints, parents before their children."""
    meshes: list[MeshPart] = field(default_factory=list)
    """Its meshes."""
    missing: list[str] = field(default_factory=list)
    """The textures and palettes that its set does not hold."""
    triangles: int = 0
    """The triangles that are drawn at rest."""
    degenerate: int = 0
    """Those that were left out because they have no area."""
    duplicate: int = 0
    """Those that were left out because they are at the place of others."""
    inverse_binds: npt.NDArray[np.float32] | None = None
    """The inverse bind matrices (root, then every joint) of its skin."""
    shown: dict[Toggle, bool] = field(default_factory=dict)
    """Toggle -> whether it shows at rest."""
    hidden: tuple[float, float, float] = HIDDEN
    """The scale of what does not show."""
    clips: list[ClipPart] = field(default_factory=list)
    """Its clips."""

    def copied(self, copier: Copier) -> ModelParts:
        """The same in another document, to which a copier copies the meshes and materials."""
        return replace(
            self,
            meshes=[part._replace(mesh=copier.copy("meshes", part.mesh)) for part in self.meshes],
            clips=[
                clip._replace(
                    pointers=tuple(
                        [(copier.copy("materials", number), path, curve) for number, path, curve in clip.pointers]
                    ),
                )
                for clip in self.clips
            ],
        )


class ModelInstance(NamedTuple):
    """The nodes of one instance of a model: its root and the name given to that, the outer and inner nodes of its
    joints in the order of the parts (equal where a joint has one), the nodes of its toggles, and skinned mesh nodes,
    which must be at the root of the scene."""

    name: str
    root: int
    outer: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()
    toggles: tuple[tuple[Toggle, int], ...] = ()
    skinned: tuple[int, ...] = ()


def add_instance(
    document: Document,
    parts: ModelParts,
    name: str,
    trs: Trs | None = None,
    *,
    extras: Json | None = None,
    facing: Quaternion | None = None,
) -> ModelInstance:
    """Add the nodes of one instance of a model below a new root node, which the caller puts into a scene or below
    another. The names of the others begin with that of the root; a model of one mesh without joints is the root alone.
    `facing` is the rotation of meshes that turn to the screen: that of the camera.

    The skinned nodes of the result, if any, belong into the scene's roots.
    """
    only = parts.meshes[0] if len(parts.meshes) == 1 and not parts.joints else None
    transform = trs._asdict() if trs is not None else {}
    turned = facing is not None and any(_faces(part) for part in parts.meshes)
    if only is not None and not only.skinned and not only.toggles and not turned:
        extras = (extras or {}) | only.extras
        return ModelInstance(name, document.node(name, mesh=only.mesh, extras=extras or None, **transform))
    root = document.node(name, extras=extras, **transform)
    outer: list[int] = []
    ends: list[int] = []
    for joint in parts.joints:
        above = root if joint.parent is None else ends[joint.parent]
        node = document.node(f"{name}_{joint.name}", below=above, **joint.outer._asdict())
        outer.append(node)
        if joint.inner is not None:
            node = document.node(f"{name}_{joint.name}_scaled", below=node, **joint.inner._asdict())
        ends.append(node)
    skinned: list[int] = []
    toggles: list[tuple[Toggle, int]] = []
    for part in parts.meshes:
        if part.skinned:
            skin = document.skin([root, *ends], parts.inverse_binds, skeleton=root, name=f"{name}_skin")
            skinned.append(document.node(f"{name}_{part.name}", mesh=part.mesh, skin=skin, extras=part.extras or None))
            continue
        above = root if part.joint is None else ends[part.joint]
        for toggle in part.toggles[:-1]:
            above = document.node(f"{name}_{part.name}_{toggle.kind}", below=above, scale=_scale(parts, toggle))
            toggles.append((toggle, above))
        last = part.toggles[-1:]
        scale = _scale(parts, *last) if last else None
        rotation = facing if _faces(part) else None
        title, extras = f"{name}_{part.name}", part.extras or None
        node = document.node(title, below=above, mesh=part.mesh, extras=extras, scale=scale, rotation=rotation)
        toggles += [(toggle, node) for toggle in last]
    return ModelInstance(name, root, tuple(outer), tuple(ends), tuple(toggles), tuple(skinned))


def _faces(part: MeshPart) -> bool:
    return part.extras.get("billboard") == SCREEN


def _scale(parts: ModelParts, toggle: Toggle) -> tuple[float, float, float]:
    return SHOWN if parts.shown[toggle] else parts.hidden
