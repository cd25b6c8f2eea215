"""The picture of a 2D engine from its backgrounds, its sprites and the 3D layer: priorities, windows, blending.

Two layers count for a pixel: the first and the second visible one by priority, sprites before backgrounds, backgrounds
by number, behind all the backdrop, colour 0. Colours have 6 bits a channel. Source: GBATEK (DS Video) and the facts on
the composition of 2D and 3D. Brightness effects of BLDCNT are not made.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, kernel, reads, writes
from mapexplorer.gpu.backgrounds import TRANSPARENT, draw_background
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.registers import HEIGHT, WIDTH
from mapexplorer.gpu.registers_2d import (
    ALPHA_BLENDING,
    BACKDROP,
    BG0CNT,
    BG0HOFS,
    BLDALPHA,
    BLDCNT,
    DISPCNT,
    EFFECT,
    OBJ,
    PRIORITY,
    SHOWN,
    SHOWS_3D,
)
from mapexplorer.gpu.sprites import BLENDED, draw_sprites
from mapexplorer.gpu.windows import window_masks

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]

LINES: Final = 8
"""Rows of the scratch array: the four backgrounds, the sprites, their priorities and their window, the masks of all
windows."""
_PRIORITIES: Final = 5
_SPRITE_WINDOW: Final = 6
_MASKS: Final = 7
_TRANSLUCENT: Final = 1 << 6
"""Added to the bit of a layer for a pixel of a translucent sprite or of the 3D layer."""


@kernel
def six_bits(word: Int) -> Int:
    """A colour word as 6-bit channels in bytes: c becomes 2c, bit 15 is added to green."""
    return (word & 31) << 1 | (word & 0x3E0) << 4 | (word >> 15 & 1) << 8 | (word & 0x7C00) << 7


@kernel
def copy_3d_line(registers: Int64, source: Int32, line: Int32) -> None:
    """The 3D layer as colours with alpha in bits 24-28, TRANSPARENT where alpha is 0, moved by BG0HOFS."""
    offset = signed(registers[BG0HOFS], 9)
    for x in range(WIDTH):
        inside = 0 <= x + offset < WIDTH
        color = source[x + offset if inside else 0]
        line[x] = color if inside and color >> 24 else TRANSPARENT


@kernel
def sort_backgrounds(registers: Int64, order: Int32) -> Int:
    """The numbers of the shown backgrounds into order[0:4], front ones first, and into order[4:8] how many lie before a
    sprite of each priority; returns how many there are."""
    count = 0
    for priority in range(4):
        order[4 + priority] = count
        for number in range(4):
            if registers[DISPCNT] >> (SHOWN + number) & 1 and registers[BG0CNT + number] & PRIORITY == priority:
                order[count] = number
                count += 1
    return count


@kernel
def mix(first: Int, second: Int, weight: Int, other: Int, shift: Int) -> Int:
    """Two colours, each channel weighted, rounded, divided by 1 << shift and at most 63."""
    half = 0x10001 << shift >> 1
    outer = ((first & 0x3F003F) * weight + (second & 0x3F003F) * other + half) >> shift & 0x7F007F
    inner = ((first >> 8 & 0x3F) * weight + (second >> 8 & 0x3F) * other + (half & 0xFFFF)) >> shift
    over = outer & 0x400040
    return (outer | (over - (over >> 6))) & 0x3F003F | min(63, inner) << 8


@kernel
def compose_line(
    registers: Int64, backdrop: Int, lines: Int32, order: Int32, count: Int, has_sprites: bool, result: Bytes
) -> None:
    """A line of the result from the lines of the layers."""
    control = registers[BLDCNT]
    firsts = control & 63 if control >> 6 & 3 == ALPHA_BLENDING else 0
    seconds = control >> 8 & 63
    weight = min(16, registers[BLDALPHA] & 31)
    other = min(16, registers[BLDALPHA] >> 8 & 31)
    bit_0 = 1 | _TRANSLUCENT if registers[DISPCNT] & SHOWS_3D else 1
    for x in range(WIDTH):
        mask = lines[_MASKS, x]
        color = below = backdrop
        layer = 1 << BACKDROP
        second = 0
        sprite = np.int64(TRANSPARENT)
        before = -1
        if has_sprites and mask >> OBJ & 1:
            sprite = np.int64(lines[OBJ, x])
            if sprite != TRANSPARENT:
                before = order[4 + (lines[_PRIORITIES, x] & 3)]
        for place in range(count, -1, -1):
            if place == before:
                below, second = color, layer & 63
                color = sprite
                layer = 1 << OBJ | (_TRANSLUCENT if lines[_PRIORITIES, x] & BLENDED else 0)
            if place > 0:
                number = order[place - 1]
                here = np.int64(lines[number, x])
                if here != TRANSPARENT and mask >> number & 1:
                    below, second = color, layer & 63
                    color = here
                    layer = bit_0 if number == 0 else 1 << number
        if second & seconds:
            if layer == 1 | _TRANSLUCENT:
                alpha = color >> 24
                if alpha != 31:
                    color = mix(color, below, alpha + 1, 31 - alpha, 5)
            elif layer & _TRANSLUCENT or (layer & firsts and mask & EFFECT):
                color = mix(color, below, weight, other, 4)
        result[x, 0] = color & 63
        result[x, 1] = color >> 8 & 63
        result[x, 2] = color >> 16 & 63


@entry(
    registers=reads(np.int64),
    background=reads(np.uint8),
    objects=reads(np.uint8),
    palette=reads(np.uint16),
    colors=writes(np.int32),
    oam=reads(np.uint16, 2),
    edges=reads(np.uint8, 3),
    picture=reads(np.int32, 2),
    lines=writes(np.int32, 2),
    order=writes(np.int32),
    result=writes(np.uint8, 3),
)
def compose(
    registers: Int64,
    background: Bytes,
    objects: Bytes,
    palette: Words,
    colors: Int32,
    oam: Words,
    edges: Bytes,
    picture: Int32,
    lines: Int32,
    order: Int32,
    result: Bytes,
) -> None:
    """The whole picture: result[y, x] becomes r, g, b 0..63. `picture` has those in bytes 0-2 and alpha 0..31 in 3."""
    for number in range(len(colors)):
        colors[number] = six_bits(np.int64(palette[number]))
    count = sort_backgrounds(registers, order)
    shows_sprites = registers[DISPCNT] >> (SHOWN + OBJ) & 1 != 0
    has_sprites = False
    for y in range(HEIGHT):
        for place in range(count):
            number = order[place]
            if number == 0 and registers[DISPCNT] & SHOWS_3D:
                copy_3d_line(registers, picture[y], lines[0])
            else:
                draw_background(registers, background, colors, number, y, lines[number])
        lines[_SPRITE_WINDOW, :] = np.int32(0)
        if shows_sprites:
            has_sprites = draw_sprites(
                registers, objects, colors, oam, y, lines[OBJ], lines[_PRIORITIES], lines[_SPRITE_WINDOW]
            )
        window_masks(registers, edges, y, lines[_SPRITE_WINDOW], lines[_MASKS])
        compose_line(registers, np.int64(colors[0]), lines, order, count, has_sprites, result[y])
