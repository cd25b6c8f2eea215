"""Colours of the DS: 15-bit words (red in bits 0-4, green 5-9, blue 10-14) and 5-bit alpha, to and from 8 bits."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt


def to_8_bits(values: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """5-bit components (0..31) as 0..255: the high bits repeated below."""
    five = np.asarray(values, np.uint8)
    return (five << 3 | five >> 2).astype(np.uint8)


def to_5_bits(values: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """The nearest 5-bit component of each 0..255; undoes `to_8_bits`."""
    return ((np.asarray(values, np.uint16) * 31 + 127) // 255).astype(np.uint8)


def to_rgb8(words: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Colour words of any shape as uint8 (..., 3). Bit 15 is ignored."""
    return _all_rgb8().take(np.asarray(words, np.uint16) & np.uint16(0x7FFF), axis=0)


@functools.cache
def _all_rgb8() -> npt.NDArray[np.uint8]:
    """The RGB of every colour word, (0x8000, 3)."""
    words = np.arange(0x8000, dtype=np.uint16)
    return to_8_bits(np.stack([words & 31, words >> 5 & 31, words >> 10 & 31], axis=-1))
