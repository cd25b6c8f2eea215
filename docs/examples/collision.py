"""The collision of a map as a grey picture.

Use: python collision.py demo T01 collision.png
"""

import sys

import numpy as np
from PIL import Image

import mapexplorer


def collision(place: mapexplorer.Place) -> np.ndarray:
    """(rows, columns) of the rectangle around the map: True where the collision bit is set or no land is."""
    tiles = place.collision()
    x, z = tiles["x"], tiles["z"]
    grid = np.ones((np.ptp(z) + 1, np.ptp(x) + 1), dtype=bool)
    grid[z - z.min(), x - x.min()] = tiles["blocked"]
    return grid


if __name__ == "__main__":
    rom, name, output = sys.argv[1:]
    grid = collision(mapexplorer.World(rom).place(name))
    Image.fromarray(np.where(grid, 0, 255).astype(np.uint8)).save(output)
    print(f"{np.mean(~grid):.0%} of {grid.size} tiles can be walked on")
