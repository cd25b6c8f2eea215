"""The invisible layers of a cell as glTF meshes: terrain attributes (collision, behaviours) and BDHC height plates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from formats.field.height_plates import HeightPlates
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer.export.gltf.document import Document, Json, members
from mapexplorer.games.tables import Tables
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.colors import BLOCKED, Rgb, height_color, linear
from mapexplorer.world.terrain.behaviour_meaning import OTHER, behaviour_meaning
from mapexplorer.world.terrain.plates import Corners, plate_corners, sloped_plates, tile_corners

_ALPHA = 0.6
_WALL_TILES = 2
_WHITE: Rgb = (255, 255, 255)


def collision_mesh(
    document: Document, tables: Tables, attributes: npt.NDArray[np.uint16], bdhc: HeightPlates, scale: float, name: str
) -> int | None:
    """A mesh of the tiles that collide or have a behaviour, one primitive for each kind; None when there are none.

    A tile is on the plate that the game finds at its centre from height 0, one without a plate at 0. The cell's
    centre is the origin. `tables` are those of the game, with the names of behaviours.
    """
    tiles = tile_corners(bdhc) * scale
    primitives = []
    blocked = (attributes & COLLISION) != 0
    if blocked.any():
        primitives.append(quad_primitive(document, tiles[blocked], _plain(document, "collision", BLOCKED)))
    for behaviour in np.unique(attributes & BEHAVIOUR).tolist():
        if behaviour:
            meaning = behaviour_meaning(tables, behaviour) or OTHER
            extras = {"behaviour": behaviour, "meaning": meaning.words}
            material = _plain(document, tables.behaviour_name(behaviour), meaning.color, extras)
            primitives.append(quad_primitive(document, tiles[(attributes & BEHAVIOUR) == behaviour], material))
    return document.mesh(primitives, name=name) if primitives else None


def solid_meshes(
    document: Document, attributes: npt.NDArray[np.uint16], bdhc: HeightPlates, scale: float, name: str
) -> list[tuple[str, int]]:
    """(name, mesh) of the ground and of walls around the areas that collide, for bodies of a physics engine."""
    solids: dict[str, tuple[Corners, Rgb]] = {}
    if len(bdhc):
        solids["ground"] = plate_corners(bdhc), _WHITE
    blocked = (attributes & COLLISION) != 0
    if blocked.any():
        solids["walls"] = _walls(tile_corners(bdhc), blocked), BLOCKED
    made = {
        label: quad_primitive(document, corners * scale, _plain(document, label, color))
        for label, (corners, color) in solids.items()
    }
    return [(f"{name}_{label}", document.mesh([quads], name=f"{name}_{label}")) for label, quads in made.items()]


def _walls(tiles: Corners, blocked: npt.NDArray[np.bool_]) -> Corners:
    """Quads (n, 4, 3) around the blocked ones of tiles (32, 32, 4, 3): no side between two of one height, and one top
    over those of a row that are level, because bodies catch on edges inside a surface."""
    lift = np.array([0, _WALL_TILES * TILE_UNITS, 0])
    quads = []
    for side, (shift, axis) in enumerate(((1, 1), (-1, 0), (-1, 1), (1, 0))):  # of the neighbour in the W, S, E, N
        begin, end = tiles[:, :, side], tiles[:, :, (side + 1) % 4]
        facing = np.roll(tiles[:, :, (side + 2) % 4], shift, axis), np.roll(tiles[:, :, (side + 3) % 4], shift, axis)
        inside = np.roll(blocked, shift, axis) & ((begin == facing[1]) & (end == facing[0])).all(-1)
        shown = blocked & ~inside
        quads.append(np.stack([begin, end, end + lift, begin + lift], 2)[shown])
    heights = tiles[..., 1]
    level = blocked & (heights == heights[..., :1]).all(-1)
    joined = np.zeros_like(blocked)
    joined[:, 1:] = level[:, 1:] & level[:, :-1] & (heights[:, 1:, 0] == heights[:, :-1, 0])
    first, last = tiles[blocked & ~joined], tiles[blocked & ~np.roll(joined, -1, 1)]
    quads.append(np.concatenate([first[:, :2], last[:, 2:]], 1) + lift)
    return np.concatenate(quads)


def heights_mesh(document: Document, bdhc: HeightPlates, scale: float, name: str) -> int | None:
    """A mesh of the height plates, flat and sloped ones apart, in the colours of their heights; each vertex has its
    plate's index in _PLATE."""
    if not len(bdhc):
        return None
    corners, sloped = plate_corners(bdhc), sloped_plates(bdhc)
    primitives = []
    colors = np.array([linear(height_color(height)) for height in corners[..., 1].mean(-1).tolist()], np.float32)
    for chosen, label in ((~sloped, "flat plates"), (sloped, "sloped plates")):
        if chosen.any():
            extra = {
                "_PLATE": np.repeat(np.flatnonzero(chosen), 4).astype(np.float32),
                "COLOR_0": np.repeat(colors[chosen], 4, 0),
            }
            quads = corners[chosen] * scale
            primitives.append(quad_primitive(document, quads, _plain(document, label, _WHITE), extra))
    return document.mesh(primitives, name=name, extras={"plates": len(bdhc), "strips": len(bdhc.strips)})


def quad_primitive(
    document: Document,
    corners: npt.NDArray[np.float64],
    material: int,
    extra: dict[str, npt.NDArray[Any]] | None = None,
) -> Json:
    """A primitive of quads (n, 4, 3), corners counter-clockwise from above."""
    positions = corners.reshape(-1, 3).astype(np.float32)
    starts = np.arange(0, len(positions), 4, dtype=np.uint32)[:, None]
    indices = (starts + np.array([0, 1, 2, 0, 2, 3], np.uint32)).ravel()
    return document.primitive({"POSITION": positions, **(extra or {})}, indices, material)


def _plain(document: Document, name: str, color: Rgb, extras: Json | None = None) -> int:
    definition = members(
        name=name,
        pbrMetallicRoughness={"baseColorFactor": [*linear(color), _ALPHA], "metallicFactor": 0},
        alphaMode="BLEND",
        doubleSided=True,
        extensions={"KHR_materials_unlit": {}},
        extras=extras,
    )
    return document.add_definition("materials", definition)
