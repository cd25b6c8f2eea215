"""On which maps each weather is: by the header, by the table of the year, until a flag is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from formats.field.program_tables import YEARLY_WEATHER_DAYS

if TYPE_CHECKING:
    from mapexplorer.world.headers.header import Header
    from mapexplorer.world.sources.files import WorldFiles


class WeatherMap(NamedTuple):
    """A map with a weather: its header, on how many days of a leap year, and the flag (Flash, Defog) that ends it on
    entering; None without one."""

    header: int
    days: int
    until_flag: int | None


def days_by_weather(world: WorldFiles, header: Header) -> dict[int, int]:
    """Weather of a header -> on how many days of a leap year it has it, ascending."""
    columns = tuple(world.game.tables.yearly_weathers)
    if header.weather not in columns or world.yearly_weather is None:
        return {world.weather(header).value: YEARLY_WEATHER_DAYS}
    weathers, days = np.unique(world.yearly_weather.value[:, columns.index(header.weather)], return_counts=True)
    return dict(zip(weathers.tolist(), days.tolist(), strict=True))


def weather_maps(world: WorldFiles, weather: int) -> Iterator[WeatherMap]:
    """The maps that have a weather on at least one day, by header."""
    flag = world.game.tables.weather_effects.clearing_flags.get(weather)
    possible = (weather, *world.game.tables.yearly_weathers)
    for header in world.headers:
        days = days_by_weather(world, header).get(weather, 0) if header.weather in possible else 0
        if days:
            yield WeatherMap(header.id, days, flag)
