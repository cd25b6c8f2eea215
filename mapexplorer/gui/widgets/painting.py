"""Painting on a device of Qt, or with a painter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PyQt5.QtCore import QPointF
from PyQt5.QtGui import QImage, QPaintDevice, QPainter


@contextmanager
def painting(on: QPaintDevice | QPainter, *, smooth: bool = False) -> Iterator[QPainter]:
    """A painter on a device, or a given one, which is as before after the block; `smooth`: with antialiased edges. The
    one on a device ends with the block also when that raises: who keeps the error keeps the painter, and a device that
    is freed while a painter is active on it ends the process."""
    painter = on if isinstance(on, QPainter) else QPainter(on)
    painter.save()
    painter.setRenderHint(QPainter.Antialiasing, smooth or painter.testRenderHint(QPainter.Antialiasing))
    try:
        yield painter
    finally:
        painter.restore()
        if painter is not on:
            painter.end()


def put(picture: QImage, at: QPointF, image: QImage) -> None:
    """Replace a part of a picture."""
    with painting(picture) as painter:
        painter.setCompositionMode(QPainter.CompositionMode_Source)
        painter.drawImage(at, image)
