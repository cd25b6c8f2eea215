"""Which model lies under a pixel: a picture of one pixel that holds numbers instead of colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapexplorer.g3d.draw_list import Draw
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.offscreen import RenderTarget


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
        self._before = GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING)
        self._target = RenderTarget(1, 1, GL.GL_RGBA32UI)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._before)

    def begin(self) -> None:
        """Draw into it from now on."""
        self._before = GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._target.framebuffer)
        GL.glViewport(0, 0, 1, 1)
        disable(GL.GL_SCISSOR_TEST, GL.GL_BLEND, GL.GL_STENCIL_TEST)
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
