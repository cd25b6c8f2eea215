"""Files and lines of the text that a ROM is made from, as text and JSON."""

from __future__ import annotations

from typing import Any

from mapexplorer.inspector.facts import Fact
from mapexplorer.rom.rom import Origin
from mapexplorer.world.subject import Subject

SOURCE = "source"
"""The kind of subject that is a place in a text."""


def origin_json(origin: Origin | None) -> dict[str, Any]:
    """The key `origin` of JSON values; none without a text."""
    return {} if origin is None else {"origin": {"file": origin[0], "line": origin[1]}}


def origin_text(origin: Origin) -> str:
    """A file and a line as editors read it."""
    return f"{origin[0]}:{origin[1]}"


def source_fact(name: str, origin: Origin) -> Fact:
    """A fact that leads to a file and a line."""
    return Fact(name, origin_text(origin), link=Subject(SOURCE, origin))


def source_of(fact: Fact) -> Origin | None:
    """The file and the line that a fact leads to."""
    return (fact.link.key[0], fact.link.key[1]) if fact.link is not None and fact.link.kind == SOURCE else None
