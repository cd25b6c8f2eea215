"""The picture of the weather: its sprites and its background, composed with the picture of the 3D engine.

Memory is used as in the game: BG2 is a text background with its map at 0x800, tiles at 0x14000 and palette 6; sprites
are in front of all layers. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from formats.nds.objects import HIDDEN
from formats.remembered import remembered
from mapexplorer.arrays import Picture
from mapexplorer.features.pictures_2d import BG2_MAP, BG2_TILES, COLORS, PictureMembers, SpriteFrame, copy
from mapexplorer.games.weather_tables import WeatherTables
from mapexplorer.gpu.engine_2d import Engine2D
from mapexplorer.gpu.registers import HEIGHT
from mapexplorer.gpu.registers_2d import (
    ALPHA_BLENDING,
    BG0CNT,
    BG0HOFS,
    BLDALPHA,
    BLDCNT,
    DISPCNT,
    OBJECT_PALETTE,
    OBJECTS,
    ONE_DIMENSIONAL,
    SHOWN,
    SHOWS_3D,
    WIN0V,
    WINDOW_SHOWN,
    WININ,
    WINOUT,
)
from mapexplorer.scene.weather.state import SpriteState, WeatherState

_PALETTE: Final = 6
_PRIORITY: Final = 1
"""The priority of every sprite, instead of that in its cell."""


class WeatherPainter:
    """Composes pictures with the weather. `read` returns a member of the archive of weather pictures as a value.

    Used by one thread at a time. Methods that read a member raise FormatError or RomError.
    """

    def __init__(self, tables: WeatherTables, read: Callable[[int], Any]) -> None:
        self._tables = tables
        self._members = PictureMembers(read)
        self._engine = Engine2D()
        self._background = (-1, -1, -1)
        self._next_tile = self._next_palette = 0

    def compose(self, state: WeatherState, picture: Picture) -> Picture:
        """The displayed picture, uint8 (192, 256, 4) with r, g, b 0..63 and alpha 31. `picture` is that of the 3D
        engine, in the same form with alpha 0..31."""
        self._load_background(state.background)
        self._place_sprites(state.sprites)
        engine, registers = self._engine, self._engine.registers
        shown = state.layers << SHOWN | state.window.used << WINDOW_SHOWN
        registers[DISPCNT] = SHOWS_3D | ONE_DIMENSIONAL | shown
        registers[BG0CNT] = state.priority[0]
        registers[BG0CNT + 2] = state.priority[1] | BG2_TILES // 0x4000 << 2 | BG2_MAP // 0x800 << 8
        registers[BG0HOFS + 4 : BG0HOFS + 6] = state.offset
        window, blend = state.window, state.blend
        registers[WININ] = (window.inside | window.inside_blends << 5) << 8
        registers[WINOUT] = window.outside | window.outside_blends << 5
        registers[WIN0V + 1] = HEIGHT
        registers[BLDCNT] = blend.first | blend.alpha * ALPHA_BLENDING << 6 | blend.second << 8
        registers[BLDALPHA] = min(31, blend.first_weight) | min(31, blend.second_weight) << 8
        if window.used:
            engine.edges[1] = state.lines
        return engine.compose(picture)

    def _load_background(self, members: tuple[int, int, int]) -> None:
        if members == self._background or -1 in members:
            return
        palette, tiles, entries = members
        colors, pixels = self._members.colors(palette), self._members.tiles(tiles)
        words = self._members.entries(entries).ravel() & 0x0FFF | _PALETTE << 12
        copy(self._engine.background[BG2_MAP:], words.astype("<u2").view(np.uint8))
        copy(self._engine.background[BG2_TILES:], np.frombuffer(pixels, np.uint8))
        copy(self._engine.palette[_PALETTE * COLORS :], colors)
        self._background = members

    def _place_sprites(self, sprites: tuple[SpriteState, ...]) -> None:
        words: list[int] = []
        for sprite in sprites:
            x, y = sprite.x >> 12, sprite.y >> 12
            frames = self._sprites(sprite.set)[sprite.frame : sprite.frame + 1]  # none that the set does not have
            shown = [sprite for frame in frames if frame.is_drawn_at(x, y) for sprite in frame.objects.tolist()]
            for first, second, third in shown:
                words += ((first & ~255) | ((first + y) & 255), (second & ~511) | ((second + x) & 511), third)
        fitting = np.array(words[: 3 * OBJECTS], np.uint16).reshape(-1, 3)
        oam = self._engine.oam
        oam[: len(fitting), :3] = fitting
        oam[len(fitting) :, 0] = HIDDEN

    @remembered
    def _sprites(self, number: int) -> tuple[SpriteFrame, ...]:
        """The frames of a sprite set, with the attributes of their objects as in OAM."""
        members, palette = self._tables.sprite_sets[number], self._next_palette
        tiles = self._members.tiles(members.tiles)
        copy(self._engine.objects[32 * self._next_tile :], np.frombuffer(tiles, np.uint8))
        copy(self._engine.palette[OBJECT_PALETTE + palette * COLORS :], self._members.colors(members.palette))
        first, self._next_tile = self._next_tile, self._next_tile + -(-len(tiles) // 32)
        self._next_palette += 1
        return tuple(_in_memory(frame, first, palette) for frame in self._members.frames(members))


def _in_memory(frame: SpriteFrame, tile: int, palette: int) -> SpriteFrame:
    """A frame whose tiles begin at number `tile`."""
    objects = frame.objects.copy()
    objects["attribute0"] &= 0xF3FF  # normal mode: neither semi-transparent nor OBJ window
    numbers = objects["attribute2"].astype(np.int64) + tile & 0x3FF
    objects["attribute2"] = numbers | _PRIORITY << 10 | palette << 12
    return replace(frame, objects=objects)
