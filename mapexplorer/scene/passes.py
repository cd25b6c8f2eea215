"""Draws a scene in one or more passes of the engine and merges them by depth.

The console draws at most 2,048 polygons with the textures of one area. A larger view is drawn in passes that each stay
within these limits; the nearest surface of all passes is used. Edge marking works within one pass, so passes clear to
the polygon id of terrain, which draws no line where a pass ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from formats.nds import gx
from mapexplorer.arrays import Picture, Words
from mapexplorer.features import FeatureEffect
from mapexplorer.gpu import Engine
from mapexplorer.gpu.registers import CLEAR_COLOR
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.frame import Drawing, Flush, Segment, compose, visible_boxes
from mapexplorer.scene.loaded_area import LoadedArea
from mapexplorer.scene.model_resolver import TERRAIN
from mapexplorer.scene.wireframe import as_wireframe

_CLEAR_ID = 0x3F000000
SWAP: Words = np.array([gx.SWAP_BUFFERS, 0], np.uint32)


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass: what is drawn of a block, and which of its people and effects are
    (`layer_of_figure`)."""

    block: LoadedArea
    flush: Flush
    drawings: Sequence[Drawing]
    visible: Callable[[Drawing], bool]
    people: frozenset[str] = frozenset({"people", "player", "props"})

    def segments(self, tick: int) -> list[Segment]:
        """The commands without SWAP_BUFFERS, in segments with what they draw."""
        block = self.block
        people = None
        if self.people and block.object_events is not None:
            people = lambda bias: block.people(tick, bias, lambda figure: layer_of_figure(figure) in self.people)  # noqa: E731
        return list(compose(self.flush, self.drawings, self.visible, tick, people))

    def of_layers(self, layers: frozenset[str]) -> Pass:
        """The same pass with only these layers."""
        drawings = [drawing for drawing in self.drawings if layer_of(drawing) in layers]
        return replace(self, drawings=drawings, people=self.people & layers)

    def halves(self) -> tuple[Pass, Pass] | None:
        """Two passes of half the drawings each; None when there is nothing to divide."""
        if len(self.drawings) < 2:
            return None
        middle = len(self.drawings) // 2
        return (
            replace(self, drawings=self.drawings[:middle]),
            replace(self, drawings=self.drawings[middle:], people=frozenset()),
        )


def layer_of(drawing: Drawing) -> str:
    """The layer of what a block draws, people aside."""
    return "terrain" if drawing.model.resolved.kind == TERRAIN else "props"


def layer_of_figure(figure: ObjectInstance | FeatureEffect) -> str:
    """The layer of a figure: one that comes from no event is the player. Effects of a feature count as props."""
    if isinstance(figure, FeatureEffect):
        return "props"
    return "player" if figure.event is None else "people"


def whole_pass(engine: Callable[[], Engine], block: LoadedArea, flush: Flush) -> Pass:
    """All of a block as the game draws it. `engine` is called only if boxes have to be tested."""
    tested = [drawing for drawing in block.drawings if drawing.tested]
    shown = visible_boxes(engine, flush, tested)
    visible = {id(drawing): answer for drawing, answer in zip(tested, shown, strict=True)}
    return Pass(block, flush, block.drawings, lambda drawing: visible[id(drawing)])


def culled_pass(engine: Callable[[], Engine], block: LoadedArea, flush: Flush, drawings: Sequence[Drawing]) -> Pass:
    """The `drawings`, terrain included, whose boxes are in view. `engine` is called only if there are any."""
    kept = [drawing for drawing, answer in zip(drawings, visible_boxes(engine, flush, drawings), strict=True) if answer]
    return Pass(block, flush, kept, lambda drawing: True)


def execute(
    engine: Engine,
    drawn: Pass,
    segments: Sequence[Segment],
    registers: npt.NDArray[np.uint32],
    wireframe: bool = False,
) -> None:
    """Draw one pass, with `wireframe` as edges; the engine holds the frame."""
    engine.load_registers(registers)
    engine.load_texture_vram(drawn.block.vram.texture)
    engine.load_palette_vram(drawn.block.vram.palette)
    engine.reset()
    words = np.concatenate([*[segment.words for segment in segments], SWAP])
    engine.execute(as_wireframe(words) if wireframe else words)


Frame = tuple[Picture, npt.NDArray[np.uint32]]
"""A picture and its depths."""


def merged(known: Frame | None, picture: Picture, depth: npt.NDArray[np.uint32]) -> Frame:
    """The nearest surfaces of several frames of one view: those of a further frame and of the `known` ones (None: there
    are none), whose translucent pixels are blended over what is behind them."""
    drawn = picture[..., 3] > 0
    if known is None:
        return picture, np.where(drawn, depth, np.uint32(0xFFFFFFFF))
    nearer = drawn & (depth < known[1])
    front = np.where(nearer[..., None], picture, known[0])
    back = np.where(nearer[..., None], known[0], picture)
    alpha = front[..., 3:].astype(np.uint16)
    mixed = (front[..., :3] * alpha + back[..., :3] * (31 - alpha)) // 31
    clear = (back[..., 3:] > 0) & (alpha < 31)
    blended = front.copy()
    blended[..., :3] = np.where(clear, mixed, front[..., :3])
    blended[..., 3:] = np.maximum(front[..., 3:], back[..., 3:])
    only_back = (front[..., 3] == 0) & (back[..., 3] > 0)
    blended[only_back] = back[only_back]
    return blended, np.where(nearer, depth, known[1])


def draw_passes(
    engine: Engine,
    passes: Sequence[Pass],
    conditions: Conditions,
    wireframe: bool = False,
) -> Picture:
    """The picture of several passes of one view under some conditions: uint8 (192, 256, 4), r, g, b 0..63, alpha 0..31.

    A pass that holds more polygons than the engine is divided.
    """
    frame: Frame | None = None
    waiting = list(reversed(passes))
    while waiting:
        current = waiting.pop()
        if not current.drawings and not (
            current.people and current.block.object_events and not current.block.object_events.empty
        ):
            continue
        values = current.block.registers(conditions)
        values[CLEAR_COLOR] &= ~np.uint32(_CLEAR_ID)
        execute(engine, current, current.segments(conditions.tick), values, wireframe)
        if engine.geometry.list_overflow and (halves := current.halves()) is not None:
            waiting += reversed(halves)
            continue
        frame = merged(frame, engine.picture, engine.depth)
    return np.zeros((192, 256, 4), np.uint8) if frame is None else frame[0]
