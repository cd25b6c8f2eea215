"""Composed NITRO materials as glTF materials."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import orjson

from formats.fixed import ONE
from mapexplorer.export.gltf import document as gltf
from mapexplorer.export.gltf.document import Document, Json, members
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import CUTOUT, OPAQUE, TRANSLUCENT, EncodedTexture, needs_palette, picture
from mapexplorer.g3d.material import LOW, ComposedMaterial
from mapexplorer.g3d.matrix import IDENTITY33
from mapexplorer.scene.light import VertexLight, direction

_MODES: Final = ("modulate", "decal", "toon", "shadow")
_SHOWS_BACK: Final = 0x40
_SHOWS_FRONT: Final = 0x80

MIXED: Final = 3
"""Of the texels of an image, beside OPAQUE, CUTOUT and TRANSLUCENT: the opaque ones alone."""

_ALL_BUT_OPAQUE: Final = 0.99

_KEPT: Final = 4096
"""The number of nameless materials that a process keeps for the next models."""

SUN: Final = 2.0
"""How much brighter than its colour the light of a file is, so that no base colour is above 1."""

_VECTOR: Final = 0x3FFFFFFF
"""The vector of LIGHT_VECTOR, which is a parameter of NORMAL."""
_UP: Final = 511 << 10
"""The parameter of NORMAL of level ground."""

Color = tuple[float, float, float]
_BLACK: Final = (0.0, 0.0, 0.0)
_WHITE: Final = (1.0, 1.0, 1.0)

LitColors = tuple[Color, Color]
"""The base colour and the emission of a material that is not unlit, linear."""

Affine = tuple[float, float, float, float, float, float]
"""u' = a u + b v + e, v' = c u + d v + f as (a, b, c, d, e, f)."""


class NamelessMaterial(NamedTuple):
    """A material of any document, and how vertices with it are to be written."""

    definition: Json
    """What glTF writes of it, without its name and the number of its texture."""
    contents: bytes
    """The same as text."""
    texture: str
    """The name of its texture."""
    texcoords: Affine | None
    """Makes (u, v) of the file from TEXCOORD's 1/16 texels; None when there is no texture."""
    flipped: bool
    """Only back faces are shown, so the winding of triangles is reversed."""
    missing: tuple[str, ...]
    """The texture and the palette that its set does not hold."""
    image: ShownImage | None
    """Its texture."""
    sampled: Affine | None
    """Makes the (u, v) of `image` that is shown; None where that is not known from TEXCOORD alone."""
    faded: bool
    """It is translucent everywhere."""


class WrittenMaterial:
    """A material of a document, to which it is added when its `index` is first asked for. `contents` is equal for
    materials that become one in the document."""

    def __init__(self, document: Document, name: str, shared: NamelessMaterial) -> None:
        self._document = document
        self._name = name
        self.shared = shared
        texture = None if shared.image is None else shared.image.texture(document, shared.texture)
        self.contents = (shared.contents, texture)

    @property
    def index(self) -> int:
        """Its number in the document."""
        return self._document.shared_material(*self.contents, self._definition)

    def _definition(self) -> Json:
        """The material as glTF writes it."""
        definition = {"name": self._name, **self.shared.definition}
        texture = self.contents[1]
        if texture is not None:
            surface = definition["pbrMetallicRoughness"]
            info = {**surface["baseColorTexture"], "index": texture}
            definition["pbrMetallicRoughness"] = {**surface, "baseColorTexture": info}
            if "emissiveTexture" in definition:
                definition["emissiveTexture"] = info
        return definition


class Animated(NamedTuple):
    """The changes of a material by clips, which determine its required properties.

    `transform`: they move its texture coordinates; `factor`: they change colour or alpha, of which this is the base
    colour factor at rest; `translucent`: its alpha is below 31 at some time. `curves` go to extras, for tools that
    cannot play animations of materials. `image` and `placement` (offset, scale) replace the picture of the material.
    """

    transform: bool
    factor: tuple[float, float, float, float] | None
    translucent: bool
    curves: Sequence[Json]
    image: ShownImage | None = None
    placement: tuple[tuple[float, float], tuple[float, float]] | None = None


STILL: Final = Animated(transform=False, factor=None, translucent=False, curves=())
"""A material that no clip changes."""


