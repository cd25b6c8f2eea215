"""The kinds of things are listed once: what belongs to a kind is there for each, and stands nowhere else."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mapexplorer
from formats.field.zone_event import ZoneEvents
from mapexplorer.catalogue import names
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import (
    EVENT_LISTS,
    KINDS,
    NAMED,
    OF_MEANING,
    STORED,
    WITH_ICON,
    Kind,
    kind_of,
    stroke_of,
)
from mapexplorer.catalogue.resolve import ALL
from mapexplorer.catalogue.rules import REFERENCE, RULES, asked
from mapexplorer.errors import PlaceError
from mapexplorer.inspector.describe import DESCRIBERS
from mapexplorer.world import FieldWorld
from mapexplorer.world.references.references import REFERENCES

NO_EVENTS = ZoneEvents.from_bytes(bytes(16))
SOURCE = Path(mapexplorer.__file__).parent
LISTED_IN = {
    "atlas/lists.py": "what the search of an atlas knows",
    "atlas/site.py": "kinds that have lists or pages in an atlas",
    "catalogue/kinds.py": "the list",
    "catalogue/rules.py": "kinds that references of the field data lead to",
    "catalogue/tables/maps.py": "columns of a table",
    "decomp/constants.py": "kinds of constants -> the lists of a source tree",
    "inspector/origins.py": "kinds whose number is not that of a member",
    "inspector/things/named.py": "describers",
    "inspector/things/sets.py": "describers",
    "inspector/things/records.py": "describers",
    "inspector/tables.py": "what is listed as a table",
    "inspector/things/use_sections.py": "kinds whose users are map headers",
    "inspector/roms/changes.py": "kinds of changes -> kinds of things",
    "inspector/script/script_listing.py": "meanings of arguments of scripts",
    "export/extract.py": "kinds of which a picture can be written",
    "games/name_bank.py": "meanings of numbers -> message banks",
    "gui/actions/context_menu.py": "things on a map",
    "gui/widgets/icons.py": "names of icons",
    "walk/tick.py": "fields of a value",
    "world/references/references.py": "kinds of numbers that references hold -> which of them exist",
}
"""The modules with a display of more than four words that are kinds -> what it is about."""

DESCRIBED_ELSEWHERE = ("pixel", "model", "sign graphics", "unused", "file")
"""By the explanation of a picture, in the viewer of models, not at all, as a script file, by its members."""


@cache
def modules() -> dict[str, ast.Module]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] not in ("data", "demo")
    }


def displays() -> Iterator[tuple[str, int, set[str]]]:
    """(module, line, texts) of the displays of tuples, lists, sets and dictionaries."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
            parts = [*node.keys, *node.values] if isinstance(node, ast.Dict) else parts
            texts = {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            if texts:
                yield name, parts[0].lineno if parts[0] is not None else 0, texts


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_kind_has_what_a_thing_needs(kind: Kind) -> None:
    assert KINDS[kind.name] is kind and kind.title[0].isupper() and kind.parts > (-1 if kind.name == "rom" else 0)
    assert kind.name in DESCRIBERS or asked(kind.name) or kind.name in DESCRIBED_ELSEWHERE
    if kind in NAMED or kind.events or kind.name in ("cell", "tile", "placed prop"):
        assert stroke_of(kind.name)
    assert kind_of(kind.typed) == kind.name or kind.typed == kind.name
    for row, table in ((kind.read, names.NAMES), (kind.read_one, names.ONE), (kind.bound, names.BOUNDS)):
        assert not row or callable(table[row])
    assert (kind.name in ALL) == (not kind.seen)


def test_words_of_kinds_mean_one_kind() -> None:
    words = Counter(word for kind in KINDS.values() for word in {kind.name, kind.word or kind.name, *kind.aliases})
    assert [word for word, number in words.items() if number > 1] == []
    assert kind_of("Prop-Set") == kind_of(" prop set ") == kind_of("PROP_SET") == "prop set"
    assert kind_of("text bank") == "messages" and kind_of("map") == "header" and kind_of("No Kind") == "no kind"


def test_icons_are_those_that_are_drawn() -> None:
    icons = pytest.importorskip("mapexplorer.gui.widgets.icons")
    assert {kind.stroke for kind in KINDS.values()} - {""} <= set(icons._LINES)


def test_every_kind_of_the_tables_is_a_kind() -> None:
    shown = [one for one in REFERENCES if one.shown]
    used = {kind for rule in RULES for kind in rule.used} | {one.used for one in shown} | set(OF_MEANING.values())
    users = {one.user for one in shown}
    assert set(RULES[REFERENCE].used) == {one.used for one in shown}
    assert used | users | set(WITH_ICON) <= set(KINDS)
    assert set(DESCRIBERS) <= set(KINDS) and set(STORED.values()) <= set(KINDS.values())


def test_named_kinds_have_names(real: FieldWorld, store: Store) -> None:
    """Numbers that have a name exist; the one after the last number does not."""
    for kind in NAMED:
        found = list(kind.names(real))
        stored = store.rows("SELECT count(*) FROM thing WHERE kind = ?", kind.name)[0][0]
        assert stored > 0 and (found or kind.name in ("unused", "text")), kind.name
        existing = kind.numbers(real)
        named = {key[0] for _, key in found if isinstance(key[0], int)}
        assert existing is None or kind.parts > 1 or named <= {*existing}, kind.name
        if named and existing is not None and kind.parts == 1:
            with pytest.raises(PlaceError, match=f"^There is no {kind.one} {existing[-1] + 1}"):
                kind.check(real, (existing[-1] + 1,))


def test_users_and_used_things_are_of_kinds(store: Store, demo_store: Store) -> None:
    for one in (store, demo_store):
        found = {
            kind for column in ("user_kind", "used_kind") for (kind,) in one.rows(f"SELECT DISTINCT {column} FROM edge")
        }
        assert found <= set(KINDS)
        assert {kind for (kind,) in one.rows("SELECT DISTINCT kind FROM thing")} <= set(KINDS)


def test_the_lists_of_events_stand_once() -> None:
    """Kind of event -> the list of `ZoneEvents` that holds it."""
    assert set(EVENT_LISTS.values()) == {"objects", "background", "warps", "triggers"} <= set(vars(NO_EVENTS))
    assert [one for one in displays() if {"sign", "background"} <= one[2] or {"object", "objects"} <= one[2]] == []
    signs = [node for node in ast.walk(modules()["catalogue/kinds.py"]) if isinstance(node, ast.Constant)]
    assert sum(node.value == "background" for node in signs) == 1


def test_kinds_are_listed_once() -> None:
    """A display with more than four kinds is about something else, or about what only some kinds have."""
    many = {name for name, _, texts in displays() if len(texts & set(KINDS)) > 4}
    assert many == set(LISTED_IN)


def test_no_address_of_a_use_is_read() -> None:
    """No module takes apart the text of a place (`T01#7`, `file:3`): a use is a pair of subjects."""
    taken = []
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                texts = {getattr(part, "attr", getattr(part, "id", "")) for part in ast.walk(node.func.value)}
                if node.func.attr in ("split", "partition", "rpartition", "removeprefix", "startswith") and texts & {
                    "at"
                }:
                    taken.append(f"{name}:{node.lineno}")
    assert taken == []
