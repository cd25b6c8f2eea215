"""The engine as an object: state between calls, packed lists, box tests, lighting, a look inside, compilation."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from formats.nds import display_list, gx
from mapexplorer.gpu import Engine, light_vertices, render_frame
from mapexplorer.gpu.picture import displayed

IDENTITY = [0x1000 if i % 5 == 0 else 0 for i in range(16)]
REGISTERS = np.zeros(88, np.uint32)
REGISTERS[3] = 0x7FFF


def _vertex(x: float, y: float, z: float) -> list[int]:
    x, y, z = (int(value * 4096) & 0xFFFF for value in (x, y, z))
    return [gx.VTX_16, x | y << 16, z]


def _triangle(attribute: int, color: int, z: float = 0.0) -> list[int]:
    """A triangle over the middle of the screen."""
    return [
        *[gx.VIEWPORT, 0xBFFF0000, gx.POLYGON_ATTR, attribute, gx.BEGIN_VTXS, gx.TRIANGLES, gx.COLOR, color],
        *_vertex(-0.5, -0.5, z),
        *_vertex(0.5, -0.5, z),
        *_vertex(0.0, 0.5, z),
    ]


SWAP = [gx.SWAP_BUFFERS, 0]


def test_a_list_in_parts_is_the_list() -> None:
    words = [*_triangle(0x1F00C0, 0x1F), *_triangle(0x0F00C0, 0x7C00, -0.5), *SWAP]
    whole = render_frame(words, REGISTERS, b"", b"")
    engine = Engine()
    engine.load_registers(REGISTERS)
    assert engine.execute(words[:17]) == 0
    assert engine.execute(words[17:]) == 1
    assert np.array_equal(engine.picture, whole)
    assert whole[96, 128].tolist() == [0, 0, 63, 31]
    assert (whole[0, 0] == 0).all()


def test_a_packed_list_is_its_flat_list() -> None:
    words = np.array(_triangle(0x1F00C0, 0x3E0) + SWAP, np.uint32)
    engine = Engine()
    engine.load_registers(REGISTERS)
    assert engine.execute(display_list.unpack(display_list.pack(words))) == 1
    assert np.array_equal(engine.picture, render_frame(words, REGISTERS, b"", b""))
    assert (engine.picture[96, 128] == [0, 63, 0, 31]).all()


def test_without_a_swap_there_is_the_clear_plane() -> None:
    registers = REGISTERS.copy()
    registers[2] = 0x1F | 31 << 16
    picture = render_frame(_triangle(0x1F00C0, 0x3E0), registers, b"", b"")
    assert (picture == [63, 0, 0, 31]).all()


def test_memories_shrink_back_to_zero() -> None:
    """What a longer load left behind does not show after a shorter one."""
    registers = REGISTERS.copy()
    registers[0] = 1
    quad = [
        *[gx.VIEWPORT, 0xBFFF0000, gx.POLYGON_ATTR, 0x1F00C0, gx.TEXIMAGE_PARAM, 7 << 26, gx.BEGIN_VTXS, gx.QUADS],
        *[gx.COLOR, 0x7FFF],
        *_vertex(-1, -1, 0),
        *_vertex(1, -1, 0),
        *_vertex(1, 1, 0),
        *_vertex(-1, 1, 0),
        *SWAP,
    ]
    texels = struct.pack("<H", 0xFFFF) * 64
    assert (render_frame(quad, registers, texels, b"")[96, 128] == [63, 63, 63, 31]).all()
    assert (render_frame(quad, registers, b"", b"")[96, 128] == 0).all()


def test_sizes_are_checked() -> None:
    engine = Engine()
    with pytest.raises(ValueError, match="88 rendering registers"):
        engine.load_registers([0] * 87)
    with pytest.raises(ValueError, match="texture memory"):
        engine.load_texture_vram(bytes(0x80001))
    with pytest.raises(ValueError, match="palette memory"):
        engine.load_palette_vram(bytes(0x20001))


def test_commands_cut_off_or_unknown_do_nothing() -> None:
    words = _triangle(0x1F00C0, 0x3E0) + SWAP
    expected = render_frame(words, REGISTERS, b"", b"")
    odd = [0x99, 0xFFFFFFFF, *words, gx.MTX_LOAD_4X4, 1, 2]
    assert np.array_equal(render_frame(odd, REGISTERS, b"", b""), expected)


@pytest.mark.parametrize(("corner", "seen"), [(-0x800, 1), (0x0FFF, 1), (0x1001, 0), (-0x3000, 0)])
def test_a_box_is_seen_where_a_face_reaches_into_the_view_volume(corner: int, seen: int) -> None:
    """A box of side 1 from `corner` in x, under identity matrices, whose view volume is -1 to 1."""
    engine = Engine()
    words = [corner & 0xFFFF, 0x1000 << 16, 0x1000 | 0x1000 << 16]  # x, y 0; z 0, width; height, depth
    engine.execute([gx.MTX_MODE, 0, gx.MTX_IDENTITY, gx.MTX_MODE, 1, gx.MTX_IDENTITY, gx.BOX_TEST, *words])
    assert engine.test_results[0, :2].tolist() == [gx.BOX_TEST, seen]


def test_lighting_of_many_vertices_is_that_of_normal() -> None:
    generator = np.random.default_rng(11)
    normals = generator.integers(0, 1 << 30, 50, dtype=np.uint32)
    vectors = np.array([0x1FF00000, 0x000001FF, 0x0007FC00, 0x20040110], np.uint32)
    colors = generator.integers(0, 1 << 15, 4, dtype=np.uint32) & 0x3DEF
    dif_amb, spe_emi = (int(value) for value in generator.integers(0, 1 << 31, 2) & 0x1CE70CE7)
    material = [word >> shift & 31 for word in (dif_amb, dif_amb >> 16, spe_emi, spe_emi >> 16) for shift in (0, 5, 10)]
    lit = light_vertices(
        np.concatenate([normals[:9], normals]),
        [0, 9, 59],
        [IDENTITY, IDENTITY],
        vectors,
        colors,
        [[0] * 13, [*material, 0]],
        [0, 0b1011],
        [0] * 128,
    )
    assert not lit[:9].any()
    lit = lit[9:]
    engine = Engine()
    words = [gx.VIEWPORT, 0xBFFF0000, gx.MTX_MODE, 2, gx.MTX_IDENTITY, gx.DIF_AMB, dif_amb, gx.SPE_EMI, spe_emi]
    for i in range(4):
        words += [gx.LIGHT_VECTOR, int(vectors[i]) & 0x3FFFFFFF | i << 30, gx.LIGHT_COLOR, int(colors[i]) | i << 30]
    words += [gx.POLYGON_ATTR, 0x1F00CB, gx.BEGIN_VTXS, gx.TRIANGLES]
    for normal in normals:
        words += [gx.NORMAL, int(normal), *_vertex(-0.5, -0.5, 0), *_vertex(0.5, -0.5, 0), *_vertex(0.0, 0.5, 0)]
    engine.execute([*words, *SWAP])
    stored = engine.geometry.vertices[::3, 4:7] >> 4
    assert np.array_equal(stored, lit)
    assert len(np.unique(lit, axis=0)) > 5


def test_redrawing_some_polygons_leaves_the_frame_to_look_into() -> None:
    words = [*_triangle(0x011F00C0, 0x1F, 0.0), *_triangle(0x021F00C0, 0x3E0, -0.5), *SWAP]
    engine = Engine()
    engine.load_registers(REGISTERS)
    engine.execute(words)
    whole = engine.picture
    polygons = engine.geometry.polygons
    assert engine.redraw([0])[96, 128].tolist() == [63, 0, 0, 31]
    assert engine.redraw([1])[96, 128].tolist() == [0, 63, 0, 31]
    assert (engine.redraw([]) == 0).all()
    assert np.array_equal(engine.geometry.polygons, polygons)
    assert np.array_equal(engine.redraw([0, 1]), whole)


def test_8_bit_pictures_reach_both_ends() -> None:
    picture = np.array([[[0, 63, 32, 31], [1, 62, 31, 0]]], np.uint8)
    assert displayed(picture).tolist() == [[[0, 255, 130, 255], [0, 0, 0, 255]]]
    assert displayed(picture[:, 1:], (1, 2, 3)).tolist() == [[[1, 2, 3, 255]]]
    assert displayed(np.array([[4, 251 >> 2, 31, 1]], np.uint8)).tolist() == [[16, 251, 125, 255]]
