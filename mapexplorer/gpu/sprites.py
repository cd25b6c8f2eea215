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
from mapexplorer.gpu.backgrounds import TRANSPARENT, fill
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.registers import WIDTH
from mapexplorer.gpu.registers_2d import DISPCNT, OBJECT_PALETTE, OBJECT_VRAM_SIZE, OBJECTS, ONE_DIMENSIONAL

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]

NOWHERE: Final = 4
"""The priority of a pixel without sprite, behind every priority there is."""
BLENDED: Final = 4
"""Added to the priority of a pixel whose sprite is translucent."""
_INSIDE: Final = OBJECT_VRAM_SIZE - 1


@kernel
def draw_sprites(
    registers: Int64, vram: Bytes, colors: Int32, oam: Words, y: Int, line: Int32, front: Int32, window: Int32
) -> Int:
    """Line `y`: colours into `line`, priorities (and BLENDED) into `front`, 1 into `window` where a sprite of the
    window has a pixel. Of several sprites the one of the lowest priority number is seen, among those the first.

    Returns the priorities of the sprites as bits; without any only `window` is of use."""
    found = np.int64(0)
    for number in range(OBJECTS - 1, -1, -1):
        attribute0 = np.int64(oam[number, 0])
        mode = attribute0 >> 10 & 3
        shape = attribute0 >> 14
        affine = attribute0 & AFFINE != 0
        if shape == 3 or mode == BITMAP or (not affine and attribute0 & HIDDEN):
            continue
        attribute1 = np.int64(oam[number, 1])
        width = SIZES[shape, attribute1 >> 14, 0]
        height = SIZES[shape, attribute1 >> 14, 1]
        double = 1 if affine and attribute0 & DOUBLE_SIZE else 0
        row = (y - attribute0) & 255
        if row >= height << double:
            continue
        if not found:
            fill(line, TRANSPARENT)
            fill(front, NOWHERE)
        found |= 1 << (np.int64(oam[number, 2]) >> 10 & 3)
        draw_sprite_row(
            registers, vram, colors, oam, number, row, width, height, double, affine, mode, line, front, window
        )
    return found


@kernel
def draw_sprite_row(
    registers: Int64,
    vram: Bytes,
    colors: Int32,
    oam: Words,
    number: Int,
    row: Int,
    width: Int,
    height: Int,
    double: Int,
    affine: bool,
    mode: Int,
    line: Int32,
    front: Int32,
    window: Int32,
) -> None:
    """Row `row` of the area that a sprite covers."""
    attribute0 = np.int64(oam[number, 0])
    attribute1 = np.int64(oam[number, 1])
    attribute2 = np.int64(oam[number, 2])
    start = signed(attribute1, 9)
    priority = attribute2 >> 10 & 3
    pa, pb, pc, pd = 256, 0, 0, 256
    if affine:
        group = (attribute1 >> 9 & 31) * 4
        pa = signed(np.int64(oam[group, 3]), 16)
        pb = signed(np.int64(oam[group + 1, 3]), 16)
        pc = signed(np.int64(oam[group + 2, 3]), 16)
        pd = signed(np.int64(oam[group + 3, 3]), 16)
    down = row - (height << double >> 1)
    for column in range(width << double):
        x = start + column
        if x < 0 or x >= WIDTH:
            continue
        across = column - (width << double >> 1)
        left = ((pa * across + pb * down) >> 8) + (width >> 1)
        top = ((pc * across + pd * down) >> 8) + (height >> 1)
        if left < 0 or top < 0 or left >= width or top >= height:
            continue
        if not affine and attribute1 & FLIP_X:
            left = width - 1 - left
        if not affine and attribute1 & FLIP_Y:
            top = height - 1 - top
        color = sprite_pixel(registers, vram, attribute0, attribute2, width, left, top)
        if color == 0:
            continue
        if mode == WINDOW:
            window[x] = 1
        elif priority <= front[x] & 3 or line[x] == TRANSPARENT:
            bank = 0 if attribute0 & COLORS_256 else (attribute2 >> 12) * 16
            line[x] = colors[OBJECT_PALETTE + bank + color]
            front[x] = priority | (BLENDED if mode == TRANSLUCENT else 0)


@kernel
def sprite_pixel(
    registers: Int64, vram: Bytes, attribute0: Int, attribute2: Int, width: Int, left: Int, top: Int
) -> Int:
    """The colour number of a pixel of a sprite."""
    wide = 1 if attribute0 & COLORS_256 else 0
    control = registers[DISPCNT]
    if control & ONE_DIMENSIONAL:
        start = (attribute2 & 0x3FF) << (5 + (control >> 20 & 3))
        stride = (width >> 3) * 32 << wide
    else:
        start = (attribute2 & 0x3FF) * 32
        stride = 32 * 32
    place = start + (top >> 3) * stride + ((left >> 3) * 32 << wide)
    if wide:
        return np.int64(vram[(place + (top & 7) * 8 + (left & 7)) & _INSIDE])
    pair = np.int64(vram[(place + (top & 7) * 4 + (left >> 1 & 3)) & _INSIDE])
    return pair >> 4 * (left & 1) & 15
