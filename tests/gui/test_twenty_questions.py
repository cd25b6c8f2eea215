"""The questions of `tests/cli/test_twenty_questions.py`, each answered in the window by at most three actions.

An action is a key or its menu entry, a click, a choice in a list, or a text that is typed, with Enter.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PyQt5.QtCore import Qt

Wait = Callable[[Any], None]

START = "T01"
MOST_ACTIONS = 3


@pytest.fixture(scope="module")
def asked() -> ModuleType:
    """The module with the questions and their oracle."""
    path = Path(__file__).parents[1] / "cli" / "test_twenty_questions.py"
    spec = importlib.util.spec_from_file_location("questions_of_the_command_line", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class User:
    """Works with a window by keys and clicks, and counts them."""

    def __init__(self, window: Any, qtbot: Any, settle: Wait) -> None:
        self.window, self._qtbot, self._settle = window, qtbot, settle
        self.actions = 0

    def start(self) -> None:
        """Go back to the first page; no action of a question."""
        window = self.window
        window.docks.arrange()
        window.names.field.clear()
        window.names.kinds.setCurrentIndex(0)
        window.views.take_focus()
        window.explorer.go(window.explorer.world.place(START).header.id)
        self._wait()
        self.actions = 0

    def _wait(self) -> None:
        self._qtbot.wait(80)  # longer than the pause after which a search starts
        self._settle(self.window)
        self._qtbot.waitUntil(lambda: self.window.jobs.read.idle, timeout=60_000)
        self._qtbot.wait(1)

    def press(self, key: int, modifier: Any = Qt.NoModifier) -> None:
        self.actions += 1
        self._qtbot.keyClick(self.window, key, modifier)
        self._wait()

    def find(self, text: str) -> None:
        """Two actions: the palette, and a text with Enter."""
        self.press(Qt.Key_K, Qt.ControlModifier)
        self.actions += 1
        field = self.window.dialogs.palette.field
        self._qtbot.keyClicks(field, text)
        self._qtbot.keyClick(field, Qt.Key_Return)
        self._qtbot.waitUntil(lambda: not self.window.dialogs.palette.isVisible(), timeout=60_000)
        self._wait()

    def choose_kind(self, kind: str) -> None:
        self.actions += 1
        kinds = self.window.names.kinds
        kinds.setFocus()
        for _ in range(kinds.findData(kind) - kinds.currentIndex()):
            self._qtbot.keyClick(kinds, Qt.Key_Down)
        assert kinds.currentData() == kind
        self._wait()

    def type_name(self, text: str) -> None:
        self.actions += 1
        self._qtbot.keyClicks(self.window.names.field, text)
        self._wait()

    # --- what is shown

    def facts(self, title: str) -> list[Any]:
        """The facts of the inspector's sections whose titles begin with some words."""
        assert self.window.docks.shown("inspector")
        sections = self.window.inspector.description.sections
        return [fact for section in sections if section.title.startswith(title) for fact in section.rows]

    def uses(self, *ways: str) -> set[str]:
        return {place_of(fact) for fact in self.facts("Uses") if fact.name in ways}

    def rows(self, panel: str, *groups: str) -> list[Any]:
        """The rows of a list under headings that begin with some words."""
        assert self.window.docks.shown(panel)
        shown = getattr(self.window, panel).list.groups
        return [row for group in shown if group.title.startswith(groups) for row in group.rows]


def place_of(fact: Any) -> str:
    """Where a use is: on a map, or the address of a user that is on none, whose name stands before it."""
    return str(fact.meaning if fact.meaning.partition(":")[0] in ("trainer", "species") else fact.value)


def grass_at_night(user: User) -> list[list[int]]:
    user.find("R205A")
    user.press(Qt.Key_F3)
    titles = ("Grass, night (20-4 h)", "Grass, at all times")
    shown = user.window.encounters.list.groups
    assert user.window.docks.shown("encounters")
    return sorted(chance(row) for group in shown if group.title in titles for row in group.rows)


