"""Properties of sampling and blending that hold for any canonical model, and the answers outside of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import frozen
from formats.parkan import KEY, Msh, Track, Tracks
from mapexplorer.parkan import blend, frame_number, interpolate, model_poses, quaternion_order, sample, world_matrices

angles = st.floats(-math.pi, math.pi)
gaps = st.lists(st.integers(1, 9), min_size=0, max_size=6)


@st.composite
def animations(draw: st.DrawFn) -> Tracks:
    tracks = []
    for _ in range(draw(st.integers(1, 4))):
        times = np.cumsum([0, *draw(gaps)])
        keys = np.zeros(len(times), KEY)
        keys["time"] = times
        for key in keys:
            half = draw(angles) / 2
            key["orientation"] = [round(32767 * part) for part in (math.sin(half), 0, 0, math.cos(half))]
            key["position"] = [draw(st.integers(-8, 8)) for _ in range(3)]
        tracks.append(Track(frozen(keys), len(keys) > 1))
    return Tracks(tuple(tracks))


@settings(max_examples=60, deadline=None)
@given(animations())
def test_a_canonical_map_gives_the_track_by_time(animation: Tracks) -> None:
    pool = animation.pool()
    for node, track in enumerate(animation.tracks):
        times = track.keys["time"].astype(float)
        for step in range(4 * pool.frame_count - 3):
            time = step / 4
            found = sample(pool, node, time)
            for axis in range(3):
                wanted = np.interp(time, times, track.keys["position"][:, axis].astype(float))
                if time > times[-1] or time in times:
                    wanted = track.keys["position"][min(np.searchsorted(times, time), len(times) - 1), axis]
                assert found.position[axis] == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(animations(), st.floats(0, 30, width=32), st.floats(0, 1))
def test_blending_a_pose_with_itself_changes_nothing(animation: Tracks, time: float, weight: float) -> None:
    for node in range(len(animation.tracks)):
        alone = sample(animation, node, time)
        mixed = blend(animation, node, time, time, weight)
        assert mixed is not None
        assert mixed.position == pytest.approx(alone.position, abs=1e-9)
        # Rounding leaves stored quaternions a little off unit length, which the interpolation takes for an angle.
        assert mixed.orientation == pytest.approx(alone.orientation, abs=2 / 32767)


def test_frame_of_numbers_that_do_not_fit() -> None:
    assert frame_number(math.inf) == frame_number(-math.inf) == frame_number(math.nan) == 0
    assert frame_number(2.0**31 + 2) == -(2**31) + 2
    assert frame_number(2.0**63) == 0


def test_a_time_that_is_no_number_takes_no_part_in_a_blend(anim: Msh) -> None:
    assert blend(anim.animation, 1, math.nan, math.nan, 0.5) is None
    only = blend(anim.animation, 1, math.nan, 2.0, 0.5)
    assert only is not None
    assert only.branch == "B"
    with pytest.raises(ValueError, match="finite"):
        sample(anim.animation, 1, math.nan)
    with pytest.raises(ValueError, match="node 4"):
        sample(anim.animation, 4, 0.0)


def test_a_segment_without_length_gives_its_first_key(anim: Msh) -> None:
    pool = anim.animation.pool()
    words = pool.words.copy()
    words[8 + 1] = 0  # node 2 points at the root's key, behind which another key of time 0 follows
    found = sample(replace(pool, words=frozen(words)), 2, 1.5)
    assert (found.branch, found.key) == ("k0", 0)


def test_quaternion_order_from_the_identity_keys(anim: Msh) -> None:
    pool = anim.animation.pool()
    assert quaternion_order(pool) == "xyzw"
    turned = pool.keys.copy()
    turned["orientation"] = np.roll(turned["orientation"], 1, axis=1)
    other = replace(pool, keys=frozen(turned))
    assert quaternion_order(other) == "wxyz"
    for time in (0.0, 1.0, 3.5, 7.0):
        for node in range(4):
            wanted = sample(pool, node, time)
            found = sample(other, node, time, order="auto")
            assert found.orientation == pytest.approx(wanted.orientation)
    assert sample(other, 0, 0.0).orientation == (0.0, 1.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="order"):
        sample(pool, 0, 0.0, order="zyxw")  # type: ignore[arg-type]


def test_a_tie_of_the_votes_keeps_the_order_of_the_specification(anim: Msh) -> None:
    keys = anim.animation.pool().keys[:2].copy()
    keys["orientation"] = [(32767, 0, 0, 0), (0, 0, 0, -32767)]
    pool = replace(anim.animation.pool(), keys=frozen(keys))
    assert quaternion_order(pool) == "xyzw"


def test_root_translation_can_be_left_out(anim: Msh) -> None:
    poses = list(model_poses(anim, 0.0))
    poses[0] = replace(poses[0], position=(5.0, 6.0, 7.0))
    kept = world_matrices(anim, tuple(poses))
    dropped = world_matrices(anim, tuple(poses), keep_root_translation=False)
    difference = np.subtract(kept, dropped).reshape(-1, 4, 4)
    assert difference[:, :3, 3] == pytest.approx(np.tile((5.0, 6.0, 7.0), (4, 1)))
    assert difference[:, :3, :3] == pytest.approx(0)


def test_nearly_equal_quaternions_are_mixed_in_a_straight_line() -> None:
    a = (1.0, 0.0, 0.0, 0.0)
    longer = (1.00002, 0.0, 0.0, 0.0)  # what rounding of stored words can give: the arc cosine does not exist
    assert interpolate(a, longer, 0.5) == pytest.approx((1.00001, 0, 0, 0))
