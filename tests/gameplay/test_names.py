"""Names by bank and release, and the windows of place names."""

from __future__ import annotations

import pytest

from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world import FieldWorld
from mapexplorer.world.place_name_window import place_name_window, window_members


@pytest.mark.parametrize(
    "bank, number, text",
    [
        (NameBank.SPECIES, 25, "PIKACHU"),
        (NameBank.ITEMS, 17, "Potion"),
        (NameBank.TRAINERS, 1, "Tristan"),
        (NameBank.TRAINER_CLASSES, 2, "Youngster"),
        (NameBank.PLACES, 1, "Twinleaf Town"),
        (NameBank.NATURES, 0, "Hardy"),
        (NameBank.SPECIES, 100_000, ""),
        (NameBank.SPECIES, -1, ""),
    ],
)
def test_names(real: FieldWorld, bank: NameBank, number: int, text: str) -> None:
    assert name(real, bank, number) == text


@pytest.mark.parametrize(
    "code, places, natures",
    [("CPUE", 433, 202), ("CPUF", 433, 202), ("CPUJ", 427, None), ("CPUK", 428, None), ("", 433, 202)],
)
def test_banks_by_release(code: str, places: int, natures: int | None) -> None:
    assert PLATINUM.name_bank(NameBank.PLACES, code) == places
    assert PLATINUM.name_bank(NameBank.NATURES, code) == natures


def test_every_window_of_the_real_headers(real: FieldWorld) -> None:
    with_window = [header for header in real.headers if header.label_window]
    for number in {header.label_window for header in with_window}:
        header = next(one.id for one in with_window if one.label_window == number)
        window = place_name_window(real, header)
        assert window is not None
        assert len(window.tiles.data) == 96 * 32 and len(window.palette.colors) >= 16
    assert {header.label_window for header in with_window} <= set(range(1, 10)) and len(with_window) > 100
    assert window_members(0) is None and window_members(9) == (16, 17)


def test_a_world_without_names_and_windows(demo: FieldWorld) -> None:
    assert name(demo, NameBank.SPECIES, 25) == ""
    assert all(place_name_window(demo, header.id) is None for header in demo.headers)
