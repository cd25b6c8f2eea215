"""Streams of models built by hand: what no model of the game contains, and what is refused."""

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
from formats.nitro.material import EFFECT_MATRIX, NO_TEXTURE_ROTATION, TEXTURE_MATRIX, WIREFRAME, Material
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import Node
from formats.nitro.nsbca import JointAnimation, JointTrack
from formats.nitro.nsbma import ColorAnimation, ColorTrack, Nsbma
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta, TextureSrtAnimation, TextureSrtTrack
from formats.nitro.nsbtp import KEEP_PALETTE, KEY, PatternAnimation, PatternTrack
from formats.nitro.nsbva import VisibilityAnimation
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.g3d import draw_commands
from mapexplorer.g3d.camera import look_at
from mapexplorer.g3d.engine import Commands, Matrices, to33, to43
from mapexplorer.g3d.flush import FOLDED_ALL, FOLDED_VIEW, SEPARATE, View, send_flush
from mapexplorer.g3d.matrix import multiply43
from mapexplorer.g3d.stream import send_model, upright_axes

Build = Callable[..., Model]
Split = Callable[[Any], list[tuple[int, ...]]]

QUARTER_TURN = (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE)
TRIANGLE = [(gx.BEGIN_VTXS, 0), *[(gx.VTX_16, 0, 0)] * 3, (gx.END_VTXS,)]
READ_BACK = [(gx.MTX_MODE, 0), (gx.MTX_PUSH,), (gx.MTX_IDENTITY,), (gx.MTX_POP, 1), (gx.MTX_MODE, 2)]


def sent(material: Material) -> list[tuple[int, ...]]:
    return [
        (gx.DIF_AMB, material.dif_amb),
        (gx.SPE_EMI, material.spe_emi),
        (gx.POLYGON_ATTR, material.polygon_attr),
        (gx.TEXIMAGE_PARAM, material.teximage_param),
        (gx.PLTT_BASE, 0),
    ]


def engine_after(words: Any, commands_of: Split) -> Matrices:
    engine = Matrices()
    for number, *parameters in commands_of(words):
        engine.execute(number, parameters)
    return engine


# scaling rules -----------------------------------------------------------------------------------------------------

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


# texture matrices --------------------------------------------------------------------------------------------------


def srt(material: str = "material") -> TextureSrtAnimation:
    channels = [Curve.constant(8192), Curve.constant(2048), Curve.constant(2048, 3547)]
    track = TextureSrtTrack(material, *channels, Curve.constant(1024), Curve.constant(-512))
    return TextureSrtAnimation("srt", 1, (track,))


@pytest.mark.parametrize(
    ("mode", "matrix"),
    [
        (0, (7094, -2048, 2048, 1773, -1816064, 2500096)),
        (1, (8192, 0, 0, 2048, -1048576, 262144)),
        (2, (7094, 2048, -2048, 1773, 945920, 569216)),
        (3, (7094, 2048, -2048, 1773, 1452032, 1890304)),
    ],
)
def test_texture_matrix_modes(make_model: Build, commands_of: Split, mode: int, matrix: tuple[int, ...]) -> None:
    material = Material("material", width=32, height=64)
    model = make_model(materials=(material,), texture_matrix_mode=mode)
    commands = commands_of(draw_commands(model, animations=[srt()]))
    m00, m01, m10, m11, m30, m31 = matrix
    load: tuple[int, ...] = (gx.MTX_LOAD_4X4, m00, m01, 0, 0, m10, m11, 0, 0, 0, 0, 0, 0, m30, m31, 0, ONE)
    if mode == 1:
        load = (gx.MTX_LOAD_4X3, m00, m01, 0, m10, m11, 0, 0, 0, 0, m30, m31, 0)
    place = commands.index((gx.MTX_MODE, 3))
    assert commands[place : place + 3] == [(gx.MTX_MODE, 3), load, (gx.MTX_MODE, 2)]
    assert (gx.TEXIMAGE_PARAM, 1 << 30) in commands


def test_static_texture_matrix_comes_from_the_material(make_model: Build, commands_of: Split) -> None:
    flags = 0x1FC0 | TEXTURE_MATRIX | NO_TEXTURE_ROTATION
    material = Material("m", flags=flags, width=32, height=64, scale=(8192, 2048), translation=(1024, -512))
    commands = commands_of(draw_commands(make_model(materials=(material,))))
    (load,) = [command for command in commands if command[0] == gx.MTX_LOAD_4X4]
    assert load[1:] == (8192, 0, 0, 0, 0, 2048, 0, 0, 0, 0, 0, 0, -32 * 32768, 4096 * 64 * 8 - 4096 * 64, 0, ONE)


# materials ---------------------------------------------------------------------------------------------------------


