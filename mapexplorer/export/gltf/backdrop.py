"""What is seen behind a map: a picture that code has there, as a mesh around the map."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.arrays import Picture
from mapexplorer.export.gltf.document import CLAMP_TO_EDGE, Document, Json
from mapexplorer.export.gltf.layers import quad_primitive
from mapexplorer.export.images import encode_png
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.weather.composer import WeatherComposer
from mapexplorer.world.sources.damage import Damage

BACKDROP: Final = "backdrop"
"""The name of its node, which is beside that of the place, and a key of the place's extras."""

_AROUND: Final = 24
_UP: Final = 12
_QUARTER: Final = 6
"""Quads around the map, from the bottom to the top, and in a quarter of a turn, which is as wide as the picture."""


def backdrop_picture(conditions: Conditions, damaged: list[Damage]) -> Picture | None:
    """What code shows behind the map, (192, 256, 3); None for nothing, and for what cannot be read, which is added to
    `damaged`."""
    if conditions.sky is None:
        return None
    composer = WeatherComposer(conditions.place.world)
    picture = composer.sky(conditions.sky, 0)
    damaged += composer.damaged
    return None if picture is None else (picture[..., :3].astype(np.uint16) * 255 // 63).astype(np.uint8)


def backdrop_node(document: Document, picture: Picture, centre: npt.ArrayLike, radius: float) -> int:
    """A picture on the inside of a sphere, mirrored four times around and once at the horizon."""
    around, up = np.meshgrid(np.arange(_AROUND + 1), np.arange(_UP + 1))
    turn, height = around * (2 * np.pi / _AROUND), up * (np.pi / _UP) - np.pi / 2
    places = np.stack([np.cos(height) * np.sin(turn), np.sin(height), np.cos(height) * np.cos(turn)], -1) * radius
    coordinates = np.abs((np.stack([around, up], -1) / _QUARTER + 1) % 2 - 1)
    corners = [
        np.stack([grid[:-1, 1:], grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:]], 2).reshape(-1, 4, grid.shape[-1])
        for grid in (places, coordinates)
    ]
    image = document.image(encode_png(picture), BACKDROP)
    sampler = document.sampler(wrap_s=CLAMP_TO_EDGE, wrap_t=CLAMP_TO_EDGE)
    surface: Json = {
        "baseColorTexture": {"index": document.texture(image, sampler, BACKDROP)},
        "metallicFactor": 0,
    }
    unlit: Json = {"KHR_materials_unlit": {}}
    material = document.add_definition(
        "materials", {"name": BACKDROP, "pbrMetallicRoughness": surface, "extensions": unlit}
    )
    texcoords = {"TEXCOORD_0": corners[1].reshape(-1, 2).astype(np.float32)}
    mesh = document.mesh([quad_primitive(document, corners[0], material, texcoords)], name=BACKDROP)
    return document.node(BACKDROP, mesh=mesh, translation=np.asarray(centre).tolist())
