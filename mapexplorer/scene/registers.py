"""The rendering registers of the field: enabled features, the clear plane, edge colours and fog.

Fog is blended by depth: density i of 32 applies from `offset` on in steps of 0x400 >> shift of the 15-bit depth.
Source: the Platinum field code; registers as GBATEK names them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapexplorer.games.field_tables import ClearPlane, FogRegisters, Rgb5
from mapexplorer.gpu import registers as reg


def rgb5(color: Rgb5) -> int:
    """A colour as the registers hold it."""
    return color[0] | color[1] << 5 | color[2] << 10


def field_registers(
    edge_colors: Sequence[Rgb5], clear: ClearPlane, fog: FogRegisters | None = None
) -> npt.NDArray[np.uint32]:
    """The 88 register values (`mapexplorer.gpu.registers`) of a field frame."""
    values = np.zeros(reg.COUNT, np.uint32)
    control = reg.TEXTURES | reg.ALPHA_BLENDING | reg.ANTI_ALIASING | reg.EDGE_MARKING
    values[reg.CLEAR_COLOR] = rgb5(clear.color) | clear.alpha << 16 | clear.polygon_id << 24
    values[reg.CLEAR_DEPTH] = clear.depth
    values[reg.DISP_1DOT_DEPTH] = 0x7FFF
    values[reg.EDGE_COLOR : reg.EDGE_COLOR + 8] = [rgb5(color) for color in edge_colors]
    if fog is not None:
        control |= reg.FOG | fog.shift << 8
        values[reg.FOG_COLOR] = rgb5(fog.color) | fog.alpha << 16
        values[reg.FOG_OFFSET] = fog.offset
        values[reg.FOG_TABLE : reg.FOG_TABLE + 32] = fog.densities
    values[reg.DISP3DCNT] = control
    return values
