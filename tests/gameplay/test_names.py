"""Names by bank and release, and the windows of place names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank, Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world import FieldWorld
from mapexplorer.world.references.references import REFERENCES

(WINDOW,) = [one for one in REFERENCES if one.archive is Role.PLACE_NAME_WINDOWS]
"""The reference of a header to its window."""


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
    [
        ("CPUE", 433, 202),
        ("CPUF", 433, 202),
        ("CPUJ", 427, None),
        ("CPUK", 428, None),
        ("HACK", 433, 202),
        ("", 433, 202),
    ],
)
def test_banks_by_release(code: str, places: int, natures: int | None) -> None:
    assert PLATINUM.name_bank(NameBank.PLACES, code) == places
    assert PLATINUM.name_bank(NameBank.NATURES, code) == natures


def test_every_window_of_the_real_headers(real: FieldWorld) -> None:
    with_window = [header for header in real.headers if header.label_window]
    for number in {header.label_window for header in with_window}:
        header = next(one.id for one in with_window if one.label_window == number)
        (tiles, _), (palette, _) = WINDOW.found(real, header)
        assert (tiles, palette) == (2 * number - 2, 2 * number - 1)
        assert len(real.member(Role.PLACE_NAME_WINDOWS, tiles, Ncgr.from_bytes).data) == 96 * 32
        assert len(real.member(Role.PLACE_NAME_WINDOWS, palette, Nclr.from_bytes).colors) >= 16
    assert {header.label_window for header in with_window} <= set(range(1, 10)) and len(with_window) > 100


def test_a_world_without_names_and_windows(demo: FieldWorld) -> None:
    assert name(demo, NameBank.SPECIES, 25) == ""
    assert not demo.has(Role.PLACE_NAME_WINDOWS)


@pytest.mark.parametrize("number", [0, None])
def test_a_header_without_a_window(number: int | None) -> None:
    world: Any = SimpleNamespace(headers=[SimpleNamespace(label_window=number)])
    assert list(WINDOW.found(world, 0)) == []
