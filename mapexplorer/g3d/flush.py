"""Flushing the library's global state: projection, camera, base matrix, lights and material defaults.

Three kinds exist, by what the current position matrix contains when a draw begins:

* SEPARATE: base and camera; the projection matrix is the projection alone;
* FOLDED_VIEW: the base; the camera is folded into the projection matrix;
* FOLDED_ALL: nothing; base and camera are folded into the projection matrix.

Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from formats.fixed import ONE, Vector
from formats.nds import gx
from mapexplorer.g3d.engine import IDENTITY44, POSITION_VECTOR, PROJECTION, CommandStream, Matrix44
from mapexplorer.g3d.material import DEFAULT_STATE, GlobalState
from mapexplorer.g3d.matrix import IDENTITY33, IDENTITY43, Matrix33, Matrix43, inverse43, multiply43, scale43

SEPARATE: Final = 0
FOLDED_VIEW: Final = 1
FOLDED_ALL: Final = 2

FULL_VIEWPORT: Final = 0xBFFF0000


@dataclass(frozen=True)
class Lights:
    """LIGHT_VECTOR and LIGHT_COLOR parameters of the four lights; the defaults are the library's."""

    vectors: tuple[int, int, int, int] = (0x2D8B62D8, 0x40000200, 0x800001FF, 0xC0080000)
    colors: tuple[int, int, int, int] = (0x00007FFF, 0x4000001F, 0x800003E0, 0xC0007C00)


DEFAULT_LIGHTS: Final = Lights()


@dataclass(frozen=True)
class DrawTransform:
    """Projection (4x4), camera (4x3) and base of a draw, fx32, row vectors, and how they are flushed."""

    kind: int = SEPARATE
    projection: Matrix44 = IDENTITY44
    camera: Matrix43 = IDENTITY43
    base_rotation: Matrix33 = IDENTITY33
    base_translation: Vector = (0, 0, 0)
    base_scale: Vector = (ONE, ONE, ONE)

    def outside(self) -> Matrix43 | None:
        """The matrix from the current space to view space: None, the camera, or base and camera."""
        if self.kind == SEPARATE:
            return None
        if self.kind == FOLDED_VIEW:
            return self.camera
        return scale43(self.base_scale, multiply43((*self.base_rotation, *self.base_translation), self.camera))


def send_flush(
    commands: CommandStream,
    view: DrawTransform,
    *,
    state: GlobalState = DEFAULT_STATE,
    lights: Lights = DEFAULT_LIGHTS,
) -> None:
    """Send the global state.

    Kind FOLDED_ALL turns the lights by a matrix whose last row the library leaves uninitialised; here it is zero.
    """
    base = (gx.MTX_MULT_4X3, *view.base_rotation, *view.base_translation), (gx.MTX_SCALE, *view.base_scale)
    commands.add((gx.MTX_MODE, PROJECTION), (gx.MTX_LOAD_4X4, *view.projection))
    if view.kind != SEPARATE:
        commands.add((gx.MTX_MULT_4X3, *view.camera))
    if view.kind == FOLDED_ALL:
        commands.add(*base)
    commands.add((gx.MTX_MODE, POSITION_VECTOR))
    if view.kind == SEPARATE:
        commands.add((gx.MTX_LOAD_4X3, *view.camera))
    elif view.kind == FOLDED_VIEW:
        commands.add((gx.MTX_IDENTITY,))
    else:
        commands.add((gx.MTX_LOAD_4X3, *inverse43((*view.base_rotation, 0, 0, 0))[:9], 0, 0, 0))
    commands.add(
        *[(gx.LIGHT_VECTOR, word) for word in lights.vectors],
        (gx.DIF_AMB, state.dif_amb),
        (gx.SPE_EMI, state.spe_emi),
        (gx.POLYGON_ATTR, state.polygon_attr),
        (gx.VIEWPORT, FULL_VIEWPORT),
        *[(gx.LIGHT_COLOR, word) for word in lights.colors],
        *(base if view.kind != FOLDED_ALL else [(gx.MTX_IDENTITY,)]),
        (gx.TEXIMAGE_PARAM, 0),
    )
