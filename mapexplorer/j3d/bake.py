"""The TEV result as a picture: the stages of a material evaluated once per texel of its first ordinary texture.

This is an approximation. Raster colours are at full light; a texture that depends on the view is black (as the only
one: its mean colour), a ramp is its fully lit end, and stages with other texture coordinates are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.j3d.material import RenderState
from formats.j3d.textures import J3dTexture
from mapexplorer.arrays import Array
from mapexplorer.j3d.tev import evaluate
from mapexplorer.j3d.texcoords import Lookup, lookups, sample

LARGEST = 1024
_CHUNK = 1 << 16
_SAME = np.eye(2, 3)


def _raster(state: RenderState) -> tuple[Array, list[bool]]:
    """The raster colours of both channels of a material at full light (2, 4), white where the vertex colour is the
    source, and whether it is: of the colour and the alpha of the first channel, and of the second."""
    colors = np.full((2, 4), 255, np.int32)
    vertex = [False] * 4
    for i in range(2 * state.channel_count):
        control = state.channels[i]
        if control is not None and control.material_source == 1:
            vertex[i] = True
        else:
            parts = slice(3, 4) if i & 1 else slice(0, 3)
            colors[i // 2, parts] = state.material_colors[i // 2][parts]
    return colors, vertex


@dataclass(frozen=True, eq=False)
class _Source:
    """The texture input of a stage: one colour (4,), or a texture and the matrix from picture to texture
    coordinates."""

    colors: Array
    texture: J3dTexture | None = None
    relative: Array | None = None

    def at(self, uv: Array, size: tuple[int, int]) -> Array:
        if self.texture is None or self.relative is None:
            return np.atleast_2d(self.colors)
        moved = uv @ self.relative[:, :2].T + self.relative[:, 2]
        exact = self.colors.shape[:2] == size and np.array_equal(self.relative, _SAME)
        linear = bool(self.texture.mag_filter) and not exact
        return sample(self.colors, moved, self.texture.wrap_s, self.texture.wrap_t, linear)


class Bake:
    """A material's stages over a picture.

    raster: the raster colours of both channels at full light (2, 4), white where the vertex colour is the source. base:
    the look-up whose texture coordinates the picture has; None: there is no texture, the picture is one texel.
    notes: what the picture leaves out.
    """

    def __init__(self, state: RenderState, textures: Sequence[J3dTexture]) -> None:
        self.state = state
        self.raster, self._vertex = _raster(state)
        self.notes: list[str] = []
        texture_lookups = lookups(state, len(textures))
        plain = [look for look in texture_lookups if look.kind == "plain"]
        self.base: Lookup | None = plain[0] if plain else None
        self._images = {look.texture: textures[look.texture].rgba() for look in texture_lookups if look.kind != "none"}
        usable = self._usable(plain)
        if len(usable) < len(plain):
            self.notes.append("textures on other texture coordinates than the first are left out")
        self._skip = frozenset(look.stage for look in plain if look not in usable)
        self._sources: dict[int, _Source] = {}
        self._results: dict[bytes, npt.NDArray[np.uint8]] = {}
        for look in texture_lookups:
            if look.kind != "none" and look.stage not in self._skip:
                self._sources[look.stage] = self._source(look, textures[look.texture])
        shapes = [self._images[look.texture].shape for look in usable] or [(1, 1)]
        self.size = (min(LARGEST, max(shape[0] for shape in shapes)), min(LARGEST, max(shape[1] for shape in shapes)))

    @property
    def image(self) -> Array | None:
        """The base texture itself, uint8 (h, w, 4)."""
        return None if self.base is None else self._images[self.base.texture]

    def pixels(self, raster: Array) -> npt.NDArray[np.uint8]:
        """uint8 (h, w, 4): the result for two raster colours (2, 4)."""
        key = np.asarray(raster, np.int32).tobytes()
        if key not in self._results:
            self._results[key] = self._evaluated(raster)
        return self._results[key]

    def _evaluated(self, raster: Array) -> npt.NDArray[np.uint8]:
        height, width = self.size
        result = np.empty((height * width, 4), np.uint8)
        for start in range(0, height * width, _CHUNK):
            index = np.arange(start, min(start + _CHUNK, height * width))
            uv = np.stack(((index % width + 0.5) / width, (index // width + 0.5) / height), -1)
            texels = {stage: source.at(uv, self.size) for stage, source in self._sources.items()}
            result[index] = evaluate(self.state, texels, raster, len(index), self._skip)
        return result.reshape(height, width, 4)

    def vertex_channels(self, full: Array) -> tuple[int | None, int | None]:
        """The vertex colours (0, 1) on which RGB and alpha of the result depend; `full` is the result with white."""
        color: int | None = None
        alpha: int | None = None
        for i in (1, 0):
            for parts, used in ((slice(0, 3), self._vertex[2 * i]), (slice(3, 4), self._vertex[2 * i + 1])):
                if used:
                    dark = self.raster.copy()
                    dark[i, parts] = 0
                    difference = self.pixels(dark) != full
                    color = i if difference[..., :3].any() else color
                    alpha = i if difference[..., 3].any() else alpha
        return color, alpha

    def _usable(self, plain: list[Lookup]) -> list[Lookup]:
        """The look-ups that can be baked over the base's texture coordinates."""
        if self.base is None:
            return []
        base = self.base
        same = [look for look in plain if look.uv_set == base.uv_set]
        if abs(np.linalg.det(base.matrix[:, :2])) < 1e-9:
            same = [look for look in same if np.allclose(look.matrix, base.matrix)]
        return same

    def _source(self, look: Lookup, texture: J3dTexture) -> _Source:
        image = self._images[look.texture]
        if look.kind == "plain" and self.base is not None:
            relative = _relative(look.matrix, self.base.matrix)
            if not np.array_equal(relative, _SAME):
                self.notes.append(f"texture {texture.name!r} is baked as it is over the first repetition")
            return _Source(image, texture, relative)
        if look.kind == "ramp":
            control = self.state.channels[2 * look.channel]
            lit = control is not None and control.lighting and look.channel < self.state.channel_count
            at = np.ones(2) if lit else self.raster[look.channel, :2] / 255
            height, width = image.shape[:2]
            self.notes.append(f"the ramp {texture.name!r} is taken where it is fully lit")
            return _Source(image[min(int(at[1] * height), height - 1), min(int(at[0] * width), width - 1)])
        alone = self.base is None
        what = "its mean colour" if alone else "black"
        self.notes.append(f"texture {texture.name!r} depends on the view and counts as {what}")
        return _Source(np.rint(image.reshape(-1, 4).mean(0)) if alone else np.zeros(4))


def _relative(matrix: Array, base: Array) -> Array:
    """The coordinates of a look-up as a function of the base's coordinates."""
    if np.allclose(matrix, base):
        return _SAME
    whole = np.vstack((base, (0, 0, 1)))
    return np.asarray((np.vstack((matrix, (0, 0, 1))) @ np.linalg.inv(whole))[:2])
