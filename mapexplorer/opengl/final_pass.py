"""The final pass over a picture: edge marking, then fog, pixel by pixel as the console's rendering engine does.

Edge marking draws a line where a surface is in front of one with another polygon id: the colour of the id's group of
eight, with the alpha of the console's anti-aliasing (17/32). The lines are as wide as on the console. Source: GBATEK
(DS 3D edge marking, fog).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from formats.fixed import ONE
from mapexplorer.games.field_tables import FogRegisters, Rgb5
from mapexplorer.opengl.camera import CameraMatrices, Floats
from mapexplorer.opengl.final_shaders import final_fragment
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import SCREEN_VERTEX
from mapexplorer.opengl.sky import SkyProgram
from mapexplorer.opengl.state import FrameState
from mapexplorer.opengl.targets import PictureBuffers, make_texture

_CONSOLE_LINES: Final = 192
_SKY_UNIT: Final = 5
_MARGIN: Final = 0.25
"""Units by which a surface is in front of another one at least where an edge is marked."""


class FinalPass:
    """The programs of the pass, by the arguments of `final_fragment`, and the table of the fog."""

    def __init__(self) -> None:
        self._programs: dict[tuple[bool, ...], Program] = {}
        self._table = int(GL.glGenTextures(1))
        self._densities: tuple[int, ...] = ()

    def _program(self, **shown: bool) -> Program:
        key = tuple(shown.values())
        if key not in self._programs:
            self._programs[key] = Program(SCREEN_VERTEX, final_fragment(**shown))
        return self._programs[key]

    def draw(
        self,
        buffers: PictureBuffers,
        size: tuple[int, int],
        camera: CameraMatrices,
        state: FrameState,
        masked: bool,
        sky: SkyProgram | None,
    ) -> None:
        """Draw the finished colours of a field of a size in pixels; `masked`: some of its pixels have no fog;
        `sky`: what is seen through the fog."""
        fog, height = state.fog, size[1]
        program = self._program(
            edges=state.edge_colors is not None,
            fog=fog is not None,
            masked=masked,
            sky=fog is not None and sky is not None,
            console=state.console_grid is not None,
        )
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, buffers.final)
        disable(GL.GL_DEPTH_TEST, GL.GL_STENCIL_TEST, GL.GL_BLEND, GL.GL_CULL_FACE)
        program.use()
        textures = {"u_colors": buffers.colors, "u_depths": buffers.depths}
        if fog is not None:
            self._load(fog.densities)
            textures["u_fog_table"] = self._table
            _set_fog(program, camera, state, fog)
        if masked:
            textures["u_fogless"] = buffers.fogless
        if state.edge_colors is not None:
            _set_edges(program, camera, state.edge_colors, height)
        for unit, (name, texture) in enumerate(textures.items()):
            GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
            GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
            program.set(**{name: unit})
        if fog is not None and sky is not None:
            sky.bind(program, _SKY_UNIT, size)
            program.set(u_sky=_SKY_UNIT, u_fog_alpha=fog.alpha)
        program.cover()
        for unit in range(len(textures)):
            GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
            GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _load(self, densities: tuple[int, ...]) -> None:
        """Upload the table of the fog: each entry with the next one."""
        if densities == self._densities:
            return
        self._densities = densities
        # The rendering engine reads the first and the last density twice.
        table = np.pad(np.array(densities, np.uint8), 1, mode="edge")
        texels = np.zeros((len(table) - 1, 4), np.uint8)
        texels[:, 0], texels[:, 1] = table[:-1], table[1:]
        make_texture(self._table, len(texels), 1, data=texels)


def _depth_terms(projection: Floats) -> Floats:
    """Clip z and w from the view's z and 1, as columns (2, 2)."""
    return projection[2:, 2:]


def _set_edges(program: Program, camera: CameraMatrices, edges: Sequence[Rgb5], height: int) -> None:
    colors = np.array([[2 * part + (part > 0) for part in color] for color in edges], np.float32)
    program.set(u_width=max(1, round(height / _CONSOLE_LINES)), u_edge_colors=colors / 63)
    # The change of the depth with the distance is (c ndc - a)^2 / |ad - bc|, where ndc = (a z + b) / (c z + d).
    terms = _depth_terms(camera.projection)
    factor = np.sqrt(_MARGIN / 2 / abs(np.linalg.det(terms)))
    a, c = terms[0]
    program.set(u_margin=(2 * c * factor, -(a + c) * factor))


def _set_fog(program: Program, camera: CameraMatrices, state: FrameState, fog: FogRegisters) -> None:
    color = [2 * channel + (channel > 0) for channel in fog.color]
    program.set(u_fog=fog.shift, u_fog_offset=fog.offset, u_fog_color=color)
    # From the depth of the picture's projection, 0..1, to that of the fog's.
    own = _depth_terms(camera.projection)
    wanted = own
    if state.fog_projection is not None:
        wanted = _depth_terms(np.array(state.fog_projection, np.float64).reshape(4, 4) / ONE)
    change = np.array([[2, 0], [-1, 1]]) @ np.linalg.inv(own) @ wanted
    program.set(u_fog_depth=change / np.abs(change).max())
