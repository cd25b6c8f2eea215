"""What no file of the game holds: decimated samples, base-pose bits, end to start, blends, list order."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.binary import frozen
from formats.fixed import ONE
from formats.nitro.animation import Curve, sample_count
from formats.nitro.node import Node, Pivot
from formats.nitro.nsbca import PIVOT_ROTATION, JointAnimation, JointTrack
from formats.nitro.nsbma import ColorTrack
from formats.nitro.nsbta import TextureSrtTrack
from formats.nitro.nsbtp import KEY, PatternAnimation, PatternTrack
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from mapexplorer.g3d.animation import joint
from mapexplorer.g3d.animation.attach import targets
from mapexplorer.g3d.animation.joint import JointEvaluator, blend
from mapexplorer.g3d.animation.material import Pattern, colors_by_frame, pattern_by_frame, texture_srt_by_frame
from mapexplorer.g3d.animation.sampling import (
    BLEND,
    HALF,
    QUARTER,
    SINGLE,
    Mean,
    at_fraction,
    at_whole_frame,
    clamp_whole,
    mix,
    mix_colors,
)
from mapexplorer.g3d.animation.visibility import is_visible
from mapexplorer.g3d.transform import JointResult

IDENTITY = (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)
QUARTER_TURN = (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE)
REST = Node("rest", (1, 2, 3), QUARTER_TURN, (8192, 4096, 2048), (2048, 4096, 8192))
NO_BASES = frozen(np.zeros((0, 6)), np.int16)


def sample_times(frames: int, step: int) -> list[int]:
    """The frames that a decimated channel stores."""
    last = (frames - 1) // step * step
    return [*range(0, last, step), *range(last, frames)]


def meant_time(mean: Mean, times: list[int]) -> Fraction:
    """The time at which a mean of two samples lies, were the channel a straight line."""
    first, second = Fraction(times[mean.first]), Fraction(times[mean.second])
    if mean.kind == SINGLE:
        return first
    share = {HALF: Fraction(1, 2), QUARTER: Fraction(1, 4), BLEND: Fraction(mean.weight, mean.step * ONE)}[mean.kind]
    return first + (second - first) * share


@pytest.mark.parametrize("step", [1, 2, 4])
def test_means_meet_their_frame(step: int) -> None:
    cases = 0
    for frames in range(1, 80):
        times = sample_times(frames, step)
        assert len(times) == sample_count(frames, step)
        for frame in range(frames):
            assert meant_time(at_whole_frame(step, frames, frame), times) == frame
            for fraction in (1, 0x800, 0xFFF):
                exact = frame * ONE + fraction
                for around in (False, True):
                    mean = at_fraction(step, frames, exact, around)
                    if frame < frames - 1:
                        assert meant_time(mean, times) == Fraction(exact, ONE)
                    elif around:
                        assert (mean.kind, times[mean.first], mean.second) == (BLEND, frame, 0)
                        assert mean.weight == fraction
                    else:
                        assert (mean.kind, times[mean.first]) == (SINGLE, frame)
                    cases += 1
    assert cases == 79 * 80 // 2 * 6


def test_decimated_frames_of_eleven() -> None:
    """Eleven frames with a step of 4: samples at frames 0, 4, 8, 9, 10."""
    assert at_whole_frame(4, 11, 5) == Mean(QUARTER, 1, 2)
    assert at_whole_frame(4, 11, 6) == Mean(HALF, 1, 2)
    assert at_whole_frame(4, 11, 7) == Mean(QUARTER, 2, 1)
    assert [at_whole_frame(4, 11, frame) for frame in (8, 9, 10)] == [Mean(SINGLE, index) for index in (2, 3, 4)]
    assert at_fraction(4, 11, 8 * ONE + 2048, False) == Mean(BLEND, 2, 3, 2048)
    assert at_fraction(4, 11, 10 * ONE + 2048, False) == Mean(SINGLE, 4)
    assert at_fraction(4, 11, 10 * ONE + 2048, True) == Mean(BLEND, 4, 0, 2048)
    assert at_whole_frame(2, 10, 9) == Mean(SINGLE, 5)


def test_means_of_numbers() -> None:
    assert mix(Mean(HALF, 0, 1), 3, -6) == -2
    assert mix(Mean(QUARTER, 0, 1), 5, -6) == 2
    assert mix(Mean(BLEND, 0, 1, 1024), 100, 200) == 125
    assert mix(Mean(BLEND, 0, 1, 4096, 4), 100, 200) == 125
    assert mix(Mean(BLEND, 0, 1, 4096, 2), 100, 200) == 150
    # beyond 128 units between two samples the 32-bit product wraps: a half way blend leaps to the other side
    assert mix(Mean(BLEND, 0, 1, 2048), 0, 300 * ONE) == (300 * ONE * 2048 - 2**32) >> 12


def test_means_of_colors() -> None:
    red_and_blue, green = 31 | 30 << 10, 29 << 5
    assert mix_colors(Mean(HALF, 0, 1), red_and_blue, green) == 15 | 14 << 5 | 15 << 10
    assert mix_colors(Mean(QUARTER, 0, 1), red_and_blue, green) == 23 | 7 << 5 | 22 << 10


def constants(*values: int) -> tuple[Curve, ...]:
    return tuple([Curve.constant(value) for value in values])


def joint_animation(*tracks: JointTrack, frames: int = 1, **options: Any) -> JointAnimation:
    """Pivot rotation 0 is the identity, 1 a quarter turn about z."""
    pivots = (Pivot(8, False, True, False, ONE, 0), Pivot(8, False, True, False, 0, ONE))
    bases = frozen([[4095, 0, 0, 0, 4095, 0], [0, 4095, 0, -4096, 0, 0]], np.int16)
    return JointAnimation("animation", frames, tracks, pivots, bases, **options)


def test_absent_groups_are_identity_or_rest() -> None:
    tracks = JointTrack(), JointTrack(translation_rest=True, rotation_rest=True, scale_rest=True)
    evaluator = JointEvaluator(joint_animation(*tracks))
    still = evaluator.local(0, 0, REST)
    assert still is not None
    assert (still.translation, still.rotation, still.scale, still.inverse_scale) == (None, None, None, None)
    rest = evaluator.local(1, 0, REST)
    assert rest is not None
    assert (rest.translation, rest.rotation, rest.scale, rest.inverse_scale) == (
        REST.translation,
        QUARTER_TURN,
        REST.scale,
        REST.inverse_scale,
    )
    assert evaluator.local(2, 0, REST) is None
    bare = evaluator.local(1, 0, Node("bare"))
    assert bare is not None
    assert (bare.translation, bare.rotation, bare.scale) == (None, None, None)


def test_pivots_are_those_of_the_facts() -> None:
    assert Pivot.from_word(0x24, 3547, 2048).matrix() == (3547, 0, 2048, 0, ONE, 0, -2048, 0, 3547)
    assert joint_animation().pivots[0].matrix() == IDENTITY
    assert joint_animation().pivots[1].matrix() == QUARTER_TURN


@pytest.mark.parametrize(
    ("frame", "rows"),
    [
        (0, IDENTITY),
        (1, (3886, 1295, 0, -1295, 3886, 0, 0, 0, ONE)),
        (2, (2896, 2896, 0, -2896, 2896, 0, 0, 0, ONE)),
        (3, (1295, 3886, 0, -3886, 1295, 0, 0, 0, ONE)),
        (4, QUARTER_TURN),
    ],
)
def test_pivot_rotations_are_combined_by_rows(frame: int, rows: tuple[int, ...]) -> None:
    turn = Curve.sampled([PIVOT_ROTATION, PIVOT_ROTATION | 1], 4, fx16=False)
    evaluator = JointEvaluator(joint_animation(JointTrack(rotation=turn), frames=5))
    local = evaluator.local(0, frame * ONE, REST)
    assert local is not None
    assert local.rotation == rows


@pytest.mark.parametrize("pair", [(0, 1), (0, PIVOT_ROTATION | 1), (PIVOT_ROTATION, 1)])
def test_basis_rotations_get_their_third_row_by_a_product(pair: tuple[int, int]) -> None:
    turn = Curve.sampled(pair, 2, fx16=False)
    evaluator = JointEvaluator(joint_animation(JointTrack(rotation=turn), frames=3))
    local = evaluator.local(0, ONE, REST)
    assert local is not None
    assert local.rotation is not None
    # rows of 45 degrees, whose floored product is not quite 1.0
    assert all(
        abs(a - b) <= 1 for a, b in zip(local.rotation, (2896, 2896, 0, -2896, 2896, 0, 0, 0, 4095), strict=True)
    )
    assert local.rotation[6:] == (0, 0, 2 * 2896 * 2896 >> 12)


def moving(values: Any, step: int = 1, frames: int = 0, **options: Any) -> JointEvaluator:
    curve = Curve.sampled(values, step)
    track = JointTrack((curve, *constants(0, 0)))
    return JointEvaluator(joint_animation(track, frames=frames or len(values), **options))


def x_at(evaluator: JointEvaluator, frame: int) -> int:
    local = evaluator.local(0, frame, REST)
    assert local is not None
    assert local.translation is not None
    return local.translation[0]


def test_fractions_count_only_with_the_flag() -> None:
    assert x_at(moving([0, 1000]), 2048) == 0
    assert x_at(moving([0, 1000], interpolate=True), 2048) == 500


def test_threads_share_an_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread asks for its frame between any two numbers of one transform."""
    evaluator = moving([0, 100, 200, 300])
    tracks, mixed = evaluator._tracks, joint.mix
    x_at(evaluator, 0)
    track = tracks[0]
    assert track is not None and track.translation is not None
    track.translation = [track.translation[0]] * 3

    def mix(mean: Mean, a: int, b: int) -> int:
        with monkeypatch.context() as patch:
            patch.setattr(joint, "mix", mixed)
            assert x_at(evaluator, ONE) == 100
        return mixed(mean, a, b)

    monkeypatch.setattr(joint, "mix", mix)
    local = evaluator.local(0, 3 * ONE, REST)
    assert local is not None and local.translation == (300, 300, 300)


