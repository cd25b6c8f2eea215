"""When an animation can change what it drives: most tracks are constant, and need not be evaluated at every frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from formats.nitro.animation import Curve
from formats.nitro.nsbca import JointAnimation, JointTrack
from formats.nitro.nsbma import ColorAnimation
from formats.nitro.nsbta import TextureSrtAnimation
from formats.nitro.nsbtp import PatternAnimation
from formats.nitro.nsbva import VisibilityAnimation

MaterialAnimation = ColorAnimation | TextureSrtAnimation | PatternAnimation


def moving_nodes(animation: JointAnimation) -> set[int]:
    """The nodes whose local transform can differ between frames."""
    return {number for number, track in enumerate(animation.tracks) if any(curve.step for _, curve in track.curves())}


def visibility_changes(animation: VisibilityAnimation) -> list[int]:
    """The frames at which a node's visibility can differ from that at the frame before, and frame 0. A node that the
    animation does not have takes a bit of the next frame."""
    changed = np.flatnonzero((animation.visible[1:] != animation.visible[:-1]).any(axis=1)) + 1
    frames: list[int] = np.union1d([0], np.concatenate([changed, changed - 1])).astype(int).tolist()
    return frames


def material_changes(animation: MaterialAnimation, material: str) -> Sequence[int]:
    """The frames at which a material can differ from that at the frame before, and frame 0."""
    if isinstance(animation, PatternAnimation):
        keys = [track.keys["frame"].tolist() for track in animation.tracks if track.material == material]
        return sorted({0, *(frame for frames in keys for frame in frames if frame < animation.frame_count)})
    curves = [curve for track in animation.tracks if track.material == material for curve in track.channels]
    return range(animation.frame_count if any(curve.step for curve in curves) else 1)


def stored_samples(animation: JointAnimation | MaterialAnimation) -> int:
    """How many numbers a file holds for the frames of an animation; equal tracks share them."""
    if isinstance(animation, PatternAnimation):
        return sum(len(track.keys) for track in animation.tracks)
    curves: list[Curve] = []
    for track in animation.tracks:
        curves += [curve for _, curve in track.curves()] if isinstance(track, JointTrack) else track.channels
    return sum({id(curve.values): curve.values.size for curve in curves if curve.step}.values())
