"""The weather's rules beside the reference: what it must never do, and what a user of the machine relies on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats import FormatError
from formats.binary import frozen
from formats.fixed import signed, truncated
from formats.nds.objects import OBJECT
from formats.nitro.nanr import INDEX, Frame, Nanr, Sequence
from formats.nitro.ncer import CellData, Ncer
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import TEXT, Nscr
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.weather.counters import linear, remainder
from mapexplorer.scene.weather.machine import IDLE, WeatherMachine
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.sprites import PLACES
from mapexplorer.scene.weather.state import WeatherState

TARGET = (1000 * 4096, 0, 500 * 4096)
WEATHERS = sorted(PLATINUM.tables.weathers)
SKY = np.full((192, 256, 4), 31, np.uint8)


def machine(seed: int = 1) -> WeatherMachine:
    camera = PLATINUM.tables.cameras[0]
    return WeatherMachine(PLATINUM.tables, camera.distance, camera.half_fov, TARGET, seed)


def entered(weather: int, seed: int = 1) -> WeatherMachine:
    result = machine(seed)
    result.enter(weather)
    return result


def steps(weather: WeatherMachine, count: int) -> list[WeatherState]:
    return [weather.step(TARGET) for _ in range(count)]


def test_the_generator_is_mt19937() -> None:
    """The first and the 10,000th number of its usual seed, as its authors publish them."""
    generator = MersenneTwister(5489)
    numbers = [generator.next() for _ in range(10_000)]
    assert (numbers[0], numbers[-1], generator.calls) == (3499211612, 4123659995, 10_000)


def test_division_as_c_has_it() -> None:
    assert [truncated(a, b) for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2))] == [3, -3, -3, 3]
    assert [remainder(a, b) for a, b in ((7, 60), (-7, 60), (-67, 60))] == [7, -7, -7]
    assert [signed(value, 16) for value in (0, 0x7FFF, 0x8000, -0x8001, 0x1FFFF)] == [0, 0x7FFF, -0x8000, 0x7FFF, -1]
    assert [linear(0, 4, tick, 8) for tick in range(9)] == [0, 0, 1, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize("weather", WEATHERS)
def test_a_weather_comes_runs_before_a_moving_camera_and_goes(weather: int) -> None:
    source = np.random.default_rng(weather)
    running = machine(weather)
    running.change(weather)
    x, y, z = TARGET
    for tick in range(1100):
        if tick == 700:
            running.change(0)
        x, z = (value + int(source.integers(-1 << 17, 1 << 17)) for value in (x, z))
        state = running.step((x, y, z))
        assert len(state.sprites) <= 2 * PLACES
        assert len({sprite.slot for sprite in state.sprites}) == len(state.sprites)
        assert all(0 <= density <= 127 for density in state.fog.densities)
        assert all(0 <= left <= right <= 255 for left, right in state.lines)
        if tick == 699:
            assert (state.active, state.step) == (weather, IDLE)
    assert (state.active, state.step, state.fog.enabled, state.sprites) == (0, IDLE, False, ())
    assert (state.layers, state.priority, state.blend.alpha, state.window.used) == (17, (1, 3), False, 0)


def test_a_state_stays_as_it_was_and_a_seed_repeats_it() -> None:
    first, again, other = (steps(entered(10, seed), 60) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert len(set(first)) == 60


def test_only_the_last_request_during_a_change_is_remembered() -> None:
    running = entered(14)
    running.change(1)
    steps(running, 5)
    for weather in (2, 13, 13):
        running.change(weather)
    states = steps(running, 400)
    seen = list(dict.fromkeys(state.active for state in states))
    assert seen == [14, 1, 13]
    assert states[-1].step == IDLE


def test_a_request_for_what_is_there_does_nothing() -> None:
    running = entered(9)
    running.change(9)
    assert {state.step for state in steps(running, 5)} == {IDLE}


def test_entering_ends_a_change() -> None:
    running = entered(7)
    running.change(2)
    running.change(5)
    steps(running, 3)
    running.enter(16)
    states = steps(running, 30)
    assert {(state.active, state.step, state.sprites, state.fog.enabled) for state in states} == {(16, IDLE, (), False)}


def test_snow_into_snow_never_loses_its_fog() -> None:
    snow = (5, 6, 7, 21)
    for old in snow:
        for new in snow:
            if old != new:
                running = entered(old)
                steps(running, 30)
                running.change(new)
                states = steps(running, 250)
                assert all(state.fog.enabled for state in states)
                assert {sprite.set for state in states[:60] for sprite in state.sprites} == {
                    PLATINUM.tables.weather_effects.effects[number].sprite_set for number in (old, new)
                }
                assert states[-1].active == new


# --- pictures


def build(index: int) -> Any:
    """Members of an archive in which every file is of the type that it must have: everything is one colour."""
    effects = PLATINUM.tables.weather_effects
    palettes = {one.palette for one in (*effects.background_sets, *effects.sprite_sets)}
    if index in palettes:
        return Nclr(4, False, frozen([0, 31 << 5, *[0] * 14], "<u2"))
    if index in {one.map for one in effects.background_sets}:
        return Nscr(256, 256, 0, TEXT, frozen(np.zeros(1024), "<u2"))
    if index in {one.cells for one in effects.sprite_sets}:
        return Ncer((CellData(frozen([(0, 0, 0)], OBJECT), 2, None),), 0)
    if index in {one.animations for one in effects.sprite_sets}:
        return Nanr((Sequence((Frame(0, 1), Frame(9, 1)), 0, INDEX, 1, 1),))
    return Ncgr(4, None, 0x10, False, False, b"\x11" * 32)


def test_pictures_of_an_archive_with_less_than_the_game_has() -> None:
    """Frames and cells that there are not are not drawn."""
    painter = WeatherPainter(PLATINUM.tables.weather_effects, build)
    drawn = set()
    for weather in WEATHERS:
        for state in steps(entered(weather), 20):
            if not np.array_equal(painter.compose(state, SKY), SKY):
                drawn.add(weather)
    fog_alone, behind, not_at_once = {18, 19, 26, 27, 28, 29, 30}, {8, 13}, {20}
    assert drawn == set(WEATHERS) - {0} - fog_alone - behind - not_at_once


@pytest.mark.parametrize("wrong", [lambda index: Nanr(()), lambda index: Nscr(8, 8, 0, TEXT, frozen([0], "<u2"))])
@pytest.mark.parametrize("weather", [2, 16])
def test_members_of_another_type_are_a_format_error(wrong: Callable[[int], Any], weather: int) -> None:
    painter = WeatherPainter(PLATINUM.tables.weather_effects, wrong)
    with pytest.raises(FormatError, match="weather_sys"):
        for state in steps(entered(weather), 5):
            painter.compose(state, SKY)


def test_files_that_are_too_large_fill_what_there_is() -> None:
    large = {
        Ncgr: Ncgr(4, None, 0, False, False, b"\x11" * (1 << 20)),
        Nclr: Nclr(8, True, frozen(np.zeros(9999), "<u2")),
    }

    def read(index: int) -> Any:
        value = build(index)
        return large.get(type(value), value)

    painter = WeatherPainter(PLATINUM.tables.weather_effects, read)
    for state in steps(entered(10), 3):
        assert painter.compose(state, SKY).shape == (192, 256, 4)
