"""The places with differences, and the tiles where they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from formats.binary import FormatError
from formats.fixed import ONE
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Comparison
from mapexplorer.compare.sides import Side, Sides
from mapexplorer.errors import RomError
from mapexplorer.grouping import by_key
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.world import FieldWorld

Tile = tuple[int, int]
"""A matrix-wide tile (x, z)."""

SHARED: Final = 8
"""A difference on more maps than these belongs to no single one."""

_MIDDLE: Final = CELL_TILES // 2


@dataclass(frozen=True, eq=False)
class ChangedPlace:
    """A place with differences: `header` of the second ROM, `before` the same map in the first one, None for one that
    only the second ROM has."""

    header: int
    before: int | None
    changes: tuple[Change, ...]

    @property
    def own(self) -> tuple[Change, ...]:
        """The differences of this map and of few others."""
        return tuple(change for change in self.changes if len(change.headers) <= SHARED)


def changed_places(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> tuple[ChangedPlace, ...]:
    """The places with differences, by header."""
    same = headers_before(before, after)
    known = range(len(after.headers))
    changes = by_key((header, change) for change in comparison.changes for header in change.headers if header in known)
    return tuple(ChangedPlace(header, same.get(header), tuple(changes[header])) for header in sorted(changes))


def headers_before(before: FieldWorld, after: FieldWorld) -> dict[int, int]:
    """Header of the second ROM -> the header of the first one that is the same map."""
    return {j: i for i, j in Sides(Side(before), Side(after)).headers.items()}


def changed_tiles(before: FieldPlace | None, after: FieldPlace, change: Change) -> tuple[Tile, ...]:
    """The matrix-wide tiles of a place at which a difference is, of a moved thing both; none for what has no position
    there. The place in the first ROM is None where it has none. Files that cannot be read have no tiles."""
    place = after if change.action is ChangeAction.ADDED or before is None else before
    return read_or((), lambda: tuple(dict.fromkeys(_tiles(place, change))))


def of_no_place(comparison: Comparison) -> tuple[Change, ...]:
    """The differences of many maps, or of none."""
    return tuple(change for change in comparison.changes if not 0 < len(change.headers) <= SHARED)


def changed_props(after: FieldPlace, change: Change) -> tuple[tuple[int, int, int], ...]:
    """Where the prop of a difference is in the second ROM: cell x and z, and record."""
    if change.kind is not ChangedKind.PROP or change.action is ChangeAction.REMOVED:
        return ()
    props = []
    try:
        for x, z in _cells(after, int(change.key[0])):
            for index, record in enumerate(after.world.placed_props(int(change.key[0]))):
                value = record[change.field or "position"].tolist()
                replaced = change.action is ChangeAction.REPLACED and index == change.key[1] and value == change.after
                if replaced or (isinstance(value, list) and tuple(part / ONE for part in value) == change.after):
                    props.append((x // CELL_TILES, z // CELL_TILES, index))
    except (FormatError, RomError):
        pass
    return tuple(props)


def _tiles(place: FieldPlace, change: Change) -> Iterator[Tile]:
    key = change.key
    if isinstance(key[0], str):
        if change.kind is ChangedKind.LAND and len(key) == 2:  # a whole member: archive and number
            yield from _tiles(place, replace(change, key=key[1:]))
        return
    numbers: Any = key
    match change.kind:
        case ChangedKind.LAND:
            yield from ((x + _MIDDLE, z + _MIDDLE) for x, z in _cells(place, numbers[0]))
        case ChangedKind.TILE:
            yield from ((x + numbers[1], z + numbers[2]) for x, z in _cells(place, numbers[0]))
        case ChangedKind.PROP:
            for position in _prop_positions(place.world, change):
                yield from ((x + position[0], z + position[1]) for x, z in _cells(place, numbers[0]))
        case ChangedKind.MATRIX if len(key) == 3:
            yield CELL_TILES * numbers[1] + _MIDDLE, CELL_TILES * numbers[2] + _MIDDLE
        case ChangedKind.EVENT if len(key) == 3:
            yield from _event_tiles(place, change, numbers[1], numbers[2])
        case ChangedKind.WARP if len(key) == 2:
            yield from _event_tiles(place, change, "warp", numbers[1])


def _cells(place: FieldPlace, land: int) -> list[Tile]:
    """The north-west tiles of the cells of a place that show a land."""
    own = place.cells or tuple(place.matrix_cells.values())
    return [(CELL_TILES * cell.x, CELL_TILES * cell.z) for cell in own if cell.land == land]


def _prop_positions(world: WorldFiles, change: Change) -> Iterator[Tile]:
    """The tiles of a prop in its cell, before and after it was moved."""
    positions = [
        value for value in (change.before, change.after) if isinstance(value, tuple) and change.field != "scale"
    ]
    if change.field not in ("", "position") or not positions:
        land, index = change.key
        positions = [tuple(value / ONE for value in world.placed_props(int(land))[int(index)]["position"].tolist())]
    for x, _, z in positions:
        yield _tile_in_cell(x), _tile_in_cell(z)


def _tile_in_cell(units: float) -> int:
    """The tile of a position relative to the middle of a cell, within the cell."""
    return min(CELL_TILES - 1, max(0, int((units + CELL_UNITS / 2) // TILE_UNITS)))


def _event_tiles(place: FieldPlace, change: Change, word: str, index: int) -> Iterator[Tile]:
    """The tiles of an event, before and after it was moved."""
    events = place.events
    rows: Sequence[Any] = () if events is None else getattr(events, EVENT_LISTS[word])
    if index < len(rows):
        yield int(rows[index]["x"]), int(rows[index]["z"])
    if change.action is ChangeAction.MOVED and isinstance(change.after, tuple):
        yield int(change.after[0]), int(change.after[1])
