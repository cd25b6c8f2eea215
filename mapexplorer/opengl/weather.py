"""The weather's layers over and under the field: window, background and sprites, in the order and with the blending of
the DS's 2D engine (GBATEK: DS Video).

They have the pixels of the console's screen, 256 x 192, which is as large as it fits in the middle of the picture. In a
wider or higher picture a background goes on (see `ShownWeather`) and the sprites repeat, screen beside screen.
"""

from __future__ import annotations

from math import ceil
from typing import Final

import numpy as np

from mapexplorer.opengl.buffers import WordBuffer
from mapexplorer.opengl.gl import GL, disable
from mapexplorer.opengl.program import Program
from mapexplorer.opengl.shaders import SCREEN_VERTEX
from mapexplorer.opengl.weather_shaders import (
    BACKGROUND_FRAGMENT,
    SPRITE_FRAGMENT,
    SPRITE_VERTEX,
    WINDOW_FRAGMENT,
)
from mapexplorer.scene.weather.pictures import Image, PlacedImage, ShownWeather
from mapexplorer.scene.weather.state import BACKDROP, BG0, BG2, BlendRegisters

_SCREEN: Final = (256, 192)


class WeatherLayers:
    """Draws the layers into the current framebuffer, whose stencil is 0 where the field has no pixel."""

    def __init__(self) -> None:
        self._background = Program(SCREEN_VERTEX, BACKGROUND_FRAGMENT)
        self._window = Program(SCREEN_VERTEX, WINDOW_FRAGMENT)
        self._sprite = Program(SPRITE_VERTEX, SPRITE_FRAGMENT)
        self._texels = WordBuffer(4, GL.GL_RGBA8UI)
        self._sprites = WordBuffer(16, GL.GL_RGBA32I)
        self._places: dict[int, tuple[Image, int]] = {}

    def draw(self, weather: ShownWeather, width: int, height: int) -> None:
        """Draw all layers of a weather over a picture of this size. Depth and stencil are not changed."""
        state = weather.state
        disable(GL.GL_DEPTH_TEST, GL.GL_CULL_FACE, GL.GL_STENCIL_TEST, GL.GL_BLEND)
        if state.window.used and not state.window.outside & BG0:
            self._draw_window(weather, width, height)
        if weather.background is not None:
            self._draw_background(weather, weather.background, width, height)
        if weather.sprites:
            self._draw_sprites(weather.sprites, width, height)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _draw_window(self, weather: ShownWeather, width: int, height: int) -> None:
        self._use(self._window, width, height)
        self._window.set(u_lines=weather.state.lines)
        self._window.cover()

    def _draw_background(self, weather: ShownWeather, image: Image, width: int, height: int) -> None:
        state, program = weather.state, self._background
        first = self._place(image)
        self._use(program, width, height)
        program.set(u_first=first, u_offset=state.offset, u_repeats=weather.repeats)
        if state.priority[1] >= state.priority[0]:
            GL.glEnable(GL.GL_STENCIL_TEST)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
            GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        if _blends(state.blend):
            weight, other = (min(16, part) / 16 for part in (state.blend.first_weight, state.blend.second_weight))
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendColor(weight, weight, weight, other)
            GL.glBlendFuncSeparate(GL.GL_CONSTANT_COLOR, GL.GL_CONSTANT_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        program.cover()
        disable(GL.GL_BLEND, GL.GL_STENCIL_TEST)

    def _draw_sprites(self, sprites: tuple[PlacedImage, ...], width: int, height: int) -> None:
        program = self._sprite
        rows = np.zeros((len(sprites), 8), np.int32)
        for row, sprite in zip(rows, reversed(sprites), strict=True):  # the front ones last
            image_height, image_width = sprite.image.shape[:2]
            row[:5] = sprite.x, sprite.y, image_width, image_height, self._place(sprite.image)
        self._sprites.replace(rows)
        self._use(program, width, height)
        self._sprites.bind(1)
        program.set(u_sprites=1, u_count=len(sprites))
        across, down = (
            ceil(round(pixels / _pixel(width, height) - console, 3) / 2 / console)
            for pixels, console in zip((width, height), _SCREEN, strict=True)
        )
        program.set(u_screens=(-across, -down, 2 * across + 1))
        program.draw_strips(len(sprites) * (2 * across + 1) * (2 * down + 1))

    def _use(self, program: Program, width: int, height: int) -> None:
        program.use()
        program.set(u_size=(width, height), u_pixel=_pixel(width, height), u_texels=0)
        self._texels.bind(0)

    def _place(self, image: Image) -> int:
        """The first texel of an image, which is uploaded on the first call."""
        if id(image) not in self._places:
            self._places[id(image)] = image, self._texels.append(image)
        return self._places[id(image)][1]

    def clear(self) -> None:
        """Remove all images."""
        self._texels.clear()
        self._places.clear()


def _pixel(width: int, height: int) -> float:
    """The size of a pixel of the console in a picture of this size."""
    return min(width / _SCREEN[0], height / _SCREEN[1])


def _blends(blend: BlendRegisters) -> bool:
    """Whether the background is blended with the layer below it, which is the field or the backdrop."""
    return blend.alpha and bool(blend.first & BG2) and blend.second & (BG0 | BACKDROP) != 0
