"""Animations attached to a model, as the library binds them: joints and visibility by node index, materials by name.

Several animations of one kind combine: material animations change the same result one after another, visibility is
the OR of all, joints are blended by ratio. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypedDict
from weakref import WeakKeyDictionary

from formats.binary import require
from formats.fixed import ONE
from formats.nitro.model import Model
from formats.nitro.node import Node
from formats.nitro.nsbca import JointAnimation, Nsbca
from formats.nitro.nsbma import ColorAnimation, Nsbma
from formats.nitro.nsbta import Nsbta, TextureSrtAnimation
from formats.nitro.nsbtp import KEEP_PALETTE, Nsbtp, PatternAnimation
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d import sbc
from mapexplorer.g3d.animation.joint import JointEvaluator, blend
from mapexplorer.g3d.animation.material import (
    MaterialColors,
    Pattern,
    PatternImage,
    PatternPalette,
    TextureSrt,
    colors_by_frame,
    pattern_by_frame,
    show_pattern,
    texture_srt_by_frame,
)
from mapexplorer.g3d.animation.visibility import is_visible
from mapexplorer.g3d.binding import Addresses, palette_base, texture_address
from mapexplorer.g3d.material import MaterialAnimator, MaterialResult
from mapexplorer.g3d.transform import JointResult, Local, ScalingRule

Animation = JointAnimation | PatternAnimation | TextureSrtAnimation | ColorAnimation | VisibilityAnimation
AnimationFile = Nsbca | Nsbtp | Nsbta | Nsbma | Nsbva


class Evaluators(TypedDict, total=False):
    """The arguments of `mapexplorer.g3d.sbc.run` and `draw_list` that apply animations at given frames."""

    joints: sbc.JointEvaluator
    visibility: sbc.VisibilityEvaluator
    animators: Sequence[Sequence[MaterialAnimator]]


def first_animation(value: Animation | AnimationFile) -> Animation:
    """An animation itself, or the first one of a file. Raises ValueError for a file without animations."""
    if isinstance(value, Nsbca | Nsbtp | Nsbta | Nsbma | Nsbva):
        require(value.animations, "the file holds no animation")
        return value.animations[0]
    return value


def targets(animation: Animation | AnimationFile, model: Model) -> tuple[str, ...]:
    """The names of what an animation drives in a model: materials, nodes with values of their own, or nodes that
    appear and disappear. Empty when it belongs to another model."""
    animation = first_animation(animation)
    if isinstance(animation, JointAnimation):
        driven = [
            track.translation is not None or track.rotation is not None or track.scale is not None
            for track in animation.tracks
        ]
    elif isinstance(animation, VisibilityAnimation):
        driven = (animation.visible != animation.visible[:1]).any(axis=0).tolist()
    else:
        names = {material.name for material in model.materials}
        return tuple([track.material for track in animation.tracks if track.material in names])
    return tuple([node.name for node, own in zip(model.nodes, driven, strict=False) if own])


_PatternNames = tuple[list[PatternImage | None], list[PatternPalette | None]]
"""The textures and palettes of a set under the names of one pattern animation; None where a name is missing."""


def _pattern_names(animation: PatternAnimation, textures: Tex0 | None, addresses: Addresses | None) -> _PatternNames:
    if textures is None:
        return [None] * len(animation.textures), [None] * len(animation.palettes)
    pictures = [(name, textures.texture(name)) for name in animation.textures]
    images = [
        None if texture is None else (texture, texture.param(texture_address(textures, name, texture, addresses)))
        for name, texture in pictures
    ]
    colors = [(name, textures.palette(name)) for name in animation.palettes]
    palettes = [
        None
        if palette is None
        else (palette, 0 if addresses is None else palette_base(textures, name, palette, addresses))
        for name, palette in colors
    ]
    return images, palettes


_Playing = Sequence[tuple[JointEvaluator, int, int]]
"""Joint animations, each with its frame and ratio."""


def _joint(
    playing: _Playing, nodes: Sequence[Node], node: int, parent: int, flags: int, rule: ScalingRule
) -> JointResult:
    """What the joint animations of a model make of a node."""
    rest = nodes[node]
    joint = None
    if len(playing) == 1:
        evaluator, frame, _ = playing[0]
        local = evaluator.local(node, frame, rest)
        joint = None if local is None else rule.joint(node, parent, flags, local)
    else:
        candidates = []
        for evaluator, frame, ratio in playing:
            local = evaluator.local(node, frame, rest)
            if local is not None:
                candidates.append((rule.joint(node, parent, flags, local), ratio))
        joint = blend(candidates)
    return rule.joint(node, parent, flags, Local.rest(rest)) if joint is None else joint


def _shown(playing: Sequence[tuple[VisibilityAnimation, int]], node: int) -> bool:
    """Whether one of the visibility animations of a model shows a node at its frame."""
    return any(is_visible(animation, node, frame) for animation, frame in playing)


_MaterialTrack = Callable[[int], TextureSrt | MaterialColors] | tuple[Callable[[int], Pattern], _PatternNames]
"""What an animation makes of a material by frame; a pattern with what its numbers mean."""

_joints: WeakKeyDictionary[JointAnimation, JointEvaluator] = WeakKeyDictionary()
"""Evaluators hold decoded tracks and matrices: one for all models that an animation plays on."""


class Attached:
    """Animations attached to a model. All tracks are decoded once; keep the object while the model is animated.

    `animations` are in the order of the library's list; `ratios` are the weights of joint animations in fx32, 1.0 when
    not given. Pattern animations look names up in `textures`, whose areas begin at `addresses` in VRAM. Tracks of
    materials and nodes that the model does not have are without effect.
    """

    def __init__(
        self,
        model: Model,
        animations: Sequence[Animation | AnimationFile],
        *,
        textures: Tex0 | None = None,
        addresses: Addresses | None = None,
        ratios: Sequence[int] = (),
    ) -> None:
        self.model = model
        self.animations: tuple[Animation, ...] = tuple([first_animation(value) for value in animations])
        self._joints: list[tuple[JointEvaluator, int, int]] = []
        self._visibility: list[tuple[VisibilityAnimation, int]] = []
        self._materials: dict[int, list[tuple[_MaterialTrack, int]]] = {}
        for number, animation in enumerate(self.animations):
            if isinstance(animation, JointAnimation):
                ratio = int(ratios[number]) if number < len(ratios) else ONE
                evaluator = _joints.get(animation)
                if evaluator is None:
                    evaluator = _joints[animation] = JointEvaluator(animation)
                self._joints.append((evaluator, number, ratio))
            elif isinstance(animation, VisibilityAnimation):
                self._visibility.append((animation, number))
            else:
                self._attach_materials(animation, number, textures, addresses)

    def _attach_materials(
        self,
        animation: PatternAnimation | TextureSrtAnimation | ColorAnimation,
        number: int,
        textures: Tex0 | None,
        addresses: Addresses | None,
    ) -> None:
        indices = {material.name: index for index, material in enumerate(self.model.materials)}
        tracks: list[tuple[str, _MaterialTrack]]
        if isinstance(animation, PatternAnimation):
            names = _pattern_names(animation, textures, addresses)
            tracks = [(track.material, (pattern_by_frame(track, animation), names)) for track in animation.tracks]
        elif isinstance(animation, TextureSrtAnimation):
            count = animation.frame_count
            tracks = [(track.material, texture_srt_by_frame(track, count)) for track in animation.tracks]
        else:
            tracks = [(track.material, colors_by_frame(track, animation.frame_count)) for track in animation.tracks]
        for material, evaluator in tracks:
            if material in indices:
                self._materials.setdefault(indices[material], []).append((evaluator, number))

    @property
    def animated_materials(self) -> frozenset[int]:
        """The materials that an animation changes."""
        return frozenset(self._materials)

    def at(self, frames: Sequence[int]) -> Evaluators:
        """The evaluators that apply each animation at its frame (fx32; 0 for those not given)."""
        result: Evaluators = {}
        if self._joints:
            entries = [(evaluator, _frame(frames, number), ratio) for evaluator, number, ratio in self._joints]
            result["joints"] = partial(_joint, entries, self.model.nodes)
        if self._visibility:
            playing = [(animation, _frame(frames, number)) for animation, number in self._visibility]
            result["visibility"] = partial(_shown, playing)
        if self._materials:
            result["animators"] = [self.animators(index, frames) for index in range(len(self.model.materials))]
        return result

    def animators(self, material: int, frames: Sequence[int]) -> list[MaterialAnimator]:
        """What applies the animations of a material, each at its frame as in `at`."""
        tracks = self._materials.get(material, ())
        return [_animator(track, _frame(frames, number)) for track, number in tracks]


def _frame(frames: Sequence[int], number: int) -> int:
    """The frame of an animation, 0 if none is given."""
    return int(frames[number]) if number < len(frames) else 0


def _animator(track: _MaterialTrack, frame: int) -> MaterialAnimator:
    if isinstance(track, tuple):
        pattern_at, (images, palettes) = track
        shown = pattern_at(frame)
        image = images[shown.texture]
        palette = None if shown.palette == KEEP_PALETTE else palettes[shown.palette]

        def show(result: MaterialResult) -> None:
            show_pattern(result, image, palette)

        return show
    return track(frame).apply
