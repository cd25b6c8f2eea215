"""A scene under other conditions shows what a scene that is entered under them shows."""

from __future__ import annotations

import numpy as np

from mapexplorer.games.field_tables import FogRegisters
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import TOP, View
from mapexplorer.scene.weather.state import OPAQUE, STEADY_DENSITIES
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


def test_another_second_is_as_if_the_place_was_entered_then() -> None:
    """People, shadows, terrain and props included."""
    place = FieldWorld(open_rom("demo")).place("T01")
    scene = FieldScene(place, View(12 * 3600))
    noon = scene.render()
    for second in (22 * 3600, 17 * 3600 + 1800):
        scene.set_second(second)
        shown = scene.render()
        assert np.array_equal(shown, FieldScene(place, View(second)).render())
        assert not np.array_equal(shown, noon)


def test_weather_is_that_of_the_header_none_or_chosen() -> None:
    world = FieldWorld(open_rom("demo"))
    foggy = next(number for number, weather in world.game.tables.weathers.items() if weather.fog is not None)
    place = world.place("T01")
    assert Conditions(place).weather == world.weather(place.header).value
    assert Conditions(place, weather_choice=0).fog is None
    chosen = Conditions(place, weather_choice=foggy)
    fog = world.game.tables.weathers[foggy].fog
    assert fog is not None
    steady = FogRegisters(True, fog.shift, fog.offset, fog.color, OPAQUE, STEADY_DENSITIES)
    assert chosen.weather == foggy and chosen.fog == steady
    assert Conditions(place, weather_choice=1).weather == 1
    assert View(weather=1, camera=TOP).shows_fog and not View(weather=None, camera=TOP).shows_fog
