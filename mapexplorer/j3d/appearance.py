"""A J3D material for a renderer whose materials have one base colour, one alpha mode and one texture.

This is an approximation of the TEV (see `bake`) and of the pixel pipeline: blends other than by source alpha, logic
operations, subtraction, alpha tests that are no threshold, fog, indirect texturing and depth that is not written are
left out. `Appearance.notes` lists what was left out of each material.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.j3d.material import AlphaCompare, J3dMaterial, RenderState
from formats.j3d.textures import J3dTexture
from mapexplorer.arrays import Array
from mapexplorer.j3d.bake import Bake

CULL_NONE, CULL_FRONT, CULL_BACK, CULL_ALL = range(4)
TRANSLUCENT = 4


@dataclass(frozen=True, eq=False)
class Appearance:
    """A material for a simple renderer."""

    color: tuple[float, ...]
    """The factor (4), 0..255 as displayed (not linear), of pixels and vertex colours."""
    texture: int | None
    """Index of the model's texture that supplies wrap modes, filters and, when `pixels` is None, the image; None: no
    texture."""
    pixels: npt.NDArray[np.uint8] | None
    """(h, w, 4): an image in which the TEV result was baked."""
    uv_set: int
    """Texture coordinates (n) of the vertices."""
    uv_matrix: Array
    """Their (2, 3) matrix for column vectors (u, v, 1)."""
    vertex_color: int | None
    """The vertex colour (0, 1) that multiplies RGB; None: none does."""
    vertex_alpha: int | None
    """The vertex colour (0, 1) whose alpha multiplies alpha; None: none does."""
    alpha_mode: str
    """OPAQUE, MASK or BLEND."""
    alpha_cutoff: float
    """0..1, for MASK."""
    cull: int
    """0 none, 1 front, 2 back, 3 all (nothing is drawn)."""
    unlit: bool
    """Lighting is off."""
    notes: tuple[str, ...]
    """What the approximation leaves out, in sentences."""


def appearance(
    material: J3dMaterial, textures: Sequence[J3dTexture], vertex_alphas: Sequence[int] = (0, 0)
) -> Appearance:
    """The appearance of a material with the model's textures; `vertex_alphas`: the lowest alpha in CLR0 and in CLR1."""
    state = material.state
    bake = Bake(state, textures)
    notes = bake.notes
    result = bake.pixels(bake.raster)
    vertex_color, vertex_alpha = bake.vertex_channels(result)
    alphas = result[..., 3] * (1 if vertex_alpha is None else vertex_alphas[vertex_alpha] / 255)
    alpha_mode, cutoff, drawn = _alpha_mode(state, alphas, notes)
    color, texture, pixels = _split(result, bake, alpha_mode == "OPAQUE")
    if material.indirect is not None and material.indirect.enable:
        notes.append("indirect texturing is left out")
    if not state.z_mode.write and alpha_mode != "BLEND":
        notes.append("writes no depth, which glTF does not have")
    control = state.channels[0]
    return Appearance(
        color=color,
        texture=texture,
        pixels=pixels,
        uv_set=bake.base.uv_set if bake.base else 0,
        uv_matrix=bake.base.matrix if bake.base else np.eye(2, 3),
        vertex_color=vertex_color,
        vertex_alpha=vertex_alpha,
        alpha_mode=alpha_mode,
        alpha_cutoff=cutoff,
        cull=state.cull if drawn else CULL_ALL,
        unlit=state.channel_count == 0 or control is None or not control.lighting,
        notes=tuple(dict.fromkeys(notes)),
    )


def _split(
    result: npt.NDArray[np.uint8], bake: Bake, opaque: bool
) -> tuple[tuple[float, ...], int | None, npt.NDArray[np.uint8] | None]:
    """The result as a factor and an image: the untouched texture under a register colour where that is exact.

    `opaque`: alpha does not matter.
    """
    image = bake.image
    if bake.base is not None and image is not None:
        parts = slice(0, 3 if opaque else 4)
        white = bake.pixels(np.full((2, 4), 255, np.int32))
        if image.shape == result.shape and np.array_equal(white[..., parts], image[..., parts]):
            for factor in (np.full(4, 255), *bake.raster):
                if np.abs(image * (factor / 255) - result)[..., parts].max() <= 2:
                    return tuple(float(value) for value in factor), bake.base.texture, None
    flat = result.reshape(-1, 4)
    if bake.base is None or (flat == flat[0]).all():
        return tuple(float(value) for value in flat[0]), None, None
    return (255.0,) * 4, bake.base.texture, result


def accepted_alphas(compare: AlphaCompare) -> Array:
    """bool (256,): the alpha values that pass the alpha test."""
    alpha = np.arange(256)

    def passes(function: int, reference: int) -> Array:
        below, equal, above = (bool(function & bit) for bit in (1, 2, 4))
        return np.asarray((alpha < reference) & below | (alpha == reference) & equal | (alpha > reference) & above)

    first = passes(compare.function0, compare.reference0)
    second = passes(compare.function1, compare.reference1)
    joined = (first & second, first | second, first ^ second, ~(first ^ second))
    return joined[compare.operation]


def _alpha_mode(state: RenderState, alphas: Array, notes: list[str]) -> tuple[str, float, bool]:
    """Alpha mode, cutoff and whether anything is drawn; `alphas` are those of the result, 0..255."""
    lowest = float(alphas.min())
    accepted = accepted_alphas(state.alpha_compare)
    if not accepted.any():
        notes.append("the alpha test refuses everything: nothing is drawn")
        return "OPAQUE", 0.0, False
    first = int(np.argmax(accepted))
    if not accepted[first:].all():
        notes.append("the alpha test does not accept a range up to 255; approximated by its lowest value")
    blend = state.blend
    factors = (blend.source, blend.destination)
    blends = blend.mode in (1, 3) and factors != (1, 0)
    if blend.mode == 2:
        notes.append("the logic operation of the blend is left out")
    if blend.mode == 3 or (blends and factors != (4, 5)):
        what = "subtracts" if blend.mode == 3 else f"blends with factors {factors[0]} and {factors[1]}"
        notes.append(f"{what}, which glTF does not have; blended by alpha")
        return "BLEND", 0.0, True
    if lowest >= 255:
        return "OPAQUE", 0.0, True
    mostly_refused = np.count_nonzero(alphas >= first) * 2 < alphas.size
    if state.mode == TRANSLUCENT or (blends and (first <= 1 or mostly_refused)):
        if not blends:
            notes.append("drawn among the translucent parts without blending; blended by alpha")
        if first > 1:
            notes.append("the alpha test beside the blending is left out")
        return "BLEND", 0.0, True
    if blends:
        # Drawn with the opaque parts and writing depth: the alpha test determines its outline.
        notes.append("the blending beside the alpha test is left out")
    return ("MASK", first / 255, True) if lowest < first else ("OPAQUE", 0.0, True)
