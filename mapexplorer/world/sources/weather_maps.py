"""On which maps each weather is: by the header, by the table of the year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formats.field.program_tables import YEARLY_WEATHER_DAYS

if TYPE_CHECKING:
    from mapexplorer.world.headers.header import Header
    from mapexplorer.world.sources.files import WorldFiles


def days_by_weather(world: WorldFiles, header: Header) -> dict[int, int]:
    """Weather of a header -> on how many days of a leap year it has it, ascending."""
    columns = tuple(world.game.tables.yearly_weathers)
    if header.weather not in columns or world.yearly_weather is None:
        return {world.weather(header).value: YEARLY_WEATHER_DAYS}
    weathers, days = np.unique(world.yearly_weather.value[:, columns.index(header.weather)], return_counts=True)
    return dict(zip(weathers.tolist(), days.tolist(), strict=True))


def weather_maps(world: WorldFiles, weather: int) -> list[tuple[int, int]]:
    """The maps that have a weather on at least one day: header, on how many days of a leap year."""
    possible = (weather, *world.game.tables.yearly_weathers)
    maps = (header for header in world.headers if header.weather in possible)
    days = ((header.id, days_by_weather(world, header).get(weather, 0)) for header in maps)
    return [(header, count) for header, count in days if count]
