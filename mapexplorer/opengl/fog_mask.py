"""The pixels without fog: those where a blended polygon without fog is seen.

On the console a pixel has fog only if the opaque polygon and every polygon that is blended over it have it. Opaque
polygons write their fog bit with their colour; blended ones cannot clear it there, so their pixels are found first.
"""

from __future__ import annotations

from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.targets import attach, make_texture


class FogMask:
    """A mask of the picture's size, 1 where there is no fog."""

    def __init__(self) -> None:
        self._framebuffer = int(GL.glGenFramebuffers(1))
        self.texture = int(GL.glGenTextures(1))
        self._size = (0, 0)

    def begin(self, width: int, height: int, depths: int) -> None:
        """Clear it and draw into it from now on, with the depth test of the opaque polygons, whose depths the texture
        `depths` has."""
        if (width, height) != self._size:
            self._size = (width, height)
            make_texture(self.texture, width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        attach(self.texture, depths)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDepthMask(False)

    def release(self) -> None:
        """Delete all OpenGL objects."""
        GL.glDeleteFramebuffers(1, [self._framebuffer])
        GL.glDeleteTextures([self.texture])
