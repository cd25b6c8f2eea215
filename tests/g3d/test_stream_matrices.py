"""Matrices of models built by hand: scaling rules, billboards, weighted nodes, mapped textures, the engine itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.binary import frozen
from formats.fixed import ONE
from formats.nds import gx
from formats.nitro import sbc
from formats.nitro.animation import Curve
from formats.nitro.material import EFFECT_MATRIX, Material
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import Node
from formats.nitro.nsbca import JointAnimation, JointTrack
from mapexplorer.g3d import draw_commands
from mapexplorer.g3d.camera import look_at
from mapexplorer.g3d.engine import CommandStream, Matrices, to33, to43
from mapexplorer.g3d.flush import FOLDED_ALL, FOLDED_VIEW, SEPARATE, DrawTransform, send_flush
from mapexplorer.g3d.matrix import multiply43
from mapexplorer.g3d.stream import send_model, upright_axes

Build = Callable[..., Model]
Split = Callable[[Any], list[tuple[int, ...]]]
Sent = Callable[[Material], list[tuple[int, ...]]]

QUARTER_TURN = (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE)
READ_BACK = [(gx.MTX_MODE, 0), (gx.MTX_PUSH,), (gx.MTX_IDENTITY,), (gx.MTX_POP, 1), (gx.MTX_MODE, 2)]


def engine_after(words: Any, commands_of: Split) -> Matrices:
    engine = Matrices()
    for number, *parameters in commands_of(words):
        engine.execute(number, parameters)
    return engine


PARENT = Node("parent", None, None, (2 * ONE, ONE, ONE), (ONE // 2, ONE, ONE))
CHILD = Node("child", (ONE, 0, 0), QUARTER_TURN)


def family(make_model: Build, rule: int, child: Node = CHILD) -> Model:
    script = ((sbc.NODEDESC, 0, (0, 0, 2)), (sbc.NODEDESC, 0, (1, 0, 1)))
    return make_model(nodes=(PARENT, child), sbc=script, scaling_rule=rule)


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        (0, (0, ONE, 0, -2 * ONE, 0, 0, 0, 0, ONE)),
        (1, (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE)),
        (2, (0, 2 * ONE, 0, -ONE, 0, 0, 0, 0, ONE)),
    ],
)
def test_scaling_rules(make_model: Build, commands_of: Split, rule: int, rows: tuple[int, ...]) -> None:
    engine = engine_after(draw_commands(family(make_model, rule)), commands_of)
    assert to43(engine.position) == (*rows, 2 * ONE, 0, 0)
    assert to33(engine.vector) == QUARTER_TURN


def test_maya_compensation_splits_translation_and_rotation(make_model: Build, commands_of: Split) -> None:
    child = dataclasses.replace(CHILD, scale=(ONE, 3 * ONE, ONE), inverse_scale=(ONE, ONE // 3, ONE))
    assert commands_of(draw_commands(family(make_model, 1, child))) == [
        (gx.MTX_SCALE, 2 * ONE, ONE, ONE),
        (gx.MTX_TRANS, ONE, 0, 0),
        (gx.MTX_SCALE, ONE // 2, ONE, ONE),
        (gx.MTX_MULT_3X3, *QUARTER_TURN),
        (gx.MTX_SCALE, ONE, 3 * ONE, ONE),
    ]
    plain = make_model(nodes=(PARENT, CHILD), sbc=((sbc.NODEDESC, 0, (1, 0, 1)),), scaling_rule=1)
    assert commands_of(draw_commands(plain)) == [(gx.MTX_MULT_4X3, *QUARTER_TURN, ONE, 0, 0)]


def test_compensation_uses_the_animated_stored_inverse(make_model: Build, commands_of: Split) -> None:
    scale = (Curve.constant(4 * ONE, 1000), Curve.constant(ONE, ONE), Curve.constant(ONE, ONE))
    empty = frozen(np.zeros((0, 6)), np.int16)
    animation = JointAnimation("a", 1, (JointTrack(scale=scale),), (), empty)
    words = draw_commands(family(make_model, 1), animations=[animation])
    assert (gx.MTX_SCALE, 1000, ONE, ONE) in commands_of(words)


@settings(deadline=None)
@given(st.lists(st.integers(ONE // 2, 3 * ONE), min_size=9, max_size=9), st.integers(-8 * ONE, 8 * ONE))
def test_softimage_scales_never_shear(make_model: Build, commands_of: Split, scales: list[int], move: int) -> None:
    """Rows of a chain of scaled and turned nodes stay at right angles, and have all scales as lengths."""
    nodes = []
    for index in range(3):
        scale = (scales[3 * index], scales[3 * index + 1], scales[3 * index + 2])
        inverse = tuple([round(ONE * ONE / value) for value in scale])
        turn = (3547, 2048, 0, -2048, 3547, 0, 0, 0, ONE)
        nodes.append(Node(f"n{index}", (move, ONE, 0), turn, scale, inverse))  # type: ignore[arg-type]
    script = tuple([(sbc.NODEDESC, 0, (index, max(0, index - 1), 0)) for index in range(3)])
    model = make_model(nodes=tuple(nodes), sbc=script, scaling_rule=2)
    rows = np.array(to33(engine_after(draw_commands(model), commands_of).position), float).reshape(3, 3) / ONE
    lengths = np.prod(np.array(scales, float).reshape(3, 3) / ONE, 0)
    assert np.allclose(np.linalg.norm(rows, axis=1), lengths, rtol=0.02)
    assert np.allclose(rows @ rows.T, np.diag(lengths**2), atol=0.03 * lengths.max() ** 2)


AROUND_Y = (3547, 0, -2048, 0, ONE, 0, 2048, 0, 3547)
CAMERA = look_at((30000, 20000, 50000), (0, 1000, 0))
VIEWS = [
    DrawTransform(
        kind,
        camera=CAMERA,
        base_rotation=AROUND_Y,
        base_translation=(9000, -3000, 500),
        base_scale=(ONE, 2 * ONE, ONE),
    )
    for kind in (SEPARATE, FOLDED_VIEW, FOLDED_ALL)
]


def current_in_view(view: DrawTransform, commands: CommandStream) -> tuple[int, ...]:
    current = to43(commands.matrices.position)
    outside = view.outside()
    return current if outside is None else multiply43(current, outside)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"kind{view.kind}")
@pytest.mark.parametrize("opcode", [sbc.BB, sbc.BBY])
def test_billboards_keep_place_and_scale(make_model: Build, view: DrawTransform, opcode: int) -> None:
    turn = QUARTER_TURN if opcode == sbc.BB else AROUND_Y
    node = Node("n", (5000, 6000, 7000), turn, (8192, 4096, 2048), (2048, 4096, 8192))
    describe = (sbc.NODEDESC, 0x20, (0, 0, 0, 4))
    plain, turned = [
        make_model(nodes=(node,), sbc=script)
        for script in ((describe,), (describe, (sbc.MTX, 0, (7,)), (opcode, 0x60, (0, 5, 4)), (sbc.MTX, 0, (5,))))
    ]
    results = []
    for model in (plain, turned):
        commands = CommandStream()
        send_flush(commands, view)
        send_model(commands, model, view=view)
        results.append(np.array(current_in_view(view, commands), float).reshape(4, 3))
    before, after = results
    assert np.allclose(before[3], after[3], atol=60)
    lengths = np.linalg.norm(before[:3], axis=1)
    assert np.allclose(np.linalg.norm(after[:3], axis=1), lengths, rtol=0.01, atol=20)
    if opcode == sbc.BB:
        assert np.allclose(after[:3], np.diag(lengths), atol=60)
    else:
        assert np.allclose(after[1], before[1], atol=60)
        assert np.allclose(after[0], (lengths[0], 0, 0), atol=60)


def test_billboard_commands(make_model: Build, commands_of: Split) -> None:
    node = Node("n", (1, 2, 3), QUARTER_TURN, (8192, 4096, 2048), (2048, 4096, 8192))
    model = make_model(
        nodes=(node,), sbc=((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.BB, 0x60, (0, 9, 31)), (sbc.BBY, 0, (0,)))
    )
    commands = commands_of(draw_commands(model))
    assert commands[2:] == [
        (gx.MTX_RESTORE, 31),
        *READ_BACK,
        (gx.MTX_LOAD_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0),
        (gx.MTX_SCALE, ONE, ONE, ONE),
        (gx.MTX_STORE, 9),
        *READ_BACK,
        (gx.MTX_LOAD_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0),
        (gx.MTX_SCALE, ONE, ONE, ONE),
    ]


def test_upright_axes() -> None:
    assert upright_axes((0, 3000, 4000), (0, 0, 0)) == (ONE, 0, 0, 0, 2458, 3277, 0, -3277, 2458)
    leaning = upright_axes((4000, 3000, 0), (1, 2, 3))
    assert leaning == (ONE, 0, 0, 3277, 2458, 0, 0, 0, 2458)
    assert upright_axes((7, 0, 0), (0, 0, 5)) == (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)
    assert upright_axes((7, 0, 0), (0, 0, 0)) == (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)


def test_weighted_nodes(make_model: Build, commands_of: Split) -> None:
    envelopes = np.zeros(2, ENVELOPE)
    envelopes["position"][:, :3] = envelopes["normal"] = np.eye(3) * ONE
    envelopes["position"][1, 3] = (-100, 0, 0)
    nodes = Node("a", (ONE, 0, 0)), Node("b", (0, ONE, 0), QUARTER_TURN)
    script = (
        (sbc.NODEDESC, 0x20, (0, 0, 0, 1)), (sbc.NODEDESC, 0x60, (1, 0, 0, 2, 30)),
        (sbc.NODEMIX, 0, (3, 1, 0, 64, 2, 1, 192)), (sbc.NODEMIX, 0, (4, 9, 1, 255)),
    )  # fmt: skip
    model = make_model(nodes=nodes, sbc=script, envelopes=frozen(envelopes))
    commands = commands_of(draw_commands(model))
    mixed = (ONE // 4, 3 * ONE // 4, 0, -3 * ONE // 4, ONE // 4, 0, 0, 0, ONE)
    first = commands.index((gx.MTX_STORE, 2)) + 1
    assert commands[first : first + 21] == [
        (gx.MTX_MODE, 0),
        (gx.MTX_STORE, 1),
        (gx.MTX_IDENTITY,),
        (gx.MTX_MODE, 2),
        (gx.MTX_RESTORE, 1),
        (gx.MTX_MODE, 1),
        (gx.MTX_MULT_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0),
        (gx.MTX_MODE, 2),
        (gx.MTX_MULT_3X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE),
        (gx.MTX_RESTORE, 2),
        (gx.MTX_MODE, 1),
        (gx.MTX_MULT_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, -100, 0, 0),
        (gx.MTX_MODE, 2),
        (gx.MTX_MULT_3X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE),
        (gx.MTX_LOAD_4X3, *mixed, 0, 0, 0),
        (gx.MTX_MODE, 1),
        (gx.MTX_LOAD_4X3, *mixed, ONE // 4, (ONE - 100) * 3 // 4, 0),
        (gx.MTX_MODE, 0),
        (gx.MTX_RESTORE, 1),
        (gx.MTX_MODE, 2),
        (gx.MTX_STORE, 3),
    ]
    # a node seen before sends nothing and counts as computed then, whatever the slot says
    assert commands[first + 21 : first + 26][-1][0] == gx.MTX_LOAD_4X3


def test_environment_map(make_model: Build, commands_of: Split, sent: Sent) -> None:
    effect = (ONE, 0, 0, 0, 0, 2 * ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE)
    material = Material("m", flags=0x1FCE | EFFECT_MATRIX, width=32, height=64, effect=effect)
    script = ((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.MAT, 0, (0,)), (sbc.ENVMAP, 0, (0, 0)))
    model = make_model(nodes=(CHILD,), materials=(material,), sbc=script)
    assert commands_of(draw_commands(model))[1:] == [
        *sent(material),
        (gx.TEXIMAGE_PARAM, -(1 << 31)),
        (gx.MTX_MODE, 3),
        (gx.MTX_SCALE, 1 << 20, -(1 << 21), 0x10000),
        (gx.TEXCOORD, 256 | 512 << 16),
        (gx.MTX_MULT_4X4, *effect),
        (gx.MTX_MODE, 2),
        *READ_BACK,
        (gx.MTX_MODE, 3),
        (gx.MTX_MULT_3X3, *QUARTER_TURN),
        (gx.MTX_MODE, 2),
    ]


def test_projection_map_goes_through_all_spaces(make_model: Build, commands_of: Split) -> None:
    """A vertex's texels: through the current matrix, back to the world, to (x + 1) W / 2 and (1 - y) H / 2."""
    material = Material("m", width=32, height=64)
    script = ((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.MAT, 0, (0,)), (sbc.PRJMAP, 0, (0, 1)), (sbc.SHP, 0, (0,)))
    view = DrawTransform(camera=CAMERA)
    commands = CommandStream()
    send_flush(commands, view)
    send_model(commands, make_model(nodes=(Node("n", (2048, 1024, 0)),), materials=(material,), sbc=script), view=view)
    split = commands_of(commands.words())
    place = len(split) - 5 - 5  # what follows: the triangle's five commands
    assert split[place][:1] == (gx.MTX_MODE,)
    load, texcoord = split[place + 1], split[place + 2]
    assert load[0] == gx.MTX_LOAD_4X4
    assert split[place + 3 : place + 5] == [(gx.MTX_MODE, 2), (gx.MTX_RESTORE, 30)]
    # the vertex at the model's origin stands at (0.5, 0.25, 0) of the world
    s, t = texcoord[1] & 0xFFFF, texcoord[1] >> 16
    assert abs(s - 16 * 1.5 * 32 / 2) <= 4
    assert abs(t - 16 * 0.75 * 64 / 2) <= 4
    # texels per unit of the model: W / 2 along x, -H / 2 along y, in the scale that vertex coordinates are generated by
    assert abs(load[1] - (32 << 15)) < 4000
    assert abs(load[6] + (64 << 15)) < 4000


