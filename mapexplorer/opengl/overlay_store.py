"""Overlays on the GPU: a vertex array for each layer of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from mapexplorer.opengl.camera import CameraMatrices, Floats
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.overlays import VERTEX, OverlayMesh
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import OVERLAY_FRAGMENT, OVERLAY_VERTEX
from mapexplorer.opengl.uniforms import set_matrices
from mapexplorer.opengl.vertex_arrays import vertex_array
from mapexplorer.world.layers import DRAWN
from mapexplorer.world.layers.overlay_picking import LIFT

_HIDDEN: Final = 0.3
"""The factor of the opacity of overlays behind other surfaces."""

_ATTRIBUTES: Final = ((3, GL.GL_FLOAT, 0), (4, GL.GL_UNSIGNED_BYTE, 12))


_Stored = tuple[OverlayMesh, int, int]
"""An overlay with its vertex array and its buffer."""


class OverlayStore:
    """The uploaded overlays, drawn layer by layer in order."""

    def __init__(self) -> None:
        self._program = Program(OVERLAY_VERTEX, OVERLAY_FRAGMENT)
        self._stored: dict[tuple[object, str], _Stored] = {}
        self._keys: list[object] = []

    @property
    def resident(self) -> frozenset[tuple[object, str]]:
        """(key, layer) of the uploaded overlays."""
        return frozenset(self._stored)

    def add(self, overlay: OverlayMesh) -> None:
        """Upload an overlay, replacing one with the same key and layer."""
        self._drop((overlay.key, overlay.layer))
        buffer = int(GL.glGenBuffers(1))
        data = np.concatenate([overlay.triangles, overlay.lines])
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, data.nbytes, data if len(data) else None, GL.GL_STATIC_DRAW)
        self._stored[overlay.key, overlay.layer] = overlay, vertex_array(_ATTRIBUTES, VERTEX.itemsize, buffer), buffer

    def remove(self, keys: Iterable[object]) -> None:
        """Remove the overlays of these groups."""
        gone = set(keys)
        for name in [name for name in self._stored if name[0] in gone]:
            self._drop(name)

    def clear(self) -> None:
        """Remove all overlays."""
        for name in list(self._stored):
            self._drop(name)

    def _drop(self, name: tuple[object, str]) -> None:
        stored = self._stored.pop(name, None)
        if stored is not None:
            _, array, buffer = stored
            GL.glDeleteVertexArrays(1, [array])
            GL.glDeleteBuffers(1, [buffer])

    def draw(self, camera: CameraMatrices, opacity: Mapping[str, float]) -> None:
        """Draw the layers whose opacity is above 0."""
        shown = [stored for stored in self._stored.values() if opacity.get(stored[0].layer, 0.0) > 0]
        if not shown:
            return
        program = self._program
        program.use()
        set_matrices(program, camera)
        # Moved a little toward the camera, in depth only.
        program.set(u_lift=LIFT)
        disable(GL.GL_CULL_FACE, GL.GL_STENCIL_TEST)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        GL.glDepthMask(False)
        for behind, share in ((GL.GL_GREATER, _HIDDEN), (GL.GL_LEQUAL, 1.0)):
            GL.glDepthFunc(behind)
            for kind in DRAWN:
                program.set(u_alpha=share * opacity.get(kind.id, 0.0))
                for overlay, array, _ in shown:
                    if overlay.layer == kind.id:
                        _draw(program, overlay, array, camera.eye)
        GL.glDepthMask(True)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glBindVertexArray(0)


def _draw(program: Program, overlay: OverlayMesh, array: int, eye: Floats) -> None:
    program.set(u_offset=np.array(overlay.origin) - eye)
    GL.glBindVertexArray(array)
    triangles, ends = len(overlay.triangles), len(overlay.lines)
    if triangles:
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, triangles)
    if ends:
        GL.glDrawArrays(GL.GL_LINES, triangles, ends)
