"""Pictures of a place as files: one, or several that move."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.export.animation import write_animation
from mapexplorer.export.images import write_png
from mapexplorer.scene.camera import Pose, game_camera, top_camera
from mapexplorer.scene.field import Scene
from mapexplorer.units import NOON, TICKS_PER_SECOND
from mapexplorer.world.cells import FX
from mapexplorer.world.place import Place

Painter = Callable[[Scene, int], npt.NDArray[np.uint8]]
"""Draws a scene after so many updates: uint8 (height, width, 3)."""

GAME: Final = "game"
TOP: Final = "top"
FREE: Final = "free"

_DAY = 86400
_DISTANCE = 300.0


@dataclass(frozen=True)
class RenderPlan:
    """What is drawn.

    `at` is where the player stands (see `Scene`), and `target`, in units, what the GAME and TOP cameras look at where
    that is another spot; `zoom` are pixels per unit of the TOP camera. The FREE camera stands at `eye`, in units, by
    default south of the spot and looking at it, and sees from `near` to `far`. With `frames` the pictures are `step`
    updates apart, and with `day_cycle` they go once around the clock. `wireframe` and `missing` as for `Scene`.
    """

    second: int = NOON
    at: tuple[float, float] | None = None
    tick: int = 0
    camera: str = GAME
    zoom: float = 1.0
    eye: tuple[float, float, float] | None = None
    yaw: float = 0.0
    pitch: float = 35.0
    fov: float = 40.0
    near: float = 16.0
    far: float = 2500.0
    target: tuple[float, float, float] | None = None
    weather: bool | int = True
    particles: bool = False
    day: int = 0
    layers: tuple[str, ...] = ("terrain", "props", "people")
    all_cells: bool = False
    frames: int | None = None
    step: int = 1
    day_cycle: bool = False
    wireframe: bool = False
    missing: bool = False

    def scene(self, place: Place) -> Scene:
        """The scene before the first update. Raises ValueError, FormatError, RomError."""
        scene = Scene(
            place, self.second, self.at, weather=self.weather, layers=self.layers, all_cells=self.all_cells,
            day=self.day, particles=self.particles, wireframe=self.wireframe, missing=self.missing,
        )  # fmt: skip
        target = scene.target
        if self.target is not None:
            x, y, z = (round(value * FX) for value in self.target)
            target = (x, y, z)
        if self.camera == TOP:
            scene.set_camera(top_camera(target, self.zoom))
        elif self.camera == GAME and self.target is not None:
            scene.set_camera(game_camera(place.camera, target))
        elif self.camera == FREE:
            scene.set_camera(self._pose(scene))
        return scene

    def _pose(self, scene: Scene) -> Pose:
        eye = self.eye
        if eye is None:
            x, y, z = (value / FX for value in scene.target)
            yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
            level = _DISTANCE * math.cos(pitch)
            eye = (x - level * math.sin(yaw), y + _DISTANCE * math.sin(pitch), z + level * math.cos(yaw))
        return Pose(eye, self.yaw, self.pitch, self.fov, self.near, self.far)


def ds_painter(scale: int) -> Painter:
    """The picture of the console, every pixel as a square of `scale` by `scale`."""
    return lambda scene, tick: scene.render(tick)[..., :3].repeat(scale, axis=0).repeat(scale, axis=1)


def write_render(
    path: str | os.PathLike[str],
    scene: Scene,
    plan: RenderPlan,
    paint: Painter,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> int:
    """Draw a scene as a plan says and write it, as PNG, or with frames as APNG or GIF by the file's ending; the result
    is the number of pictures. `progress` is called with the number of pictures done and of all; an error that it raises
    ends the work, and no file is left. Raises ValueError for another ending, FormatError, RomError, OSError."""
    if plan.frames is None:
        picture = paint(scene, plan.tick)
        progress(1, 1)
        write_png(path, picture)
        return 1
    frames, start = plan.frames, scene.second

    def pictures() -> Iterator[npt.NDArray[np.uint8]]:
        for number in range(frames):
            if plan.day_cycle:
                scene.set_second((start + number * _DAY // frames) % _DAY)
            yield paint(scene, plan.tick + number * plan.step)
            progress(number + 1, frames)

    write_animation(path, pictures(), 1000 * plan.step / TICKS_PER_SECOND)
    return frames
