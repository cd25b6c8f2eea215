"""Pictures of the engine for screens and files."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_CHANNEL = np.array([value << 2 | value >> 4 for value in range(64)], np.uint8)
_ALPHA = np.array([value << 3 | value >> 2 for value in range(32)], np.uint8)


def to_8_bit(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A picture (..., 4) with r, g, b 0..63 and alpha 0..31 as one with 0..255; the highest value becomes 255.

    Raises IndexError for values beyond the engine's.
    """
    result = np.empty_like(picture)
    result[..., :3] = _CHANNEL[picture[..., :3]]
    result[..., 3] = _ALPHA[picture[..., 3]]
    return result
