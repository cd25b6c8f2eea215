"""The weather against the reference: every tick of every scenario in all its columns, and every whole picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from formats import nitro
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.weather.machine import WeatherMachine
from mapexplorer.scene.weather.painter import WeatherPainter
from mapexplorer.scene.weather.state import WeatherState
from mapexplorer.world.opening import open_rom

Arrays = dict[str, npt.NDArray[Any]]
START = (1608 * 4096, 0, 808 * 4096)
"""Where the camera looks before the first tick."""


def arrays(path: Path) -> Arrays:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="module", params=["weather", "weather-2"])
def folder(vectors: Path, request: pytest.FixtureRequest) -> Path:
    path: Path = vectors / request.param
    return path


@pytest.fixture(scope="module")
def counts(folder: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((folder / "counts.json").read_text())
    return found


@pytest.fixture(scope="module")
def ticks(folder: Path) -> Arrays:
    return arrays(folder / "weather_state.npz")


def run(ticks: Arrays, scenario: dict[str, Any], end: int | None = None) -> Iterator[tuple[int, WeatherState]]:
    """(row, state) of the ticks of a scenario, up to the row before `end`."""
    machine = WeatherMachine(PLATINUM.tables, scenario["distance"], scenario["half_fov"], START, scenario["seed"])
    requests = {"enter": machine.enter, "change": machine.change}
    first, last = scenario["rows"]
    for row in range(first, last if end is None else end):
        for tick, request, weather in scenario["script"]:
            if tick == int(ticks["tick"][row]) - 1:
                requests[request](weather)
        x, y, z = ticks["target"][row].tolist()
        yield row, machine.step((x, y, z))


def columns(state: WeatherState) -> dict[str, Any]:
    """A state as the reference holds it."""
    fog, blend, window = state.fog, state.blend, state.window
    color = fog.color[0] | fog.color[1] << 5 | fog.color[2] << 10
    inside, outside = int(window.inside_blends), int(window.outside_blends)
    return {
        "tick": state.tick,
        "active": state.active,
        "next": state.next,
        "step": state.step,
        "fog": [int(fog.enabled), 0, fog.shift, fog.offset, color, fog.alpha],
        "density": list(fog.densities),
        "blend": [int(blend.alpha), blend.first, blend.second, blend.first_weight, blend.second_weight],
        "layers": state.layers,
        "priority": list(state.priority),
        "bg2_offset": list(state.offset),
        "bg2_members": list(state.background),
        "window": [window.used, window.inside, inside, window.outside, outside],
        "sound": state.sound,
        "rng_calls": state.random_calls,
    }


def sprite_columns(state: WeatherState) -> dict[str, Any]:
    return {
        "sprite_xy": [[sprite.x, sprite.y] for sprite in state.sprites],
        "sprite_frame": [sprite.frame for sprite in state.sprites],
        "sprite_set": [sprite.set for sprite in state.sprites],
        "sprite_slot": [sprite.slot for sprite in state.sprites],
    }


def test_every_tick_in_every_column(ticks: Arrays, counts: dict[str, int]) -> None:
    expected = {name: ticks[name].tolist() for name in [*columns(WeatherMachine(PLATINUM.tables, 1, 1, START).state())]}
    starts = ticks["sprite_start"].tolist()
    window_rows = {row: index for index, row in enumerate(ticks["window_rows"].tolist())}
    wrong: dict[str, list[str]] = {}
    compared = windows = 0
    for scenario in json.loads(str(ticks["meta"])):
        for row, state in run(ticks, scenario):
            names = [name for name, value in columns(state).items() if value != expected[name][row]]
            for name, value in sprite_columns(state).items():
                if value != ticks[name][starts[row] : starts[row + 1]].tolist():
                    names.append(name)
            if row in window_rows:
                windows += 1
                if np.array(state.lines).tolist() != ticks["window_lines"][window_rows[row]].tolist():
                    names.append("window_lines")
            compared += 1
            if names:
                wrong.setdefault(scenario["name"], [f"tick {state.tick}", *names])
    assert not wrong
    assert compared == counts["weather_state.npz"] == len(ticks["tick"])
    assert windows == len(window_rows)


@pytest.mark.parametrize("folder", ["weather"], indirect=True)
def test_every_picture(rom_path: Path, folder: Path, ticks: Arrays, counts: dict[str, int]) -> None:
    frames = arrays(folder / "weather_frames.npz")
    scenarios = json.loads(str(ticks["meta"]))
    wrong = []
    compared = 0
    with open_rom(rom_path) as rom:
        archive = rom.archive(PLATINUM.path(Role.WEATHER_PICTURES))
        painter = WeatherPainter(PLATINUM.tables.weather_effects, lambda index: nitro.read(archive.reader(index)))
        for number, row in enumerate(frames["state_row"].tolist()):
            (scenario,) = [one for one in scenarios if one["rows"][0] <= row < one["rows"][1]]
            assert (scenario["name"], int(ticks["tick"][row])) == (frames["name"][number], frames["tick"][number])
            *_, (_, state) = run(ticks, scenario, row + 1)
            shown = painter.compose(state, frames["picture3d"][number])
            if not np.array_equal(shown[..., :3], frames["frame"][number]) or (shown[..., 3] != 31).any():
                wrong.append(f"{scenario['name']}, tick {state.tick}")
            compared += 1
    assert not wrong
    assert compared == counts["weather_frames.npz"]
