"""The fixed-point arithmetic of the NITRO library and SDK on Python integers.

fx16 and fx32 are signed numbers with 12 fraction bits (4096 = 1.0); angles are u16 indices, 65536 = a full turn.
Source: the helpers of the NITRO-System G3D library; FXMUL, FXDIV and the sine table of the SDK, as the game uses them.
Compiled kernels contain their own versions of the functions that they need.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

ONE = 4096
"""1.0 in fx16 and fx32."""

FULL_TURN = 65536
"""A full turn as an angle."""

_TABLE_ENTRIES = 4096

Vector = tuple[int, int, int]


def wrap(value: int) -> int:
    """The low 32 bits as a signed number."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def mul_floor(a: int, b: int) -> int:
    """fx32 product, rounded down: the multiplication inside the G3D library."""
    return (a * b) >> 12


def mul(a: int, b: int) -> int:
    """fx32 product, rounded: the SDK's FX_Mul."""
    return (a * b + 0x800) >> 12


def signed(value: int, bits: int) -> int:
    """The low bits of a number as a signed one."""
    sign = 1 << (bits - 1)
    return ((value & ((1 << bits) - 1)) ^ sign) - sign


def truncated(numerator: int, denominator: int) -> int:
    """A quotient of integers rounded toward zero, as in C. Raises ZeroDivisionError."""
    quotient = abs(numerator) // abs(denominator)
    return -quotient if (numerator < 0) != (denominator < 0) else quotient


def div(numerator: int, denominator: int) -> int:
    """fx32 quotient of the hardware divider (FX_Div): 64 / 32 bits truncated, then rounded to 12 fraction bits.

    Raises ZeroDivisionError.
    """
    return (truncated(numerator << 32, denominator) + 0x80000) >> 20


def length(vector: Sequence[int]) -> int:
    """Rounded length of an fx32 vector (VEC_Mag)."""
    x, y, z = vector
    return (math.isqrt(4 * (x * x + y * y + z * z)) + 1) >> 1


def normalize(vector: Sequence[int]) -> Vector:
    """Unit vector in fx32 (VEC_Normalize). Raises ZeroDivisionError for the zero vector."""
    x, y, z = vector
    square = x * x + y * y + z * z
    factor = ((1 << 56) // square) * math.isqrt(4 * square)
    half = 1 << 44
    return (factor * x + half) >> 45, (factor * y + half) >> 45, (factor * z + half) >> 45


def cross(a: Sequence[int], b: Sequence[int]) -> Vector:
    """Cross product, each component rounded (VEC_CrossProduct)."""
    return (
        (a[1] * b[2] - a[2] * b[1] + 0x800) >> 12,
        (a[2] * b[0] - a[0] * b[2] + 0x800) >> 12,
        (a[0] * b[1] - a[1] * b[0] + 0x800) >> 12,
    )


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Dot product, rounded (VEC_DotProduct)."""
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 0x800) >> 12


def _table(function: object) -> tuple[int, ...]:
    assert callable(function)
    return tuple(round(ONE * function(2 * math.pi * i / _TABLE_ENTRIES)) for i in range(_TABLE_ENTRIES))


_SINE: tuple[int, ...] = ()


def sin_index(angle: int) -> int:
    """fx16 sine of a u16 angle from the 4096-entry table (FX_SinIdx)."""
    global _SINE
    if not _SINE:
        _SINE = _table(math.sin)
    return _SINE[(angle & 0xFFFF) >> 4]


def cos_index(angle: int) -> int:
    """fx16 cosine of a u16 angle (FX_CosIdx)."""
    return sin_index(((angle & 0xFFFF) >> 4) * 16 + 0x4000)


def moved(start: Vector, delta: Vector, times: int = 1) -> Vector:
    """A position some steps away."""
    return start[0] + times * delta[0], start[1] + times * delta[1], start[2] + times * delta[2]
