"""Setting the field shaders' uniforms from a camera and a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from mapexplorer.opengl.camera import CameraMatrices, light_colors, placed_lights
from mapexplorer.opengl.gl import GL
from mapexplorer.opengl.prepare import LAYERS
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import LAYER_COUNT, LIGHT_SLOTS
from mapexplorer.opengl.state import FrameState
from mapexplorer.scene.light import LIBRARY_DEFAULT

_SHIFT: Final = 1 / 128 + 1 / 64 - 1 / 1024
"""Pixels by which texture coordinates on the console's grid are set back: the offset of vertices from the pixels'
centres (`snapped` in the vertex shader), and the margin of a 64th of a texel (`texel` in the fragment shader) where a
texel is a pixel. The rest keeps texels that begin on a pixel's border on it."""


def set_matrices(program: Program, camera: CameraMatrices) -> None:
    """The view without the eye's place, and the projection."""
    # Row-major row-vector matrices are column-major column-vector ones: no transposition.
    GL.glUniformMatrix3fv(program.place("u_view"), 1, False, camera.rotation.astype(np.float32))
    GL.glUniformMatrix4fv(program.place("u_projection"), 1, False, camera.projection.astype(np.float32))


def set_view(program: Program, camera: CameraMatrices, state: FrameState, slots: Mapping[int, int]) -> None:
    """Set all uniforms of a picture except those of batches; the program must be in use."""
    place = program.place
    set_matrices(program, camera)
    GL.glUniform3iv(place("u_view_rows"), 3, camera.rows)
    GL.glUniform1f(place("u_bias"), camera.bias)
    grid = state.console_grid or (0, 0)
    GL.glUniform2f(place("u_grid"), *grid)
    GL.glUniform1f(place("u_shift"), _SHIFT if state.console_grid is not None else 0.0)
    GL.glUniform1i(place("u_magenta"), state.missing)
    opacity = [state.opacity.get(layer, 1.0) for layer in LAYERS] + [1.0] * (LAYER_COUNT - len(LAYERS))
    GL.glUniform1fv(place("u_opacity"), LAYER_COUNT, np.array(opacity, np.float32))
    _set_lights(program, camera, state, slots)


def _set_lights(program: Program, camera: CameraMatrices, state: FrameState, slots: Mapping[int, int]) -> None:
    directions = np.zeros((LIGHT_SLOTS, 4, 4), np.int32)
    colors = np.zeros((LIGHT_SLOTS, 4), np.uint32)
    area = np.zeros((LIGHT_SLOTS, 4), np.uint32)
    for light_set, slot in slots.items():
        light = state.lights.get(light_set, LIBRARY_DEFAULT)
        directions[slot] = placed_lights(light, camera.rows)
        colors[slot] = light_colors(light)
        area[slot, :3] = light.dif_amb, light.spe_emi, light.recolors
    GL.glUniform4iv(program.place("u_lights"), 4 * LIGHT_SLOTS, directions)
    GL.glUniform4uiv(program.place("u_light_colors"), LIGHT_SLOTS, colors)
    GL.glUniform4uiv(program.place("u_area"), LIGHT_SLOTS, area)
