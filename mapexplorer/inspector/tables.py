"""Facts as tables: one row each for a map, a tile of a map, a way to meet a wild Pokémon, a Pokémon of a trainer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from formats.binary import FormatError
from formats.field.map_header import MapHeader
from mapexplorer.errors import RomError
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.trainers import find_trainer
from mapexplorer.games import NameBank, Role
from mapexplorer.inspector.encounters import find_encounters, meetings, species_name
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.header import header_json
from mapexplorer.world.wording import leftover_label

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A kind of table: its columns in snake case, and `rows(world, headers)` of the maps of some headers. `of_maps`:
    rows belong to maps; `whole`: it may be asked for all maps at once."""

    columns: tuple[str, ...]
    rows: Callable[[FieldWorld, Iterable[Header]], Iterator[Row]]
    of_maps: bool = True
    whole: bool = True


def chosen_columns(table: Table, names: Iterable[str]) -> tuple[int, ...]:
    """The indices of some columns. Raises ValueError for a name that no column has."""
    indices = []
    for wanted in names:
        if wanted not in table.columns:
            raise ValueError(f"{wanted!r} is no column; the columns are {', '.join(table.columns)}")
        indices.append(table.columns.index(wanted))
    return tuple(indices)


_NAMES: Final = ("header", "internal_name", "symbolic_name", "location_name")


def _names(header: Header) -> Row:
    return tuple(header_json(header)[column] for column in _NAMES)


# --- maps

_FIELDS: Final = tuple(field.name for field in fields(MapHeader))


def _maps(world: FieldWorld, headers: Iterable[Header]) -> Iterator[Row]:
    for header in headers:
        left = ", ".join(leftover_label(one) for one in world.leftovers.of_header(header.id))
        weather = world.game.tables.weather_name(header.weather)
        yield (*_names(header), header.kind, left, weather, *(getattr(header, field) for field in _FIELDS))


# --- the tiles of a map


def _tiles(world: FieldWorld, headers: Iterable[Header]) -> Iterator[Row]:
    for header in headers:
        place = world.place(header.id)
        terrain, tables = place.terrain, world.game.tables
        for tile in terrain.tiles(place.cells):
            x, z, behaviour = int(tile["x"]), int(tile["z"]), int(tile["behaviour"])
            answer = terrain.height((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS)
            known = tables.behaviour(behaviour)
            height = answer.height if answer.plate is not None else None
            yield (
                header.id, x, z, bool(tile["blocked"]), behaviour, known.name, known.wild_encounters, known.surf,
                height, len(answer.candidates),
            )  # fmt: skip


# --- wild Pokémon


def _encounters(world: FieldWorld, headers: Iterable[Header]) -> Iterator[Row]:
    for header in headers:
        try:
            here = meetings(find_encounters(world, header.id))
        except (FormatError, RomError):
            continue
        for one in here:
            species = one.species, species_name(world, one.species)
            yield (*_names(header), one.how, one.when, *species, one.percent, one.lowest, one.highest)


# --- trainers


def _trainers(world: FieldWorld, headers: Iterable[Header]) -> Iterator[Row]:
    archive = world.archive(Role.TRAINERS)
    for number in range(1, len(archive) if archive is not None else 0):
        try:
            found = find_trainer(world, number)
        except (FormatError, RomError):
            continue
        for slot, one in enumerate(found.party):
            stored = one.stored
            ability = name(world, NameBank.ABILITIES, one.ability) if one.ability is not None else None
            moves = [name(world, NameBank.MOVES, move) for move in stored.moves or () if move]
            yield (
                number, found.name, found.class_name, slot + 1, stored.species, species_name(world, stored.species),
                stored.level, one.individual_value, name(world, NameBank.NATURES, one.nature),
                None if one.gender is None else one.gender.value, ability,
                name(world, NameBank.ITEMS, stored.item) if stored.item else None, ", ".join(moves),
            )  # fmt: skip


TABLES: Final[Mapping[str, Table]] = {
    "maps": Table((*_NAMES, "kind", "left_over", "weather_name", *_FIELDS), _maps),
    "tiles": Table(
        ("header", "x", "z", "blocked", "behaviour", "behaviour_name", "wild_encounters", "surf", "height", "plates"),
        _tiles, whole=False,
    ),
    "encounters": Table(
        (*_NAMES, "how", "when", "species", "species_name", "percent", "lowest_level", "highest_level"), _encounters
    ),
    "trainers": Table(
        ("trainer", "name", "class", "slot", "species", "species_name", "level", "individual_value", "nature", "gender",
         "ability", "item", "moves"),
        _trainers, of_maps=False,
    ),
}  # fmt: skip
"""The tables by name."""
