"""The parts of a J3D material: the values of MAT3 (and MAT2) with its index tables resolved.

An int field without a description holds a code of the GX library.
"""

from __future__ import annotations

from dataclasses import dataclass

Color = tuple[int, int, int, int]
"""Red, green, blue, alpha: 0..255, or -1024..1023 for the TEV registers."""


@dataclass(frozen=True, eq=False)
class ChannelControl:
    """How a colour or alpha channel is rasterised.

    lighting: 0 off, 1 on. material_source: 0 the material's register, 1 the vertex colour. light_mask: lights 0..7.
    diffuse: 0 none, 1 signed, 2 clamped. attenuation: 0 specular, 1 spot, 2 none. ambient_source: as material_source.
    """

    lighting: int
    material_source: int
    light_mask: int
    diffuse: int
    attenuation: int
    ambient_source: int


@dataclass(frozen=True, eq=False)
class TexGen:
    """How a texture coordinate is made.

    type: 0 3x4 matrix (projective), 1 2x4 matrix, 2-9 bump, 10 from a colour channel (s, t = red, green).
    source: 0 position, 1 normal, 2 binormal, 3 tangent, 4-11 texture coordinates, 12-18 an earlier result, 19-20
    colours. matrix: 30 + 3k = texture matrix k, 60 = identity.
    """

    type: int
    source: int
    matrix: int


@dataclass(frozen=True, eq=False)
class J3dTextureMatrix:
    """A texture matrix by its parts.

    projection: 0 3x4, 1 2x4. mode: 0 plain; others depend on the camera (1 and 6, 7, 10, 11 environment, 2, 3 and 8, 9
    projection). maya: whether the rotation and origin follow Maya. center: pivot (3). rotation: units of pi / 32768.
    effect: 16 numbers, row by row.
    """

    projection: int
    mode: int
    maya: bool
    center: tuple[float, ...]
    scale: tuple[float, ...]
    rotation: int
    translation: tuple[float, ...]
    effect: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class TevOrder:
    """The inputs of a TEV stage: texture coordinate (255 none), texture map (255 none) and colour channel.

    channel: 0 COLOR0, 1 COLOR1, 2 ALPHA0, 3 ALPHA1, 4 COLOR0A0, 5 COLOR1A1, 6 zero, 255 none.
    """

    texcoord: int
    texmap: int
    channel: int


@dataclass(frozen=True, eq=False)
class TevStage:
    """One TEV stage: out = (d +/- ((1 - c) * a + c * b) + bias) * scale, or a comparison (op 8 and above).

    color and alpha: the inputs a, b, c, d. color_op, alpha_op: (op, bias, scale, clamp, output register).
    """

    color: tuple[int, ...]
    color_op: tuple[int, ...]
    alpha: tuple[int, ...]
    alpha_op: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SwapMode:
    """The numbers (0 to 3) of the swap tables for a stage's raster colour and texture colour."""

    raster: int
    texture: int


@dataclass(frozen=True, eq=False)
class J3dFog:
    """Fog: type, whether and around which x the range is adjusted, distances in model units, and the colour."""

    type: int
    range_adjust: int
    center: int
    start: float
    end: float
    near: float
    far: float
    color: Color
    range_table: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class AlphaCompare:
    """The alpha test: two comparisons (0 never, 1 <, 2 =, 3 <=, 4 >, 5 !=, 6 >=, 7 always), joined by
    operation 0 and, 1 or, 2 xor, 3 xnor."""

    function0: int
    reference0: int
    operation: int
    function1: int
    reference1: int


@dataclass(frozen=True, eq=False)
class Blend:
    """mode: 0 none, 1 blend, 2 logic, 3 subtract. Factors: 0 zero, 1 one, 2 and 3 the other side's colour and its
    inverse, 4 source alpha, 5 its inverse, 6 destination alpha, 7 its inverse."""

    mode: int
    source: int
    destination: int
    logic: int


@dataclass(frozen=True, eq=False)
class ZMode:
    """Depth test (0 off), comparison (as in `AlphaCompare`) and whether depth is written."""

    enable: int
    function: int
    write: int


@dataclass(frozen=True, eq=False)
class NbtScale:
    """Scale of normal, binormal and tangent for bump mapping."""

    enable: int
    scale: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class IndirectStage:
    """One stage of indirect texturing, as the GX library names its parts."""

    stage: int
    format: int
    bias: int
    matrix: int
    wrap_s: int
    wrap_t: int
    add_previous: int
    original_lod: int
    alpha: int


@dataclass(frozen=True, eq=False)
class Indirect:
    """Indirect texturing of one material.

    orders: (texture coordinate, texture map) of four lookups; matrices: three of six numbers and an exponent;
    scales: (s, t) shifts of the four lookups.
    """

    enable: int
    stage_count: int
    orders: tuple[tuple[int, int], ...]
    matrices: tuple[tuple[float, ...], ...]
    exponents: tuple[int, ...]
    scales: tuple[tuple[int, int], ...]
    stages: tuple[IndirectStage, ...]


@dataclass(frozen=True, eq=False)
class RenderState:
    """The values that a material's record refers to; materials may share them.

    mode: 1 opaque, 2 alpha test, 4 translucent (drawing order). cull: 0 none, 1 front, 2 back, 3 all.
    channels: COLOR0, ALPHA0, COLOR1, ALPHA1. texgens, textures (index into the model's textures): 8 each.
    konst_color_selectors, konst_alpha_selectors, orders, stages, swap_modes: 16 TEV stages, stage_count in use.
    tev_colors: registers C0, C1, C2, PREV. None: the record names no entry.
    """

    mode: int
    cull: int
    channel_count: int
    texgen_count: int
    stage_count: int
    z_compare_before_texture: int
    z_mode: ZMode
    dither: int
    material_colors: tuple[Color, ...]
    channels: tuple[ChannelControl | None, ...]
    ambient_colors: tuple[Color, ...]
    texgens: tuple[TexGen | None, ...]
    texture_matrices: tuple[J3dTextureMatrix | None, ...]
    textures: tuple[int | None, ...]
    konst_colors: tuple[Color, ...]
    konst_color_selectors: tuple[int, ...]
    konst_alpha_selectors: tuple[int, ...]
    orders: tuple[TevOrder | None, ...]
    tev_colors: tuple[Color, ...]
    stages: tuple[TevStage | None, ...]
    swap_modes: tuple[SwapMode | None, ...]
    swap_tables: tuple[tuple[int, ...], ...]
    fog: J3dFog | None
    alpha_compare: AlphaCompare
    blend: Blend
    nbt_scale: NbtScale | None


@dataclass(frozen=True, eq=False)
class J3dMaterial:
    """A material: its name, its state and its indirect texturing (None where the file has no such table)."""

    name: str
    state: RenderState
    indirect: Indirect | None
