"""The images of a material in one atlas image, selected by an animated texture offset."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf import document as gltf
from mapexplorer.export.gltf.animation import MaterialMotion, Motion
from mapexplorer.export.gltf.curves import FRAMES_PER_SECOND, KeyCurve, key_list, stepped
from mapexplorer.export.gltf.materials import Animated, ShownImage, shown_image
from mapexplorer.export.images import encode_png
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import EncodedTexture
from mapexplorer.g3d.material import ComposedMaterial

_OFFSET = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"
_SIDE_LIMIT = 16384


@dataclass(slots=True, eq=False)
class AtlasCurves:
    """A material whose looks are side by side in one image, in place of the curves of one with several looks."""

    motion: Motion
    """The clips of the model."""
    chosen: dict[int, list[int]]
    """Clip -> the look at every frame."""
    image: ShownImage
    """The image with all looks."""
    axis: int
    """Along which the looks lie side by side: 0 S, 1 T."""
    period: int
    """The period of the texture in which the coordinates along the axis begin."""
    count: int
    """The number of looks."""
    brightest: ComposedMaterial
    """The material with which vertices are coloured."""
    written: dict[int, int]
    """Look -> the number of the glTF material."""

    def _offset(self, look: int) -> tuple[float, float]:
        place = (look - self.period) / self.count
        return (place, 0.0) if self.axis == 0 else (0.0, place)

    def animated(self, look: int) -> Animated:
        """The requirements of the material."""
        scale = (1 / self.count, 1.0) if self.axis == 0 else (1.0, 1 / self.count)
        curves = [
            {
                "clip": clip.name,
                "frames": clip.frame_count,
                "frames_per_second": FRAMES_PER_SECOND,
                "property": "offset",
                "keys": key_list(self._curve(number)),
            }
            for number, clip in enumerate(self.motion.clips)
            if number in self.chosen
        ]
        return Animated(True, None, False, curves, self.image, (self._offset(look), scale))

    def _curve(self, number: int) -> KeyCurve:
        return stepped(np.array([self._offset(look) for look in self.chosen[number]]))

    def pointers(self, number: int) -> list[tuple[int, str, KeyCurve]]:
        """(material, path below it, curve) of a clip."""
        if number not in self.chosen:
            return []
        return [(material, _OFFSET, self._curve(number)) for material in self.written.values()]


def atlas_curves(
    motion: Motion, material: MaterialMotion, options: ExportOptions, coordinates: npt.NDArray[np.int64]
) -> AtlasCurves | None:
    """The atlas of a material; None where its pictures do not fit into one, or where texture coordinates (n, 2), in
    1/16 texels, go through more than one period on both axes."""
    if len(material.looks) < 2 or material.series:
        return None
    images = [shown_image(look, options) for look in material.looks]
    shown = [image for image in images if image is not None]
    sizes = {(image.picture.width, image.picture.height, image.wrap_s, image.wrap_t) for image in shown}
    if len(shown) < len(images) or len(sizes) != 1 or any(look.texture_matrix for look in material.looks):
        return None
    first = shown[0]
    size = (first.picture.width, first.picture.height)
    for axis, wrap in ((1, first.wrap_t), (0, first.wrap_s)):
        low, high = int(coordinates[:, axis].min()), int(coordinates[:, axis].max())
        period = low // (16 * size[axis])
        inside = high <= (period + 1) * 16 * size[axis]
        if wrap == gltf.CLAMP_TO_EDGE:
            inside = inside and period == 0
        elif wrap == gltf.MIRRORED_REPEAT:
            inside = inside and period % 2 == 0
        if inside and size[axis] * len(shown) <= _SIDE_LIMIT:
            from PIL import Image  # no other export needs it

            pixels = [np.asarray(Image.open(io.BytesIO(image.picture.png)).convert("RGBA")) for image in shown]
            png = encode_png(np.concatenate(pixels, axis=1 - axis))
            picture = EncodedTexture(png, *size, max(image.picture.alpha for image in shown))
            wraps = [first.wrap_s, first.wrap_t]
            wraps[axis] = gltf.CLAMP_TO_EDGE
            image = ShownImage(picture, wraps[0], wraps[1])
            return AtlasCurves(motion, material.chosen, image, axis, period, len(shown), material.looks[0], {})
    return None
