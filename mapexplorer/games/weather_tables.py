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
    """The number and frequency of sprites. A spawn creates sprites each so many ticks."""

    number: int
    """Sprites of a spawn at first."""
    interval: int
    """Ticks between spawns at first."""
    last_number: int
    """Sprites of a spawn at the end of fading in."""
    last_interval: int
    """Ticks between spawns at the end of fading in."""
    interval_step: int
    """The change of the interval after every spawn."""
    every: int
    """The number of spawns after which the number of sprites changes."""
    number_step: int
    """That change."""
    out_number: int
    """Sprites of a spawn at the end of fading out."""
    out_interval: int
    """Ticks between spawns at the end of fading out."""
    out_interval_step: int
    """The change of the interval after every spawn while fading out."""
    out_number_step: int
    """The change of the number of sprites while fading out."""
    at_once: int
    """Sprites of a weather that is entered at once."""
    older_every: int
    """The number of such sprites after which they are older."""
    older: int
    """The ticks by which they are older, which they are advanced."""


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
    """The parts of a weather, None for those it lacks; sets by number. `blending`: the weight of the background in
    sixteenths after fading in, and the duration of fading in ticks. `sound` is 0 for none."""

    id: int
    sprite_set: int | None
    background_set: int | None
    fog: FogFade | None
    spawning: Spawning | None
    blending: tuple[int, int] | None
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
