"""The invisible layers of a cell as glTF meshes: terrain attributes (collision, behaviours) and BDHC height plates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from formats.field.bdhc import Bdhc
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer import tables
from mapexplorer.export.gltf.document import INDICES, Document, Json

_TILES = 32
_TILE = 16
_HALF = 256
_BLOCKED = (0.8, 0.05, 0.05, 0.6)
_FLAT = (0.1, 0.5, 0.9, 0.6)
_SLOPED = (0.9, 0.6, 0.1, 0.6)


def collision_mesh(
    document: Document, attributes: npt.NDArray[np.uint16], bdhc: Bdhc, scale: float, name: str
) -> int | None:
    """A mesh of the tiles that collide or have a behaviour, one primitive for each kind; None when there are none.

    Tiles lie at the height that the game finds from height 0, those without a plate at 0. The cell's centre is the
    origin.
    """
    heights = _tile_heights(bdhc)
    primitives = []
    blocked = (attributes & COLLISION) != 0
    if blocked.any():
        primitives.append(_tiles(document, blocked, heights, scale, _plain(document, "collision", _BLOCKED)))
    for behaviour in np.unique(attributes & BEHAVIOUR).tolist():
        if behaviour:
            material = _plain(document, tables.behaviour_name(behaviour), _hue(behaviour), {"behaviour": behaviour})
            primitives.append(_tiles(document, (attributes & BEHAVIOUR) == behaviour, heights, scale, material))
    return document.mesh(primitives, name=name) if primitives else None


def heights_mesh(document: Document, bdhc: Bdhc, scale: float, name: str) -> int | None:
    """A mesh of the height plates, flat and sloped ones apart, each vertex with its plate's index in _PLATE."""
    plates = bdhc.plates
    if not len(plates):
        return None
    first, second = bdhc.points[plates["first_point"]], bdhc.points[plates["second_point"]]
    normals = bdhc.normals[plates["normal"]]
    ny = normals["y"].astype(np.float64)
    corners = np.zeros((len(plates), 4, 3))
    for corner, (x, z) in enumerate(((first, first), (first, second), (second, second), (second, first))):
        corners[:, corner, 0] = x["x"]
        corners[:, corner, 2] = z["z"]
    slope_x, slope_z = normals["x"][:, None] * corners[..., 0], normals["z"][:, None] * corners[..., 2]
    constant = bdhc.constants[plates["constant"]].astype(np.float64)[:, None] * 4096
    safe = np.where(ny == 0, 1, ny)[:, None]
    corners[..., 1] = np.where(ny[:, None] == 0, 0, -(slope_x + slope_z + constant) / safe)
    sloped = (normals["x"] != 0) | (normals["z"] != 0)
    primitives = []
    for chosen, label, color in ((~sloped, "flat plates", _FLAT), (sloped, "sloped plates", _SLOPED)):
        if chosen.any():
            extra = {"_PLATE": np.repeat(np.flatnonzero(chosen), 4).astype(np.float32)}
            quads = corners[chosen] * (scale / 4096)
            primitives.append(_quads(document, quads, _plain(document, label, color), extra))
    return document.mesh(primitives, name=name, extras={"plates": len(plates), "strips": len(bdhc.strips)})


def _tile_heights(bdhc: Bdhc) -> npt.NDArray[np.float64]:
    """Heights in units at the tile centres, (32, 32): row = z."""
    centres = [((16 * tile + 8) - _HALF) << 12 for tile in range(_TILES)]
    heights = np.zeros((_TILES, _TILES))
    for row, z in enumerate(centres):
        for column, x in enumerate(centres):
            found = bdhc.height_at(x, z, 0)
            if found is not None:
                heights[row, column] = found[0] / 4096
    return heights


def _tiles(
    document: Document, chosen: npt.NDArray[np.bool_], heights: npt.NDArray[np.float64], scale: float, material: int
) -> Json:
    rows, columns = np.nonzero(chosen)
    corners = np.empty((len(rows), 4, 3))
    for corner, (x, z) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        corners[:, corner, 0] = (columns + x) * _TILE - _HALF
        corners[:, corner, 2] = (rows + z) * _TILE - _HALF
    corners[..., 1] = heights[rows, columns][:, None]
    return _quads(document, corners * scale, material)


def _quads(
    document: Document,
    corners: npt.NDArray[np.float64],
    material: int,
    extra: dict[str, npt.NDArray[Any]] | None = None,
) -> Json:
    """A primitive of quads (n, 4, 3), corners counter-clockwise from above."""
    positions = corners.reshape(-1, 3).astype(np.float32)
    starts = np.arange(0, len(positions), 4, dtype=np.uint32)[:, None]
    indices = (starts + np.array([0, 1, 2, 0, 2, 3], np.uint32)).ravel()
    attributes = {"POSITION": document.accessor(positions, bounds=True)}
    for name, values in (extra or {}).items():
        attributes[name] = document.accessor(values)
    return {"attributes": attributes, "indices": document.accessor(indices, target=INDICES), "material": material}


def _plain(document: Document, name: str, color: tuple[float, ...], extras: Json | None = None) -> int:
    definition: Json = {
        "name": name,
        "pbrMetallicRoughness": {"baseColorFactor": list(color), "metallicFactor": 0},
        "alphaMode": "BLEND",
        "doubleSided": True,
        "extensions": {"KHR_materials_unlit": {}},
    }
    if extras:
        definition["extras"] = extras
    return document.material(definition)


def _hue(number: int) -> tuple[float, float, float, float]:
    """A colour for a behaviour: always the same one, neighbours in number far apart."""
    phase = number * 0.61803398875 % 1 * 6
    channels = [min(1.0, max(0.0, abs((phase + shift) % 6 - 3) - 1)) for shift in (0, 4, 2)]
    red, green, blue = (round(0.1 + 0.8 * channel, 4) for channel in channels)
    return (red, green, blue, 0.6)
