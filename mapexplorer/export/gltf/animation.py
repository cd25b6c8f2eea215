"""A model's clips frame by frame: poses, visibility and materials, evaluated by `mapexplorer.g3d.animation`.

A material with several images (or a rotating texture, which viewers show differently) gets several variants, called
looks; other changes of a material are series of composed materials. Each clip is evaluated separately.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from formats.binary import FormatError
from formats.nitro.model import STANDARD, Model
from formats.nitro.nsbca import JointAnimation
from formats.nitro.nsbma import ColorAnimation
from formats.nitro.nsbtp import PatternAnimation
from formats.nitro.nsbva import VisibilityAnimation
from formats.nitro.tex0 import Tex0, Texture
from formats.remembered import remembered
from mapexplorer.export.gltf.document import Json
from mapexplorer.export.gltf.parts import PICTURE, VISIBILITY, Toggle
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.attach import Animation, Attached, Evaluators
from mapexplorer.g3d.animation.changes import (
    MaterialAnimation,
    material_changes,
    moving_nodes,
    stored_samples,
    visibility_changes,
)
from mapexplorer.g3d.binding import TextureBinding
from mapexplorer.g3d.draw_list import Draw, DrawList, draw_list
from mapexplorer.g3d.material import DEFAULT_STATE, ComposedMaterial, GlobalState, MaterialAnimator, compose
from mapexplorer.g3d.transform import JointResult, ScalingRule

LOOK_LIMIT = 1024
"""The most looks of one material; each needs its own mesh."""

EVALUATIONS = 1 << 14
EVALUATIONS_PER_SAMPLE = 4
"""How often the joints, or one material, of a clip may be evaluated; more for each sample in its file."""


_State = TypeVar("_State")


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation with its name in the file; `extras` describe when it plays.

    `rest`: the frame of this at which the model rests; None: it has no part in that. A terrain texture animation has no
    `animation` but the texture `pictures` of every frame, which replace the texture of their name; at rest the set's
    own texture is shown, as in the game until the first change.
    """

    name: str
    animation: Animation | None
    extras: Json = field(default_factory=dict)
    rest: int | None = None
    pictures: tuple[Texture, ...] = ()

    @property
    def frame_count(self) -> int:
        """Its length in frames."""
        return len(self.pictures) if self.animation is None else self.animation.frame_count


@dataclass(slots=True, eq=False)
class MaterialMotion:
    """A moving material: its looks, of which the first is the one at rest; for each clip that chooses among them the
    look at every frame; for each other clip and look the material at every frame."""

    looks: list[ComposedMaterial]
    chosen: dict[int, list[int]] = field(default_factory=dict)
    series: dict[tuple[int, int], list[ComposedMaterial]] = field(default_factory=dict)

    def everything(self) -> list[ComposedMaterial]:
        """All states of the material, each once."""
        states = [*self.looks, *(material for series in self.series.values() for material in series)]
        return list({id(material): material for material in states}.values())


