"""Terrain texture animation: pictures that replace a texture of the terrain set in VRAM (sea, flowers, lamps).

The game copies (s << 4) * (t << 4) texels from the start of a picture, s and t being the 3-bit size codes, where a
picture has (8 << s) * (8 << t): a side of 64 counts as 48, a side of 8 as nothing, so that some pictures change in part
only. Source: the Platinum field code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, pairwise, repeat
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.fldtanime import Step
from formats.nds.texture_format import BITS
from formats.nitro.tex0 import Tex0, Texture
from mapexplorer.g3d.binding import Addresses, texture_address
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.files import WorldFiles

SLOTS: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class RunningTexture:
    """A texture of a terrain set that an animation replaces: record `number` of the list, its steps, what of each
    picture is copied, and the set's own texture."""

    number: int
    steps: tuple[Step, ...]
    pictures: tuple[bytes, ...]
    target: Texture
    first_count: int = 0

    def copied(self) -> Iterator[bytes]:
        """The texels that are copied at each update, without end: nothing while the present step lasts."""
        passed = 0
        for step, following in pairwise(cycle(self.steps)):
            yield from repeat(b"", max(0, step.duration - passed))
            passed = self.first_count
            yield self.pictures[following.frame] if following.frame < len(self.pictures) else b""

    def loop(self) -> list[Texture]:
        """The texture at every update of one period once it runs in a loop, which begins with the first step."""
        texels = self.target.texels
        shown: list[Texture] = []
        for _ in range(2):  # in the first period the first step shows the set's own texture
            shown.clear()
            for step in self.steps:
                if step.frame < len(self.pictures):
                    picture = self.pictures[step.frame]
                    texels = picture + texels[len(picture) :]
                shown += [dataclasses.replace(self.target, texels=texels)] * (step.duration + 1 - self.first_count)
        return shown


def running_textures(world: WorldFiles, textures: Tex0, damaged: list[Damage] | None = None) -> list[RunningTexture]:
    """The animations that take a slot when a terrain set is loaded, in the game's order.

    What cannot be read takes a slot and shows nothing; it is left out, with an entry in `damaged`.
    """
    running: list[RunningTexture] = []
    slots = 0
    animations = attempt(lambda: world.terrain_animations, None, damaged, LeftOut.TERRAIN_ANIMATIONS)
    for number, animation in enumerate(animations.animations if animations is not None else ()):
        target = textures.texture(animation.texture)
        if target is None or not animation.steps:
            continue
        if slots == SLOTS:
            break
        slots += 1
        read, name = partial(world.terrain_animation_frames, number), animation.texture
        file = attempt(read, None, damaged, LeftOut.TERRAIN_ANIMATION, number, name=name)
        if file is None:
            continue
        frames = file.textures.textures
        sides = [(size.bit_length() - 4) << 4 for size in (target.width, target.height)]
        copied = min(sides[0] * sides[1] * BITS[target.format] // 8, len(target.texels))
        copied *= target.format in world.game.copied_formats
        pictures = tuple([frame.texels[:copied] for frame in frames])
        running.append(RunningTexture(number, animation.steps, pictures, target, world.game.first_count))
    return running


class TerrainAnimator:
    """The running texture animations of one terrain set that is in VRAM at `addresses`; `damaged` says what cannot
    be read of them."""

    def __init__(self, world: WorldFiles, textures: Tex0, addresses: Addresses) -> None:
        self.damaged: list[Damage] = []
        self._running = [
            (running, texture_address(textures, running.target.name, running.target, addresses))
            for running in running_textures(world, textures, self.damaged)
        ]
        self._copied = [running.copied() for running, _ in self._running]

    def __len__(self) -> int:
        return len(self._running)

    def restart(self, texture: npt.NDArray[np.uint8]) -> None:
        """Return to the state after loading, in VRAM too."""
        self._copied = [running.copied() for running, _ in self._running]
        for running, address in self._running:
            _copy(running.target.texels, texture, address)

    def step(self, texture: npt.NDArray[np.uint8]) -> None:
        """Do one field update: frames whose duration is over are replaced in texture VRAM."""
        for (_, address), copied in zip(self._running, self._copied, strict=True):
            _copy(next(copied), texture, address)


def _copy(texels: bytes, texture: npt.NDArray[np.uint8], address: int) -> None:
    texture[address : address + len(texels)] = np.frombuffer(texels, np.uint8)
