"""Setting the field shaders' uniforms from a camera and a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from mapexplorer.opengl.camera import CameraMatrices, light_colors, placed_lights
from mapexplorer.opengl.prepare import LAYERS
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import LAYER_COUNT, LIGHT_SLOTS
from mapexplorer.opengl.state import FrameState
from mapexplorer.scene.light import LIBRARY_DEFAULT

TABLES: Final = ("u_instances", "u_materials", "u_matrices", "u_visible", "u_texels", "u_clip_matrices")
"""The buffer textures of the field's programs, in the order of their texture units."""


def set_matrices(program: Program, camera: CameraMatrices) -> None:
    """The view without the eye's place, and the projection."""
    # Row-major row-vector matrices are column-major column-vector ones: no transposition.
    program.set(u_view=camera.rotation, u_projection=camera.projection)


class ViewUniforms:
    """The uniforms of a picture except those of batches, computed once for all programs of the field. `slots`: the slot
    of each light set in the shaders' tables."""

    def __init__(self, camera: CameraMatrices, state: FrameState, slots: Mapping[int, int]) -> None:
        self._camera, self._state, self._slots = camera, state, dict(slots)
        opacity = [state.opacity.get(layer, 1.0) for layer in LAYERS] + [1.0] * (LAYER_COUNT - len(LAYERS))
        self._opacity = np.array(opacity, np.float32)
        self._directions = np.zeros((LIGHT_SLOTS, 4, 4), np.int32)
        self._colors = np.zeros((LIGHT_SLOTS, 4), np.uint32)
        self._area = np.zeros((LIGHT_SLOTS, 4), np.uint32)
        for light_set, slot in slots.items():
            light = state.lights.get(light_set, LIBRARY_DEFAULT)
            self._directions[slot] = placed_lights(light, camera.rows)
            self._colors[slot] = light_colors(light)
            self._area[slot, :3] = light.global_state.dif_amb, light.global_state.spe_emi, light.recolors

    def fit(self, camera: CameraMatrices, state: FrameState, slots: Mapping[int, int]) -> bool:
        """Whether those of another picture are the same."""
        own = self._state
        return (
            camera.same(self._camera)
            and camera.bias == self._camera.bias
            and (state.console_grid, state.missing) == (own.console_grid, own.missing)
            and (state.opacity, state.lights, slots) == (own.opacity, own.lights, self._slots)
        )

    def set(self, program: Program) -> None:
        """Set them in the program in use, unless it has them."""
        if program.uniforms is self:
            return
        program.uniforms = self
        camera, state = self._camera, self._state
        set_matrices(program, camera)
        program.set(
            u_view_rows=camera.rows,
            u_bias=camera.bias,
            u_grid=state.console_grid or (0, 0),
            u_magenta=state.missing,
            u_opacity=self._opacity,
            u_lights=self._directions,
            u_light_colors=self._colors,
            u_area=self._area,
            **{table: unit for unit, table in enumerate(TABLES)},
        )
