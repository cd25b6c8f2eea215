"""States of features: chosen ones are plain values that lead back to the same feature; wrong ones are refused."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.options import ExportOptions
from mapexplorer.features import by_header, choices, entered, entered_walking, feature_name
from mapexplorer.games import DEFAULT
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.walk import Walker
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.matrix_patches import HIDDEN_LOCATIONS, known_locations
from mapexplorer.world.wording import source

TABLES = DEFAULT.tables
HEADERS = sorted(by_header(TABLES))


def with_state(name: str, state: Any) -> Save:
    return dataclasses.replace(fresh_save(DEFAULT), features={name: state})


@pytest.mark.parametrize("header", HEADERS)
def test_choices(header: int) -> None:
    """Every choice has its own name and gives a feature whose state survives JSON; the first visit is a valid state."""
    name = feature_name(TABLES, header)
    assert name is not None
    found = choices(TABLES, header)
    assert len({choice.name for choice in found}) == len({choice.title for choice in found}) == len(found)
    first = entered(fresh_save(DEFAULT), header)
    assert first is not None and first.name == name
    if not found:
        assert first.state is None
        return
    states = [first.state]
    for choice in found:
        feature = entered(with_state(name, choice.state), header)
        assert feature is not None
        states.append(feature.state)
    assert len({json.dumps(state) for state in states[1:]}) == len(found)
    for state in states:
        again = entered(with_state(name, json.loads(json.dumps(state))), header)
        assert again is not None and again.state == state
    assert hash(first) == hash(entered(with_state(name, states[0]), header))


FIRST_BAGS: Any = choices(TABLES, 133)[0].state["bags"]
WRONG = (
    *(
        -1,
        1 << 30,
        True,
        "blue",
        None,
        1.5,
        [99],
        [[1, 2]],
        {"doors": [9, 0]},
        {"doors": [1.0, 0]},
        {"doors": [0]},
        {"clues": [[0, 0], [2, 6]]},
    ),
    *({"bags": []}, {"bags": FIRST_BAGS, "stacks": [11]}, {"bags": [[31, 31], *FIRST_BAGS[1:]], "stacks": []}),
)


@pytest.mark.parametrize("state", WRONG)
def test_wrong_states(state: Any) -> None:
    for header in HEADERS:
        name = feature_name(TABLES, header)
        assert name is not None
        with pytest.raises(ValueError, match=name):
            entered(with_state(name, state), header)


def test_a_header_without_feature_costs_a_look_up(count_calls: Callable[[Callable[[], object]], int]) -> None:
    save = fresh_save(DEFAULT)
    assert feature_name(TABLES, 411) is None
    assert entered(save, 411) is None and entered_walking(save, 411) is None
    assert count_calls(lambda: (entered(save, 411), entered_walking(save, 411))) <= 12


def test_honey_trees_concern_only_the_picture() -> None:
    save = with_state("honey tree", 2)
    assert entered_walking(save, 347) is None
    tree = entered(save, 347)
    assert tree is not None
    assert [(prop.model, prop.animation, prop.repeats) for prop in tree.placed_props()] == [(26, 1, True)]


def test_which_states_are_kept() -> None:
    kept = {feature.name for header in HEADERS if (feature := entered(fresh_save(DEFAULT), header)) and feature.kept}
    assert kept == {"eterna gym", "hearthome gym", "villa", "hidden locations", "distortion world"}


SPRING, SEABREAK = ((23, 21), (24, 21), (23, 22), (24, 22)), ((28, 15), (27, 16), (28, 16), (27, 17))


def test_matrix_patches(real: FieldWorld) -> None:
    """A new game has the closed Spring Path and no Seabreak Path; other matrices never change."""
    grid = real.matrix(0)
    cells = real.cells(0, 341)
    assert [cells[tile].land for tile in SPRING] == [176] * 4
    assert [cells[tile].altitude for tile in SPRING] == [2] * 4
    assert all(cells[x, z].land == grid.land[z, x] for x, z in SEABREAK)
    known = real.cells(0, 341, known_locations(with_state(HIDDEN_LOCATIONS, ["Spring Path", "Seabreak Path"])))
    assert [known[tile].land for tile in SEABREAK] == [119, 120, 121, 122]
    assert all(known[x, z].land == grid.land[z, x] for x, z in SPRING)
    assert {tile for tile, cell in cells.items() if cell != known[tile]} == {*SPRING, *SEABREAK}
    assert real.cells(111, 1, frozenset({"Spring Path"})) is real.cells(111, 1)
    with pytest.raises(ValueError, match="no hidden location"):
        known_locations(with_state(HIDDEN_LOCATIONS, ["atlantis"]))


def test_matrix_patches_are_the_same_for_pictures_walks_and_exports(real: FieldWorld) -> None:
    """The land of a cell, its height and its models, while the place is not known and while it is: by default whoever
    stands there knows it."""
    place = real.place(341)
    tile = (23 * 32 + 16, 21 * 32 + 16)
    path = real.matrix(0).land[21, 23]
    for state, land in (("none", 176), ("spring path", path), (None, path)):
        scene = FieldScene(place, View(at=tile, state=state))
        walker = Walker(real, 341, *tile, save=scene.save)
        shown = next(cell for cell in scene.block.cells if (cell.x, cell.z) == (23, 21))
        assert shown.land == walker.ground.cells[23, 21].land == land
        document, _ = field_document(place, ExportOptions(state=state))
        lands = {node["extras"]["land"] for node in document.items("nodes") if "land" in node.get("extras", {})}
        assert (176 in lands) == (land == 176)
    assert "while Spring Path is not known" in source(place.matrix_cells[23, 21].why)
