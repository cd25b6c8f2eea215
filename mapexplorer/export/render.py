"""Writes pictures of a place: a single one or an animation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from mapexplorer.errors import OpenGLMissingError
from mapexplorer.export.animation import write_animation
from mapexplorer.export.images import write_png
from mapexplorer.export.request import PictureRequest
from mapexplorer.features import unknown_parts
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.scene.link import Link
from mapexplorer.scene.scene import FieldScene
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.units import SECONDS_PER_DAY, TICKS_PER_SECOND
from mapexplorer.values import count
from mapexplorer.world import wording
from mapexplorer.world.world import FieldWorld

Painter = Callable[[FieldScene, int], npt.NDArray[np.uint8]]
"""Draws a scene after so many updates: uint8 (height, width, 3)."""

_UPDATES = 200
"""After how many field updates a request can be cancelled: less than a tenth of a second."""


def write_picture(request: PictureRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Draw a place and write a PNG, or with frames an APNG or GIF by the file's ending."""
    place = world.place(request.place, request.matrix, request.area)
    if request.target is None:
        place.check_tile(request.at)
    with _painter(request) as paint:  # before the scene, which may compile kernels
        if request.engine == "ds":
            prepare(DS_PICTURES)
        scene = FieldScene(place, request)
        _write(request, scene, paint, progress)
    damaged = [wording.damage(lost) for lost in scene.damaged]
    notices = [*damaged, *wording.notices(world.leftovers(place.header.id), unknown_parts(place))]
    if not any(block.cells for block in scene.blocks):
        notices.append("There is no land here: no cell of the matrix is in view.")
    spot = f"tile ({scene.at[0]:g}, {scene.at[1]:g})"
    size = f"{256 * request.scale} x {192 * request.scale}"
    sentence = f"{place.header.title} at {spot}, {count(request.frames or 1, 'picture')} of {size}"
    facts = {
        "file": str(request.output),
        "header": place.header.id,
        "at": list(scene.at),
        "weather": scene.conditions.weather,
        "link": str(Link.of(place, request, target=request.target)),
    }
    return Outcome(sentence, [request.output], notices, facts | {"damaged": damaged})


@contextmanager
def _painter(request: PictureRequest) -> Iterator[Painter]:
    """The painter of a request: the DS picture with squares for its pixels, or OpenGL at the final size."""
    if request.engine == "ds":
        yield lambda scene, tick: scene.render(tick)[..., :3].repeat(request.scale, 0).repeat(request.scale, 1)
        return
    from mapexplorer.opengl.errors import GlError
    from mapexplorer.opengl.painter import scene_painter

    try:
        with scene_painter(256 * request.scale, 192 * request.scale) as paint:
            yield paint
    except GlError as error:
        raise OpenGLMissingError(f"OpenGL cannot draw here: {error}; the DS engine needs no OpenGL.") from None


def _write(request: PictureRequest, scene: FieldScene, paint: Painter, progress: Progress) -> None:
    for tick in range(_UPDATES, request.tick, _UPDATES):
        scene.advance(tick)
        progress.report(tick, request.tick, "field updates")
    if request.frames is None:
        picture = paint(scene, request.tick)
        progress.report(1, 1, "")
        write_png(request.output, picture)
        return
    frames, start = request.frames, scene.second

    def pictures() -> Iterator[npt.NDArray[np.uint8]]:
        for number in range(frames):
            if request.day_cycle:
                scene.set_second((start + number * SECONDS_PER_DAY // frames) % SECONDS_PER_DAY)
            yield paint(scene, request.tick + number * request.step)
            progress.report(number + 1, frames, "frames of the film")

    write_animation(request.output, pictures(), 1000 * request.step / TICKS_PER_SECOND)
