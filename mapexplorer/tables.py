"""The constant tables of the game that no file of the ROM holds: names of numbers, weather, cameras, sprites, walking.

They lie in `data/*.json`, each with an `about`; this module is their only reader and loads each when it is first asked
for. Camera and sprite tables are stand-ins for ROMs without overlay 5.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

Rgb5 = tuple[int, int, int]


@cache
def table(name: str) -> dict[str, Any]:
    """The raw table `data/NAME.json`. What has no accessor below is read from here (`movement`, `engine`)."""
    text = resources.files("mapexplorer.data").joinpath(f"{name}.json").read_text("utf-8")
    values: dict[str, Any] = json.loads(text)
    return values


@dataclass(frozen=True)
class Behaviour:
    """A tile behaviour; `name` is empty for ids without a known meaning."""

    id: int
    name: str
    wild_encounters: bool
    surf: bool


@cache
def behaviours() -> dict[int, Behaviour]:
    """The known tile behaviours by id, ascending."""
    return {row[0]: Behaviour(*row) for row in table("terrain")["behaviours"]}


def behaviour(number: int) -> Behaviour:
    """A tile behaviour; one that nobody knows behaves like plain ground."""
    return behaviours().get(number) or Behaviour(number, "", False, False)


def behaviour_name(number: int) -> str:
    """A behaviour's name, or its number in hexadecimal when it has none."""
    return behaviour(number).name or f"0x{number:02X}"


@cache
def behaviour_group(name: str) -> frozenset[int]:
    """A group that the game's code tests for, for instance `bridge`, `blocks north`, `ledge south`, `warp on step`."""
    return frozenset(table("terrain")["groups"][name])


def map_type_name(number: int) -> str:
    """`town or city`, `outdoors`, `cave`, `indoors` ..., or the number when there is no such type."""
    return str(table("headers")["map types"].get(str(number), number))


def label_window_name(number: int) -> str:
    """The style of the place-name popup, or the number when there is no such style."""
    return str(table("headers")["label windows"].get(str(number), number))


def battle_background_name(number: int) -> str:
    """A battle background, or the number when there is no such one."""
    return str(table("headers")["battle backgrounds"].get(str(number), number))


def header_table_offsets() -> dict[str, int]:
    """Game code -> where tools have found the header table in the ARM9 program. A hint only."""
    return dict(table("headers")["table offsets"])


def header_limits() -> dict[str, int]:
    """Field of a map header -> the largest value that the game knows."""
    return dict(table("headers")["limits"])


@dataclass(frozen=True)
class Fog:
    """Fog registers: `shift` (each of 32 steps covers 0x400 >> shift of the 15-bit depth), where it begins, RGB5."""

    shift: int
    offset: int
    color: Rgb5


@dataclass(frozen=True)
class Weather:
    """A weather id of the headers: a name, what it looks like, and its fog, if it has any."""

    id: int
    name: str
    visual: str
    fog: Fog | None


@cache
def weathers() -> dict[int, Weather]:
    """The weathers by id. Ids of 32 and above are not among them: they look up the day of the year."""
    result = {}
    for number, name, visual, fog in table("weather")["weathers"]:
        result[number] = Weather(number, name, visual, Fog(fog[0], fog[1], (fog[2], fog[3], fog[4])) if fog else None)
    return result


@cache
def yearly_weather_columns() -> tuple[int, ...]:
    """The header weathers that look up the day of the year, in the order of that table's columns."""
    return tuple(row[0] for row in table("weather")["yearly columns"])


def weather_name(number: int) -> str:
    """A weather's name; for one that looks up the day of the year, whose column it is."""
    for identifier, place in table("weather")["yearly columns"]:
        if identifier == number:
            return f"by day of the year ({place})"
    known = weathers().get(number)
    return known.name if known else str(number)


@dataclass(frozen=True)
class Camera:
    """A camera type: fx32 distance and clip planes, u16 angles (65536 = a turn), half of the vertical field of view."""

    id: int
    name: str
    distance: int
    angle_x: int
    angle_y: int
    angle_z: int
    orthographic: bool
    half_fov: int
    near: int
    far: int


@cache
def cameras() -> tuple[Camera, ...]:
    """The camera types of the retail game."""
    return tuple(
        Camera(number, name, distance, angle, 0, 0, orthographic, fov, near, far)
        for number, name, distance, angle, orthographic, fov, near, far in table("cameras")["cameras"]
    )


@cache
def object_graphics() -> dict[int, int]:
    """Object graphics id -> member of mmodel.narc with its pictures, in the retail game."""
    return {row[0]: row[1] for row in table("sprites")["graphics"]}


@cache
def sprite_parts() -> dict[int, tuple[int, int]]:
    """Object graphics id -> members of mmodel.narc with its billboard model and its frame sequence."""
    sprites = table("sprites")
    billboards, sequences = sprites["billboards"], sprites["sequences"]
    return {row[0]: (billboards[row[2]], sequences[row[3]]) for row in sprites["graphics"]}


@cache
def sign_models() -> dict[int, int]:
    """Object graphics id -> member of fldeff.narc, for the signs that are models."""
    return {int(graphics): member for graphics, member in table("sprites")["signs in fldeff"].items()}


@cache
def door_sounds() -> dict[int, str]:
    """Prop model -> `hinged`, `sliding` or `chime`, for the doors."""
    return {model: sound for sound, models in table("props")["doors"].items() for model in models}


@dataclass(frozen=True)
class TimeOfDay:
    """A time of day by the game's clock (not its light): hours from `first` to before `end`; a person's shadow then."""

    name: str
    first: int
    end: int
    night_music: bool
    shadow_alpha: int
    shadow_x: float
    shadow_z: float


@cache
def times_of_day() -> tuple[TimeOfDay, ...]:
    """Late night, morning, day, twilight, night."""
    return tuple(TimeOfDay(*row) for row in table("time")["times"])


def time_of_day(second: int) -> TimeOfDay:
    """The time of day at a second of the day."""
    hour = second // 3600 % 24
    return next(time for time in times_of_day() if time.first <= hour < time.end)
