"""What happened to one pixel of a frame: the polygons that covered it and what each did."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, kernel, reads, writes
from mapexplorer.gpu.buffers import (
    ALPHA_REFERENCE,
    HOLE_END,
    HOLE_FIRST,
    LAYER,
    SOURCES,
    SPAN_END,
    SPAN_FIRST,
    TARGETS,
    VISIBLE,
)
from mapexplorer.gpu.clear import clear
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.raster import draw_polygon, draw_polygons
from mapexplorer.gpu.registers import WIDTH
from mapexplorer.gpu.render import prepare_frame
from mapexplorer.gpu.state import DEGENERATE, SHADOW_MASK

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

EVENT_FIELDS = 7


class Outcome(enum.IntEnum):
    """What a polygon did to a pixel that it covers."""

    HIDDEN = 0
    """It failed the depth test, or a shadow polygon found no stencil bit."""
    MASKED = 1
    """A shadow mask: only the stencil may have changed."""
    TRANSPARENT = 2
    """It failed the alpha test."""
    REFUSED = 3
    """It is translucent, and a translucent pixel of its polygon ID (or a shadow's own ID) was there."""
    DRAWN = 4
    BLENDED = 5
    UNDERNEATH = 6
    """It was drawn behind an edge, for anti-aliasing."""


@dataclass(frozen=True)
class PixelEvent:
    """One polygon at one pixel. Colours are r, g, b (0..63) and alpha (0..31).

    `polygon` is its row in `Geometry.polygons`; `source` its own colour there, None when it got none; `color`, `depth`
    and `attribute` are what the topmost layer holds afterwards, before edge marking, fog and anti-aliasing.
    """

    polygon: int
    outcome: Outcome
    source: tuple[int, int, int, int] | None
    color: tuple[int, int, int, int]
    depth: int
    attribute: int
    stencil: int


@kernel
def outcome_of(frame: Int64, rows: Int32, span: Int64, polygon: Int32, pixel: Int, changed: bool, event: Int64) -> None:
    """Outcome and source colour of the polygon drawn last, from what it left in the rows of its span."""
    event[2] = -1
    if polygon[SHADOW_MASK] != 0:
        event[1] = 1
        return
    event[1] = 0
    for i in range(span[VISIBLE]):
        target = rows[TARGETS, i]
        if target != pixel and target != pixel + LAYER:
            continue
        source = rows[SOURCES, i]
        event[2] = source
        if source >> 24 <= frame[ALPHA_REFERENCE]:
            event[1] = 2
        elif target != pixel:
            event[1] = 6
        elif source >> 24 == 31:
            event[1] = 4
        else:
            event[1] = 5 if changed else 3


@entry(
    x=int,
    y=int,
    registers=reads(np.int64),
    texture=reads(np.uint8),
    palette=reads(np.uint8),
    polygons=writes(np.int32, 2),
    count=int,
    corners=reads(np.int32, 2),
    order=reads(np.int32),
    color=writes(np.int32),
    depth=writes(np.int32),
    attributes=writes(np.int32),
    stencil=writes(np.int32),
    frame=writes(np.int64),
    edges=writes(np.int64, 2),
    rows=writes(np.int32, 2),
    factors=writes(np.float64),
    span=writes(np.int64),
    events=writes(np.int64, 2),
    returns=int,
)
def trace_pixel(
    x: Int,
    y: Int,
    registers: Int64,
    texture: Bytes,
    palette: Bytes,
    polygons: Int32,
    count: Int,
    corners: Int32,
    order: Int32,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    frame: Int64,
    edges: Int64,
    rows: Int32,
    factors: Float64,
    span: Int64,
    events: Int64,
) -> Int:
    """Draw a sorted frame again up to line y and record every polygon that covers (x, y); how many there are.

    A row of `events` is polygon, outcome, source colour or -1, colour, depth, attribute, stencil afterwards.
    """
    prepare_frame(registers, frame)
    clear(registers, texture, color, depth, attributes)
    draw_polygons(
        polygons, order, count, corners, frame, texture, palette, color, depth, attributes, stencil,
        edges, rows, factors, span, y,
    )  # fmt: skip
    pixel = WIDTH * y + x
    n = 0
    for i in range(count):
        polygon = polygons[order[i]]
        before = attributes[pixel]
        if polygon[DEGENERATE] != 0:
            continue
        draw_polygon(
            polygon, y, y + 1, corners, frame, texture, palette, color, depth, attributes, stencil,
            edges, rows, factors, span,
        )  # fmt: skip
        if not span[SPAN_FIRST] <= x < span[SPAN_END] or span[HOLE_FIRST] <= x < span[HOLE_END]:
            continue
        event = events[n]
        event[0] = order[i]
        outcome_of(frame, rows, span, polygon, pixel, attributes[pixel] != before, event)
        event[3] = color[pixel]
        event[4] = depth[pixel]
        event[5] = attributes[pixel]
        event[6] = stencil[256 * (y & 1) + x]
        n += 1
    return n


def components(color: int) -> tuple[int, int, int, int]:
    """r, g, b, alpha of a colour word."""
    return color & 63, color >> 8 & 63, color >> 16 & 63, color >> 24 & 31


def pixel_events(rows: Int64) -> tuple[PixelEvent, ...]:
    """The rows that `trace_pixel` recorded, as values."""
    return tuple(
        PixelEvent(
            polygon,
            Outcome(outcome),
            components(source) if source >= 0 else None,
            components(color),
            depth,
            attribute,
            stencil,
        )
        for polygon, outcome, source, color, depth, attribute, stencil in rows.tolist()
    )
