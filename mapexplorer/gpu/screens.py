"""Text backgrounds of one screen, drawn whole and kept while their memory stays the same: moving a picture costs much
less than drawing its tiles for every frame.

`screens`: colours and TRANSPARENT of each background, unscrolled. `contents` and `screen_colors`: the memory and the
colours that the background had in the last frame. `states`: NOTHING, or what is known, with WIDE for tiles of 256
colours. A screen is drawn when its contents are the same for the second time, so that one that changes with every
frame costs no more than its visible lines.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.backgrounds import is_text, map_start, text_line, tiles_start
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.registers import WIDTH
from mapexplorer.gpu.registers_2d import BG0CNT, BG0HOFS, BG0VOFS, COLORS_256

SCREEN: Final = 256
"""The pixels of a row and of a column of a screen."""
_MAP_SIZE: Final = 0x800
_TILES: Final = 1024
"""The number of tiles that a map can name."""
CONTENTS: Final = _MAP_SIZE + 64 * _TILES
"""The bytes of a map and its tiles."""
NOTHING: Final = 0
_SEEN: Final = 1
_DRAWN: Final = 2
_WIDE: Final = 4


@kernel
def keep_screen(
    registers: Int64,
    vram: Bytes,
    colors: Int32,
    number: Int,
    contents: Bytes,
    screen_colors: Int32,
    states: Int32,
    screen: Int32,
) -> bool:
    """Whether `screen` has background `number` of this frame; it is drawn where that is worth it."""
    control = registers[BG0CNT + number]
    wide = _WIDE if control & COLORS_256 else 0
    first = map_start(registers, number)
    tiles = tiles_start(registers, number)
    size = _TILES * (64 if wide else 32)
    if not is_text(registers, number) or control >> 14 & 3 or max(first + _MAP_SIZE, tiles + size) > len(vram):
        states[number] = NOTHING
        return False
    state = np.int64(states[number])
    changed = replace_bytes(contents[:_MAP_SIZE], vram[first : first + _MAP_SIZE])
    changed |= replace_bytes(contents[_MAP_SIZE : _MAP_SIZE + size], vram[tiles : tiles + size])
    changed |= replace_bytes(screen_colors.view(np.uint8), colors[: len(screen_colors)].view(np.uint8))
    if changed or state == NOTHING or state & _WIDE != wide:
        states[number] = _SEEN | wide
        return False
    if state & _SEEN:
        for y in range(SCREEN):
            text_line(registers, vram, colors, number, 0, y, screen[y])
        states[number] = _DRAWN | wide
    return True


@kernel
def replace_bytes(kept: Bytes, present: Bytes) -> bool:
    """Copy bytes; returns whether they were others."""
    changed = np.uint8(0)
    for place in range(len(present)):
        changed |= kept[place] ^ present[place]
    if changed:
        for place in range(len(present)):
            kept[place] = present[place]
    return bool(changed != 0)


@kernel
def screen_line(registers: Int64, screen: Int32, number: Int, y: Int, line: Int32) -> None:
    """Line `y` of a background that is drawn in `screen`."""
    left = registers[BG0HOFS + 2 * number] & (SCREEN - 1)
    row = screen[(y + registers[BG0VOFS + 2 * number]) & (SCREEN - 1)]
    end = SCREEN - left
    for x in range(end):
        line[x] = row[x + left]
    for x in range(end, WIDTH):
        line[x] = row[x - end]
