"""The data of weathers from `data/GAME/weather_effects.json`, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class FogFade:
    """The timing of fog fading in and out: ticks per step, and the delay in ticks before the first step."""

    speed_in: int
    speed_out: int
    delay_in: int
    delay_out: int


@dataclass(frozen=True)
class Spawning:
    """The number and frequency of sprites.

    A spawn creates `number` sprites each `interval` ticks at first, `last_number` and `last_interval` at the end of
    fading in: every spawn changes the interval by `interval_step`, every `every`-th one the number by `number_step`.
    The `out_` values are those of fading out. A weather that is entered at once starts with `at_once` sprites, which
    are advanced by a number of ticks that increases by `older` after each `older_every` sprites.
    """

    number: int
    interval: int
    last_number: int
    last_interval: int
    interval_step: int
    every: int
    number_step: int
    out_number: int
    out_interval: int
    out_interval_step: int
    out_number_step: int
    at_once: int
    older_every: int
    older: int


@dataclass(frozen=True)
class Blending:
    """The weight of a background in sixteenths after fading in, and the duration of fading in ticks."""

    weight: int
    ticks: int


class BackgroundSet(NamedTuple):
    """Members of the archive of weather pictures: palette (NCLR), tiles (NCGR), map (NSCR)."""

    palette: int
    tiles: int
    map: int


@dataclass(frozen=True)
class SpriteSet:
    """Members of the archive of weather pictures: tiles (NCGR), palette (NCLR), cells (NCER), animations (NANR)."""

    tiles: int
    palette: int
    cells: int
    animations: int


@dataclass(frozen=True)
class WeatherEffect:
    """The parts of a weather, None for those it lacks; sets by number. `sound` is 0 for none."""

    id: int
    sprite_set: int | None
    background_set: int | None
    fog: FogFade | None
    spawning: Spawning | None
    blending: Blending | None
    sound: int


@dataclass(frozen=True)
class WeatherTables:
    """The weathers by id and their sets. `lightning_sounds`: near and far. `dark_densities`: fog tables of weathers 24
    and 25. `sway`: offsets in pixels of the forest's shade, for 8 ticks each. `clearing_flags`: weather id -> the flag
    of the save that makes it clear when a map is entered (Flash, Defog)."""

    effects: Mapping[int, WeatherEffect]
    background_sets: tuple[BackgroundSet, ...]
    sprite_sets: tuple[SpriteSet, ...]
    lightning_sounds: tuple[int, int]
    dark_densities: tuple[int, ...]
    sway: tuple[int, ...]
    clearing_flags: Mapping[int, int]
