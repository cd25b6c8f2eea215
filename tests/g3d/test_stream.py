"""Streams of models built by hand: what no model of the game contains, and what is refused."""

from __future__ import annotations

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
from formats.nitro.material import NO_TEXTURE_ROTATION, TEXTURE_MATRIX, WIREFRAME, Material, Pairing
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import Node
from formats.nitro.nsbma import ColorAnimation, ColorTrack, Nsbma
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta, TextureSrtAnimation, TextureSrtTrack
from formats.nitro.nsbtp import KEEP_PALETTE, KEY, PatternAnimation, PatternTrack
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.nsbva import VisibilityAnimation
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.g3d import draw_commands

Build = Callable[..., Model]
Split = Callable[[Any], list[tuple[int, ...]]]
Sent = Callable[[Material], list[tuple[int, ...]]]

TRIANGLE = [(gx.BEGIN_VTXS, 0), *[(gx.VTX_16, 0, 0)] * 3, (gx.END_VTXS,)]


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


def test_textures_come_from_a_set_or_any_file_with_one(make_model: Build) -> None:
    pairing = (Pairing("first", (0,)),)
    model = make_model(materials=(Material("material", width=8, height=8),), texture_pairings=pairing)
    textures = texture_set()
    bound = draw_commands(model, textures=textures)
    assert not np.array_equal(bound, draw_commands(model))
    for file in (Nsbtx(textures), Nsbmd((), textures)):
        assert np.array_equal(draw_commands(model, textures=file), bound)


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


def test_visibility_gates_shapes_and_repeated_materials(make_model: Build, commands_of: Split, sent: Sent) -> None:
    """An invisible material is still sent when it is another one than before; shapes and MTX are not."""
    script = (
        (sbc.MAT, 0, (0,)), (sbc.NODE, 0, (0, 0)), (sbc.MAT, 0, (0,)), (sbc.MTX, 0, (3,)), (sbc.SHP, 0, (0,)),
        (sbc.MAT, 0, (1,)), (sbc.POSSCALE, 0, ()), (sbc.NOP, 0x80, ()), (sbc.NODE, 0, (0, 1)), (sbc.SHP, 0, (0,)),
    )  # fmt: skip
    materials = Material("a"), Material("b", dif_amb=5)
    model = make_model(sbc=script, materials=materials, pos_scale=8192, inv_pos_scale=2048)
    assert commands_of(draw_commands(model)) == [
        *sent(materials[0]),
        *sent(materials[1]),
        (gx.MTX_SCALE, 8192, 8192, 8192),
        *TRIANGLE,
    ]


def test_one_of_several_animations_shows_a_node(make_model: Build) -> None:
    hidden, visible = [VisibilityAnimation("v", frozen(np.array([[flag]]))) for flag in (False, True)]
    full = len(draw_commands(make_model()))
    assert len(draw_commands(make_model(), animations=[hidden])) == full - len([word for c in TRIANGLE for word in c])
    assert len(draw_commands(make_model(), animations=[hidden, visible])) == full


def test_called_lists_are_sent_whatever_is_visible(make_model: Build, commands_of: Split) -> None:
    called = frozen([gx.COLOR, 0x7FFF], np.uint32)
    model = make_model(sbc=((sbc.NODE, 0, (0, 0)), (sbc.CALLDL, 0, (0,))), called_lists=(called,))
    assert commands_of(draw_commands(model)) == [(gx.COLOR, 0x7FFF)]


def test_pairs(make_model: Build, commands_of: Split, sent: Sent) -> None:
    materials = Material("a"), Material("b", polygon_attr=0x80), Material("c", dif_amb=1)
    model = make_model(materials=materials, pos_scale=8192, inv_pos_scale=2048)
    up, down = (gx.MTX_SCALE, 8192, 8192, 8192), (gx.MTX_SCALE, 2048, 2048, 2048)
    pairs = [(0, 0), (0, 0), (1, 0), (2, 0)]
    assert commands_of(draw_commands(model, pairs=pairs)) == [
        up,
        *sent(materials[0]),
        *TRIANGLE,
        down,
        up,
        *TRIANGLE,
        down,
        up,  # alpha 0: the library returns without undoing the scale
        up,
        *sent(materials[2]),
        *TRIANGLE,
        down,
    ]
    assert len(draw_commands(model, pairs=[])) == 0


def test_what_does_not_exist_is_refused(make_model: Build) -> None:
    for opcode, operands in (
        (sbc.SHP, (7,)),
        (sbc.MAT, (7,)),
        (sbc.NODEDESC, (7, 0, 0)),
        (sbc.NODEMIX, (0, 1, 7, 255)),
        (sbc.CALLDL, (0,)),
    ):
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
    scaled = Node("scaled", (1, 2, 3), None, (2 * ONE, ONE, ONE), (ONE // 2, ONE, ONE))
    turned = Node("turned", None, (0, ONE, 0, -ONE, 0, 0, 0, 0, ONE))
    nodes = (scaled, turned, Node("zero", None, (0,) * 9, (0, 0, 0), (0, 0, 0)))
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
