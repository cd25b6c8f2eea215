"""Node transforms under the three scaling rules, and the matrix helpers, on worked numbers."""

from __future__ import annotations

import numpy as np
import pytest

from formats.nds import gx
from formats.nitro.model import MAYA, SOFTIMAGE, STANDARD
from formats.nitro.node import Node, Pivot
from mapexplorer.g3d.matrix import IDENTITY33, IDENTITY43, inverse43, multiply43, translate43
from mapexplorer.g3d.transform import (
    COMPENSATE,
    REMEMBER,
    JointResult,
    Local,
    ScalingRule,
    apply_commands,
    joint_commands,
)

ONE = 4096
QUARTER_TURN = (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE)
ROWS = {
    STANDARD: (0, ONE, 0, -2 * ONE, 0, 0, 0, 0, ONE),
    MAYA: (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE),
    SOFTIMAGE: (0, 2 * ONE, 0, -ONE, 0, 0, 0, 0, ONE),
}


@pytest.mark.parametrize("rule", [STANDARD, MAYA, SOFTIMAGE])
def test_child_of_a_stretched_parent(rule: int) -> None:
    scaling = ScalingRule(rule)
    parent = scaling.joint(0, 0, REMEMBER, Local(scale=(2 * ONE, ONE, ONE), inverse_scale=(ONE // 2, ONE, ONE)))
    child = scaling.joint(1, 0, COMPENSATE, Local(translation=(ONE, 0, 0), rotation=QUARTER_TURN))
    matrices = apply_commands(joint_commands(parent, rule), IDENTITY43, IDENTITY33)
    position, vector = apply_commands(joint_commands(child, rule), *matrices)
    assert position == (*ROWS[rule], 2 * ONE, 0, 0)
    assert vector == QUARTER_TURN


def test_maya_looks_at_the_immediate_parent_only() -> None:
    scaling = ScalingRule(MAYA)
    scaling.joint(0, 0, REMEMBER, Local(scale=(2 * ONE,) * 3, inverse_scale=(ONE // 2,) * 3))
    scaling.joint(1, 0, REMEMBER | COMPENSATE, Local())
    grandchild = scaling.joint(2, 1, COMPENSATE, Local(translation=(1, 2, 3), rotation=QUARTER_TURN))
    assert grandchild.extra0 is None and grandchild.compensated
    assert [command[0] for command in joint_commands(grandchild, MAYA)] == [gx.MTX_MULT_4X3]


def test_softimage_accumulates() -> None:
    scaling = ScalingRule(SOFTIMAGE)
    scaling.joint(0, 0, 0, Local(scale=(2 * ONE,) * 3, inverse_scale=(ONE // 2,) * 3))
    scaling.joint(1, 0, 0, Local(scale=(3 * ONE,) * 3, inverse_scale=(1365,) * 3))
    joint = scaling.joint(2, 1, 0, Local(translation=(ONE, 0, 0)))
    assert joint.extra0 == (6 * ONE,) * 3 and joint.extra1 == (682,) * 3
    assert joint.translation == (6 * ONE, 0, 0)


def test_accumulated_scales_wrap_as_words() -> None:
    scaling = ScalingRule(SOFTIMAGE)
    for node in range(5):
        joint = scaling.joint(node, max(node - 1, 0), 0, Local(scale=(0x7FFFFFFF,) * 3, inverse_scale=(1,) * 3))
    assert joint.extra0 is not None and all(-(1 << 31) <= value < 1 << 31 for value in joint.extra0)


@pytest.mark.parametrize(
    ("joint", "rule", "expected"),
    [
        (JointResult(), STANDARD, []),
        (JointResult(translation=(1, 2, 3)), STANDARD, [gx.MTX_TRANS]),
        (JointResult(rotation=QUARTER_TURN), STANDARD, [gx.MTX_MULT_3X3]),
        (JointResult((1, 2, 3), QUARTER_TURN, (4, 5, 6)), STANDARD, [gx.MTX_MULT_4X3, gx.MTX_SCALE]),
        (JointResult(scale=(ONE, ONE, ONE)), STANDARD, [gx.MTX_SCALE]),
        (
            JointResult((1, 2, 3), QUARTER_TURN, (4, 5, 6), (7, 8, 9), compensated=True),
            MAYA,
            [gx.MTX_TRANS, gx.MTX_SCALE, gx.MTX_MULT_3X3, gx.MTX_SCALE],
        ),
    ],
)
def test_commands(joint: JointResult, rule: int, expected: list[int]) -> None:
    assert [command[0] for command in joint_commands(joint, rule)] == expected


def test_flags_come_from_what_is_absent() -> None:
    assert JointResult().flags == 1 | 2 | 4 | 8 | 16
    assert JointResult(scale=(ONE, ONE, ONE), translation=(0, 0, 0)).flags == 2 | 8 | 16
    assert JointResult(compensated=True).flags & 32


def test_rest_of_a_pivot_node() -> None:
    local = Local.rest(Node("n", (1, 2, 3), Pivot(4, False, True, False, 3547, 2048)))
    assert local.rotation == (3547, 0, 2048, 0, 4096, 0, -2048, 0, 3547)
    assert local.translation == (1, 2, 3) and local.scale is None


def test_matrix_product_agrees_with_floats_and_floors() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        a, b = (tuple(rng.integers(-20000, 20000, 12).tolist()) for _ in range(2))
        full = [np.vstack([np.array(m).reshape(4, 3).T, [0, 0, 0, ONE]]).T / ONE for m in (a, b)]
        exact = (full[0] @ full[1])[:, :3].ravel() * ONE
        found = np.array(multiply43(a, b))
        assert (found <= exact + 1e-6).all() and (exact - found < 1 + 1e-6).all()


def test_inverse() -> None:
    matrix = (3547, 2048, 0, -2048, 3547, 0, 0, 0, ONE, 5 * ONE, -3 * ONE, 7 * ONE)
    product = np.array(multiply43(matrix, inverse43(matrix)))
    assert np.abs(product - np.array(IDENTITY43)).max() <= 16
    assert inverse43(translate43((1, 2, 3), IDENTITY43))[9:] == (-1, -2, -3)
    with pytest.raises(ZeroDivisionError):
        inverse43((0,) * 12)