def chance(row: Any) -> list[int]:
    """Species, percent, lowest and highest level."""
    low, _, high = row.lines[0].removeprefix("level ").partition("-")
    return [row.subject.key[0], int(row.side.removesuffix(" %")), int(low), int(high or low)]


def surf_levels(user: User) -> tuple[int, int]:
    user.find("R205A")
    user.press(Qt.Key_F3)
    levels = [chance(row)[2:] for row in user.rows("encounters", "Surf")]
    return min(low for low, _ in levels), max(high for _, high in levels)


def found_uses(text: str, *ways: str) -> Callable[[User], set[str]]:
    def ask(user: User) -> set[str]:
        user.find(text)
        return user.uses(*ways)

    return ask


def places_of_pikachu(user: User) -> set[int]:
    user.find("Pikachu")
    return {fact.link.key[0] for fact in user.facts("Uses") if fact.link.kind == "header"}


def sign(user: User) -> list[str]:
    user.find("T02")
    user.press(Qt.Key_F2)
    return [row.lines[0].strip("“”") for row in user.rows("events", "Signs") if row.side == "165, 843"]


def scripts_here(user: User) -> set[int]:
    user.find("T02@187,855")
    return {fact.link.key[1] for fact in user.facts("Runs here")}


def hiding_flag(user: User) -> tuple[int, dict[str, set[str]]]:
    user.find("T02")
    user.press(Qt.Key_F2)
    [line] = [row.lines[-1] for row in user.rows("events", "People") if row.subject.key[1] == 3]
    words, _, shown = line.removeprefix("absent: hidden while flag ").partition(" is set: ")
    users: dict[str, set[str]] = defaultdict(set)
    for part in shown.split("; "):
        way = next(way for way in ("set by", "cleared by", "checked by") if part.startswith(way))
        users[way] |= {one.split("#")[0] for one in part.removeprefix(f"{way} ").split(", ")}
    return int(words.split()[0]), dict(users)


def found_ways(text: str) -> Callable[[User], dict[str, set[str]]]:
    """How a thing is used -> the maps and files where it is used so, without flags and what nothing runs."""

    def ask(user: User) -> dict[str, set[str]]:
        user.find(text)
        ways: defaultdict[str, set[str]] = defaultdict(set)
        for fact in user.facts("Uses"):
            if ", flag " not in fact.name and "(never run)" not in fact.name:
                ways[fact.name].add(fact.value.split("#")[0])
        return dict(ways)

    return ask


def texture(user: User) -> tuple[str, set[int], set[int]]:
    """The name, the lands whose materials use it, and the maps."""
    user.find("texture:1/6/3")
    lands = {fact.link.key[0] for fact in user.facts("Used ") if fact.link and fact.link.kind == "land"}
    return (
        user.window.inspector.description.title,
        lands,
        {fact.link.key[0] for fact in user.facts("Maps that show it")},
    )


def party(user: User) -> list[tuple[int, int, int, str]]:
    user.find("trainer:7")
    facts = user.facts("Party")
    return [(fact.link.key[0], *fact.meaning.split(", ")[:3]) for fact in facts]


def with_bidoof(user: User) -> set[int]:
    user.find("Bidoof")
    return {int(at.removeprefix("trainer:")) for at in user.uses("in the party of")}


def never_run(user: User) -> set[tuple[int, ...]]:
    user.find("scripts that nothing runs")
    return {row.subject.key for row in user.rows("names", "Scripts")}


def named_maps(text: str) -> Callable[[User], set[int]]:
    def ask(user: User) -> set[int]:
        user.press(Qt.Key_N)
        user.choose_kind("header")
        user.type_name(text)
        return {row.subject.key[0] for row in user.rows("names", "Maps")}

    return ask


def triggers(user: User) -> set[int]:
    user.find("variable:16614")
    return {fact.link.key[0] for fact in user.facts("Uses") if fact.name == "trigger"}


def warps(user: User) -> list[tuple[list[int], str]]:
    user.find("T02")
    user.press(Qt.Key_F2)
    rows = user.rows("events", "Warps")
    return [([int(part) for part in row.side.split(", ")], row.title) for row in rows]


