"""Hand-built NITRO files with everything that the formats can hold, also what no real file of the game holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats.binary import frozen
from formats.nds import gx
from formats.nds.texture_format import BITS, COMPRESSED_4X4
from formats.nitro import material as flags_
from formats.nitro import sbc
from formats.nitro.material import Material, Pairing
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import Node, Pivot
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.sbc import Instruction
from formats.nitro.shape import Shape
from formats.nitro.tex0 import Palette, Tex0, Texture

# every instruction form: opcode, option, operands
EVERY_INSTRUCTION = tuple(
    Instruction(opcode, option, operands)
    for opcode, option, operands in (
        (sbc.NOP, 0x00, ()), (sbc.NOP, 0x80, ()), (sbc.NODEDESC, 0x00, (0, 0, 0)), (sbc.NODEDESC, 0x20, (1, 0, 1, 2)),
        (sbc.NODEDESC, 0x40, (2, 1, 2, 3)), (sbc.NODEDESC, 0x60, (3, 2, 3, 4, 5)), (sbc.NODE, 0, (0, 1)),
        (sbc.MTX, 0, (7,)), (sbc.BB, 0x00, (1,)), (sbc.BB, 0x20, (1, 2)), (sbc.BB, 0x40, (1, 3)),
        (sbc.BB, 0x60, (1, 2, 3)), (sbc.BBY, 0x00, (2,)), (sbc.BBY, 0x20, (2, 2)), (sbc.BBY, 0x40, (2, 3)),
        (sbc.BBY, 0x60, (2, 2, 3)), (sbc.NODEMIX, 0, (9, 1, 0, 200, 2, 1, 56)), (sbc.POSSCALE, 0, ()),
        (sbc.MAT, 0x00, (0,)), (sbc.ENVMAP, 0, (0, 0)), (sbc.SHP, 0, (0,)), (sbc.MAT, 0x20, (1,)),
        (sbc.PRJMAP, 0, (1, 1)), (sbc.SHP, 0, (1,)), (sbc.MAT, 0x40, (1,)), (sbc.CALLDL, 0, (0,)),
        (sbc.CALLDL, 0, (1,)), (sbc.CALLDL, 0, (0,)), (sbc.POSSCALE, 0x20, ()), (sbc.RET, 0, ()),
    )
)  # fmt: skip

NODES = (
    Node("still"),
    Node("moved", (4096, -8192, 1), None, None, None, 17, 3),
    Node("turned", None, (0, 4096, 0, -4096, 0, 0, 0, 0, 4096), None, None, 0),
    Node("pivot", (1, 2, 3), Pivot(4, True, True, False, 3547, -2048), (4096, 2048, 8192), (4096, 8192, 2048), 3547),
    Node("sixteen letters!", None, None, (0, 1, -1), (0, 0, 0)),
)


def quad(first: int) -> list[int]:
    """A flat list of one quad."""
    vertices = [word for corner in range(4) for word in (gx.TEXCOORD, first + corner, gx.VTX_16, corner << 16, 7)]
    return [gx.BEGIN_VTXS, gx.QUADS, *vertices, gx.END_VTXS]


def build_texture(form: int, width: int = 16, height: int = 8, seed: int = 1) -> Texture:
    """A texture of random texels."""
    random = np.random.default_rng(seed + form)
    size = width * height * BITS[form] // 8
    words = size // 2 if form == COMPRESSED_4X4 else 0
    texels, indices = random.bytes(size), random.bytes(words)
    return Texture(f"texture{form}.{seed}", form, width, height, bool(form & 1), width, height, texels, indices)


def build_textures() -> Tex0:
    """All seven formats, shared images and palettes, a padded texture."""
    plain, block = build_texture(3), build_texture(5, 32, 8, 3)
    textures = (
        *[build_texture(form) for form in range(1, 8)],
        Texture("shared", 3, 8, 16, True, 8, 16, plain.texels),
        Texture("padded", 4, 16, 8, False, 11, 8, bytes(range(128)), b"", False),
        build_texture(5, seed=2),
        block,
        Texture("block again", 5, 8, 32, False, 8, 32, block.texels, block.indices),
    )
    colors = frozen(np.arange(16) * 1057, np.uint16)
    palettes = (
        Palette("sixteen", colors),
        Palette("four", frozen(np.arange(8), np.uint16), 1),
        Palette("sixteen again", colors),
        Palette("long", frozen(np.arange(264), np.uint16)),
    )
    return Tex0(textures, palettes)


def build_material(bits: int) -> Material:
    """A material with a texture matrix that lacks the parts whose bits are set: scale, rotation, translation."""
    return Material(
        f"tail{bits}",
        dif_amb=0x7FFF8000,
        spe_emi=bits,
        polygon_attr=0x3F1F00CF,
        teximage_param=0xC00F0000,
        flags=0x1FC0 | flags_.TEXTURE_MATRIX | bits << 1,
        width=64,
        height=32,
        mag_w=8192,
        mag_h=2048,
        scale=None if bits & 1 else (8192, -2048),
        rotation=None if bits & 2 else (2048, 3547),
        translation=None if bits & 4 else (-1, 1024),
    )


def build_model(name: str = "model") -> Model:
    """A model with every instruction, node form and material tail."""
    matrix = (4096, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 4096)
    effect = Material("effect", flags=0x1FCE | flags_.EFFECT_MATRIX, effect=matrix)
    lists = [frozen(quad(place), np.uint32) for place in range(3)]
    loose = Shape("loose", 4, lists[1], nops=frozen([0, 5, 6, 13, 14, 15], np.uint32))
    return Model(
        name,
        0,
        1,
        2,
        10,
        8192,
        2048,
        12,
        3,
        0,
        3,
        (-4096, -1, 0, 8191, 2, 3),
        4096 * 4,
        1024,
        nodes=NODES,
        sbc=EVERY_INSTRUCTION,
        materials=(Material("plain"), effect, *[build_material(bits) for bits in range(8)]),
        texture_pairings=(Pairing("sixteen", (0, 2)), Pairing("texture1.1", (3,))),
        palette_pairings=(Pairing("four", (0, 2, 3)),),
        shapes=(Shape("quad", 4, lists[0]), loose),
        envelopes=frozen(np.arange(21 * 5, dtype="<i4").view(ENVELOPE)),
        called_lists=(lists[2], lists[0]),
    )


@pytest.fixture
def model() -> Model:
    """See `build_model`."""
    return build_model()


@pytest.fixture
def textures() -> Tex0:
    """See `build_textures`."""
    return build_textures()


@pytest.fixture
def nsbmd() -> Nsbmd:
    """Two models and a texture set in one file."""
    return Nsbmd((build_model(), build_model("other")), build_textures())


@pytest.fixture
def make_texture() -> Callable[..., Any]:
    """See `build_texture`."""
    return build_texture
