"""NITRO G3D at run time: texture binding, animation, materials, and the interpreter of a model's draw script.

`draw_commands` gives the geometry commands of drawing a model once; it is loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mapexplorer.g3d.stream import draw_commands

__all__ = ["draw_commands"]


def __getattr__(name: str) -> Any:
    if name != "draw_commands":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mapexplorer.g3d.stream import draw_commands

    return draw_commands
