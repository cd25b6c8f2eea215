"""The Distortion World as a feature of the maps of its floors: what is drawn in its states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from formats.binary import FormatError
from formats.fixed import ONE, moved
from mapexplorer.features import PlayerTile, choices, choosing, entered
from mapexplorer.features.distortion_world.feature import DistortionWorld
from mapexplorer.features.distortion_world.files import DistortionFiles
from mapexplorer.features.distortion_world.platforms import collides
from mapexplorer.features.distortion_world.props import bob_cycle
from mapexplorer.features.distortion_world.tables import DistortionTables
from mapexplorer.features.distortion_world.walking import DistortionLook
from mapexplorer.games import DEFAULT
from mapexplorer.walk import Walker
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.terrain import TILE_LENGTH

FLOORS = (573, 574, 575, 576, 577, 579, 580, 581, 582, 583)


@pytest.fixture
def floor(real: WorldFiles) -> Callable[..., DistortionWorld]:
    def make(header: int, state: str | None = None) -> DistortionWorld:
        save = fresh_save(DEFAULT)
        feature = entered(save if state is None else choosing(save, header, state), header)
        assert isinstance(feature, DistortionWorld)
        return feature.with_files(real)

    return make


def effects(feature: DistortionWorld) -> tuple[Any, ...]:
    return feature.effects(None)  # type: ignore[arg-type]  # it does not depend on the ground


def test_every_floor_has_its_feature_and_the_unused_one_has_none() -> None:
    save = fresh_save(DEFAULT)
    assert [header for header in range(570, 590) if isinstance(entered(save, header), DistortionWorld)] == [*FLOORS]


@pytest.mark.parametrize("header", FLOORS)
def test_every_choice_is_a_state(floor: Callable[..., DistortionWorld], header: int) -> None:
    for choice in choices(DEFAULT.tables, header):
        feature = floor(header, choice.name)
        again = entered(Save(DEFAULT, features={feature.name: feature.state}), header)
        assert again == feature


def test_the_spots_are_on_free_tiles_with_a_camera_of_the_floor(
    floor: Callable[..., DistortionWorld], tables: DistortionTables, files: DistortionFiles, real: FieldWorld
) -> None:
    for header, spots in tables.spots.items():
        for spot in spots:
            there = files.floors[header]
            if spot.platform is not None:
                assert not collides(there.platforms[spot.platform], spot.tile)
            feature = floor(header, spot.name)
            x, y, z = moved(spot.tile, there.offset, -1)
            assert feature.spot == PlayerTile(x, z, y * TILE_LENGTH)
            walker = Walker(real, header, x, z, save=choosing(fresh_save(DEFAULT), header, spot.name))
            walked = walker.feature
            walker.tick()
            assert isinstance(walked, DistortionWorld) and isinstance(walker.shown, DistortionWorld)
            assert (walker.position[1], walked.platform) == (y * TILE_LENGTH, spot.platform)
            angles = walker.shown.angles
            base = floor(header).camera(DEFAULT.tables.cameras[0])
            turned = feature.camera(DEFAULT.tables.cameras[0])
            assert angles == feature.angles and any(angles) == (spot.camera_angle is not None)
            assert (turned == base) == (spot.camera_angle is None)


def test_the_floor_below_is_drawn_at_the_difference_of_the_offsets(floor: Callable[..., DistortionWorld]) -> None:
    assert floor(573).lands() == {574: (-21 * TILE_LENGTH, -32 * TILE_LENGTH, 25 * TILE_LENGTH)}
    assert not any(floor(header).lands() for header in (581, 582, 583))


def test_a_visit_begins_where_the_player_arrives_or_where_the_lift_ends(floor: Callable[..., DistortionWorld]) -> None:
    assert floor(573).arrival == PlayerTile(55 - 21, 40 - 10)
    assert floor(574).arrival == PlayerTile(40, 54 - 35)
    assert 0 in floor(574).progress.platform_flags and 0 not in floor(573).progress.platform_flags


def test_visible_ghost_props_bob_and_moving_platforms_do_not(
    floor: Callable[..., DistortionWorld], files: DistortionFiles, tables: DistortionTables
) -> None:
    found = effects(floor(574))
    ghosts = [prop for prop in files.floors[574].ghost_props if prop.group in files.floors[574].visible_groups]
    assert len(ghosts) == 21 and len(found) == 23
    assert all(each.heights == bob_cycle(tables) and each.alpha == 31 for each in found[:21])
    assert [(each.member, each.heights) for each in found[21:]] == [(126, ()), (127, ())]
    assert len(bob_cycle(tables)) == 32 and bob_cycle(tables)[16] == tables.bob_offsets[-1]


def test_obstacles_are_held_at_the_end_of_their_animation(
    floor: Callable[..., DistortionWorld], files: DistortionFiles
) -> None:
    held = {each.member: each.frame for each in effects(floor(577)) if each.frame is not None}
    assert held == {146: files.obstacle_frames[22], 147: files.obstacle_frames[23]}


def test_the_portal_of_the_last_room_comes_with_the_end(floor: Callable[..., DistortionWorld]) -> None:
    portal = 148
    assert portal not in [each.member for each in effects(floor(582))]
    [found] = [each for each in effects(floor(582, "end")) if each.member == portal]
    assert found.position == (15 * TILE_LENGTH + 8 * ONE, TILE_LENGTH + (8 - 14) * ONE, 12 * TILE_LENGTH + 16 * ONE)


def test_people_and_boulders_stand_on_the_map(floor: Callable[..., DistortionWorld]) -> None:
    save = fresh_save(DEFAULT)
    boulders = floor(579).objects(save)
    assert [(one.x, one.z, one.graphics.id) for one in boulders] == [(18, 34, 84), (41, 33, 84), (29, 22, 84)]
    [cynthia] = [one for one in floor(575, '{"progress": 4}').objects(save) if one.turn]
    assert (cynthia.turn, cynthia.x, cynthia.z, cynthia.height) == (90, 15, 20, 9 * TILE_LENGTH)


def test_the_sky_depends_on_the_height_in_the_space_of_all_floors(floor: Callable[..., DistortionWorld]) -> None:
    assert [floor(header).sky(TILE_LENGTH).tint for header in (573, 577, 581)] == [12, 5, 0]
    assert floor(582, '{"progress": 13}').sky(0)[:2] == (2, 12)


def test_the_camera_is_in_perspective(floor: Callable[..., DistortionWorld]) -> None:
    """Also on floors whose header has the parallel view of rooms, as all have."""
    parallel = next(camera for camera in DEFAULT.tables.cameras if camera.orthographic)
    camera = floor(574).camera(parallel)
    assert not camera.orthographic and (camera.near, camera.far) == (150 * 4096, 1700 * 4096)


def test_a_walk_replaces_camera_and_props(floor: Callable[..., DistortionWorld], tables: DistortionTables) -> None:
    feature = floor(573)
    look = DistortionLook((0x400, 0x800, 0), ())
    walked = replace(feature, look=look)
    camera = walked.camera(DEFAULT.tables.cameras[0])
    assert (camera.angle_x, camera.angle_y) == ((tables.camera.base_angle + 0x400) & 0xFFFF, 0x800)
    assert effects(walked) == ()


@pytest.mark.parametrize("state", ['{"spot": "north pole"}', '{"progres": 1}', "nowhere"])
def test_another_state_is_refused(state: str) -> None:
    with pytest.raises(ValueError, match="distortion world"):
        choosing(fresh_save(DEFAULT), 574, state)


def test_platforms_that_come_with_the_story(
    floor: Callable[..., DistortionWorld], files: DistortionFiles, tables: DistortionTables
) -> None:
    elevator = tables.prop_kinds[19].model
    assert elevator not in [each.member for each in effects(floor(580))]
    assert elevator in [each.member for each in effects(floor(580, '{"progress": 7}'))]
    everything = len(files.floors[582].ghost_props)
    assert (len(effects(floor(582))), len(effects(floor(582, "platforms")))) == (5, everything)


def test_floors_that_cannot_be_read_are_named() -> None:
    class Damaged(WorldFiles):
        def __init__(self) -> None:
            self.game = DEFAULT

        def distortion_floors(self) -> None:
            raise FormatError("tw_arc[0]", 4, "a number of floors", "the end")

    feature = entered(fresh_save(DEFAULT), 573)
    assert feature is not None and not feature.damaged
    feature = feature.with_files(Damaged())
    assert ["tw_arc[0]" in one.error for one in feature.damaged] == [True]
    assert feature.arrival is None and feature.lands() == {} and feature.objects(fresh_save(DEFAULT)) == ()
