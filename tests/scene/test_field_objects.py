"""Map objects in a scene: who is there by the save, their light, what walking stirs up, going about."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from formats.nitro import material as bits
from mapexplorer.features import entered, table_of
from mapexplorer.features.snowpoint_gym import SnowpointGym
from mapexplorer.features.veilstone_gym import VeilstoneGym
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel, ObjectInstance
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import ENTERED, NEW, View
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH, WEST
from mapexplorer.world.events.transition import arrive
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import CLONE, Save, fresh_save
from mapexplorer.world.terrain.terrain import centre

TALL_GRASS_MODEL = 83
SHADOW_MODEL = 17
OWN_COLORS = bits.DIFFUSE | bits.AMBIENT | bits.SPECULAR | bits.EMISSION
FOG = 1 << 15


def test_a_new_game_hides_what_its_flags_hide(world: FieldWorld) -> None:
    save = fresh_save(world.game)
    hidden, headers = 0, set()
    for header in world.headers:
        events = world.events(header.id)
        for event in () if events is None else events.objects:
            if save.hides(int(event["hidden_flag"]), int(event["script"])):
                hidden += 1
                headers.add(header.id)
                assert int(event["script"]) != CLONE
                assert not save.showing_all().hides(int(event["hidden_flag"]), int(event["script"]))
    assert (hidden, len(headers)) == (114, 70)


def test_a_save_is_immutable_and_chooses_graphics(world: FieldWorld) -> None:
    save = fresh_save(world.game)
    with pytest.raises(TypeError):
        save.variables[1] = 2  # type: ignore[index]
    assert save.graphics(101, 0, 3) == 97 and save.graphics(101, 0, 1) is None
    assert dataclasses.replace(save, variables={0x4020: 5}).graphics(101, 0, 3) == 5
    assert save.graphics(100, 0, 0) == 4096 + 3 * 7 and save.graphics(11, 0, 0) == 11


def billboards(scene: FieldScene) -> list[Any]:
    assert scene.block.object_events is not None
    drawings = scene.block.object_events.drawings(0)
    return [drawing.model.resolved for drawing in drawings if drawing.model.resolved.kind == "person"]


@pytest.mark.parametrize("name", ["T01", "T01R0101", "C01"])
def test_billboards_take_the_light_and_fog_of_the_area(world: FieldWorld, name: str) -> None:
    place = world.place(name)
    night = FieldScene(place, View(22 * 3600, layers=("people", "player")))
    for resolved in billboards(night):
        for material in resolved.model.materials:
            assert not material.flags & OWN_COLORS
            assert material.polygon_attr & material.polygon_attr_mask & FOG
        assert resolved.state == night.conditions.light().global_state
    noon = FieldScene(place, View(layers=("player",)))
    dark = FieldScene(place, View(22 * 3600, layers=("player",)))
    brightness = [scene.render(raw=True)[..., :3].astype(int).sum() for scene in (noon, dark)]
    assert brightness[1] < brightness[0] or not noon.conditions.outdoor()


def grass_tile(place: FieldPlace) -> tuple[int, int]:
    """The west one of two tiles of tall grass side by side."""
    for cell in place.cells:
        grass = np.isin(place.terrain.attributes(cell) & 0xFF, list(place.terrain.groups.tall_grass))
        rows, columns = np.nonzero(grass[:, :-1] & grass[:, 1:])
        if len(rows):
            return cell.x * 32 + int(columns[0]), cell.z * 32 + int(rows[0])
    raise AssertionError("no tall grass")


def test_a_walking_player_stirs_the_grass(world: FieldWorld) -> None:
    place = world.place("R201")
    x, z = grass_tile(place)
    height = place.terrain.plate_height(centre(x), centre(z), 0) or 0
    scene = FieldScene(place, View(at=(x, z), layers=("terrain", "props", "player")))

    def stand(tile: int, units: int) -> list[Any]:
        position = (centre(tile) + units * 4096, height, centre(z))
        scene.set_player(ObjectInstance(0, position, 3, tile=(tile, z)))
        scene.advance(scene.tick + 1)
        assert scene.block.object_events is not None
        drawings = scene.block.object_events.drawings(scene.tick)
        covers = [each for each in drawings if each.model.resolved.kind == "effect"]
        assert {each.model.resolved.number for each in covers} == {TALL_GRASS_MODEL}, "no shadow in grass"
        return [each.position for each in covers]

    [still] = stand(x, 0)
    [begun] = stand(x + 1, -14)
    assert begun[0] - still[0] == 16 * 4096 and still[2] - centre(z) == 10 * 4096
    for units in range(-12, 2, 2):
        assert stand(x + 1, units) == [begun]
    for _ in range(16):
        assert stand(x + 1, 0) == [begun]
    other = stand(x, 14)
    assert other == [still]


def test_people_go_about_only_when_they_are_let(world: FieldWorld) -> None:
    place, save = world.place("C01"), fresh_save(world.game)

    def positions(moving: bool, seed: int, ticks: int = 200) -> list[tuple[int, int, int]]:
        objects = FieldObjects(place, save, seed=seed)
        objects.moving = moving
        objects.of(place.header.id)
        for _ in range(ticks):
            objects.step()
        return [mover.position for mover in objects.of(place.header.id).objects]

    still = positions(False, 1)
    assert still == positions(False, 2, 0)
    assert positions(True, 1) != still and positions(True, 1) == positions(True, 1)
    assert positions(True, 1) != positions(True, 2)


def test_ticks_of_a_picture_move_people_by_its_seed(world: FieldWorld) -> None:
    place = world.place("C01")

    def picture(tick: int, seed: int) -> Any:
        return FieldScene(place, View(weather=0, layers=("people",), seed=seed)).render(tick)

    assert (picture(0, 1) == picture(0, 2)).all()
    assert (picture(200, 1) != picture(0, 1)).any() and (picture(200, 1) == picture(200, 1)).all()
    assert (picture(200, 1) != picture(200, 2)).any()


def test_bags_bar_the_way_of_people_and_broken_snowballs_are_not_drawn(world: FieldWorld) -> None:
    place, save = world.place("C07GYM0101"), fresh_save(world.game)
    objects = FieldObjects(place, save, feature=entered(save, place.header.id))
    bag = table_of(VeilstoneGym, world.game.tables).bags[2]
    manager = objects.of(place.header.id)
    mover = manager.objects[0]
    mover.setting = dataclasses.replace(mover.setting, range_x=-1, range_z=-1)
    mover.x, mover.z = bag[0] + 1, bag[1]
    mover.find_ground(place.terrain)
    assert not manager.free(mover, WEST)
    objects.feature = None
    assert manager.free(mover, WEST)

    place = world.place("C09GYM0101")
    objects = FieldObjects(place, save, feature=entered(save, place.header.id))
    assert objects.feature is not None
    table = table_of(SnowpointGym, world.game.tables)
    all_of_them = {event for event, _ in table.snowballs}

    def drawn() -> set[int | None]:
        sources = (each.source for each in objects.shown([place.header.id], player=False))
        return {source.event for source in sources if isinstance(source, ObjectInstance)}

    assert drawn() >= all_of_them
    change = objects.feature.struck(place.header.id, table.snowballs[3][0])
    assert change is not None and objects.feature.struck(place.header.id, 0) is None
    objects.feature = change.after
    assert drawn() & all_of_them == all_of_them - {table.snowballs[3][0]}
    assert change.after.struck(place.header.id, table.snowballs[3][0]) is None
    seen = []
    for _ in range(30):
        seen.append(len(objects.feature_effects()))
        objects.step()
    assert seen == [1] * 11 + [0] * 19, "the animation has 11 frames"


def test_going_back_in_time_begins_anew(world: FieldWorld) -> None:
    scene = FieldScene(world.place("C01"), View(at=(176, 750)))
    scene.set_moving(True)
    first, later = scene.render(30), scene.render(90)
    assert not np.array_equal(first, later) and np.array_equal(first, scene.render(30))


def test_effects_are_drawn_before_objects(world: FieldWorld) -> None:
    place = world.place("C01")
    objects = FieldObjects(place, fresh_save(world.game))
    objects.set_player(ObjectInstance(0, (centre(176), 0, centre(750)), SOUTH))
    shown = objects.shown([place.header.id], [(cell.x, cell.z) for cell in place.cells], player=True)
    order = [
        0 if isinstance(each.drawn, EffectModel) else 1 if isinstance(each.drawn, EffectBillboard) else 2
        for each in shown
    ]
    assert order == sorted(order) and set(order) >= {0, 2}
    models = [each.drawn.member for each in shown if isinstance(each.drawn, EffectModel)]
    assert SHADOW_MODEL in models and shown[0].source.event is None, "the player's shadow comes first"


def test_a_scene_takes_a_save(world: FieldWorld) -> None:
    place = world.place("T01")
    hidden = next(
        (header.id, index)
        for header in world.headers
        if (events := world.events(header.id)) is not None and world.place(header.id).cells
        for index, event in enumerate(events.objects)
        if fresh_save(world.game).hides(int(event["hidden_flag"]), int(event["script"]))
    )
    place = world.place(hidden[0])
    for save, there in ((None, False), (Save(world.game), True)):
        objects = FieldObjects(place, save or fresh_save(world.game)).of(hidden[0]).objects
        assert any(mover.setting.event == hidden[1] for mover in objects) == there
        scene = FieldScene(place, View(layers=("people",), all_cells=True, camera="top"), save=save)
        assert scene.save.flags == (frozenset() if there else fresh_save(world.game).flags)


def test_a_scene_of_the_save_after_entering(world: FieldWorld) -> None:
    """The script of the villa hides most of its visitors."""
    place = world.place("T07R0201")
    shown = {save: FieldScene(place, View(save=save)).save for save in (NEW, ENTERED)}
    assert shown[NEW] == fresh_save(world.game)
    assert shown[ENTERED] == arrive(world, place.header.id, fresh_save(world.game)).save
    there = {save: len(FieldObjects(place, one).of(place.header.id).objects) for save, one in shown.items()}
    assert there == {NEW: 17 - 2, ENTERED: 17 - 15}


def test_the_objects_of_a_feature_follow_its_state(world: FieldWorld) -> None:
    """Boulders of the Distortion World that have fallen are no longer on their floor, but in their pits on the next."""
    place = world.place(580)
    states = ('{"puzzle_flags": [3, 4, 5]}', '{"puzzle_flags": [4, 5, 6]}')
    before, after = (FieldScene(place, View(state=state, at=(14, 30))) for state in states)
    assert not np.array_equal(before.render(), after.render())
    before.set_feature(after.conditions.feature)
    assert np.array_equal(before.render(), after.render())
