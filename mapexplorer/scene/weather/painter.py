"""The picture of the weather: its sprites and its background, composed with the picture of the 3D engine.

Memory is used as in the game: BG2 is a text background with its map at 0x800, tiles at 0x14000 and palette 6; sprites
are in front of all layers. Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nds.objects import HIDDEN
from mapexplorer.features.pictures_2d import BG2_MAP, BG2_TILES, COLORS, PictureMembers, SpriteFrame, copy
from mapexplorer.games.weather_tables import SpriteSet, WeatherTables
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

Picture = npt.NDArray[np.uint8]

_PALETTE: Final = 6
_PRIORITY: Final = 1
"""The priority of every sprite, instead of that in its cell."""

Objects = list[tuple[int, int, int]]
"""Attribute words of hardware sprites."""


class _Sprites:
    """A sprite set in memory: the objects of each frame, with attributes as in OAM."""

    def __init__(self, frames: tuple[SpriteFrame, ...], tile: int, palette: int) -> None:
        self._frames = frames
        self._objects: list[Objects] = []
        for frame in frames:
            objects = np.stack([frame.objects[f"attribute{index}"].astype(np.int64) for index in range(3)], axis=-1)
            objects[:, 0] &= ~0x0C00  # normal mode: neither semi-transparent nor OBJ window
            objects[:, 2] = ((objects[:, 2] + tile) & 0x3FF) | _PRIORITY << 10 | palette << 12
            self._objects.append([(first, second, third) for first, second, third in objects.tolist()])

    def shown(self, frame: int, x: int, y: int) -> Objects:
        """The objects of a sprite at a pixel; none where it is not drawn, or for a frame that the set does not have."""
        if frame >= len(self._frames) or not self._frames[frame].is_drawn_at(x, y):
            return []
        return self._objects[frame]


class WeatherPainter:
    """Composes pictures with the weather. `read` returns a member of the archive of weather pictures as a value.

    Used by one thread at a time. Methods that read a member raise FormatError or RomError.
    """

    def __init__(self, tables: WeatherTables, read: Callable[[int], Any]) -> None:
        self._tables = tables
        self._members = PictureMembers(read)
        self._engine = Engine2D()
        self._background = (-1, -1, -1)
        self._sets: dict[int, _Sprites] = {}
        self._next_tile = 0

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
            for first, second, third in self._sprites(sprite.set).shown(sprite.frame, x, y):
                words += ((first & ~255) | ((first + y) & 255), (second & ~511) | ((second + x) & 511), third)
        fitting = np.array(words[: 3 * OBJECTS], np.uint16).reshape(-1, 3)
        oam = self._engine.oam
        oam[: len(fitting), :3] = fitting
        oam[len(fitting) :, 0] = HIDDEN

    def _sprites(self, number: int) -> _Sprites:
        if number not in self._sets:
            self._sets[number] = self._load_sprites(self._tables.sprite_sets[number], len(self._sets))
        return self._sets[number]

    def _load_sprites(self, members: SpriteSet, palette: int) -> _Sprites:
        tiles = self._members.tiles(members.tiles)
        copy(self._engine.objects[32 * self._next_tile :], np.frombuffer(tiles, np.uint8))
        copy(self._engine.palette[OBJECT_PALETTE + palette * COLORS :], self._members.colors(members.palette))
        result = _Sprites(self._members.frames(members), self._next_tile, palette)
        self._next_tile += -(-len(tiles) // 32)
        return result
