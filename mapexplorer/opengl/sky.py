"""The sky of a feature behind the field: the console's screen, enlarged to cover the picture."""

from __future__ import annotations

from typing import Final

from mapexplorer.opengl.buffers import WordBuffer
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import POLYGON_ID, SCREEN_VERTEX
from mapexplorer.opengl.weather_shaders import SKY_FRAGMENT
from mapexplorer.scene.weather.pictures import Image

_SCREEN: Final = (256, 192)


class SkyProgram:
    """Draws a sky into the colours of a field before its polygons, with the attributes of the clear plane."""

    def __init__(self) -> None:
        self._program = Program(SCREEN_VERTEX, SKY_FRAGMENT)
        self._texels = WordBuffer(4, GL.GL_RGBA8UI)

    def draw(self, image: Image, size: tuple[int, int]) -> None:
        """Draw an image (192, 256, 4) over a picture of a size in pixels; the depth is not changed."""
        self._texels.replace(image.reshape(-1, 4))
        disable(GL.GL_DEPTH_TEST, GL.GL_CULL_FACE, GL.GL_STENCIL_TEST, GL.GL_BLEND)
        self._program.use()
        self.bind(self._program, 0, size)
        self._program.set(u_texels=0, u_attributes=POLYGON_ID / 255)
        self._program.cover()
        GL.glEnable(GL.GL_DEPTH_TEST)

    def bind(self, program: Program, unit: int, size: tuple[int, int]) -> None:
        """Bind the image that was drawn last to a texture unit, and set its place in a picture of a size."""
        self._texels.bind(unit)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        program.set(u_size=size, u_pixel=max(size[0] / _SCREEN[0], size[1] / _SCREEN[1]))

    def release(self) -> None:
        """Delete all OpenGL objects."""
        self._program.release()
        self._texels.release()
