"""Textures decoded for the GPU, and the terrain's texture animations."""

from __future__ import annotations

from typing import Any

import numpy as np

from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.g3d.binding import Addresses, texture_address
from mapexplorer.opengl.buffers import WordBuffer
from mapexplorer.opengl.decode import WHITE, decoded
from mapexplorer.opengl.gl import GL
from mapexplorer.scene.terrain_animation import TerrainAnimator
from mapexplorer.world.sources.files import WorldFiles

_Key = tuple[Any, ...]


class TexelStore:
    """All images in one buffer of texels (`decode`), the first of which is white. Equal images are stored once;
    animated ones by name."""

    def __init__(self) -> None:
        self.buffer = WordBuffer(4, GL.GL_RGBA8UI)
        self.buffer.append(WHITE)
        self._places: dict[_Key, int] = {}
        self._keys: dict[tuple[int, int], tuple[_Key, Texture, Palette | None]] = {}
        self._named: dict[tuple[int, str], list[tuple[int, Texture, Palette | None]]] = {}

    def place(self, texture: Texture | None, palette: Palette | None, owner: Tex0 | None, animated: bool) -> int:
        """The first texel of an image, which is decoded on the first call.

        An `animated` image is not shared between sets: the frames of the set `owner` replace it.
        """
        if texture is None:
            return 0
        pair = (id(texture), id(palette))
        if pair not in self._keys:
            colors = b"" if palette is None else palette.colors.tobytes()
            content: _Key = (
                texture.format,
                texture.width,
                texture.height,
                texture.color0_transparent,
                texture.texels,
                texture.indices,
                colors,
            )
            key = (*content, id(owner), texture.name) if animated else content
            self._keys[pair] = key, texture, palette
        key = self._keys[pair][0]
        if key not in self._places:
            self._places[key] = self.buffer.append(decoded(texture, palette))
            if animated:
                self._named.setdefault((id(owner), texture.name), []).append((self._places[key], texture, palette))
        return self._places[key]

    def show(self, owner: Tex0, name: str, data: bytes) -> None:
        """Replace an animated image of a set, for all palettes with which it is used."""
        for place, texture, palette in self._named.get((id(owner), name), ()):
            self.buffer.write(place, decoded(texture, palette, data))

    def clear(self) -> None:
        """Remove all images."""
        self.buffer.clear()
        self.buffer.append(WHITE)
        self._places.clear()
        self._keys.clear()
        self._named.clear()


class TerrainPictures:
    """The texture animations of one terrain set, computed on its texels in memory."""

    def __init__(self, world: WorldFiles, textures: Tex0) -> None:
        self.textures = textures
        images = textures.layout.images
        addresses = Addresses(0, len(images), 0)
        self._memory = np.zeros(len(images) + len(textures.layout.compressed), np.uint8)
        self._memory[: len(images)] = np.frombuffer(images, np.uint8)
        self._memory[len(images) :] = np.frombuffer(textures.layout.compressed, np.uint8)
        self._animator = TerrainAnimator(world, textures, addresses)
        self._places: dict[str, slice] = {}
        animations = world.terrain_animations
        for animation in animations.animations if animations is not None else ():
            texture = textures.texture(animation.texture)
            if texture is not None:
                start = texture_address(textures, animation.texture, texture, addresses)
                self._places[animation.texture] = slice(start, start + len(texture.texels))
        self._shown = {name: self._memory[place].tobytes() for name, place in self._places.items()}
        self._tick = 0

    @property
    def names(self) -> frozenset[str]:
        """The textures that change."""
        return frozenset(self._places)

    @property
    def shown(self) -> list[tuple[str, bytes]]:
        """(name, texels) of every animated texture in its present state."""
        return list(self._shown.items())

    def advance(self, tick: int) -> list[tuple[str, bytes]]:
        """Go to the state after `tick` updates; returns (name, texels) of the textures that changed since the last
        call."""
        if tick == self._tick or not self._places:
            return []
        if tick < self._tick:
            self._tick = 0
            self._animator.restart(self._memory)
        while self._tick < tick:
            self._tick += 1
            self._animator.step(self._memory)
        present = {name: self._memory[place].tobytes() for name, place in self._places.items()}
        changed = [(name, data) for name, data in present.items() if data != self._shown[name]]
        self._shown = present
        return changed
