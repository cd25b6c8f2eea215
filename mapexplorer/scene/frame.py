"""A frame of the field as geometry commands, in the order in which the game sends them.

After a reset, every cell draws its terrain, then its props in file order; a prop is drawn when its bounding box passes
the hardware's box test. The props that code creates follow, untested. Two flushes with a biased and the plain
projection, between which effects and people are drawn, end the frame. Source: the Platinum field code; the order of a
flush is the NITRO-System G3D library's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from formats.fixed import Vector
from formats.nds import gx
from mapexplorer.arrays import Words
from mapexplorer.g3d.engine import POSITION_VECTOR, PROJECTION, TEXTURE, CommandStream, Matrix44
from mapexplorer.g3d.flush import DrawTransform, send_flush
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33
from mapexplorer.gpu import Engine
from mapexplorer.map_objects.drawn import UNIT_SCALE
from mapexplorer.scene.camera import SceneCamera, biased
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.light import LightState

# The positions of the base rotation, translation and scale in a flush, counted from its end.
_ROTATION: Final = slice(-18, -9)
_TRANSLATION: Final = slice(-9, -6)
_SCALE: Final = slice(-5, -2)


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """Something to draw at a place: `tested` things are drawn when their box is in view."""

    model: FieldModel
    position: Vector
    scale: Vector
    tested: bool
    source: object = None
    rotation: Matrix33 = IDENTITY33


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A run of commands and the thing that it draws (None: state only)."""

    words: Words
    drawing: Drawing | None = None


class Flush:
    """The flush of a camera and a light, for any base."""

    def __init__(self, camera: SceneCamera, light: LightState, projection: Matrix44 | None = None) -> None:
        """`projection`: by default that of the camera."""
        projection = camera.projection if projection is None else projection
        self.view = DrawTransform(projection=projection, camera=camera.view)
        self.light = light
        self._camera = camera
        commands = CommandStream()
        send_flush(commands, self.view, state=light.global_state, lights=light.lights)
        self._words = commands.words()

    def at(self, position: Vector, scale: Vector, rotation: Matrix33 = IDENTITY33) -> Words:
        """The commands for a base at a position (fx32) with a scale and a rotation."""
        words = self._words.copy()
        signed = words.view(np.int32)
        if rotation is not IDENTITY33:
            signed[_ROTATION] = rotation
        signed[_TRANSLATION] = position
        signed[_SCALE] = scale
        return words

    def of(self, drawing: Drawing) -> Words:
        """The commands for the base of a drawing."""
        return self.at(drawing.position, drawing.scale, drawing.rotation)

    def view_of(self, drawing: Drawing) -> DrawTransform:
        """The library's state after `of`."""
        return replace(
            self.view,
            base_rotation=drawing.rotation,
            base_translation=drawing.position,
            base_scale=drawing.scale,
        )

    def biased(self) -> Flush:
        """The same flush with the biased projection."""
        return Flush(self._camera, self.light, biased(self._camera))


@cache
def reset_commands() -> Words:
    """The commands that the library sends before a frame."""
    commands = CommandStream()
    commands.add(
        (gx.MTX_MODE, TEXTURE),
        (gx.MTX_IDENTITY,),
        (gx.MTX_MODE, PROJECTION),
        (gx.MTX_MODE, POSITION_VECTOR),
        (gx.MTX_POP, 0),
        (gx.MTX_IDENTITY,),
        (gx.POLYGON_ATTR, 0x001F0080),
        (gx.TEXIMAGE_PARAM, 0),
        (gx.PLTT_BASE, 0),
    )
    words = commands.words()
    words.flags.writeable = False
    return words


def visible_boxes(engine: Callable[[], Engine], flush: Flush, drawings: Sequence[Drawing]) -> list[bool]:
    """The hardware's box tests of drawings; the engine is reset."""
    if not drawings:
        return []
    parts = [part for drawing in drawings for part in (flush.of(drawing), drawing.model.box_test)]
    tester = engine()
    tester.reset()
    tester.execute(np.concatenate([reset_commands(), *parts]))
    return [bool(result) for result in tester.test_results[:, 1].tolist()]


def compose(
    flush: Flush,
    drawings: Sequence[Drawing],
    visible: Callable[[Drawing], bool],
    tick: int,
    people: Callable[[Flush], Iterator[Segment]] | None = None,
) -> Iterator[Segment]:
    """The segments of a frame. `visible` gives a drawing's box test; `people` those between the last two flushes."""
    yield Segment(reset_commands())
    base = ((0, 0, 0), UNIT_SCALE, IDENTITY33)
    for drawing in drawings:
        base = drawing.position, drawing.scale, drawing.rotation
        words = flush.of(drawing)
        if drawing.tested:
            yield Segment(words)
            yield Segment(drawing.model.box_test)
            if not visible(drawing):
                continue
        yield Segment(words)
        yield Segment(drawing.model.commands(tick, flush.view_of(drawing), words), drawing)
    bias = flush.biased()
    yield Segment(bias.at(*base))
    if people is not None:
        yield from people(bias)
    yield Segment(flush.at(*base))
