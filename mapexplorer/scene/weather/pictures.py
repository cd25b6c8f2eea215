"""The images of a weather's background and sprites, for a view that does not use the 2D engine.

Images are uint8 (height, width, 4): r, g, b 0..63 as the 2D engine has them, alpha 0 or 31.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakMethod

import numpy as np
import numpy.typing as npt

from formats.nds import objects, tiles
from formats.remembered import remembered
from mapexplorer.features.pictures_2d import COLORS, PictureMembers, SpriteFrame
from mapexplorer.games.weather_tables import WeatherTables
from mapexplorer.gpu.registers import HEIGHT, WIDTH
from mapexplorer.scene.weather.state import BG2, SPRITES, WeatherState
from mapexplorer.world.sources.files import WorldFiles

Image = npt.NDArray[np.uint8]

_DEPTH: Final = 4
_OPAQUE: Final = 31
_PERIOD: Final = 256
"""Lines after which the vertical position of a sprite repeats."""
_SCROLLED: Final = (0, 1, 3, 9)
"""The background sets that weathers scroll: snow, sand, ash, forest shade. Their pictures repeat without a seam; the
others are made for the screen of the console."""


@dataclass(frozen=True, eq=False)
class PlacedImage:
    """An image with its left upper corner at pixel (x, y) of the screen, or relative to its sprite."""

    image: Image
    x: int
    y: int


@dataclass(frozen=True, eq=False)
class ShownWeather:
    """The weather after a tick with its images. `background`: 256 x 256 pixels, None when BG2 is not shown; `repeats`:
    on a larger screen it repeats, otherwise its border is continued. `sprites`: those on the screen, front to back."""

    state: WeatherState
    background: Image | None
    repeats: bool
    sprites: tuple[PlacedImage, ...]


class WeatherPictures:
    """The images of the weathers of a ROM, each decoded at its first use. `read` returns a member of the archive of
    weather pictures as a value.

    Several threads may use it. Methods that read a member raise FormatError or RomError.
    """

    def __init__(self, tables: WeatherTables, read: Callable[[int], Any]) -> None:
        self._tables = tables
        self._members = PictureMembers(read)
        sets = [tables.background_sets[number] for number in _SCROLLED if number < len(tables.background_sets)]
        self._scrolled = frozenset(sets)

    def shown(self, state: WeatherState) -> ShownWeather:
        """A state with its images."""
        shows_background = state.layers & BG2 and -1 not in state.background
        background = self.background(state.background) if shows_background else None
        sprites = tuple(self._sprites(state)) if state.layers & SPRITES else ()
        return ShownWeather(state, background, state.background in self._scrolled, sprites)

    @remembered
    def background(self, members: tuple[int, int, int]) -> Image:
        """The image of a background, (256, 256, 4), by its members: palette, tiles, map."""
        palette, numbers, entries = members
        known = tiles.decode(self._members.tiles(numbers), _DEPTH)
        return _colored(tiles.arrange(known, self._members.entries(entries)), self._members.colors(palette))

    @remembered
    def frames(self, number: int) -> tuple[tuple[SpriteFrame, PlacedImage], ...]:
        """The frames of a sprite set and their images."""
        members = self._tables.sprite_sets[number]
        colors = self._members.colors(members.palette)
        known = tiles.decode(self._members.tiles(members.tiles), _DEPTH)
        images = []
        for frame in self._members.frames(members):
            pixels, left, top = objects.draw(frame.objects, known)
            images.append((frame, PlacedImage(_colored(pixels, colors), left, top)))
        return tuple(images)

    def _sprites(self, state: WeatherState) -> Iterator[PlacedImage]:
        for sprite in state.sprites:
            frames = self.frames(sprite.set)
            if sprite.frame >= len(frames):
                continue
            frame, drawn = frames[sprite.frame]
            x, y = sprite.x >> 12, sprite.y >> 12
            if not frame.is_drawn_at(x, y):
                continue
            height, width = drawn.image.shape[:2]
            left, top = x + drawn.x, (y + drawn.y) % _PERIOD
            for line in (top, top - _PERIOD):
                if line < HEIGHT and line + height > 0 and left < WIDTH and left + width > 0:
                    yield PlacedImage(drawn.image, left, line)


_pictures: WeakKeyDictionary[WorldFiles, WeatherPictures] = WeakKeyDictionary()


def pictures_of(world: WorldFiles) -> WeatherPictures:
    """The images of a ROM, the same ones for all its scenes."""
    method = WeakMethod(world.weather_picture)  # so that the images do not keep the ROM

    def read(index: int) -> Any:
        weather_picture = method()
        assert weather_picture is not None
        return weather_picture(index)

    return _pictures.setdefault(world, WeatherPictures(world.game.tables.weather_effects, read))


def _colored(pixels: npt.NDArray[np.uint8], colors: npt.NDArray[np.uint16]) -> Image:
    """Colour numbers as an image; colour 0 and colours that the palette lacks are transparent."""
    words = np.pad(colors, (0, COLORS - len(colors))).astype(np.uint16)
    table = np.zeros((COLORS, 4), np.uint8)
    for channel in range(3):
        table[:, channel] = (words >> 5 * channel & 31) << 1
    table[:, 1] |= (words >> 15).astype(np.uint8)
    table[1 : len(colors), 3] = _OPAQUE
    image = table[pixels]
    image.flags.writeable = False
    return image
