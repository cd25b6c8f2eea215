"""The things that the index of names says use others, as subjects."""

from __future__ import annotations

import re
from typing import Final

from formats.binary import FormatError
from mapexplorer.inspector.facts import Fact, Section
from mapexplorer.inspector.name_index import Entry, NameIndex, Use
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world import FieldWorld

INDEXED: Final = ("species", "item", "trainer", "move", "flag", "variable", "music", "text")
"""The kinds of subjects whose uses the index of names knows and nothing else shows."""

_USER: Final = re.compile(
    r"file:(?P<member>\d+)(?:#(?P<entry>\d+))?|trainer:(?P<trainer>\d+)"
    r"|(?P<map>[^@#:]+)(?:@(?P<x>\d+),(?P<z>\d+)|#(?P<script>\d+))?"
)

_OF_EVENTS: Final = (("object", "objects"), ("sign", "background"), ("trigger", "triggers"), ("warp", "warps"))
"""Kinds of events and the lists that hold them; of several on a tile the first counts."""

_SHOWN: Final = 120
"""The uses that a description shows."""


def entry_subject(entry: Entry) -> Subject | None:
    """The subject that a named thing is; None for a file."""
    if entry.kind == "map":
        return subject("header", *entry.number)
    if entry.kind == "unused":
        return subject("scripts", *entry.number)
    if entry.kind == "script":
        return subject("script", 0, *entry.number)
    return Subject(entry.kind, entry.number) if entry.number else None


class UseLinks:
    """Finds the users of things in a world."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world
        self._headers = {header.internal_name: header.id for header in reversed(world.headers)}

    def subject(self, use: Use) -> Subject | None:
        """The user: a map, an event on it, a script, a trainer; None for a general one."""
        found = _USER.fullmatch(use.at)
        if found is None:
            return None
        if found["trainer"] is not None:
            return subject("trainer", int(found["trainer"]))
        if found["member"] is not None:
            return self._entry(int(found["member"]), found["entry"])
        header = self._headers.get(found["map"])
        if header is None:
            return None
        if found["script"] is not None:
            return subject("script", header, int(found["script"]))
        if found["x"] is not None:
            return self._event(header, int(found["x"]), int(found["z"])) or subject("header", header)
        return subject("header", header)

    def _entry(self, member: int, entry: str | None) -> Subject:
        """An entry of a script file: one that all maps share by its number."""
        band = next((band for band in self._world.game.tables.script_numbers.bands if band.member == member), None)
        if entry is None:
            return subject("scripts", member)
        return subject("scripts", member, int(entry)) if band is None else subject("script", 0, band.first + int(entry))

    def _event(self, header: int, x: int, z: int) -> Subject | None:
        try:
            events = self._world.events(header)
        except FormatError:
            return None
        for kind, name in _OF_EVENTS:
            records = getattr(events, name, ())
            for index, record in enumerate(records):
                if (int(record["x"]), int(record["z"])) == (x, z):
                    return subject(kind, header, index)
        return None

    def sections(self, index: NameIndex, chosen: Subject) -> tuple[Section, ...]:
        """The uses of a thing as facts with links."""
        entry = index.get(chosen.kind, *chosen.key) if chosen.kind in INDEXED else None
        if entry is None or not entry.uses:
            return ()
        facts = [Fact(use.how, use.at, use.location, None, self.subject(use)) for use in entry.uses[:_SHOWN]]
        if len(entry.uses) > _SHOWN:
            facts.append(Fact("", f"and {len(entry.uses) - _SHOWN} more"))
        return (Section(f"Uses ({len(entry.uses)})", tuple(facts)),)
