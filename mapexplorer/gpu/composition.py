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
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.backgrounds import TILE_COLORS, TRANSPARENT, draw_background, fill
from mapexplorer.gpu.integers import Flag, Int, signed
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
    OBJECT_PALETTE,
    PRIORITY,
    SHOWN,
    SHOWS_3D,
    WINDOW_SHOWN,
)
from mapexplorer.gpu.screens import keep_screen, screen_line
from mapexplorer.gpu.sprites import BLENDED, draw_sprites, list_sprites
from mapexplorer.gpu.windows import window_masks

Words = npt.NDArray[np.uint16]

LINES: Final = 10
"""Rows of the scratch array: the four backgrounds, the sprites, then what follows."""
_SPRITE_WINDOW: Final = 5
_MASKS: Final = 6
_FIRST: Final = 7
_SECOND: Final = 8
_PRIORITIES: Final = 9
_OPAQUE: Final = 31 << 24
_SECOND_TARGET: Final = 1 << 29
_FIRST_TARGET: Final = 1 << 30
_OWN_ALPHA: Final = 1 << 31
"""Marks of a colour in a line. A second target is what another layer is blended with, a first target is blended by the
weights in BLDALPHA, the 3D layer by its own alpha. Bits 24-28 hold that alpha, of a sprite its priority and BLENDED."""


@kernel
def six_bits(word: Int) -> Int:
    """A colour word as 6-bit channels in bytes: c becomes 2c, bit 15 is added to green."""
    return (word & 31) << 1 | (word & 0x3E0) << 4 | (word >> 15 & 1) << 8 | (word & 0x7C00) << 7


@kernel
def copy_3d_line(registers: Int64, source: Int32, line: Int32, mark: Int) -> None:
    """The 3D layer as marked colours with alpha, TRANSPARENT where alpha is 0, moved by BG0HOFS."""
    offset = signed(registers[BG0HOFS], 9)
    if offset:
        fill(line, TRANSPARENT)
    moved = source[max(0, offset) :]
    shown = line[max(0, -offset) :]
    marked = np.int32(mark)
    for x in range(min(len(moved), len(shown))):
        color = moved[x]
        shown[x] = color | marked if color >> 24 else np.int32(TRANSPARENT)


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
def marks(registers: Int64, layer: Int) -> Int:
    """The marks of a layer as first and second target."""
    control = registers[BLDCNT]
    second = _SECOND_TARGET if control >> (8 + layer) & 1 else 0
    first = _FIRST_TARGET if control >> 6 & 3 == ALPHA_BLENDING and control >> layer & 1 else 0
    return first | second


@kernel
def mark_line(line: Int32, masks: Int32, layer: Int, mark: Int) -> None:
    """Mark the colours of a line, and take out those that the windows hide. A window can keep a layer from being a
    first target."""
    bit = np.int32(1 << layer)
    blended = np.int32(mark)
    plain = np.int32(mark & ~_FIRST_TARGET)
    for x in range(WIDTH):
        mask = masks[x]
        marked = line[x] | (blended if mask & EFFECT else plain)
        line[x] = marked if line[x] != TRANSPARENT and mask & bit else np.int32(TRANSPARENT)


@kernel
def mark_sprites(line: Int32, priorities: Int32) -> None:
    """Add their priorities to the colours of sprites; translucent ones are first targets in any case."""
    for x in range(WIDTH):
        priority = priorities[x]
        line[x] |= priority << 24 | (_FIRST_TARGET if priority & BLENDED else 0)


@kernel
def lay_first(line: Int32, backdrop: Int, first: Int32, second: Int32) -> None:
    """Lay the first line over the backdrop. This and what follows is written so that it becomes vector code."""
    behind = np.int32(backdrop)
    for x in range(WIDTH):
        color = line[x]
        seen = color != TRANSPARENT
        first[x] = color if seen else behind
        second[x] = behind if seen else np.int32(0)


@kernel
def lay_line(line: Int32, first: Int32, second: Int32) -> None:
    """Lay a line over the ones that are there: the first layer so far becomes the second."""
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
def cover_first(line: Int32, backdrop: Int, first: Int32) -> None:
    """As `lay_first` where nothing is blended, so that the second layer does not count."""
    behind = np.int32(backdrop)
    for x in range(WIDTH):
        color = line[x]
        first[x] = color if color != TRANSPARENT else behind


@kernel
def cover_line(line: Int32, first: Int32) -> None:
    """As `lay_line` where nothing is blended."""
    for x in range(WIDTH):
        color = line[x]
        first[x] = color if color != TRANSPARENT else first[x]


