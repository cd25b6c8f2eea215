"""Composed NITRO materials as glTF materials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mapexplorer.export.gltf import document as gltf
from mapexplorer.export.gltf.document import Document, Json
from mapexplorer.export.options import ExportOptions
from mapexplorer.export.textures import CUTOUT, OPAQUE, TRANSLUCENT, needs_palette, picture
from mapexplorer.g3d.material import ComposedMaterial

_MODES: Final = ("modulate", "decal", "toon", "shadow")
_SHOWS_BACK: Final = 0x40
_SHOWS_FRONT: Final = 0x80

Affine = tuple[float, float, float, float, float, float]
"""u' = a u + b v + e, v' = c u + d v + f as (a, b, c, d, e, f)."""


@dataclass(frozen=True, slots=True)
class WrittenMaterial:
    """A material in the document, and how its vertices are to be written.

    `texcoords` makes (u, v) of the file from TEXCOORD's 1/16 texels; None when there is no texture. `flipped`: only
    back faces are shown, so triangles turn round.
    """

    index: int
    texcoords: Affine | None
    flipped: bool
    missing: tuple[str, ...]


def linear(five: float) -> float:
    """A display value 0..31 as linear light 0..1 (sRGB)."""
    value = five / 31
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def write_material(
    document: Document, material: ComposedMaterial, options: ExportOptions, wanted: tuple[str | None, str | None]
) -> WrittenMaterial:
    """Add a material. `wanted` are the names of the texture and palette that the model asks for."""
    texture, palette = material.texture, material.palette
    missing = []
    if wanted[0] is not None and texture is None:
        missing.append(f"texture {wanted[0]}")
    if wanted[1] is not None and palette is None:
        missing.append(f"palette {wanted[1]}")
    shown = texture is not None and (palette is not None or not needs_palette(texture))
    extras: Json = {"polygon_attr": material.polygon_attr, "polygon_id": material.polygon_attr >> 24 & 63}
    if material.polygon_attr >> 15 & 1:
        extras["fog"] = True
    if material.lights:
        extras["lights"] = [light for light in range(4) if material.lights >> light & 1]
    if material.polygon_attr >> 4 & 3:
        extras["polygon_mode"] = _MODES[material.polygon_attr >> 4 & 3]
    if material.wireframe:
        extras["wireframe"] = True
    if missing:
        extras["missing"] = missing
    surface: Json = {"metallicFactor": 0}
    texcoords: Affine | None = None
    alpha_class = OPAQUE
    if shown and texture is not None:
        extras["texture"] = texture.name
        if palette is not None:
            extras["palette"] = palette.name
        wrap_s, wrap_t = _wrap(material.teximage_param, 0), _wrap(material.teximage_param, 1)
        mirror_s = options.bake_mirror and wrap_s == gltf.MIRRORED_REPEAT
        mirror_t = options.bake_mirror and wrap_t == gltf.MIRRORED_REPEAT
        image = picture(texture, palette, mirror_s=mirror_s, mirror_t=mirror_t)
        alpha_class = image.alpha
        index = document.texture(
            document.image(image.png, texture.name),
            document.sampler(wrap_s=gltf.REPEAT if mirror_s else wrap_s, wrap_t=gltf.REPEAT if mirror_t else wrap_t),
            texture.name,
        )
        per_s, per_t = 1 / (16 * image.width), 1 / (16 * image.height)
        texcoords = (per_s, 0.0, 0.0, per_t, 0.0, 0.0)
        surface["baseColorTexture"], texcoords = _transformed(
            document, index, material, image.width, image.height, texcoords, extras
        )
    alpha = material.alpha or (31 if material.wireframe else 0)
    if alpha < 31:
        surface["baseColorFactor"] = [1.0, 1.0, 1.0, alpha / 31]
        alpha_class = TRANSLUCENT
    if options.lit and material.lights:
        color = material.dif_amb
        tint = [linear(color >> shift & 31) for shift in (0, 5, 10)]
        surface["baseColorFactor"] = [*tint, alpha / 31]
    definition: Json = {"name": material.name, "pbrMetallicRoughness": surface}
    if alpha_class == CUTOUT:
        definition["alphaMode"] = "MASK"
    elif alpha_class == TRANSLUCENT:
        definition["alphaMode"] = "BLEND"
    sides = material.polygon_attr & (_SHOWS_BACK | _SHOWS_FRONT)
    if sides == _SHOWS_BACK | _SHOWS_FRONT:
        definition["doubleSided"] = True
    if not options.lit:
        definition["extensions"] = {"KHR_materials_unlit": {}}
    definition["extras"] = extras
    return WrittenMaterial(document.material(definition), texcoords, sides == _SHOWS_BACK, tuple(missing))


def _wrap(param: int, axis: int) -> int:
    if not param >> (16 + axis) & 1:
        return gltf.CLAMP_TO_EDGE
    return gltf.MIRRORED_REPEAT if param >> (18 + axis) & 1 else gltf.REPEAT


def _transformed(
    document: Document,
    index: int,
    material: ComposedMaterial,
    width: int,
    height: int,
    texcoords: Affine,
    extras: Json,
) -> tuple[Json, Affine]:
    """The texture reference with the static texture matrix.

    KHR_texture_transform carries what scale and offset can say. A matrix that also turns is applied to the texture
    coordinates instead: viewers disagree about the direction of the extension's rotation, and it has no shear.
    """
    matrix = material.texture_matrix
    if matrix is None or material.texgen != 1:
        return document.texture_info(index), texcoords
    a, b = matrix.m00 / 4096, matrix.m10 / 4096 * height / width
    c, d = matrix.m01 / 4096 * width / height, matrix.m11 / 4096
    e, f = matrix.m30 / (4096 * 16 * width), matrix.m31 / (4096 * 16 * height)
    if b == c == 0:
        return document.texture_info(index, offset=(e, f), scale=(a, d)), texcoords
    extras["texture_matrix"] = [a, b, c, d, e, f]
    extras["texture_matrix_applied"] = True
    per_s, _, _, per_t, _, _ = texcoords
    return document.texture_info(index), (a * per_s, b * per_t, c * per_s, d * per_t, e, f)
