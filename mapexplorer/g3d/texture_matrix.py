"""The texture matrix of a material in the four modes of the NITRO library, in integers.

A texture coordinate (s, t) in 1/16 texels becomes ((s m00 + t m10 + m30) >> 12, (s m01 + t m11 + m31) >> 12). The other
elements of the 4x4 matrix are zero, but m33, which is 1.0.
"""

from __future__ import annotations

from typing import NamedTuple

from formats.fixed import ONE, div, mul_floor, wrap
from formats.nitro.model import TEXTURE_3DS_MAX, TEXTURE_MAYA, TEXTURE_SOFTIMAGE

Pair = tuple[int, int]


class TextureMatrix(NamedTuple):
    """The elements that can be other than zero: fx32, row 3 in 1/16 texels."""

    m00: int = ONE
    m01: int = 0
    m10: int = 0
    m11: int = ONE
    m30: int = 0
    m31: int = 0

    def words(self) -> tuple[int, ...]:
        """The sixteen parameters of MTX_LOAD_4x4, row by row; m22 is 0."""
        return (self.m00, self.m01, 0, 0, self.m10, self.m11, 0, 0, 0, 0, 0, 0, self.m30, self.m31, 0, ONE)


def texture_matrix(
    mode: int,
    size: Pair,
    scale: Pair | None = None,
    rotation: Pair | None = None,
    translation: Pair | None = None,
    mag: Pair = (ONE, ONE),
) -> TextureMatrix:
    """The matrix of a texture transform.

    `mode` is Maya, Softimage|3D, 3ds Max or XSI (`formats.nitro.model`); `size` the material's texture width and height
    in texels; `scale` and `translation` are (S, T) in fx32, `rotation` is (sin, cos) in fx16, None where absent; `mag`
    is the ratio of the bound texture's size to the material's. Softimage|3D ignores rotation. As in the library, mag
    multiplies rows of the result, which is wrong for a rotated texture of another size, and 3ds Max's mode does not
    correct the rotated translation for the aspect ratio.
    """
    width, height = size
    scale_s, scale_t = scale or (ONE, ONE)
    sine, cosine = rotation or (0, ONE)
    move_s, move_t = translation or (0, 0)
    if mode == TEXTURE_SOFTIMAGE:
        across, along = -(scale_s * move_s >> 8) * width, -(scale_t * move_t >> 8) * height
        return _magnified(TextureMatrix(scale_s, 0, 0, scale_t, across, along), mag)
    ss, sc = mul_floor(scale_s, sine), mul_floor(scale_s, cosine)
    ts, tc = mul_floor(scale_t, sine), mul_floor(scale_t, cosine)
    aspect_hw = div(height, width) if width else 0
    aspect_wh = div(width, height) if height else 0
    if mode == TEXTURE_MAYA:
        matrix = TextureMatrix(
            sc,
            -ts * aspect_hw >> 12,
            ss * aspect_wh >> 12,
            tc,
            ((-ss - sc + scale_s) * width << 3) - (scale_s * move_s >> 8) * width,
            ((ts - tc - scale_t + 2 * ONE) * height << 3) + (scale_t * move_t >> 8) * height,
        )
        if scale is None and rotation is None:
            matrix = matrix._replace(m30=-(move_s * width << 4), m31=move_t * height << 4)
        return _magnified(matrix, mag)
    linear = TextureMatrix(sc, ts * aspect_hw >> 12, -ss * aspect_wh >> 12, tc)
    if mode == TEXTURE_3DS_MAX:
        p = -(width << 11) - move_s * width
        q = -(height << 11) + move_t * height
        matrix = linear._replace(
            m30=(sc * p - ss * q >> 8) + (width << 15), m31=(ts * p + tc * q >> 8) + (height << 15)
        )
    else:
        p = mul_floor(move_s * cosine + move_t * sine >> 12, scale_s)
        q = mul_floor(move_s * sine - move_t * cosine >> 12, scale_t)
        matrix = linear._replace(m30=width * (ss - p) << 4, m31=-height * (tc + q - ONE) << 4)
    return _magnified(matrix, mag)


def _magnified(matrix: TextureMatrix, mag: Pair) -> TextureMatrix:
    m00, m01, m10, m11, m30, m31 = matrix
    if mag[0] != ONE:
        m00, m01, m30 = mul_floor(mag[0], m00), mul_floor(mag[0], m01), mul_floor(mag[0], m30)
    if mag[1] != ONE:
        m10, m11, m31 = mul_floor(mag[1], m10), mul_floor(mag[1], m11), mul_floor(mag[1], m31)
    return TextureMatrix(wrap(m00), wrap(m01), wrap(m10), wrap(m11), wrap(m30), wrap(m31))