def test_ends_of_joint_animations() -> None:
    still = moving([10, 20, 30])
    assert [x_at(still, frame) for frame in (-ONE, 0, 2 * ONE, 3 * ONE, 99 * ONE)] == [10, 10, 30, 30, 30]
    smooth = moving([10, 20, 30], interpolate=True)
    assert x_at(smooth, 99 * ONE) == 30
    around = moving([10, 20, 4106], interpolate=True, end_to_start=True)
    assert x_at(around, 2 * ONE + 2048) == 2058
    # held behind its end such an animation shows (almost) its start
    assert x_at(around, 99 * ONE) == 4106 - 4095


def test_halves_of_wide_numbers_lose_both_low_bits() -> None:
    assert x_at(moving([0x10001, 0x10001], 2, 3), ONE) == 0x10000
    assert x_at(moving([0x1001, 0x1001], 2, 3), ONE) == 0x1001


@given(st.lists(st.integers(-20000, 20000), min_size=2, max_size=40), st.sampled_from([1, 2, 4]), st.data())
def test_decimated_lines_are_lines(values: list[int], step: int, data: st.DataObject) -> None:
    """Against plain linear interpolation between the stored frames: at most one unit off, from flooring."""
    frames = data.draw(st.integers(2, 60))
    times = sample_times(frames, step)
    samples = (values * 60)[: len(times)]
    frame = data.draw(st.integers(0, (frames - 1) * ONE))
    found = x_at(moving(samples, step, frames, interpolate=True), frame)
    expected = np.interp(frame / ONE, times, samples)
    assert -1.01 <= found - expected <= 0.01


