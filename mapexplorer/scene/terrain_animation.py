"""Terrain texture animation: pictures that replace a texture of the terrain set in VRAM (sea, flowers, lamps).

The game copies (s << 4) * (t << 4) texels from the start of a picture, s and t being the 3-bit size codes, where a
picture has (8 << s) * (8 << t): a side of 64 counts as 48, a side of 8 as nothing, so that some pictures change in part
only. Source: the Platinum field code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.fldtanime import Step
from formats.nds.texture_format import BITS
from formats.nitro.tex0 import Tex0
from mapexplorer.g3d.binding import Addresses, texture_address
from mapexplorer.world.world import World

SLOTS: Final = 16


@dataclass(slots=True)
class _Slot:
    steps: tuple[Step, ...]
    pictures: list[npt.NDArray[np.uint8]]
    address: int
    rest: npt.NDArray[np.uint8]
    index: int = 0
    counter: int = 0


class TerrainAnimator:
    """The running texture animations of one terrain set that lies in VRAM at `addresses`."""

    def __init__(self, world: World, textures: Tex0, addresses: Addresses) -> None:
        self._slots: list[_Slot] = []
        animations = world.terrain_animations
        for number, animation in enumerate(animations.animations if animations is not None else ()):
            target = textures.texture(animation.texture)
            if target is None or not animation.steps:
                continue
            if len(self._slots) == SLOTS:
                break
            frames = world.terrain_animation_frames(number).textures.textures
            bits = BITS[target.format]
            sides = [(size.bit_length() - 4) << 4 for size in (target.width, target.height)]
            copied = min(sides[0] * sides[1] * bits // 8, len(target.texels))
            pictures = [np.frombuffer(frame.texels, np.uint8)[:copied] for frame in frames]
            address = texture_address(textures, animation.texture, target, addresses)
            rest = np.frombuffer(target.texels, np.uint8)
            self._slots.append(_Slot(animation.steps, pictures, address, rest))

    def __len__(self) -> int:
        return len(self._slots)

    def restart(self, texture: npt.NDArray[np.uint8]) -> None:
        """Back to the state after loading, in VRAM too."""
        for slot in self._slots:
            slot.index = slot.counter = 0
            texture[slot.address : slot.address + len(slot.rest)] = slot.rest

    def step(self, texture: npt.NDArray[np.uint8]) -> None:
        """One field update: pictures whose time is over are replaced in texture VRAM."""
        for slot in self._slots:
            if slot.steps[slot.index].duration > slot.counter:
                slot.counter += 1
                continue
            slot.counter = 0
            slot.index = (slot.index + 1) % len(slot.steps)
            frame = slot.steps[slot.index].frame
            if frame < len(slot.pictures):
                picture = slot.pictures[frame]
                texture[slot.address : slot.address + len(picture)] = picture
