"""The JSON of the verbs is what docs/json.md says, and that page names nothing that no verb prints."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from formats.field.zone_event import ZoneEvents
from formats.save import SaveImage
from mapexplorer.games import Role
from mapexplorer.inspector import FORMAT
from mapexplorer.world.world import FieldWorld
from tests.compare.conftest import Edits
from tests.saves import small_block
from tools.json_schema import OPEN, SCHEMA, outputs, schema, sections
from tools.json_schema import text as schema_text

PLAIN: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
}

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
    "show THING": (("show", "demo", "prop:5"), ("show", "demo", "flag:300")),
    "where-used": (
        ("where-used", "demo", "prop", "5"),
        ("where-used", "demo", "header", "4"),
        ("where-used", "demo", "weather:snow"),
    ),
    "height": (("height", "demo", "T01", "7.5", "35.5"), ("height", "demo", "T01R0101", "0.5", "0.5")),
    "walk --path": (("walk", "demo", "T01", "--path", "SSEENN"), ("walk", "demo", "T01", "--path", "NN")),
    "walk --reach": (("walk", "demo", "T01", "--reach"), ("walk", "demo", "T01", "--reach", "--one-matrix")),
    "walk --to": (("walk", "demo", "T01", "--to", "T01@8,36"),),
    "table": (("table", "demo", "maps"), ("table", "demo", "tiles", "T01"), ("table", "demo", "encounters")),
    "find": (("find", "demo", "t01"),),
    "events": (("events", "demo", "T01"),),
    "save": (("save", "demo", "{out}/my.sav"),),
    "save --left": (("save", "demo", "{out}/my.sav", "--left"),),
    "save --since": (("save", "demo", "{out}/my.sav", "--since", "{out}/my.sav"),),
    "save --standable": (("save", "demo", "{out}/my.sav", "--standable", "T01R0101"),),
    "script": (("script", "demo", "T01"), ("script", "demo", "L01#1"), ("script", "demo", "file:3")),
    "diff": (("diff", "demo", "{out}/edited.nds"), ("diff", "demo", "demo")),
    "database": (("database", "demo", "-o", "{out}/demo.sqlite"),),
    "database --query": (("database", "demo", "--query", "SELECT item, name, price FROM item"),),
    "export": (("export", "demo", "T01", "-o", "{out}/one.glb"),),
    "export --models": (("export", "demo", "--models", "prop:3-4,land:0", "-j", "1", "-o", "{out}/models"),),
    "export --all": (("export", "demo", "--all", "-j", "1", "-o", "{out}/all"),) * 2,
    "render": (("render", "demo", "T01", "-o", "{out}/one.png"),),
    "render --why": (("render", "demo", "T01", "--why", "128,96"), ("render", "demo", "T01", "--why", "100,40")),
    "poster": (("poster", "demo", "T01", "--cell-pixels", "64", "-j", "1", "-o", "{out}/poster.png"),),
    "poster LOCATION": (("poster", "demo", "location:Millbrook", "--cell-pixels", "64", "-j", "1", "-o", "{out}"),),
    "script LOCATION": (("script", "demo", "location:Millbrook"),),
    "encounters LOCATION": (("encounters", "demo", "location:Millbrook"),),
    "verify": (("verify", "demo", "-j", "1"),),
    "doctor": (("doctor",),),
    "convert": (
        ("convert", "{out}/model.nsbmd", "{out}/set.nsbtx", "-o", "{out}/model.glb"),
        ("convert", "{out}/set.nsbtx", "-o", "{out}/pictures"),
    ),
}


OF_THE_REAL_ROM: dict[str, tuple[tuple[str, ...], ...]] = {
    "encounters MAP": tuple(("encounters", "{rom}", name, "--save", "{save}") for name in ("R205A", "D07R0101", "0")),
    "events": (("events", "{rom}", "T01"),),
    "tile": (
        ("tile", "{rom}", "T02", "177,841"),
        ("tile", "{rom}", "T01", "105,876"),
        ("tile", "{rom}", "R201", "116,852"),
    ),
    "diff": (("diff", "{diamond}", "{rom}", "--only", "header,script"),),
    "encounters SPECIES": tuple(("encounters", "{rom}", f"species:{name}") for name in ("combee", "Bidoof", "Abra")),
}
"""What the demo world has nothing of."""


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
        if kind == "values":
            return isinstance(value, list)
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
    """A folder with a model and its textures, and an edited ROM."""
    world = FieldWorld.open("demo")
    edits = Edits(world)
    edits.rows(Role.ZONE_EVENT, 3, ZoneEvents, "warps", lambda warps: warps[1:])
    edits.files["new.bin"] = b"new"
    (tmp_path / "edited.nds").write_bytes(edits.image())
    place = world.place("T01")
    model = next(prop.model for cell in place.cells for prop in place.props(cell) if prop.model)
    (tmp_path / "model.nsbmd").write_bytes(world.prop_model(model).to_bytes())
    (tmp_path / "set.nsbtx").write_bytes(place.prop_textures().to_bytes())
    small = small_block((300,), {0x4050: 2}, (place.header.id, 8, 36), badges=1)
    small["bag"]["items"][0], small["pokedex"]["seen"][0], small["pokedex"]["caught"][0] = (1, 2), 1, 1
    (tmp_path / "my.sav").write_bytes(SaveImage.of(small).to_bytes())
    return tmp_path


def test_the_page_says_what_the_verbs_print(cli: Callable[..., Any], out: Path) -> None:
    wanted, seen = wanted_and_seen(cli, OUTPUTS, out=out)
    # Nothing fails in the demo world, is skipped by a first export, stays out of reach behind a closed edge, or is of
    # another game.
    never = {("export", "failed[]"), ("export --all", "failed[]"), ("export --all", "skipped[]"), ("diff", "skipped[]")}
    never |= {(title, path) for title, path in wanted if path.startswith("unreached[].edge.")}
    never |= {(title, path) for title, path in wanted if title == "export --models" and path.startswith("failed[]")}
    assert wanted - seen - never == set()


def test_the_page_says_what_the_verbs_print_about_a_real_rom(
    cli: Callable[..., Any], rom_path: Path, tmp_path: Path
) -> None:
    save, small, diamond = tmp_path / "my.sav", small_block(), rom_path.with_name("diamond-field.nds")
    small["encounters"]["honey_trees"][0] = (600, 0, 0, 1, 1)
    save.write_bytes(SaveImage.of(small).to_bytes())
    wanted, seen = wanted_and_seen(cli, OF_THE_REAL_ROM, rom=rom_path, diamond=diamond, save=save)
    assert wanted - seen == set()


def wanted_and_seen(
    cli: Callable[..., Any], outputs: dict[str, tuple[tuple[str, ...], ...]], **paths: Path
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The rows that the page promises of some outputs, and those that they have."""
    checker, known = Checker(), schema()["$defs"]
    for verb, commands in outputs.items():
        for arguments in commands:
            printed = json.loads(cli(*(word.format(**paths) for word in arguments), "--json").out)
            assert valid(printed, known[verb], known), arguments
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


