"""An edge is in the store if and only if a value of the game holds the reference.

Every rule of `RULES` is compared in both directions with a walk through the values (`walk`) that shares no code with
it, in the demo world and in the real ROM.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.rules import RULES
from mapexplorer.world import FieldWorld
from tests.catalogue.edge_rows import Row, floor_file
from tests.catalogue.record_walk import field_data
from tests.catalogue.script_walk import Taken, through_variables
from tests.catalogue.walk import WALKS

THROUGH = ", through a variable,"
"""Ends how a command uses what a variable holds (`test_what_variables_hold`)."""

FROM_ZERO = ("header", "messages")
"""Kinds of which 0 is a thing."""

Open = Callable[[str], tuple[FieldWorld, Store]]


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Open:
    """Opens the demo world or the real one, with the store."""

    def of(which: str) -> tuple[FieldWorld, Store]:
        names = {"demo": ("demo", "demo_store"), "real": ("real", "store")}[which]
        world, store = map(request.getfixturevalue, names)
        return world, store

    return of


def edges(store: Store, rule: int) -> list[Row]:
    """The edges of a rule."""
    query = "SELECT user_kind, user, used_kind, used, how, part, part_key, part_name FROM edge WHERE rule = ?"
    return [Row(*one) for one in store.rows(query, rule) if not one[4].endswith(THROUGH)]


def compare(found: list[Row], expected: list[Row]) -> None:
    """Asserts that two lists have the same rows, and no row twice."""
    lost, invented = set(expected) - set(found), set(found) - set(expected)
    assert not lost, (len(lost), sorted(map(str, lost))[:5])
    assert not invented, (len(invented), sorted(map(str, invented))[:5])
    assert len(found) == len(set(found)), [one for one in set(found) if found.count(one) > 1][:5]


def test_each_rule_is_walked() -> None:
    assert list(WALKS) == [rule.title for rule in RULES]


@pytest.mark.parametrize("which", ["demo", "real"])
@pytest.mark.parametrize("title", WALKS)
def test_edges_are_what_the_values_hold(opened: Open, title: str, which: str) -> None:
    world, store = opened(which)
    rule = next(number for number, one in enumerate(RULES) if one.title == title)
    found = edges(store, rule)
    compare(found, list(WALKS[title](world)))
    assert {one.used_kind for one in found} <= set(RULES[rule].used)


@pytest.mark.parametrize("which", ["demo", "real"])
def test_references_that_are_no_uses(opened: Open, which: str) -> None:
    world, store = opened(which)
    compare(edges(store, -1), list(field_data(world, shown=False)))


@pytest.mark.parametrize("which", ["demo", "real"])
def test_what_variables_hold(opened: Open, which: str) -> None:
    """A number that a command takes through a variable has an edge from the command that puts it there: where nothing
    comes between the two; and only where a command of the file, for a saved variable of any file, takes the variable.
    """
    world, store = opened(which)
    query = f"SELECT user, used_kind, used, how, part_key FROM edge WHERE how LIKE '%{THROUGH}' AND part = 'command'"
    found = {
        Taken(kind, int(used), how.removesuffix(THROUGH), int(user.split("/")[0]), int(at))
        for user, kind, used, how, at in store.rows(query)
    }
    surely, may = through_variables(world)
    surely = {
        one for one in surely if one.member != floor_file() and (one.number or one.kind in ("header", "messages"))
    }
    computed = store.rows(
        "SELECT user, used_kind, used FROM edge WHERE user_kind = 'scripts' AND (part IS NULL OR part = 'computed')"
    )
    members = {(kind, used, user.split("/")[0]) for user, kind, used in computed}
    known = {one for one in surely if (one.kind, str(one.number), str(one.member)) in members}
    assert surely - known - found == set() and found - may == set()
    repeated = store.rows(f"""
        SELECT one.user, one.used, one.how FROM edge AS one JOIN edge AS other USING (user_kind, user, used_kind, used)
        WHERE one.how LIKE 'StartTrainerBattle{THROUGH}' AND other.how = 'trainer' AND other.part IS NULL""")
    assert repeated == []
    assert which == "demo" or len(surely) > 30


def test_each_edge_says_where_it_is_stored(real: FieldWorld, store: Store) -> None:
    """The member of the archive is that of the user, so that the rows of a changed member can be replaced alone."""
    rows = store.rows("SELECT user_kind, user, file, member FROM edge JOIN source USING (source)")
    assert len(rows) == store.rows("SELECT count(*) FROM edge")[0][0]
    events = {header.id: header.events for header in real.headers}
    initial = {header.id: header.init_scripts for header in real.headers}
    for kind, user, file, member in rows:
        number = user.partition("/")[0]
        match file:
            case "zone_event":
                assert member == events[int(number)]
            case "scr_seq" if kind == "header":
                assert member == initial[int(number)]
            case "pl_enc_data":
                assert member == real.headers[int(number)].wild_encounters
            case (
                "scr_seq" | "trdata" | "trpoke" | "fld_trade" | "land_data" | "map_matrix" | "area_data" | "area_build"
            ):
                assert member == int(number), (file, kind)
            case "arm9":
                assert member is None and kind not in ("land", "trainer", "scripts", "trade"), kind
