"""Who is seen on a map that is entered: nobody twice, nobody who waits for a script that has not run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.scene.conditions import Conditions, shown_save
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.view import NEW, View
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.transition import arrive
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save

HOUR = 3600
RANKS = 569
"""The header whose events themselves place people in two rows on the same tiles."""


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def seen(world: FieldWorld, header: int, view: View) -> list[FieldObject]:
    place = world.place(header)
    conditions = Conditions.of_view(place, view, shown_save(place, view))
    return [mover for mover in FieldObjects.of_view(conditions, view).of(header).objects if mover.visible]


@pytest.mark.parametrize("hour", [6, 12, 20])
def test_no_tile_has_two_people_unless_the_events_say_so(real: FieldWorld, hour: int) -> None:
    for header in real.headers:
        tiles = defaultdict(list)
        for mover in seen(real, header.id, View(hour * HOUR)):
            tiles[mover.x, mover.z].append(mover.setting.event)
        shared = {tile: events for tile, events in tiles.items() if len(events) > 1}
        events = real.events(header.id)
        assert events is not None
        stored = {
            tile: np.flatnonzero((events.objects["x"] == tile[0]) & (events.objects["z"] == tile[1])).tolist()
            for tile in shared
        }
        assert not shared or (header.id == RANKS and shared == stored), header


def test_nobody_looks_like_the_player_unless_a_script_says_so(real: FieldWorld) -> None:
    """The graphics of the male player are 0; those of the female one are also those of the counterpart."""
    first = real.game.tables.new_game.first_graphics_variable
    for header in real.headers:
        events = real.events(header.id)
        assert events is not None
        graphics = real.game.tables.map_objects.variable_graphics
        set_here = arrive(real, header.id, fresh_save(real.game)).save.variables
        for mover in seen(real, header.id, View()):
            if mover.setting.graphics.id == 0:
                stored = int(events.objects[mover.setting.event]["graphics"])
                assert stored == 0 or first + graphics.index(stored) in set_here, header


def test_guests_come_at_their_hours(real: FieldWorld) -> None:
    """The restaurant is open from 9 to 22 o'clock and has ten guests, whom chance chooses; joggers run by day."""

    def events(header: int, hour: int, seed: int = 0) -> list[int | None]:
        return [mover.setting.event for mover in seen(real, header, View(hour * HOUR, seed=seed))]

    closed = events(337, 8)
    assert closed == events(337, 23) == events(337, 3)
    evening = events(337, 20)
    assert len(evening) == len(closed) + 10 and events(337, 9) == evening
    assert events(337, 20, seed=1) != evening
    assert events(356, 6) != events(356, 12)


def test_the_union_room_is_empty_without_a_connection(real: FieldWorld) -> None:
    assert [mover.setting.event for mover in seen(real, 466, View())] == [0]
    assert len(seen(real, 466, View(save=NEW))) == 51


def test_what_a_script_asks_is_listed(real: FieldWorld) -> None:
    names = real.game.tables.script_commands.names
    asked = arrive(real, 337, fresh_save(real.game, second=12 * HOUR)).assumed
    assert {names[number].name for number in asked} == {"GetRandom", "GetRandom2"}
    assert not arrive(real, 337, fresh_save(real.game, second=8 * HOUR)).assumed
