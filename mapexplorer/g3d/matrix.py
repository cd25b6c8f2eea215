"""The integer matrices of the NITRO library: fx32 elements, row vectors, rows stored in order.

A 3x3 is nine integers, a 4x3 is twelve (three rows of the linear part, then the translation). Products keep 64-bit sums
and floor once per element, as the geometry engine and the library's own routines do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, overload

from formats.fixed import ONE, Vector, cos_index, div, sin_index, wrap

Matrix33 = tuple[int, int, int, int, int, int, int, int, int]
Matrix43 = tuple[int, int, int, int, int, int, int, int, int, int, int, int]

IDENTITY33: Final[Matrix33] = (ONE, 0, 0, 0, ONE, 0, 0, 0, ONE)
IDENTITY43: Final[Matrix43] = (*IDENTITY33, 0, 0, 0)


@overload
def wrapped(elements: Matrix33) -> Matrix33: ...


@overload
def wrapped(elements: Matrix43) -> Matrix43: ...


def wrapped(elements: tuple[int, ...]) -> tuple[int, ...]:
    """The elements as the geometry engine keeps them, in words of 32 bits."""
    if min(elements) >= -0x80000000 and max(elements) <= 0x7FFFFFFF:
        return elements
    return tuple(map(wrap, elements))


def multiply33(a: Matrix33, b: Matrix33) -> Matrix33:
    """`a @ b`: a acts first."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = a
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = b
    return (
        (a0 * b0 + a1 * b3 + a2 * b6) >> 12,
        (a0 * b1 + a1 * b4 + a2 * b7) >> 12,
        (a0 * b2 + a1 * b5 + a2 * b8) >> 12,
        (a3 * b0 + a4 * b3 + a5 * b6) >> 12,
        (a3 * b1 + a4 * b4 + a5 * b7) >> 12,
        (a3 * b2 + a4 * b5 + a5 * b8) >> 12,
        (a6 * b0 + a7 * b3 + a8 * b6) >> 12,
        (a6 * b1 + a7 * b4 + a8 * b7) >> 12,
        (a6 * b2 + a7 * b5 + a8 * b8) >> 12,
    )


def plus_part(total: Sequence[int], weight: int, elements: Sequence[int]) -> list[int]:
    """A sum of matrices with a further one, whose weight is in 256ths."""
    return [before + ((weight << 4) * element >> 12) for before, element in zip(total, elements, strict=True)]


def rotation33(x: int, y: int, z: int) -> Matrix33:
    """A rotation about x, then y, then z, by u16 angles (65536 = a turn)."""
    (sin_x, cos_x), (sin_y, cos_y), (sin_z, cos_z) = ((sin_index(angle), cos_index(angle)) for angle in (x, y, z))
    about_x = (ONE, 0, 0, 0, cos_x, sin_x, 0, -sin_x, cos_x)
    about_y = (cos_y, 0, -sin_y, 0, ONE, 0, sin_y, 0, cos_y)
    about_z = (cos_z, sin_z, 0, -sin_z, cos_z, 0, 0, 0, ONE)
    return multiply33(multiply33(about_x, about_y), about_z)


def multiply43(a: Matrix43, b: Matrix43) -> Matrix43:
    """`a @ b` of affine matrices: a acts first."""
    x, y, z = a[9:]
    return (
        *multiply33(a[:9], b[:9]),
        (x * b[0] + y * b[3] + z * b[6] + (b[9] << 12)) >> 12,
        (x * b[1] + y * b[4] + z * b[7] + (b[10] << 12)) >> 12,
        (x * b[2] + y * b[5] + z * b[8] + (b[11] << 12)) >> 12,
    )


def rotate43(a: Matrix33, b: Matrix43) -> Matrix43:
    """`a @ b` for a linear `a` (MTX_MULT_3x3)."""
    return (*multiply33(a, b[:9]), *b[9:])


def translate43(vector: Vector, b: Matrix43) -> Matrix43:
    """A translation that acts before `b` (MTX_TRANS)."""
    return multiply43((*IDENTITY33, *vector), b)


def scale43(vector: Vector, b: Matrix43) -> Matrix43:
    """A scale that acts before `b` (MTX_SCALE)."""
    x, y, z = vector
    return (
        b[0] * x >> 12,
        b[1] * x >> 12,
        b[2] * x >> 12,
        b[3] * y >> 12,
        b[4] * y >> 12,
        b[5] * y >> 12,
        b[6] * z >> 12,
        b[7] * z >> 12,
        b[8] * z >> 12,
        *b[9:],
    )


def inverse43(m: Matrix43) -> Matrix43:
    """The library's general inverse: cofactors and products floored, the determinant's parts rounded.

    Raises ZeroDivisionError for a singular matrix.
    """
    a0, a1, a2, b0, b1, b2, c0, c1, c2, t0, t1, t2 = m

    def rounded(value: int) -> int:
        return (value + 0x800) >> 12

    d0 = rounded(b1 * c2 - b2 * c1)
    d1 = rounded(b0 * c2 - b2 * c0)
    d2 = rounded(b0 * c1 - b1 * c0)
    k = div(ONE, rounded(a0 * d0 - a1 * d1 + a2 * d2))
    r = (
        k * d0 >> 12,
        -(k * (a1 * c2 - c1 * a2 >> 12) >> 12),
        k * (a1 * b2 - b1 * a2 >> 12) >> 12,
        -(k * d1 >> 12),
        k * (a0 * c2 - c0 * a2 >> 12) >> 12,
        -(k * (a0 * b2 - b0 * a2 >> 12) >> 12),
        k * d2 >> 12,
        -(k * (a0 * c1 - c0 * a1 >> 12) >> 12),
        k * (a0 * b1 - a1 * b0 >> 12) >> 12,
    )
    return (
        *r,
        -(r[0] * t0 + r[3] * t1 + r[6] * t2 >> 12),
        -(r[1] * t0 + r[4] * t1 + r[7] * t2 >> 12),
        -(r[2] * t0 + r[5] * t1 + r[8] * t2 >> 12),
    )
