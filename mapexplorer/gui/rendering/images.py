"""Images of Qt from pixels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QBuffer, QIODevice
from PyQt5.QtGui import QImage

Words = npt.NDArray[np.uint32]


def image_of(pixels: npt.NDArray[np.uint8], form: QImage.Format = QImage.Format_RGBA8888) -> QImage:
    """An image with its own copy of `pixels`, shape (height, width, 4)."""
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels).data
    return QImage(data, width, height, width * 4, form).copy()  # type: ignore[call-overload,no-any-return]


def pixels_of(image: QImage) -> npt.NDArray[np.uint8]:
    """The pixels (height, width, 4) of an image of four bytes for a pixel."""
    data = image.constBits().asarray(image.sizeInBytes())
    return np.frombuffer(bytes(data), np.uint8).reshape(image.height(), image.width(), 4)


def png_of(image: QImage) -> bytes:
    """An image as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def enlarged(pixels: npt.NDArray[np.uint8], width: int, height: int) -> npt.NDArray[np.uint8]:
    """A picture of four channels (h, w, 4), enlarged to (height, width, 4) so that its pixels are of one size.

    A pixel on the border of two has a mixture of them by their shares. The picture may not become smaller.
    """
    words = np.ascontiguousarray(pixels).view(np.uint32)[..., 0]
    wide = _stretched(words, width, 1)
    return np.ascontiguousarray(_stretched(wide, height, 0)).view(np.uint8).reshape(height, width, 4)


def enlarged_image(picture: npt.NDArray[np.uint8], width: int, height: int) -> QImage:
    """A picture (h, w, 4) enlarged, as an image in the format that Qt draws fastest."""
    return image_of(enlarged(picture[..., [2, 1, 0, 3]], width, height), QImage.Format_RGB32)  # blue, green, red


def _stretched(words: Words, length: int, axis: int) -> Words:
    """Pixels as words of four bytes, stretched along an axis."""
    count = words.shape[axis]
    places = np.arange(length) * count
    first = places // length
    # How much of a pixel of the result the second of its two has, in parts of `count`.
    share = places + count - (first + 1) * length
    result: Words = np.take(words, first, axis)
    mixed = np.flatnonzero(share > 0)
    weight = np.expand_dims((share[mixed] * 256 // count).astype(np.uint32), 1 - axis)
    pair = np.take(words, first[mixed], axis), np.take(words, first[mixed] + 1, axis)
    result[(slice(None), mixed) if axis else mixed] = _mixture(*pair, weight)
    return result


def _mixture(first: Words, second: Words, weight: Words) -> Words:
    """`weight` of 256 parts of the second words and the rest of the first ones, byte by byte."""
    rest, even, odd = 256 - weight, np.uint32(0x00FF00FF), np.uint32(0xFF00FF00)
    low = ((first & even) * rest + (second & even) * weight) >> 8 & even
    high = ((first >> 8 & even) * rest + (second >> 8 & even) * weight) & odd
    return np.asarray(low | high, np.uint32)
