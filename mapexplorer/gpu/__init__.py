"""The 3D engine of the Nintendo DS in software, bit for bit: geometry commands in, frames out; and a 2D engine, which
shows them together with backgrounds and sprites.

The names below are loaded when they are first used, because most commands need no engine.

One formula of vertex lighting as integers (`lighting`) serves the engine and the baked colours of exports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from mapexplorer.gpu.engine import Engine as Engine
    from mapexplorer.gpu.engine import GeometryState as GeometryState
    from mapexplorer.gpu.engine import render_frame as render_frame
    from mapexplorer.gpu.engine_2d import Engine2D as Engine2D
    from mapexplorer.gpu.lighting import light_vertices as light_vertices

_HOMES = {
    "Engine": "engine",
    "Engine2D": "engine_2d",
    "GeometryState": "engine",
    "light_vertices": "lighting",
    "render_frame": "engine",
}

__getattr__ = lazy_names(__name__, _HOMES)
