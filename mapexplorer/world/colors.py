"""The colours of what the game does not draw (blocked tiles, height plates, events), for layers, panels and exports:
sRGB (red, green, blue), 0 to 255."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np

from mapexplorer.units import SECONDS_PER_HOUR

Rgb = tuple[int, int, int]

BLOCKED: Rgb = (214, 48, 49)
FILLER: Rgb = (72, 78, 88)
"""Cells of a matrix that belong to no map."""
SLOPED_PLATE: Rgb = (235, 155, 30)
EVENTS: dict[str, Rgb] = {
    "object": (46, 160, 90),
    "warp": (150, 80, 220),
    "sign": (40, 130, 210),
    "trigger": (225, 140, 20),
}

ENCOUNTERS: dict[str, Rgb] = {
    "grass": (60, 170, 60),
    "ground": (165, 120, 50),
    "surfing and fishing": (32, 96, 200),
    "surfing": (90, 190, 240),
    "fishing": (60, 60, 150),
    "Feebas": (250, 120, 190),
    "honey tree": (250, 190, 40),
}
"""How wild Pokémon are met on a tile; "ground" is that of caves and the like."""

HeightScale = tuple[tuple[float, Rgb], ...]
"""Heights in units and their colours; those between are mixed."""

PLATE_HEIGHTS: HeightScale = (
    (-64, (48, 18, 59)), (0, (70, 107, 227)), (32, (40, 187, 236)), (64, (49, 242, 153)), (96, (162, 252, 60)),
    (160, (237, 208, 58)), (256, (251, 128, 34)), (512, (165, 25, 1)),
)  # fmt: skip
"""The scale of exports, by which maps are compared."""


SKIES: tuple[tuple[int, Rgb, Rgb], ...] = (
    (0, (10, 14, 34), (34, 42, 82)), (4, (14, 20, 46), (44, 52, 98)), (6, (74, 96, 152), (214, 156, 128)),
    (8, (84, 150, 222), (188, 218, 240)), (12, (70, 142, 222), (196, 226, 246)), (16, (78, 144, 218), (196, 220, 238)),
    (18, (86, 98, 160), (232, 160, 104)), (20, (28, 32, 76), (92, 72, 112)), (24, (10, 14, 34), (34, 42, 82)),
)  # fmt: skip
"""Hours of the day and the colours of a clear sky: above, and at the horizon; those between are mixed."""


def clear_sky(second: int) -> tuple[Rgb, Rgb]:
    """The colours of a clear sky at a second of the day: above, and at the horizon."""
    hour, (hours, above, horizon) = second / SECONDS_PER_HOUR, zip(*SKIES, strict=True)
    return _mixed(hour, hours, above), _mixed(hour, hours, horizon)


def _mixed(at: float, places: Sequence[float], colors: Sequence[Rgb]) -> Rgb:
    """The colour between those of increasing places."""
    red, green, blue = (round(float(np.interp(at, places, channel))) for channel in zip(*colors, strict=True))
    return red, green, blue


def height_scale(low: float, high: float) -> HeightScale:
    """The colours but the darkest from the lowest to the highest height of a map; one colour where they are equal."""
    colors = [color for _, color in PLATE_HEIGHTS[1:]] if high > low else [PLATE_HEIGHTS[1][1]]
    return tuple(zip(np.linspace(low, high, len(colors)).tolist(), colors, strict=True))


def height_color(height: float, scale: HeightScale = PLATE_HEIGHTS) -> Rgb:
    """The colour of a height in units."""
    return _mixed(height, *zip(*scale, strict=True))


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
