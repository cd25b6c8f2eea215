"""Texture and palette memory of the engine, and the addresses of texture sets in it.

A set's plain images are one contiguous area, its palettes another. 4x4-compressed images are in slot 0 or 2 (128 KiB
each), their palette index words in the first or second half of slot 1, at half the distance (GBATEK: DS 3D Texture
Formats). The console gives the field two of the four slots; here all four can be used, so that sets of several areas
fit at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.binding import Addresses
from mapexplorer.gpu.registers import PALETTE_VRAM_SIZE, TEXTURE_VRAM_SIZE

_UNIT: Final = 16
_SLOT: Final = 0x20000
_INDEX_SLOT: Final = _SLOT
_COMPRESSED_SLOTS: Final = (0, 2)


class VramFullError(ValueError):
    """The sets do not fit into the engine's memory."""


class Vram:
    """Both memories, uint8, and the places of the sets in them."""

    def __init__(self) -> None:
        self.texture = np.zeros(TEXTURE_VRAM_SIZE, np.uint8)
        self.palette = np.zeros(PALETTE_VRAM_SIZE, np.uint8)
        self._used = np.zeros(TEXTURE_VRAM_SIZE // _UNIT, np.bool_)
        self._palettes_end = 0
        self._placed: dict[int, tuple[Tex0, Addresses]] = {}

    def place(self, textures: Tex0) -> Addresses:
        """The addresses of a set, which is loaded on the first call. Raises VramFullError."""
        known = self._placed.get(id(textures))
        if known is not None:
            return known[1]
        layout = textures.layout
        compressed = self._place_compressed(layout.compressed, layout.indices)
        images = self._free(len(layout.images), range(TEXTURE_VRAM_SIZE))
        self._put(images, layout.images)
        palettes = self._palettes_end
        if palettes + len(layout.palettes) > PALETTE_VRAM_SIZE:
            raise VramFullError(f"the palettes do not fit into {PALETTE_VRAM_SIZE} bytes of palette memory")
        self.palette[palettes : palettes + len(layout.palettes)] = np.frombuffer(layout.palettes, np.uint8)
        self._palettes_end = -(-(palettes + len(layout.palettes)) // _UNIT) * _UNIT
        addresses = Addresses(images, compressed, palettes)
        self._placed[id(textures)] = textures, addresses
        return addresses

    def _place_compressed(self, texels: bytes, indices: bytes) -> int:
        if not texels:
            return 0
        for slot in _COMPRESSED_SLOTS:
            place = slot * _SLOT
            while True:
                try:
                    place = self._free(len(texels), range(place, (slot + 1) * _SLOT))
                except VramFullError:
                    break
                words = _INDEX_SLOT + slot * _SLOT // 4 + (place & _SLOT - 1) // 2
                if not self._used[words // _UNIT : -(-(words + len(indices)) // _UNIT)].any():
                    self._put(place, texels)
                    self._put(words, indices)
                    return place
                place += _UNIT
        raise VramFullError("the compressed textures do not fit into texture memory")

    def _free(self, size: int, room: range) -> int:
        """The first free place of `size` bytes in a range of addresses."""
        first, last = room.start // _UNIT, room.stop // _UNIT
        need = -(-size // _UNIT)
        if need == 0:
            return room.start
        # Runs of free units: their starts and ends.
        edges = np.flatnonzero(np.diff(np.concatenate([[True], self._used[first:last], [True]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            if end - start >= need:
                return int(first + start) * _UNIT
        raise VramFullError(f"there are no {size} free bytes in one piece in texture memory")

    def _put(self, address: int, data: bytes) -> None:
        self.texture[address : address + len(data)] = np.frombuffer(data, np.uint8)
        self._used[address // _UNIT : -(-(address + len(data)) // _UNIT)] = True