def test_alpha_zero_sends_nothing(make_model: Build) -> None:
    material = Material("material", polygon_attr=0x80)
    assert len(draw_commands(make_model(materials=(material,)))) == 0
    clear = ColorTrack("material", *[Curve.constant(value) for value in (1, 2, 3, 4)], Curve.constant(0))
    animation = Nsbma((ColorAnimation("c", 1, (clear,)),))
    assert len(draw_commands(make_model(), animations=[animation])) == 0


def test_wireframe_is_alpha_zero_on_the_way_out(make_model: Build, commands_of: Split) -> None:
    material = Material("material", polygon_attr=0x001F0080, flags=0x1FCE | WIREFRAME)
    commands = commands_of(draw_commands(make_model(materials=(material,))))
    assert (gx.POLYGON_ATTR, 0x80) in commands
    assert commands[-5:] == TRIANGLE


def test_colors_without_an_owner_are_the_global_ones(make_model: Build, commands_of: Split) -> None:
    material = Material("material", dif_amb=0x00010002, spe_emi=0x00030004, flags=0x1FCE & ~0x0640)
    commands = commands_of(draw_commands(make_model(materials=(material,))))
    assert commands[:2] == [(gx.DIF_AMB, 0x00014210), (gx.SPE_EMI, 0x42104210)]


def test_animations_of_one_material_follow_one_another(make_model: Build, commands_of: Split) -> None:
    first, second = [
        ColorAnimation("c", 1, (ColorTrack("material", *[Curve.constant(value)] * 5),)) for value in (3, 9)
    ]
    other = ColorAnimation("c", 1, (ColorTrack("no such material", *[Curve.constant(1)] * 5),))
    words = draw_commands(make_model(), animations=[Nsbta((srt(),)), first, second, other])
    commands = commands_of(words)
    assert commands[:4] == [
        (gx.DIF_AMB, 0x00090009),
        (gx.SPE_EMI, 0x00090009),
        (gx.POLYGON_ATTR, 0x00090080),
        (gx.TEXIMAGE_PARAM, 1 << 30),
    ]


def texture_set() -> Tex0:
    textures = [
        Texture(name, 3, 8, 8, False, 8, 8, bytes([fill] * 32)) for fill, name in enumerate(("first", "second"))
    ]
    palettes = [Palette(name, frozen([fill] * 16, np.uint16)) for fill, name in enumerate(("red", "blue"))]
    return Tex0(tuple(textures), tuple(palettes))


def shown(make_model: Build, commands_of: Split, *keys: tuple[int, int, int]) -> tuple[int, int]:
    track = PatternTrack("material", frozen(np.array(list(keys), KEY)))
    animation = PatternAnimation("p", 9, ("second", "missing"), ("blue", "missing"), (track,))
    material = Material("material", teximage_param=0x800F0000)
    model = make_model(materials=(material,))
    commands = commands_of(draw_commands(model, textures=texture_set(), animations=[animation]))
    (image,) = [command[1] for command in commands if command[0] == gx.TEXIMAGE_PARAM]
    (base,) = [command[1] for command in commands if command[0] == gx.PLTT_BASE]
    return image & 0xFFFFFFFF, base


def test_patterns_keep_wrapping(make_model: Build, commands_of: Split) -> None:
    assert shown(make_model, commands_of, (0, 0, 0)) == (0x800F0000 | 3 << 26 | 4, 2)
    assert shown(make_model, commands_of, (0, 0, KEEP_PALETTE)) == (0x800F0000 | 3 << 26 | 4, 0)
    assert shown(make_model, commands_of, (0, 1, 1)) == (0x800F0000, 0)


# visibility --------------------------------------------------------------------------------------------------------


def test_visibility_gates_shapes_and_repeated_materials(make_model: Build, commands_of: Split) -> None:
    """An invisible material is still sent when it is another one than before; shapes and MTX are not."""
    script = (
        (sbc.MAT, 0, (0,)), (sbc.NODE, 0, (0, 0)), (sbc.MAT, 0, (0,)), (sbc.MTX, 0, (3,)), (sbc.SHP, 0, (0,)),
        (sbc.MAT, 0, (1,)), (sbc.POSSCALE, 0, ()), (sbc.NOP, 0x80, ()), (sbc.NODE, 0, (0, 1)), (sbc.SHP, 0, (0,)),
    )  # fmt: skip
    materials = Material("a"), Material("b", dif_amb=5)
    model = make_model(sbc=script, materials=materials, pos_scale=8192, inv_pos_scale=2048)
    assert commands_of(draw_commands(model)) == [
        *sent(materials[0]), *sent(materials[1]), (gx.MTX_SCALE, 8192, 8192, 8192), *TRIANGLE,
    ]  # fmt: skip


