"""Where a value comes from: the part of the ROM that holds it, and the rule that chose it. `wording` makes sentences of
it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum, auto
from typing import Generic, TypeVar

T = TypeVar("T")

ARM9 = "arm9"
RETAIL = "the retail game"
"""The archive name for the built-in tables, used for ROMs that lack their own."""


class SourceRule(Enum):
    """How a value was chosen. The names in parentheses are the fields of `Facts` that the rule needs."""

    HEADER_NAMES = auto()
    """A map header names it (`header`)."""
    ENTRY_OF_HEADER = auto()
    """The entries of a list are those of the map headers (`header`)."""
    CHOSEN = auto()
    """The caller chose it."""
    ENTERED = auto()
    """It is the area that the player entered."""
    NEAREST_CELL = auto()
    """The nearest cell with a named header has it (`header`, `cell`)."""
    AREA_NAMES = auto()
    """An area names it (`area`)."""
    CELL_OF_MATRIX = auto()
    """A cell of a matrix names it (`cell`, `matrix`)."""
    PATCHED_CELL = auto()
    """Code puts it on a cell of a matrix (`cell`, `matrix`) while a hidden `location` is `known` or not."""
    PROP_OF_LAND = auto()
    """A prop of a land names it (`index`, `land`)."""
    DUMMY_BOX = auto()
    """The area's prop list lacks the model of a prop (`prop_set`, `prop`, `index`, `land`, `area`)."""
    FEATURE = auto()
    """The feature of a header creates it at run time (`feature`, `header`)."""
    SLOT_OF_LIST = auto()
    """A slot of a prop model's animation list names it (`slot`, `prop`)."""
    YEARLY_WEATHER = auto()
    """The day's row of the table of the year's weather (`header`, `weather`, `day`)."""
    NO_YEARLY_WEATHER = auto()
    """The program lacks the table of the year's weather."""
    NAMED_ARCHIVE = auto()
    """The caller named the archive of the headers."""
    HEADER_ROUTINE = auto()
    """The program has the routine that reads headers from the archive, or its first instruction at the place of the
    release (`routine`)."""
    ARCHIVE_FITS = auto()
    """The program has no table of headers, and the members of the archive are within the limits."""
    ONLY_FIT = auto()
    """The only place in the program where every record is within its limits."""
    PUBLISHED_OFFSET = auto()
    """The published offset, one of several places that fit (`places`)."""
    MOSTLY_FITS = auto()
    """The place where most records are within their limits (`share`)."""
    STATED = auto()
    """The text that the program's table is made of (`table`)."""
    EXPANDED_TABLE = auto()
    """A longer copy of the table is in code that a hack added (`table`)."""
    TABLE_FOUND = auto()
    """The bytes have the shape of the table (`table`)."""
    NO_TABLE = auto()
    """The overlay lacks the table (`table`)."""
    NO_OVERLAY = auto()
    """The ROM lacks the overlay of the table (`table`)."""


class ProgramTable(Enum):
    """A table in the program."""

    MAP_HEADERS = auto()
    CAMERAS = auto()
    OBJECT_GRAPHICS = auto()
    YEARLY_WEATHER = auto()
    HIDDEN_ITEMS = auto()
    COMMON_MART = auto()
    SPECIAL_MARTS = auto()
    MACHINES = auto()


@dataclass(frozen=True, repr=False)
class Facts:
    """What a rule was applied to. None: not part of the rule."""

    header: int | None = None
    """A map header."""
    area: Resolved[int] | None = None
    """An area with its own source."""
    matrix: int | None = None
    """A matrix."""
    cell: tuple[int, int] | None = None
    """(x, z) of the matrix."""
    land: int | None = None
    """Land data."""
    index: int | None = None
    """The number of a prop in its land."""
    prop_set: int | None = None
    """A prop set."""
    prop: int | None = None
    """A prop model."""
    slot: int | None = None
    """A slot of the list of its animations."""
    weather: int | None = None
    """A weather of the table of the year."""
    day: int | None = None
    """A day of a leap year, 0 the first."""
    table: ProgramTable | None = None
    """A table in the program."""
    routine: int | None = None
    """The offset of a routine in the ARM9 program."""
    places: int | None = None
    """A number of offsets in the program."""
    share: float | None = None
    """A share of records, 0 to 1."""
    overlay: int | None = None
    """The overlay that lacks a table."""
    feature: str | None = None
    """The name of a feature."""
    location: str | None = None
    """A hidden location."""
    known: bool | None = None
    """Whether the location is known."""

    def __repr__(self) -> str:
        given = ((fact.name, getattr(self, fact.name)) for fact in fields(self))
        return f"Facts({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"


@dataclass(frozen=True)
class Provenance:
    """The source of a value: member `member` of `archive` or byte `offset` of a part of the program, chosen by `rule`.

    `archive` is a role, the path of an archive that the user named, ARM9, `overlay N` or RETAIL; None for an id that no
    file holds (a weather): the id is `member`. `origin`: the file and the line of a text that the member is made from,
    None in a ROM."""

    archive: str | None
    rule: SourceRule
    member: int | None = None
    offset: int | None = None
    facts: Facts = field(default_factory=Facts)
    origin: tuple[str, int] | None = None


@dataclass(frozen=True)
class Resolved(Generic[T]):
    """A value with its provenance."""

    value: T
    why: Provenance