def test_scales_carry_their_stored_inverse() -> None:
    pairs = Curve.sampled([[8192, 2047], [4096, 4095]], 2)
    track = JointTrack(scale=(pairs, Curve.constant(4096, 4000), Curve.constant(0, 0)))
    local = JointEvaluator(joint_animation(track, frames=3)).local(0, ONE, REST)
    assert local is not None
    assert local.scale == (6144, 4096, 0)
    assert local.inverse_scale == ((2047 + 4095) >> 1, 4000, 0)


def test_one_candidate_is_taken_as_it_is() -> None:
    joint = JointResult((1, 2, 3))
    assert blend([(joint, 0)]) is None
    assert blend([(joint, 1)]) is joint
    assert blend([]) is None
    assert blend([(joint, 0), (joint, -5)]) is None


def test_joints_are_weighted_by_their_share() -> None:
    moved, scaled = JointResult((ONE, 0, 0)), JointResult(None, None, (3 * ONE, ONE, ONE), compensated=True)
    result = blend([(moved, ONE), (scaled, 3 * ONE)])  # a ratio counts as 1.0 at most
    assert result is not None
    assert result.translation == (2048, 0, 0)
    assert result.scale == (2 * ONE, ONE, ONE)
    assert result.rotation is None
    assert not result.compensated
    third = blend([(moved, 1024), (JointResult(), 3072)])
    assert third is not None
    assert third.translation == (1024, 0, 0)


def test_blended_rotations_keep_the_x_axis() -> None:
    result = blend([(JointResult(rotation=IDENTITY), ONE), (JointResult(rotation=QUARTER_TURN), ONE)])
    assert result is not None
    assert result.rotation is not None
    root = round(ONE / math.sqrt(2))
    assert np.allclose(result.rotation, (root, root, 0, -root, root, 0, 0, 0, ONE), atol=2)
    half_turn = (-ONE, 0, 0, 0, -ONE, 0, 0, 0, ONE)
    opposite = blend(
        [(JointResult(rotation=QUARTER_TURN), ONE), (JointResult(rotation=tuple(-x for x in QUARTER_TURN)), ONE)]
    )
    assert opposite is not None
    assert opposite.rotation == QUARTER_TURN  # both rows vanish: the first animation's axes
    mixed = blend([(JointResult(rotation=half_turn), ONE), (JointResult(), ONE)])
    assert mixed is not None
    assert mixed.rotation is not None


