"""The weather in the window: both views play it, borders and warps change it, an action hides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest

from mapexplorer.gui.model.walking import PEOPLE
from tests.gui.gl_pictures import gl_picture

Wait = Callable[[Any], None]

CLOUDS, RAIN, BLIZZARD, HEAVY_SNOW, DIAMOND_DUST = 1, 2, 7, 6, 11
PATIENCE = 60_000
PLACES = {"demo": ("D01R0201", DIAMOND_DUST), "real": ("R215", RAIN)}
"""A map of each ROM with weather of its own, and this weather."""


def weather_of(window: Any) -> Any:
    """The weather state of the DS picture that is shown."""
    return window.jobs.rom.draw.scene(window.jobs.frame.request).weather_state


def rendered(window: Any) -> np.ndarray:
    """The picture of the OpenGL view at the size of the DS's, int (192, 256, 3)."""
    return gl_picture(window, overlays=False)


def drawn_by(sprites: Any) -> np.ndarray:
    """The pixels of the screen that sprites cover, bool (192, 256)."""
    margin = 128
    around = np.zeros((192 + 2 * margin, 256 + 2 * margin), bool)
    for sprite in sprites:
        height, width = sprite.image.shape[:2]
        left, top = sprite.x + margin, sprite.y + margin
        around[top : top + height, left : left + width] |= sprite.image[..., 3] > 0
    return around[margin:-margin, margin:-margin]


@pytest.fixture
def arrived(qtbot: Any, settle: Wait) -> Wait:
    """Waits until both views show what the model asks for."""

    def wait(window: Any) -> None:
        views = window.views
        if views.wanted != "ds":
            qtbot.waitUntil(
                lambda: views.shown == views.wanted and views.gl is not None and views.gl.complete, timeout=PATIENCE
            )
        settle(window)

    return wait


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, arrived: Wait) -> Any:
    """A window on a map with weather of its own, once of the demo world and once of the real ROM."""
    window = request.getfixturevalue(request.param)
    name, own = PLACES[request.param]
    window.explorer.go(window.explorer.world.place(name).header.id)
    arrived(window)
    assert weather_of(window).active == own
    return window


def walking_at(window: Any, name: str, x: int, z: int) -> None:
    """Let a player walk on tile (x, z) of a map, driven by hand."""
    window.explorer.go(window.explorer.world.place(name).header.id, None, (x, z))
    window.action("walk").trigger()
    window.walk_mode._timer.stop()
    window.walk_mode.walking.switch(PEOPLE)


def walk(window: Any, key: int, count: int) -> None:
    """Hold a key for `count` field updates."""
    QTest.keyPress(window.views.ds, key)
    for _ in range(count):
        window.walk_mode.update()
    QTest.keyRelease(window.views.ds, key)


@pytest.mark.gl
def test_both_views_play_the_same_weather(place: Any, arrived: Wait) -> None:
    place.action("split_view").trigger()
    place.explorer.layers.show("people", False)
    arrived(place)
    pictures = []
    for _ in range(6):
        place.explorer.clock.step()
        arrived(place)
        ours, theirs = rendered(place), place.jobs.frame.picture[..., :3].astype(int)
        shown = place.views.gl.contents.weather
        assert shown.state.tick == place.explorer.clock.tick + 1 == weather_of(place).tick
        assert shown.state.sprites == weather_of(place).sprites
        drawn = drawn_by(shown.sprites)
        assert drawn.sum() > 50 and np.abs(ours - theirs)[drawn].max() <= 4
        pictures.append(theirs)
    assert len({picture.tobytes() for picture in pictures}) > 1


@pytest.mark.parametrize("view", ["ds_view", pytest.param("gl_view", marks=pytest.mark.gl)])
def test_weather_moves_while_the_clock_plays(place: Any, qtbot: Any, arrived: Wait, view: str) -> None:
    place.action(view).trigger()
    arrived(place)
    seen = set()

    def changed() -> bool:
        if view == "gl_view":
            shown = place.views.gl.contents.weather
            seen.add(shown.state.sprites if shown is not None else ())
        else:
            seen.add(place.jobs.frame.picture.tobytes())
        return len(seen) >= 5

    place.action("play").trigger()
    qtbot.waitUntil(changed, timeout=PATIENCE)
    place.action("play").trigger()
    assert place.explorer.clock.tick >= 4


def test_walking_over_a_border_changes_the_weather(demo: Any, arrived: Wait) -> None:
    """Out of the fog of H01: the white behind the field fades out, and the fog."""
    walking_at(demo, "H01", 15, 29)
    walk(demo, Qt.Key_Down, 8)
    arrived(demo)
    inside = weather_of(demo)
    assert (inside.active, inside.step, inside.fog.densities[-1]) == (8, 6, 124)
    walk(demo, Qt.Key_Down, 60)
    arrived(demo)
    names = [demo.explorer.world.headers[header].internal_name for _, header in demo.explorer.zones]
    assert names == ["H01", "T01"] and demo.explorer.place.header.internal_name == "T01"
    fading = weather_of(demo)
    assert (fading.active, fading.next) == (8, 0) and fading.step < 6
    assert fading.fog.densities != inside.fog.densities and fading.blend.first_weight < inside.blend.first_weight
    demo.explorer.clock.step(400)
    arrived(demo)
    assert (weather_of(demo).active, weather_of(demo).fog.enabled) == (0, False)