def headers_with(action: str) -> Callable[[User], set[int]]:
    def ask(user: User) -> set[int]:
        user.find(action)
        return {fact.link.key[0] for fact in user.facts("Used by") if fact.link and fact.link.kind == "header"}

    return ask


def refusals(user: User) -> set[tuple[str, str]]:
    user.find("T02@177,841")
    return {(fact.name.removeprefix("Step "), fact.meaning) for fact in user.facts("Steps that are refused")}


def as_it_is(window: Any, expected: Any) -> Any:
    return expected


def with_natures(window: Any, expected: Any) -> Any:
    """The party with the words of the inspector."""
    from mapexplorer.gameplay.names import name
    from mapexplorer.games import NameBank

    natures = [name(window.explorer.world, NameBank.NATURES, number) for number in range(25)]
    return [
        (one, f"level {level}", f"individual values {value}", natures[nature]) for one, level, value, nature in expected
    ]


def as_ids(window: Any, expected: Any) -> Any:
    return {header.id for header in window.explorer.world.headers if header.internal_name in expected}


def with_titles(window: Any, expected: Any) -> Any:
    return [(tile, f"to {window.explorer.world.headers[header].title}") for tile, header in expected]


Asked = tuple[str, Callable[[User], Any], Callable[[Any, Any], Any]]

ASKED: tuple[Asked, ...] = (
    ("Which wild Pokémon live here at night?", grass_at_night, as_it_is),
    ("Which levels do the Pokémon on the water have?", surf_levels, as_it_is),
    ("Where does Pikachu live?", places_of_pikachu, as_it_is),
    ("Where do I get a Moon Stone?", found_uses("Moon Stone", "hidden", "floor"), as_it_is),
    ("Who sells Potions?", found_uses("Potion", "sold by", "common shops"), as_it_is),
    ("Who gives Potions?", found_uses("Potion", "given by"), as_it_is),
    ("What does this sign say?", sign, as_it_is),
    ("What runs when I press A here?", scripts_here, as_it_is),
    ("Which flag hides this person, and who sets it?", hiding_flag, as_it_is),
    ("Which maps play this music by day?", found_uses("music:1004", "by day"), as_it_is),
    ("Which maps play this music, by their headers or by scripts?", found_ways("music:1069"), as_it_is),
    ("Which scripts play this fanfare?", found_ways("music:1158"), as_it_is),
    ("What is in the party of this trainer?", party, with_natures),
    ("Which trainers have a Bidoof?", with_bidoof, as_it_is),
    ("Which scripts does nobody run?", never_run, as_it_is),
    ("On which maps does it snow?", named_maps("weather:snow"), as_ids),
    ("Which maps have hidden items?", named_maps("hidden items"), as_it_is),
    ("Which maps have a trigger with this variable?", triggers, as_it_is),
    ("Where do the warps of this map lead?", warps, with_titles),
    ("From which maps do warps lead here?", headers_with("#411"), as_it_is),
    ("Which maps use this matrix?", headers_with("Matrix"), as_it_is),
    ("What is this texture, and who uses it?", texture, as_it_is),
    ("Where is this text shown?", found_uses("wow what was that your friend", "said by"), as_it_is),
    ("Why can I not walk here?", refusals, as_it_is),
)


@pytest.fixture
def user(real: Any, qtbot: Any, settle: Wait) -> Iterator[User]:
    yield User(real, qtbot, settle)


def test_each_question_takes_at_most_three_actions(
    user: User, asked: ModuleType, rom_path: Path, vectors: Path
) -> None:
    from mapexplorer.world.opening import open_rom

    oracle = asked.Oracle(open_rom(rom_path), vectors)
    questions = {one.question: one for one in asked.QUESTIONS}
    assert [question for question, _, _ in ASKED] == list(questions)
    for question, ask, worded in ASKED:
        user.start()
        answer = ask(user)
        assert user.actions <= MOST_ACTIONS, question
        expected = worded(user.window, questions[question].expected(oracle))
        assert expected and answer == expected, question
