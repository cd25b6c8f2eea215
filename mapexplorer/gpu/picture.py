"""Pictures of the engine for screens and files."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.arrays import Picture

_COLORS: Final = np.uint32(0x3F3F3F)
_LOW_BITS: Final = np.uint32(0x030303)
_OPAQUE: Final = np.uint32(0xFF000000)
_OPAQUE_ALPHA: Final = 31


def displayed(picture: Picture, background: tuple[int, int, int] = (0, 0, 0)) -> Picture:
    """A picture (..., 4) with r, g, b 0..63 and alpha 0..31 as the screen shows it: r, g, b 0..255, opaque, and the
    background colour where nothing is drawn."""
    words = np.ascontiguousarray(picture).view("<u4")
    shown = words & _COLORS
    low_bits = shown >> 4
    low_bits &= _LOW_BITS
    shown <<= 2
    shown |= low_bits
    shown |= _OPAQUE
    shown[words <= ~_OPAQUE] = np.array((*background, 255), np.uint8).view("<u4")
    return shown.view(np.uint8)


def displayed_before(picture: Picture, behind: Picture) -> Picture:
    """The same before another picture (..., 3 or 4) with r, g, b 0..255."""
    shown, alpha = displayed(picture), picture[..., 3:].astype(np.uint16)
    mixed = shown[..., :3] * alpha + behind[..., :3] * (_OPAQUE_ALPHA - alpha)
    shown[..., :3] = mixed // _OPAQUE_ALPHA
    return shown
