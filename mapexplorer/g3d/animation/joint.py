"""Joint animation (NSBCA): the local transform of a node at a frame, and the blend of several animations.

Integers throughout: fx32 numbers, row-vector matrices. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Sequence

from formats.fixed import ONE, Vector, cross, div, normalize
from formats.nitro.node import Node
from formats.nitro.nsbca import PIVOT_ROTATION, JointAnimation, JointTrack
from mapexplorer.g3d.animation.sampling import (
    HALF,
    SINGLE,
    Mean,
    SampledCurve,
    at_fraction,
    at_whole_frame,
    clamp_frame,
    mix,
    mix_rows,
)
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33
from mapexplorer.g3d.transform import JointResult, Local


class _Track:
    """A track's channels, decoded once."""

    __slots__ = ("rotation", "scale", "track", "translation")

    def __init__(self, track: JointTrack) -> None:
        self.track = track
        self.translation = None if track.translation is None else [SampledCurve(curve) for curve in track.translation]
        self.rotation = None if track.rotation is None else SampledCurve(track.rotation)
        self.scale = None if track.scale is None else [SampledCurve(curve) for curve in track.scale]


class JointEvaluator:
    """Evaluates one joint animation; its tracks are decoded once, so keep it while the animation plays. Several threads
    may use it at once."""

    def __init__(self, animation: JointAnimation) -> None:
        self.frame_count = animation.frame_count
        self._interpolate = animation.interpolate
        self._end_to_start = animation.end_to_start
        self._sources = animation.tracks
        self._pivots = animation.pivots
        self._bases = animation.bases
        self._tracks: list[_Track | None] = [None] * len(animation.tracks)
        self._rotations: dict[int, Matrix33] = {}

    def local(self, node: int, frame: int, rest: Node) -> Local | None:
        """The local transform of node number `node` at `frame` (fx32), or None when the animation has no track for it.

        Frames before the start and behind the end show the first and the last. `rest` is the model's node: tracks can
        refer to its values.
        """
        if not 0 <= node < len(self._tracks):
            return None
        track = self._tracks[node]
        if track is None:
            track = self._tracks[node] = _Track(self._sources[node])
        moment = clamp_frame(frame, self.frame_count)
        source = track.track
        translation = rotation = scale = inverse = None
        if track.translation is not None:
            x, y, z = track.translation
            translation = (self._number(x, moment), self._number(y, moment), self._number(z, moment))
        elif source.translation_rest:
            translation = rest.translation
        if track.rotation is not None:
            rotation = self._rotation(track.rotation, moment)
        elif source.rotation_rest and rest.rotation is not None:
            rotation = rest.rotation_matrix()
        if track.scale is not None:
            x, y, z = track.scale
            scale = (
                self._scale(x, x.values, moment),
                self._scale(y, y.values, moment),
                self._scale(z, z.values, moment),
            )
            inverse = (
                self._scale(x, x.second, moment),
                self._scale(y, y.second, moment),
                self._scale(z, z.second, moment),
            )
        elif source.scale_rest:
            scale, inverse = rest.scale, rest.inverse_scale
        return Local(translation, rotation, scale, inverse)

    def _mean(self, step: int, moment: int) -> Mean:
        """The mean of the samples of a channel at a frame of the animation (fx32)."""
        if self._interpolate and moment & 0xFFF:
            return at_fraction(step, self.frame_count, moment, self._end_to_start)
        return at_whole_frame(step, self.frame_count, moment >> 12)

    def _number(self, channel: SampledCurve, moment: int) -> int:
        values = channel.values
        if channel.step == 0:
            return values[0]
        mean = self._mean(channel.step, moment)
        if mean.kind == HALF and not channel.fx16:
            return (values[mean.first] >> 1) + (values[mean.second] >> 1)
        return mix(mean, values[mean.first], values[mean.second])

    def _scale(self, channel: SampledCurve, values: list[int], moment: int) -> int:
        if channel.step == 0:
            return values[0]
        mean = self._mean(channel.step, moment)
        return mix(mean, values[mean.first], values[mean.second])

    def _rotation(self, channel: SampledCurve, moment: int) -> Matrix33:
        values = channel.values
        if channel.step == 0:
            return self._matrix(values[0])
        mean = self._mean(channel.step, moment)
        first = self._matrix(values[mean.first])
        pivots = values[mean.first] & PIVOT_ROTATION
        if mean.kind == SINGLE:
            return (*first[:6], *_unit(first[6:])) if pivots else first
        second = self._matrix(values[mean.second])
        pivots &= values[mean.second]
        mixed = [mix_rows(mean, a, b) for a, b in zip(first, second, strict=True)]
        row0, row1 = _unit(mixed[:3]), _unit(mixed[3:6])
        row2 = _unit(mixed[6:]) if pivots else _cross_floor(row0, row1)
        return (*row0, *row1, *row2)

    def _matrix(self, number: int) -> Matrix33:
        rotation = self._rotations.get(number)
        if rotation is None:
            if number & PIVOT_ROTATION:
                rotation = self._pivots[number & ~PIVOT_ROTATION].matrix()
            else:
                a, b, c, d, e, f = self._bases[number].tolist()
                rotation = (a, b, c, d, e, f, *_cross_floor((a, b, c), (d, e, f)))
            self._rotations[number] = rotation
        return rotation


