"""Hand-made maps for the rules of walking: tiles in words, plates in units, one header per map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.field import Bdhc, MapHeader, MapMatrix, ZoneEvents
from formats.field.init_script import InitScriptFile
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT
from mapexplorer.caching import Cache
from mapexplorer.games import DEFAULT, Game, Role
from mapexplorer.walk import Walker
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import Header
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.prop_numbers import PropNumbers
from tools.demo_world.plates import Plate, build_bdhc

FLAT = Plate(-256, -256, 256, 256, 0)


@dataclass
class Map:
    """A map of one cell, or of several from west to east: words of tiles, plates (units from the cell's centre)."""

    tiles: Mapping[tuple[int, int], int] = field(default_factory=dict)
    plates: Sequence[Plate] = (FLAT,)
    warps: Sequence[tuple[int, int, int, int]] = ()
    objects: Sequence[dict[str, int]] = ()
    triggers: Sequence[dict[str, int]] = ()
    signs: Sequence[dict[str, int]] = ()
    kind: int = 2
    bicycle: bool = True
    width: int = 1
    zones: Sequence[int] | None = None
    name: str = ""


@dataclass
class _Sections:
    attributes: np.ndarray
    bdhc: Bdhc

    def read_attributes(self) -> np.ndarray:
        return self.attributes

    def read_bdhc(self) -> Bdhc:
        return self.bdhc

    def read_props(self) -> tuple[()]:
        return ()


def _records(dtype: np.dtype[Any], rows: Sequence[dict[str, int]]) -> np.ndarray:
    records = np.zeros(len(rows), dtype)
    for record, row in zip(records, rows, strict=True):
        for name, value in row.items():
            record[name] = value
    return records


class HandMadeWorld(FieldWorld):
    """A world whose files are made here; everything else is the real class."""

    def __init__(self, maps: Sequence[Map], game: Game = DEFAULT) -> None:
        self.maps = maps
        self.game = game
        self._cells, self._land_parts = Cache(), Cache()
        self.prop_numbers = PropNumbers(self)
        self.headers = tuple(
            Header.of(
                MapHeader(
                    area=0,
                    preload_list=0,
                    matrix=index,
                    scripts=0,
                    init_scripts=0,
                    message_bank=0,
                    day_music=1000 + index,
                    night_music=1000,
                    wild_encounters=0xFFFF,
                    events=index,
                    label_text=index,
                    label_window=1,
                    weather=index,
                    camera_type=0,
                    map_type=made.kind,
                    battle_background=0,
                    bicycle=made.bicycle,
                    running=True,
                    escape_rope=False,
                    fly=False,
                ),
                id=index,
                internal_name=made.name or f"M{index}",
                symbolic_name="",
                location_name="",
                kind=game.tables.map_type_name(made.kind),
                outdoors=made.kind in game.outdoor_types,
            )
            for index, made in enumerate(maps)
        )
        self._lands: list[_Sections] = []
        self._matrices = []
        for made in maps:
            lands = []
            for column in range(made.width):
                words = np.zeros((32, 32), np.uint16)
                for (x, z), word in made.tiles.items():
                    if x // 32 == column:
                        words[z, x % 32] = word
                lands.append(len(self._lands))
                self._lands.append(_Sections(words, build_bdhc(made.plates)))
            zones = None if made.zones is None else np.array([made.zones], np.uint16)
            self._matrices.append(MapMatrix("m", zones, None, np.array([lands], np.uint16)))

    def archive(self, role: Role) -> None:
        return None

    def init_scripts(self, header: int) -> InitScriptFile:
        return InitScriptFile(())

    def matrix(self, index: int) -> MapMatrix:
        return self._matrices[index]

    def land_sections(self, index: int) -> Any:
        return self._lands[index]

    def prop_list(self, index: int) -> Any:
        return _NoProps

    def area(self, index: int) -> Any:
        return _NoProps

    def events(self, header: int) -> ZoneEvents:
        made = self.maps[header]
        warps = np.zeros(len(made.warps), WARP_EVENT)
        for record, (x, z, target, number) in zip(warps, made.warps, strict=True):
            record["x"], record["z"], record["header"], record["warp"] = x, z, target, number
        return ZoneEvents(
            _records(BACKGROUND_EVENT, made.signs),
            _records(OBJECT_EVENT, made.objects),
            warps,
            _records(COORD_EVENT, made.triggers),
        )


class _NoProps:
    prop_set = 0
    models = np.zeros(0, np.uint16)


@pytest.fixture
def make_world() -> Callable[..., HandMadeWorld]:
    """A function that makes a world of `Map`s."""
    return lambda *maps, game=DEFAULT: HandMadeWorld(maps or (Map(),), game)


@pytest.fixture
def make_map() -> type[Map]:
    """The class of hand-made maps."""
    return Map


@pytest.fixture
def make_walker(make_world: Callable[..., HandMadeWorld]) -> Callable[..., Walker]:
    """A function that puts a player on tile (x, z) of a single hand-made map."""

    def make(
        x: int, z: int, *, near: int | None = None, people: bool = True, game: Game = DEFAULT, **values: Any
    ) -> Walker:
        return Walker(make_world(Map(**values), game=game), 0, x, z, near=near, people=people)

    return make


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld(open_rom("demo"))
