"""The rendering registers of the field: what is on, the clear plane, edge colours, and the fog of a weather.

Fog is blended by depth: density i of 32 applies from `offset` on in steps of 0x400 >> shift of the 15-bit depth; the
steady table is 0, 4 ... 124 of 128. Source: the Platinum field code; registers as GBATEK names them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mapexplorer.games import DEFAULT
from mapexplorer.games.tables import Fog, Rgb5
from mapexplorer.gpu import registers as reg
from mapexplorer.world.header import Header

OPAQUE = 31
_CANALAVE_GYM_CAMERA = 3
_CANALAVE_GYM_FOG = Fog(6, 0x76A0, (0, 0, 0))


def rgb5(color: Rgb5) -> int:
    """A colour as the registers hold it."""
    return color[0] | color[1] << 5 | color[2] << 10


def field_registers(*, outdoor: bool, fog: Fog | None = None) -> npt.NDArray[np.uint32]:
    """The 88 register values (`mapexplorer.gpu.registers`) of a field frame."""
    engine = DEFAULT.tables.raw("engine")
    clear = engine["clear"]
    values = np.zeros(reg.COUNT, np.uint32)
    control = reg.TEXTURES | reg.ALPHA_BLENDING | reg.ANTI_ALIASING | reg.EDGE_MARKING
    values[reg.CLEAR_COLOR] = rgb5(clear["colour"]) | clear["alpha"] << 16 | clear["polygon id"] << 24
    values[reg.CLEAR_DEPTH] = clear["depth"]
    values[reg.DISP_1DOT_DEPTH] = 0x7FFF
    edges = engine["edge colours outdoors" if outdoor else "edge colours indoors"]
    values[reg.EDGE_COLOR : reg.EDGE_COLOR + 8] = [rgb5(color) for color in edges]
    if fog is not None:
        control |= reg.FOG | fog.shift << 8
        values[reg.FOG_COLOR] = rgb5(fog.color) | OPAQUE << 16
        values[reg.FOG_OFFSET] = fog.offset
        values[reg.FOG_TABLE : reg.FOG_TABLE + 32] = np.arange(32) * 4
    values[reg.DISP3DCNT] = control
    return values


def weather_fog(weather: int) -> Fog | None:
    """The fog of a weather id, None for one without fog or without meaning."""
    known = DEFAULT.tables.weathers.get(weather)
    return known.fog if known is not None else None


def place_fog(header: Header) -> Fog | None:
    """The fog of a place that sets its own beside the weather: the gym of Canalave, known by its camera."""
    return _CANALAVE_GYM_FOG if header.camera_type == _CANALAVE_GYM_CAMERA else None
