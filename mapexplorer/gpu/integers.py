"""Integer arithmetic of the hardware on numba's 64-bit integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from formats.kernel import kernel

Int = Any
"""An integer in a kernel: 64 bits, independent of the array it was read from."""

Flag = Any
"""A truth value that a kernel computes."""


@kernel
def signed(value: Int, bits: Int) -> Int:
    """The low `bits` bits of `value` as a two's complement number."""
    shift = 64 - bits
    return (value << shift) >> shift


@kernel
def signed32(value: Int) -> Int:
    """`value` wrapped to 32 bits, signed."""
    return np.int64(np.int32(value))


@kernel
def truncated_quotient(a: Int, b: Int) -> Int:
    """`a` / `b` rounded toward zero; 0 when `b` is 0."""
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


@kernel
def color_of(word: Int) -> Int:
    """An RGB15 word as 6-bit components in bytes: r in bits 0-7, g in 8-15, b in 16-23; c becomes 2c + 1, 0 stays 0."""
    spread = (word & 31) | ((word & 0x3E0) << 3) | ((word & 0x7C00) << 6)
    return (spread << 1) + (((spread + 0x1F1F1F) >> 5) & 0x010101)
