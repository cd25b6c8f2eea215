"""The 3D engine of the Nintendo DS in software, bit for bit: geometry commands in, frames out; and a 2D engine, which
shows them together with backgrounds and sprites.

The names below are loaded when they are first used, because most commands need no engine.

One formula of vertex lighting as integers (`lighting`) serves the engine and the baked colours of exports.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
