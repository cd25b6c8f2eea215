"""Every row of the vectors about the Distortion World, except what can be reached."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from mapexplorer.features.distortion_world import platforms, space
from mapexplorer.features.distortion_world.camera import CameraTurn, angle_delta
from mapexplorer.features.distortion_world.floors import Floor, pressed_from
from mapexplorer.features.distortion_world.jumps import jump
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.props import GhostProps, prop_position
from mapexplorer.features.distortion_world.sky import Sky, tint_level, tinted
from mapexplorer.features.distortion_world.space import PlatformKind
from mapexplorer.features.distortion_world.tables import DistortionTables
from mapexplorer.g3d.camera import orbit
from mapexplorer.games import DEFAULT
from mapexplorer.map_objects.gait import gaits_of
from mapexplorer.world.direction import Direction
from mapexplorer.world.terrain.terrain import TILE_LENGTH

Rows = Callable[[str], list[list[int]]]
Floors = dict[int, Floor]

OUTSIDE = 65534
UNKNOWN = 255


def test_platform_tiles(rows: Rows, floors: Floors) -> None:
    for header, number, x, y, z, *expected in rows("platform_tiles"):
        platform, tile = floors[header].platforms[number], (x, y, z)
        word, behaviour = platform.attribute(tile), platforms.behaviour(platform, tile)
        assert [
            OUTSIDE if word is None else word,
            behaviour is not None,
            UNKNOWN if behaviour is None else behaviour,
            platforms.collides(platform, tile),
            tile in platform.box,
        ] == expected


def test_searches_for_platforms(rows: Rows, floors: Floors) -> None:
    for header, x, y, z, wanted, has, found, kind, kind_there in rows("platform_find"):
        tile, of_floor = (x, y, z), floors[header].platforms
        platform = platforms.find_platform(of_floor, tile, PlatformKind(wanted))
        assert (-1 if platform is None else platform.number) == found
        assert (PlatformKind(wanted) is not PlatformKind.LAND and any(tile in one.box for one in of_floor)) == has
        assert (PlatformKind.LAND if platform is None else platform.kind) == kind == kind_there


def test_steps(rows: Rows, floors: Floors) -> None:
    groups = DEFAULT.tables.behaviour_groups
    for header, number, state, x, y, z, direction, to_x, to_y, to_z, bits in rows("steps"):
        platform = floors[header].platforms[number]
        assert platform.kind.surface == state
        target = platform.kind.surface.ahead((x, y, z), Direction(direction))
        assert target == (to_x, to_y, to_z)
        step = platforms.collision(groups, platform, target, Direction(direction))
        assert step.blocked | step.water << 5 | step.double_ledge << 7 == bits


def test_points(rows: Rows, floors: Floors) -> None:
    for header, x, y, z, direction, jump_point, camera_angle in rows("points"):
        pressed = (x, y, z), Direction(direction)
        for records, number in (
            (floors[header].jump_points, jump_point),
            (floors[header].camera_angles, camera_angle),
        ):
            assert pressed_from(records, *pressed) is (None if number == -1 else records[number])


def test_jumps(rows: Rows, floors: Floors) -> None:
    curve = gaits_of(DEFAULT.tables).ledge_curve
    for (header, number, extra_z), group in groupby(rows("jumps"), lambda row: row[:3]):
        expected = [row[4:] for row in group]
        point = floors[header].jump_points[number]
        tile = (point.box.x, point.box.y, point.box.z + extra_z)
        start, facings = space.position(tile), [expected[0][-1]] * (point.ticks - 1) + [point.facing]
        found = []
        for (at, hop, _), facing in zip(jump(point, tile, curve), facings, strict=True):
            x, y, z = ((now - before) / TILE_LENGTH for now, before in zip(at, start, strict=True))
            passed = [tile[0] + int(x), 2 * tile[1] + int(2 * y), tile[2] + int(z)]  # the height in half tiles
            found.append([*passed, *at, *hop, int(facing)])
        assert found == expected


def test_ghost_props(rows: Rows, floors: Floors, tables: DistortionTables) -> None:
    for header, number, group, kind, visible, *position in rows("ghost_props"):
        prop = floors[header].ghost_props[number]
        assert (prop.group, prop.kind, prop.group in floors[header].visible_groups) == (group, kind, visible)
        assert list(prop_position(tables, kind, prop.tile)) == position


def test_ghost_triggers(rows: Rows, floors: Floors, tables: DistortionTables) -> None:
    for header, group in groupby(rows("ghost_triggers"), lambda row: row[0]):
        ghosts = GhostProps(tables, floors[header], {})
        for _, x, y, z, direction, hidden in group:
            ghosts.pressed((x, y, z), Direction(direction))
            assert sum(1 << bit for bit in ghosts.hidden) == hidden & 0xFFFFFFFF


def test_camera(rows: Rows, tables: DistortionTables) -> None:
    for row in rows("camera"):
        angles, target, eye, up = (tuple(row[at : at + 3]) for at in (0, 3, 6, 9))
        assert orbit(tables.camera.distance, target, angles) == (eye, up)


def test_camera_turns(rows: Rows, floors: Floors) -> None:
    for header, group in groupby(rows("camera_turns"), lambda row: row[0]):
        camera = CameraTurn()
        for _, _, number, started, tick, *angles in group:
            if tick == 0:
                assert camera.start(floors[header].camera_angles[number]) == started
            assert list(camera.tick()) == angles


def test_angle_deltas(rows: Rows) -> None:
    for start, end, delta in rows("angle_delta"):
        assert angle_delta(start, end) == delta


def test_clouds(rows: Rows, tables: DistortionTables) -> None:
    expected = {(kind, tick, cloud): sprite for kind, cloud, tick, *sprite in rows("sky_clouds")}
    last = max(tick for _, tick, _ in expected)
    found = {}
    for kind in range(3):
        sky = Sky(tables.sky)
        sky.kind = kind
        for tick in range(1, last + 1):
            sky.tick()
            found.update({(kind, tick, cloud): list(sprite) for cloud, sprite in enumerate(sky.sprites())})
    assert {key: found[key] for key in expected} == expected


def test_sky_levels(rows: Rows, tables: DistortionTables) -> None:
    for height, level in rows("sky_level"):
        assert tint_level(tables.sky, 573, 0, height) == level


def test_sky_tints(rows: Rows, tables: DistortionTables) -> None:
    for level, color, *expected in rows("sky_tint"):
        channels = (color & 31, color >> 5 & 31, color >> 10 & 31)
        for tint, word in zip((tables.sky.background_tint, tables.sky.cloud_tint), expected, strict=True):
            red, green, blue = tinted(channels, tint, level)
            assert red | green << 5 | blue << 10 == word


def test_conditions_of_events(rows: Rows, tables: DistortionTables) -> None:
    for progress, header, number, holds in rows("event_conditions"):
        state = DistortionState(progress, frozenset(), frozenset())
        assert state.holds(tables.events[header][number].condition) == holds
