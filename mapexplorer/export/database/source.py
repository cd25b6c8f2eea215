"""What the tables are made of: a world, and what several subjects need of it, read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from formats.binary import FormatError
from formats.field.script import ScriptFile
from mapexplorer.errors import RomError
from mapexplorer.gameplay.items import EntryEffects, script_effects
from mapexplorer.games import Role
from mapexplorer.world.script_files import script_files
from mapexplorer.world.world import FieldWorld

Value = int | float | str | bytes | None
Row = tuple[Value, ...]
Rows = Iterable[Row]

T = TypeVar("T")


class Source:
    """A world whose damaged parts are left out and named in `damaged`."""

    def __init__(self, world: FieldWorld) -> None:
        self.world = world
        self.damaged: list[str] = []

    def each(self, numbers: Iterable[int], read: Callable[[int], T]) -> Iterator[tuple[int, T]]:
        """(number, what `read` returns for it), without those that are damaged or absent."""
        for number in numbers:
            try:
                value = read(number)
            except (FormatError, RomError) as error:
                self.note(str(error))
                continue
            yield number, value

    def members(self, role: Role) -> range:
        """The numbers of the members of an archive; none for one that is absent or damaged."""
        try:
            archive = self.world.archive(role)
        except FormatError as error:
            self.note(str(error))
            return range(0)
        return range(len(archive) if archive is not None else 0)

    def headers(self, read: Callable[[int], T]) -> Iterator[tuple[int, T]]:
        """`each` of the headers."""
        return self.each(range(len(self.world.headers)), read)

    def note(self, sentence: str) -> None:
        """Name a damaged part, once."""
        if sentence not in self.damaged:
            self.damaged.append(sentence)

    @cached_property
    def scripts(self) -> tuple[tuple[int, ScriptFile], ...]:
        """(member, file) of all script files."""
        return tuple(script_files(self.world))

    @cached_property
    def effects(self) -> EntryEffects:
        """What every entry of the script files can do."""
        return tuple(script_effects(self.world, self.scripts))


Fill = Callable[[Source], Iterator[tuple[str, Rows]]]
"""Makes the rows of some tables: (table, rows)."""
