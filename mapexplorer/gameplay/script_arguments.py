"""What the arguments of commands name by number: a move, a trainer, an item ..., also where a variable holds it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from formats.field.script import Command, Item, ScriptFile
from formats.field.script_commands import PLATINUM, CommandSet
from mapexplorer.gameplay.variables import SET, VariableUse, numbers_of
from mapexplorer.games.script_tables import (
    FIRST_SCRIPT_VARIABLE,
    FIRST_VARIABLE,
    Access,
    SaveNames,
    ScriptCommands,
)
from mapexplorer.grouping import by_key

MOST_STEPS: Final = 1_000_000
"""Commands of a file that are gone back over in search of what variables hold, before the file is given up."""


class ArgumentUse(NamedTuple):
    """A number in a script: its meaning (`games.script_tables.Argument`), the command that takes it as its argument
    number `argument`, the member of the script archive and the item; `set_at`: the member and the item of the command
    that puts it into the variable of the argument (None: the command itself has it)."""

    meaning: str
    number: int
    command: int
    member: int
    item: int
    argument: int
    set_at: tuple[int, int] | None


def argument_uses(
    files: Iterable[tuple[int, ScriptFile]],
    commands: ScriptCommands,
    save_names: SaveNames,
    meanings: Collection[str],
    variables: Iterable[VariableUse],
) -> Iterator[ArgumentUse]:
    """The numbers with some meanings in (member, file) of script files, whether something runs them or not.

    A variable of the running script has the numbers that its file sets on a path to the command; a variable of the map
    those that the file sets anywhere; another saved one those that all files set. `variables`: their uses in the files.
    """
    files = list(files)
    of_member = dict(files)
    saved = by_key((number, place) for number, how, *place in variables if how == SET)
    concerned = {number for number, name in enumerate(commands.names) if not name.meanings.isdisjoint(meanings)}
    for member, file in files:
        flow = _Flow(file, commands)
        for at, item in enumerate(file.items):
            if not isinstance(item, Command) or item.number not in concerned:
                continue
            for index, value, about in numbers_of(item, commands):
                if about.meaning not in meanings or about.access not in (Access.NUMBER, Access.VALUE, Access.READ):
                    continue
                values: Iterable[tuple[int, tuple[int, int] | None]]
                if about.access is Access.NUMBER or (about.access is Access.VALUE and value < FIRST_VARIABLE):
                    values = [(value, None)]
                elif value >= FIRST_SCRIPT_VARIABLE:
                    values = [(number, (member, place)) for number, place in flow.sets(at, value)]
                else:
                    shared = value not in save_names.map_variables
                    values = [
                        (number, (other, place))
                        for other, place in saved.get(value, ())
                        for number in _constant(of_member[other].items[place], commands)
                        if shared or other == member
                    ]
                for number, place in values:
                    yield ArgumentUse(about.meaning, number, item.number, member, at, index, place)


class _Flow:
    """The order in which the commands of a file run; nothing more is found after MOST_STEPS through it."""

    def __init__(self, file: ScriptFile, names: ScriptCommands, commands: CommandSet = PLATINUM) -> None:
        self._items = file.items
        self._names = names
        self._no_return = commands.no_return
        self._calls = (names.call, names.call_on_condition)
        self._steps = 0

    @cached_property
    def _before(self) -> list[list[int]]:
        """For each item, and the end of the file, the commands that may run directly before it."""
        before: list[list[int]] = [[] for _ in range(len(self._items) + 1)]
        for at, item in enumerate(self._items):
            if not isinstance(item, Command):
                continue
            for target in item.targets:
                before[target].append(at)
                before[at + 1] += self._returns(target) if item.number in self._calls else ()
            if item.number not in (*self._no_return, self._names.call):
                before[at + 1].append(at)
        return before

    def _returns(self, start: int) -> list[int]:
        """The commands that return from a part that is called."""
        returns, waiting, seen = [], [start], {start}
        for at in waiting:
            self._steps += 1
            item = self._items[at] if at < len(self._items) and self._steps < MOST_STEPS else None
            if isinstance(item, Command):
                following = [] if item.number in self._calls else item.targets
                following += [] if item.number in self._no_return else [at + 1]
                waiting += sorted({*following} - seen)
                seen.update(following)
                returns += [at] if item.number == self._names.returns else []
        return returns

    def sets(self, at: int, variable: int) -> Iterator[tuple[int, int]]:
        """(number, item) of the commands that set the variable of the running script to a number that it may still have
        before an item; a copy of another variable is followed."""
        waiting = [(earlier, variable) for earlier in self._before[at]]
        seen = set(waiting)
        for place, held in waiting:
            self._steps += 1
            item = self._items[place]
            assert isinstance(item, Command)
            abouts = numbers_of(item, self._names) if held in item.arguments else ()
            if any(number == held and about.access in (Access.WRITE, Access.CHANGE) for _, number, about in abouts):
                yield from ((number, place) for number in _constant(item, self._names))
                source = item.arguments[1] if item.number == self._names.copy_variable else None
                if not isinstance(source, int):
                    continue
                held = source
            before = {(earlier, held) for earlier in self._before[place]} - seen
            seen |= before
            waiting += sorted(before) if self._steps < MOST_STEPS else []


def _constant(item: Item, names: ScriptCommands) -> tuple[int, ...]:
    """The number that a command puts into a variable; nothing for another one."""
    match item:
        case Command(names.set_variable, (_, int(number))):
            return (number,)
    return ()
