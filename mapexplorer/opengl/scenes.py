"""A `FieldScene` on OpenGL: its cells, people, light, fog and camera, at any size."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.offscreen import RenderTarget
from mapexplorer.opengl.prepare import Preparer
from mapexplorer.opengl.renderer import FieldRenderer
from mapexplorer.opengl.state import FrameState, frame_state
from mapexplorer.scene.scene import FieldScene

CONSOLE_WIDTH: Final = 256
CONSOLE_HEIGHT: Final = 192
CONSOLE_ASPECT: Final = CONSOLE_WIDTH / CONSOLE_HEIGHT


def widened(camera: CameraMatrices, width: int, height: int) -> CameraMatrices:
    """A camera for the console's 4:3 aspect ratio, adapted to another aspect ratio: the horizontal field of view
    changes."""
    projection = camera.projection.copy()
    projection[:, 0] *= CONSOLE_ASPECT * height / width
    return replace(camera, projection=projection)


def load_scene(
    renderer: FieldRenderer, scene: FieldScene, tick: int = 0, preparers: dict[int, Preparer] | None = None
) -> None:
    """Upload the contents of a scene after `tick` updates, replacing all previous contents.

    `preparers` keeps the meshes of the scene's blocks from one call to the next.
    """
    scene.advance(tick)
    renderer.clear()
    known = preparers if preparers is not None else {}
    for number, block in enumerate(scene.blocks):
        if id(block.place) not in known:
            known[id(block.place)] = Preparer(block.place)
        preparer = known[id(block.place)]
        preparer.set_feature(scene.conditions.feature)
        renderer.add(preparer.lands(block.lands, ("lands", number)))
        renderer.add(preparer.run_time_props(block.run_time_props, ("run-time props", number)))
        renderer.load(block.place, block.cells, preparer=preparer)
        if block.object_events is not None:
            renderer.add(preparer.people(block.object_events.drawings(tick), ("people", number)))


def scene_state(scene: FieldScene, tick: int = 0, **options: Any) -> FrameState:
    """The FrameState of a scene after `tick` updates; `options` are its further fields."""
    scene.advance(tick)
    light_sets = [block.light_set for block in scene.blocks]
    view = replace(scene.view, layers=tuple(scene.shown), wireframe=scene.wireframe)
    return frame_state(scene.conditions, light_sets, view, weather=scene.shown_weather, sky=scene.shown_sky, **options)


class SceneView:
    """Draws scenes in the current context, all pictures having the same size.

    In a picture of the console's size polygons are drawn pixel by pixel as on the console. Without a window, an
    an `offscreen_context` must have been made before this module was imported.
    """

    def __init__(self, width: int = CONSOLE_WIDTH, height: int = CONSOLE_HEIGHT) -> None:
        """Raises GlError for an unsuitable context or size."""
        self.width, self.height = width, height
        self._renderer = FieldRenderer()
        self._renderer.initialize()
        self._target = RenderTarget(width, height)
        self._preparers: dict[int, Preparer] = {}

    def draw(self, scene: FieldScene, tick: int = 0) -> npt.NDArray[np.uint8]:
        """The scene after `tick` updates: uint8 (height, width, 4), opaque. Raises FormatError, RomError."""
        load_scene(self._renderer, scene, tick, self._preparers)
        size = (self.width, self.height)
        grid = size if size == (CONSOLE_WIDTH, CONSOLE_HEIGHT) else None
        camera = widened(CameraMatrices.of_scene(scene.camera), *size)
        self._renderer.draw(self._target.framebuffer, *size, camera, scene_state(scene, tick, console_grid=grid))
        return self._target.pixels()
