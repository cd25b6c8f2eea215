"""A `Scene` on OpenGL: its cells, people, light, fog and camera, at any size."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.camera import Camera
from mapexplorer.opengl.offscreen import Target
from mapexplorer.opengl.prepare import LAYERS, Preparer
from mapexplorer.opengl.renderer import FieldRenderer
from mapexplorer.opengl.state import PEOPLE_LIGHT, FrameState
from mapexplorer.scene.camera import projection_matrix
from mapexplorer.scene.field import Scene
from mapexplorer.scene.registers import weather_fog
from mapexplorer.tables import table

CONSOLE_ASPECT: Final = 4 / 3
_SCENE_LAYERS: Final = {"terrain": "terrain", "prop": "props", "people": "people"}


def widened(camera: Camera, width: int, height: int) -> Camera:
    """A camera made for the console's 4 : 3 in a picture of another shape: it sees more or less to the sides."""
    projection = camera.projection.copy()
    projection[:, 0] *= CONSOLE_ASPECT * height / width
    return Camera(camera.view, projection)


def load_scene(renderer: FieldRenderer, scene: Scene, tick: int = 0) -> None:
    """Put what a scene shows after `tick` updates on the card, in place of everything that was there."""
    scene.advance(tick)
    renderer.clear()
    for number, block in enumerate(scene.blocks):
        preparer = Preparer(block.place)
        renderer.load(block.place, block.cells, preparer=preparer)
        if block.crowd is not None:
            renderer.add(preparer.people(block.crowd.drawings(tick, scene.second), ("people", number)))


def scene_state(scene: Scene, tick: int = 0, **options: Any) -> FrameState:
    """The moment of a scene after `tick` updates; `options` are further fields of FrameState."""
    scene.advance(tick)
    lights = {block.light_set: block.light for block in scene.blocks}
    if scene.blocks:
        lights[PEOPLE_LIGHT] = scene.block.light
    shown = "player" in scene.layers or "people" in scene.layers
    opacity = {layer: float(_SCENE_LAYERS[layer] in scene.layers) for layer in LAYERS} | {"people": float(shown)}
    fog = weather_fog(scene.weather)
    names = ("edge colours indoors", "edge colours outdoors")
    edges = table("engine")[names[bool(scene.blocks) and scene.block.outdoor]]
    state: dict[str, Any] = {
        "edge_colors": tuple([tuple(color) for color in edges]),
        "opacity": opacity,
        "fog": fog,
        "fog_projection": projection_matrix(scene.place.camera),
    }
    return FrameState(tick=tick, lights=lights, **(state | options))


def render_scene(scene: Scene, tick: int = 0, width: int = 256, height: int = 192) -> npt.NDArray[np.uint8]:
    """The picture of a scene after `tick` updates in the current context: uint8 (height, width, 4), opaque.

    A picture of the console's size has its vertices on whole pixels, as the console has. Raises GlError. Without a
    window, an `OffscreenContext` must have been made before this module was imported.
    """
    renderer = FieldRenderer()
    target = Target(width, height)
    try:
        renderer.initialize()
        load_scene(renderer, scene, tick)
        grid = (width, height) if (width, height) == (256, 192) else None
        camera = widened(Camera.of_scene(scene.camera), width, height)
        renderer.draw(target.framebuffer, width, height, camera, scene_state(scene, tick, console_grid=grid))
        return target.pixels()
    finally:
        renderer.release()
        target.release()
