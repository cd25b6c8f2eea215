"""The OpenGL context of the OpenGL view.

Its pictures are drawn off screen and read back. With a `QOpenGLWidget`, Qt would compose the whole window by OpenGL for
each picture, which takes about as long on software OpenGL as the picture itself.
"""

from __future__ import annotations

from PyQt5.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from mapexplorer.opengl.errors import GlError


class GlContext:
    """A context without a window. It is made by the window's thread, to which its surface belongs; `open` and `close`
    are called in the thread that draws."""

    def __init__(self) -> None:
        self._surface = QOffscreenSurface()
        self._surface.setFormat(QSurfaceFormat.defaultFormat())
        self._surface.create()
        self._context: QOpenGLContext | None = None

    def open(self) -> None:
        """Create the context; it is current in this thread until `close`. Raises GlError when there is none."""
        context = QOpenGLContext()
        context.setFormat(QSurfaceFormat.defaultFormat())
        if not (self._surface.isValid() and context.create()):
            raise GlError("Qt makes no OpenGL context")
        if not context.makeCurrent(self._surface):
            raise GlError("Qt does not make the OpenGL context current")
        self._context = context

    def close(self) -> None:
        """Delete the context."""
        if self._context is not None:
            self._context.doneCurrent()
            self._context = None