def test_targets(make_model: Any) -> None:
    model = make_model(nodes=(Node("a"), Node("b")))
    still = JointTrack(translation_rest=True)
    assert targets(joint_animation(still, JointTrack(constants(1, 2, 3)), JointTrack(constants(1, 2, 3))), model) == (
        "b",
    )
    blink = VisibilityAnimation("v", frozen(np.array([[True, True], [True, False]])))
    assert targets(Nsbva((blink,)), model) == ("b",)
    keys = frozen(np.zeros(1, KEY))
    tracks = PatternTrack("elsewhere", keys), PatternTrack("material", keys)
    assert targets(PatternAnimation("p", 1, ("t",), ("p",), tracks), model) == ("material",)


def srt_track(**channels: Curve) -> TextureSrtTrack:
    one, zero = Curve.constant(ONE), Curve.constant(0)
    track = TextureSrtTrack("material", one, one, Curve.constant(0, ONE), zero, zero)
    return dataclasses.replace(track, **channels)


def test_texture_srt_flags_come_from_values() -> None:
    still = texture_srt_by_frame(srt_track(), 10)(0)
    assert still == (None, None, None)
    assert still.flags == 15
    evaluator = texture_srt_by_frame(srt_track(scale_t=Curve.sampled([ONE, 2 * ONE], 4)), 5)
    assert [evaluator(frame * ONE).scale for frame in range(5)] == [
        None,
        (ONE, 5120),
        (ONE, 6144),
        (ONE, 7168),
        (ONE, 8192),
    ]
    assert evaluator(2 * ONE + 4095) == evaluator(2 * ONE)
    assert evaluator(50 * ONE).scale == (ONE, 8192)
    assert evaluator(-ONE).scale is None


def test_texture_rotation_is_not_normalised() -> None:
    turn = Curve.sampled([[0, ONE], [ONE, 0]], 2, fx16=False)
    result = texture_srt_by_frame(srt_track(rotation=turn), 3)(ONE)
    assert result.rotation == (2048, 2048)
    assert result.flags == 8 | 1 | 4


def test_decimated_colors() -> None:
    colors = Curve.sampled([0x001F, 0x7C00], 4, fx16=False)
    alphas = Curve.sampled([0, 31], 2, fx16=False)
    track = ColorTrack("m", colors, *[Curve.constant(value) for value in (1, 2, 3, 4)])
    evaluator = colors_by_frame(track, 5)
    assert [evaluator(frame * ONE).diffuse for frame in range(5)] == [
        0x001F, 23 | 7 << 10, 15 | 15 << 10, 7 | 23 << 10, 0x7C00,
    ]  # fmt: skip
    three = colors_by_frame(dataclasses.replace(track, diffuse=Curve.constant(0), alpha=alphas), 3)
    assert [three(frame * ONE).alpha for frame in range(4)] == [0, 15, 31, 31]
    assert three(0).words(0x8000FFFF, 0x7FFF7FFF, 0x3F1F00FF) == (0x00018000, 0x00030002, 0x3F0000FF)


def pattern(frames: int, *keys: tuple[int, int, int]) -> Callable[[int], Pattern]:
    track = PatternTrack("m", frozen(np.array(list(keys), KEY)))
    return pattern_by_frame(track, PatternAnimation("p", frames, (), (), (track,)))


def test_pattern_keys_of_the_facts() -> None:
    evaluator = pattern(12, (0, 0, 0), (4, 1, 1), (10, 2, 255))
    assert [evaluator(frame * ONE).texture for frame in range(13)] == [0] * 4 + [1] * 6 + [2] * 3


@given(st.integers(1, 200), st.sets(st.integers(1, 199), max_size=30), st.integers(0, 250))
def test_pattern_search_finds_the_last_key(frames: int, starts: set[int], frame: int) -> None:
    places = [0, *sorted(starts)]
    evaluator = pattern(frames, *[(place, index, 0) for index, place in enumerate(places)])
    whole = clamp_whole(frame * ONE, frames)
    assert evaluator(frame * ONE).texture == max(index for index, place in enumerate(places) if place <= whole)


def test_visibility_bits_run_through_all_frames() -> None:
    visible = frozen(np.array([[True, False], [False, True], [True, True]]))
    animation = VisibilityAnimation("v", visible)
    assert [is_visible(animation, node, ONE) for node in (0, 1)] == [False, True]
    assert is_visible(animation, 2, 0) is False  # a node that the animation lacks takes the next frame's first bit
    assert is_visible(animation, 3, 0) is True
    assert is_visible(animation, 2, 2 * ONE) is False  # nothing follows the last frame
    assert is_visible(animation, 1, 99 * ONE) is True
    assert is_visible(animation, 0, -5) is True
