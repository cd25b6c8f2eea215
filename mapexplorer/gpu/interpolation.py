"""Interpolation along edges (Y) and spans (X): W, depth, colours and texture coordinates.

Along Y the factor has 9 fraction bits and is computed at every line from the end vertices of the edge; along X it
has 8 and is computed at every pixel from the ends of the span, so that no error accumulates.

Along X whole rows are computed at once, in double precision: every product and quotient here is below 2**53, so that
the truncated result is the integer one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import bare_kernel

Int32 = npt.NDArray[np.int32]
Float64 = npt.NDArray[np.float64]


@bare_kernel
def factor_y(p: int, length: int, w0: int, w1: int) -> int:
    """The perspective factor (0..512) at position `p` of an edge of `length` lines with normalised W at its ends."""
    a = w0 >> 1
    b = (w0 + (w0 & ~w1 & 1)) >> 1
    divisor = p * b + (length - p) * (w1 >> 1)
    numerator = ((p * a) << 9) & 0xFFFFFFFF
    return np.int64(np.float64(numerator) / np.float64(divisor)) if divisor > 0 else 0


@bare_kernel
def is_linear(w0: int, w1: int, mask: int) -> bool:
    return w0 == w1 and w0 & mask == 0


@bare_kernel
def attribute_y(v0: int, v1: int, p: int, length: int, factor: int, linear: bool) -> int:
    """W, a colour or a texture coordinate on an edge."""
    if v0 == v1 or length == 0:
        return v0
    if linear:
        if v0 < v1:
            return v0 + (v1 - v0) * p // length
        return v1 + (v0 - v1) * (length - p) // length
    if v0 < v1:
        return v0 + (((v1 - v0) * factor) >> 9)
    return v1 + (((v0 - v1) * (512 - factor)) >> 9)


@bare_kernel
def depth_y(z0: int, z1: int, p: int, length: int, factor: int, w_buffered: bool) -> int:
    """Depth on an edge."""
    if z0 == z1 or length == 0:
        return z0
    if w_buffered:
        if z0 < z1:
            return z0 + (((z1 - z0) * factor) >> 9)
        return z1 + (((z0 - z1) * (512 - factor)) >> 9)
    difference = abs(z1 - z0)
    q = p if z0 < z1 else length - p
    shift = 0
    while difference > 0x3FF:
        difference >>= 1
        shift += 1
    return min(z0, z1) + (((difference * q * (0x400000 // length)) >> 22) << shift)


@bare_kernel
def depths_x(
    out: Int32, start: int, count: int, length: int, z0: int, z1: int, w0: int, w1: int, w_buffered: bool
) -> None:
    """out[i] = depth at position start + i of a span of `length` pixels, for i below `count`."""
    if z0 == z1:
        for i in range(count):
            out[i] = np.int32(z0)
        return
    base = np.int32(min(z0, z1))
    difference = abs(z1 - z0)
    if w_buffered:
        near = np.float64(w0)
        far = np.float64(w1)
        size = np.float64(length)
        scale = np.float64(difference if z0 < z1 else -difference) / 256.0
        offset = 0.0 if z0 < z1 else np.float64(difference)
        for i in range(count):
            p = np.float64(np.int32(start + i))
            divisor = max(p * near + (size - p) * far, 1.0)
            factor = np.float64(np.int32(p * near * 256.0 / divisor))
            out[i] = base + np.int32(offset + scale * factor)
        return
    slope = np.float64((difference >> 9) * (0x400000 // length)) / 8192.0
    if z0 < z1:
        for i in range(count):
            out[i] = base + np.int32(slope * np.float64(np.int32(start + i)))
    else:
        for i in range(count):
            out[i] = base + np.int32(slope * np.float64(np.int32(length - start - i)))


@bare_kernel
def factors_x(positions: Int32, factors: Float64, count: int, length: int, w0: int, w1: int) -> float:
    """factors[i] = what attributes are proportional to at a position of a span; the result is its value at the end.

    That is the perspective factor (0..256), or on spans that are linear the position itself (0..length).
    """
    if is_linear(w0, w1, 0x7F):
        for i in range(count):
            factors[i] = np.float64(positions[i])
        return np.float64(length)
    near = np.float64(w0)
    far = np.float64(w1)
    size = np.float64(length)
    for i in range(count):
        p = np.float64(positions[i])
        divisor = max(p * near + (size - p) * far, 1.0)
        factors[i] = np.float64(np.int32(p * near * 256.0 / divisor))
    return 256.0


@bare_kernel
def ramp_x(v0: int, v1: int, whole: float) -> tuple[int, float, float]:
    """(base, offset, slope) of an attribute: base + truncate(offset + slope * factor), `whole` the factor at the end.

    The half in the offset keeps quotients by the span's length exact: they are at least half a divisor away from the
    next integer, which is far more than a double loses.
    """
    if v0 < v1:
        slope = np.float64(v1 - v0) / whole
        return v0, 0.5 / whole, slope
    slope = np.float64(v0 - v1) / whole
    return v1, np.float64(v0 - v1) + 0.5 / whole, -slope