def test_the_schema_is_that_of_the_page() -> None:
    assert SCHEMA.read_text("utf-8") == schema_text(), "run python -m tools.json_schema"
    assert set(outputs()) >= {"maps", "show", "where-used", "find", "table"}


def test_the_schema_has_what_it_refers_to_and_accepts_an_output(cli: Callable[..., Any]) -> None:
    whole = schema()
    references = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(whole))
    assert {unquote(one) for one in references} <= set(whole["$defs"])
    printed = json.loads(cli("show", "demo", "T01", "--json").out)
    assert valid(printed, whole["$defs"]["show"], whole["$defs"])
    del printed["weather_name"]
    assert not valid(printed, whole["$defs"]["show"], whole["$defs"])
    assert not valid({**printed, "weather_name": 3}, whole["$defs"]["show"], whole["$defs"])


def valid(value: Any, rule: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether a value is valid by a schema, by the words of JSON Schema that the file uses."""
    if "$ref" in rule:
        return valid(value, known[unquote(rule["$ref"].removeprefix("#/$defs/"))], known)
    if "anyOf" in rule:
        return any(valid(value, one, known) for one in rule["anyOf"])
    if "const" in rule:
        return bool(value == rule["const"])
    if not PLAIN.get(rule["type"], lambda value: isinstance(value, list))(value):
        return False
    if rule["type"] == "array":
        return "items" not in rule or all(valid(one, rule["items"], known) for one in value)
    if rule["type"] != "object":
        return True
    properties, more = rule.get("properties", {}), rule.get("additionalProperties", True)
    if not set(rule.get("required", ())) <= set(value) or (more is False and not set(value) <= set(properties)):
        return False
    other = more if isinstance(more, dict) else {}
    return all(
        valid(one, properties.get(name, other), known) for name, one in value.items() if name in properties or other
    )
