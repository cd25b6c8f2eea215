"""A 2D engine as an object: its memory and registers, and the picture composed from them."""

from __future__ import annotations

import numpy as np

from mapexplorer.arrays import Picture
from mapexplorer.gpu.backgrounds import COLORS
from mapexplorer.gpu.composition import LINES, compose
from mapexplorer.gpu.registers import HEIGHT, WIDTH
from mapexplorer.gpu.registers_2d import (
    BACKGROUND_VRAM_SIZE,
    COUNT,
    OBJECT_PALETTE,
    OBJECT_VRAM_SIZE,
    OBJECTS,
)
from mapexplorer.gpu.screens import CONTENTS, NOTHING, SCREEN


class Engine2D:
    """A Nintendo DS 2D engine. The caller writes to its memory, which consists of arrays; `compose` draws its contents.
    Used by one thread at a time.

    `registers`: int64 (`mapexplorer.gpu.registers_2d`). `background`, `objects`: video memory in bytes. `palette`: 256
    colours of the backgrounds, then 256 of the sprites. `oam`: a row of words per sprite, the last one its part of the
    affine parameters. `edges` [window, line]: left edge and exclusive right edge, the values of WIN0H and WIN1H in that
    line. There are no extended palettes.
    """

    def __init__(self) -> None:
        self.registers = np.zeros(COUNT, np.int64)
        self.background = np.zeros(BACKGROUND_VRAM_SIZE, np.uint8)
        self.objects = np.zeros(OBJECT_VRAM_SIZE, np.uint8)
        self.palette = np.zeros(2 * OBJECT_PALETTE, np.uint16)
        self.oam = np.zeros((OBJECTS, 4), np.uint16)
        self.edges = np.zeros((2, HEIGHT, 2), np.uint8)
        self._result = np.zeros((HEIGHT, WIDTH), np.int32)
        self._compose = compose.bound(
            registers=self.registers,
            background=self.background,
            objects=self.objects,
            palette=self.palette,
            oam=self.oam,
            edges=self.edges,
            lines=np.zeros((LINES, WIDTH), np.int32),
            order=np.zeros(4, np.int32),
            covering=np.zeros((HEIGHT, 1 + OBJECTS), np.int32),
            colors=np.zeros(COLORS, np.int32),
            contents=np.zeros((4, CONTENTS), np.uint8),
            screen_colors=np.zeros((4, OBJECT_PALETTE), np.int32),
            states=np.full(4, NOTHING, np.int32),
            screens=np.zeros((4, SCREEN, SCREEN), np.int32),
            result=self._result,
        )

    def compose(self, picture: Picture) -> Picture:
        """The displayed picture, uint8 (192, 256, 4) with r, g, b 0..63 and alpha 31.

        `picture` is that of the 3D engine, in the same form with alpha 0..31. Raises TypeError for another shape.
        """
        if picture.shape != (HEIGHT, WIDTH, 4) or picture.dtype != np.uint8:
            raise TypeError(f"a picture of the 3D engine is uint8 {HEIGHT} x {WIDTH} x 4, not {picture.shape}")
        self._compose(np.ascontiguousarray(picture).view("<i4").reshape(HEIGHT, WIDTH).astype(np.int32, copy=False))
        return self._result.astype("<i4").view(np.uint8).reshape(HEIGHT, WIDTH, 4)