def test_rain_ends_behind_a_border_and_does_not_come_back_with_the_clock(real: Any, arrived: Wait) -> None:
    walking_at(real, "R212B", 460, 835)
    walk(real, Qt.Key_Up, 8)
    arrived(real)
    assert (weather_of(real).active, weather_of(real).step) == (RAIN, 6)
    densities = weather_of(real).fog.densities
    assert weather_of(real).sprites and densities[-1] == 124
    walk(real, Qt.Key_Up, 32)
    arrived(real)
    assert real.explorer.place.header.internal_name == "R212A"
    assert [header for _, header in real.explorer.zones] == [371, 367]
    fading = weather_of(real)
    assert (fading.active, fading.next) == (RAIN, 0) and fading.step < 6 and fading.sprites
    assert fading.fog.densities != densities
    real.explorer.clock.step(200)
    arrived(real)
    assert (weather_of(real).active, weather_of(real).fog.enabled, weather_of(real).sprites) == (0, False, ())
    real.explorer.clock.restart()
    arrived(real)
    assert real.explorer.zones == ((0, 367),) and (weather_of(real).active, weather_of(real).tick) == (0, 1)


@pytest.mark.gl
def test_snow_goes_over_into_snow_in_both_views(real: Any, arrived: Wait) -> None:
    real.action("split_view").trigger()
    walking_at(real, "R217", 304, 381)
    walk(real, Qt.Key_Down, 40)
    arrived(real)
    assert real.explorer.place.header.internal_name == "R216"
    assert (weather_of(real).active, weather_of(real).next) == (BLIZZARD, HEAVY_SNOW)
    for _ in range(20):
        real.walk_mode.update()
    arrived(real)
    ours = real.views.gl.contents.weather.state
    assert {sprite.set for sprite in ours.sprites} == {sprite.set for sprite in weather_of(real).sprites} == {1, 9}
    assert ours.fog == weather_of(real).fog and ours.fog.enabled


def test_a_warp_enters_the_weather(demo: Any, arrived: Wait) -> None:
    """Out of a cave with fog into one with dust in the air."""
    walking_at(demo, "D01R0101", 22, 9)
    arrived(demo)
    assert weather_of(demo).active == 29 and not weather_of(demo).sprites
    walk(demo, Qt.Key_Up, 80)
    arrived(demo)
    inside = demo.explorer.place.header
    assert inside.internal_name == "D01R0201" and demo.explorer.zones == ((0, inside.id),)
    state = weather_of(demo)
    assert (state.active, state.step, state.tick) == (DIAMOND_DUST, 6, demo.explorer.clock.tick + 1)
    assert state.fog.densities[-1] == 124 and state.sprites


def test_the_action_hides_weather_and_shows_it_again(
    place: Any, arrived: Wait, shown_picture: Callable[[Any], np.ndarray]
) -> None:
    action, box = place.action("weather"), place.clock_bar.weather
    wet = shown_picture(place)
    assert action.isChecked() and box.currentData() is None
    action.trigger()
    arrived(place)
    dry = shown_picture(place)
    assert not action.isChecked() and box.currentData() == 0 and weather_of(place).active == 0
    assert (dry != wet).any(2).mean() > 0.02
    action.trigger()
    arrived(place)
    assert action.isChecked() and box.currentData() is None and (shown_picture(place) == wet).all()
    box.setCurrentIndex(box.findData(BLIZZARD))
    action.trigger()
    assert not action.isChecked()
    box.setCurrentIndex(box.findData(HEAVY_SNOW))
    assert action.isChecked()
    for _ in range(2):
        action.trigger()
    assert box.currentData() == HEAVY_SNOW


def test_clouds_are_not_taken_for_the_own_weather(place: Any, arrived: Wait) -> None:
    box = place.clock_bar.weather
    own = weather_of(place)
    box.setCurrentIndex(next(row for row in range(2, box.count()) if box.itemData(row) == CLOUDS))
    arrived(place)
    assert weather_of(place).active == CLOUDS and not weather_of(place).sprites
    box.setCurrentIndex(0)
    arrived(place)
    assert weather_of(place) == own


def test_the_status_bar_says_what_other_cameras_do_not_show(place: Any, arrived: Wait) -> None:
    words = place.status.weather
    assert not words.isVisible()
    place.action("camera_orbit").trigger()
    arrived(place)
    assert words.isVisible() and words.text() == "Fog and weather: only with the game's camera"
    assert weather_of(place) is None
    place.explorer.choose(weather=BLIZZARD)
    assert words.text() == "Sprites and background of the weather: only with the game's camera"
    place.explorer.choose(weather=0)
    assert not words.isVisible()
    place.explorer.choose(weather=None)
    place.action("camera_game").trigger()
    assert not words.isVisible()
    place.action("whole_matrix").trigger()
    assert "without the whole matrix" in words.text()
    place.action("whole_matrix").trigger()
    place.action("camera_top").trigger()
    place.explorer.go(place.explorer.world.place("T01").header.id)
    assert not words.isVisible(), "there is no weather"
