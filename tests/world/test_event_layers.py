"""The layers about events and wild Pokémon."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mapexplorer.walk.ground import Grounds
from mapexplorer.walk.rules import Standing
from mapexplorer.walk.trainers import beaten_flag, sees_player
from mapexplorer.world import FieldWorld
from mapexplorer.world.colors import ENCOUNTERS
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.events.encounter_tiles import encounter_tiles
from mapexplorer.world.events.sight import looks
from mapexplorer.world.layers.encounters import WILD_ENCOUNTERS
from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.ranges import RANGES
from mapexplorer.world.layers.sight import SIGHT
from mapexplorer.world.layers.triggers import TRIGGERS

KINDS = {name: number for number, name in enumerate(ENCOUNTERS, 1)}


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def test_grass_with_wild_pokemon(real: FieldWorld) -> None:
    place = real.place("R205A")
    for cell in place.cells:
        kinds = encounter_tiles(place, cell)
        behaviours = place.terrain.attributes(cell) & 0xFF
        wild = np.vectorize(lambda number: real.game.tables.behaviour(number).wild_encounters)(behaviours)
        water = np.vectorize(lambda number: real.game.tables.behaviour(number).surf)(behaviours)
        honey = kinds == KINDS["honey tree"]
        assert ((kinds == KINDS["grass"]) == (wild & ~water & ~honey)).all()
        assert ((kinds == KINDS["surfing and fishing"]) == (water & ~honey)).all() and water.any()
        shapes = CellOverlay(place, cell, place.header.id)[WILD_ENCOUNTERS]
        assert len(shapes.faces) == (kinds > 0).sum() and {one.label for one in shapes.things} <= set(ENCOUNTERS)
    trees = [(encounter_tiles(place, cell) == KINDS["honey tree"]).sum() for cell in place.cells]
    assert sum(trees) == 1


def test_feebas_is_in_the_lake_of_one_map_only(real: FieldWorld) -> None:
    place = real.place("MT_CORONET_B1F")
    lake = [encounter_tiles(place, cell) == KINDS["Feebas"] for cell in place.cells]
    assert sum(part.sum() for part in lake) == 528
    for cell, part in zip(place.cells, lake, strict=True):
        behaviours = np.unique(place.terrain.attributes(cell)[part] & 0xFF).tolist()
        assert all(real.game.tables.behaviour(number).surf for number in behaviours)
    beside = real.place("R205A")
    assert not any((encounter_tiles(beside, cell) == KINDS["Feebas"]).any() for cell in beside.cells)


def test_trainers_look_straight_ahead_as_far_as_they_see(real: FieldWorld) -> None:
    place = real.place("R205A")
    events = real.events(place.header.id)
    assert events is not None
    seen = 0
    for cell in place.cells:
        shapes = CellOverlay(place, cell, place.header.id)[SIGHT]
        for number, thing in enumerate(shapes.things):
            record = events.objects[thing.key[1]]
            x, z, sight = int(record["x"]), int(record["z"]), int(record["parameters"][0])
            assert real.game.tables.script_numbers.trainer(int(record["script"])) is not None
            middles = shapes.faces_of(number).mean(1)[:, [0, 2]] // 16
            away = np.abs(middles - (x, z))
            assert (away.min(1) == 0).all() and (away.max(1) >= 1).all() and (away.max(1) <= sight).all()
            seen += len(middles)
    assert seen > 20


@pytest.mark.parametrize("name", ["R210B", "R221", "R222", "W223", "C07GYM0101"])
def test_the_layer_shows_the_tiles_on_which_a_walker_is_seen(real: FieldWorld, name: str) -> None:
    place = real.place(name)
    header, ground = place.header.id, Grounds(real).entered(place.header.id)
    shown = {
        thing.key[1]: set(map(tuple, (shapes.faces_of(number).mean(1)[:, [0, 2]] // 16).astype(int).tolist()))
        for shapes in (CellOverlay(place, cell, header)[SIGHT] for cell in place.cells)
        for number, thing in enumerate(shapes.things)
    }
    people = [each for here in ground.objects(header).values() for each in here]
    flags = {each.index: beaten_flag(ground, each.script) for each in people}
    hidden_behind = 0
    for trainer in people:
        if trainer.trainer_type != 1 or flags[trainer.index] is None:
            continue
        seen = set()
        for direction in looks(real.game.tables, trainer):
            facing = [replace(each, direction=direction) if each is trainer else each for each in people]
            on = lambda _, x, z, facing=facing: [each for each in facing if (each.x, each.z) == (x, z)]  # noqa: E731
            beaten = frozenset(flag for flag in flags.values() if flag not in (None, flags[trainer.index]))
            for away in range(1, trainer.sight + 1):
                x, z = trainer.x + DX[direction] * away, trainer.z + DZ[direction] * away
                player = Standing(x, z, ground.centre_height(x, z, trainer.y) or 0)
                found = sees_player(ground, player, on, beaten)
                seen |= {(x, z)} if found is not None else set()
                hidden_behind += found is None
        assert shown.get(trainer.index, set()) == seen, trainer
    assert hidden_behind


def test_people_walk_within_their_ranges(real: FieldWorld) -> None:
    place = real.place("C01")
    events = real.events(place.header.id)
    assert events is not None
    walkers = 0
    for cell in place.cells:
        shapes = CellOverlay(place, cell, place.header.id)[RANGES]
        for number, thing in enumerate(shapes.things):
            record = events.objects[thing.key[1]]
            middles = shapes.faces_of(number).mean(1)[:, [0, 2]] // 16
            away = np.abs(middles - (int(record["x"]), int(record["z"]))).max(0)
            assert away[0] <= int(record["range_x"]) and away[1] <= int(record["range_z"])
            walkers += 1
    assert walkers > 0


def test_triggers_say_what_they_need(real: FieldWorld) -> None:
    place = real.place("R205A")
    labels = [
        thing.label for cell in place.cells for thing in CellOverlay(place, cell, place.header.id)[TRIGGERS].things
    ]
    assert sorted(labels) == ["valley_windworks_state = 0", "valley_windworks_state = 1"]
