"""The OpenGL context of the OpenGL view.

Its pictures are drawn off screen and read back. With a `QOpenGLWidget`, Qt would compose the whole window by OpenGL for
each picture, which takes about as long on software OpenGL as the picture itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PyQt5.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from mapexplorer.opengl.errors import GlError


class GlContext:
    """A context without a window. Used by the window's thread."""

    def __init__(self) -> None:
        """Raises GlError when there is none."""
        self._surface = QOffscreenSurface()
        self._surface.setFormat(QSurfaceFormat.defaultFormat())
        self._surface.create()
        self._context = QOpenGLContext()
        self._context.setFormat(QSurfaceFormat.defaultFormat())
        if not (self._surface.isValid() and self._context.create()):
            raise GlError("Qt makes no OpenGL context")

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make it current in a block. Raises GlError when that fails."""
        if not self._context.makeCurrent(self._surface):
            raise GlError("the OpenGL context is lost")
        try:
            yield
        finally:
            self._context.doneCurrent()
