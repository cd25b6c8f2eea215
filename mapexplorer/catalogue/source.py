"""What the tables are made of: a world, and what several subjects need of it, read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.script import ScriptFile
from formats.field.zone_event import ZoneEvents
from mapexplorer.catalogue.contents import Written
from mapexplorer.catalogue.database import Store
from mapexplorer.errors import RomError
from mapexplorer.gameplay.items import script_effects
from mapexplorer.gameplay.variables import VariableUse, variable_uses
from mapexplorer.games import Role
from mapexplorer.system.progress import Progress
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.events.script_effects import ScriptEffects, Values, constant_effects
from mapexplorer.world.events.script_files import script_bank, script_files
from mapexplorer.world.headers.header import Header
from mapexplorer.world.references.references import ARCHIVES, known
from mapexplorer.world.world import FieldWorld

Value = int | float | str | bytes | None
Row = tuple[Value, ...]
Rows = Iterable[Row]

T = TypeVar("T")


class Source:
    """A world whose damaged parts are left out and named in `damaged`: sentence -> the parts of the game (`reading`)
    that lack them. Reading raises when `progress` was cancelled. `store`: what is made of it, with the tables that were
    filled before. `only`: what is read anew, of archives these members alone; None: everything."""

    def __init__(self, world: FieldWorld, progress: Progress, store: Store, only: Written | None = None) -> None:
        self.world = world
        self.store = store
        self.only = only
        self.reading = ""
        self.damaged: dict[str, dict[str, None]] = {}
        self._progress = progress

    def part(self, read: Callable[[], T]) -> T | None:
        """What `read` returns; None if it is damaged or absent."""
        self._progress.check()
        try:
            return read()
        except FormatError as error:
            self.note(str(error))
        except RomError:  # the ROM or the game has no such file, which `info` says
            pass
        return None

    def each(self, numbers: Iterable[int], read: Callable[[int], T | None]) -> Iterator[tuple[int, T]]:
        """(number, what `read` returns for it), without those that are damaged or absent."""
        for number in numbers:
            value = self.part(partial(read, number))
            if value is not None:
                yield number, value

    def is_new(self, *reads: str) -> bool:
        """Whether any of these archives and names is read anew."""
        return self.only is None or not self.only.keys().isdisjoint(reads)

    def members(self, role: Role) -> Sequence[int]:
        """The numbers of the members of an archive; none for one that is absent or damaged."""
        archive = self.part(partial(self.world.archive, role))
        return range(len(archive) if archive is not None else 0)

    def read_anew(self, role: Role) -> Sequence[int]:
        """The members of an archive that are read anew."""
        members = self.members(role)
        return members if self.only is None else sorted(self.only.get(role, ()))

    def is_alone(self, role: Role | None, reads: Iterable[str]) -> bool:
        """Whether one of the archives and names that are read together is the only one that is read anew."""
        return (
            self.only is not None and role is not None and not self.is_new(*(other for other in reads if other != role))
        )

    @cached_property
    def headers(self) -> Sequence[int]:
        """The map headers whose events are read anew."""
        members, headers = self.read_anew(Role.ZONE_EVENT), self.world.headers
        return (
            range(len(headers)) if self.only is None else [header.id for header in headers if header.events in members]
        )

    def note(self, sentence: str) -> None:
        """Name a damaged part, once."""
        self.damaged.setdefault(sentence, {})[self.reading] = None

    @contextmanager
    def as_part(self, part: str) -> Iterator[None]:
        """Read a part of the game."""
        before, self.reading = self.reading, part
        yield
        self.reading = before

    @cached_property
    def scripts(self) -> tuple[tuple[int, ScriptFile], ...]:
        """(member, file) of the script files that are read anew."""
        damaged: list[str] = []
        files = tuple(script_files(self.world, damaged, self.read_anew(Role.SCRIPTS)))
        with self.as_part("scripts"):
            for sentence in damaged:
                self.note(sentence)
        return files

    @cached_property
    def banks(self) -> Mapping[int, int | None]:
        """Member of a script file -> the message bank of its texts."""
        return {member: script_bank(self.world, member) for member, _ in self.scripts}

    @cached_property
    def effects(self) -> tuple[tuple[int, int, ScriptEffects], ...]:
        """(member, entry, effects) of every entry of these script files."""
        effects = []
        for of_entry in script_effects(self.world, self.scripts):
            self._progress.check()
            effects.append(of_entry)
        return tuple(effects)

    @cached_property
    def constant_effects(self) -> tuple[tuple[int, ScriptFile, tuple[tuple[int, str, Values], ...]], ...]:
        """(member, file, (item, effect, stored values) of its commands) of these script files."""
        commands = self.world.game.tables.script_commands
        return tuple([(member, file, tuple(constant_effects(file, commands))) for member, file in self.scripts])

    @cached_property
    def variable_uses(self) -> tuple[VariableUse, ...]:
        """The uses of saved variables by commands, sorted."""
        return tuple(sorted(variable_uses(self.scripts, self.world.game.tables.script_commands)))

    def users(self, kind: str) -> Iterable[int]:
        """The numbers of the things of a kind."""
        if kind in ARCHIVES:
            return self.members(ARCHIVES[kind])
        return sorted(self.part(lambda: known(self.world, kind) or ()) or ())

    @cached_property
    def events(self) -> tuple[tuple[int, ZoneEvents], ...]:
        """(header, its events) of those that are read anew, without headers that have none."""
        with self.as_part("events"):
            return tuple(self.each(self.headers, self.world.events))

    @cached_property
    def by_internal_name(self) -> Mapping[str, Header]:
        """Internal name -> the map header."""
        return {header.internal_name: header for header in reversed(self.world.headers)}

    @cached_property
    def hiding(self) -> frozenset[int]:
        """The headers of the maps with hidden items."""
        query = f"SELECT DISTINCT header FROM background WHERE type = {int(BackgroundKind.HIDDEN_ITEM)}"
        return frozenset(header for (header,) in self.store.rows(query))

    @cached_property
    def attributes(self) -> tuple[tuple[int, npt.NDArray[np.uint16]], ...]:
        """(land, its terrain attributes (32, 32))."""
        read = self.world.land_sections
        with self.as_part("the tiles of lands"):
            return tuple(self.each(self.members(Role.LAND_DATA), lambda land: read(land).read_attributes()))


Fill = Callable[[Source], Iterator[tuple[str, Rows]]]
"""Makes the rows of some tables: (table, rows)."""
