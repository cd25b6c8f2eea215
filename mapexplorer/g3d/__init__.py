"""NITRO G3D at run time: texture binding, animation, materials, and the interpreter of a model's draw script.

`draw_commands` gives the geometry commands of drawing a model once; it is loaded when first used.

One interpreter (`sbc`) executes the draw script and calls a target: `draw_list` records draws, `stream` writes GX
commands. `animation.Attached.at(frames)` gives both the same integer evaluators. `engine` computes the library's
matrix read-backs from the matrix commands of the stream. `binding.lacking` finds materials without their image, for
reports, the OpenGL view and marked DS pictures. Shapes of a model are decoded, sorted, lit and packed with one call of
a kernel each for the model, not for each shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from mapexplorer.g3d.stream import draw_commands

__all__ = ["draw_commands"]

__getattr__ = lazy_names(__name__, {"draw_commands": "stream"})
