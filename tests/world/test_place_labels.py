"""The names on the map of a matrix."""

from __future__ import annotations

from typing import Any

import pytest

from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.place_labels import Rank, building_name, cells_by_header, map_name, middle, place_labels


@pytest.fixture(scope="module")
def world(rom_path: Any) -> FieldWorld:
    return FieldWorld.open(rom_path)


def test_the_region_has_towns_places_and_buildings(world: FieldWorld) -> None:
    place = world.place("T01")
    labels = place_labels(place)
    assert [label.rank for label in labels] == sorted(label.rank for label in labels)
    towns = {label.text for label in labels if label.rank is Rank.TOWN}
    assert len(towns) == 18 and {"Twinleaf Town", "Jubilife City", "Pokémon League"} <= towns
    for label in labels:
        if label.rank is Rank.TOWN:
            town = world.place(label.header)
            cells = {(cell.x, cell.z) for cell in town.cells}
            columns, rows = [x for x, _ in cells], [z for _, z in cells]
            assert min(columns) <= label.x / 512 <= max(columns) + 1 and min(rows) <= label.z / 512 <= max(rows) + 1
    homes = {
        label.text: label
        for label in labels
        if label.rank is Rank.BUILDING and world.headers[label.header].internal_name.startswith("T01R")
    }
    assert set(homes) == {"Rival House", "Player House", "Northeast House", "Southwest House"}
    warp = world.events(411).warps[1]
    assert (homes["Player House"].x, homes["Player House"].z) == (16 * warp["x"] + 8, 16 * warp["z"] + 8)


@pytest.mark.parametrize(
    ("outside", "inside", "name"),
    [
        ("C01", "C01R0201", "Jubilife TV"),  # another location
        ("C01", "C01PC0101", "Pokémon Center"),  # what its name adds
        ("T01R0201", "T01R0202", "2F"),
        ("T01R0201", "T01", "Twinleaf Town"),  # outdoors
        ("C01", "C01R0901", "House 3 (unused)"),
        ("T01R0202", "T01R0201", "Player House 1F"),  # nothing else tells it apart
        ("D05R0111", "D05R0112", "1F North Room 1"),  # not the number alone
        ("L01", "L01R0101", "House (unused)"),
        ("D17R0123", "D17R0124", "D17R0124"),  # without a name in the decompilation
    ],
)
def test_a_building_has_the_name_that_tells_it_apart(world: FieldWorld, outside: str, inside: str, name: str) -> None:
    assert building_name(world.place(outside).header, world.place(inside).header) == name


def test_a_room_has_the_names_of_its_exits_alone(world: FieldWorld) -> None:
    assert {label.text for label in place_labels(world.place("T01R0201"))} == {"2F", "Twinleaf Town"}


def test_cells_of_a_map_have_their_mean_centre() -> None:
    place = FieldWorld.open("demo").place("T01")
    groups = {header.id: cells for header, cells in cells_by_header(place, place.matrix_cells.values())}
    assert sum(map(len, groups.values())) == len(place.matrix_cells)
    own, *others = groups[place.header.id]
    assert not others and middle([own]) == (own.x + 0.5, own.z + 0.5)
    assert map_name(place.header) == place.header.location_name
