"""The names on the map of a matrix: towns, routes and other places, and where their buildings are entered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from mapexplorer.grouping import by_key
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.room_names import shared_words
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.readable import readable_events, readable_warp_target

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


def map_name(header: Header) -> str:
    """The name of the location of a map, else its internal name."""
    return header.location_name or header.internal_name


def cells_by_header(place: FieldPlace, cells: Iterable[Cell]) -> list[tuple[Header, list[Cell]]]:
    """The cells of each header, without those outside all places."""
    groups = by_key((cell.header, cell) for cell in cells if not cell.filler)
    return [(place.world.headers[header], group) for header, group in groups.items()]


def middle(cells: Sequence[Cell]) -> tuple[float, float]:
    """The mean of the centres of some cells, in cells."""
    return sum(cell.x + 0.5 for cell in cells) / len(cells), sum(cell.z + 0.5 for cell in cells) / len(cells)


def place_labels(place: FieldPlace) -> tuple[PlaceLabel, ...]:
    """The names on the whole matrix of a place, the most important first: of the maps in it, if there are several, and
    of those to which warps lead. Events that cannot be read have no names."""
    town = place.world.game.town_type
    labels = []
    for header, cells in cells_by_header(place, place.matrix_cells.values()):
        x, z = (value * CELL_UNITS for value in middle(cells))
        rank = Rank.TOWN if header.map_type == town else Rank.PLACE
        if place.matrix.headers is not None:  # else the matrix is that of one map
            labels.append(PlaceLabel(map_name(header), header.id, rank, x, z))
        labels += _buildings(place, header)
    return tuple(sorted(labels, key=lambda label: label.rank))


def _buildings(place: FieldPlace, header: Header) -> list[PlaceLabel]:
    """The maps to which warps of a header lead, each at its first warp."""
    world = place.world
    events = readable_events(world, header.id)
    labels: dict[int, PlaceLabel] = {}
    for number, warp in enumerate(events.warps if events is not None else ()):
        target = readable_warp_target(world, header.id, number)
        if target is not None and target[0] not in labels:
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
