"""Cameras that the game does not have: straight above, and free."""

from __future__ import annotations

import numpy as np
import pytest

from formats.fixed import ONE
from mapexplorer.scene.camera import Pose, SceneCamera, biased, free_camera, top_camera


def screen(camera: SceneCamera, point: tuple[float, float, float]) -> tuple[float, float, float]:
    """Where a point in units appears: pixels from the top left, and depth from -1 (near) to 1."""
    view = np.eye(4)
    view[:, :3] = np.array(camera.view, float).reshape(4, 3) / ONE
    clip = np.array([*point, 1.0]) @ view @ (np.array(camera.projection, float).reshape(4, 4) / ONE)
    x, y, z = clip[:3] / clip[3]
    return (x + 1) * 128, (1 - y) * 96, z


@pytest.mark.parametrize("scale", [0.25, 1.0, 2.0])
def test_top_camera_is_exact_and_north_is_up(scale: float) -> None:
    camera = top_camera((1000 * ONE, 5 * ONE, 2000 * ONE), scale)
    assert screen(camera, (1000, 0, 2000))[:2] == (128, 96)
    assert screen(camera, (1000 + 40 / scale, 300, 2000 + 24 / scale))[:2] == (168, 120)
    low, high = screen(camera, (1000, -500, 2000))[2], screen(camera, (1000, 1500, 2000))[2]
    assert -1 < high < low < 1, "what is higher is nearer, and both are seen"


def test_free_camera_looks_where_it_is_told() -> None:
    camera = free_camera(Pose((100, 50, 200), yaw=90, pitch=0))
    x, y, depth = screen(camera, (400, 50, 200))
    assert abs(x - 128) < 0.5 and abs(y - 96) < 0.5 and -1 < depth < 1
    assert screen(camera, (400, 50, 220))[0] > 140, "south is on the right when one looks east"
    assert screen(free_camera(Pose((0, 0, 0), pitch=30)), (0, -100, -173.2))[1] == pytest.approx(96, abs=0.5)


@pytest.mark.parametrize(
    "pose",
    [Pose((0, 0, 0), fov=0.5), Pose((0, 0, 0), pitch=90), Pose((0, 0, 0), near=0), Pose((0, 0, 0), near=9, far=8)],
)
def test_a_pose_that_cannot_see_is_refused(pose: Pose) -> None:
    with pytest.raises(ValueError, match="free camera"):
        free_camera(pose)


def test_the_bias_brings_a_sprite_nearer_by_a_few_units_only() -> None:
    for camera in (free_camera(Pose((0, 0, 0), pitch=0)), top_camera((0, 0, 0))):
        near = SceneCamera(biased(camera), camera.view, camera.target, camera.kind, 0)
        here = (0, 0, -400) if camera.kind == "free" else (0, 0, 0)
        ahead = [(0, 0, -390), (0, 0, -380)] if camera.kind == "free" else [(0, 8, 0), (0, 16, 0)]
        assert screen(near, here)[2] < screen(camera, here)[2]
        assert screen(near, here)[2] > screen(camera, ahead[1])[2]
