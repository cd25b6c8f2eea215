"""Explains a pixel: the polygons that contribute to it, and the model part of each; `inspector.places.pixel` makes the
sentences.

The frame is executed shape by shape, so that the source of every polygon is known. A polygon covers a pixel if it does
so when drawn alone; it is seen if the pixel differs without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from formats.binary import require
from formats.nitro.model import Model
from mapexplorer.arrays import Words
from mapexplorer.g3d import sbc
from mapexplorer.g3d.engine import CommandStream
from mapexplorer.g3d.flush import DrawTransform
from mapexplorer.g3d.material import ComposedMaterial, raw
from mapexplorer.g3d.stream import StreamTarget, send_pairs
from mapexplorer.gpu import Engine
from mapexplorer.gpu import state as st
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.frame import Drawing
from mapexplorer.scene.model_resolver import ResolvedModel
from mapexplorer.scene.passes import SWAP, Pass
from mapexplorer.scene.scene import FieldScene

_OPAQUE = 31


@dataclass(frozen=True, eq=False)
class DrawnShape:
    """One shape of a drawing with the material it was sent with."""

    drawing: Drawing
    material: ComposedMaterial | None
    shape: int


@dataclass(frozen=True, eq=False)
class PixelPolygon:
    """A polygon at a pixel."""

    row: int
    """Its number among the frame's polygons."""
    part: DrawnShape
    """The shape that it belongs to."""
    corners: int
    """The number of its corners."""
    polygon_attr: int
    """The word of POLYGON_ATTR."""
    color: tuple[int, int, int, int]
    """Red, green, blue and alpha of the pixel with this polygon alone."""
    seen: bool
    """The pixel would be another one without it."""
    conditions: Conditions
    """Those of the frame."""
    light_set: int
    """That of the area of the polygon."""


@dataclass(frozen=True, eq=False)
class PixelTrace:
    """The pixel (x, y) of a frame: its colour (r, g, b 0..63, alpha 0..31) and the polygons at it, those seen first."""

    x: int
    y: int
    color: tuple[int, int, int, int]
    surfaces: tuple[PixelPolygon, ...]


def trace_pixel(scene: FieldScene, x: int, y: int, ticks: int = 0) -> PixelTrace:
    """Explain pixel (x, y) of the frame after `ticks` updates. Raises ValueError for a pixel off the screen."""
    require(0 <= x < 256 and 0 <= y < 192, f"the screen has pixels (0, 0) to (255, 191), not ({x}, {y})")
    engine = Engine()
    frames: list[tuple[int, int, list[PixelPolygon]]] = []
    red, green, blue, alpha = scene.render(ticks, raw=True)[y, x].tolist()
    for drawn in scene.passes(ticks):
        engine.load_registers(drawn.block.registers(scene.conditions))
        engine.load_texture_vram(drawn.block.vram.texture)
        engine.load_palette_vram(drawn.block.vram.palette)
        engine.reset()
        owners: list[DrawnShape] = []
        for words, part in _parts(drawn, ticks):
            engine.execute(words)
            if part is not None:
                owners += [part] * (engine.polygon_count - len(owners))
        engine.execute(SWAP)
        depth, opacity = int(engine.depth[y, x]), int(engine.picture[y, x, 3])
        frames.append((depth, opacity, _surfaces(engine, owners, scene.conditions, drawn.block.light_set, x, y)))
    surfaces: list[PixelPolygon] = []
    covered = False
    for _, opacity, in_frame in sorted(frames, key=lambda frame: frame[0]):
        surfaces += [replace(surface, seen=False) for surface in in_frame] if covered else in_frame
        covered |= opacity == _OPAQUE
    surfaces.sort(key=lambda surface: not surface.seen)
    return PixelTrace(x, y, (red, green, blue, alpha), tuple(surfaces))


def _surfaces(
    engine: Engine, owners: list[DrawnShape], conditions: Conditions, light_set: int, x: int, y: int
) -> list[PixelPolygon]:
    geometry = engine.geometry
    polygons, corners = geometry.polygons, geometry.vertices
    whole = engine.picture[y, x].copy()
    depth = int(engine.depth[y, x])
    surfaces: list[PixelPolygon] = []
    deepest: list[tuple[int, int]] = []
    every = np.arange(len(polygons))
    for row in every.tolist():
        first, count = int(polygons[row, st.FIRST_CORNER]), int(polygons[row, st.CORNERS])
        screen = corners[first : first + count, [st.SCREEN_X, st.SCREEN_Y]]
        if not (screen.min(0) - 1 <= (x, y)).all() or not (screen.max(0) + 1 >= (x, y)).all():
            continue
        alone = engine.redraw([row])[y, x]
        if not alone[3]:
            continue
        alone_depth = int(engine.depth[y, x])
        seen = bool((engine.redraw(np.delete(every, row))[y, x] != whole).any())
        color = tuple(alone.tolist())
        attr = int(polygons[row, st.POLYGON_ATTR])
        surfaces.append(PixelPolygon(row, owners[row], count, attr, color, seen, conditions, light_set))
        deepest.append((alone_depth, len(surfaces) - 1))
    if surfaces and not any(surface.seen for surface in surfaces):
        # Of two equal surfaces in one plane, removing one changes nothing: take the one with the depth of the frame.
        exact = [index for at, index in deepest if at == depth]
        if exact:
            surfaces[exact[0]] = replace(surfaces[exact[0]], seen=True)
    return surfaces


def _parts(drawn: Pass, ticks: int) -> Iterator[tuple[Words, DrawnShape | None]]:
    """The frame's commands cut where one shape ends."""
    before: Words | None = None
    for segment in drawn.segments(ticks):
        if segment.drawing is None:
            before = segment.words
            yield segment.words, None
        else:
            assert before is not None
            yield from _traced(segment.drawing, before, drawn, ticks)


def _traced(drawing: Drawing, flush: Words, drawn: Pass, ticks: int) -> Iterator[tuple[Words, DrawnShape | None]]:
    resolved = drawing.model.resolved
    if resolved.pairs is not None:
        for pair in resolved.pairs:
            commands = CommandStream()
            send_pairs(commands, resolved.model, [pair], binding=resolved.binding)
            yield commands.words(), DrawnShape(drawing, _material_of_pair(resolved, pair[0]), pair[1])
        return
    commands = CommandStream()
    commands.add_list(flush)
    target = _Tracer(resolved.model, commands, drawn.flush.view_of(drawing))
    evaluators: dict[str, Any] = dict(drawing.model.evaluators(ticks))
    sbc.run(resolved.model, target, binding=resolved.binding, state=resolved.state, **evaluators)
    words = commands.words()
    start = len(flush)
    for end, material, shape in target.shapes:
        yield words[start:end], DrawnShape(drawing, material, shape)
        start = end
    yield words[start:], None


def _material_of_pair(resolved: ResolvedModel, index: int) -> ComposedMaterial:
    model = resolved.model
    return raw(model.materials[index], index, mode=model.texture_matrix_mode, bound=resolved.binding.materials[index])


class _Tracer(StreamTarget):
    """Writes a model's commands and notes where the display list of each shape ends."""

    def __init__(self, model: Model, commands: CommandStream, view: DrawTransform) -> None:
        super().__init__(model, commands, view)
        self._sent = commands
        self._current: ComposedMaterial | None = None
        self.shapes: list[tuple[int, ComposedMaterial | None, int]] = []

    def material(self, material: ComposedMaterial) -> None:
        self._current = material
        super().material(material)

    def shape(self, shape: int, shown: bool) -> None:
        super().shape(shape, shown)
        self.shapes.append((self._sent.size, self._current, shape))
