"""Edge marking: a line where a surface is in front of one with another polygon id.

Opaque polygons are drawn a second time as polygon ids and distances; where a pixel's id differs from that of a direct
neighbour that is farther away, the colour of the id's group of eight is laid over the picture, with the alpha of the
console's anti-aliasing (17/32). The lines are as wide as on the console. Source: GBATEK (DS 3D edge marking).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import FIELD_VERTEX, IDS_FRAGMENT, SCREEN_VERTEX, edge_fragment
from mapexplorer.opengl.state import FrameState

_CONSOLE_LINES: Final = 192


class EdgeMarker:
    """The programs, and a buffer of ids and distances of the picture's size."""

    def __init__(self) -> None:
        self.ids = Program(FIELD_VERTEX, IDS_FRAGMENT)
        self._lines = {fog: Program(SCREEN_VERTEX, edge_fragment(fog=fog)) for fog in (False, True)}
        self._array = int(GL.glGenVertexArrays(1))
        self._size = (0, 0)
        self._framebuffer = 0
        self._texture = 0
        self._depth = 0

    def begin(self, width: int, height: int) -> None:
        """Bind the buffer for drawing ids."""
        if (width, height) != self._size:
            self._resize(width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glDepthMask(True)
        GL.glClearBufferfv(GL.GL_COLOR, 0, np.array([63, 1e9, 0, 0], np.float32))
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)

    def line(self, framebuffer: int, state: FrameState) -> Program:
        """Bind a framebuffer and the program that draws the lines over it; the fog uniforms are not set."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        program = self._lines[state.fog is not None]
        program.use()
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glUniform1i(program.place("u_ids"), 0)
        GL.glUniform1i(program.place("u_width"), max(1, round(self._size[1] / _CONSOLE_LINES)))
        colors = np.array([[2 * part + (part > 0) for part in color] for color in state.edge_colors or ()], np.int32)
        GL.glUniform3iv(program.place("u_edge_colors"), len(colors), colors)
        return program

    def finish(self) -> None:
        """Draw the lines over the picture."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glBindVertexArray(self._array)
        lay_over()
        GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _resize(self, width: int, height: int) -> None:
        self._drop()
        self._size = (width, height)
        self._framebuffer = int(GL.glGenFramebuffers(1))
        self._texture = int(GL.glGenTextures(1))
        self._depth = int(GL.glGenRenderbuffers(1))
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RG32F, width, height, 0, GL.GL_RG, GL.GL_FLOAT, None)
        for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, GL.GL_NEAREST)
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, self._depth)
        GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_DEPTH_COMPONENT24, width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, self._texture, 0)
        GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, GL.GL_DEPTH_ATTACHMENT, GL.GL_RENDERBUFFER, self._depth)

    def _drop(self) -> None:
        if self._framebuffer:
            GL.glDeleteFramebuffers(1, [self._framebuffer])
            GL.glDeleteTextures([self._texture])
            GL.glDeleteRenderbuffers(1, [self._depth])
            self._framebuffer = 0

    def release(self) -> None:
        """Delete all OpenGL objects."""
        self._drop()
        self.ids.release()
        for program in self._lines.values():
            program.release()
        GL.glDeleteVertexArrays(1, [self._array])


def lay_over() -> None:
    """Blend the output of the current program over the whole picture; any vertex array may be bound."""
    GL.glDisable(GL.GL_CULL_FACE)
    GL.glEnable(GL.GL_BLEND)
    GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
    GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
    GL.glDisable(GL.GL_BLEND)
