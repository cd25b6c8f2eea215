"""The pixels without fog: those where a blended polygon without fog is seen.

On the console a pixel has fog only if the opaque polygon and every polygon that is blended over it have it. Here fog is
applied polygon by polygon, so these pixels are found first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import FIELD_VERTEX, FOGLESS_FRAGMENT

UNIT: Final = 5
"""The texture unit of the mask."""


class FogMask:
    """A mask of the picture's size, 1 where there is no fog."""

    def __init__(self) -> None:
        self.program = Program(FIELD_VERTEX, FOGLESS_FRAGMENT)
        self._framebuffer = int(GL.glGenFramebuffers(1))
        self._texture = int(GL.glGenTextures(1))
        self._depth = int(GL.glGenRenderbuffers(1))
        self._size = (0, 0)

    def draw(self, width: int, height: int, opaque: Callable[[], None], blended: Callable[[], None]) -> None:
        """Draw it: the depth of opaque polygons, then the polygons that `blended` draws with `program`. Another
        framebuffer has to be bound afterwards."""
        if (width, height) != self._size:
            self._resize(width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        GL.glColorMask(False, False, False, False)
        opaque()
        GL.glColorMask(True, True, True, True)
        GL.glDepthMask(False)
        blended()
        GL.glDepthMask(True)

    def bind(self) -> None:
        """Bind the mask to its texture unit."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glActiveTexture(GL.GL_TEXTURE0)

    def _resize(self, width: int, height: int) -> None:
        self._size = (width, height)
        GL.glActiveTexture(GL.GL_TEXTURE0 + UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_R8, width, height, 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, None)
        for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, GL.GL_NEAREST)
        GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, self._depth)
        GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_DEPTH_COMPONENT24, width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, self._texture, 0)
        GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, GL.GL_DEPTH_ATTACHMENT, GL.GL_RENDERBUFFER, self._depth)

    def release(self) -> None:
        """Delete all OpenGL objects."""
        GL.glDeleteFramebuffers(1, [self._framebuffer])
        GL.glDeleteTextures([self._texture])
        GL.glDeleteRenderbuffers(1, [self._depth])
        self.program.release()
