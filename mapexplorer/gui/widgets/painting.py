"""Painting on a device of Qt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PyQt5.QtCore import QPointF
from PyQt5.QtGui import QImage, QPaintDevice, QPainter


@contextmanager
def painting(device: QPaintDevice, *, smooth: bool = False) -> Iterator[QPainter]:
    """A painter on a device; `smooth`: with antialiased edges. It ends with the block also when that raises: who keeps
    the error keeps the painter, and a device that is freed while a painter is active on it ends the process."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.Antialiasing, smooth)
    try:
        yield painter
    finally:
        painter.end()


def put(picture: QImage, at: QPointF, image: QImage) -> None:
    """Replace a part of a picture."""
    with painting(picture) as painter:
        painter.setCompositionMode(QPainter.CompositionMode_Source)
        painter.drawImage(at, image)
