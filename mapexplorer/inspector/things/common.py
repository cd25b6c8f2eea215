"""Shared parts of the descriptions: the context, numbers as text, references, bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any

import numpy as np

from formats.field.field_types import FieldSpan, element_spans
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from mapexplorer.features import Feature
from mapexplorer.games import Role
from mapexplorer.games.tables import Tables
from mapexplorer.inspector.facts import Fact, RawBytes
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.provenance import Provenance, Resolved, SourceRule
from mapexplorer.world.sources.readable import NO_SET
from mapexplorer.world.subject import Subject, subject

MOST_USERS = 100


@dataclass(frozen=True, eq=False)
class Context:
    """The world, the place through which a subject is viewed, the save, and what code adds there in its present
    state."""

    world: FieldWorld
    place: FieldPlace
    save: Save
    feature: Feature | None = None

    @property
    def tables(self) -> Tables:
        """The constant tables of the world's game."""
        return self.world.game.tables


def counted(number: int, singular: str, several: str = "") -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {singular if number == 1 else several or singular + 's'}"


def counted_events(events: ZoneEvents) -> str:
    """How many events of each kind: `2 people, 1 warp, 0 signs, 1 trigger`."""
    return (
        f"{counted(len(events.objects), 'person', 'people')}, {counted(len(events.warps), 'warp')}, "
        f"{counted(len(events.background), 'sign')}, {counted(len(events.triggers), 'trigger')}"
    )


def clock_text(second: int) -> str:
    """A second of the day as `20:00`."""
    return f"{second // 3600:02}:{second // 60 % 60:02}"


def prop_name(context: Context, model: int) -> str:
    """The name of a prop model, or the reason why it cannot be read."""
    if model >= len(context.world.members(Role.BUILD_MODEL)):
        return "there is no such model"
    file = read_or(None, context.world.prop_model, model)
    return "damaged" if file is None else file.models[0].name


def fx(value: int) -> str:
    """An fx32 number in units."""
    return f"{value / ONE:g}"


def point(values: Iterable[int]) -> str:
    """An fx32 point in units."""
    return "(" + ", ".join(fx(int(value)) for value in values) + ")"


def link(name: str, chosen: Subject, value: str = "", meaning: str = "") -> Fact:
    """A fact with a link to a subject."""
    return Fact(name, value or str(chosen.key[-1]), meaning, None, chosen)


def resolved(name: str, kind: str, value: Resolved[int], meaning: str = "") -> Fact:
    """A resolved number with its reason."""
    if value.value == NO_SET:
        return Fact(name, "unknown", "the area cannot be read")
    return Fact(name, str(value.value), meaning, value.why, subject(kind, value.value))


def header_link(context: Context, number: int, name: str = "Header") -> Fact:
    """A map header by its names."""
    headers = context.world.headers
    if number >= len(headers):
        return Fact(name, str(number), "there is no such header")
    return Fact(name, f"{number}  {headers[number].title}", headers[number].kind, None, subject("header", number))


def member(
    context: Context, role: Role, index: int, spans: Iterable[FieldSpan], start: int = 0, length: int = 0
) -> RawBytes:
    """A member of an archive, or a part of it, as raw bytes with fields, whose offsets are those in the member."""
    path = context.world.path(role)
    data = bytes(context.world.members(role)[index])
    part = data[start : start + length] if length else data[start:]
    return RawBytes(f"{path}[{index}]", part, start, tuple(spans))


def program_record(why: Provenance, title: str, data: bytes, index: int, spans: Iterable[FieldSpan]) -> RawBytes:
    """A record of a table in the program: its bytes, at their offset in the program part that holds the table, with
    the byte ranges of its fields from its beginning."""
    start = (why.offset or 0) + index * len(data)
    return RawBytes(
        f"{why.archive}: {title}", data, start, tuple(span._replace(offset=start + span.offset) for span in spans)
    )


def overlay_record(context: Context, why: Provenance, title: str, dtype: np.dtype[Any], index: int) -> RawBytes | None:
    """A record of a table in the field's overlay; None if the table is from elsewhere."""
    overlay = context.world.rom.overlay(context.world.game.program.overlay)
    if overlay is None or why.rule is not SourceRule.TABLE_FOUND or why.offset is None:
        return None
    record = np.frombuffer(overlay.data, dtype, 1, why.offset + index * dtype.itemsize)[0]
    return program_record(why, title, record.tobytes(), index, element_spans(record, 0, ()))


def whole_elements(spans: Iterable[FieldSpan]) -> Iterator[FieldSpan]:
    """The spans of a file with one for each element of its arrays instead of one for each field."""
    for path, fields in groupby(spans, lambda span: span.path[:2]):
        whole = list(fields)
        size = whole[-1].offset + whole[-1].size - whole[0].offset
        yield FieldSpan(path, whole[0].offset, size, [span.text for span in whole])


def in_a_row(fields: Iterable[tuple[int, str, object]], start: int = 0) -> list[FieldSpan]:
    """The byte ranges of fields that follow one another from `start` of the file: size, name and value of each."""
    fields = list(fields)
    starts = accumulate((size for size, _, _ in fields), initial=start)
    return [FieldSpan((name,), at, size, value) for at, (size, name, value) in zip(starts, fields, strict=False)]
