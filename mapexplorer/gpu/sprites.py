"""A line of all sprites (GBATEK: DS OBJs): plain, affine and of double size. Bitmap sprites are not drawn."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.kernel import kernel
from formats.nds.objects import (
    AFFINE,
    BITMAP,
    COLORS_256,
    DOUBLE_SIZE,
    FLIP_X,
    FLIP_Y,
    HIDDEN,
    SIZES,
    TRANSLUCENT,
    WINDOW,
)
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.backgrounds import TRANSPARENT, fill, tile_row
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.registers import HEIGHT, WIDTH
from mapexplorer.gpu.registers_2d import DISPCNT, OBJECT_PALETTE, OBJECT_VRAM_SIZE, OBJECTS, ONE_DIMENSIONAL

Words = npt.NDArray[np.uint16]

NOWHERE: Final = 4
"""The priority of a pixel without sprite, behind every priority there is."""
BLENDED: Final = 4
"""Added to the priority of a pixel whose sprite is translucent."""
_INSIDE: Final = OBJECT_VRAM_SIZE - 1


@kernel
def list_sprites(oam: Words, covering: Int32) -> None:
    """The sprites of every line: covering[y, 0] becomes their count, behind it their numbers, the last one first;
    without those that are hidden or beside the screen."""
    for line in range(HEIGHT):
        covering[line, 0] = 0
    for number in range(OBJECTS - 1, -1, -1):
        attribute0 = np.int64(oam[number, 0])
        attribute1 = np.int64(oam[number, 1])
        if attribute0 & (AFFINE | HIDDEN) == HIDDEN or attribute0 >> 14 == 3 or attribute0 >> 10 & 3 == BITMAP:
            continue
        double = 1 if attribute0 & AFFINE and attribute0 & DOUBLE_SIZE else 0
        first = signed(attribute1, 9)
        if first >= WIDTH or first + (SIZES[attribute0 >> 14, attribute1 >> 14, 0] << double) <= 0:
            continue
        for row in range(SIZES[attribute0 >> 14, attribute1 >> 14, 1] << double):
            y = (attribute0 + row) & 255
            if y < HEIGHT:
                covering[y, 0] += 1
                covering[y, covering[y, 0]] = number


@kernel
def draw_sprites(
    registers: Int64,
    vram: Bytes,
    colors: Int32,
    oam: Words,
    covering: Int32,
    y: Int,
    line: Int32,
    front: Int32,
    window: Int32,
) -> Int:
    """Line `y` of the sprites that cover it (see `list_sprites`): colours into `line`, priorities (and BLENDED) into
    `front`, 1 into `window` where a sprite of the window has a pixel. Of several sprites the one of the lowest priority
    number is seen, among those the first.

    Returns the priorities of the sprites as bits; without any only `window` is of use."""
    fill(line, TRANSPARENT)
    fill(front, NOWHERE)
    priorities = np.int64(0)
    for place in range(1, covering[0] + 1):
        number = np.int64(covering[place])
        attribute0 = np.int64(oam[number, 0])
        attribute1 = np.int64(oam[number, 1])
        attribute2 = np.int64(oam[number, 2])
        affine = attribute0 & AFFINE != 0
        width = SIZES[attribute0 >> 14, attribute1 >> 14, 0]
        height = SIZES[attribute0 >> 14, attribute1 >> 14, 1]
        row = (y - attribute0) & 255
        priorities |= 1 << (attribute2 >> 10 & 3)
        if affine:
            double = 1 if attribute0 & DOUBLE_SIZE else 0
            draw_affine_row(registers, vram, colors, oam, number, row, width, height, double, line, front, window)
        else:
            top = height - 1 - row if attribute1 & FLIP_Y else row
            start = row_start(registers, attribute0, attribute2, width, top)
            draw_plain_row(vram, colors, attribute0, attribute1, attribute2, width, start, line, front, window)
    return priorities


@kernel
def draw_plain_row(
    vram: Bytes,
    colors: Int32,
    attribute0: Int,
    attribute1: Int,
    attribute2: Int,
    width: Int,
    start: Int,
    line: Int32,
    front: Int32,
    window: Int32,
) -> None:
    """A row of a sprite that is not affine; its first tile begins at `start`."""
    bits = 8 if attribute0 & COLORS_256 else 4
    flip = width - 1 if attribute1 & FLIP_X else 0
    first = signed(attribute1, 9)
    for column in range(0, width, 8):
        x = first + column
        if x <= -8 or x >= WIDTH:
            continue
        row = tile_row(vram, start + ((column ^ flip) >> 3) * bits * 8, bits, _INSIDE)
        if row:
            for left in range(max(0, -x), min(8, WIDTH - x)):
                color = row >> bits * (left ^ (flip & 7)) & ((1 << bits) - 1)
                draw_pixel(colors, attribute0, attribute2, color, x + left, line, front, window)


@kernel
def draw_affine_row(
    registers: Int64,
    vram: Bytes,
    colors: Int32,
    oam: Words,
    number: Int,
    row: Int,
    width: Int,
    height: Int,
    double: Int,
    line: Int32,
    front: Int32,
    window: Int32,
) -> None:
    """Row `row` of the area that an affine sprite covers."""
    attribute0 = np.int64(oam[number, 0])
    attribute1 = np.int64(oam[number, 1])
    attribute2 = np.int64(oam[number, 2])
    bits = 8 if attribute0 & COLORS_256 else 4
    group = (attribute1 >> 9 & 31) * 4
    pa = signed(np.int64(oam[group, 3]), 16)
    pb = signed(np.int64(oam[group + 1, 3]), 16)
    pc = signed(np.int64(oam[group + 2, 3]), 16)
    pd = signed(np.int64(oam[group + 3, 3]), 16)
    first = signed(attribute1, 9)
    down = row - (height << double >> 1)
    for x in range(max(0, first), min(WIDTH, first + (width << double))):
        across = x - first - (width << double >> 1)
        left = ((pa * across + pb * down) >> 8) + (width >> 1)
        top = ((pc * across + pd * down) >> 8) + (height >> 1)
        if left < 0 or top < 0 or left >= width or top >= height:
            continue
        start = row_start(registers, attribute0, attribute2, width, top) + (left >> 3) * bits * 8
        place = bits * (left & 7)
        color = np.int64(vram[(start + (place >> 3)) & _INSIDE]) >> (place & 7) & ((1 << bits) - 1)
        draw_pixel(colors, attribute0, attribute2, color, x, line, front, window)


@kernel
def draw_pixel(
    colors: Int32, attribute0: Int, attribute2: Int, color: Int, x: Int, line: Int32, front: Int32, window: Int32
) -> None:
    """A pixel with colour number `color` of a sprite."""
    mode = attribute0 >> 10 & 3
    priority = attribute2 >> 10 & 3
    if color == 0:
        return
    if mode == WINDOW:
        window[x] = 1
    elif priority <= front[x] & 3 or line[x] == TRANSPARENT:
        bank = 0 if attribute0 & COLORS_256 else (attribute2 >> 12) * 16
        line[x] = colors[OBJECT_PALETTE + bank + color]
        front[x] = priority | (BLENDED if mode == TRANSLUCENT else 0)


@kernel
def row_start(registers: Int64, attribute0: Int, attribute2: Int, width: Int, top: Int) -> Int:
    """Where row `top` of a sprite begins in memory, in the first tile that it crosses."""
    wide = 1 if attribute0 & COLORS_256 else 0
    control = registers[DISPCNT]
    if control & ONE_DIMENSIONAL:
        start = (attribute2 & 0x3FF) << (5 + (control >> 20 & 3))
        stride = (width >> 3) * 32 << wide
    else:
        start = (attribute2 & 0x3FF) * 32
        stride = 32 * 32
    return start + (top >> 3) * stride + ((top & 7) * 4 << wide)
