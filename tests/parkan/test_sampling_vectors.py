"""Every numeric vector of MSH sampling, blending and posing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats.binary import frozen
from formats.parkan import KEY, KeyPool, Msh, Track, Tracks
from formats.parkan.animation import canonical_words
from mapexplorer.parkan import (
    blend,
    frame_number,
    interpolate,
    model_poses,
    pose_matrix,
    sample,
    world_matrices,
)
from mapexplorer.parkan.sampling import key_pose

TOLERANCE = 1e-6


def close(found: Any, wanted: Any) -> None:
    assert np.asarray(found, float) == pytest.approx(np.asarray(wanted, float), abs=TOLERANCE)


def test_frame_index(truth: dict[str, Any]) -> None:
    cases = truth["frame_index"]
    for case in cases:
        frame = frame_number(case["t"])
        assert (frame, frame & 0xFFFFFFFF) == (case["frame"], case["frame_as_u32"]), case
        assert frame_number(case["t"], single_precision=True) == case["single_precision_frame"], case
    assert len(cases) == 29


def test_half_even(truth: dict[str, Any]) -> None:
    cases = truth["half_even"]
    for case in cases:
        assert frame_number(case["x"] + 0.5) == case["rounded"], case
    assert len(cases) == 10


def test_decode_key(truth: dict[str, Any]) -> None:
    cases = truth["decode_key"]
    for case in cases:
        keys = frozen(np.frombuffer(bytes.fromhex(case["hex"]), KEY))
        pool = KeyPool(1, keys, frozen([], np.uint16), frozen([0xFFFF], np.uint16), frozen([0], np.uint16))
        pose = key_pose(pool, 0)
        close(pose.position, case["pos"])
        close(pose.orientation, case["quat_wxyz"])
        assert keys["time"][0] == case["time"]
        assert keys["orientation"][0].tolist() == case["raw_xyzw"]
    assert len(cases) == 4


def test_canonical_map(truth: dict[str, Any]) -> None:
    cases = truth["canonical_map"]
    for case in cases:
        keys = np.zeros(len(case["key_times"]), KEY)
        keys["time"] = case["key_times"]
        track = Track(frozen(keys), len(keys) > 1)
        pool = Tracks((track,), case["frame_count"]).pool()
        if case["map"] is None:
            assert not track.mapped
            assert (pool.map_starts.tolist(), len(pool.words)) == ([0xFFFF], 0)
            continue
        assert track.mapped
        words = canonical_words(case["key_times"], case["frame_count"]) + case["local_start_index"]
        assert words.tolist() == pool.words.tolist() == case["map"], case
    assert len(cases) == 5


def test_model(truth: dict[str, Any], anim: Msh) -> None:
    wanted = truth["model"]
    pool = anim.animation.pool()
    assert pool.frame_count == wanted["frame_count"]
    assert pool.words.tolist() == wanted["map"]
    for node in wanted["nodes"]:
        number = node["index"]
        found = (anim.nodes["parent"][number], pool.map_starts[number], pool.fallbacks[number])
        assert found == (node["parent"], node["map_start"], node["fallback_key"])
        assert anim.node_name(number) == node["name"]
    for key in wanted["keys"]:
        record = pool.keys[key["index"]]
        assert record["position"].tolist() == pytest.approx(key["pos"])
        assert record["time"] == key["time"]
        assert record["orientation"].tolist() == key["raw_xyzw"]
    assert (len(wanted["nodes"]), len(wanted["keys"]), len(wanted["map"])) == (4, 8, 16)
    assert (len(anim.nodes), len(pool.keys)) == (4, 8)


def check_sample(pool: KeyPool, case: dict[str, Any]) -> None:
    found = sample(pool, case["node"], case["t"])
    assert (found.frame, found.key, found.branch) == (case["frame"], case["key"], case["branch"]), case
    if case["alpha"] is None:
        assert found.alpha is None
    else:
        assert found.alpha == pytest.approx(case["alpha"], abs=TOLERANCE)
    close(found.orientation, case["quat_wxyz"])
    close(found.position, case["pos"])


def test_sample(truth: dict[str, Any], anim: Msh) -> None:
    cases = truth["sample"]
    for case in cases:
        check_sample(anim.animation.pool(), case)
    assert len(cases) == 32


# The change of each non-canonical case, by its text: (field, index, value); node 1's map block begins at word 0.
CHANGES = {
    "map word of node 1 at frame 3 := 9": ("words", 3, 9),
    "map word of node 1 at frame 3 := 4": ("words", 3, 4),
    "map word of node 1 at frame 3 := 1": ("words", 3, 1),
    "map word of node 1 at frame 0 := 3": ("words", 0, 3),
    "node 1 mapStart := 0xFFFF": ("map_starts", 1, 0xFFFF),
    "frame_count := 3": ("frame_count", None, 3),
    "odd-frame effect: map word of node 1 at frame 2 := 1": ("words", 2, 1),
}


def test_sample_noncanonical(truth: dict[str, Any], anim: Msh) -> None:
    cases = truth["sample_noncanonical"]
    pool = anim.animation.pool()
    used = set()
    for case in cases:
        text = max((text for text in CHANGES if case["change"].startswith(text)), key=len)
        used.add(text)
        field, index, value = CHANGES[text]
        if index is None:
            changed = replace(pool, **{field: value})
        else:
            values = getattr(pool, field).copy()
            values[index] = value
            changed = replace(pool, **{field: frozen(values)})
        check_sample(changed, case)
    assert len(cases) == 8
    assert used == set(CHANGES)


def test_quat_interp(truth: dict[str, Any]) -> None:
    cases = truth["quat_interp"]
    for case in cases:
        close(interpolate(case["q0_wxyz"], case["q1_wxyz"], case["a"]), case["result_wxyz"])
    assert len(cases) == 12


def test_quat_to_matrix(truth: dict[str, Any]) -> None:
    cases = truth["quat_to_matrix"]
    for case in cases:
        matrix = pose_matrix(case["quat_wxyz"], case["pos"])
        close(matrix, case["matrix"])
        image = np.reshape(matrix, (4, 4)) @ (1, 0, 0, 1)
        close(image[:3], case["column_vector_image_of_1_0_0"])
    assert len(cases) == 5


def test_blend(truth: dict[str, Any], anim: Msh) -> None:
    cases = truth["blend"]
    branches = set()
    for case in cases:
        found = blend(anim.animation, case["node"], case["tA"], case["tB"], case["blend"])
        branches.add(case["branch"])
        if case["branch"] == "none":
            assert found is None, case
            continue
        assert found is not None
        assert (found.branch, found.flipped) == (case["branch"], case.get("flipped", False)), case
        close(found.orientation, case["quat_wxyz"])
        close(found.position, case["pos"])
        close(found.matrix(), case["matrix"])
    assert len(cases) == 14
    assert branches == {"A", "B", "both", "none"}


def test_hierarchy(truth: dict[str, Any], anim: Msh) -> None:
    cases = truth["hierarchy"]
    checked = 0
    for case in cases:
        worlds = world_matrices(anim, model_poses(anim, case["t"]))
        for node in case["nodes"]:
            world = worlds[node["node"]]
            close(world, node["world"])
            image = np.reshape(world, (4, 4)) @ (*node["image_of_point"]["local"], 1.0)
            close(image[:3], node["image_of_point"]["world"])
            checked += 1
    assert (len(cases), checked) == (4, 16)
