"""Facts: fields of a thing with their meaning, source and links. `output` converts them to text and JSON."""

from __future__ import annotations

from dataclasses import dataclass

from mapexplorer.world.provenance import Provenance
from mapexplorer.world.subject import Subject
from mapexplorer.world.terrain import TerrainHeight
from mapexplorer.world.textures import Unresolved

Why = Provenance | TerrainHeight | Unresolved
"""The reason of a value: its source, the height query that gave it, or the names that a material lacks."""


@dataclass(frozen=True)
class Fact:
    """One field: its name, value, meaning as text, source, the subject that it links to, its colour (8 bits), and its
    value in the ROM with which the present one is compared, None where it is equal or nothing is compared."""

    name: str
    value: str
    meaning: str = ""
    why: Why | None = None
    link: Subject | None = None
    color: tuple[int, int, int] | None = None
    before: str | None = None


@dataclass(frozen=True)
class Section:
    """Facts under a heading."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Span:
    """The range of a field in the bytes of a file, its name and its value."""

    start: int
    length: int
    name: str
    value: str


@dataclass(frozen=True, eq=False)
class RawBytes:
    """Bytes of a thing: `path` in the ROM, the bytes, their offset in the file, and their fields."""

    path: str
    data: bytes
    offset: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Description:
    """All facts about a subject."""

    subject: Subject
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    raw: RawBytes | None = None

    def followed_by(self, other: Description) -> Description:
        """This description with the sections of another one appended."""
        return Description(self.subject, self.title, self.subtitle, (*self.sections, *other.sections), self.raw)
