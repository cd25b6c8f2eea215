"""The names on the map of a matrix: towns, routes and other places, and where their buildings are entered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from formats.binary import FormatError
from mapexplorer.grouping import by_key
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.room_names import shared_words
from mapexplorer.world.place import FieldPlace

_GROUND_FLOOR: Final = " 1F"


class Rank(IntEnum):
    """The kinds of names, the most important first."""

    TOWN = 0
    PLACE = 1
    BUILDING = 2


@dataclass(frozen=True)
class PlaceLabel:
    """A name at a point of the matrix, in units. `header` is the map that it names; a name of several maps, as that of
    a route in two parts, is at each of them."""

    text: str
    header: int
    rank: Rank
    x: float
    z: float


@dataclass(frozen=True)
class NamedCells:
    """The cells of a header, and their mean centre in cells."""

    header: Header
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """The name of the location, else the internal name."""
        return self.header.location_name or self.header.internal_name

    @property
    def middle(self) -> tuple[float, float]:
        """The mean of the centres of the cells, in cells."""
        count = len(self.cells)
        return sum(cell.x + 0.5 for cell in self.cells) / count, sum(cell.z + 0.5 for cell in self.cells) / count


def named_cells(place: FieldPlace, cells: Iterable[Cell]) -> list[NamedCells]:
    """The cells of each header, without those outside all places."""
    groups = by_key((cell.header, cell) for cell in cells if not cell.filler)
    return [NamedCells(place.world.headers[header], tuple(group)) for header, group in groups.items()]


def place_labels(place: FieldPlace) -> tuple[PlaceLabel, ...]:
    """The names on the whole matrix of a place, the most important first: of the maps in it, if there are several, and
    of those to which warps lead. Events that cannot be read have no names."""
    town = place.world.game.town_type
    labels = []
    for group in named_cells(place, place.matrix_cells.values()):
        x, z = (value * CELL_UNITS for value in group.middle)
        rank = Rank.TOWN if group.header.map_type == town else Rank.PLACE
        if place.matrix.headers is not None:  # else the matrix is that of one map
            labels.append(PlaceLabel(group.name, group.header.id, rank, x, z))
        labels += _buildings(place, group.header)
    return tuple(sorted(labels, key=lambda label: label.rank))


def _buildings(place: FieldPlace, header: Header) -> list[PlaceLabel]:
    """The maps to which warps of a header lead, each at its first warp."""
    world = place.world
    try:
        events = world.events(header.id)
    except FormatError:
        return []
    labels: dict[int, PlaceLabel] = {}
    for number in range(0 if events is None else len(events.warps)):
        assert events is not None
        try:
            target = world.warp_target(header.id, number)
        except FormatError:
            continue
        if target is not None and target[0] not in labels:
            warp = events.warps[number]
            x, z = ((float(warp[axis]) + 0.5) * TILE_UNITS for axis in "xz")
            name = building_name(header, world.headers[target[0]])
            labels[target[0]] = PlaceLabel(name, target[0], Rank.BUILDING, x, z)
    return list(labels.values())


def building_name(outside: Header, inside: Header) -> str:
    """The name of a map that is entered from another one: its location, if that is another one or outdoors, else the
    words of its room behind those with which that of the outer map begins, too, else its internal name."""
    if inside.location_name and (inside.outdoors or inside.location_name != outside.location_name):
        return inside.location_name
    words, others = (header.room.removesuffix(_GROUND_FLOOR).split() for header in (inside, outside))
    rest = " ".join(words[shared_words([words, others]) :])
    return (rest if not rest.isdecimal() else "") or inside.room or inside.internal_name
