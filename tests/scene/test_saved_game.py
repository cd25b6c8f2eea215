"""Pictures and facts with a saved game: people, items, doors, gyms, trees, the hour; what is refused."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.binary import FormatError
from formats.field.script import Command
from formats.save import SaveImage
from mapexplorer.errors import RomError
from mapexplorer.features import entered
from mapexplorer.features.saved_states import with_saved_states
from mapexplorer.games.heartgold_soulsilver import HEARTGOLD_SOULSILVER
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.scene.conditions import Conditions, shown_save
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.saves import saved_moment
from mapexplorer.scene.view import View
from mapexplorer.walk.ability import Ability, saved_abilities
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_files
from mapexplorer.world.events.transition import arrive
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import CLONE, Save, saved_game
from mapexplorer.world.saved_game import read_saved_game
from tests.saves import small_block, write_save

SET_FLAG = 30
MAPS = (3, 45, 65, 66, 83, 165, 342, 391, 411, 418, 426, 463)
"""Cities, gyms, Valley Windworks and routes with people, items and doors that come and go."""


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def states(world: FieldWorld) -> Iterator[frozenset[int]]:
    """Twelve states of the flags that scripts set: the first parts of the list, a few left out, and at last all."""
    items = [item for _, file in script_files(world) for item in file.items]
    commands = [item for item in items if isinstance(item, Command) and item.number == SET_FLAG]
    flags = [number for command in commands if isinstance(number := command.arguments[0], int) and number < 0x4000]
    source = random.Random(1)
    for twelfth in range(12):
        yield frozenset(flag for flag in flags[: len(flags) * twelfth // 11] if twelfth == 11 or source.random() < 0.9)


def test_twelve_states_of_the_story(real: FieldWorld, tmp_path: Path) -> None:
    """People and items are there as the records of the events say for the flags: in facts and in pictures."""
    seen = set()
    for turn, state in enumerate(states(real)):
        path = write_save(tmp_path, state)
        for number, header in enumerate(MAPS):
            place, view = real.place(header), View(save=path)
            save, events = shown_save(place, view), real.events(header)
            after = arrive(real, header, saved_game(real.game, read_saved_game(path).small)).save
            assert save.flags == after.flags and events is not None
            records = after.events(header, events).objects[["hidden_flag", "script"]].tolist()
            gone = {index for index, (flag, script) in enumerate(records) if script != CLONE and flag in after.flags}
            if number % 6 == turn % 6:
                listed = find_events(real, header, save).events
                assert {event.index for event in listed if event.kind == "object" and event.absent} == gone, header
            drawn = FieldObjects.of_view(Conditions.of_view(place, view, save), view).of(header).objects
            assert {mover.setting.event for mover in drawn} == set(range(len(records))) - gone
            seen.add((header, frozenset(gone)))
    assert len(seen) > 2 * len(MAPS)


def shown(world: FieldWorld, path: str, header: int) -> Save:
    return shown_save(world.place(header), View(save=path, **saved_moment(path)))


def feature_state(world: FieldWorld, header: int, small: Any) -> Any:
    """The state of the feature of a header with a saved game."""
    feature = entered(with_saved_states(saved_game(world.game, small), header), header)
    return None if feature is None else feature.state


def at_place(header: int, place: int, data: bytes = b"", **more: Any) -> Any:
    """A block of a game that was saved on a header, with the place of a feature and its bytes."""
    small = small_block(at=(header, 5, 5), **more)
    small["misc"]["map_feature"] = place
    small["misc"]["map_feature_data"][: len(data)] = np.frombuffer(data, np.uint8)
    return small


def test_gyms_villa_paths_and_honey(real: FieldWorld) -> None:
    pastoria, eterna, villa = 122, 67, 464
    small = small_block(flags=(2455, 2458), variables={0x404B: 2, 0x4038: 0x312})
    small["encounters"]["honey_trees"][2] = (600, 1, 0, 1, 2)
    assert feature_state(real, 350, small) == 3 and feature_state(real, 347, small) == 0
    assert feature_state(real, eterna, small) == 2 and feature_state(real, villa, small) == [0, 3]
    save = with_saved_states(saved_game(real.game, small), 0)
    assert save.features["hidden locations"] == ["Spring Path"]
    assert feature_state(real, pastoria, at_place(pastoria, 1, b"\2")) == 2
    first = feature_state(real, pastoria, small_block())
    assert feature_state(real, pastoria, at_place(pastoria, 1, b"\x63")) == first  # there is no such level
    assert feature_state(real, pastoria, at_place(eterna, 1, b"\2")) == first  # it was saved elsewhere


def test_what_only_the_map_of_the_save_has(real: FieldWorld) -> None:
    hearthome, veilstone, lift, distorted = 90, 133, 291, 577
    gym = feature_state(real, hearthome, at_place(hearthome, 2, struct.pack("<4h", 1, 5, 7, 5), badges=1 << 4))
    assert gym == {"doors": [0, 2], "clues": [gym["clues"][0], [7, 5]], "badge": True}
    assert feature_state(real, hearthome, at_place(hearthome, 2))["badge"] is False  # lots were not drawn
    first = feature_state(real, veilstone, small_block())
    small = at_place(veilstone, 4, b"\1")
    table = real.game.tables.own("veilstone_gym")
    moved = [[x, z] if number else [3, 11] for number, (x, z) in enumerate(table["bags"])]
    for slot, (tile, kind) in enumerate([(tile, 1) for tile in moved] + [(tile, 0) for tile in table["stacks"][1:]], 2):
        gym_object = small["map_objects"][slot]
        gym_object["status"], gym_object["local_id"], gym_object["map"] = 1, 253, veilstone
        gym_object["now"], gym_object["data"][0] = (tile[0], 0, tile[1]), kind
    assert feature_state(real, veilstone, small) == {"bags": moved, "stacks": first["stacks"][1:]}
    assert feature_state(real, lift, at_place(lift, 7, b"\1")) == 1
    data = struct.pack("<I3HHI", 1, 0, 0, 0, 0b101, 0b110)
    story = {"flags": (2479,), "variables": {0x4055: 7, 0x405B: 2}}
    state = feature_state(real, distorted, at_place(distorted, 9, data, **story))
    assert state == {
        "progress": 7, "puzzle_flags": [1, 2], "platform_flags": [0, 2], "shadows_seen": [1], "cyrus": 2
    }  # fmt: skip
    assert feature_state(real, distorted, small_block(**story))["platform_flags"] != [0, 2]


def test_berry_patches_as_they_were(real: FieldWorld) -> None:
    small = small_block()
    patches = small["misc"]["berry_patches"]
    patches[:5]["berry"], patches[:5]["stage"] = 2, (1, 2, 3, 4, 5)
    save, names = saved_game(real.game, small), real.game.tables.map_object_graphics
    trees = [save.graphics(100, patch, 3) for patch in range(6)]
    assert [None if tree is None else names[tree].name for tree in trees] == [
        None, "berry sprout", "berry tree 1 growing", "berry tree 1 blooming", "berry tree 1 fruit", None
    ]  # fmt: skip


def test_where_the_game_was_saved(tmp_path: Path) -> None:
    """People stand where they were; those that were not there are not seen; elsewhere the map is entered."""
    world = FieldWorld.open("demo")
    village, field = world.place("T01"), world.place("F01")
    events = world.events(village.header.id)
    assert events is not None and len(events.objects) > 1
    number = int(events.objects[0]["local_id"])
    path = write_save(tmp_path, at=(village.header.id, 8, 36), objects=[(number, 9, 35)])
    save = shown(world, path, village.header.id)
    changed = save.events(village.header.id, events).objects
    assert changed[0][["x", "z"]].tolist() == (9, 35)
    assert {int(graphics) for graphics in changed[1:]["graphics"]} == {world.game.tables.new_game.invisible}
    view = View(save=path)
    assert Conditions.of_view(village, view, save).tile == (8, 36)
    elsewhere = shown(world, path, field.header.id)
    conditions = Conditions.of_view(field, view, elsewhere)
    assert conditions.tile != (8, 36)
    [person] = [each for each in FieldObjects.of_view(conditions, view).of(village.header.id).objects if each.visible]
    assert (person.setting.local_id, person.x, person.z) == (number, 9, 35)  # also seen from the neighbouring map


def test_objects_of_neighbours_are_where_they_were(real: FieldWorld) -> None:
    """Those of the list that belong to another header, and a clone of which the list has the original."""
    every = ((header.id, event) for header in real.headers for event in getattr(real.events(header.id), "objects", ()))
    here, clone = next((header, event) for header, event in every if event["script"] == CLONE)
    number, there = int(clone["local_id"]), int(clone["hidden_flag"])
    small = small_block(at=(here, 5, 5), objects=[(number, 7, 9)])
    small["map_objects"][1]["map"] = there
    save, invisible = saved_game(real.game, small), real.game.tables.new_game.invisible
    for header in (here, there):
        events = real.events(header)
        assert events is not None
        objects = arrive(real, header, save).save.events(header, events).objects
        assert (number, 7, 9) in objects[["local_id", "x", "z"]].tolist()
        assert (sum(objects["graphics"] == invisible) >= len(objects) - 1) == (header == here)


def test_the_moment_of_the_save(tmp_path: Path) -> None:
    assert saved_moment("new") == {}
    path = write_save(tmp_path)
    assert saved_moment(path) == {"second": 43200, "day": 0, "weekday": "monday"}
    small = small_block()
    small["system"]["date"], small["system"]["time"] = (18, 12, 31, 6), (23, 59, 58)
    Path(path).write_bytes(SaveImage.of(small).to_bytes())
    assert saved_moment(path) == {"second": 86398, "day": 365, "weekday": "saturday"}
    Path(path).write_bytes(b"half written")  # as while an emulator writes it
    assert saved_moment(path)["day"] == 365


def test_what_is_refused(tmp_path: Path) -> None:
    damaged, absent = tmp_path / "damaged.sav", tmp_path / "absent.sav"
    damaged.write_bytes(bytes(0x80000))
    with pytest.raises(FormatError, match=r"damaged.sav: .* expected a save of Pokémon Platinum"):
        read_saved_game(str(damaged))
    with pytest.raises(RomError, match="no such file"):
        read_saved_game(str(absent))
    with pytest.raises(RomError, match="saves"):
        read_saved_game(write_save(tmp_path)).save(HEARTGOLD_SOULSILVER)


def test_abilities_need_bag_and_badge(real: FieldWorld) -> None:
    small = small_block(badges=0b0000_1000)
    small["bag"]["tm_hm"]["item"][:2], small["bag"]["key_items"]["item"][0] = (422, 423), 450
    assert saved_abilities(saved_game(real.game, small)) == {Ability.SURF, Ability.BICYCLE}
