"""The colours of the layers that the game does not draw (collision, behaviours, height plates, events), in all views
and exports: sRGB (red, green, blue), 0 to 255."""

from __future__ import annotations

import colorsys

Rgb = tuple[int, int, int]

BLOCKED: Rgb = (214, 48, 49)
FLAT_PLATE: Rgb = (45, 130, 230)
SLOPED_PLATE: Rgb = (235, 155, 30)
NORMAL: Rgb = (255, 255, 255)
STRIP: Rgb = (255, 255, 255)
TILE_LINE: Rgb = (255, 255, 255)
CELL_LINE: Rgb = (255, 220, 90)
EVENTS: dict[str, Rgb] = {
    "object": (46, 160, 90),
    "warp": (150, 80, 220),
    "sign": (40, 130, 210),
    "trigger": (225, 140, 20),
}


def hue(number: int, saturation: float = 0.62, value: float = 0.86) -> Rgb:
    """The colour of a number; successive numbers have very different hues."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.61803398875 % 1.0, saturation, value)
    return round(red * 255), round(green * 255), round(blue * 255)


def linear(color: Rgb) -> tuple[float, float, float]:
    """A colour in linear RGB, 0 to 1, as in glTF's factors."""
    red, green, blue = (
        round(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4, 4)
        for value in (channel / 255 for channel in color)
    )
    return red, green, blue
