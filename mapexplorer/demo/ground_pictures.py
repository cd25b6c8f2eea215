"""Pictures of the ground: grass, path and what else is walked on."""

from __future__ import annotations

import numpy as np

from mapexplorer.demo.paint import blank, levels, noise, places, smooth, stamp
from mapexplorer.demo.picture import COLORS_16, Indices, Picture, from_rows, ramp

GREENS = ramp("#3a8a4a", "#4aa052", "#5ab45a", "#70c466", "#8cd47a")
EARTHS = ramp("#a8804e", "#c09a62", "#d2b078", "#e2c690", "#f0dcae")

_TUFT = from_rows(("..d.d..", ".dl.l..", "d.lll.d", ".llhll."), ".dlh")


def grass_indices(size: int = 32) -> Indices:
    """Short grass: soft patches of two greens and tufts in a loose pattern; indices 0..4 dark to light."""
    image = levels(smooth(size, size, 8, 3), 96, 230) + 1
    image = np.minimum(image, 2).astype(np.uint8)
    tuft = np.array([0, 1, 4, 5], np.uint8)[_TUFT]
    for x, y in ((3, 2), (19, 5), (10, 13), (26, 18), (2, 22), (16, 26)):
        stamp(image, np.where(tuft > 0, tuft - 1, 255).astype(np.uint8), x, y, 255)
    return image


def path_indices(size: int = 32) -> Indices:
    """Trodden earth with pebbles; indices 0..4 dark to light."""
    x, y = places(size, size)
    image = levels(smooth(size, size, 8, 11), 90, 200) + 1
    grain = noise(x, y, 5)
    image = np.where(grain < 12, 0, np.where(grain > 244, 4, image)).astype(np.uint8)
    return image


def ground_pictures() -> list[Picture]:
    return [
        Picture("grass", COLORS_16, grass_indices(), GREENS),
        Picture("path", COLORS_16, path_indices(), EARTHS),
        Picture("blank", COLORS_16, blank(8, 8), ramp("#ffffff")),
    ]
