"""J3D materials as glTF materials: the approximated appearance; extras list what is left out."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Note, Notes
from formats.j3d.material import J3dMaterial
from formats.j3d.model import Bmd
from formats.j3d.vertices import COLOR0, COLOR1
from formats.remembered import remembered
from mapexplorer.export.gltf import document as gltf
from mapexplorer.export.gltf.document import Document, Json, members, texture_info
from mapexplorer.export.images import encode_png
from mapexplorer.j3d.appearance import CULL_ALL, CULL_NONE, Appearance, appearance

WRAPS: Final = (gltf.CLAMP_TO_EDGE, gltf.REPEAT, gltf.MIRRORED_REPEAT)
FILTERS: Final = (gltf.NEAREST, gltf.LINEAR, 9984, 9985, 9986, 9987)


def linear(display: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Display values 0..255 as linear light 0..1 (sRGB)."""
    value = np.asarray(display, np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def needs_baking(matrix: npt.NDArray[Any]) -> bool:
    """Whether a texture matrix turns or shears: viewers disagree about the rotation of KHR_texture_transform, so such a
    matrix is applied to the texture coordinates."""
    return bool(abs(matrix[0, 1]) > 1e-9 or abs(matrix[1, 0]) > 1e-9)


class MaterialWriter:
    """Writes each material once for every numbering of texture coordinates that its shapes have."""

    def __init__(self, document: Document, model: Bmd, name: str, notes: Notes | None) -> None:
        self.document, self.model, self.name, self.notes = document, model, name, notes
        arrays = model.arrays
        self._alphas = tuple(
            int(arrays[color].values[:, 3].min()) if color in arrays and len(arrays[color].values) else 255
            for color in (COLOR0, COLOR1)
        )

    @remembered
    def appearance(self, index: int) -> Appearance:
        """The appearance of material `index`."""
        material = self.model.materials[index]
        shown = appearance(material, self.model.textures, self._alphas)
        if self.notes is not None:
            path = f"{self.name} > material {material.name}"
            self.notes.extend(Note(path, 0, sentence) for sentence in shown.notes)
        return shown

    def write(self, index: int, tex_coord: int | None) -> int:
        """Material `index` whose texture uses TEXCOORD_`tex_coord` of the primitive; None: it has no such set."""
        material, shown = self.model.materials[index], self.appearance(index)
        surface: Json = {"metallicFactor": 0}
        if any(value != 255 for value in shown.color):
            surface["baseColorFactor"] = [*linear(shown.color[:3]).tolist(), shown.color[3] / 255]
        if shown.texture is not None and tex_coord is not None:
            surface["baseColorTexture"] = self._texture(shown, shown.texture, tex_coord)
        return self.document.add_definition(
            "materials",
            {"name": material.name, "pbrMetallicRoughness": surface}
            | members(
                alphaMode=None if shown.alpha_mode == "OPAQUE" else shown.alpha_mode,
                alphaCutoff=shown.alpha_cutoff if shown.alpha_mode == "MASK" else None,
                doubleSided=True if shown.cull == CULL_NONE else None,
                extensions={"KHR_materials_unlit": {}} if shown.unlit else None,
                extras=_extras(material, shown),
            ),
        )

    def _texture(self, shown: Appearance, index: int, tex_coord: int) -> Json:
        texture = self.model.textures[index]
        pixels = texture.rgba() if shown.pixels is None else shown.pixels
        if shown.alpha_mode == "OPAQUE":
            pixels = pixels[..., :3]
        sampler = self.document.sampler(
            wrap_s=WRAPS[texture.wrap_s],
            wrap_t=WRAPS[texture.wrap_t],
            mag_filter=FILTERS[min(texture.mag_filter, 1)],
            min_filter=FILTERS[min(texture.min_filter, 5)],
        )
        number = self.document.texture(self.document.image(encode_png(pixels), texture.name), sampler, texture.name)
        matrix = shown.uv_matrix
        if needs_baking(matrix) or np.array_equal(matrix, np.eye(2, 3)):
            return texture_info(number, tex_coord=tex_coord)
        return texture_info(
            number, offset=matrix[:, 2].tolist(), scale=(matrix[0, 0], matrix[1, 1]), tex_coord=tex_coord
        )


def _extras(material: J3dMaterial, shown: Appearance) -> Json:
    """The GX state that glTF cannot represent, where it is not the default."""
    state = material.state
    blend, fog = state.blend, state.fog
    z_mode = [state.z_mode.enable, state.z_mode.function, state.z_mode.write]
    fog_extras: Json = {}
    if fog is not None and fog.type and math.isfinite(fog.start) and math.isfinite(fog.end):
        fog_extras = {"type": fog.type, "start": fog.start, "end": fog.end, "color": list(fog.color)}
    return members(
        mode=state.mode,
        approximated=list(shown.notes),
        blend=[blend.mode, blend.source, blend.destination, blend.logic] if blend.mode else None,
        hidden=True if shown.cull == CULL_ALL else None,
        z_mode=None if z_mode == [1, 3, 1] else z_mode,
        fog=fog_extras,
    )
