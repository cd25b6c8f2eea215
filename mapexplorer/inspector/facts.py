"""Facts: fields of a thing with their meaning, source and links. `output` converts them to text and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from mapexplorer.world.sources.provenance import Provenance
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.export.icons import Pixels
    from mapexplorer.inspector.raw_bytes import RawBytes
    from mapexplorer.world.models.textures import Unresolved
    from mapexplorer.world.terrain.terrain import TerrainHeight

Row = TypeVar("Row")

Why: TypeAlias = "Provenance | TerrainHeight | Unresolved"
"""The reason of a value: its source, the height query that gave it, or the names that a material lacks."""


@dataclass(frozen=True)
class Fact:
    """One field of a thing."""

    name: str
    """What the value is, as text."""
    value: str
    """The value as text."""
    meaning: str = ""
    """What the value means, as text."""
    why: Why | None = None
    """Its source."""
    link: Subject | None = None
    """The subject that it leads to."""
    color: tuple[int, int, int] | None = None
    """Its colour, 8 bits a part."""
    before: str | None = None
    """Its value in the ROM with which the present one is compared; None where it is equal or nothing is compared."""


@dataclass(frozen=True)
class Group(Generic[Row]):
    """Rows under a heading; `collapsed`: in a list they are shown when the user asks for them; `place`: the map that
    they are about."""

    title: str
    rows: tuple[Row, ...]
    collapsed: bool = False
    place: Subject | None = None


Section = Group[Fact]
"""Facts under a heading."""


def section(title: str, *facts: Fact) -> Section:
    """Facts under a heading."""
    return Group(title, facts)


def listed(title: str, facts: Iterable[Fact], most: int | None = None, *, more: bool = False) -> Section:
    """Facts of one kind under a heading with their number: all, or the first of them, with `more` followed by the
    number of the others."""
    facts = tuple(facts)
    others = len(facts) - len(facts[:most])
    shown = (*facts[:most], Fact("", f"and {others} more")) if more and others else facts[:most]
    return Section(f"{title} ({len(facts)})", shown)


def filled(*sections: Section) -> tuple[Section, ...]:
    """The sections that have facts."""
    return tuple(section for section in sections if section.rows)


@dataclass(frozen=True, eq=False)
class Description:
    """All facts about a subject."""

    subject: Subject
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    raw: RawBytes | None = None
    pictures: Mapping[Subject, Pixels] = field(default_factory=dict)
    """The small pictures of it and of what its facts lead to, if they were read."""

    @property
    def links(self) -> Iterator[Subject]:
        """The things that the facts lead to."""
        return (fact.link for section in self.sections for fact in section.rows if fact.link is not None)

    @property
    def shown(self) -> Subject:
        """The thing whose picture it has: of an object what it looks like."""
        looks = (thing for thing in self.links if thing.kind == "object graphics" and self.subject.kind == "object")
        return next(looks, self.subject)

    def followed_by(self, other: Description) -> Description:
        """This description with the sections of another one appended."""
        return replace(self, sections=(*self.sections, *other.sections))


Described: TypeAlias = "tuple[str, str, Iterable[Section], RawBytes | None]"
"""What the describer of a kind of thing says: title, subtitle, sections, bytes."""

Describers = Mapping[str, Callable[..., Described]]
"""Kind of thing -> what describes one; it takes the context and the numbers of the thing's key."""


@dataclass(frozen=True)
class ListedThing:
    """A row of a list."""

    subject: Subject | None
    """The thing that it leads to; None: nothing."""
    title: str
    """What is written first."""
    lines: tuple[str, ...] = ()
    """More lines about it."""
    side: str = ""
    """A short text beside them."""
    picture: Subject | None = None
    """The thing whose picture it has; None: the one that it leads to."""
    faint: bool = False
    """Whether it is absent or not reached."""
    before: Subject | None = None
    """Of a difference between two ROMs: the thing whose picture shows it in the first one."""
    needs: Subject | None = None
    """The flag or variable that decides whether it is there or runs."""

    @property
    def shown(self) -> Subject | None:
        """The thing whose picture the row has."""
        return self.picture or self.subject


ListedGroup = Group[ListedThing]
"""Things of a list under a heading."""


_Key = tuple[str, str, Subject | None, int]
"""The title of a section, the name of a fact, the thing that it is about where several facts have that name, and how
many with all of these are before it."""


def with_values_before(description: Description, before: Description) -> Description:
    """A description whose facts that differ from `before` have the value that they had there. What only `before` has
    is the last fact of its section."""
    repeated = _repeated(before) | _repeated(description)
    was, now = _facts(before, repeated), _facts(description, repeated)
    sections = []
    for section in description.sections:
        facts = (_marked(fact, was.get(key)) for key, fact in _of_section(section, repeated))
        gone = (fact for key, fact in was.items() if key[0] == section.title and key not in now)
        sections.append(
            Section(section.title, (*facts, *(Fact(fact.name, "none", before=_value(fact)) for fact in gone)))
        )
    return replace(description, sections=tuple(sections))


def _repeated(description: Description) -> set[tuple[str, str]]:
    """The titles of sections and names of facts of which there are several."""
    names = Counter((section.title, fact.name) for section in description.sections for fact in section.rows)
    return {name for name, number in names.items() if number > 1}


def _facts(description: Description, repeated: Container[tuple[str, str]]) -> dict[_Key, Fact]:
    return dict(pair for section in description.sections for pair in _of_section(section, repeated))


def _of_section(section: Section, repeated: Container[tuple[str, str]]) -> Iterator[tuple[_Key, Fact]]:
    seen: Counter[tuple[str, Subject | None]] = Counter()
    for fact in section.rows:
        about = fact.link if (section.title, fact.name) in repeated else None
        yield (section.title, fact.name, about, seen[fact.name, about]), fact
        seen[fact.name, about] += 1


def _marked(fact: Fact, before: Fact | None) -> Fact:
    was = "none" if before is None else _value(before)
    return fact if was == _value(fact) else replace(fact, before=was)


def _value(fact: Fact) -> str:
    return f"{fact.value} · {fact.meaning}" if fact.meaning else fact.value
