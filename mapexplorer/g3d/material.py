"""Composing a material: what the library sends to the geometry engine at a MAT instruction, as integers.

The words come from four sources: the material, the global state (where the material does not own a field), the bound
texture and palette, and material animations, which change the result one after another. OpenGL and glTF translate this
result; nothing else evaluates a material. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from formats.nitro import material as bits
from formats.nitro.material import Material
from formats.nitro.tex0 import Palette, Texture
from mapexplorer.g3d.binding import Bound
from mapexplorer.g3d.texture_matrix import Pair, TextureMatrix, texture_matrix

LOW: Final = 0x7FFF
BIT15: Final = 0x8000
HIGH: Final = 0x7FFF0000
"""The three fields of DIF_AMB and SPE_EMI."""

ALPHA: Final = 0x1F0000
"""The alpha field of POLYGON_ATTR."""

TEXGEN: Final = 0xC0000000
TEXGEN_TEXCOORD: Final = 0x40000000
TEXGEN_NORMAL: Final = 0x80000000
TEXGEN_VERTEX: Final = 0xC0000000
"""TEXIMAGE_PARAM's texture coordinate modes."""

WRAPPING: Final = 0x000F0000
"""TEXIMAGE_PARAM's repeat and flip bits, S and T."""


class GlobalState(NamedTuple):
    """The library's global colours and polygon attributes; the defaults are those after its initialisation."""

    dif_amb: int = 0x4210C210
    spe_emi: int = 0x4210C210
    polygon_attr: int = 0x001F008F


DEFAULT_STATE: Final = GlobalState()


@dataclass(slots=True)
class MaterialResult:
    """The library's material result while it is being composed; animations change it. Words are command parameters."""

    dif_amb: int
    """The word of DIF_AMB."""
    spe_emi: int
    """The word of SPE_EMI."""
    polygon_attr: int
    """The word of POLYGON_ATTR."""
    teximage_param: int
    """The word of TEXIMAGE_PARAM."""
    pltt_base: int
    """The word of PLTT_BASE."""
    texture: Texture | None
    """The bound texture, None: none."""
    palette: Palette | None
    """The bound palette, None: none."""
    has_matrix: bool
    """Whether the texture transform, which follows, is in use."""
    scale: Pair | None
    """S, T in fx32, None where absent."""
    rotation: Pair | None
    """Sine, cosine in fx16, None where absent."""
    translation: Pair | None
    """S, T in fx32, None where absent."""
    size: Pair
    """The texture size that the formulas of the transform use, texels."""
    mag: Pair
    """The bound texture's size over the material's, fx32."""
    shown_size: Pair | None = None
    """The size of a texture that a pattern animation shows: it counts instead of `size` for materials without a
    matrix."""


MaterialAnimator = Callable[[MaterialResult], None]
"""One animation's effect on the result of one material."""


class ComposedMaterial(NamedTuple):
    """A material as it is sent to the geometry engine. One with alpha 0 is not sent, and its shapes are not drawn."""

    index: int  # type: ignore[assignment]  # instead of tuple.index
    """The number of the material."""
    name: str
    """The name of the material."""
    dif_amb: int
    """The word of DIF_AMB."""
    spe_emi: int
    """The word of SPE_EMI."""
    polygon_attr: int
    """The word of POLYGON_ATTR with the alpha that the picture has; sent is `sent_polygon_attr`."""
    teximage_param: int
    """The word of TEXIMAGE_PARAM."""
    pltt_base: int
    """The word of PLTT_BASE."""
    texture_matrix: TextureMatrix | None
    """None when none is in use."""
    texture_matrix_mode: int
    """The mode of the model."""
    wireframe: bool
    """Only edges are drawn, so alpha 0 is sent."""
    size: Pair
    """The texels that the matrix and the effects use."""
    effect: tuple[int, ...] | None
    """The effect matrix (fx32, 4x4), None: none."""
    texture: Texture | None
    """The bound texture, None: none."""
    palette: Palette | None
    """The bound palette, None: none."""

    @property
    def alpha(self) -> int:
        """Polygon alpha 0..31."""
        return self.polygon_attr >> 16 & 31

    @property
    def sent_polygon_attr(self) -> int:
        """The POLYGON_ATTR parameter."""
        return self.polygon_attr & ~ALPHA if self.wireframe else self.polygon_attr

    @property
    def lights(self) -> int:
        """The mask of its enabled lights."""
        return self.polygon_attr & 15

    @property
    def texgen(self) -> int:
        """The texture coordinate mode: 0 none, 1 texture coordinate, 2 normal, 3 vertex."""
        return self.teximage_param >> 30


def compose(
    material: Material,
    index: int,
    *,
    mode: int = 0,
    bound: Bound | None = None,
    state: GlobalState = DEFAULT_STATE,
    animators: Sequence[MaterialAnimator] = (),
) -> ComposedMaterial:
    """Compose material `index` of a model whose texture matrix mode is `mode`."""
    flags = material.flags
    own_dif_amb, own_spe_emi = _owned(flags)
    dif_amb = state.dif_amb & ~own_dif_amb | material.dif_amb & own_dif_amb
    spe_emi = state.spe_emi & ~own_spe_emi | material.spe_emi & own_spe_emi
    mask = material.polygon_attr_mask
    result = MaterialResult(
        dif_amb,
        spe_emi,
        state.polygon_attr & ~mask | material.polygon_attr & mask,
        material.teximage_param,
        material.pltt_base,
        None,
        None,
        bool(flags & bits.TEXTURE_MATRIX),
        material.scale,
        material.rotation,
        material.translation,
        (material.width, material.height),
        (material.mag_w, material.mag_h),
    )
    if bound is not None:
        _bind(result, bound)
    for animate in animators:
        animate(result)
    matrix = None
    if result.has_matrix:
        matrix = texture_matrix(mode, result.size, result.scale, result.rotation, result.translation, result.mag)
    return ComposedMaterial(
        index,
        material.name,
        result.dif_amb,
        result.spe_emi,
        result.polygon_attr,
        result.teximage_param,
        result.pltt_base,
        matrix,
        mode,
        bool(flags & bits.WIREFRAME),
        result.size if result.has_matrix else result.shown_size or result.size,
        material.effect,
        result.texture,
        result.palette,
    )


@lru_cache(256)
def _owned(flags: int) -> tuple[int, int]:
    """The bits of DIF_AMB and of SPE_EMI that a material with these flags has itself."""
    dif_amb = (LOW if flags & bits.DIFFUSE else 0) | (HIGH if flags & bits.AMBIENT else 0)
    dif_amb |= BIT15 if flags & bits.VERTEX_COLOR else 0
    spe_emi = (LOW if flags & bits.SPECULAR else 0) | (HIGH if flags & bits.EMISSION else 0)
    spe_emi |= BIT15 if flags & bits.SHININESS else 0
    return dif_amb, spe_emi


def _bind(result: MaterialResult, bound: Bound) -> None:
    if bound.texture is not None:
        result.teximage_param |= bound.image_param
        result.texture = bound.texture
        result.mag = bound.mag
    if bound.palette is not None:
        result.pltt_base = bound.palette_base
        result.palette = bound.palette


def raw(material: Material, index: int, *, mode: int = 0, bound: Bound | None = None) -> ComposedMaterial:
    """A material as the one-material fast path sends it: its own words, nothing merged from the global state."""
    state = GlobalState(material.dif_amb, material.spe_emi, material.polygon_attr)
    return compose(material, index, mode=mode, bound=bound, state=state)