def _unit(row: Sequence[int]) -> Vector:
    """The unit vector; zero, which the library cannot normalise, stays zero."""
    x, y, z = row
    return normalize((x, y, z)) if x or y or z else (0, 0, 0)


def _cross_floor(a: Sequence[int], b: Sequence[int]) -> Vector:
    """The cross product of the joint animation code: floored, unlike the SDK's."""
    return (
        (a[1] * b[2] - a[2] * b[1]) >> 12,
        (a[2] * b[0] - a[0] * b[2]) >> 12,
        (a[0] * b[1] - a[1] * b[0]) >> 12,
    )


_UNIT: Vector = (ONE, ONE, ONE)
_ZERO: Vector = (0, 0, 0)


def blend(joints: Sequence[tuple[JointResult, int]]) -> JointResult | None:
    """The joint that several animations of one node make, each with its ratio (fx32, clamped to 0..1).

    None when the ratios' sum is 0, which leaves the rest pose. One joint is taken as it is; several are weighted by
    their share of the sum. Of the rotations' weighted rows the X axis keeps its direction.
    """
    ratios = [max(0, min(ratio, ONE)) for _, ratio in joints]
    total = sum(ratios)
    if total == 0:
        return None
    if len(joints) == 1:
        return joints[0][0]
    if total != ONE:
        ratios = [div(ratio, total) for ratio in ratios]
    parts = [joint for joint, _ in joints]

    def weighted(rows: Sequence[Sequence[int]]) -> list[int]:
        width = len(rows[0])
        return [
            sum([(weight * row[element]) >> 12 for weight, row in zip(ratios, rows, strict=True)])
            for element in range(width)
        ]

    def vector(name: str, neutral: Vector) -> Vector | None:
        values = [getattr(part, name) for part in parts]
        if all(value is None for value in values):
            return None
        x, y, z = weighted([neutral if value is None else value for value in values])
        return x, y, z

    rotation = None
    if any(part.rotation is not None for part in parts):
        rows = weighted([(part.rotation or IDENTITY33)[:6] for part in parts])
        rotation = _orthogonal(rows, parts[0].rotation or IDENTITY33)
    return JointResult(
        vector("translation", _ZERO),
        rotation,
        vector("scale", _UNIT),
        vector("extra0", _UNIT),
        vector("extra1", _UNIT),
        all(part.compensated for part in parts),
        any(part.unproduced for part in parts),
    )


def _orthogonal(rows: Sequence[int], fallback: Matrix33) -> Matrix33:
    """A rotation from two weighted rows; a row that vanishes is the first animation's."""
    row0, row1 = rows[:3], rows[3:6]
    row2 = cross(row0, row1)
    unit2 = normalize(row2) if any(row2) else fallback[6:]
    unit0 = normalize(row0) if any(row0) else fallback[:3]
    return (*unit0, *cross(unit2, unit0), *unit2)
