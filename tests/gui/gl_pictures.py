"""Pictures that OpenGL draws for the window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mapexplorer.opengl.state import LAYER_OF_VIEW


def gl_picture(window: Any, width: int = 256, height: int = 192, *, overlays: bool = True) -> np.ndarray:
    """What the OpenGL view draws at a size, before Qt paints over it: int (height, width, 3). `overlays`: with the
    layers over the field."""
    from mapexplorer.opengl.offscreen import RenderTarget

    picture = window.views.gl._picture(width, height)
    state = picture.state
    if not overlays:
        state = replace(state, opacity={layer: state.opacity[layer] for layer in LAYER_OF_VIEW})

    def draw(renderer: Any) -> np.ndarray:
        target = RenderTarget(width, height)
        renderer.draw(target.framebuffer, width, height, picture.camera, state)
        pixels = target.pixels()
        target.release()
        return pixels

    return window.views.gl.painter.wait_for(draw)[..., :3].astype(int)
