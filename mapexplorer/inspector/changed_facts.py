"""Which facts about a thing are others in another ROM."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from mapexplorer.inspector.facts import Description, Fact, Section

_Key = tuple[str, str, int]
"""The title of a section, the name of a fact, and how many of that name are before it."""


def with_values_before(description: Description, before: Description) -> Description:
    """A description whose facts that differ from `before` have the value that they had there. What only `before` has
    is the last fact of its section."""
    was = dict(_facts(before))
    now = dict(_facts(description))
    sections = []
    for section in description.sections:
        facts = tuple(_marked(fact, was.get(key)) for key, fact in _of_section(section))
        gone = [fact for key, fact in was.items() if key[0] == section.title and key not in now]
        sections.append(Section(section.title, (*facts, *(Fact(one.name, "none", before=_value(one)) for one in gone))))
    return replace(description, sections=tuple(sections))


def _facts(description: Description) -> Iterator[tuple[_Key, Fact]]:
    for section in description.sections:
        yield from _of_section(section)


def _of_section(section: Section) -> Iterator[tuple[_Key, Fact]]:
    seen: Counter[str] = Counter()
    for fact in section.facts:
        yield (section.title, fact.name, seen[fact.name]), fact
        seen[fact.name] += 1


def _marked(fact: Fact, before: Fact | None) -> Fact:
    was = "none" if before is None else _value(before)
    return fact if was == _value(fact) else replace(fact, before=was)


def _value(fact: Fact) -> str:
    return f"{fact.value} · {fact.meaning}" if fact.meaning else fact.value
