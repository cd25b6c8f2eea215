"""The cells of a matrix that code replaces, depending on which hidden locations are known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from formats.binary import frozen
from formats.field.map_matrix import MapMatrix
from mapexplorer.games.tables import Tables

if TYPE_CHECKING:
    from mapexplorer.world.save import Save

HIDDEN_LOCATIONS: Final = "hidden locations"
"""The name under which a save has the list of the known ones."""


@dataclass(frozen=True, eq=False)
class MatrixPatch:
    """Cells of a matrix that differ while a hidden location is known (`when_known`) or unknown: (x, z) -> land, and
    their altitude (None: that of the matrix)."""

    location: str
    when_known: bool
    matrix: int
    lands: Mapping[tuple[int, int], int]
    altitude: int | None


@dataclass(frozen=True)
class HiddenLocationTable:
    """The headers with hidden locations, and what code replaces there."""

    headers: tuple[int, ...] = ()
    patches: tuple[MatrixPatch, ...] = ()


def hidden_location_table(tables: Tables) -> HiddenLocationTable:
    """The table of a game; empty where nothing is known."""
    return tables.own_table(HiddenLocationTable, "hidden_locations")


def hidden_locations(tables: Tables) -> tuple[str, ...]:
    """The names of the hidden locations."""
    return tuple(patch.location for patch in hidden_location_table(tables).patches)


def known_locations(save: Save) -> frozenset[str]:
    """The hidden locations that are known; none in a new game. Raises ValueError for an unknown name."""
    known: Iterable[str] = save.features.get(HIDDEN_LOCATIONS, ())
    names = hidden_locations(save.game.tables)
    unknown = [name for name in known if name not in names]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no hidden location; there are {', '.join(names)}")
    return frozenset(known)


def needed_locations(tables: Tables, number: int, cells: Collection[tuple[int, int]]) -> list[str]:
    """The hidden locations that are known to whoever stands on one of these cells (x, z) of matrix `number`, because
    code replaces all of them until then."""
    return [
        patch.location
        for patch in hidden_location_table(tables).patches
        if patch.matrix == number and not patch.when_known and cells and patch.lands.keys() >= {*cells}
    ]


def patches(
    tables: Tables, matrix: MapMatrix, number: int, known: frozenset[str]
) -> dict[tuple[int, int], MatrixPatch]:
    """(x, z) -> what replaces the cells of matrix `number` while these hidden locations are known."""
    return {
        (x, z): patch
        for patch in hidden_location_table(tables).patches
        if patch.matrix == number and patch.when_known == (patch.location in known)
        for x, z in patch.lands
        if x < matrix.width and z < matrix.height
    }


def patched(matrix: MapMatrix, cells: Mapping[tuple[int, int], MatrixPatch]) -> MapMatrix:
    """A matrix with some cells replaced."""
    if not cells:
        return matrix
    land = matrix.land.copy()
    altitudes = None if matrix.altitudes is None else matrix.altitudes.copy()
    for (x, z), patch in cells.items():
        land[z, x] = patch.lands[x, z]
        if altitudes is not None and patch.altitude is not None:
            altitudes[z, x] = patch.altitude
    return replace(matrix, land=frozen(land), altitudes=None if altitudes is None else frozen(altitudes))
