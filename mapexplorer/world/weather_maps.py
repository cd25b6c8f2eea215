"""On which maps each weather is: by the header, by the table of the year, until a flag is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mapexplorer.world.files import WorldFiles

DAYS: Final = 366
"""The days of a leap year, which the table of the year has."""


class WeatherMap(NamedTuple):
    """A map with a weather: its header, on how many days of a leap year, and the flag (Flash, Defog) that ends it on
    entering; None without one."""

    header: int
    days: int
    until_flag: int | None


def weather_maps(world: WorldFiles, weather: int) -> Iterator[WeatherMap]:
    """The maps that have a weather on at least one day, by header."""
    columns = world.game.tables.yearly_weather_columns
    flag = world.game.tables.weather_effects.clearing_flags.get(weather)
    for header in world.headers:
        if header.weather in columns and world.yearly_weather is not None:
            days = int(np.count_nonzero(world.yearly_weather.value[:, columns.index(header.weather)] == weather))
        else:
            days = DAYS if world.weather(header).value == weather else 0
        if days:
            yield WeatherMap(header.id, days, flag)
