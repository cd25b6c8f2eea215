from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mapexplorer.gameplay.flags import FlagUses, flag_meaning, flag_name, flag_uses
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld


def test_every_flag_of_the_vectors(real: FieldWorld, cases: Callable[[str], list[dict[str, Any]]]) -> None:
    found = flag_uses(real)
    rows = cases("xref_flags")
    for row in rows:
        uses = found[row.pop("key")]
        lists = {"hides": uses.hides, "set": uses.set, "clear": uses.cleared, "check": uses.checked}
        assert {key: [list(one) for one in uses] for key, uses in lists.items() if uses} == row
    assert len(rows) == 669
    assert list(found) == sorted(found) and 0 not in found


def test_the_flag_of_the_demo(demo: FieldWorld) -> None:
    lake, village = demo.place("L01").header, demo.place("T01").header
    uses = flag_uses(demo)
    assert list(uses) == [90, 730, 731, 1014, 1015], "the others are of hidden items, and hide those on the floor"
    assert uses[90].hides == [(lake.id, 1)]
    for places, members in (
        (uses[90].set, {lake.scripts}),
        (uses[90].checked, {lake.scripts}),
        (uses[90].cleared, {lake.scripts, village.scripts}),
    ):
        assert {member for member, _ in places} == members
        for member, offset in places:
            assert offset in demo.script_file(member).offsets()
    assert uses[90] != FlagUses()


def test_names_of_flags() -> None:
    names = DEFAULT.tables.save_names
    assert flag_name(names, 730) == "hidden item 0 taken"
    assert flag_name(names, 1360 + 5) == "trainer 5 beaten"
    assert flag_name(names, 107) == "received_super_rod"
    assert flag_name(names, 5) == ""


def test_the_hidden_items_of_the_vectors(real: FieldWorld, cases: Callable[[str], list[dict[str, Any]]]) -> None:
    found = flag_uses(real)
    count = 0
    for row in cases("events"):
        headers = [header.id for header in real.headers if header.events == row["member"]]
        for index, (script, kind, *_) in enumerate(row["background"]):
            if kind == 2:
                assert {(header, index) for header in headers} <= set(found[730 + script - 8000].taken)
                count += len(headers)
    assert count


@pytest.mark.parametrize(
    ("flag", "meaning"),
    [
        (1606, ("trainer", 246)),
        (931, ("hidden item", 201)),
        (897, ("hidden item", 167)),
        (1014, ("item ball", None)),
        (2480, ("first arrival", 411)),
        (2548, ("first arrival", None)),
        (2436, ("system", None)),
        (2911, ("day", None)),
        (64, ("map", None)),
        (344, ("event", None)),
        (9999, ("event", None)),
    ],
)
def test_what_a_flag_means(flag: int, meaning: tuple[str, int | None]) -> None:
    assert flag_meaning(DEFAULT.tables.save_names, flag) == meaning


def test_a_flag_is_free_only_if_nothing_uses_it(real: FieldWorld) -> None:
    names = DEFAULT.tables.save_names
    free, used = names.unused_flags, flag_uses(real)
    assert 2420 in free and not {*free} & {*used}
    counted = ("trainer", "hidden item", "item ball", "map", "day")
    assert not {flag_meaning(names, flag).kind for flag in free} & {*counted}
    assert not {*names.unused_flags} & {*names.flags} and not {*names.unused_variables} & {*names.variables}
