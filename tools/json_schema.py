"""The page docs/json.md as a JSON Schema: `python -m tools.json_schema` writes docs/json.schema.json.

The page is the declaration: a section for each output of a verb (its title is in backquotes) and for each kind of
object in them, a line for each value: its path in backquotes, its types, optional or not, words.
`tests/cli/test_json.py` compares it with the outputs.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from mapexplorer.inspector import FORMAT

PAGE: Final = Path(__file__).parents[1] / "docs" / "json.md"
SCHEMA: Final = PAGE.with_name("json.schema.json")

PLAIN: Final = ("integer", "number", "string", "boolean", "null", "object")
"""The types that are words of JSON Schema too; with an `s`, lists of them; `values` is a list of any."""

OPEN: Final = {"event", "table row"}
"""Objects that may hold more than the page names."""


@dataclass(frozen=True)
class Row:
    """A line of the page: the types that a value may have, and whether it may be absent."""

    types: tuple[str, ...]
    optional: bool


@cache
def sections() -> dict[str, dict[str, Row]]:
    """Title -> path of a value -> its row."""
    found: dict[str, dict[str, Row]] = {}
    for title, text in _parts():
        rows = found[title.strip("`")] = {}
        for other in re.findall(r"[Ww]hat `([\w ]+)` has[.,]", text):
            rows.update(found[other])
        for path, types, optional in re.findall(r"^\* `([^`]+)` ([a-z ]+?)(, optional)?(?::|$)", text, re.MULTILINE):
            rows[path] = Row(tuple(types.split(" or ")), bool(optional))
        assert len(re.findall(r"^\* ", text, re.MULTILINE)) <= len(rows), title
    return found


def _parts() -> list[tuple[str, str]]:
    parts = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def outputs() -> tuple[str, ...]:
    """The titles of the sections that describe what a verb prints."""
    return tuple(title.strip("`") for title, _ in _parts() if title.startswith("`"))


def schema() -> dict[str, Any]:
    """The schema: any output, and each of them and of their parts under `$defs`."""
    verbs = outputs()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the verbs of mapexplorer print with --json",
        "anyOf": [_reference(title) for title in verbs],
        "$defs": {title: _object(rows, "", title, title in verbs) for title, rows in sections().items()},
    }


def _object(rows: dict[str, Row], prefix: str, title: str, is_output: bool = False) -> dict[str, Any]:
    """The object whose values have the paths that begin with `prefix`."""
    properties: dict[str, Any] = {"format": {"const": FORMAT}} if is_output else {}
    required = list(properties)
    for path, row in rows.items():
        found = re.fullmatch(re.escape(prefix) + r"(\w+)(\[\]|\{\})?", path)
        if found is None:
            continue
        name, shape = found.groups()
        value = _any([_type(kind, rows, f"{path}.", title) for kind in row.types])
        if shape == "[]":
            value = {"type": "array", "items": value}
        elif shape == "{}":
            value = {"type": "object", "additionalProperties": value}
        properties[name] = value
        required += [] if row.optional else [name]
    made: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    is_open = title in OPEN or not properties
    return made if is_open else {**made, "additionalProperties": False}


def _type(kind: str, rows: dict[str, Row], prefix: str, title: str) -> dict[str, Any]:
    if kind == "object":
        return _object(rows, prefix, title)
    if kind == "values":
        return {"type": "array"}
    if kind in PLAIN:
        return {"type": kind}
    if kind.removesuffix("s") in PLAIN:
        return {"type": "array", "items": {"type": kind.removesuffix("s")}}
    return _reference(kind)


def _reference(title: str) -> dict[str, str]:
    return {"$ref": "#/$defs/" + re.sub(r"[^\w-]", lambda one: f"%{ord(one[0]):02X}", title)}


def _any(types: list[dict[str, Any]]) -> dict[str, Any]:
    return types[0] if len(types) == 1 else {"anyOf": types}


def text() -> str:
    """The schema as it is stored."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(text(), "utf-8")
    sys.stdout.write(f"{SCHEMA}\n")
