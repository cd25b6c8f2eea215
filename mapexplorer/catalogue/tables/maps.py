"""Headers, matrices with their cells, areas, lands with their terrain attributes and props, and all references."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

import numpy as np

from formats.field.area import AreaRecord
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.map_matrix import EMPTY_CELL, MapMatrix
from formats.field.terrain_attribute import behaviours, collides
from formats.fixed import ONE
from mapexplorer.catalogue.schema import FORMAT
from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.games import Role
from mapexplorer.world.headers.header import Header
from mapexplorer.world.sources.weather_maps import days_by_weather

_RAW: Final = (
    "area",
    "preload_list",
    "matrix",
    "scripts",
    "init_scripts",
    "message_bank",
    "day_music",
    "night_music",
    "wild_encounters",
    "events",
    "label_text",
    "label_window",
    "weather",
    "camera_type",
    "map_type",
    "battle_background",
    "bicycle",
    "running",
    "escape_rope",
    "fly",
)
"""The fields of a header that are columns as they are, in the order of the columns."""


def fill_maps(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of the whole ROM, of headers, and of the files that they lead to."""
    world = source.world
    release = ("release", world.game.release(world.rom))
    yield "about", [("format", str(FORMAT)), ("game", world.rom.code), release]
    yield "header", map(_header, world.headers)
    yield "header_weather", _weathers(source)
    yield "sequence", _sequences(source)
    yield (
        "matrix",
        (
            (number, matrix.prefix, matrix.width, matrix.height, matrix.headers is not None)
            for number, matrix in source.each(source.members(Role.MAP_MATRIX), world.matrix)
        ),
    )
    yield "cell", _cells(source)
    areas: Iterator[tuple[int, AreaRecord]] = source.each(source.members(Role.AREA_DATA), world.area)
    yield "area", ((number, area.prop_set, area.terrain_set, area.light_set) for number, area in areas)
    yield (
        "prop_set",
        (
            (number, prop)
            for number, listed in source.each(source.members(Role.AREA_BUILD), world.prop_list)
            for prop in sorted(set(listed.models.tolist()))
        ),
    )
    yield "behaviour", map(dataclasses.astuple, world.game.tables.behaviours.values())
    yield from _lands(source)


def _header(header: Header) -> Row:
    raw = [getattr(header, field) for field in _RAW]
    if header.wild_encounters == NO_WILD_ENCOUNTERS:
        raw[_RAW.index("wild_encounters")] = None
    return (
        header.id,
        header.internal_name,
        header.symbolic_name,
        header.location_name,
        header.name,
        header.kind,
        header.outdoors,
        *raw,
    )


def _weathers(source: Source) -> Iterator[Row]:
    """The weather of each header, by the number of its days in a leap year."""
    world = source.world
    for header in world.headers:
        for weather, days in days_by_weather(world, header).items():
            yield header.id, weather, world.game.tables.weather_name(weather), days


def _sequences(source: Source) -> Iterator[Row]:
    titles = source.world.game.tables.music.titles
    for number, name in enumerate(source.part(lambda: source.world.sequence_names) or ()):
        title, time = titles.get(number, ("", ""))
        if name is not None or title:
            yield number, name, title, time


def _cells(source: Source) -> Iterator[Row]:
    """The cells with land. Without a header section the header and the area depend on who enters, and are NULL."""
    world = source.world
    for number, matrix in source.each(source.members(Role.MAP_MATRIX), world.matrix):
        if matrix.headers is None:
            for z, x in np.argwhere(matrix.land != EMPTY_CELL).tolist():
                yield number, x, z, int(matrix.land[z, x]), _altitude(matrix, x, z), None, None
        else:
            for (x, z), cell in world.cells(number, 0).items():
                yield number, x, z, cell.land, cell.altitude, int(matrix.headers[z, x]), cell.area.value


def _altitude(matrix: MapMatrix, x: int, z: int) -> int:
    return int(matrix.altitudes[z, x]) if matrix.altitudes is not None else 0


def _lands(source: Source) -> Iterator[tuple[str, Rows]]:
    """The attribute words as stored: 32 rows of 32 words of 16 bits, little-endian; and the props."""
    tables: dict[str, list[Row]] = {name: [] for name in ("land", "land_behaviour", "prop_placement")}
    world, numbers = source.world, source.members(Role.LAND_DATA)
    for number, words in source.attributes:
        tables["land"].append((number, words.astype("<u2").tobytes()))
        present, where = np.unique(behaviours(words).ravel(), return_inverse=True)
        tiles = np.bincount(where)
        blocked = np.bincount(where, collides(words).ravel()).astype(int)
        counts = zip(present.tolist(), tiles.tolist(), blocked.tolist(), strict=True)
        tables["land_behaviour"] += [(number, *row) for row in counts]
    for number, records in source.each(numbers, world.placed_props):
        for index, record in enumerate(records):
            places = (part / ONE for field in ("position", "scale") for part in record[field].tolist())
            tables["prop_placement"].append((number, index, int(record["model"]), *places))
    yield from tables.items()