class ShownImage(NamedTuple):
    """The image of a material as it is embedded, with the sampler's wrapping (mirrored axes may be baked into it)."""

    picture: EncodedTexture
    wrap_s: int
    wrap_t: int

    @property
    def clamped(self) -> tuple[bool, bool]:
        """Whether it is clamped along S and T."""
        return self.wrap_s == gltf.CLAMP_TO_EDGE, self.wrap_t == gltf.CLAMP_TO_EDGE

    @property
    def mirrored(self) -> tuple[bool, bool]:
        """Whether every other period along S and T is mirrored."""
        return self.wrap_s == gltf.MIRRORED_REPEAT, self.wrap_t == gltf.MIRRORED_REPEAT

    def texture(self, document: Document, name: str) -> int:
        """The number of the texture in a document that shows it."""
        image = document.image(self.picture.png, name)
        return document.texture(image, document.sampler(wrap_s=self.wrap_s, wrap_t=self.wrap_t), name)


def linear(five: float) -> float:
    """A display value 0..31 as linear light 0..1 (sRGB)."""
    value = five / 31
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def shown_image(material: ComposedMaterial, bake_mirror: bool) -> ShownImage | None:
    """The image that a material shows; None without a texture, or without the palette that it needs. `bake_mirror` as
    in `ExportOptions`."""
    texture, palette = material.texture, material.palette
    if texture is None or (palette is None and needs_palette(texture)):
        return None
    wrap_s, wrap_t = _wrap(material.teximage_param, 0), _wrap(material.teximage_param, 1)
    mirror_s = bake_mirror and wrap_s == gltf.MIRRORED_REPEAT
    mirror_t = bake_mirror and wrap_t == gltf.MIRRORED_REPEAT
    image = picture(texture, palette, mirror_s=mirror_s, mirror_t=mirror_t, filtered=True)
    return ShownImage(image, gltf.REPEAT if mirror_s else wrap_s, gltf.REPEAT if mirror_t else wrap_t)


def write_material(
    document: Document,
    material: ComposedMaterial,
    options: ExportOptions,
    wanted: tuple[str | None, str | None],
    animated: Animated = STILL,
    shows: int | None = None,
    lit: LitColors | None = None,
) -> WrittenMaterial:
    """A material with its images. `wanted` are the names of the texture and palette in the model, `shows` what its
    triangles show of the image (OPAQUE, CUTOUT, TRANSLUCENT, MIXED); None: all of it. Without `lit` it is unlit."""
    nameless = material._replace(
        index=0, name="", dif_amb=0, spe_emi=0, pltt_base=0, texture_matrix_mode=0, size=(0, 0), effect=None
    )
    make = nameless_material if animated is STILL else nameless_material.__wrapped__
    return WrittenMaterial(document, material.name, make(nameless, options.bake_mirror, wanted, animated, shows, lit))


@lru_cache(_KEPT)
def nameless_material(
    material: ComposedMaterial,
    bake_mirror: bool,
    wanted: tuple[str | None, str | None],
    animated: Animated,
    shows: int | None,
    lit: LitColors | None,
) -> NamelessMaterial:
    """What the materials of any model have in common that look the same; the next models of a process take it."""
    texture, palette = material.texture, material.palette
    parts = (("texture", wanted[0], texture), ("palette", wanted[1], palette))
    missing = [f"{kind} {name}" for kind, name, part in parts if name is not None and part is None]
    mode = material.polygon_attr >> 4 & 3
    extras = members(
        polygon_attr=material.polygon_attr,
        polygon_id=material.polygon_attr >> 24 & 63,
        fog=True if material.polygon_attr >> 15 & 1 else None,
        lights=[light for light in range(4) if material.lights >> light & 1],
        polygon_mode=_MODES[mode] if mode else None,
        wireframe=material.wireframe or None,
        missing=missing,
    )
    surface: Json = {"metallicFactor": 0}
    texcoords: Affine | None = None
    sampled: Affine | None = None
    alpha_class = OPAQUE
    shown = animated.image or shown_image(material, bake_mirror)
    if shown is not None and texture is not None:
        extras["texture"] = texture.name
        if palette is not None:
            extras["palette"] = palette.name
        alpha_class = shown.picture.alpha
        surface["baseColorTexture"], texcoords, sampled = _coordinates(material, shown.picture, animated, extras)
    base, emission = lit or (_WHITE, _BLACK)
    factor = animated.factor or (*base, opacity(material))
    extras |= members(animations=list(animated.curves))
    faded = factor[3] < 1 or animated.translucent
    alpha_class = TRANSLUCENT if faded else alpha_class if shows is None else shows
    if factor != (1.0, 1.0, 1.0, 1.0) or animated.factor is not None:
        surface["baseColorFactor"] = list(factor)
    emits = emission != _BLACK
    sides = material.polygon_attr & (_SHOWS_BACK | _SHOWS_FRONT)
    definition = members(
        pbrMetallicRoughness=surface,
        emissiveFactor=list(emission) if emits else None,
        emissiveTexture=surface.get("baseColorTexture") if emits else None,
        alphaMode={CUTOUT: "MASK", MIXED: "MASK", TRANSLUCENT: "BLEND"}.get(alpha_class),
        alphaCutoff=_ALL_BUT_OPAQUE if alpha_class == MIXED else None,
        doubleSided=True if sides == _SHOWS_BACK | _SHOWS_FRONT else None,
        extensions={"KHR_materials_unlit": {}} if lit is None else None,
        extras=extras,
    )
    return NamelessMaterial(
        definition=definition,
        contents=orjson.dumps(definition),
        texture="" if texture is None else texture.name,
        texcoords=texcoords,
        flipped=sides == _SHOWS_BACK,
        missing=tuple(missing),
        image=shown,
        sampled=sampled,
        faded=faded,
    )