class Motion:
    """The clips of one model. `draws` is the model at rest, with the draws that only a clip can show.

    Pattern animations look names up in `textures`. Clips without frames, or without a target in the model, are left
    out. Raises FormatError for clips that need more evaluations or looks than the limits allow.
    """

    def __init__(
        self,
        model: Model,
        clips: Sequence[Clip],
        *,
        binding: TextureBinding | None = None,
        state: GlobalState = DEFAULT_STATE,
        textures: Tex0 | None = None,
    ) -> None:
        self.model = model
        self.clips = tuple([clip for clip in clips if clip.frame_count])
        self._binding = binding
        self._state = state
        self._textures = textures
        self._still = {
            number: clip.rest
            for number, clip in enumerate(self.clips)
            if clip.rest is not None and clip.animation is not None
        }
        evaluators = self._evaluators(self._still)
        self.draws = draw_list(model, binding=binding, state=state, everything=True, **evaluators)
        self._rest = {draw.material.index: draw.material for draw in self.draws.draws}
        self._visible = self._visibility_tracks()

    def draws_at_rest(self) -> DrawList:
        """The draws of the model at rest, without those that only a clip can show."""
        return draw_list(self.model, binding=self._binding, state=self._state, **self._evaluators(self._still))

    # -- evaluation ------------------------------------------------------------------------------------------------

    def _evaluators(self, frames: Mapping[int, int]) -> Evaluators:
        """The evaluators for clips (by number) at whole frames, everything else at rest."""
        numbers = tuple(sorted(number for number in frames if self.clips[number].animation is not None))
        return self._attached(numbers).at([frames[number] << 12 for number in numbers]) if numbers else {}

    @remembered
    def _attached(self, numbers: tuple[int, ...]) -> Attached:
        """The animations of clips, attached to the model."""
        animations = [animation for number in numbers if (animation := self.clips[number].animation) is not None]
        return Attached(self.model, animations, textures=self._textures)

    @remembered
    def _animated(self, number: int) -> frozenset[int]:
        """The materials that the animation of a clip changes."""
        return self._attached((number,)).animated_materials

    @remembered
    def _unanimated(self, index: int) -> ComposedMaterial:
        """A material that no animation changes."""
        return self._compose(index, ())

    def _compose(self, index: int, animators: Sequence[MaterialAnimator]) -> ComposedMaterial:
        return compose(
            self.model.materials[index],
            index,
            mode=self.model.texture_matrix_mode,
            bound=self._binding.materials[index] if self._binding is not None else None,
            state=self._state,
            animators=animators,
        )

    def _composed(self, index: int, frames: Mapping[int, int]) -> ComposedMaterial:
        """A material under clips (by number) at whole frames."""
        material = self._unanimated(index)
        numbers = tuple(sorted(number for number in frames if index in self._animated(number)))
        if numbers:
            times = [frames[number] << 12 for number in numbers]
            material = self._compose(index, self._attached(numbers).animators(index, times))
        for number, frame in frames.items():
            pictures = self.clips[number].pictures
            if pictures and material.texture is not None and material.texture.name == pictures[0].name:
                material = material._replace(texture=pictures[frame])
        return material

    @property
    def moves_joints(self) -> bool:
        """Whether a clip moves joints."""
        return any(isinstance(clip.animation, JointAnimation) for clip in self.clips)

    # -- joints ----------------------------------------------------------------------------------------------------

    def poses(self, number: int) -> Poses | None:
        """The joints of a clip; None for clips that do not move joints."""
        animation = self.clips[number].animation
        if not isinstance(animation, JointAnimation):
            return None
        known = _poses.get(animation)
        if known is not None and known[0] is self.model.nodes and known[1] is self.model.sbc:
            return known[2]
        result = _poses_of(self.model, animation, lambda frame: self._evaluators({number: frame})["joints"])
        _poses[animation] = self.model.nodes, self.model.sbc, result
        return result

    # -- visibility ------------------------------------------------------------------------------------------------

    @cached_property
    def _at_rest(self) -> dict[int, bool]:
        """Whether nodes are visible at rest."""
        recorder = _PoseRecorder()
        evaluators = self._evaluators(self._still)
        sbc.run(self.model, recorder, binding=self._binding, state=self._state, everything=True, **evaluators)
        return recorder.visible

    def _visibility_tracks(self) -> dict[int, dict[int, list[bool]]]:
        """For nodes whose visibility is not always that of rest: by clip, whether they are visible at every frame."""
        tracks: dict[int, dict[int, list[bool]]] = {}
        for number, clip in enumerate(self.clips):
            if isinstance(clip.animation, VisibilityAnimation):
                frames = visibility_changes(clip.animation)
                moments = [self._evaluators({number: frame})["visibility"] for frame in frames]
                for node in self._at_rest:
                    shown = [visible(node) for visible in moments]
                    tracks.setdefault(node, {})[number] = _held(frames, shown, clip.frame_count)
        return {
            node: by_clip
            for node, by_clip in tracks.items()
            if any(shown != self._at_rest[node] for track in by_clip.values() for shown in track)
        }

    def ever_shown(self, draw: Draw) -> bool:
        """Whether a draw shows at rest or at some frame of a clip."""
        if draw.shown:
            return True
        visible = draw.visibility is None or self._at_rest[draw.visibility] or draw.visibility in self._visible
        motion = self.material(draw.material.index)
        return visible and any(state.alpha for state in (motion.everything() if motion else [draw.material]))

    # -- materials -------------------------------------------------------------------------------------------------

    @remembered
    def material(self, index: int) -> MaterialMotion | None:
        """The motion of a material; None when no clip animates it."""
        still = self._rest[index]
        clips = [number for number in range(len(self.clips)) if self._concerns(number, index, still)]
        if not clips:
            return None
        motion = MaterialMotion([still])
        looks: dict[Any, int] = {_look(still): 0}
        sources: list[dict[int, int]] = [{}]
        for number in clips:
            self._check_evaluations(number, index, 1)
        states = {number: self._states(number, index, {}) for number in clips}
        choosing = {number for number in clips if any(_look(material) not in looks for material in states[number])}
        for number in sorted(choosing):
            chosen = []
            for frame, material in zip(self._changes(number, index), states[number], strict=True):
                key = _look(material)
                if key not in looks:
                    looks[key] = len(looks)
                    motion.looks.append(material)
                    sources.append({number: frame})
                chosen.append(looks[key])
            motion.chosen[number] = self._by_frame(number, index, chosen)
        if len(looks) > LOOK_LIMIT:
            name = self.model.materials[index].name
            raise FormatError(name, 0, f"at most {LOOK_LIMIT} pictures of a material", str(len(looks)))
        for number in clips:
            animation = self.clips[number].animation
            if number in choosing or animation is None or isinstance(animation, PatternAnimation):
                continue
            alone = isinstance(animation, ColorAnimation)  # colours are the same with every look
            self._check_evaluations(number, index, 1 if alone else len(looks))
            for look, source in enumerate(sources):
                again = source and not alone
                series = self._states(number, index, source) if again else states[number]
                motion.series[number, look] = self._by_frame(number, index, series)
        if not motion.chosen and not motion.series:
            return None
        return motion

    def _concerns(self, number: int, index: int, still: ComposedMaterial) -> bool:
        clip = self.clips[number]
        if clip.animation is None:
            return still.texture is not None and still.texture.name == clip.pictures[0].name
        return index in self._animated(number)

    def _changes(self, number: int, index: int) -> Sequence[int]:
        """The frames at which a clip can change a material."""
        clip = self.clips[number]
        if isinstance(clip.animation, MaterialAnimation):
            return material_changes(clip.animation, self.model.materials[index].name)
        if clip.animation is None:
            return [0, *(i for i in range(1, clip.frame_count) if clip.pictures[i] is not clip.pictures[i - 1])]
        return range(clip.frame_count)

    def _check_evaluations(self, number: int, index: int, looks: int) -> None:
        animation = self.clips[number].animation
        if isinstance(animation, MaterialAnimation):
            check_evaluations(animation, looks * len(self._changes(number, index)))

    def _states(self, number: int, index: int, others: Mapping[int, int]) -> list[ComposedMaterial]:
        """A material at the frames of a clip at which it can change."""
        return [self._composed(index, {**others, number: frame}) for frame in self._changes(number, index)]

    def _by_frame(self, number: int, index: int, states: Sequence[_State]) -> list[_State]:
        """For every frame of a clip, what belongs to the last one at which a material could change."""
        return _held(self._changes(number, index), states, self.clips[number].frame_count)

    # -- toggles ---------------------------------------------------------------------------------------------------

    def toggles(self, draw: Draw, look: int) -> tuple[Toggle, ...]:
        """The toggles of a draw with a look of its material, from the outermost to the innermost."""
        toggles = []
        if draw.visibility in self._visible:
            toggles.append(Toggle(VISIBILITY, draw.visibility or 0))
        motion = self.material(draw.material.index)
        if motion is not None and len(motion.looks) > 1:
            toggles.append(Toggle(PICTURE, draw.material.index, look))
        return tuple(toggles)

    def shown(self, toggle: Toggle) -> bool:
        """Whether a toggle shows at rest."""
        return self._at_rest[toggle.index] if toggle.kind == VISIBILITY else toggle.look == 0

    def shown_at(self, toggle: Toggle, number: int) -> list[bool] | None:
        """Whether a toggle shows at every frame of a clip; None for clips that do not change it."""
        if toggle.kind == VISIBILITY:
            return self._visible[toggle.index].get(number)
        motion = self.material(toggle.index)
        chosen = None if motion is None else motion.chosen.get(number)
        return None if chosen is None else [look == toggle.look for look in chosen]


