"""Interpolation along edges (Y) and spans (X): W, depth, colours and texture coordinates.

Between values v0 and v1 an attribute is v0 + floor((v1 - v0) * part), where the part is a perspective factor (9
fraction bits along Y, 8 along X) or, where W is the same at both ends, position / length. It is computed for every
line from the ends of the edge and for every pixel from the ends of the span, so that no error accumulates.

Along X whole rows are computed at once, in double precision. Products and quotients are below 2**53, so that
truncation gives the integer results. To quotients by the length half a divisor is added, which keeps them away from
the next integer.
"""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Float64, Int32
from mapexplorer.gpu.integers import Flag, Int


@kernel
def factor_y(p: Int, length: Int, w0: Int, w1: Int) -> Int:
    """The perspective factor (0..512) at position `p` of an edge of `length` lines with normalised W at its ends."""
    divisor = p * ((w0 + (w0 & ~w1 & 1)) >> 1) + (length - p) * (w1 >> 1)
    numerator = ((p * (w0 >> 1)) << 9) & 0xFFFFFFFF
    return np.int64(np.float64(numerator) / np.float64(max(divisor, 1)))


@kernel
def is_linear(w0: Int, w1: Int, mask: Int) -> Flag:
    return w0 == w1 and w0 & mask == 0


@kernel
def depths_x(
    out: Int32,
    start: Int,
    count: Int,
    length: Int,
    z0: Int,
    z1: Int,
    w0: Int,
    w1: Int,
    w_buffered: bool,
) -> None:
    """out[i] = depth at position start + i of a span of `length` pixels, for i below `count`."""
    if w_buffered:
        near = np.float64(w0)
        far = np.float64(w1)
        size = np.float64(length)
        scale = np.float64(z1 - z0) / 256.0
        base = np.int32(z0 - 0x1000000)
        for i in range(count):
            p = np.float64(np.int32(start + i))
            factor = np.float64(np.int32(p * near * 256.0 / max(p * near + (size - p) * far, 1.0)))
            out[i] = base + np.int32(scale * factor + 16777216.0)
        return
    reciprocal = np.int64(4194304.0 / np.float64(length))
    slope = np.float64((abs(z1 - z0) >> 9) * reciprocal) / 8192.0
    first = slope * np.float64(start if z0 < z1 else length - start)
    if z0 > z1:
        slope = -slope
    nearest = np.int32(min(z0, z1))
    for i in range(count):
        out[i] = nearest + np.int32(first + slope * np.float64(np.int32(i)))


@kernel
def factors_x(positions: Int32, factors: Float64, count: Int, length: Int, w0: Int, w1: Int) -> float:
    """factors[i] = the interpolation factor of attributes at a position of a span; the result is the factor at the end.

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
        factors[i] = np.float64(np.int32(p * near * 256.0 / max(p * near + (size - p) * far, 1.0)))
    return 256.0


@kernel
def colors_x(
    out: Int32,
    factors: Float64,
    count: Int,
    whole: float,
    r0: Int,
    r1: Int,
    g0: Int,
    g1: Int,
    b0: Int,
    b1: Int,
) -> None:
    """out[i] = vertex colour (6 bits per channel) between two 9-bit colours; `whole` is the factor of the second."""
    if r0 == r1 and g0 == g1 and b0 == b1:
        color = np.int32(r0 >> 3 | g0 >> 3 << 8 | b0 >> 3 << 16)
        for i in range(count):
            out[i] = color
        return
    # 512 keeps the differences positive, so that truncation rounds down.
    bias = 512.0 + 0.5 / whole
    red = np.float64(r1 - r0) / whole
    green = np.float64(g1 - g0) / whole
    blue = np.float64(b1 - b0) / whole
    for i in range(count):
        factor = factors[i]
        r = (np.int32(red * factor + bias) + (r0 - 512)) >> 3
        g = (np.int32(green * factor + bias) + (g0 - 512)) >> 3
        b = (np.int32(blue * factor + bias) + (b0 - 512)) >> 3
        out[i] = np.int32(r | g << 8 | b << 16)


@kernel
def coordinates_x(
    s: Int32,
    t: Int32,
    factors: Float64,
    count: Int,
    whole: float,
    s0: Int,
    s1: Int,
    t0: Int,
    t1: Int,
) -> None:
    """s[i], t[i] = texture coordinates between two points."""
    bias = 65536.0 + 0.5 / whole
    s_slope = np.float64(s1 - s0) / whole
    t_slope = np.float64(t1 - t0) / whole
    s_base = np.int32(s0 - 65536)
    t_base = np.int32(t0 - 65536)
    for i in range(count):
        s[i] = np.int32(s_slope * factors[i] + bias) + s_base
        t[i] = np.int32(t_slope * factors[i] + bias) + t_base
