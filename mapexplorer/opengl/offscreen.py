"""OpenGL without a window: a context through EGL, and a framebuffer to draw into.

On Linux, Mesa's surfaceless platform is tried first, then the default display. Other systems rarely have EGL.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.errors import GlError
from mapexplorer.system.libraries import needs, unloadable

_LIBRARIES: Final = (("libEGL.so.1",), ("libGL.so.1", "libOpenGL.so.0"))
"""The libraries that PyOpenGL loads: one of each group."""

_SURFACELESS: Final = 0x31DD
_MAJOR, _MINOR, _PROFILE, _CORE = 0x3098, 0x30FB, 0x30FD, 1


@contextmanager
def offscreen_context() -> Iterator[None]:
    """A block with a current OpenGL 3.3 core context without a surface, which is destroyed after it with everything
    that was made in it. Raises GlError when none can be created.

    PyOpenGL selects its platform when it is first imported, so the first context of a process must be made before any
    other import of OpenGL.
    """
    egl = _egl()
    try:
        display = _display(egl)
        context = _context(egl, display)
    except egl.EGLError as error:
        raise GlError(f"EGL does not make an OpenGL 3.3 core context: {error.err}") from error
    try:
        yield
    finally:
        egl.eglMakeCurrent(display, egl.EGL_NO_SURFACE, egl.EGL_NO_SURFACE, egl.EGL_NO_CONTEXT)
        egl.eglDestroyContext(display, context)


def _egl() -> Any:
    if sys.platform in ("win32", "darwin"):
        raise GlError("pictures by OpenGL without a window need EGL, which this system does not have")
    for names in _LIBRARIES:
        problems = [problem for name in names if (problem := unloadable(name)) is not None]
        if len(problems) == len(names):
            raise GlError(needs(problems[:1]))
    if "OpenGL" not in sys.modules:
        os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    from OpenGL import _configflags

    # PyOpenGL's EGL module cannot be imported while the error check is off.
    checking = _configflags.ERROR_CHECKING
    _configflags.ERROR_CHECKING = True
    try:
        from OpenGL import EGL
        from OpenGL.raw.EGL import _errors

        EGL.EGLError = _errors.EGLError
    except (ImportError, AttributeError, TypeError, OSError) as error:
        raise GlError(f"pictures by OpenGL without a window need EGL, which cannot be loaded: {error}") from error
    finally:
        _configflags.ERROR_CHECKING = checking
    return EGL


def _display(egl: Any) -> Any:
    from OpenGL.EGL.EXT import platform_base

    candidates = []
    if platform_base.eglGetPlatformDisplayEXT:
        candidates.append(platform_base.eglGetPlatformDisplayEXT(_SURFACELESS, None, None))
    candidates.append(egl.eglGetDisplay(egl.EGL_DEFAULT_DISPLAY))
    reason: Exception | None = None
    for display in candidates:
        major, minor = egl.EGLint(), egl.EGLint()
        try:
            if display and egl.eglInitialize(display, major, minor):
                return display
        except egl.EGLError as error:
            reason = error
    raise GlError(
        "EGL finds no display, not even one without a surface: a driver is missing (Debian's Mesa packages are "
        "libegl-mesa0 and libgl1-mesa-dri)"
    ) from reason


def _context(egl: Any, display: Any) -> Any:
    egl.eglBindAPI(egl.EGL_OPENGL_API)
    wanted = (egl.EGL_SURFACE_TYPE, egl.EGL_PBUFFER_BIT, egl.EGL_RENDERABLE_TYPE, egl.EGL_OPENGL_BIT, egl.EGL_NONE)
    configs = (egl.EGLConfig * 1)()
    config_count = egl.EGLint()
    egl.eglChooseConfig(display, (egl.EGLint * len(wanted))(*wanted), configs, 1, config_count)
    if not config_count.value:
        raise GlError("EGL offers no configuration for OpenGL")
    attributes = (_MAJOR, 3, _MINOR, 3, _PROFILE, _CORE, egl.EGL_NONE)
    context = egl.eglCreateContext(display, configs[0], egl.EGL_NO_CONTEXT, (egl.EGLint * len(attributes))(*attributes))
    if not context or not egl.eglMakeCurrent(display, egl.EGL_NO_SURFACE, egl.EGL_NO_SURFACE, context):
        raise GlError("EGL does not make an OpenGL 3.3 core context current")
    return context


class RenderTarget:
    """A framebuffer object of a size, with depth and stencil, in the current context. `form`: that of its pixels in
    OpenGL, by default RGBA of 8 bits."""

    def __init__(self, width: int, height: int, form: int | None = None) -> None:
        from mapexplorer.opengl.gl import GL

        self._gl = GL
        self.width, self.height = width, height
        limit = int(GL.glGetIntegerv(GL.GL_MAX_RENDERBUFFER_SIZE))
        if not (0 < width <= limit and 0 < height <= limit):
            raise GlError(f"a picture of {width} x {height} pixels is too large: the driver allows {limit} a side")
        self.framebuffer = int(GL.glGenFramebuffers(1))
        self._buffers = [int(name) for name in np.atleast_1d(GL.glGenRenderbuffers(2))]
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.framebuffer)
        for name, stored, point in (
            (self._buffers[0], form or GL.GL_RGBA8, GL.GL_COLOR_ATTACHMENT0),
            (self._buffers[1], GL.GL_DEPTH24_STENCIL8, GL.GL_DEPTH_STENCIL_ATTACHMENT),
        ):
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, name)
            GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, stored, width, height)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, point, GL.GL_RENDERBUFFER, name)
        if GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) != GL.GL_FRAMEBUFFER_COMPLETE:
            self.release()
            raise GlError(f"the driver cannot draw into a framebuffer of {width} x {height} pixels")

    def pixels(self, *, bgra: bool = False) -> npt.NDArray[np.uint8]:
        """The pixels: uint8 (height, width, 4), RGBA or BGRA, the first row at the top."""
        gl = self._gl
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.framebuffer)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        pixels = np.empty((self.height, self.width, 4), np.uint8)
        form = gl.GL_BGRA if bgra else gl.GL_RGBA
        gl.glReadPixels(0, 0, self.width, self.height, form, gl.GL_UNSIGNED_BYTE, pixels)
        return np.ascontiguousarray(pixels[::-1])

    def release(self) -> None:
        """Delete the framebuffer."""
        self._gl.glDeleteFramebuffers(1, [self.framebuffer])
        self._gl.glDeleteRenderbuffers(2, self._buffers)
