"""What the tables are made of: a world, and what several subjects need of it, read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TypeVar

from formats.binary import FormatError
from formats.field.script import ScriptFile
from mapexplorer.errors import RomError
from mapexplorer.export.progress import Progress
from mapexplorer.gameplay.items import script_effects
from mapexplorer.gameplay.script_effects import ScriptEffects
from mapexplorer.games import Role
from mapexplorer.world.script_files import script_files
from mapexplorer.world.world import FieldWorld

Value = int | float | str | bytes | None
Row = tuple[Value, ...]
Rows = Iterable[Row]

T = TypeVar("T")


class Source:
    """A world whose damaged parts are left out and named in `damaged`. Reading raises when `progress` was cancelled."""

    def __init__(self, world: FieldWorld, progress: Progress) -> None:
        self.world = world
        self.damaged: list[str] = []
        self._progress = progress

    def part(self, read: Callable[[], T]) -> T | None:
        """What `read` returns; None if it is damaged or absent."""
        self._progress.check()
        try:
            return read()
        except (FormatError, RomError) as error:
            self.note(str(error))
            return None

    def each(self, numbers: Iterable[int], read: Callable[[int], T | None]) -> Iterator[tuple[int, T]]:
        """(number, what `read` returns for it), without those that are damaged or absent."""
        for number in numbers:
            value = self.part(partial(read, number))
            if value is not None:
                yield number, value

    def members(self, role: Role) -> range:
        """The numbers of the members of an archive; none for one that is absent or damaged."""
        archive = self.part(partial(self.world.archive, role))
        return range(len(archive) if archive is not None else 0)

    def note(self, sentence: str) -> None:
        """Name a damaged part, once."""
        if sentence not in self.damaged:
            self.damaged.append(sentence)

    @cached_property
    def scripts(self) -> tuple[tuple[int, ScriptFile], ...]:
        """(member, file) of all script files."""
        damaged: list[str] = []
        files = tuple(script_files(self.world, damaged))
        for sentence in damaged:
            self.note(sentence)
        return files

    @cached_property
    def effects(self) -> tuple[tuple[int, int, ScriptEffects], ...]:
        """(member, entry, effects) of every entry of the script files."""
        found = []
        for one in script_effects(self.world, self.scripts):
            self._progress.check()
            found.append(one)
        return tuple(found)


Fill = Callable[[Source], Iterator[tuple[str, Rows]]]
"""Makes the rows of some tables: (table, rows)."""
