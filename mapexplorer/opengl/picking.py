"""Which model lies under a pixel: a picture of one pixel that holds numbers instead of colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapexplorer.g3d.draw_list import Draw
from mapexplorer.opengl.gl import GL


@dataclass(frozen=True, eq=False)
class Pick:
    """The model that was found: `kind` is its layer's name, `source` what was placed (a PlacedModel or the scene's
    drawing) and `draw` the shape and material hit; `point` in units, matrix-wide."""

    kind: str
    source: Any
    draw: Draw
    point: tuple[float, float, float]


class PickTarget:
    """A framebuffer of one pixel with four words."""

    def __init__(self) -> None:
        before = GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING)
        self._framebuffer = int(GL.glGenFramebuffers(1))
        self._renderbuffers = [int(name) for name in np.atleast_1d(GL.glGenRenderbuffers(2))]
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        for name, form, point in zip(
            self._renderbuffers,
            (GL.GL_RGBA32UI, GL.GL_DEPTH24_STENCIL8),
            (GL.GL_COLOR_ATTACHMENT0, GL.GL_DEPTH_STENCIL_ATTACHMENT),
            strict=True,
        ):
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, name)
            GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, form, 1, 1)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, point, GL.GL_RENDERBUFFER, name)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, before)

    def begin(self) -> None:
        """Draw into it from now on."""
        self._before = GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glViewport(0, 0, 1, 1)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glColorMask(True, True, True, True)
        GL.glDepthMask(True)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glClearBufferuiv(GL.GL_COLOR, 0, np.zeros(4, np.uint32))
        GL.glClearBufferfi(GL.GL_DEPTH_STENCIL, 0, 1.0, 0)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LEQUAL)

    def end(self) -> npt.NDArray[np.uint32]:
        """The four words; the framebuffer that was bound before is bound again."""
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        data = GL.glReadPixels(0, 0, 1, 1, GL.GL_RGBA_INTEGER, GL.GL_UNSIGNED_INT)
        words = np.frombuffer(bytes(data) if not isinstance(data, np.ndarray) else data.tobytes(), np.uint32)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._before)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        GL.glDepthFunc(GL.GL_LESS)
        return words

    def release(self) -> None:
        """Give it back."""
        GL.glDeleteFramebuffers(1, [self._framebuffer])
        GL.glDeleteRenderbuffers(2, self._renderbuffers)