Poses = dict[int, list[JointResult]]
"""The joints of a clip by node: one for every frame, or a single one for a node that does not move."""

_poses: WeakKeyDictionary[JointAnimation, tuple[Any, Any, Poses]] = WeakKeyDictionary()
"""A cache of poses by animation, because many maps show the same models."""


def _poses_of(model: Model, animation: JointAnimation, joints_at: Callable[[int], sbc.JointEvaluator]) -> Poses:
    calls: list[tuple[int, int, int]] = []
    rules: list[ScalingRule] = []
    at_start = joints_at(0)

    def recorded(node: int, parent: int, flags: int, rule: ScalingRule) -> JointResult:
        calls.append((node, parent, flags))
        rules.append(rule)
        return at_start(node, parent, flags, rule)

    recorder = _PoseRecorder()
    sbc.run(model, recorder, everything=True, joints=recorded)
    moving = moving_nodes(animation)
    for node, parent, _ in calls:  # parents first: the scaling rules pass scales on
        if parent in moving and model.scaling_rule != STANDARD:
            moving.add(node)
    moving &= recorder.joints.keys()
    if len(calls) != len(recorder.joints):  # a node is described twice
        moving = set(recorder.joints)
    check_evaluations(animation, len(moving) * animation.frame_count)
    poses = {node: [joint] for node, joint in recorder.joints.items()}
    again = [(call, rule) for call, rule in zip(calls, rules, strict=True) if call[0] in moving]
    for frame in range(1, animation.frame_count if again else 1):
        joints = joints_at(frame)
        for node, joint in {call[0]: joints(*call, rule) for call, rule in again}.items():
            poses[node].append(joint)
    return poses


