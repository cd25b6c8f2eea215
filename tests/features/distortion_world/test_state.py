"""The state of a save, what depends on it, and the motion of props."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from formats.binary import FormatError, frozen
from formats.field import DistortionAttributes, DistortionFloor, DistortionFloorList
from formats.field.distortion_floor import CAMERA_ANGLE, GHOST_PROP, GHOST_TRIGGER, JUMP_POINT, PLATFORM
from formats.field.distortion_floor_list import FLOOR
from formats.fixed import ONE
from mapexplorer.features.distortion_world import events
from mapexplorer.features.distortion_world.files import DistortionFiles
from mapexplorer.features.distortion_world.floors import Floor, GhostProp, GhostTrigger, read_floors
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import (
    OPAQUE,
    ROCK,
    SMALL_PLATFORM,
    VINE_FLOWER,
    GhostProps,
    fixed_props,
    moving_platforms,
)
from mapexplorer.features.distortion_world.sky import sky_kind, tint_level
from mapexplorer.features.distortion_world.space import Box
from mapexplorer.features.distortion_world.tables import DistortionTables, distortion_tables
from mapexplorer.features.surface import Surface
from mapexplorer.g3d.camera import orbit
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import EAST, NORTH, SOUTH
from mapexplorer.world.opening import open_rom

TABLES = distortion_tables(DEFAULT.tables)


class FloorFiles(FieldWorld):
    """The files of one floor."""

    def __init__(self, floor: DistortionFloor) -> None:
        self.game = DEFAULT
        self.floor = floor

    def distortion_floors(self) -> DistortionFloorList:
        return DistortionFloorList(frozen([(573, 0, 0, 0, 0)], FLOOR))

    def distortion_floor(self, file: int) -> DistortionFloor:
        return self.floor

    def distortion_attributes(self, index: int) -> DistortionAttributes:
        return DistortionAttributes(frozen([0], "<u2"))


def state_with(**values: object) -> DistortionState:
    return DistortionState.of(TABLES, 573, values)


def test_a_fresh_save_has_the_state_of_a_new_game() -> None:
    first = DistortionState.of(TABLES, 573, {})
    assert (first.progress, first.puzzle_flags, first.platform_flags, first.cyrus) == (0, {0, 1, 2}, {3, 7}, 0)
    below = DistortionState.of(TABLES, 581, {})
    assert below.platform_flags == set(range(11)) - {5, 6, 8}
    assert DistortionState.of(TABLES, 573, below.plain()) == below


@pytest.mark.parametrize("value", [3, {"progres": 3}])
def test_a_state_of_another_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="progress"):
        DistortionState.of(TABLES, 573, value)


def test_objects_and_props_follow_the_state(tables: DistortionTables) -> None:
    def local_ids(header: int, state: DistortionState) -> list[int]:
        return [each.local_id for each in events.objects(tables, header, state)]

    def kinds(props: Iterable[object]) -> int:
        return len(list(props))

    fresh = state_with()
    assert local_ids(573, fresh) == [129]
    assert local_ids(573, state_with(progress=3)) == []
    assert local_ids(577, fresh) == [134] and local_ids(577, state_with(cyrus=1)) == []
    assert local_ids(579, fresh) == [128, 129, 130]
    assert local_ids(579, state_with(puzzle_flags=[1])) == [129]
    assert local_ids(582, state_with(progress=13)) == [128]
    assert kinds(fixed_props(tables, 582, state_with(progress=13))) == 0
    assert kinds(fixed_props(tables, 582, state_with(progress=14))) == 1
    assert kinds(fixed_props(tables, 573, fresh)) == 2
    assert [each.number for each in moving_platforms(tables, 577, fresh)] == [0]
    assert [each.number for each in moving_platforms(tables, 577, state_with(platform_flags=[4, 8]))] == [1, 2]


def test_a_ride_moves_the_platform_to_the_other_floor(tables: DistortionTables) -> None:
    before = state_with(platform_flags=[3, 7, 5])
    down = events.elevator_at(tables, 573, (40, 289, 54), before)
    assert down is not None and down.path is not None
    assert events.elevator_at(tables, 574, (40, 257, 54), before) is None
    after = before.after_ride(tables.elevator_paths[down.path])
    up = events.elevator_at(tables, 574, (40, 257, 54), after)
    assert up is not None and up.path is not None
    assert after.after_ride(tables.elevator_paths[up.path]) == before
    assert before.after_ride(tables.elevator_paths[10]).platform_flags == {6, 7}


def test_events_change_the_state_once(tables: DistortionTables) -> None:
    tile = (40, 289, 52)
    assert events.event_at(tables, 573, tile, state_with()) is None
    jumped = events.event_at(tables, 573, tile, state_with(progress=1))
    assert jumped is not None
    after = events.after_event(state_with(progress=1), jumped)
    assert after.progress == 2 and events.event_at(tables, 573, tile, after) is None
    room = state_with()
    entered = events.event_at(tables, 582, (15, 1, 23), room)
    assert entered is not None
    room = events.after_event(room, entered)
    assert 16 in room.puzzle_flags and events.event_at(tables, 582, (15, 1, 23), room) is None
    left = events.event_at(tables, 582, (15, 1, 24), room)
    assert left is not None and 16 not in events.after_event(room, left).puzzle_flags
    shadow = events.event_at(tables, 577, (98, 161, 57), room)
    assert shadow is not None
    assert events.event_at(tables, 577, (98, 161, 56), events.after_event(room, shadow)) is None


def test_waterfalls_and_teleports(tables: DistortionTables) -> None:
    passage = events.waterfall_at(tables, 577, Surface.CEILING, (104, 170, 77), EAST)
    assert passage is not None and passage.to_header == 579
    assert events.waterfall_at(tables, 577, Surface.CEILING, (104, 170, 80), EAST) is None
    assert events.waterfall_at(tables, 577, Surface.LAND, (104, 170, 77), EAST) is None
    for progress, there in ((9, None), (10, 582), (14, 582)):
        found = events.teleport_at(tables, 581, (89, 65, 57), NORTH, state_with(progress=progress))
        assert (found and found.to_header) == there
    back = events.teleport_at(tables, 582, (15, 1, 25), SOUTH, state_with())
    assert back is not None and back.to_header == 581


def test_the_sky_follows_the_story_in_giratinas_room(tables: DistortionTables) -> None:
    kinds = [sky_kind(tables.sky, 582, progress) for progress in range(9, 15)]
    assert kinds == [0, 1, 1, 1, 2, 0]
    assert sky_kind(tables.sky, 581, 13) == 0
    assert [tint_level(tables.sky, 582, progress, ONE) for progress in (12, 13, 14)] == [0, 12, 0]


def ghost_floor() -> Floor:
    props = (
        GhostProp(0, SMALL_PLATFORM, (4, 0, 4)),
        GhostProp(1, SMALL_PLATFORM, (5, 0, 4)),
        GhostProp(2, ROCK, (6, 0, 4)),
    )
    box = Box(4, 0, 4, 0, 0, 0)
    triggers = (GhostTrigger(1, EAST, True, box), GhostTrigger(0, EAST, False, box), GhostTrigger(2, EAST, False, box))
    return Floor(573, (0, 0, 0), (), (), (), props, triggers, frozenset({0, 2}))


def test_ghost_props_fade_by_one_and_obstacles_with_their_animation(tables: DistortionTables) -> None:
    ghosts = GhostProps(tables, ghost_floor(), {ROCK: 40})

    def seen() -> list[tuple[int, int | None, int | None]]:
        return [(prop.kind, prop.alpha, prop.frame) for prop in ghosts.props((0, 0, 0))]

    assert seen() == [(SMALL_PLATFORM, OPAQUE, None), (ROCK, OPAQUE, 40)]
    ghosts.pressed((4, 0, 4), SOUTH)
    ghosts.tick()
    assert seen() == [(SMALL_PLATFORM, OPAQUE, None), (ROCK, OPAQUE, 40)]
    ghosts.pressed((4, 0, 4), EAST)
    ghosts.tick()
    assert seen() == [(SMALL_PLATFORM, 30, None), (SMALL_PLATFORM, 1, None), (ROCK, OPAQUE, 38)]
    for _ in range(4):
        ghosts.tick()
    assert seen()[2] == (ROCK, 29, 30)
    for _ in range(26):
        ghosts.tick()
    assert seen() == [(SMALL_PLATFORM, OPAQUE, None)]


def test_platforms_bob_there_and_back_less_under_the_player(tables: DistortionTables) -> None:
    ghosts = GhostProps(tables, ghost_floor(), {})
    rest = ghosts.props((0, 0, 0))[0].position[1]
    offsets = []
    for _ in range(32):
        ghosts.tick()
        offsets.append(ghosts.props((0, 0, 0))[0].position[1] - rest)
        assert ghosts.bob((4, 0, 4)) == offsets[-1] // 2
    assert [offset / ONE for offset in offsets[1:16:2]] == [-1, -2, -4, -5, -5.5, -5.75, -6, -6]
    assert offsets[15:31] == offsets[15::-1] and offsets[31] == 0


def test_the_camera_looks_from_the_south_and_above(tables: DistortionTables) -> None:
    eye, up = orbit(tables.camera.distance, (0, 0, 0), (tables.camera.base_angle, 0, 0))
    assert eye[0] == 0 and eye[1] > 0 and eye[2] > 0
    assert up == (0, 2 * ONE, 0)


def test_constants_of_the_picture(tables: DistortionTables) -> None:
    assert (tables.fog.shift, tables.fog.offset, tables.fog.alpha, tables.fog.densities[31]) == (6, 0x7600, 16, 62)
    assert tables.edge_colors == ((4, 4, 4), (4, 3, 7), *((4, 4, 4),) * 6)
    assert (tables.camera.near, tables.camera.far, tables.camera.half_fov) == (150, 1700, 1665)
    assert tables.camera.half_fov_by_header == {582: 1473}


@pytest.mark.parametrize(
    "table, field, value",
    [
        ("platforms", "kind", 4),
        ("jump_points", "direction", 4),
        ("jump_points", "platform", 1),
        ("jump_points", "ticks", 0),
        ("jump_points", "hop_axis", 3),
        ("camera_angles", "ticks", 0),
        ("camera_angles", "direction", -1),
        ("ghost_props", "kind", 25),
        ("ghost_triggers", "direction", 9),
    ],
)
def test_numbers_that_the_game_does_not_have_are_format_errors(table: str, field: str, value: int) -> None:
    dtypes = {
        "platforms": PLATFORM,
        "jump_points": JUMP_POINT,
        "camera_angles": CAMERA_ANGLE,
        "ghost_props": GHOST_PROP,
        "ghost_triggers": GHOST_TRIGGER,
    }
    records = {name: np.ones(1, dtype) for name, dtype in dtypes.items()}
    records["jump_points"]["platform"] = 0
    files = FloorFiles(DistortionFloor(**records, visible_groups=0))
    assert len(read_floors(files)) == 1
    records[table][field] = value
    with pytest.raises(FormatError, match=r"tw_arc.narc\[1\]"):
        read_floors(files)


def test_a_rom_without_the_distortion_world_has_no_floors() -> None:
    assert not read_floors(FieldWorld(open_rom("demo")))


def test_the_animations_of_obstacles_have_frames(files: DistortionFiles) -> None:
    assert files.obstacle_frames == {VINE_FLOWER: 30, ROCK: 30}
