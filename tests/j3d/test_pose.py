"""Joint poses, draw matrices, triangles and animation of the sample models against their expected numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from formats.binary import frozen
from formats.j3d import Bck, Bmd
from mapexplorer.j3d.animation import sample_frames
from mapexplorer.j3d.geometry import geometry
from mapexplorer.j3d.pose import quaternions, rotation_matrices, world_matrices
from tests.j3d.conftest import draw_matrices, pose_at


def placed(model: Bmd, shape: int, world: np.ndarray | None = None) -> np.ndarray:
    """The positions of a shape's stored vertices after skinning."""
    shape_geometry = geometry(model.shapes[shape])
    positions = model.arrays[9].values[shape_geometry.indices[9]]
    matrices = draw_matrices(model, world)[shape_geometry.draw_matrices]
    return np.einsum("ni,nij->nj", np.c_[positions, np.ones(len(positions))], matrices)[:, :3]


def test_world_matrices_follow_the_three_scaling_rules(models: dict[str, Bmd], expected: dict[str, Any]) -> None:
    rules = set()
    for name, model in models.items():
        wanted = np.array(expected[name]["joint_world"]).reshape(-1, 4, 4)
        np.testing.assert_allclose(world_matrices(model).transpose(0, 2, 1), wanted, atol=2e-6)
        rules.add(model.information.scaling_rule)
    assert rules == {0, 1, 2}


def test_vertices_land_where_they_should(models: dict[str, Bmd], expected: dict[str, Any]) -> None:
    shapes = triangles = 0
    for name, model in models.items():
        for entry in expected[name]["shapes"]:
            shape = model.shapes[entry["shape"]]
            assert shape.matrix_type == entry["matrix_type"]
            np.testing.assert_allclose(placed(model, entry["shape"]), entry["positions"], atol=2e-5)
            found = geometry(shape).triangles
            assert found.tolist() == entry["triangles"]
            assert len(found) == entry["triangle_count"]
            shapes, triangles = shapes + 1, triangles + len(found)
    assert (shapes, triangles) == (38, 97)


def test_lines_and_points_are_kept_apart(models: dict[str, Bmd]) -> None:
    found = geometry(models["synth_prims.bmd"].shapes[0])
    opcodes = np.concatenate([packet.opcodes for packet in models["synth_prims.bmd"].shapes[0].packets])
    assert {0xA8, 0xB0, 0xB8} <= set(opcodes.tolist())
    assert len(found.lines) > 0
    assert len(found.points) > 0
    used = np.concatenate((found.triangles.ravel(), found.lines.ravel(), found.points))
    assert sorted(set(used.tolist())) == list(range(len(found.draw_matrices)))


def test_animation_gives_the_expected_poses(wave: Bck, expected: dict[str, Any]) -> None:
    poses = expected["synth_skin_wave.bck"]["poses"]
    assert len(poses) == 7
    for wanted in poses:
        pose = pose_at(wave, wanted["frame"])
        for i, joint in enumerate(wanted["joints"]):
            np.testing.assert_allclose(pose.scales[i], joint["scale"], atol=1e-5)
            np.testing.assert_allclose(pose.translations[i], joint["trans"], atol=1e-4)
            assert pose.rotations[i].tolist() == joint["rot_s16"]


def test_frames_together_are_frames_one_by_one(wave: Bck) -> None:
    frames = np.array([-3.0, 0, 0.5, 7.25, 30, 99])
    together = sample_frames(wave, frames)
    for i, frame in enumerate(frames):
        pose = pose_at(wave, float(frame))
        for all_frames, one in zip(together, (pose.scales, pose.rotations, pose.translations), strict=True):
            np.testing.assert_array_equal(all_frames[i], one)


def test_quaternions_turn_as_the_matrices_do() -> None:
    rotations = np.random.default_rng(5).integers(-32768, 32768, (200, 3))
    for (x, y, z, w), rows in zip(quaternions(rotations), rotation_matrices(rotations), strict=True):
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        np.testing.assert_allclose(np.eye(3) + 2 * w * cross + 2 * cross @ cross, rows.T, atol=1e-12)


def test_rotation_applies_x_first() -> None:
    quarter = 0x4000
    turned = np.array([0, 1, 0]) @ rotation_matrices([quarter, quarter, 0])
    np.testing.assert_allclose(turned, [1, 0, 0], atol=1e-12)  # y turns about x to z, z about y to x


def test_rotation_values_wrap_and_truncate_toward_zero(wave: Bck) -> None:
    tracks = wave.tracks.copy()
    tracks["count"] = 0
    tracks[0, 0, 1] = (2, 0, 0)
    tracks[0, 1, 1] = (1, 6, 0)
    keys = [0, -3, 0, 2, -4, 0, 0x3000]
    changed = replace(wave, tracks=frozen(tracks), rotations=frozen(keys, np.int16), rotation_shift=2)
    pose = pose_at(changed, 1)
    assert pose.rotations[0].tolist() == [-12, -0x4000, 0]  # -3.5 becomes -3; 0x3000 << 2 wraps to -0x4000


@pytest.mark.parametrize("scale", [(0.0, 1.0, 1.0), (2.0, -1.0, 0.5)])
def test_no_scale_breaks_the_maya_rule(models: dict[str, Bmd], scale: tuple[float, ...]) -> None:
    model = models["synth_scale_maya.bmd"]
    joints = (replace(model.joints[0], scale=scale), *model.joints[1:])
    assert np.isfinite(world_matrices(replace(model, joints=joints))).all()
