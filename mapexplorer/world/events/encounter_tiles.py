"""On which tiles of a cell wild Pokémon are met, and how."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.encounter_extras import FeebasTiles
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.terrain_attribute import behaviours
from formats.field.wild_encounters import WildEncounters
from mapexplorer.games import Role
from mapexplorer.world.cells import CELL_TILES, Cell
from mapexplorer.world.colors import ENCOUNTERS
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.terrain.behaviour_meaning import GRASS, behaviour_meaning
from mapexplorer.world.terrain.terrain import TILE_LENGTH

Kinds = npt.NDArray[np.uint8]

_KINDS: Final = {name: number for number, name in enumerate(ENCOUNTERS, 1)}


def encounter_tiles(place: FieldPlace, cell: Cell) -> Kinds:
    """How wild Pokémon are met on the tiles (32, 32) of a cell: 0 not at all, else the index in ENCOUNTERS from 1 on.
    Raises FormatError."""
    world, tables = place.world, place.world.game.tables
    kinds = np.zeros((CELL_TILES, CELL_TILES), np.uint8)
    header = place.header if cell.filler or cell.header >= len(world.headers) else world.headers[cell.header]
    encounters = _encounters(place, header.wild_encounters)
    if encounters is not None:
        by_behaviour = np.zeros(256, np.uint8)
        water = _water(encounters)
        for number in range(256):
            behaviour = tables.behaviour(number)
            if behaviour.surf:
                by_behaviour[number] = water
            elif behaviour.wild_encounters and encounters.grass_rate:
                meaning = behaviour_meaning(tables, number)
                by_behaviour[number] = _KINDS["grass" if meaning is GRASS else "ground"]
        kinds = by_behaviour[behaviours(place.terrain.attributes(cell))]
    if header.id == tables.encounters.feebas_header:
        _mark_feebas(place, cell, kinds)
    if header.id in tables.encounters.honey_tree_headers:
        _mark_honey_trees(place, cell, kinds)
    return kinds


def _encounters(place: FieldPlace, number: int) -> WildEncounters | None:
    if number == NO_WILD_ENCOUNTERS or not place.world.has(Role.ENCOUNTERS):
        return None
    return read_or(None, place.world.member, Role.ENCOUNTERS, number, WildEncounters.from_bytes)


def _water(encounters: WildEncounters) -> int:
    fishing = any(rod.rate for rod in (encounters.old_rod, encounters.good_rod, encounters.super_rod))
    words = " and ".join([*(["surfing"] if encounters.surf.rate else []), *(["fishing"] if fishing else [])])
    return _KINDS[words] if words else 0


def _mark_feebas(place: FieldPlace, cell: Cell, kinds: Kinds) -> None:
    """The tiles where Feebas can be; four of them have it on a day."""
    world = place.world
    if not world.has(Role.ENCOUNTER_EXTRAS):
        return
    member = world.game.tables.encounters.feebas_tiles
    numbers = world.member(Role.ENCOUNTER_EXTRAS, member, FeebasTiles.from_bytes).tiles.astype(int)
    z, x = np.divmod(numbers, place.matrix.width * CELL_TILES)
    here = (x // CELL_TILES == cell.x) & (z // CELL_TILES == cell.z)
    kinds[z[here] % CELL_TILES, x[here] % CELL_TILES] = _KINDS["Feebas"]


def _mark_honey_trees(place: FieldPlace, cell: Cell, kinds: Kinds) -> None:
    tree = place.world.game.tables.script_numbers.honey_tree_prop
    for prop in place.props(cell):
        x, z = (prop.position[axis] // TILE_LENGTH for axis in (0, 2))
        if prop.model == tree and (x // CELL_TILES, z // CELL_TILES) == (cell.x, cell.z):
            kinds[z % CELL_TILES, x % CELL_TILES] = _KINDS["honey tree"]
