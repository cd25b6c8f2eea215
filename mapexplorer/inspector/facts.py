"""What is known about a thing: fields with their meaning, their source, and what they lead to. `output` shows them."""

from __future__ import annotations

from dataclasses import dataclass

from mapexplorer.inspector.subject import Subject
from mapexplorer.world.provenance import Provenance
from mapexplorer.world.terrain import TerrainHeight
from mapexplorer.world.textures import Unresolved

Why = Provenance | TerrainHeight | Unresolved
"""Why a value is what it is: its source, the height query that gave it, or the names that a material does not find."""


@dataclass(frozen=True)
class Fact:
    """One field: its name, value, meaning in words, where it comes from, what it leads to, and its colour (8 bits)."""

    name: str
    value: str
    meaning: str = ""
    why: Why | None = None
    link: Subject | None = None
    color: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Section:
    """Facts under a heading."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Span:
    """A field of a file: where it lies in the bytes, its name and its value."""

    start: int
    length: int
    name: str
    value: str


@dataclass(frozen=True, eq=False)
class RawBytes:
    """The bytes of a thing: `path` in the ROM, the bytes, at which offset of the file they begin, and their fields."""

    path: str
    data: bytes
    offset: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Description:
    """Everything that is known about a subject."""

    subject: Subject
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    raw: RawBytes | None = None

    def followed_by(self, other: Description) -> Description:
        """With the sections of another description behind its own."""
        return Description(self.subject, self.title, self.subtitle, (*self.sections, *other.sections), self.raw)
