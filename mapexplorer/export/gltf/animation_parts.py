"""The clips of a model as curves of its parts: joints, toggles, materials."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.nitro.nsbca import JointAnimation
from formats.nitro.nsbma import ColorAnimation
from formats.nitro.nsbta import TextureSrtAnimation
from formats.remembered import remembered
from mapexplorer.export.gltf.animation import MaterialMotion, Motion
from mapexplorer.export.gltf.atlas import Atlas
from mapexplorer.export.gltf.curves import FRAMES_PER_SECOND, KeyCurve, blended, continuous, key_list, stepped
from mapexplorer.export.gltf.joints import NEUTRAL, Triple, Trs, joint_transforms
from mapexplorer.export.gltf.materials import Animated, opacity, shown_image, texture_transform
from mapexplorer.export.gltf.parts import SHOWN, ClipPart, JointPart, ModelParts
from mapexplorer.export.options import ExportOptions
from mapexplorer.g3d.draw_list import DrawList
from mapexplorer.g3d.material import ComposedMaterial

Values = npt.NDArray[np.float64]

_SURFACE: Final = "pbrMetallicRoughness"
_TEXTURE: Final = f"{_SURFACE}/baseColorTexture"
TRANSFORM: Final = f"{_TEXTURE}/extensions/KHR_texture_transform"

# The fields of DIF_AMB and SPE_EMI that hold colours of five bits a component.
_COMPONENTS: Final = (0, 5, 10, 16, 21, 26)


def joint_parts(draws: DrawList, unit: float, joint_of: Mapping[int, int], motion: Motion | None) -> list[JointPart]:
    """The joints of a model in the order in which they are posed; two nodes where a clip needs them at any time."""
    split = set()
    if motion is not None:
        for number in range(len(motion.clips)):
            for node, joints in (motion.poses(number) or {}).items():
                if any(joint.extra0 or joint.extra1 for joint in joints):
                    split.add(node)

    parts = []
    for posed in draws.nodes:
        outer, inner = joint_transforms(posed.joint, draws.model.scaling_rule, unit)
        if inner is None and posed.node in split:
            inner = Trs()
        parent = None if posed.parent.node is None else joint_of.get(posed.parent.node)
        parts.append(JointPart(draws.model.nodes[posed.node].name, parent, outer, inner))
    return parts


class MaterialCurves:
    """What clips change in one material: texture transform, colours, alpha.

    `brightest` is the material with which vertices are coloured, so that every frame is a darker factor of it;
    `mean_color` is the mean colour of the vertices under a state of the material. `written` are glTF materials by look.
    With an `atlas` the looks are one material, whose offset selects them.
    """

    def __init__(
        self,
        motion: Motion,
        material: MaterialMotion,
        options: ExportOptions,
        mean_color: Callable[[ComposedMaterial], Values],
        atlas: Atlas | None = None,
    ) -> None:
        self._material = material
        self._motion = motion
        self._options = options
        self._mean_color = mean_color
        self.atlas = atlas
        self._means: dict[tuple[int, int], Values] = {}
        self.written: dict[int, int] = {}
        animations = {
            number: motion.clips[number].animation for number in sorted({clip for clip, _ in material.series})
        }
        self._moving = [number for number, value in animations.items() if isinstance(value, TextureSrtAnimation)]
        self._coloring = [number for number, value in animations.items() if isinstance(value, ColorAnimation)]
        self.brightest = self._brightest() if self._coloring else material.looks[0]

    @property
    def changes_colors(self) -> bool:
        """Whether a clip changes its colours or its alpha."""
        return bool(self._coloring)

    def _brightest(self) -> ComposedMaterial:
        states = self._material.everything()
        words = {
            name: (getattr(states[0], name) & 0x80008000)
            + sum(max(getattr(state, name) >> shift & 31 for state in states) << shift for shift in _COMPONENTS)
            for name in ("dif_amb", "spe_emi")
        }
        return states[0]._replace(**words)

    def _mean(self, material: ComposedMaterial) -> Values:
        key = material.dif_amb, material.spe_emi
        if key not in self._means:
            self._means[key] = self._mean_color(material)
        return self._means[key]

    def _factor(self, material: ComposedMaterial) -> tuple[float, float, float, float]:
        full = self._mean(self.brightest)
        red, green, blue = np.where(full > 0, self._mean(material) / np.where(full > 0, full, 1), 1.0).tolist()
        return (red, green, blue, opacity(material))

    def animated(self, look: int) -> Animated:
        """The requirements of the material of a look."""
        listed = [
            {
                "clip": self._motion.clips[number].name,
                "frames": self._motion.clips[number].frame_count,
                "frames_per_second": FRAMES_PER_SECOND,
                "property": path.rsplit("/", 1)[-1],
                "keys": key_list(curve),
            }
            for number, path, curve in self.curves(look)
        ]
        moved = any(path.startswith(TRANSFORM) for _, path, _ in self.curves(look))
        translucent = any(state.alpha < 31 for state in self._material.everything()) if self._coloring else False
        factor = self._factor(self._material.looks[look]) if self._coloring else None
        placed = () if self.atlas is None else (self.atlas.image, (self.atlas.offset(look), self.atlas.scale))
        return Animated(moved, factor, translucent, listed, *placed)

    @remembered
    def curves(self, look: int) -> list[tuple[int, str, KeyCurve]]:
        """(clip, path below the material, curve) of a look."""
        if self.atlas is not None:
            shown = {number: list(map(self.atlas.offset, chosen)) for number, chosen in self._material.chosen.items()}
            return [(number, f"{TRANSFORM}/offset", stepped(np.array(shown[number]))) for number in sorted(shown)]
        result = []
        still = self._material.looks[look]
        image = shown_image(still, self._options.bake_mirror)
        if image is not None and self._moving:
            rest = texture_transform(still, image.picture)
            transforms = [
                np.array([texture_transform(state, image.picture) for state in self._material.series[number, look]])
                for number in self._moving
            ]
            scaling = bool((np.concatenate(transforms)[:, [0, 3]] != (rest[0], rest[3])).any())
            for number, values in zip(self._moving, transforms, strict=True):
                result.append((number, f"{TRANSFORM}/offset", stepped(values[:, 4:])))
                if scaling:
                    result.append((number, f"{TRANSFORM}/scale", stepped(values[:, [0, 3]])))
        for number in self._coloring:
            series = self._material.series[number, look]
            known = {key: self._factor(material) for key, material in {id(state): state for state in series}.items()}
            factors = np.array([known[id(material)] for material in series])
            result.append((number, f"{_SURFACE}/baseColorFactor", stepped(factors)))
        return result

    def pointers(self, number: int) -> list[tuple[int, str, KeyCurve]]:
        """(material, path below it, curve) of a clip, for all looks that were written."""
        return [
            (material, path, curve)
            for look, material in sorted(self.written.items())
            for clip, path, curve in self.curves(look)
            if clip == number
        ]


def write_clips(
    motion: Motion,
    parts: ModelParts,
    materials: Mapping[int, MaterialCurves],
    emitting: Collection[int],
    unit: float,
    joint_of: Mapping[int, int],
) -> list[ClipPart]:
    """The clips of a model as curves. Clips of one kind change the same properties, so that each one overwrites all
    changes of another. The texture of the glTF materials `emitting` moves as their emission, too."""
    joints = _joint_curves(motion, parts, unit, joint_of)
    clips = []
    for number, clip in enumerate(motion.clips):
        toggles = {}
        for toggle in parts.shown:
            shown = motion.shown_at(toggle, number)
            if shown is not None:
                toggles[toggle] = _shown_curve(tuple(shown), parts.hidden)
        pointers = [pair for index in sorted(materials) for pair in materials[index].pointers(number)]
        pointers += [
            (material, path.replace(_TEXTURE, "emissiveTexture"), curve)
            for material, path, curve in pointers
            if material in emitting and path.startswith(_TEXTURE)
        ]
        if number in joints or toggles or pointers:
            clips.append(ClipPart(clip.name, clip.extras, tuple(joints.get(number, ())), toggles, tuple(pointers)))
    return clips


@lru_cache(1 << 10)
def _shown_curve(shown: tuple[bool, ...], hidden: Triple) -> KeyCurve:
    """The scale of what shows at some frames."""
    return stepped(np.array([SHOWN if visible else hidden for visible in shown]))


_Key = tuple[int, bool, str]


def _joint_curves(
    motion: Motion, parts: ModelParts, unit: float, joint_of: Mapping[int, int]
) -> dict[int, list[tuple[_Key, KeyCurve]]]:
    """By joint clip: the curves of every property that differs from its rest value in any of the clips."""
    rule = motion.model.scaling_rule
    tracks: dict[int, dict[_Key, Values]] = {}
    moving: set[_Key] = set()
    for number in range(len(motion.clips)):
        poses = motion.poses(number)
        if poses is None:
            continue
        tracks[number] = track = {}
        count = motion.clips[number].frame_count
        for node, joint in joint_of.items():
            rows = [joint_transforms(pose, rule, unit) for pose in poses[node]]
            chains = [(False, parts.joints[joint].outer, [outer for outer, _ in rows])]
            still = parts.joints[joint].inner
            if still is not None:
                chains.append((True, still, [inner or Trs() for _, inner in rows]))
            for is_inner, rest, chain in chains:
                for path, neutral in NEUTRAL.items():
                    values = np.array([getattr(trs, path) or neutral for trs in chain])
                    track[joint, is_inner, path] = np.broadcast_to(values, (count, values.shape[1]))
                    if (values != (getattr(rest, path) or neutral)).any():
                        moving.add((joint, is_inner, path))
    result: dict[int, list[tuple[_Key, KeyCurve]]] = {}
    for number, track in tracks.items():
        animation = motion.clips[number].animation
        assert isinstance(animation, JointAnimation)
        curves = []
        for key, values in track.items():
            if key not in moving:
                continue
            if not animation.interpolate:
                curves.append((key, stepped(values)))
                continue
            values = np.concatenate([values, values[:1] if animation.end_to_start else values[-1:]])
            curves.append((key, blended(continuous(values) if key[2] == "rotation" else values)))
        result[number] = curves
    return {number: curves for number, curves in result.items() if curves}
