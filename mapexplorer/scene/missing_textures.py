"""Shows materials without their image in magenta, which the console does not do.

The console draws such a material without texture. A marked one shows a texture of one colour in decal mode, so that
neither light nor vertex colours change it; its alpha, its fog and its place in the drawing order stay.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

from formats.nds.texture_format import DIRECT
from formats.nitro.model import Model
from formats.nitro.nsbtp import PatternAnimation
from formats.nitro.tex0 import Tex0, Texture
from mapexplorer.g3d.animation.attach import AnimationFile, first_animation
from mapexplorer.g3d.binding import Addresses, Bound, lacking
from mapexplorer.scene.model_resolver import ResolvedModel

_MAGENTA: Final = b"\x1f\xfc"
_SIDE: Final = 8
_MODE: Final = 0x30
_DECAL: Final = 0x10
"""POLYGON_ATTR's mode bits."""

MARK: Final = Texture("missing", DIRECT, _SIDE, _SIDE, False, _SIDE, _SIDE, _MAGENTA * _SIDE**2)
"""The texture that marked materials show."""

_SET: Final = Tex0((MARK,), ())


def marked(
    resolved: ResolvedModel, addresses: Callable[[Tex0], Addresses], animated: frozenset[int] = frozenset()
) -> ResolvedModel:
    """A resolved model whose materials without a picture show the mark; the model itself when all have one.

    `addresses` puts the mark's set into VRAM; materials in `animated` get their pictures from an animation.
    """
    indices = [index for index in lacking(resolved.model, resolved.binding) if index not in animated]
    if not indices:
        return resolved
    materials, bound = list(resolved.model.materials), list(resolved.binding.materials)
    param = MARK.param(addresses(_SET).images)
    for index in indices:
        material = materials[index]
        materials[index] = dataclasses.replace(
            material,
            polygon_attr=material.polygon_attr & ~_MODE | _DECAL,
            polygon_attr_mask=material.polygon_attr_mask | _MODE,
            teximage_param=0,
        )
        bound[index] = (bound[index] or Bound())._replace(texture=MARK, palette=None, image_param=param)
    model = dataclasses.replace(resolved.model, materials=tuple(materials))
    return dataclasses.replace(resolved, model=model, binding=resolved.binding._replace(materials=tuple(bound)))


def given_pictures(model: Model, animations: Sequence[AnimationFile], textures: Tex0) -> frozenset[int]:
    """The materials of a model that pattern animations with textures of a set give their pictures."""
    names = {
        track.material
        for animation in map(first_animation, animations)
        if isinstance(animation, PatternAnimation) and None not in map(textures.texture, animation.textures)
        for track in animation.tracks
    }
    return frozenset(index for index, material in enumerate(model.materials) if material.name in names)
