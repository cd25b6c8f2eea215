"""The TEV: the up to sixteen stages that combine texture, raster and constant colours into a pixel.

Colours are integers, 0..255 in, registers -1024..1023 between. Source: Dolphin's documentation of the hardware's
arithmetic (8-bit blend factors widened to 256, rounding before the shift).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from formats.j3d.material import RenderState, TevStage
from mapexplorer.arrays import Array

TEXTURE_COLOR, TEXTURE_ALPHA = 8, 9
ALPHA_TEXTURE = 4
SUBTRACT, COMPARE = 1, 8
_EIGHTHS = (255, 223, 191, 159, 128, 96, 64, 32)
_BIAS = (0, 128, -128, 0)


def reads_texture(stage: TevStage) -> bool:
    """Whether a stage uses its texture."""
    return TEXTURE_COLOR in stage.color or TEXTURE_ALPHA in stage.color or ALPHA_TEXTURE in stage.alpha


def evaluate(
    state: RenderState,
    texels: Mapping[int, Array],
    raster: Sequence[Array] | Array,
    count: int = 1,
    skip: Collection[int] = (),
) -> Array:
    """int32 (count, 4): RGBA after the last stage, 0..255, before alpha test and blending.

    texels: stage number -> (count, 4) RGBA of its texture (white for stages without one). raster: the two raster
    colours COLOR0A0 and COLOR1A1, each (4,) or (count, 4). skip: stages to leave out. A material without stages gives
    the first raster colour.
    """
    registers = np.empty((4, count, 4), np.int32)
    for i, color in enumerate((state.tev_colors[3], *state.tev_colors[:3])):
        registers[i] = color
    if not state.stage_count:
        registers[0] = raster[0]
    for i, stage in enumerate(state.stages[: state.stage_count]):
        if stage is None or i in skip:
            continue
        texture = np.asarray(texels.get(i, np.full((1, 4), 255)), np.int32)
        ras = _raster(state, i, raster)
        mode = state.swap_modes[i]
        if mode is not None:
            texture = texture[..., list(state.swap_tables[mode.texture])]
            ras = ras[..., list(state.swap_tables[mode.raster])]
        shape = (count, 4)
        _stage(stage, registers, np.broadcast_to(texture, shape), np.broadcast_to(ras, shape), _konst(state, i))
    return np.asarray(np.clip(registers[0], 0, 255))


def _raster(state: RenderState, index: int, raster: Sequence[Array] | Array) -> Array:
    order = state.orders[index]
    channel = 0xFF if order is None else order.channel
    if channel > 5:
        return np.zeros((1, 4), np.int32)
    return np.asarray(raster[channel & 1], np.int32)


def _konst(state: RenderState, index: int) -> Array:
    """The constant colour of a stage (4,)."""
    result = np.zeros(4, np.int32)
    color, alpha = state.konst_color_selectors[index], state.konst_alpha_selectors[index]
    if color < 8:
        result[:3] = _EIGHTHS[color]
    elif 12 <= color < 16:
        result[:3] = state.konst_colors[color - 12][:3]
    elif 16 <= color < 32:
        result[:3] = state.konst_colors[color & 3][color - 16 >> 2]
    if alpha < 8:
        result[3] = _EIGHTHS[alpha]
    elif 16 <= alpha < 32:
        result[3] = state.konst_colors[alpha & 3][alpha - 16 >> 2]
    return result


def _stage(stage: TevStage, registers: Array, texture: Array, raster: Array, konst: Array) -> None:
    count = registers.shape[1]

    def alpha_of(colors: Array) -> Array:
        return np.repeat(colors[:, 3:], 3, axis=1)

    def color_input(code: int) -> Array:
        if code < 8:
            register = registers[code >> 1]
            return alpha_of(register) if code & 1 else register[:, :3]
        if code < 12:
            source = texture if code < 10 else raster
            return alpha_of(source) if code & 1 else source[:, :3]
        if code == 14:
            return np.broadcast_to(konst[:3], (count, 3))
        return np.full((count, 3), {12: 255, 13: 128}.get(code, 0), np.int32)

    def alpha_input(code: int) -> Array:
        if code < 4:
            return np.asarray(registers[code][:, 3:])
        if code < 6:
            return np.asarray((texture if code == 4 else raster)[:, 3:])
        return np.broadcast_to(konst[3:] if code == 6 else np.zeros(1, np.int32), (count, 1))

    colors = [color_input(code) for code in stage.color]
    alphas = [alpha_input(code) for code in stage.alpha]
    for inputs in (colors, alphas):
        inputs[:3] = [value & 255 for value in inputs[:3]]
    color = _combine(stage.color_op, colors, colors)
    alpha = _combine(stage.alpha_op, alphas, colors)
    registers[stage.color_op[4]][:, :3] = color
    registers[stage.alpha_op[4]][:, 3:] = alpha


def _combine(operation: Sequence[int], inputs: Sequence[Array], colors: Sequence[Array]) -> Array:
    """One combiner, (count, 3) or (count, 1). Comparisons of packed channels look at the colour inputs."""
    op, bias, scale, clamp, _ = operation
    a, b, c, d = inputs
    if op >= COMPARE:
        left, right = (a, b) if op >= 14 else (_packed(colors[0], op), _packed(colors[1], op))
        chosen = left == right if op & 1 else left > right
        result = d + np.where(chosen, c, 0)
    else:
        factor = c + (c >> 7)
        blend = a * (256 - factor) + b * factor
        shift = scale if scale < 3 else 0
        rounding = 0 if scale == 3 else 127 if op == SUBTRACT else 128
        blend = (blend << shift) + rounding >> 8
        result = (d + _BIAS[bias] << shift) + (-blend if op == SUBTRACT else blend)
        if scale == 3:
            result = result >> 1
    return np.asarray(np.clip(result, 0, 255) if clamp else np.clip(result, -1024, 1023))


def _packed(color: Array, op: int) -> Array:
    """The number that a comparison of one, two or three channels compares, (count, 1)."""
    red, green, blue = color[:, 0:1], color[:, 1:2], color[:, 2:3]
    if op < 10:
        return red
    return green << 8 | red if op < 12 else blue << 16 | green << 8 | red
