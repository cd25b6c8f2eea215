"""The depth test of a span, with the fall-through to the layer underneath and the stencil of shadow polygons."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32
from mapexplorer.gpu.buffers import (
    BACK_FACING,
    DEPTHS,
    EDGES,
    LAYER,
    POSITIONS,
    SPAN_DEPTHS,
    TARGETS,
    TRANSLUCENT_PIXEL,
)
from mapexplorer.gpu.integers import Flag, Int


@kernel
def passes(z: Int, stored: Int, attribute: Int, window: Int, front: bool) -> Flag:
    """The depth test of one pixel; `window` is the tolerance of the test for equal depth, negative for the usual one.

    A front-facing polygon also passes at the depth of an opaque back-facing pixel.
    """
    if window >= 0:
        return abs(stored - z) <= window
    return z < stored or (z == stored and front and attribute & (BACK_FACING | TRANSLUCENT_PIXEL) == BACK_FACING)


@kernel
def visible_on_top(
    rows: Int32,
    depth: Int32,
    attributes: Int32,
    pixel: Int,
    start: Int,
    count: Int,
    visible: Int,
    front: bool,
) -> Int:
    """The usual depth test where only the topmost layer counts.

    The span's depths of `count` pixels from buffer place `pixel` on, at position `start` of the span, are tested; those
    that pass are appended to the rows of visible pixels. The result is how many there are now.
    """
    # Unsigned indices spare numba's check for negative ones.
    place = np.uint32(visible)
    for i in range(count):
        z = rows[SPAN_DEPTHS, i]
        stored = depth[np.uint32(pixel + i)]
        rows[POSITIONS, place] = start + i
        rows[TARGETS, place] = pixel + i
        rows[DEPTHS, place] = z
        seen = 1 if z < stored else 0
        if z == stored and front:
            seen = 1 if attributes[pixel + i] & (BACK_FACING | TRANSLUCENT_PIXEL) == BACK_FACING else 0
        place = np.uint32(place + seen)
    return np.int64(place)


@kernel
def visible_beside_edges(
    rows: Int32, depth: Int32, attributes: Int32, pixel: Int, start: Int, count: Int, visible: Int, front: bool
) -> Int:
    """The usual depth test with anti-aliasing: behind edges the layer underneath is tried. See `visible_on_top`."""
    place = np.uint32(visible)
    for i in range(count):
        z = rows[SPAN_DEPTHS, i]
        at = np.uint32(pixel + i)
        stored = depth[at]
        attribute = attributes[at]
        seen = 1 if z < stored else 0
        rows[POSITIONS, place] = start + i
        rows[TARGETS, place] = pixel + i
        rows[DEPTHS, place] = z
        if z >= stored and (attribute & EDGES != 0 or z == stored):
            seen = 1 if passes(z, stored, attribute, -1, front) else 0
            if seen == 0 and attribute & EDGES != 0:
                under = np.uint32(pixel + i + LAYER)
                rows[TARGETS, place] = pixel + i + LAYER
                seen = 1 if passes(z, depth[under], attributes[under], -1, front) else 0
        place = np.uint32(place + seen)
    return np.int64(place)


@kernel
def visible_in_layers(
    rows: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    pixel: Int,
    start: Int,
    count: Int,
    visible: Int,
    front: bool,
    window: Int,
    shadow: bool,
    stencil_at: Int,
    layered: bool,
) -> Int:
    """The general depth test; see `visible_on_top`.

    `stencil_at` is the stencil entry of the first pixel, read for shadow polygons; without `layered` nothing is sought
    underneath, because nothing there would be seen.
    """
    for i in range(count):
        place = pixel + i
        attribute = attributes[place]
        z = rows[SPAN_DEPTHS, i]
        underneath = False
        if shadow:
            bits = stencil[stencil_at + i]
            if bits == 0:
                continue
            if bits & 1 == 0:
                underneath = True
            if bits & 2 == 0:
                attribute = np.int32(attribute & ~EDGES)
        if underneath:
            if not layered or not passes(z, depth[place + LAYER], attribute, window, front):
                continue
            place += LAYER
        elif not passes(z, depth[place], attribute, window, front):
            if not layered or attribute & EDGES == 0:
                continue
            place += LAYER
            if not passes(z, depth[place], attributes[place], window, front):
                continue
        rows[POSITIONS, visible] = start + i
        rows[TARGETS, visible] = place
        rows[DEPTHS, visible] = z
        visible += 1
    return visible
