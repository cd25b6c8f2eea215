"""The weather over time: that of the machine at each tick, forward and back, with changes."""

from __future__ import annotations

import dataclasses

import pytest

from formats.fixed import Vector
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.weather.machine import WeatherMachine
from mapexplorer.scene.weather.state import WeatherState
from mapexplorer.scene.weather.timeline import WeatherTimeline

TARGET = (1000 * 4096, 0, 500 * 4096)
CAMERA = PLATINUM.tables.cameras[0]
WITH_SPRITES = (2, 5, 7, 9, 10)


def moving(tick: int) -> Vector:
    """The target of a camera that follows a walk to the south-east."""
    return (1000 + tick) * 4096, 0, (500 + 2 * tick) * 4096


def timeline(weather: int, seed: int = 3) -> WeatherTimeline:
    result = WeatherTimeline(PLATINUM.tables, CAMERA.distance, CAMERA.half_fov, TARGET, seed)
    result.enter(weather, TARGET)
    return result


def machine(weather: int, seed: int = 3) -> WeatherMachine:
    result = WeatherMachine(PLATINUM.tables, CAMERA.distance, CAMERA.half_fov, TARGET, seed)
    result.enter(weather)
    return result


@pytest.mark.parametrize("weather", sorted(PLATINUM.tables.weathers))
def test_every_tick_is_that_of_the_machine(weather: int) -> None:
    running, shown = machine(weather), timeline(weather)
    for tick in range(300):
        assert shown.at(tick, moving(tick)) == running.step(moving(tick))


def test_the_first_picture_shows_the_first_update() -> None:
    state = timeline(2).at(0, TARGET)
    assert state.tick == 1 and state.fog.enabled and state.sprites


@pytest.mark.parametrize("weather", WITH_SPRITES)
def test_an_earlier_tick_has_the_same_weather_again(weather: int) -> None:
    shown = timeline(weather)
    first = [shown.at(tick, TARGET) for tick in range(301)]
    for tick in (300, 60, 0, 17, 300):
        assert shown.at(tick, TARGET) == first[tick]
    assert len(set(first)) == 301


def test_ticks_may_be_left_out() -> None:
    steps, leap = timeline(6), timeline(6)
    assert [steps.at(tick, TARGET) for tick in range(200)][-1] == leap.at(199, TARGET)


def test_asking_again_does_not_move_the_weather() -> None:
    shown = timeline(2)
    state = shown.at(40, moving(40))
    assert shown.at(40, moving(900)) is state


def changed(shown: WeatherTimeline, changes: dict[int, int], last: int) -> list[WeatherState]:
    states = []
    for tick in range(last + 1):
        states.append(shown.at(tick, TARGET))
        if tick in changes:
            shown.change(changes[tick])
    return states


def test_changes_happen_again_at_their_ticks() -> None:
    shown = timeline(5)
    states = changed(shown, {20: 7, 400: 14}, 900)
    assert [states[tick].active for tick in (20, 400, 900)] == [5, 7, 14]
    for tick in (30, 900, 0, 401, 250):
        assert shown.at(tick, TARGET) == states[tick]
    shown.at(30, TARGET)
    shown.change(9)
    other = shown.at(900, TARGET)
    assert other.active == 9, "it replaces the change after it"


def test_a_change_before_the_first_picture() -> None:
    shown = timeline(0)
    shown.change(2)
    states = [shown.at(tick, TARGET) for tick in range(100)]
    assert states[0].step < states[5].step and states[-1].active == 2
    assert shown.at(0, TARGET) == states[0]


def test_entering_starts_again() -> None:
    shown = timeline(10)
    changed(shown, {3: 2}, 60)
    shown.enter(10, TARGET)
    assert [shown.at(tick, TARGET) for tick in range(80)] == [
        dataclasses.replace(state) for state in changed(timeline(10), {}, 79)
    ]


def test_the_seed_decides_the_sprites() -> None:
    first, other = timeline(2, 1).at(50, TARGET), timeline(2, 2).at(50, TARGET)
    assert first.sprites != other.sprites and first.fog == other.fog


def test_an_unknown_weather_is_none() -> None:
    shown = timeline(99)
    state = shown.at(5, TARGET)
    assert (state.active, state.sprites, state.fog.enabled, state.has_picture) == (0, (), False, False)
    shown.change(-1)
    assert shown.at(50, TARGET).active == 0


def test_a_camera_without_a_view_does_not_scroll() -> None:
    for distance, half_fov in ((0, 1473), (4096, 0), (4096, 16384)):
        shown = WeatherTimeline(PLATINUM.tables, distance, half_fov, TARGET)
        shown.enter(2, TARGET)
        assert [shown.at(tick, moving(tick)) for tick in range(20)] == [shown.at(tick, TARGET) for tick in range(20)]


def test_negative_ticks_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        timeline(2).at(-1, TARGET)
