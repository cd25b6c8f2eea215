"""The sky behind the field: that of a feature, the console's screen enlarged to cover the picture, or a clear one."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.opengl.buffers import WordBuffer
from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import POLYGON_ID, SCREEN_VERTEX
from mapexplorer.opengl.state import FrameState
from mapexplorer.opengl.weather_shaders import CLEAR_SKY_FRAGMENT, SKY_FRAGMENT

_SCREEN: Final = (256, 192)


class SkyProgram:
    """Draws a sky into the colours of a field before its polygons, with the attributes of the clear plane."""

    def __init__(self) -> None:
        self._program, self._clear = Program(SCREEN_VERTEX, SKY_FRAGMENT), Program(SCREEN_VERTEX, CLEAR_SKY_FRAGMENT)
        self._texels = WordBuffer(4, GL.GL_RGBA8UI)

    def draw(self, state: FrameState, camera: CameraMatrices, size: tuple[int, int]) -> None:
        """Draw the sky of a state over a picture of a size in pixels; the depth is not changed."""
        program = self._clear if state.sky is None else self._program
        disable(GL.GL_DEPTH_TEST, GL.GL_CULL_FACE, GL.GL_STENCIL_TEST, GL.GL_BLEND)
        program.use()
        if state.sky is not None:
            self._texels.replace(state.sky.reshape(-1, 4))
            self.bind(program, 0, size)
        elif state.sky_colors is not None:
            program.set(u_back=np.linalg.inv(camera.projection), u_up=camera.rotation[1])
            program.set(u_size=size, u_sky=state.sky_colors / 255)
        program.set(u_texels=0, u_attributes=POLYGON_ID / 255)
        program.cover()
        GL.glEnable(GL.GL_DEPTH_TEST)

    def bind(self, program: Program, unit: int, size: tuple[int, int]) -> None:
        """Bind the image that was drawn last to a texture unit, and set its place in a picture of a size."""
        self._texels.bind(unit)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        program.set(u_size=size, u_pixel=max(size[0] / _SCREEN[0], size[1] / _SCREEN[1]))
