"""A day on a map as an animated PNG, of which ffmpeg makes a video.

Use: python day.py demo T01 day.png 96
"""

import sys

from PIL import Image

import mapexplorer

DAY = 24 * 60 * 60
"""Seconds."""


def pictures(place: mapexplorer.Place, count: int) -> list[Image.Image]:
    """`count` pictures at equal distances over a day."""
    return [Image.fromarray(place.scene(second=DAY * index // count).render()) for index in range(count)]


if __name__ == "__main__":
    rom, name, output, count = sys.argv[1:]
    first, *others = pictures(mapexplorer.World(rom).place(name), int(count))
    first.save(output, save_all=True, append_images=others, duration=100, loop=0)
    print(f"{output}: {1 + len(others)} pictures")
