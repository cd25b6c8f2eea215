"""Pictures of scenes by OpenGL without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mapexplorer.opengl.offscreen import offscreen_context

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from mapexplorer.scene.scene import FieldScene


@contextmanager
def scene_painter(width: int, height: int) -> Iterator[Callable[[FieldScene, int], npt.NDArray[np.uint8]]]:
    """Yield a function (scene, ticks) -> uint8 (height, width, 3) that draws in its own context. Raises GlError when
    none can be created."""
    with offscreen_context():
        # The context must exist before any import of OpenGL.
        from mapexplorer.opengl.scenes import SceneView

        view = SceneView(width, height)
        yield lambda scene, tick: view.draw(scene, tick)[..., :3]
