"""The questions of `tests/cli/test_answers.py` whose answers changed most, each answered in the window by at most three
actions; an action is counted as in `test_twenty_questions.py`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt

from tests.cli import test_answers as asked
from tests.cli.test_twenty_questions import Oracle
from tests.gui.test_twenty_questions import MOST_ACTIONS, User, place_of, user  # noqa: F401


def found(text: str, how: str) -> Callable[[User], set[str]]:
    """Where a thing of the palette is used in ways that begin with some words."""

    def ask(user: User) -> set[str]:  # noqa: F811
        user.find(text)
        return {place_of(fact).split("#")[0] for fact in user.facts("Uses") if fact.name.startswith(how)}

    return ask


def clones(user: User) -> set[str]:  # noqa: F811
    user.find("T01")
    user.press(Qt.Key_F2)
    rows = user.rows("events", "People", "Signs")
    return {row.side for row in rows if any("clone of object 3 of Route 201" in line for line in row.lines)}


def shown_map(text: str) -> Callable[[User], set[str]]:
    def ask(user: User) -> set[str]:  # noqa: F811
        user.find(text)
        return {user.window.explorer.place.header.internal_name}

    return ask


def fields(text: str) -> Callable[[User], set[str]]:
    def ask(user: User) -> set[str]:  # noqa: F811
        user.find(text)
        facts = [fact for section in user.window.inspector.description.sections for fact in section.rows]
        return {fact.value for fact in facts if fact.name in ("Scripts", "Text bank", "Music by day", "Music by night")}

    return ask


def maps(text: str) -> Callable[[User], set[int]]:
    def ask(user: User) -> set[int]:  # noqa: F811
        user.find(text)
        return {fact.link.key[0] for fact in user.facts("Maps that show it")}

    return ask


def header_fields(o: Oracle) -> set[str]:
    header = o.headers[o.id("R209")]
    return {str(one) for one in (header.scripts, header.message_bank, header.day_music, header.night_music)}


def tile_of_clone(o: Oracle) -> set[str]:
    rows = asked.tables(o, o.id("T01"))["objects"]
    return {f"{x}, {z}" for script, header, x, z in rows if script == asked.CLONE and header == o.id("R201")}


ASKED: tuple[tuple[str, Callable[[User], Any], Callable[[Oracle], Any]], ...] = (
    ("Where is Rotom fought?", found("species:Rotom", "fought"), lambda o: asked.scripts_with(o, asked.WILD, 479)),
    ("Where do I get Porygon?", found("Porygon", "given"), lambda o: asked.scripts_with(o, [asked.GIFT], 137)),
    ("Where is Feebas?", found("Feebas", "Feebas tiles"), lambda o: {"D05R0113"}),
    ("Which object is this signpost a copy of?", clones, tile_of_clone),
    (
        "What is flag 931?",
        found("flag:931", "set when the item is taken"),
        lambda o: asked.flags_of_hidden_items(o)[931],
    ),
    ("Where is Roark's rematch?", found("trainer:858", "StartTrainerBattle"), lambda o: {"T06R0101"}),
    (
        "Who knows Surf?",
        found("move:Surf", "known in the party of"),
        lambda o: {f"trainer:{one}" for one in asked.moves_of_parties(o)[asked.numbers(o, 647)["Surf"]]},
    ),
    ("Which map is the Gym of Snowpoint?", shown_map("Snowpoint Gym"), lambda o: {"C09GYM0101"}),
    ("Which scripts, texts and music has a route?", fields("Route 209"), header_fields),
    ("Which maps have ice?", maps("behaviour:ice"), lambda o: asked.maps_of_lands(o, asked.lands_with(o, 0x20))),
    ("What runs script file 412?", found("scripts:412", "scripts from 9600 (new game)"), lambda o: {"file:arm9"}),
    (
        "What is MOVE_SURF?",
        found("MOVE_SURF", "FindPartySlotWithMove"),
        lambda o: asked.scripts_with(o, [153], 57) | {"file:409"},
    ),
)


@pytest.mark.parametrize(("question", "ask", "expected"), ASKED, ids=[question for question, _, _ in ASKED])
def test_an_answer_takes_at_most_three_actions(
    user: User,  # noqa: F811
    rom_path: Path,
    vectors: Path,
    question: str,
    ask: Callable[[User], Any],
    expected: Callable[[Oracle], Any],
) -> None:
    from mapexplorer.world.opening import open_rom

    user.start()
    answer = ask(user)
    assert user.actions <= MOST_ACTIONS
    wanted = expected(Oracle(open_rom(rom_path), vectors))
    assert wanted and answer == wanted
