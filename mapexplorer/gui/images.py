"""Images of Qt from pixels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PyQt5.QtGui import QImage


def image_of(pixels: npt.NDArray[np.uint8], form: QImage.Format = QImage.Format_RGBA8888) -> QImage:
    """An image with its own copy of `pixels`, shape (height, width, 4)."""
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels).data
    return QImage(data, width, height, width * 4, form).copy()  # type: ignore[call-overload,no-any-return]