def test_one_of_several_animations_shows_a_node(make_model: Build) -> None:
    hidden, visible = [VisibilityAnimation("v", frozen(np.array([[flag]]))) for flag in (False, True)]
    full = len(draw_commands(make_model()))
    assert len(draw_commands(make_model(), animations=[hidden])) == full - len([word for c in TRIANGLE for word in c])
    assert len(draw_commands(make_model(), animations=[hidden, visible])) == full


# matrices read back ------------------------------------------------------------------------------------------------

AROUND_Y = (3547, 0, -2048, 0, ONE, 0, 2048, 0, 3547)
CAMERA = look_at((30000, 20000, 50000), (0, 1000, 0))
VIEWS = [
    View(
        kind,
        camera=CAMERA,
        base_rotation=AROUND_Y,
        base_translation=(9000, -3000, 500),
        base_scale=(ONE, 2 * ONE, ONE),
    )
    for kind in (SEPARATE, FOLDED_VIEW, FOLDED_ALL)
]


def current_in_view(view: View, commands: Commands) -> tuple[int, ...]:
    current = to43(commands.matrices.position)
    outside = view.outside()
    return current if outside is None else multiply43(current, outside)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"kind{view.kind}")
@pytest.mark.parametrize("opcode", [sbc.BB, sbc.BBY])
def test_billboards_keep_place_and_scale(make_model: Build, view: View, opcode: int) -> None:
    turn = QUARTER_TURN if opcode == sbc.BB else AROUND_Y
    node = Node("n", (5000, 6000, 7000), turn, (8192, 4096, 2048), (2048, 4096, 8192))
    describe = (sbc.NODEDESC, 0x20, (0, 0, 0, 4))
    plain, turned = [
        make_model(nodes=(node,), sbc=script)
        for script in ((describe,), (describe, (sbc.MTX, 0, (7,)), (opcode, 0x60, (0, 5, 4)), (sbc.MTX, 0, (5,))))
    ]
    results = []
    for model in (plain, turned):
        commands = Commands()
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
        (gx.MTX_RESTORE, 31), *READ_BACK,
        (gx.MTX_LOAD_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0), (gx.MTX_SCALE, ONE, ONE, ONE), (gx.MTX_STORE, 9),
        *READ_BACK,
        (gx.MTX_LOAD_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0), (gx.MTX_SCALE, ONE, ONE, ONE),
    ]  # fmt: skip


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
        (gx.MTX_MODE, 0), (gx.MTX_STORE, 1), (gx.MTX_IDENTITY,), (gx.MTX_MODE, 2),
        (gx.MTX_RESTORE, 1), (gx.MTX_MODE, 1), (gx.MTX_MULT_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, 0, 0, 0),
        (gx.MTX_MODE, 2), (gx.MTX_MULT_3X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE),
        (gx.MTX_RESTORE, 2), (gx.MTX_MODE, 1), (gx.MTX_MULT_4X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE, -100, 0, 0),
        (gx.MTX_MODE, 2), (gx.MTX_MULT_3X3, ONE, 0, 0, 0, ONE, 0, 0, 0, ONE),
        (gx.MTX_LOAD_4X3, *mixed, 0, 0, 0), (gx.MTX_MODE, 1),
        (gx.MTX_LOAD_4X3, *mixed, ONE // 4, (ONE - 100) * 3 // 4, 0),
        (gx.MTX_MODE, 0), (gx.MTX_RESTORE, 1), (gx.MTX_MODE, 2), (gx.MTX_STORE, 3),
    ]  # fmt: skip
    # a node seen before sends nothing and counts as computed then, whatever the slot says
    assert commands[first + 21 : first + 26][-1][0] == gx.MTX_LOAD_4X3


def test_environment_map(make_model: Build, commands_of: Split) -> None:
    effect = (ONE, 0, 0, 0, 0, 2 * ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE)
    material = Material("m", flags=0x1FCE | EFFECT_MATRIX, width=32, height=64, effect=effect)
    script = ((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.MAT, 0, (0,)), (sbc.ENVMAP, 0, (0, 0)))
    model = make_model(nodes=(CHILD,), materials=(material,), sbc=script)
    assert commands_of(draw_commands(model))[1:] == [
        *sent(material), (gx.TEXIMAGE_PARAM, -(1 << 31)), (gx.MTX_MODE, 3),
        (gx.MTX_SCALE, 1 << 20, -(1 << 21), 0x10000), (gx.TEXCOORD, 256 | 512 << 16),
        (gx.MTX_MULT_4X4, *effect), (gx.MTX_MODE, 2), *READ_BACK, (gx.MTX_MODE, 3),
        (gx.MTX_MULT_3X3, *QUARTER_TURN), (gx.MTX_MODE, 2),
    ]  # fmt: skip


