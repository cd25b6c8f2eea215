"""Animation list entries and the draw lists of props."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from formats import FormatError, same
from formats.binary import Notes, frozen
from formats.field import BuildModelMatshp, PropAnimations
from formats.field.build_model_matshp import PAIR
from mapexplorer.rom import Rom

DOOR = PropAnimations(1, 3, 0, 0, (12, 13, -1, -1))
NOTHING = PropAnimations(0xFF, 0xFF, 0, 0, (-1, -1, -1, -1))
PAIRS = (frozen([(0, 1), (2, 3)], PAIR), None, frozen([(4, 5)], PAIR))


def test_indices_are_signed_words_behind_four_bytes() -> None:
    assert DOOR.to_bytes() == bytes((1, 3, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0)) + b"\xff" * 8
    assert PropAnimations.from_bytes(DOOR.to_bytes()) == DOOR
    assert DOOR.used == (12, 13) and DOOR.has_animations and not DOOR.automatic
    assert NOTHING.used == () and not NOTHING.has_animations


@pytest.mark.parametrize("presence", [0, 2, 0xFF])
def test_any_byte_but_one_counts_as_no_animations(presence: int) -> None:
    notes: Notes = []
    entry = PropAnimations.from_bytes(replace(DOOR, presence=presence).to_bytes(), notes=notes)
    assert not entry.has_animations and entry.used == ()
    assert len(notes) == (presence != 0xFF)


@pytest.mark.parametrize(
    "edit, places",
    [
        ({"flags": 0}, {1}),
        ({"bicycle_slope": 1}, {2}),
        ({"animations": (12, 13, 97, -1)}, {12, 13, 14, 15}),
        ({"animations": (-1, 13, -1, -1)}, {4, 5, 6, 7}),
    ],
)
def test_an_edited_entry_changes_its_own_bytes(edit: dict[str, Any], places: set[int]) -> None:
    before, after = DOOR.to_bytes(), replace(DOOR, **edit).to_bytes()
    assert {i for i in range(20) if before[i] != after[i]} == places
    assert PropAnimations.from_bytes(after) == replace(DOOR, **edit)


@pytest.mark.parametrize("edit", [{"flags": 256}, {"animations": (1 << 31, 0, 0, 0)}, {"animations": (1, 2, 3)}])
def test_an_entry_without_room_is_refused(edit: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        replace(DOOR, **edit).to_bytes()


def test_draw_lists_are_counts_locators_and_pairs() -> None:
    data = BuildModelMatshp(PAIRS).to_bytes()
    assert data[:16] == bytes((3, 0, 3, 0, 2, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 0, 2, 0))
    assert data[16:] == bytes((0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0))


@pytest.mark.parametrize(
    "models",
    [
        PAIRS[:2],
        (*PAIRS, frozen([(9, 9)], PAIR)),
        (PAIRS[0][:1], *PAIRS[1:]),  # type: ignore[index]
        (PAIRS[0], frozen([(7, 8)], PAIR), PAIRS[2]),
        (None, None, PAIRS[2]),
        (frozen([], PAIR), *PAIRS[1:]),
        (),
    ],
)
def test_edited_draw_lists_are_written_and_read_back(models: Any, rewritten: Callable[[Any], Any]) -> None:
    edited = BuildModelMatshp(models)
    assert same(rewritten(edited), edited)
    assert not same(edited, BuildModelMatshp(PAIRS))


def test_locators_that_share_or_skip_pairs_are_noted(rewritten: Callable[[Any], Any]) -> None:
    data = bytearray(BuildModelMatshp(PAIRS).to_bytes())
    data[14] = 0
    notes: Notes = []
    shared = BuildModelMatshp.from_bytes(data, notes=notes)
    assert len(notes) == 1 and shared.models[2] is not None and shared.models[2].tolist() == [(0, 1)]
    assert same(rewritten(shared), shared)


@pytest.mark.parametrize("place, value", [(2, 4), (4, 4), (6, 2), (12, 2), (0, 200)])
def test_locators_outside_the_pairs_are_a_format_error(place: int, value: int) -> None:
    data = bytearray(BuildModelMatshp(PAIRS).to_bytes())
    data[place] = value
    with pytest.raises(FormatError):
        BuildModelMatshp.from_bytes(data)


def test_too_many_pairs_are_refused() -> None:
    with pytest.raises(ValueError):
        BuildModelMatshp((frozen([(0, 0)] * 40000, PAIR),) * 2).to_bytes()


def test_the_real_lists_agree_with_each_other(rom: Rom) -> None:
    entries = [PropAnimations.from_bytes(data) for data in rom.archive("arc/bm_anime_list.narc")]
    lists = BuildModelMatshp.from_bytes(rom.file("fielddata/build_model/build_model_matshp.dat"))
    assert len(entries) == len(lists.models) == 590
    assert sum(len(pairs) for pairs in lists.models if pairs is not None) == 1009
    assert [pairs is None for pairs in lists.models] == [entry.has_animations for entry in entries]
    assert Counter(entry.flags for entry in entries if entry.has_animations) == {0: 75, 2: 3, 3: 34}
    assert sum(entry.presence == 0xFF for entry in entries) == 478
    assert Counter(len(entry.used) for entry in entries if entry.has_animations) == {1: 81, 2: 19, 3: 1, 4: 11}
    assert {index for entry in entries for index in entry.used} == set(range(98))
    assert [i for i, entry in enumerate(entries) if entry.bicycle_slope == 1] == [303, 304]
    assert [i for i, entry in enumerate(entries) if entry.flags == 2] == [26, 303, 304]