def test_matrices_wrap_at_32_bits() -> None:
    engine = Matrices()
    engine.execute(gx.MTX_SCALE, (1 << 30, ONE, ONE))
    engine.execute(gx.MTX_SCALE, (4 * ONE, ONE, ONE))
    assert engine.position[0] == 0
    engine.execute(gx.MTX_LOAD_4X4, tuple([3 << 28] * 16))
    engine.execute(gx.MTX_MULT_4X4, tuple([(1 << 28) + 1] * 16))
    # 4 * (2^28 + 1) * 3 * 2^28 / 4096 = 3 * 2^46 + 3 * 2^18
    assert engine.position == engine.vector == tuple([3 << 18] * 16)
    engine.execute(gx.MTX_LOAD_4X3, (0x7FFFFFFF, 0, 0, 0, ONE, 0, 0, 0, ONE, 5, 0, 0))
    engine.execute(gx.MTX_TRANS, (2 * ONE, 0, 0))
    assert engine.position[12] == 3  # 2 * 0x7FFFFFFF + 5 = 2^32 + 3


def test_matrix_modes_of_the_engine() -> None:
    engine = Matrices()
    engine.execute(gx.MTX_STORE, (5,))
    engine.execute(gx.MTX_MODE, (1,))
    engine.execute(gx.MTX_MULT_3X3, QUARTER_TURN)
    assert to33(engine.vector) == (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)
    engine.execute(gx.MTX_PUSH, ())
    engine.execute(gx.MTX_MODE, (3,))
    engine.execute(gx.MTX_IDENTITY, ())
    engine.execute(gx.MTX_MODE, (0,))
    engine.execute(gx.MTX_RESTORE, (5,))
    engine.execute(gx.MTX_MODE, (2,))
    assert to33(engine.position) == QUARTER_TURN
    engine.execute(gx.MTX_TRANS, (1, 2, 3))
    engine.execute(gx.MTX_POP, (1,))
    assert to43(engine.position) == (*QUARTER_TURN, 0, 0, 0)
    engine.execute(gx.MTX_RESTORE, (5,))
    assert to33(engine.position) == (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)
