"""Visibility animation (NSBVA) of a node at a frame. Source: the NITRO-System G3D library."""

from __future__ import annotations

from formats.nitro.nsbva import VisibilityAnimation
from mapexplorer.g3d.animation.sampling import clamp_whole


class VisibilityEvaluator:
    """Evaluates one visibility animation."""

    def __init__(self, animation: VisibilityAnimation) -> None:
        self.frame_count = animation.frame_count
        self._nodes = int(animation.visible.shape[1])
        self._bits = animation.visible.tobytes()

    def at(self, node: int, frame: int) -> bool:
        """Whether node number `node` is visible at `frame` (fx32); the last frame holds beyond the end.

        Bits are counted through all frames, so a node that the animation does not have takes a bit of the next frame.
        """
        place = clamp_whole(frame, self.frame_count) * self._nodes + node
        return place < len(self._bits) and self._bits[place] != 0