@kernel
def blend_line(registers: Int64, first: Int32, second: Int32, result: Int32) -> None:
    """The first layer of a line, blended with the second: each channel is weighted in 32nds, rounded, at most 63. Red
    and blue are computed together."""
    weight = np.int32(2 * min(16, registers[BLDALPHA] & 31))
    other = np.int32(2 * min(16, registers[BLDALPHA] >> 8 & 31))
    for x in range(WIDTH):
        color, below = first[x], second[x]
        alpha = np.int32(color >> 24 & 31)
        own = color < 0
        over = np.int32(alpha + 1) if own else weight
        under = np.int32(31 - alpha) if own else other
        outer = np.int32(np.int32(color & 0x3F003F) * over) + np.int32(np.int32(below & 0x3F003F) * under)
        outer = np.int32(np.int32(outer + 0x100010) >> 5 & 0x7F007F)
        inner = np.int32(np.int32(color >> 8 & 0x3F) * over) + np.int32(np.int32(below >> 8 & 0x3F) * under)
        inner = np.int32(np.int32(inner + 16) >> 5)
        carry = np.int32(outer & 0x400040)
        mixed = np.int32((outer | (carry - (carry >> 6))) & 0x3F003F | min(np.int32(63), inner) << 8)
        blends = (own or color & _FIRST_TARGET) and below & _SECOND_TARGET
        result[x] = np.int32(mixed if blends else color & 0x3F3F3F) | np.int32(_OPAQUE)


@kernel
def compose_line(
    registers: Int64, backdrop: Int, lines: Int32, order: Int32, count: Int, sprites: Int, blends: Flag, result: Int32
) -> None:
    """A line of the result from the lines of the layers. `sprites`: the priorities of sprites as bits; `blends`: if
    layers can be blended, else colours need no marks, and those of sprites none where all have one priority."""
    first, second = lines[_FIRST], lines[_SECOND]
    behind = backdrop | marks(registers, BACKDROP) & _SECOND_TARGET
    place = count
    if count and sprites >> (1 + (registers[BG0CNT + order[count - 1]] & PRIORITY)) == 0:
        place -= 1
        if blends:
            lay_first(lines[order[place]], behind, first, second)
        else:
            cover_first(lines[order[place]], behind, first)
    else:
        fill(first, behind)
        fill(second, 0)
    for priority in (3, 2, 1, 0):
        while place > 0 and registers[BG0CNT + order[place - 1]] & PRIORITY == priority:
            place -= 1
            if blends:
                lay_line(lines[order[place]], first, second)
            else:
                cover_line(lines[order[place]], first)
        if sprites == 1 << priority and not blends:
            cover_line(lines[OBJ], first)
        elif sprites >> priority & 1:
            lay_sprites(lines[OBJ], first, second, priority)
    if blends:
        blend_line(registers, first, second, result)
    else:
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
    covering=writes(np.int32, 2),
    contents=writes(np.uint8, 2),
    screen_colors=writes(np.int32, 2),
    states=writes(np.int32),
    screens=writes(np.int32, 3),
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
    covering: Int32,
    contents: Bytes,
    screen_colors: Int32,
    states: Int32,
    screens: Int32,
    result: Int32,
) -> None:
    """The whole picture: result[y, x] becomes r, g, b 0..63 in bytes 0-2 and alpha 31 in byte 3. `picture` has the same
    form, with alpha 0..31. For the screens see `mapexplorer.gpu.screens`."""
    for number in range(len(palette)):
        colors[number] = six_bits(np.int64(palette[number]))
    for number in range(OBJECT_PALETTE):
        colors[TILE_COLORS + number] = colors[number] if number & 15 else np.int32(TRANSPARENT)
    count = sort_backgrounds(registers, order)
    shows_sprites = registers[DISPCNT] >> (SHOWN + OBJ) & 1 != 0
    if shows_sprites:
        list_sprites(oam, covering)
    shows_3d = registers[DISPCNT] & SHOWS_3D != 0
    windows = registers[DISPCNT] >> WINDOW_SHOWN & 7
    blends = registers[BLDCNT] & 0x3F00 != 0
    kept = np.int64(0)
    for place in range(count):
        layer = np.int64(order[place])
        if not (layer == 0 and shows_3d) and keep_screen(
            registers, background, colors, layer, contents[layer], screen_colors[layer], states, screens[layer]
        ):
            kept |= 1 << layer
    own_alpha = _OWN_ALPHA | marks(registers, 0) & _SECOND_TARGET if blends else 0
    for y in range(HEIGHT):
        for place in range(count):
            layer = np.int64(order[place])
            if layer == 0 and shows_3d:
                copy_3d_line(registers, picture[y], lines[0], own_alpha)
            elif kept >> layer & 1:
                screen_line(registers, screens[layer], layer, y, lines[layer])
            else:
                draw_background(registers, background, colors, layer, y, lines[layer])
        sprites = np.int64(0)
        if windows:
            fill(lines[_SPRITE_WINDOW], 0)
        if shows_sprites and covering[y, 0]:
            sprites = draw_sprites(
                registers, objects, colors, oam, covering[y], y, lines[OBJ], lines[_PRIORITIES], lines[_SPRITE_WINDOW]
            )
        if windows:
            window_masks(registers, edges, y, lines[_SPRITE_WINDOW], lines[_MASKS])
        elif y == 0:
            fill(lines[_MASKS], 63)
        for place in range(count):
            layer = np.int64(order[place])
            mark = 0 if (layer == 0 and shows_3d) or not blends else marks(registers, layer)
            if windows or mark:
                mark_line(lines[layer], lines[_MASKS], layer, mark)
        if sprites:
            mark = marks(registers, OBJ) if blends else 0
            if windows or mark:
                mark_line(lines[OBJ], lines[_MASKS], OBJ, mark)
            if blends or sprites & (sprites - 1):
                mark_sprites(lines[OBJ], lines[_PRIORITIES])
        compose_line(registers, np.int64(colors[0]), lines, order, count, sprites, blends, result[y])
