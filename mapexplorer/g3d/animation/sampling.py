"""The position of a frame between the samples of a decimated channel, and the library's fixed-point interpolation.

Frames are fx32 (4096 = one frame). Channels store every frame, or every second or fourth up to the last multiple of the
step and every frame from there. At whole frames the library takes samples or means of halves and quarters, at
fractions (joint animations with interpolation only) it blends linearly. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from formats.fixed import wrap
from formats.nitro.animation import Curve

SINGLE: Final = 0
HALF: Final = 1
QUARTER: Final = 2
BLEND: Final = 3

_KEPT: Final = 1 << 12
"""The number of means that are kept, because the channels of an animation have few different steps."""


class Mean(NamedTuple):
    """How to form a value: sample `first` alone, the half of both, three quarters of `first` and one of `second`, or a
    blend from `first` to `second` by `weight` of `step` frames (fx32)."""

    kind: int
    first: int
    second: int = 0
    weight: int = 0
    step: int = 1


class SampledCurve:
    """A curve's samples as Python integers: `values`, and `second` of a curve of pairs."""

    __slots__ = ("fx16", "second", "step", "values")

    def __init__(self, curve: Curve) -> None:
        self.step = curve.step
        self.fx16 = curve.fx16
        pair = curve.values.ndim == 2
        self.values: list[int] = (curve.values[:, 0] if pair else curve.values).tolist()
        self.second: list[int] = curve.values[:, 1].tolist() if pair else []

    def mean(self, frame: int, frame_count: int) -> Mean:
        """The mean for a whole frame."""
        return at_whole_frame(self.step, frame_count, frame) if self.step else Mean(SINGLE, 0)


def clamp_frame(frame: int, frame_count: int) -> int:
    """The frame that joint animations use, clamped to 0 and just below the end."""
    return max(0, min(int(frame), (frame_count << 12) - 1))


def clamp_whole(frame: int, frame_count: int) -> int:
    """The whole frame that the other animations show.

    The library does not check; a frame beyond the end reads what follows in memory, here it shows the last one.
    """
    return max(0, min(int(frame) >> 12, frame_count - 1))


@lru_cache(_KEPT)
def at_whole_frame(step: int, frame_count: int, frame: int) -> Mean:
    """The mean for frame number `frame`, 0 to `frame_count` - 1."""
    if step == 1:
        return Mean(SINGLE, frame)
    index, rest = divmod(frame, step)
    if rest == 0 or index == (frame_count - 1) // step:
        return Mean(SINGLE, index + rest)
    if 2 * rest == step:
        return Mean(HALF, index, index + 1)
    return Mean(QUARTER, index, index + 1) if rest == 1 else Mean(QUARTER, index + 1, index)


@lru_cache(_KEPT)
def at_fraction(step: int, frame_count: int, frame: int, end_to_start: bool) -> Mean:
    """The mean for an fx32 frame with a fraction, below `frame_count` frames."""
    whole, fraction = frame >> 12, frame & 0xFFF
    index, rest = divmod(whole, step)
    if whole == frame_count - 1:
        if end_to_start:
            return Mean(BLEND, index + rest, 0, fraction)
        return Mean(SINGLE, index + rest)
    if step == 1 or index == (frame_count - 1) // step:
        return Mean(BLEND, index + rest, index + rest + 1, fraction)
    return Mean(BLEND, index, index + 1, frame % (step << 12), step)


def mix(mean: Mean, a: int, b: int) -> int:
    """The mean of two numbers; the products of a blend have 32 bits and wrap, as in the library."""
    kind = mean.kind
    if kind == SINGLE:
        return a
    if kind == HALF:
        return (a + b) >> 1
    if kind == QUARTER:
        return (3 * a + b) >> 2
    return wrap(a * mean.step + (wrap((b - a) * mean.weight) >> 12)) >> (mean.step >> 1)


def mix_rows(mean: Mean, a: int, b: int) -> int:
    """The weighted sum of two matrix elements, not divided: rows are normalised afterwards."""
    kind = mean.kind
    if kind == HALF:
        return a + b
    if kind == QUARTER:
        return 3 * a + b
    return a * mean.step + ((b - a) * mean.weight >> 12)


def mix_colors(mean: Mean, a: int, b: int) -> int:
    """The mean of two BGR555 colours, each component rounded down. Blends do not occur."""
    if mean.kind == SINGLE:
        return a
    color = 0
    for shift in (0, 5, 10):
        color |= mix(mean, a >> shift & 31, b >> shift & 31) << shift
    return color
