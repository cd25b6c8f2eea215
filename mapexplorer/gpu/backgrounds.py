"""A line of a background (GBATEK: DS 2D). Text backgrounds and affine ones; extended affine ones are not drawn.

Lines hold colours of 6-bit channels, TRANSPARENT where there is no pixel.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.registers import WIDTH
from mapexplorer.gpu.registers_2d import (
    BACKGROUND_VRAM_SIZE,
    BG0CNT,
    BG0HOFS,
    BG0VOFS,
    BG2PA,
    COLORS_256,
    DISPCNT,
    OBJECT_PALETTE,
    WRAPS,
)

TRANSPARENT: Final = -1
TILE_COLORS: Final = 2 * OBJECT_PALETTE
"""Where the colours of the backgrounds stand a second time, with TRANSPARENT as the first one of each 16."""
COLORS: Final = TILE_COLORS + OBJECT_PALETTE
"""The number of colours: those of the palette, and the second ones."""
_INSIDE: Final = BACKGROUND_VRAM_SIZE - 1


@kernel
def fill(line: Int32, value: Int) -> None:
    """Set a whole line. A loop becomes quicker code than an assignment to a slice."""
    for x in range(WIDTH):
        line[x] = value


@kernel
def is_text(registers: Int64, number: Int) -> bool:
    """Whether the mode makes background `number` a text background."""
    mode = registers[DISPCNT] & 7
    return bool(number < 2 or (number == 2 and mode in (0, 1, 3)) or (number == 3 and mode == 0))


@kernel
def draw_background(registers: Int64, vram: Bytes, colors: Int32, number: Int, y: Int, line: Int32) -> None:
    """Line `y` of background `number`, of the kind that the mode says."""
    mode = registers[DISPCNT] & 7
    affine = (number == 2 and mode in (2, 4)) or (number == 3 and mode in (1, 2))
    if affine:
        affine_line(registers, vram, colors, number, y, line)
    elif is_text(registers, number):
        across, down = registers[BG0HOFS + 2 * number], y + registers[BG0VOFS + 2 * number]
        text_line(registers, vram, colors, number, across, down, line)
    else:
        fill(line, TRANSPARENT)


@kernel
def tile_row(vram: Bytes, place: Int, bits: Int, inside: Int) -> Int:
    """A row of a tile, its 8 colour numbers of 4 or 8 bits in one word; addresses wrap by the mask `inside`."""
    row = np.int64(0)
    for byte in range(4):
        row |= np.int64(vram[(place + byte) & inside]) << 8 * byte
    if bits == 8:
        for byte in range(4, 8):
            row |= np.int64(vram[(place + byte) & inside]) << 8 * byte
    return row


@kernel
def draw_tile_row(colors: Int32, first: Int, row: Int, line: Int32, x: Int) -> None:
    """A row of a tile of 16 colours at `x`, the part of it that is in the line; `first`: the place of its bank."""
    if 0 <= x <= WIDTH - 8:
        for left in range(8):  # a constant number, so that the loop is unrolled
            line[x + left] = colors[first + (row >> 4 * left & 15)]
    else:
        for left in range(max(0, -x), min(8, WIDTH - x)):
            line[x + left] = colors[first + (row >> 4 * left & 15)]


@kernel
def draw_wide_row(colors: Int32, row: Int, flip: Int, line: Int32, x: Int) -> None:
    """A row of a tile of 256 colours at `x`. `flip`: 7 to reverse it, else 0."""
    for left in range(max(0, -x), min(8, WIDTH - x)):
        number = row >> 8 * (left ^ flip) & 255
        line[x + left] = colors[number] if number else np.int32(TRANSPARENT)


@kernel
def reversed_row(row: Int) -> Int:
    """The 8 colour numbers of 4 bits in a word in the reverse order."""
    row = (row & 0x0F0F0F0F) << 4 | row >> 4 & 0x0F0F0F0F
    row = (row & 0x00FF00FF) << 8 | row >> 8 & 0x00FF00FF
    return (row & 0xFFFF) << 16 | row >> 16


@kernel
def tiles_start(registers: Int64, number: Int) -> Int:
    """Where the tiles of a text or affine background begin in memory."""
    return (registers[DISPCNT] >> 24 & 7) * 0x10000 + (registers[BG0CNT + number] >> 2 & 15) * 0x4000


@kernel
def map_start(registers: Int64, number: Int) -> Int:
    """Where the map of a text or affine background begins in memory."""
    return (registers[DISPCNT] >> 27 & 7) * 0x10000 + (registers[BG0CNT + number] >> 8 & 31) * 0x800


@kernel
def text_line(registers: Int64, vram: Bytes, colors: Int32, number: Int, across: Int, down: Int, line: Int32) -> None:
    """Tiles with flips and palettes, on screens of 256 x 256 pixels that repeat, from the pixel (across, down) on."""
    control = registers[BG0CNT + number]
    tiles = tiles_start(registers, number)
    wide = control >> 14 & 1
    wide_colors = control & COLORS_256 != 0
    rows = map_start(registers, number) + (down >> 3 & 31) * 64
    if control >> 15 & 1 and down & 256:
        rows += 0x800 << wide
    x = -(across & 7)
    while x < WIDTH:
        column = x + across
        place = rows + (column >> 3 & 31) * 2 + (0x800 if wide and column & 256 else 0)
        entry = np.int64(vram[place & _INSIDE]) | np.int64(vram[(place + 1) & _INSIDE]) << 8
        top = 7 - (down & 7) if entry & 0x800 else down & 7
        flip = 7 if entry & 0x400 else 0
        tile = entry & 0x3FF
        if wide_colors:
            row = tile_row(vram, tiles + tile * 64 + top * 8, 8, _INSIDE)
            draw_wide_row(colors, row, flip, line, x)
        else:
            row = tile_row(vram, tiles + tile * 32 + top * 4, 4, _INSIDE)
            draw_tile_row(colors, TILE_COLORS + (entry >> 12) * 16, reversed_row(row) if flip else row, line, x)
        x += 8


@kernel
def affine_line(registers: Int64, vram: Bytes, colors: Int32, number: Int, y: Int, line: Int32) -> None:
    """Tiles of 256 colours on a map of bytes that is turned and scaled."""
    control = registers[BG0CNT + number]
    tiles = tiles_start(registers, number)
    screen = map_start(registers, number)
    size = 128 << (control >> 14 & 3)
    first = BG2PA + 6 * (number - 2)
    source_x = registers[first + 4] + registers[first + 1] * y
    source_y = registers[first + 5] + registers[first + 3] * y
    for x in range(WIDTH):
        column = source_x >> 8
        row = source_y >> 8
        source_x += registers[first]
        source_y += registers[first + 2]
        line[x] = TRANSPARENT
        if control & WRAPS == 0 and (column < 0 or row < 0 or column >= size or row >= size):
            continue
        column &= size - 1
        row &= size - 1
        tile = np.int64(vram[(screen + (row >> 3) * (size >> 3) + (column >> 3)) & _INSIDE])
        color = np.int64(vram[(tiles + tile * 64 + (row & 7) * 8 + (column & 7)) & _INSIDE])
        if color:
            line[x] = colors[color]
