"""Values that several threads ask for at the same time are made once, and nothing breaks while others are let go."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.field import map_matrix
from formats.field.land_data import LandData, LandSections
from formats.nitro import nsbmd
from mapexplorer.caching import Cache, shared_property
from mapexplorer.catalogue import build
from mapexplorer.catalogue.store import reference_store
from mapexplorer.games import Role
from mapexplorer.rom import Rom
from mapexplorer.system import kept_data
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources import rom_files

THREADS = 8

T = TypeVar("T")


def together(ask: Callable[[int], T]) -> list[T]:
    """What threads get that ask at the same time, each with its number."""
    barrier = Barrier(THREADS)

    def wait_and_ask(number: int) -> T:
        barrier.wait()
        return ask(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(wait_and_ask, range(THREADS)))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], Counter[str]]:
    """Counts the calls of a method, or a function of a module, which take so long that others begin meanwhile."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str) -> Counter[str]:
        method = getattr(owner, name)

        def slow(*arguments: Any, **named: Any) -> Any:
            counted[name] += 1
            time.sleep(0.02)
            return method(*arguments, **named)

        monkeypatch.setattr(owner, name, slow)
        return counted

    return count


def test_a_file_is_decoded_once(calls: Callable[[Any, str], Counter[str]]) -> None:
    world = FieldWorld(open_rom("demo"))
    counted = calls(nsbmd, "read_container")
    models = together(lambda number: world.prop_model(1))
    assert counted["read_container"] == 1 and all(model is models[0] for model in models)


def test_an_archive_and_the_program_are_opened_once(calls: Callable[[Any, str], Counter[str]]) -> None:
    rom = open_rom("demo")
    counted = calls(Rom, "_open_archive")
    calls(type(rom), "_stored_arm9")
    path = "fielddata/land_data/land_data.narc"
    archives = together(lambda number: rom.archive(path if number % 2 else f"/{path}"))
    programs = together(lambda number: rom.arm9())
    assert counted == {"_open_archive": 1, "_stored_arm9": 1}
    assert all(archive is archives[0] for archive in archives) and all(one is programs[0] for one in programs)


def test_a_place_its_ground_and_a_store_are_made_once(
    calls: Callable[[Any, str], Counter[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path)
    world = FieldWorld(open_rom("demo"))
    place = world.place("T01")
    counted = calls(map_matrix, "opened")
    calls(LandSections, "read_bdhc")
    terrains = together(lambda number: place.terrain)
    cells = together(lambda number: place.cells)
    plates = together(lambda number: place.terrain.bdhc(place.cells[0]))
    assert counted == {"opened": 1, "read_bdhc": 1}
    calls(build, "make_references")
    stores = together(lambda number: reference_store(world))
    assert counted["make_references"] == 1
    for found in (terrains, cells, plates, stores):
        assert all(one is found[0] for one in found)


class SlowIndex(int):
    """An index that lets other threads go on whenever it is looked up."""

    def __hash__(self) -> int:
        time.sleep(0)
        return int.__hash__(self)


def test_reading_more_files_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rom_files.KEPT, Role.LAND_DATA, 1)
    world = FieldWorld(open_rom("demo"))
    made = iter(range(1_000_000))
    monkeypatch.setattr(LandData, "from_bytes", lambda reader: (reader.path, next(made)))
    monkeypatch.setattr(rom_files, "lacking", lambda role, value: None)

    def read(number: int) -> bool:
        indices = [SlowIndex((number + step) % 2) for step in range(300)]
        return all(world.land(index)[0] == f"land_data.narc[{index}]" for index in indices)  # type: ignore[index]

    assert all(together(read))


def test_places_drawn_by_several_threads_are_those_of_one() -> None:
    from mapexplorer.scene.scene import FieldScene

    names = ["T01", "L01", "T01", "H01"]

    def picture(place: FieldPlace) -> bytes:
        return FieldScene(place).render(3).tobytes()

    alone = {name: picture(FieldWorld(open_rom("demo")).place(name)) for name in names}
    world = FieldWorld(open_rom("demo"))
    drawn = together(lambda number: picture(world.place(names[number % len(names)])))
    assert drawn == [alone[names[number % len(names)]] for number in range(THREADS)]


def test_what_raises_is_tried_anew_and_holds_nobody_up() -> None:
    cache: Cache[int, int] = Cache()
    attempts = iter(range(THREADS))

    def make() -> int:
        if next(attempts) < 3:
            raise ValueError
        return 7

    def ask(number: int) -> int | None:
        try:
            return cache.get(0, make)
        except ValueError:
            return None

    assert Counter(together(ask)) == {7: THREADS - 3, None: 3}


def test_a_value_may_need_others_of_its_cache() -> None:
    cache: Cache[int, int] = Cache()

    def triangle(number: int) -> int:
        return cache.get(number, lambda: number + triangle(number - 1) if number else 0)

    assert together(lambda number: triangle(50 + number)) == [sum(range(51 + number)) for number in range(THREADS)]


@given(st.lists(st.integers(0, 6), max_size=60), st.integers(1, 5))
def test_the_values_asked_for_last_are_kept(keys: list[int], limit: int) -> None:
    """As functools.lru_cache keeps them."""
    cache: Cache[int, str] = Cache(limit)
    made: list[int] = []
    expected: list[int] = []

    def make(key: int, to: list[int]) -> str:
        to.append(key)
        return f"value {key}"

    kept = lru_cache(limit)(lambda key: make(key, expected))
    for key in keys:
        assert cache.get(key, make, key, made) == kept(key) == f"value {key}"
        assert made == expected
    cache.clear()
    kept.cache_clear()
    for key in keys:
        assert cache.get(key, make, key, made) == kept(key)
    assert made == expected


def test_a_shared_property_belongs_to_its_object() -> None:
    class Square:
        def __init__(self, side: int) -> None:
            self.side = side
            self.asked = 0

        @shared_property
        def area(self) -> int:
            self.asked += 1
            time.sleep(0.01)
            return self.side**2

    squares = [Square(side) for side in range(2)]
    assert together(lambda number: squares[number % 2].area) == [0, 1] * (THREADS // 2)
    assert [square.asked for square in squares] == [1, 1]
    assert isinstance(Square.area, shared_property)
