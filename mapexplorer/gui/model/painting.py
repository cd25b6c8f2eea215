"""Colours with a meaning, as (red, green, blue)."""

from __future__ import annotations

import colorsys

Rgb = tuple[int, int, int]

BLOCKED: Rgb = (214, 48, 49)
FLAT_PLATE: Rgb = (45, 130, 230)
SLOPED_PLATE: Rgb = (235, 155, 30)
EVENTS: dict[str, Rgb] = {
    "object": (46, 160, 90),
    "warp": (150, 80, 220),
    "sign": (40, 130, 210),
    "trigger": (225, 140, 20),
}


def hue(number: int, saturation: float = 0.62, value: float = 0.86) -> Rgb:
    """A colour for a number: always the same one, neighbours far apart."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.61803398875 % 1.0, saturation, value)
    return round(red * 255), round(green * 255), round(blue * 255)
