"""What describers share: the place they look from, numbers in words, references, bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from formats.binary import FormatError
from mapexplorer.api import Place, World
from mapexplorer.games import Role
from mapexplorer.games.tables import Tables
from mapexplorer.gui.model.facts import Fact, RawBytes, Section, Span
from mapexplorer.gui.model.subject import Subject, subject
from mapexplorer.world.provenance import Provenance, Resolved

MOST_USERS = 60
FX = 4096

INSPECTABLE = frozenset(
    {
        "header", "matrix", "land", "area", "prop set", "terrain set", "light set", "prop", "prop animation",
        "terrain animation", "events", "messages", "camera", "weather", "object graphics",
    }
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Context:
    """The world, and the place from which a subject is looked at."""

    world: World
    place: Place

    @property
    def tables(self) -> Tables:
        """The constant tables of the world's game."""
        return self.world.game.tables


def counted(number: int, one: str, several: str = "") -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def prop_name(context: Context, model: int) -> str:
    """The name of a prop model, or why it cannot be said."""
    if model >= len(context.world.rom.archive(context.world.path(Role.BUILD_MODEL))):
        return "there is no such model"
    try:
        return context.world.prop_model(model).models[0].name
    except FormatError:
        return "damaged"


def fx(value: int) -> str:
    """An fx32 number in units."""
    return f"{value / FX:g}"


def point(values: Iterable[int]) -> str:
    """An fx32 point in units."""
    return "(" + ", ".join(fx(int(value)) for value in values) + ")"


def link(name: str, chosen: Subject, value: str = "", meaning: str = "", why: str = "") -> Fact:
    """A fact that leads somewhere."""
    return Fact(name, value or str(chosen.key[-1]), meaning, why, chosen)


def resolved(name: str, kind: str, value: Resolved[int], meaning: str = "") -> Fact:
    """A resolved number with its reason."""
    return Fact(name, str(value.value), meaning, str(value.why), subject(kind, value.value))


def header_link(context: Context, number: int, name: str = "Header") -> Fact:
    """A map header by its names."""
    headers = context.world.headers
    if number >= len(headers):
        return Fact(name, str(number), "there is no such header")
    return Fact(name, f"{number}  {headers[number].title}", headers[number].kind, "", subject("header", number))


def used_by(context: Context, chosen: Subject) -> list[Section]:
    """Who uses a subject, and which maps show it."""
    kind, number = _index_of(chosen)
    if kind is None:
        return []
    uses = context.world.uses
    facts = []
    users = uses.used_by(kind, number)
    for use in users[:MOST_USERS]:
        target = subject(use.kind, use.number)
        if use.kind == "header":
            facts.append(_renamed(header_link(context, use.number), use.how))
        else:
            facts.append(Fact(use.how, f"{use.kind} {use.number}", "", "", target))
    if len(users) > MOST_USERS:
        facts.append(Fact("", f"and {len(users) - MOST_USERS} more"))
    sections = [Section(f"Used by ({len(users)})", tuple(facts))] if facts else []
    if kind not in ("header", "events", "messages", "camera", "weather", "object graphics"):
        places = uses.places(kind, number)
        shown = tuple(header_link(context, header, "") for header in places[:MOST_USERS])
        if len(places) > MOST_USERS:
            shown += (Fact("", f"and {len(places) - MOST_USERS} more"),)
        if shown and kind != "area":
            sections.append(Section(f"Maps that show it ({len(places)})", shown))
    return sections


def _renamed(fact: Fact, name: str) -> Fact:
    return Fact(name or fact.name, fact.value, fact.meaning, fact.why, fact.link)


def _index_of(chosen: Subject) -> tuple[str | None, int]:
    if chosen.kind in INSPECTABLE:
        return chosen.kind, chosen.key[0]
    return None, 0


def member(
    context: Context, role: Role, index: int, spans: Iterable[Span], start: int = 0, length: int = 0
) -> RawBytes:
    """A member of an archive, or a part of it, as raw bytes with fields."""
    path = context.world.path(role)
    data = bytes(context.world.rom.archive(path)[index])
    part = data[start : start + length] if length else data[start:]
    return RawBytes(f"{path}[{index}]", part, start, tuple(spans))


def program_record(why: Provenance, title: str, record: np.void, index: int) -> RawBytes:
    """A record of a table in the program: its bytes, at their offset in the program part that holds the table."""
    found = re.fullmatch(r"(.+) at 0x([0-9A-F]+)", why.what)
    start = index * record.dtype.itemsize
    path, offset = (found[1], int(found[2], 16) + start) if found else (why.what, start)
    return RawBytes(f"{path}: {title}", record.tobytes(), offset, tuple(record_spans(record)))


def overlay_record(context: Context, why: Provenance, title: str, dtype: np.dtype[Any], index: int) -> RawBytes | None:
    """A record of a table that was found in overlay 5; None where it comes from elsewhere."""
    overlay = context.world.rom.overlay(5)
    found = re.fullmatch(r"overlay 5 at 0x([0-9A-F]+)", why.what)
    if overlay is None or found is None:
        return None
    record = np.frombuffer(overlay.data, dtype, 1, int(found[1], 16) + index * dtype.itemsize)[0]
    return program_record(why, title, record, index)


def record_spans(record: np.void, start: int = 0, prefix: str = "") -> list[Span]:
    """The fields of a structured record."""
    spans = []
    dtype = record.dtype
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]  # type: ignore[index]
        spans.append(Span(start + offset, field.itemsize, prefix + name, _shown(record[name])))
    return spans


def _shown(value: Any) -> str:
    return ", ".join(map(str, np.ravel(value).tolist()))
