"""Where the textures of a material's TEV stages come from: texture coordinates and texture matrices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from formats.j3d.material import J3dTextureMatrix, RenderState
from mapexplorer.arrays import Array
from mapexplorer.j3d.pose import ANGLE
from mapexplorer.j3d.tev import reads_texture

RAMP_TYPE = 10

Kind = Literal["plain", "ramp", "view", "none"]


@dataclass(frozen=True, eq=False)
class Lookup:
    """How one TEV stage finds its texel.

    kind: plain: a texture coordinate of the vertices through `matrix` (2, 3 for column vectors (u, v, 1));
    ramp: the red and green of raster colour `channel`; view: depends on camera or normals; none: no texture.
    texture: index into the model's textures.
    """

    stage: int
    kind: Kind
    texture: int = -1
    uv_set: int = 0
    matrix: Array = field(default_factory=lambda: np.eye(2, 3))
    channel: int = 0


def texture_matrix(matrix: J3dTextureMatrix) -> Array:
    """float64 (2, 3) for column vectors (u, v, 1), of a matrix of plain mode.

    The basic form scales and turns about the centre; the Maya form turns about the image's centre with v upward.
    """
    (scale_x, scale_y), (move_x, move_y) = matrix.scale, matrix.translation
    sine, cosine = np.sin(matrix.rotation * ANGLE), np.cos(matrix.rotation * ANGLE)
    if matrix.maya:
        x, y = move_x - 0.5, move_y - 0.5
        return np.array(
            (
                (scale_x * cosine, scale_y * sine, x * cosine - sine * (y + scale_y) + 0.5),
                (-scale_x * sine, scale_y * cosine, -x * sine - cosine * (y + scale_y) + 0.5),
            )
        )
    linear = np.array(((scale_x * cosine, -scale_x * sine), (scale_y * sine, scale_y * cosine)))
    center = np.array(matrix.center[:2])
    return np.column_stack((linear, -linear @ center + center + np.array(matrix.translation)))


def lookups(state: RenderState, texture_count: int) -> list[Lookup]:
    """The look-ups of the stages that read a texture, in order."""
    stages = enumerate(state.stages[: state.stage_count])
    return [_lookup(state, i, texture_count) for i, stage in stages if stage is not None and reads_texture(stage)]


def _lookup(state: RenderState, stage: int, texture_count: int) -> Lookup:
    order = state.orders[stage]
    texture = None if order is None or order.texmap > 7 else state.textures[order.texmap]
    if order is None or texture is None or texture >= texture_count:
        return Lookup(stage, "none")
    generator = state.texgens[order.texcoord] if order.texcoord < min(8, state.texgen_count) else None
    if generator is None:
        return Lookup(stage, "none")
    if generator.type == RAMP_TYPE:
        return Lookup(stage, "ramp", texture, channel=generator.source & 1 ^ 1)
    if generator.type > 1 or not 4 <= generator.source <= 11:
        return Lookup(stage, "view", texture)
    matrix = np.eye(2, 3)
    slot, remainder = divmod(generator.matrix - 30, 3)
    if 0 <= slot < 8 and remainder == 0:
        record = state.texture_matrices[slot]
        if record is not None and record.mode:
            return Lookup(stage, "view", texture)
        if record is not None:
            matrix = texture_matrix(record)
    return Lookup(stage, "plain", texture, generator.source - 4, matrix)


def sample(pixels: Array, uv: Array, wrap_s: int, wrap_t: int, linear: bool) -> Array:
    """int32 (..., 4): texels of uint8 (h, w, 4) at coordinates (..., 2), wrapped as J3D numbers it (0 clamp, 1 repeat,
    2 mirror), the nearest or the blend of four."""
    height, width = pixels.shape[:2]
    x, y = uv[..., 0] * width, uv[..., 1] * height
    if not linear:
        return pixels[_wrap(np.floor(y), height, wrap_t), _wrap(np.floor(x), width, wrap_s)].astype(np.int32)
    x, y = x - 0.5, y - 0.5
    left, top = np.floor(x), np.floor(y)
    total = np.zeros((*uv.shape[:-1], 4))
    for dy in (0, 1):
        for dx in (0, 1):
            weight = np.abs(1 - dx - (x - left)) * np.abs(1 - dy - (y - top))
            total += weight[..., None] * pixels[_wrap(top + dy, height, wrap_t), _wrap(left + dx, width, wrap_s)]
    return np.rint(total).astype(np.int32)


def _wrap(index: Array, size: int, mode: int) -> Array:
    # A coordinate beyond any texture's use must not overflow the integer.
    whole = np.clip(index, -(2.0**40), 2.0**40).astype(np.int64)
    if mode == 1:
        return whole % size
    if mode == 2:
        folded = whole % (2 * size)
        return np.where(folded < size, folded, 2 * size - 1 - folded)
    return np.clip(whole, 0, size - 1)
