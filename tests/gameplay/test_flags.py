from __future__ import annotations

import pytest

from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.games import DEFAULT


def test_names_of_flags() -> None:
    names = DEFAULT.tables.save_names
    assert flag_name(names, 730) == "hidden item 0 taken"
    assert flag_name(names, 1360 + 5) == "trainer 5 beaten"
    assert flag_name(names, 107) == "received_super_rod"
    assert flag_name(names, 5) == ""


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


def test_a_free_flag_is_that_of_no_thing() -> None:
    names = DEFAULT.tables.save_names
    counted = ("trainer", "hidden item", "item ball", "map", "day")
    assert 2420 in names.unused_flags
    assert not {flag_meaning(names, flag).kind for flag in names.unused_flags} & {*counted}
    assert not {*names.unused_flags} & {*names.flags} and not {*names.unused_variables} & {*names.variables}
