"""The parts of a cell's land data beside its model, as far as they can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.field.bdhc import NORMAL, PLATE, POINT, Bdhc
from formats.field.height_plates import HeightPlates
from formats.field.land_data import MAP_PROP, LandSections
from formats.field.terrain_attribute import TILES, UNLOADED
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt

_NO_TILES = frozen(np.full((TILES, TILES), UNLOADED, np.uint16), "<u2")
_NO_PLATES: HeightPlates = Bdhc(np.zeros(0, POINT), np.zeros(0, NORMAL), np.zeros(0, np.int32), np.zeros(0, PLATE), ())
NO_PROPS: Final = frozen(np.zeros(0, MAP_PROP), MAP_PROP)


@dataclass(frozen=True, eq=False)
class LandParts:
    """`attributes` (32, 32) words, row = z, `plates`, and `props` as they are stored (MAP_PROP records; see
    `PropNumbers`).

    `damaged`: plates that cannot be read, of which there are then none, or all parts: tiles are then those of unloaded
    cells.
    """

    attributes: npt.NDArray[np.uint16]
    plates: HeightPlates
    props: npt.NDArray[np.void]
    damaged: tuple[Damage, ...] = ()


def read_land_parts(land: int, slices: Callable[[], LandSections]) -> LandParts:
    """The parts of land data `land`. Raises RomChangedError."""
    damaged: list[Damage] = []
    sections = attempt(slices, None, damaged, LeftOut.LAND, land)
    if sections is None:
        return LandParts(_NO_TILES, _NO_PLATES, NO_PROPS, tuple(damaged))
    plates = attempt(sections.read_bdhc, _NO_PLATES, damaged, LeftOut.PLATES, land)
    return LandParts(sections.read_attributes(), plates, sections.read_props(), tuple(damaged))
