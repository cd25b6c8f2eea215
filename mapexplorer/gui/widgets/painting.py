"""Painting on a device of Qt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PyQt5.QtGui import QPaintDevice, QPainter


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """A painter on a device. It ends with the block also when that raises: who keeps the error keeps the painter, and a
    device that is freed while a painter is active on it ends the process."""
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()
