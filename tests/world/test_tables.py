"""The constant tables: complete, and consistent with each other."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mapexplorer.games.field_tables import Behaviour, Fog
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world.direction import NORTH

tables = PLATINUM.tables


def test_behaviours() -> None:
    assert len(tables.behaviours) == 122
    assert tables.behaviour(0x02) == Behaviour(0x02, "tall grass", True, False)
    assert tables.behaviour(0x15).surf
    assert tables.behaviour_name(0x3C) == "0x3C"
    assert tables.behaviour_name(0x69) == "door"
    assert tables.behaviour_groups.bridge == frozenset(range(0x71, 0x7E))
    assert tables.behaviour_groups.blocks[NORTH] == {0x32, 0x34, 0x35, 0x49}
    assert len(fields(tables.behaviour_groups)) >= 25


def test_header_names() -> None:
    assert [tables.map_type_name(number) for number in (1, 2, 4, 9)] == [
        "town or city",
        "outdoors",
        "indoors",
        "9",
    ]
    assert tables.headers.table_offsets["CPUE"] == 0xE601C


def test_weather() -> None:
    assert set(tables.weathers) == set(range(31))
    assert tables.weathers[2].fog == Fog(3, 0x726F, (26, 26, 26))
    assert tables.weathers[0].fog is None
    assert tuple(tables.yearly_weathers) == (32, 33, 34, 35, 36)
    assert tables.weather_name(34) == "by day of the year (Route 216)"


def test_cameras() -> None:
    cameras = tables.cameras
    assert [camera.id for camera in cameras] == list(range(17))
    assert [camera.id for camera in cameras if camera.orthographic] == [4]
    assert (cameras[0].distance, cameras[0].angle_x, cameras[0].half_fov) == (2731713, 0xD602, 0x05C1)


def test_sprites() -> None:
    assert len(tables.object_graphics) == len(tables.sprite_parts) == 440
    assert set(tables.object_graphics) == set(tables.sprite_parts)
    for billboard, sequence in tables.sprite_parts.values():
        assert 421 <= billboard <= 444
        assert 445 <= sequence <= 467


def test_doors() -> None:
    assert len(tables.door_sounds) == 20
    assert tables.door_sounds[442] == "chime"


@pytest.mark.parametrize(
    ("hour", "name"), [(0, "late night"), (4, "morning"), (10, "day"), (17, "twilight"), (20, "night"), (23, "night")]
)
def test_times_of_day(hour: int, name: str) -> None:
    assert tables.time_of_day(hour * 3600).name == name
    assert tables.time_of_day(hour * 3600 + 3599).name == name
