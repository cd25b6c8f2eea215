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
    """A texture matrix by its parts."""

    projection: int
    """0 3x4, 1 2x4."""
    mode: int
    """0 plain; others depend on the camera (1 and 6, 7, 10, 11 environment, 2, 3 and 8, 9 projection)."""
    maya: bool
    """Whether the rotation and origin follow Maya."""
    center: tuple[float, ...]
    """The pivot (3)."""
    scale: tuple[float, ...]
    """Factors s, t."""
    rotation: int
    """An angle in units of pi / 32768."""
    translation: tuple[float, ...]
    """s, t."""
    effect: tuple[float, ...]
    """16 numbers, row by row."""


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
    """Fog; distances are in model units from the camera."""

    type: int
    """The curve of the fog by distance: a code of the GX library, 0 none."""
    range_adjust: int
    """1: the distance is adjusted for pixels beside `center`."""
    center: int
    """The x of the picture around which the distance is adjusted."""
    start: float
    """The distance at which fog begins."""
    end: float
    """The distance from which on there is fog alone."""
    near: float
    """The distance of the near clip plane."""
    far: float
    """The distance of the far clip plane."""
    color: Color
    """The colour of the fog."""
    range_table: tuple[int, ...]
    """Ten factors of the adjustment, at growing distances from `center`."""


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
    """One stage of indirect texturing, as the GX library names its parts; all are codes of that library."""

    stage: int
    """The indirect lookup that it uses."""
    format: int
    """The bits of the looked up value that count: 0 8 bits, 1 5, 2 4, 3 3."""
    bias: int
    """Bits of the coordinates to which the bias is added: 1 s, 2 t, 4 u."""
    matrix: int
    """The matrix that multiplies the offset, 0 none."""
    wrap_s: int
    """The size at which the s coordinate repeats before the offset is added, 0 none."""
    wrap_t: int
    """The size at which the t coordinate repeats before the offset is added, 0 none."""
    add_previous: int
    """1: the result of the stage before is added."""
    original_lod: int
    """1: the level of detail is that of the coordinates without the offset."""
    alpha: int
    """The coordinate that is taken as bump alpha: 0 none, 1 s, 2 t, 3 u."""


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
    """The values that a material's record refers to; materials may share them. None: the record names no entry."""

    mode: int
    """The order of drawing: 1 opaque, 2 alpha test, 4 translucent."""
    cull: int
    """0 none, 1 front, 2 back, 3 all."""
    channel_count: int
    """The number of colour channels in use, at most 2."""
    texgen_count: int
    """The number of texture coordinates in use, at most 8."""
    stage_count: int
    """The number of TEV stages in use, at most 16."""
    z_compare_before_texture: int
    """1: depth is tested before the texture is read, 0: after the alpha test."""
    z_mode: ZMode
    """The depth test."""
    dither: int
    """1: colours are dithered."""
    material_colors: tuple[Color, ...]
    """The colour registers of the two channels."""
    channels: tuple[ChannelControl | None, ...]
    """COLOR0, ALPHA0, COLOR1, ALPHA1."""
    ambient_colors: tuple[Color, ...]
    """The ambient registers of the two channels."""
    texgens: tuple[TexGen | None, ...]
    """The making of 8 texture coordinates."""
    texture_matrices: tuple[J3dTextureMatrix | None, ...]
    """8 texture matrices."""
    textures: tuple[int | None, ...]
    """8 indices into the model's textures."""
    konst_colors: tuple[Color, ...]
    """The four constant colours of the TEV."""
    konst_color_selectors: tuple[int, ...]
    """For each of 16 TEV stages the constant of its colour, a code of the GX library."""
    konst_alpha_selectors: tuple[int, ...]
    """For each of 16 TEV stages the constant of its alpha, a code of the GX library."""
    orders: tuple[TevOrder | None, ...]
    """The inputs of 16 TEV stages."""
    tev_colors: tuple[Color, ...]
    """The registers C0, C1, C2, PREV."""
    stages: tuple[TevStage | None, ...]
    """16 TEV stages."""
    swap_modes: tuple[SwapMode | None, ...]
    """The swap tables of 16 TEV stages."""
    swap_tables: tuple[tuple[int, ...], ...]
    """Four tables: the component (0 to 3) that is taken as red, green, blue, alpha."""
    fog: J3dFog | None
    """The fog."""
    alpha_compare: AlphaCompare
    """The alpha test."""
    blend: Blend
    """How a pixel is combined with that of the picture."""
    nbt_scale: NbtScale | None
    """The scale for bump mapping."""


@dataclass(frozen=True, eq=False)
class J3dMaterial:
    """A material: its name, its state and its indirect texturing (None where the file has no such table)."""

    name: str
    state: RenderState
    indirect: Indirect | None
