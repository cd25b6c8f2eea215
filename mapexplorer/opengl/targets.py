"""The buffers of a picture: colours of the field with the attributes of its pixels, depth and stencil, the pixels
without fog, and the finished colours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.gl import GL, disable


class PictureBuffers:
    """Framebuffers of a size.

    `field` has the field's colours, depth and stencil; `final` the finished colours alone, so that the textures
    `colors` and `depths` of the field can be read meanwhile; `finished` the finished colours with the field's depth
    and stencil.

    The texture `fogless` is 1 where a blended polygon without fog is seen. On the console a pixel has fog only if the
    opaque polygon and every polygon that is blended over it have it. Opaque polygons write their fog bit with their
    colour; blended ones cannot clear it there, so their pixels are found first.
    """

    def __init__(self) -> None:
        self._size = (0, 0)
        self.field, self.final, self.finished, self._mask = (int(name) for name in GL.glGenFramebuffers(4))
        self._textures = [int(name) for name in GL.glGenTextures(4)]
        self.colors, self.depths, self._finished, self.fogless = self._textures

    def resize(self, width: int, height: int) -> None:
        """Reserve memory for pictures of this size."""
        if (width, height) == self._size:
            return
        self._size = (width, height)
        for texture in self._textures:
            make_texture(texture, width, height, depth=texture == self.depths)
        for framebuffer, colors, depths in (
            (self.field, self.colors, self.depths),
            (self.final, self._finished, 0),
            (self.finished, self._finished, self.depths),
            (self._mask, self.fogless, self.depths),
        ):
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
            for point, texture in ((GL.GL_COLOR_ATTACHMENT0, colors), (GL.GL_DEPTH_STENCIL_ATTACHMENT, depths)):
                if texture:
                    GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, point, GL.GL_TEXTURE_2D, texture, 0)

    def begin_mask(self) -> None:
        """Clear the pixels without fog and draw into them from now on, with the depth test of the opaque polygons."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._mask)
        disable(GL.GL_STENCIL_TEST, GL.GL_BLEND)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDepthMask(False)

    def copy_to(self, framebuffer: int) -> None:
        """Copy the finished colours into a framebuffer, which is bound afterwards."""
        box = (0, 0, *self._size)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.final)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glBlitFramebuffer(*box, *box, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)


def make_texture(
    name: int, width: int, height: int, *, depth: bool = False, data: npt.NDArray[np.uint8] | None = None
) -> None:
    """Reserve memory for a texture that is read texel by texel: RGBA of 8 bits, which software drivers read fastest,
    or depth and stencil. `data`: its contents."""
    GL.glBindTexture(GL.GL_TEXTURE_2D, name)
    forms = (GL.GL_RGBA8, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    if depth:
        forms = (GL.GL_DEPTH24_STENCIL8, GL.GL_DEPTH_COMPONENT, GL.GL_UNSIGNED_INT)
    GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, forms[0], width, height, 0, *forms[1:], data)
    for parameter in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
        GL.glTexParameteri(GL.GL_TEXTURE_2D, parameter, GL.GL_NEAREST)
    GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
