"""Each edit of a ROM is found as what it is, and nothing else is found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from formats.binary import frozen
from formats.field.area import AreaBuild, AreaData
from formats.field.area_light import AreaLight
from formats.field.item_data import ItemData
from formats.field.land_data import LandData
from formats.field.map_matrix import MapMatrix
from formats.field.mapname import MapNames
from formats.field.message import MessageBank
from formats.field.script import Command
from formats.field.species_data import SpeciesData
from formats.field.trainer import Trainer
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind
from mapexplorer.compare.comparison import compare
from mapexplorer.games import Role
from mapexplorer.world.events.script_files import script_files
from mapexplorer.world.world import FieldWorld
from tests.compare.conftest import Edits
from tests.compare.random_edits import Told, header, with_line

Found = Callable[[Edits], tuple[Change, ...]]
LAND = 0
T01 = 4
EVENTS = 3
"""A header of the demo world and its events."""


def told(changes: tuple[Change, ...]) -> list[Told]:
    return [(one.kind, one.action, one.key, one.field) for one in changes]


def test_a_rom_equals_itself(demo: FieldWorld, edits: Edits, changes: Found) -> None:
    assert compare(demo, demo).changes == ()
    assert changes(edits) == ()


def test_a_header(edits: Edits, changes: Found) -> None:
    header(edits, 2, weather=5)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.HEADER, ChangeAction.CHANGED, (2,), "weather")]
    assert (one.before, one.after) == (edits.world.headers[2].weather, 5)
    assert one.after_name == edits.world.game.tables.weather_name(5) and one.headers == (2,)


def test_an_internal_name(edits: Edits, changes: Found) -> None:
    path = edits.world.path(Role.MAP_NAMES)
    names = MapNames.from_bytes(edits.world.rom.file(path)).names
    edits.files[path] = MapNames((*names[:3], "X99", *names[4:])).to_bytes()
    assert told(changes(edits)) == [(ChangedKind.HEADER, ChangeAction.CHANGED, (3,), "internal_name")]


def test_a_cell_of_a_matrix(edits: Edits, changes: Found) -> None:
    matrix = edits.value(Role.MAP_MATRIX, 0, MapMatrix)
    land = matrix.land.copy()
    z, x = np.argwhere(land != 0xFFFF)[0].tolist()
    land[z, x] += 1
    edits.change(Role.MAP_MATRIX, 0, MapMatrix, land=frozen(land))
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.MATRIX, ChangeAction.CHANGED, (0, x, z), "land")]
    assert one.after == one.before + 1


def test_a_blocked_tile(edits: Edits, changes: Found) -> None:
    def block(words: Any) -> None:
        words[7, 3] ^= 0x8000

    edits.rows(Role.LAND_DATA, LAND, LandData, "attributes", block)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.TILE, ChangeAction.CHANGED, (LAND, 3, 7), "collision")]
    assert one.after is not one.before and one.headers


def test_the_behaviour_of_a_tile(edits: Edits, changes: Found) -> None:
    def grow(words: Any) -> None:
        words[0, 31] = words[0, 31] & 0xFF00 | 2

    edits.rows(Role.LAND_DATA, LAND, LandData, "attributes", grow)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.TILE, ChangeAction.CHANGED, (LAND, 31, 0), "behaviour")] and one.after == 2


def test_a_raised_plate(edits: Edits, changes: Found) -> None:
    land = edits.value(Role.LAND_DATA, LAND, LandData)
    constants = land.bdhc.constants.copy()
    constants -= 8 * ONE
    edits.change(Role.LAND_DATA, LAND, LandData, bdhc=dataclasses.replace(land.bdhc, constants=frozen(constants)))
    found = changes(edits)
    assert found and {(one.kind, one.field) for one in found} == {(ChangedKind.TILE, "height")}
    level = [one for one in found if len(one.before) == 1]
    assert level and all(one.after[0] > one.before[0] for one in level)


def props(edits: Edits, edit: Callable[[Any], Any]) -> None:
    edits.rows(Role.LAND_DATA, LAND, LandData, "props", edit)


def test_a_moved_prop(edits: Edits, changes: Found) -> None:
    def move(records: Any) -> None:
        records[1]["position"][0] += 3 * ONE

    props(edits, move)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.PROP, ChangeAction.MOVED, (LAND, 1), "position")]
    assert one.after[0] - one.before[0] == 3 and one.name


def test_a_replaced_prop(edits: Edits, changes: Found) -> None:
    def replace(records: Any) -> None:
        records[0]["model"] = next(model for model in range(1, 9) if model not in records["model"])

    props(edits, replace)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.PROP, ChangeAction.REPLACED, (LAND, 0), "model")]
    assert one.before_name and one.after_name and one.before_name != one.after_name


def test_a_removed_and_an_added_prop(edits: Edits, changes: Found) -> None:
    props(edits, lambda records: records[1:])
    assert told(changes(edits)) == [(ChangedKind.PROP, ChangeAction.REMOVED, (LAND, 0), "")]

    def add(records: Any) -> Any:
        more = np.append(np.append(edits.world.land(LAND).props[:1], records), records[:1])
        more[-1]["position"] += 8 * ONE
        return more

    props(edits, add)
    assert [one.action for one in changes(edits)] == [ChangeAction.ADDED]


def test_an_area_and_its_light(edits: Edits, changes: Found) -> None:
    edits.change(Role.AREA_DATA, 1, AreaData, light_set=2)
    light = edits.value(Role.AREA_LIGHT, 0, AreaLight)
    first, *others = light.blocks
    edits.put(
        Role.AREA_LIGHT, 0, dataclasses.replace(light, blocks=(dataclasses.replace(first, end=first.end + 1), *others))
    )
    assert told(changes(edits)) == [
        (ChangedKind.AREA, ChangeAction.CHANGED, (1,), "light_set"),
        (ChangedKind.LIGHT, ChangeAction.CHANGED, (0,), "blocks[0].end"),
    ]


def test_a_prop_list(edits: Edits, changes: Found) -> None:
    edits.rows(Role.AREA_BUILD, 0, AreaBuild, "models", lambda models: models[:-1])
    (one,) = changes(edits)
    assert (one.kind, one.action, one.field) == (
        ChangedKind.PROP_SET,
        ChangeAction.REMOVED,
        "model",
    ) and one.before_name


def test_a_repainted_texture(edits: Edits, changes: Found) -> None:
    nsbtx = edits.value(Role.TERRAIN_TEXTURES, 0, Nsbtx)
    first, *others = nsbtx.textures.textures
    painted = dataclasses.replace(first, texels=bytes([first.texels[0] ^ 1]) + first.texels[1:])
    made = dataclasses.replace(nsbtx, textures=dataclasses.replace(nsbtx.textures, textures=(painted, *others)))
    edits.put(Role.TERRAIN_TEXTURES, 0, made)
    assert told(changes(edits)) == [
        (ChangedKind.TEXTURE, ChangeAction.CHANGED, (str(Role.TERRAIN_TEXTURES), 0, first.name), "texels")
    ]


def test_a_material_of_a_model(edits: Edits, changes: Found) -> None:
    file = edits.value(Role.BUILD_MODEL, 5, Nsbmd)
    model = file.models[0]
    materials = (dataclasses.replace(model.materials[0], dif_amb=model.materials[0].dif_amb ^ 1), *model.materials[1:])
    edits.put(Role.BUILD_MODEL, 5, dataclasses.replace(file, models=(dataclasses.replace(model, materials=materials),)))
    (one,) = changes(edits)
    assert told((one,))[0][:3] == (ChangedKind.MODEL, ChangeAction.CHANGED, (5,)) and one.name == model.name
    assert one.field.startswith("materials.") and one.field.endswith("dif_amb")


def test_renumbered_models_are_moved(edits: Edits, changes: Found) -> None:
    models = edits.world.members(Role.BUILD_MODEL)
    edits.put(Role.BUILD_MODEL, 3, models[4])
    edits.put(Role.BUILD_MODEL, 4, models[3])
    found = changes(edits)
    assert [(one.kind, one.action, one.before, one.after) for one in found] == [
        (ChangedKind.MODEL, ChangeAction.MOVED, 3, 4),
        (ChangedKind.MODEL, ChangeAction.MOVED, 4, 3),
    ]


def test_an_added_model(edits: Edits, changes: Found) -> None:
    models = edits.world.members(Role.BUILD_MODEL)
    edits.put(Role.BUILD_MODEL, len(models), models[1])
    assert told(changes(edits)) == [(ChangedKind.MODEL, ChangeAction.ADDED, (str(Role.BUILD_MODEL), len(models)), "")]


def events(edits: Edits, name: str, edit: Callable[[Any], Any]) -> None:
    edits.rows(Role.ZONE_EVENT, EVENTS, ZoneEvents, name, edit)


def test_a_redirected_warp(edits: Edits, changes: Found) -> None:
    def redirect(warps: Any) -> None:
        warps[0]["header"], warps[0]["warp"] = 2, 0

    events(edits, "warps", redirect)
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.WARP, ChangeAction.CHANGED, (EVENTS, 0), "target")]
    assert one.after == (2, 0) and one.after_name == edits.world.headers[2].title != one.before_name


def test_a_person_walks_away_and_another_one_comes(edits: Edits, changes: Found) -> None:
    def move(objects: Any) -> Any:
        objects[0]["x"] += 2
        more = np.append(objects, objects[-1:])
        more[-1]["local_id"] = 99
        return more

    events(edits, "objects", move)
    found = changes(edits)
    count = len(edits.world.events(T01).objects)  # type: ignore[union-attr]
    assert told(found) == [
        (ChangedKind.EVENT, ChangeAction.MOVED, (EVENTS, "object", 0), "x, z, y"),
        (ChangedKind.EVENT, ChangeAction.ADDED, (EVENTS, "object", count), ""),
    ]


def test_a_removed_warp_renumbers_no_other(edits: Edits, changes: Found) -> None:
    events(edits, "warps", lambda warps: warps[1:])
    assert told(changes(edits)) == [(ChangedKind.WARP, ChangeAction.REMOVED, (EVENTS, 0), "")]


def test_an_inserted_instruction(edits: Edits, changes: Found) -> None:
    member, file = max(script_files(edits.world), key=lambda one: len(one[1].items))
    at = next(index for index, item in enumerate(file.items) if isinstance(item, Command))

    edits.put(Role.SCRIPTS, member, with_line(file, at, Command(30, (300,))))
    (one,) = changes(edits)
    assert told((one,)) == [(ChangedKind.SCRIPT, ChangeAction.ADDED, (member, at + 1), "")]
    assert one.after.number == 30 and one.after.arguments[0].number == 300


def test_a_text(edits: Edits, changes: Found) -> None:
    bank = edits.value(Role.MESSAGES, 1, MessageBank)
    edits.put(Role.MESSAGES, 1, dataclasses.replace(bank, messages=(bank[0] + " more", *bank.messages[1:])))
    (one,) = changes(edits)
    assert (
        told((one,)) == [(ChangedKind.TEXT, ChangeAction.CHANGED, (1, 0), "text")] and one.after == one.before + " more"
    )


def test_wild_encounters(edits: Edits, changes: Found) -> None:
    file = edits.value(Role.ENCOUNTERS, 0, WildEncounters)
    grass = list(file.grass)
    index = next(number for number, slot in enumerate(grass) if slot.species != grass[0].species)
    grass[0] = dataclasses.replace(grass[0], species=grass[index].species)
    edits.change(Role.ENCOUNTERS, 0, WildEncounters, grass=tuple(grass))
    everything = changes(edits)
    assert {one.field for one in everything} <= {"grass percent", "grass levels"}
    found = [one for one in everything if one.field == "grass percent"]
    assert len(found) == 2 and sum(one.after - one.before for one in found) == 0
    assert all(one.name for one in found)


def test_equal_chances_of_other_slots(edits: Edits, changes: Found) -> None:
    """A day list and an unused rate are fields, not chances."""
    edits.change(Role.ENCOUNTERS, 0, WildEncounters, day=(2, 3), unown_table=3)
    found = changes(edits)
    assert {one.field for one in found} <= {"day[0]", "day[1]", "unown_table"} and len(found) >= 2


def test_a_trainer_an_item_and_a_species(edits: Edits, changes: Found) -> None:
    trainer = edits.value(Role.TRAINERS, 1, Trainer)
    edits.put(Role.TRAINERS, 1, dataclasses.replace(trainer, ai=trainer.ai ^ 1))
    item = edits.value(Role.ITEMS, 1, ItemData)
    edits.put(Role.ITEMS, 1, dataclasses.replace(item, price=item.price + 100))
    species = edits.value(Role.SPECIES, 1, SpeciesData)
    edits.put(Role.SPECIES, 1, dataclasses.replace(species, catch_rate=species.catch_rate ^ 1))
    assert told(changes(edits)) == [
        (ChangedKind.TRAINER, ChangeAction.CHANGED, (1,), "ai"),
        (ChangedKind.SPECIES, ChangeAction.CHANGED, (1,), "catch_rate"),
        (ChangedKind.ITEM, ChangeAction.CHANGED, (1,), "price"),
    ]


def test_files_without_a_comparison_of_their_own(edits: Edits, changes: Found) -> None:
    weather = edits.world.path(Role.WEATHER_PICTURES)
    edits.files["new.bin"] = b"new"
    edits.put(Role.WEATHER_PICTURES, 0, b"damaged")
    edits.arm9 += b"!"
    assert told(changes(edits)) == [
        (ChangedKind.FILE, ChangeAction.CHANGED, (weather, 0), "bytes"),
        (ChangedKind.FILE, ChangeAction.ADDED, ("new.bin",), ""),
        (ChangedKind.PROGRAM, ChangeAction.CHANGED, ("arm9",), "size"),
    ]


def test_a_damaged_member_is_different(edits: Edits, changes: Found) -> None:
    edits.put(Role.LAND_DATA, LAND, b"damaged")
    assert told(changes(edits)) == [(ChangedKind.LAND, ChangeAction.CHANGED, (str(Role.LAND_DATA), LAND), "bytes")]


def test_damage_is_a_difference_of_every_kind_in_the_file(edits: Edits, tmp_path: Path) -> None:
    edits.put(Role.LAND_DATA, LAND, b"damaged")
    path = tmp_path / "edited.nds"
    path.write_bytes(edits.image())
    other = FieldWorld.open(path)
    for kind in (ChangedKind.LAND, ChangedKind.TILE, ChangedKind.PROP):
        assert [one.kind for one in compare(edits.world, other, {kind}).changes] == [kind]
    assert not compare(edits.world, other, {ChangedKind.WARP}).changes


def test_only_some_kinds(demo: FieldWorld, edits: Edits, tmp_path: Path) -> None:
    header(edits, 2, weather=5)
    props(edits, lambda records: records[1:])
    path = tmp_path / "edited.nds"
    path.write_bytes(edits.image())
    other = FieldWorld.open(path)
    assert [one.kind for one in compare(demo, other, {ChangedKind.PROP}).changes] == [ChangedKind.PROP]
    assert [one.kind for one in compare(demo, other, {ChangedKind.HEADER}).changes] == [ChangedKind.HEADER]