def check_evaluations(animation: JointAnimation | MaterialAnimation, evaluations: int) -> None:
    """Raise FormatError for an animation that needs more evaluations than its samples justify: a small file can refer
    to the same samples for many nodes and frames."""
    most = EVALUATIONS + EVALUATIONS_PER_SAMPLE * stored_samples(animation)
    if evaluations > most:
        raise FormatError(animation.name, 0, f"at most {most} evaluations of its tracks", str(evaluations))


def _held(frames: Sequence[int], states: Sequence[_State], count: int) -> list[_State]:
    """The state at every frame, from states that begin at some frames and hold until the next."""
    ends = [*frames[1:], count]
    return [state for state, start, end in zip(states, frames, ends, strict=True) for _ in range(start, end)]


def _look(material: ComposedMaterial) -> Any:
    """The key of a look: the image, and a rotating texture matrix."""
    matrix = material.texture_matrix
    turned = matrix if matrix is not None and (matrix.m01 or matrix.m10) and material.texgen == 1 else None
    return material.texture, id(material.palette), turned


class _PoseRecorder(sbc.SbcTarget):
    """A target of the interpreter that records joints and the visibility of nodes."""

    def __init__(self) -> None:
        self.joints: dict[int, JointResult] = {}
        self.visible: dict[int, bool] = {}

    def node(self, node: int, visible: bool) -> None:
        self.visible[node] = visible

    def node_description(
        self, node: int, parent: int, joint: JointResult, restore: int | None, store: int | None
    ) -> None:
        self.joints[node] = joint
