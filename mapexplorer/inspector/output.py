"""The text and the JSON of facts and sources. Keys are in snake case; the sentences are those of `world.wording`."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from mapexplorer.inspector.facts import Description, Fact, Why
from mapexplorer.inspector.origins import origin_json, source_of
from mapexplorer.inspector.things.found import kind_json
from mapexplorer.world.headers.leftovers import Leftover, LeftoverRule
from mapexplorer.world.models.textures import Unresolved
from mapexplorer.world.sources.provenance import ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.terrain.terrain import TerrainHeight
from mapexplorer.world.wording import height_reason, leftover, source, unresolved_names


def why_text(why: Why | None) -> str:
    """The reason of a value as a sentence; empty without one."""
    match why:
        case None:
            return ""
        case Provenance():
            return source(why)
        case TerrainHeight():
            return height_reason(why)
    return f"white in the game: {unresolved_names(why)}"


def text_lines(description: Description) -> list[str]:
    """A description as lines of plain text."""
    lines = [description.title, description.subtitle] if description.subtitle else [description.title]
    for section in description.sections:
        lines += ["", section.title, *(f"  {_line(fact)}" for fact in section.rows)]
    return lines


def _line(fact: Fact) -> str:
    colon = "" if fact.name.endswith(":") else ":"  # a use, "set when beaten:", ends in one
    return f"{fact.name}{colon} {fact_text(fact)}" if fact.name else fact_text(fact)


def fact_text(fact: Fact) -> str:
    """A fact without its name: value, meaning, value before, reason."""
    meaning = f" ({fact.meaning})" if fact.meaning else ""
    why = f"  [{why_text(fact.why)}]" if fact.why else ""
    before = f"  (before: {fact.before})" if fact.before is not None else ""
    # A text of the game has breaks of lines, paragraphs and pages.
    return " ".join(part.rstrip() for part in f"{fact.value}{meaning}{before}{why}".splitlines())


def description_json(description: Description) -> dict[str, Any]:
    """A description as JSON values."""
    return {
        "kind": kind_json(description.subject.kind),
        "key": list(description.subject.key),
        "title": description.title,
        "subtitle": description.subtitle,
        "sections": [
            {"title": section.title, "facts": [fact_json(fact) for fact in section.rows]}
            for section in description.sections
        ],
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    """A fact as JSON values, without its empty fields."""
    plain = {
        "name": fact.name,
        "value": fact.value,
        "meaning": fact.meaning,
        "why": why_text(fact.why),
        "source": source_json(fact.why) if isinstance(fact.why, Provenance) else None,
        "lacks": asdict(fact.why) if isinstance(fact.why, Unresolved) else None,
        "link": fact.link.address if fact.link and not source_of(fact) else "",
        "before": fact.before,
        **origin_json(source_of(fact)),
    }
    return {key: value for key, value in plain.items() if value}


def leftover_json(rule: Leftover) -> dict[str, Any]:
    """A leftover rule of a map header as JSON values with the sentence."""
    return _plain(rule) | {"why": leftover(rule)}


def source_json(why: Provenance) -> dict[str, Any]:
    """A source as JSON values: fields with None are omitted, rules and tables are in lower case."""
    return _plain(why) | _plain(why.facts)


def _plain(value: Provenance | Any) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if isinstance(part, Resolved):
            plain[field.name] = {"value": part.value, **source_json(part.why)}
        elif isinstance(part, (SourceRule, ProgramTable, LeftoverRule)):
            plain[field.name] = part.name.lower()
        elif field.name == "origin" and part is not None:
            plain |= origin_json(part)
        elif field.name != "facts" and part not in (None, ()):
            plain[field.name] = list(part) if isinstance(part, tuple) else part
    return plain
