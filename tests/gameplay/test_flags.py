from __future__ import annotations

import re

import pytest

from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld
from tests.conftest import Cases

FIRST_TM, FIRST_HM = 328, 420
"""Items."""


def test_flags_of_machines_are_set_by_the_scripts_that_give_them(cases: Cases) -> None:
    """A flag whose name ends with a machine is set by a file of scripts that gives that machine, where the vectors have
    the users of both."""
    names = DEFAULT.tables.save_names
    setters = {row["key"]: {member for member, _ in row.get("set", ())} for row in cases("xref_flags")}
    givers = {row["key"]: {source[1] for source in row["rows"] if source[0] == "script"} for row in cases("xref_items")}
    compared = 0
    for flag in names.flags:
        machine = re.search("^received_.*?(tm|hm)([0-9]{2})$", flag_name(names, flag))
        if machine is not None:
            item = {"tm": FIRST_TM, "hm": FIRST_HM}[machine[1]] + int(machine[2]) - 1
            if setters.get(flag) and givers.get(item):
                assert setters[flag] & givers[item], flag
                compared += 1
    assert compared


def test_hidden_items_have_the_flags_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    """The flag of a hidden item is known by its header and tile from the program's table, its number by its script."""
    names = DEFAULT.tables.save_names
    flags = {
        tuple(source[1:4]): source[5] for row in cases("xref_items") for source in row["rows"] if source[0] == "hidden"
    }
    compared = 0
    for row in cases("events"):
        headers = [header.id for header in real.headers if header.events == row["member"]]
        for script, kind, x, z, *_ in row["background"]:
            for header in headers if kind == 2 else ():
                if (header, x, z) in flags:
                    flag, number = flags[header, x, z], script - 8000
                    assert flag_name(names, flag) == f"hidden item {number} taken"
                    assert flag_meaning(names, flag) == ("hidden item", number)
                    compared += 1
    assert compared


def test_a_flag_without_a_name() -> None:
    names = DEFAULT.tables.save_names
    assert 5 in names.map_flags and flag_name(names, 5) == ""
    assert flag_name(names, 1360 + 5) == "trainer 5 beaten"


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
    assert not {flag_meaning(names, flag)[0] for flag in names.unused_flags} & {*counted}
    assert not {*names.unused_flags} & {*names.flags} and not {*names.unused_variables} & {*names.variables}
