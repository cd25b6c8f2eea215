"""The JSON of the verbs is what docs/json.md says, and that page names nothing that no verb prints."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.inspector.output import FORMAT
from mapexplorer.world.world import FieldWorld

PAGE = Path(__file__).parents[2] / "docs" / "json.md"

PLAIN: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
}

OPEN = {"event"}
"""Objects that may hold more than the page names."""

OUTPUTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "info": (("info", "demo"),),
    "maps": (("maps", "demo"),),
    "show": (
        ("show", "demo", "T01"),
        ("show", "demo", "L01"),
        ("show", "demo", "1"),
        ("show", "demo", "T01", "--save", "entered"),
        ("show", "demo", "T01", "--area", "1"),
    ),
    "where-used": (("where-used", "demo", "prop", "5"), ("where-used", "demo", "header", "4")),
    "height": (("height", "demo", "T01", "7.5", "35.5"), ("height", "demo", "T01", "-3", "-4")),
    "walk --path": (("walk", "demo", "T01", "--path", "SSEENN"), ("walk", "demo", "T01", "--path", "NN")),
    "walk --reach": (("walk", "demo", "T01", "--reach"), ("walk", "demo", "T01", "--reach", "--one-matrix")),
    "walk --to": (("walk", "demo", "T01", "--to", "T01:8,36"),),
    "find": (("find", "demo", "t01"),),
    "events": (("events", "demo", "T01"),),
    "script": (("script", "demo", "T01"), ("script", "demo", "L01#1"), ("script", "demo", "file:3")),
    "database": (("database", "demo", "-o", "{out}/demo.sqlite"),),
    "database --query": (("database", "demo", "--query", "SELECT item, name, price FROM item"),),
    "export": (("export", "demo", "T01", "-o", "{out}/one.glb"),),
    "export --all": (("export", "demo", "--all", "-j", "1", "-o", "{out}/all"),) * 2,
    "render": (("render", "demo", "T01", "-o", "{out}/one.png"),),
    "render --why": (("render", "demo", "T01", "--why", "128,96"), ("render", "demo", "T01", "--why", "100,40")),
    "poster": (("poster", "demo", "T01", "--cell", "64", "-j", "1", "-o", "{out}/poster.png"),),
    "verify": (("verify", "demo", "-j", "1"),),
    "doctor": (("doctor",),),
    "convert": (
        ("convert", "{out}/model.nsbmd", "{out}/set.nsbtx", "-o", "{out}/model.glb"),
        ("convert", "{out}/set.nsbtx", "-o", "{out}/pictures"),
    ),
}


OF_THE_REAL_ROM: dict[str, tuple[tuple[str, ...], ...]] = {
    "encounters MAP": tuple(("encounters", "{rom}", name) for name in ("R205A", "D07R0101", "0")),
    "events": (("events", "{rom}", "T01"),),
    "tile": (
        ("tile", "{rom}", "T02", "177,841"),
        ("tile", "{rom}", "T01", "105,876"),
        ("tile", "{rom}", "R201", "116,852"),
    ),
    "encounters SPECIES": (("encounters", "{rom}", "species:combee"), ("encounters", "{rom}", "Bidoof")),
}
"""What the demo world has nothing of."""


@dataclass(frozen=True)
class Row:
    """A line of the page: the types that a value may have, and whether it may be absent."""

    types: tuple[str, ...]
    optional: bool


@cache
def sections() -> dict[str, dict[str, Row]]:
    """Title -> path of a value -> its row."""
    found: dict[str, dict[str, Row]] = {}
    for part in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        rows = found[title.strip("`")] = {}
        for other in re.findall(r"[Ww]hat `(\w+)` has, and:", text):
            rows.update(found[other])
        for path, types, optional in re.findall(r"^\* `([^`]+)` ([a-z ]+?)(, optional)?(?::|$)", text, re.MULTILINE):
            rows[path] = Row(tuple(types.split(" or ")), bool(optional))
        assert len(re.findall(r"^\* ", text, re.MULTILINE)) <= len(rows), title
    return found


class Checker:
    """Holds values against the page; `seen` are the rows (section, path) that a value was found for."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()

    def object(self, section: str, value: dict[str, Any]) -> None:
        """An object that a section describes."""
        self._members(section, "", value, open_end=section in OPEN)

    def _members(self, section: str, prefix: str, value: dict[str, Any], *, open_end: bool = False) -> None:
        rows = sections()[section]
        own = {path: row for path, row in rows.items() if re.fullmatch(re.escape(prefix) + r"\w+(\[\]|\{\})?", path)}
        names = {re.sub(r"\W+$", "", path)[len(prefix) :]: path for path in own}
        assert open_end or set(value) <= set(names), f"{section}: {prefix}{sorted(set(value) - set(names))}"
        absent = {name for name, path in names.items() if not own[path].optional} - set(value)
        assert not absent, f"{section}: {prefix}{sorted(absent)} are absent"
        for name, path in names.items():
            if name in value:
                self._value(section, path, value[name])

    def _value(self, section: str, path: str, value: Any) -> None:
        row = sections()[section][path]
        if path.endswith("[]"):
            assert isinstance(value, list), f"{section}: {path} {value!r}"
            parts: Iterator[Any] = iter(value)
        elif path.endswith("{}"):
            assert isinstance(value, dict), f"{section}: {path} {value!r}"
            parts = iter(value.values())
        else:
            parts = iter((value,))
            self.seen.add((section, path))
        for part in parts:
            self.seen.add((section, path))
            assert any(self._fits(section, path, kind, part) for kind in row.types), f"{section}: {path} {part!r}"

    def _fits(self, section: str, path: str, kind: str, value: Any) -> bool:
        if kind in PLAIN:
            if kind == "object" and isinstance(value, dict):
                self._members(section, f"{path}.", value)
            return PLAIN[kind](value)
        if kind.removesuffix("s") in PLAIN:
            return isinstance(value, list) and all(map(PLAIN[kind.removesuffix("s")], value))
        self.object(kind, value)
        return True


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with a model and its textures."""
    world = FieldWorld.open("demo")
    place = world.place("T01")
    model = next(prop.model for cell in place.cells for prop in place.props(cell) if prop.model)
    (tmp_path / "model.nsbmd").write_bytes(world.prop_model(model).to_bytes())
    (tmp_path / "set.nsbtx").write_bytes(place.prop_textures().to_bytes())
    return tmp_path


def test_the_page_says_what_the_verbs_print(cli: Callable[..., Any], out: Path) -> None:
    wanted, seen = wanted_and_seen(cli, OUTPUTS, out=out)
    # Nothing fails in the demo world, is skipped by a first export, or stays out of reach behind a closed edge.
    never = {("export", "failed[]"), ("export --all", "failed[]"), ("export --all", "skipped[]")}
    never |= {(title, path) for title, path in wanted if path.startswith("unreached[].edge.")}
    assert wanted - seen - never == set()


def test_the_page_says_what_the_verbs_print_about_a_real_rom(cli: Callable[..., Any], rom_path: Path) -> None:
    wanted, seen = wanted_and_seen(cli, OF_THE_REAL_ROM, rom=rom_path)
    assert wanted - seen == set()


def wanted_and_seen(
    cli: Callable[..., Any], outputs: dict[str, tuple[tuple[str, ...], ...]], **paths: Path
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The rows that the page promises of some outputs, and those that they have."""
    checker = Checker()
    for verb, commands in outputs.items():
        for arguments in commands:
            printed = json.loads(cli(*(word.format(**paths) for word in arguments), "--json").out)
            assert printed.pop("format") == FORMAT
            checker.object(verb, printed)
    return {
        (title, path) for title in outputs for path, row in sections()[title].items() if not row.optional
    }, checker.seen


def test_ids_have_one_name() -> None:
    """No key ends in `_id`, `_number` or `_index`, and none is in another case."""
    for rows in sections().values():
        for path in rows:
            name = re.sub(r"\W+$", "", path).rsplit(".", 1)[-1]
            assert re.fullmatch("[a-z][a-z0-9_]*", name) and not re.search("_(id|number|index)$", name), path
