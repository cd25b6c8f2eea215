"""The 3D engine of the Nintendo DS in software, bit for bit: geometry commands in, frames out.

The names below are loaded when they are first used, because the kernels need numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mapexplorer.gpu.engine import Engine as Engine
    from mapexplorer.gpu.engine import Geometry as Geometry
    from mapexplorer.gpu.engine import render_frame as render_frame

_HOMES = {
    "Engine": "engine",
    "Geometry": "engine",
    "render_frame": "engine",
}

__all__ = ["Engine", "Geometry", "render_frame"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
