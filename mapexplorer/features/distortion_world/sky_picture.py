"""The sky of the Distortion World: a background and the affine sprites of its clouds behind the 3D picture.

BG2 has the priority 3, the sprites too, the 3D layer 2; it is blended over them with its own alpha. The order of clouds
that overlap is that of their table, which the facts leave open. Source: the Platinum field code.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE, cos_index, sin_index
from formats.nds.objects import AFFINE, COLORS_256, DOUBLE_SIZE, FLIP_X, FLIP_Y, HIDDEN, SIZES
from mapexplorer.arrays import Picture
from mapexplorer.features.distortion_world.sky import CloudSprite, Sky, tinted
from mapexplorer.features.distortion_world.tables import Cloud, SkyTables, distortion_tables
from mapexplorer.features.pictures_2d import BG2_MAP, BG2_TILES, COLORS, PictureMembers, SpriteFrame, copy
from mapexplorer.features.values import FeatureSky
from mapexplorer.games import Role
from mapexplorer.games.field_tables import Rgb5
from mapexplorer.games.weather_tables import SpriteSet
from mapexplorer.gpu.engine_2d import Engine2D
from mapexplorer.gpu.registers_2d import (
    BACKDROP,
    BG0CNT,
    BLDALPHA,
    BLDCNT,
    DISPCNT,
    OBJ,
    OBJECT_PALETTE,
    ONE_DIMENSIONAL,
    SHOWN,
    SHOWS_3D,
)
from mapexplorer.world.sources.files import WorldFiles

_BG0, _BG2, _SPRITES, _BACKDROP = 1, 4, 1 << OBJ, 1 << BACKDROP
_PRIORITY_3D: Final = 2
_PRIORITY: Final = 3
_AFFINE_ONE: Final = 256
_PRIORITY_BITS: Final = 3 << 10


class CloudPainter:
    """Draws the sky of a ROM. Used by one thread at a time. Raises FormatError, RomError for members that cannot be
    read."""

    def __init__(self, world: WorldFiles) -> None:
        tables: SkyTables = distortion_tables(world.game.tables).sky
        self._tables = tables
        self._sky = Sky(tables)
        self._tick = 0
        self._engine = engine = Engine2D()
        members = PictureMembers(world.distortion_sky_picture, Role.DISTORTION_SKY)
        tiles, palette, entries = tables.background
        copy(engine.background[BG2_MAP:], members.entries(entries).ravel().astype("<u2").view(np.uint8))
        copy(engine.background[BG2_TILES:], np.frombuffer(members.tiles(tiles), np.uint8))
        self._colors = members.colors(palette), members.colors(tables.cloud_palettes, OBJECT_PALETTE)
        self._frames: list[tuple[SpriteFrame, int]] = []
        first = 0
        for cloud_tiles, cells, animations in tables.cloud_members:
            pixels = members.tiles(cloud_tiles)
            copy(engine.objects[32 * first :], np.frombuffer(pixels, np.uint8))
            self._frames.append((members.frames(SpriteSet(cloud_tiles, 0, cells, animations))[0], first))
            first += -(-len(pixels) // 32)
        engine.registers[DISPCNT] = SHOWS_3D | ONE_DIMENSIONAL | (_BG0 | _BG2 | _SPRITES) << SHOWN
        engine.registers[BG0CNT] = _PRIORITY_3D
        engine.registers[BG0CNT + 2] = _PRIORITY | BG2_TILES // 0x4000 << 2 | BG2_MAP // 0x800 << 8
        engine.registers[BLDCNT] = _BG0 | 1 << 6 | (_BG2 | _SPRITES | _BACKDROP) << 8
        engine.registers[BLDALPHA] = 16 << 8

    def compose(self, sky: FeatureSky, tick: int, picture: Picture) -> Picture:
        """The displayed picture after `tick` updates, uint8 (192, 256, 4) with r, g, b 0..63 and alpha 31. `picture` is
        that of the 3D engine, in the same form with alpha 0..31."""
        self._advance(sky.kind, tick)
        background, clouds = self._colors
        palette = self._engine.palette
        palette[:COLORS] = _tinted(background, self._tables.background_tint, sky.tint)
        copy(palette[OBJECT_PALETTE:], _tinted(clouds, self._tables.cloud_tint, sky.tint))
        self._place(self._sky.sprites())
        return self._engine.compose(picture)

    def _advance(self, kind: int, tick: int) -> None:
        if tick < self._tick:
            self._sky, self._tick = Sky(self._tables, kind), 0
        self._sky.kind = kind
        for _ in range(tick - self._tick):
            self._sky.tick()
        self._tick = tick

    def _place(self, sprites: tuple[CloudSprite, ...]) -> None:
        oam = self._engine.oam
        oam[:, 0] = HIDDEN
        number = group = 0
        for cloud, sprite in zip(self._tables.clouds, sprites, strict=True):
            frame, tile = self._frames[cloud.resource]
            for attribute0, attribute1, attribute2 in frame.objects.tolist():
                flips = bool(attribute1 & FLIP_X), bool(attribute1 & FLIP_Y)
                across, down = self._middle(attribute0, attribute1, cloud, sprite)
                width, height = SIZES[attribute0 >> 14, attribute1 >> 14].tolist()
                oam[4 * group : 4 * group + 4, 3] = _parameters(sprite[2], cloud.scale, *flips)
                oam[number, :3] = (
                    attribute0 & (0xC000 | COLORS_256) | AFFINE | DOUBLE_SIZE | (down - height) & 255,
                    attribute1 & 0xC000 | group << 9 | (across - width) & 511,
                    (attribute2 + tile) & ~_PRIORITY_BITS & 0xFFFF | _PRIORITY << 10,
                )
                number, group = number + 1, group + 1

    def _middle(self, attribute0: int, attribute1: int, cloud: Cloud, sprite: CloudSprite) -> tuple[int, int]:
        """The pixel of the middle of a hardware sprite of a cloud."""
        width, height = SIZES[attribute0 >> 14, attribute1 >> 14].tolist()
        x = ((attribute1 & 511 ^ 256) - 256) + width // 2
        y = ((attribute0 & 255 ^ 128) - 128) + height // 2
        middle_x, middle_y, rotation = sprite
        sine, cosine = sin_index(rotation), cos_index(rotation)
        scale = cloud.scale / ONE**2
        across = middle_x / ONE + (x * cosine - y * sine) * scale
        down = (middle_y + self._tables.view_offset) / ONE + (x * sine + y * cosine) * scale
        return round(across), round(down)


def _parameters(rotation: int, scale: int, flip_x: bool, flip_y: bool) -> npt.NDArray[np.uint16]:
    """PA, PB, PC, PD of a clockwise rotation (u16 index) and an fx32 scale."""
    sine, cosine = (part * _AFFINE_ONE // scale for part in (sin_index(rotation), cos_index(rotation)))
    row_x, row_y = np.array((cosine, sine)), np.array((-sine, cosine))
    return np.concatenate((-row_x if flip_x else row_x, -row_y if flip_y else row_y)).astype(np.int16).view(np.uint16)


def _tinted(colors: npt.NDArray[np.uint16], tint: Rgb5, level: int) -> npt.NDArray[np.uint16]:
    return np.array([_tinted_word(word, tint, level) for word in colors.tolist()], np.uint16)


@cache
def _tinted_word(word: int, tint: Rgb5, level: int) -> int:
    red, green, blue = tinted((word & 31, word >> 5 & 31, word >> 10 & 31), tint, level)
    return red | green << 5 | blue << 10
