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
from mapexplorer.gpu.backgrounds import TRANSPARENT, draw_background, fill
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

LINES: Final = 10
"""Rows of the scratch array: the four backgrounds, the sprites, then what follows."""
_SPRITE_WINDOW: Final = 5
_MASKS: Final = 6
_FIRST: Final = 7
_SECOND: Final = 8
_PRIORITIES: Final = 9
_OPAQUE: Final = 31 << 24
_NOTHING: Final = 7
"""The layer below the backdrop, which no target names."""
_LAYER: Final = 29
"""A colour of a line says which layer it is of from this bit on, three bits; bits 24-28 hold the alpha of the 3D layer,
of a sprite its priority and BLENDED."""


@kernel
def six_bits(word: Int) -> Int:
    """A colour word as 6-bit channels in bytes: c becomes 2c, bit 15 is added to green."""
    return (word & 31) << 1 | (word & 0x3E0) << 4 | (word >> 15 & 1) << 8 | (word & 0x7C00) << 7


@kernel
def copy_3d_line(registers: Int64, source: Int32, line: Int32) -> None:
    """The 3D layer as colours with alpha, TRANSPARENT where alpha is 0, moved by BG0HOFS."""
    offset = signed(registers[BG0HOFS], 9)
    if offset:
        fill(line, TRANSPARENT)
    for x in range(max(0, -offset), min(WIDTH, WIDTH - offset)):
        color = source[x + offset]
        line[x] = color if color >> 24 else np.int32(TRANSPARENT)


@kernel
def sort_backgrounds(registers: Int64, order: Int32) -> Int:
    """The numbers of the shown backgrounds into `order`, front ones first; returns how many there are."""
    count = 0
    for priority in range(4):
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
def mark_line(line: Int32, masks: Int32, layer: Int) -> None:
    """Say of which layer the colours of a line are, and take out those that the windows hide."""
    mark = np.int32(layer << _LAYER)
    bit = np.int32(1 << layer)
    for x in range(WIDTH):
        color = line[x]
        line[x] = color | mark if color != TRANSPARENT and masks[x] & bit else np.int32(TRANSPARENT)


@kernel
def lay_line(line: Int32, first: Int32, second: Int32) -> None:
    """Lay a line over the ones that are there: the first layer so far becomes the second. Written so that it becomes
    vector code."""
    for x in range(WIDTH):
        color = line[x]
        seen = color != TRANSPARENT
        below = first[x]
        second[x] = below if seen else second[x]
        first[x] = color if seen else below


@kernel
def lay_sprites(line: Int32, first: Int32, second: Int32, priority: Int) -> None:
    """As `lay_line`, the sprites of one priority."""
    wanted = np.int32(priority << 24)
    for x in range(WIDTH):
        color = line[x]
        seen = color != TRANSPARENT and color & np.int32(PRIORITY << 24) == wanted
        below = first[x]
        second[x] = below if seen else second[x]
        first[x] = color if seen else below


@kernel
def blend_line(registers: Int64, lines: Int32) -> None:
    """Blend the first layer of a line with the second."""
    control = registers[BLDCNT]
    firsts = control & 63 if control >> 6 & 3 == ALPHA_BLENDING else 0
    seconds = control >> 8 & 63
    weight = min(16, registers[BLDALPHA] & 31)
    other = min(16, registers[BLDALPHA] >> 8 & 31)
    shows_3d = registers[DISPCNT] & SHOWS_3D != 0
    for x in range(WIDTH):
        below = np.int64(lines[_SECOND, x])
        if seconds >> (below >> _LAYER & 7) & 1 == 0:
            continue
        color = np.int64(lines[_FIRST, x])
        layer = color >> _LAYER & 7
        alpha = color >> 24 & 31
        if layer == 0 and shows_3d:
            if alpha != 31:
                lines[_FIRST, x] = mix(color, below, alpha + 1, 31 - alpha, 5)
        elif (layer == OBJ and alpha & BLENDED) or (firsts >> layer & 1 and lines[_MASKS, x] & EFFECT):
            lines[_FIRST, x] = mix(color, below, weight, other, 4)


@kernel
def compose_line(
    registers: Int64, backdrop: Int, lines: Int32, order: Int32, count: Int, sprites: Int, result: Int32
) -> None:
    """A line of the result from the lines of the layers; `sprites`: the priorities of sprites as bits."""
    first, second = lines[_FIRST], lines[_SECOND]
    fill(first, backdrop | BACKDROP << _LAYER)
    fill(second, _NOTHING << _LAYER)
    place = count
    for priority in (3, 2, 1, 0):
        while place > 0 and registers[BG0CNT + order[place - 1]] & PRIORITY == priority:
            place -= 1
            lay_line(lines[order[place]], first, second)
        if sprites >> priority & 1:
            lay_sprites(lines[OBJ], first, second, priority)
    if registers[BLDCNT] & 0x3F00:
        blend_line(registers, lines)
    for x in range(WIDTH):
        result[x] = first[x] & 0x3F3F3F | _OPAQUE


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
    result=writes(np.int32, 2),
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
    result: Int32,
) -> None:
    """The whole picture: result[y, x] becomes r, g, b 0..63 in bytes 0-2 and alpha 31 in byte 3. `picture` has the same
    form, with alpha 0..31."""
    for number in range(len(colors)):
        colors[number] = six_bits(np.int64(palette[number]))
    count = sort_backgrounds(registers, order)
    shows_sprites = registers[DISPCNT] >> (SHOWN + OBJ) & 1 != 0
    sprites = np.int64(0)
    for y in range(HEIGHT):
        for place in range(count):
            number = order[place]
            if number == 0 and registers[DISPCNT] & SHOWS_3D:
                copy_3d_line(registers, picture[y], lines[0])
            else:
                draw_background(registers, background, colors, number, y, lines[number])
        fill(lines[_SPRITE_WINDOW], 0)
        if shows_sprites:
            sprites = draw_sprites(
                registers, objects, colors, oam, y, lines[OBJ], lines[_PRIORITIES], lines[_SPRITE_WINDOW]
            )
        window_masks(registers, edges, y, lines[_SPRITE_WINDOW], lines[_MASKS])
        for place in range(count):
            mark_line(lines[order[place]], lines[_MASKS], order[place])
        if sprites:
            for x in range(WIDTH):
                lines[OBJ, x] |= lines[_PRIORITIES, x] << 24
            mark_line(lines[OBJ], lines[_MASKS], OBJ)
        compose_line(registers, np.int64(colors[0]), lines, order, count, sprites, result[y])