def opacity(material: ComposedMaterial) -> float:
    """The alpha of the base colour factor."""
    return (material.alpha or (31 if material.wireframe else 0)) / 31


def lit_colors(material: ComposedMaterial, light: VertexLight) -> LitColors | None:
    """The colours with which a material that the first light alone shines on looks as on the console on level ground
    and where it turns away from that light. None for others: a light of glTF shines on all materials."""
    lights = light.light.lights
    shining = sum(1 << number for number, color in enumerate(lights.colors) if color & LOW)
    if material.lights & shining != 1:
        return None
    ray = lights.vectors[0] & _VECTOR
    shade, ground = light.colors(np.array([ray, _UP], np.uint32), IDENTITY33, material).tolist()
    emission, base = [], []
    for dark, bright, shift in zip(shade, ground, (0, 5, 10), strict=True):
        reaching = -SUN * direction(ray)[1] / 512 * linear(lights.colors[0] >> shift & 31)
        emission.append(linear(dark))
        base.append(min(1.0, (linear(bright) - linear(dark)) / reaching) if reaching > 0 else 0.0)
    return (base[0], base[1], base[2]), (emission[0], emission[1], emission[2])


def _wrap(param: int, axis: int) -> int:
    if not param >> (16 + axis) & 1:
        return gltf.CLAMP_TO_EDGE
    return gltf.MIRRORED_REPEAT if param >> (18 + axis) & 1 else gltf.REPEAT


def texture_transform(material: ComposedMaterial, image: EncodedTexture) -> Affine:
    """The texture matrix in texture widths and heights."""
    matrix = material.texture_matrix
    if matrix is None or material.texgen != 1:
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    width, height = image.width, image.height
    return (
        matrix.m00 / ONE,
        matrix.m10 / ONE * height / width,
        matrix.m01 / ONE * width / height,
        matrix.m11 / ONE,
        matrix.m30 / (ONE * 16 * width),
        matrix.m31 / (ONE * 16 * height),
    )


def _coordinates(
    material: ComposedMaterial, image: EncodedTexture, animated: Animated, extras: Json
) -> tuple[Json, Affine, Affine | None]:
    """The texture reference with the texture matrix, where clips move it even with one that changes nothing; the
    `texcoords` and `sampled` of a `NamelessMaterial`.

    KHR_texture_transform holds scale and offset. A matrix with a rotation is applied to the texture coordinates
    instead: the extension's text and its matrix rotate in opposite directions (viewers follow the text), and it has no
    shear.
    """
    a, b, c, d, e, f = texture_transform(material, image)
    per_s, per_t = 1 / (16 * image.width), 1 / (16 * image.height)
    texcoords: Affine = (per_s, 0.0, 0.0, per_t, 0.0, 0.0)
    moved: Affine = (a * per_s, b * per_t, c * per_s, d * per_t, e, f)
    info = gltf.texture_info(0)
    if animated.placement is not None:
        offset, scale = animated.placement
        info = gltf.texture_info(0, offset=offset, scale=scale)
    elif b != 0 or c != 0:
        extras["texture_matrix"] = [a, b, c, d, e, f]
        extras["texture_matrix_applied"] = True
        texcoords = moved
    elif animated.transform or (material.texture_matrix is not None and material.texgen == 1):
        info = gltf.texture_info(0, offset=(e, f), scale=(a, d))
    return info, texcoords, moved if material.texgen < 2 else None