def test_projection_map_goes_through_all_spaces(make_model: Build, commands_of: Split) -> None:
    """A vertex's texels: through the current matrix, back to the world, to (x + 1) W / 2 and (1 - y) H / 2."""
    material = Material("m", width=32, height=64)
    script = ((sbc.NODEDESC, 0, (0, 0, 0)), (sbc.MAT, 0, (0,)), (sbc.PRJMAP, 0, (0, 1)), (sbc.SHP, 0, (0,)))
    view = View(camera=CAMERA)
    commands = Commands()
    send_flush(commands, view)
    send_model(commands, make_model(nodes=(Node("n", (2048, 1024, 0)),), materials=(material,), sbc=script), view=view)
    split = commands_of(commands.words())
    place = len(split) - len(TRIANGLE) - 5
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
    engine.execute(gx.MTX_MULT_4X4, tuple([1 << 30] * 16))
    assert all(-(1 << 31) <= element < 1 << 31 for element in engine.position)


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


# lists, pairs, refusals --------------------------------------------------------------------------------------------


def test_called_lists_are_sent_whatever_is_visible(make_model: Build, commands_of: Split) -> None:
    called = frozen([gx.COLOR, 0x7FFF], np.uint32)
    model = make_model(sbc=((sbc.NODE, 0, (0, 0)), (sbc.CALLDL, 0, (0,))), called_lists=(called,))
    assert commands_of(draw_commands(model)) == [(gx.COLOR, 0x7FFF)]


def test_pairs(make_model: Build, commands_of: Split) -> None:
    materials = Material("a"), Material("b", polygon_attr=0x80), Material("c", dif_amb=1)
    model = make_model(materials=materials, pos_scale=8192, inv_pos_scale=2048)
    up, down = (gx.MTX_SCALE, 8192, 8192, 8192), (gx.MTX_SCALE, 2048, 2048, 2048)
    pairs = [(0, 0), (0, 0), (1, 0), (2, 0)]
    assert commands_of(draw_commands(model, pairs=pairs)) == [
        up, *sent(materials[0]), *TRIANGLE, down, up, *TRIANGLE, down,
        up,  # alpha 0: the library returns without undoing the scale
        up, *sent(materials[2]), *TRIANGLE, down,
    ]  # fmt: skip
    assert len(draw_commands(model, pairs=[])) == 0


def test_what_does_not_exist_is_refused(make_model: Build) -> None:
    for opcode, operands in (
        (sbc.SHP, (7,)), (sbc.MAT, (7,)), (sbc.NODEDESC, (7, 0, 0)), (sbc.NODEMIX, (0, 1, 7, 255)), (sbc.CALLDL, (0,)),
    ):  # fmt: skip
        model = make_model(sbc=((opcode, 0, operands),))
        with pytest.raises(ValueError, match="does not have"):
            draw_commands(model)
    with pytest.raises(ValueError, match="does not have"):
        draw_commands(make_model(), pairs=[(0, 1)])
    with pytest.raises(ValueError, match="no model"):
        draw_commands(Nsbmd(()))
    with pytest.raises(ValueError, match="no animation"):
        draw_commands(make_model(), animations=[Nsbma(())])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_script_gives_a_stream_or_a_refusal(make_model: Build, commands_of: Split, data: st.DataObject) -> None:
    forms = [
        (sbc.NODE, 0, 2), (sbc.MTX, 0, 1), (sbc.MAT, 0, 1), (sbc.SHP, 0, 1), (sbc.NODEDESC, 0, 3),
        (sbc.NODEDESC, 0x60, 5), (sbc.BB, 0x40, 2), (sbc.BBY, 0x60, 3), (sbc.NODEMIX, 0, 7),
        (sbc.POSSCALE, 0, 0), (sbc.POSSCALE, 0x20, 0),
        (sbc.ENVMAP, 0, 2), (sbc.PRJMAP, 0, 2),
    ]  # fmt: skip
    script = []
    for _ in range(data.draw(st.integers(0, 25))):
        opcode, option, count = data.draw(st.sampled_from(forms))
        most = st.integers(0, 2) if data.draw(st.integers(0, 9)) else st.integers(0, 255)
        script.append((opcode, option, tuple(data.draw(st.lists(most, min_size=count, max_size=count)))))
    nodes = (PARENT, CHILD, Node("zero", None, (0,) * 9, (0, 0, 0), (0, 0, 0)))
    envelopes = frozen(np.arange(21 * 3, dtype="<i4").view(ENVELOPE))
    materials = Material("material", width=8, height=8), Material("b"), Material("c", polygon_attr=0)
    rule = data.draw(st.integers(0, 2))
    model = make_model(nodes=nodes, sbc=tuple(script), envelopes=envelopes, materials=materials, scaling_rule=rule)
    try:
        words = draw_commands(model, animations=[srt()])
    except ValueError as error:
        assert "does not have" in str(error)
        return
    assert words.dtype == np.uint32
    assert sum(len(command) for command in commands_of(words)) == len(words)
