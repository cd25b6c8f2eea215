from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mapexplorer.gameplay.flags import FlagUses, flag_name, flag_uses
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
    assert list(uses) == [90, 1014, 1015], "the others hide the items on the floor"
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
