"""Visibility animation (NSBVA) of a node at a frame. Source: the NITRO-System G3D library."""

from __future__ import annotations

from formats.nitro.nsbva import VisibilityAnimation
from mapexplorer.g3d.animation.sampling import clamp_whole


def is_visible(animation: VisibilityAnimation, node: int, frame: int) -> bool:
    """Whether node number `node` is visible at `frame` (fx32); the last frame holds beyond the end.

    Bits are counted through all frames, so a node that the animation does not have takes a bit of the next frame.
    """
    visible = animation.visible
    place = clamp_whole(frame, animation.frame_count) * visible.shape[1] + node
    return place < visible.size and bool(visible.flat[place])
