"""Shared parts of the descriptions: the context, numbers as text, references, bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import formats
from formats.field.field_types import Path
from formats.field.zone_event import ZoneEvents
from formats.fixed import ONE
from mapexplorer.features import Feature
from mapexplorer.games import Role
from mapexplorer.games.tables import Tables
from mapexplorer.inspector.facts import Fact
from mapexplorer.inspector.raw_bytes import RawBytes, field_meaning
from mapexplorer.values import count
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


def counted_events(events: ZoneEvents) -> str:
    """How many events of each kind: `2 people, 1 warp, 0 signs, 1 trigger`."""
    return (
        f"{count(len(events.objects), 'person', 'people')}, {count(len(events.warps), 'warp')}, "
        f"{count(len(events.background), 'sign')}, {count(len(events.triggers), 'trigger')}"
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


def member(context: Context, role: Role, index: int, *own: Path) -> RawBytes:
    """A member of an archive as raw bytes; `own`: the paths of the thing's fields."""
    world, members = context.world, context.world.members(role)
    return RawBytes(
        f"{world.path(role)}[{index}]",
        bytes(members[index]),
        partial(formats.read, kind=world.game.kind(members.name_of(index)), notes=[]),
        partial(field_meaning, world),
        own,
        lambda path, offset: world.origin(role, index, ("byte", offset) if role is Role.SCRIPTS else path),
    )


def overlay_record(
    context: Context, why: Provenance, title: str, dtype: np.dtype[Any], index: int, records: int
) -> RawBytes | None:
    """A record of a table of `records` in the field's overlay; None if the table is from elsewhere."""
    overlay, start = context.world.rom.overlay(context.world.game.program.overlay), why.offset
    if overlay is None or why.rule is not SourceRule.TABLE_FOUND or start is None:
        return None

    return RawBytes(
        f"{why.archive}: {title} {index}",
        overlay.data,
        lambda reader: reader.array(start, dtype, records, title),
        partial(field_meaning, context.world),
        ((title, index),),
    )
