"""The images of a material in one atlas image, selected by an animated texture offset."""

from __future__ import annotations

import io
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf import document as gltf
from mapexplorer.export.gltf.animation import MaterialMotion
from mapexplorer.export.gltf.materials import ShownImage, shown_image
from mapexplorer.export.images import encode_png
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import EncodedTexture

_SIDE_LIMIT: Final = 16384


class Atlas(NamedTuple):
    """The looks of a material side by side in one image."""

    image: ShownImage
    """The image with all looks."""
    axis: int
    """Along which they lie: 0 S, 1 T."""
    period: int
    """The period of the texture in which the coordinates along the axis begin."""
    looks: int
    """Their number."""

    def offset(self, look: int) -> tuple[float, float]:
        """The offset of texture coordinates that shows a look."""
        place = (look - self.period) / self.looks
        return (place, 0.0) if self.axis == 0 else (0.0, place)

    @property
    def scale(self) -> tuple[float, float]:
        """The scale of texture coordinates."""
        return (1 / self.looks, 1.0) if self.axis == 0 else (1.0, 1 / self.looks)


def atlas_of(material: MaterialMotion, options: ExportOptions, coordinates: npt.NDArray[np.integer]) -> Atlas | None:
    """The atlas of a material; None where its pictures do not fit into one, or where texture coordinates (n, 2), in
    1/16 texels, go through more than one period on both axes."""
    if len(material.looks) < 2 or material.series:
        return None
    images = [shown_image(look, options.bake_mirror) for look in material.looks]
    shown = [image for image in images if image is not None]
    sizes = {(image.picture.width, image.picture.height, image.wrap_s, image.wrap_t) for image in shown}
    if len(shown) < len(images) or len(sizes) != 1 or any(look.texture_matrix for look in material.looks):
        return None
    first = shown[0]
    size = (first.picture.width, first.picture.height)
    for axis, wrap in ((1, first.wrap_t), (0, first.wrap_s)):
        low, high = int(coordinates[:, axis].min()), int(coordinates[:, axis].max())
        period = low // (16 * size[axis])
        plain = {gltf.CLAMP_TO_EDGE: period == 0, gltf.MIRRORED_REPEAT: period % 2 == 0}.get(wrap, True)
        if plain and high <= (period + 1) * 16 * size[axis] and size[axis] * len(shown) <= _SIDE_LIMIT:
            from PIL import Image  # no other export needs it

            pixels = [np.asarray(Image.open(io.BytesIO(image.picture.png)).convert("RGBA")) for image in shown]
            png = encode_png(np.concatenate(pixels, axis=1 - axis))
            picture = EncodedTexture(png, *size, max(image.picture.alpha for image in shown))
            wraps = [first.wrap_s, first.wrap_t]
            wraps[axis] = gltf.CLAMP_TO_EDGE
            return Atlas(ShownImage(picture, wraps[0], wraps[1]), axis, period, len(shown))
    return None
