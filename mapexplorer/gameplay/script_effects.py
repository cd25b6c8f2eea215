"""What a script can do: the effects of its commands over all paths from an entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from formats.field.script import Command, ScriptFile, Target
from formats.field.script_commands import PLATINUM, CommandSet
from mapexplorer.games.script_tables import (
    FIRST_SCRIPT_VARIABLE,
    FIRST_VARIABLE,
    Access,
    ScriptCommands,
)

NOT_CONSTANT: Final = -1
"""Stands for a number that depends on the save or on what happened before."""

MOST_STATES: Final = 50_000
"""Commands that are followed, each once for every state of the variables and calls, before a script is given up."""

_CALL_DEPTH: Final = 20
_WORD: Final = 0x10000

Values = tuple[int | str, ...]


@dataclass(frozen=True)
class ScriptEffects:
    """The effects of an entry: effect (`text`, `give`, `flag set` ...) -> what it is about, sorted.

    `complete`: all paths were followed; otherwise there were too many, and effects may be missing.
    """

    found: Mapping[str, tuple[Values, ...]]
    complete: bool = True

    def numbers(self, effect: str) -> tuple[int, ...]:
        """The first value of every occurrence of an effect."""
        return tuple(values[0] for values in self.found.get(effect, ()) if isinstance(values[0], int))


_State = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]
"""A place in a path: item, items to return to, the variables of the script with known values."""


class EffectsReader:
    """Finds the effects of the entries of one script file.

    A path follows every target in the file and both ways of a condition; common scripts are not entered. Variables of
    the running script are constants along a path from where a command sets them.
    """

    def __init__(self, file: ScriptFile, names: ScriptCommands, commands: CommandSet = PLATINUM) -> None:
        self._file = file
        self._names = names
        self._commands = commands
        self._tracked = frozenset(self._variables_that_matter())
        numbers = {item.number for item in file.items if isinstance(item, Command)}
        self._active = frozenset(number for number in numbers if self._is_active(number))

    def effects(self, entry: int, most_states: int = MOST_STATES) -> ScriptEffects:
        """The effects of an entry. Raises IndexError for one that does not exist."""
        found: dict[str, set[Values]] = {}
        start = self._file.entries[entry]
        waiting: list[_State] = [(start.item, (), ())] if start.offset == 0 else []
        seen = set(waiting)
        while waiting:
            item, calls, known = waiting.pop()
            command = self._file.items[item] if item < len(self._file.items) else None
            if not isinstance(command, Command):
                continue
            after = known
            if command.number in self._active:
                variables = dict(known)
                for effect, values in self._effects_of(command, variables):
                    found.setdefault(effect, set()).add(values)
                self._execute(command, variables)
                after = tuple(sorted(variables.items()))
            for following, to_return in self._following(item, command, calls):
                state = following, to_return, after
                if state not in seen:
                    if len(seen) >= most_states:
                        return _sorted(found, complete=False)
                    seen.add(state)
                    waiting.append(state)
        return _sorted(found, complete=True)

    def _is_active(self, number: int) -> bool:
        """Whether a command has effects or may change variables."""
        names = self._names
        changing = (names.set_variable, names.copy_variable, names.add_to_variable, names.subtract_from_variable)
        if number in (*changing, names.call_common) or number in names.effects:
            return True
        name = names.name(number)
        lists = () if name is None else (name.arguments, *name.variants.values())
        return any(one.access in (Access.WRITE, Access.CHANGE) for arguments in lists for one in arguments)

    def _following(self, item: int, command: Command, calls: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The items that may be executed after a command, with the items to return to."""
        if command.number == self._names.returns:
            if calls:
                yield calls[-1], calls[:-1]
            return
        is_call = command.number in (self._names.call, self._names.call_on_condition)
        for argument in command.arguments:
            # A movement list is no command and ends the path to it.
            if isinstance(argument, Target) and argument.offset == 0:
                if not is_call:
                    yield argument.item, calls
                elif len(calls) < _CALL_DEPTH:
                    yield argument.item, (*calls, item + 1)
        if command.number not in self._commands.no_return and command.number != self._names.call:
            yield item + 1, calls

    def _effects_of(self, command: Command, variables: Mapping[int, int]) -> Iterator[tuple[str, Values]]:
        for rule in self._names.effects.get(command.number, ()):
            values = tuple([self._value(command, index, variables) for index in rule.arguments])
            if rule.none.isdisjoint(values):
                yield rule.effect, (*rule.prefix, *values)
        if command.number == self._names.call_common and isinstance(command.arguments[0], int):
            common = self._names.common_effects.get(command.arguments[0])
            if common is not None:
                effect, described = common
                yield effect, tuple([variables.get(variable, NOT_CONSTANT) for variable in described])

    def _value(self, command: Command, index: int, variables: Mapping[int, int]) -> int:
        argument = command.arguments[index]
        if not isinstance(argument, int):
            return NOT_CONSTANT
        name = self._names.name(command.number)
        taken = name is not None and name.arguments_for(command.arguments[0])[index].access is Access.VALUE
        return _resolved(argument, variables) if taken else argument

    def _execute(self, command: Command, variables: dict[int, int]) -> None:
        """Change the known variables as a command does."""
        names = self._names
        name = names.name(command.number)
        if name is None or not command.arguments:
            return
        first, *rest = command.arguments
        if isinstance(first, int) and rest and isinstance(rest[0], int):
            value: int | None = None
            if command.number == names.set_variable:
                value = rest[0]
            elif command.number == names.copy_variable:
                value = variables.get(rest[0])
            elif command.number in (names.add_to_variable, names.subtract_from_variable):
                operand = _resolved(rest[0], variables)
                if first in variables and operand != NOT_CONSTANT:
                    sign = 1 if command.number == names.add_to_variable else -1
                    value = (variables[first] + sign * operand) % _WORD
            if value is not None and first in self._tracked:
                variables[first] = value
                return
        for argument, about in zip(command.arguments, name.arguments_for(first), strict=False):
            if about.access in (Access.WRITE, Access.CHANGE) and isinstance(argument, int):
                variables.pop(argument, None)

    def _variables_that_matter(self) -> set[int]:
        """The variables of the running script whose values describe an effect somewhere in the file. The others would
        only multiply the states."""
        names = self._names
        found: set[int] = set()
        copies: list[tuple[int, int]] = []
        for item in self._file.items:
            if not isinstance(item, Command):
                continue
            numbers = [argument for argument in item.arguments if isinstance(argument, int)]
            for rule in names.effects.get(item.number, ()):
                found.update(numbers[index] for index in rule.arguments if index < len(numbers))
            if item.number == names.call_common and numbers:
                found.update(names.common_effects.get(numbers[0], ("", ()))[1])
            if item.number in (names.copy_variable, names.add_to_variable, names.subtract_from_variable):
                copies.append((numbers[0], numbers[1]))
        while more := {source for goal, source in copies if goal in found} - found:
            found |= more
        return {variable for variable in found if variable >= FIRST_SCRIPT_VARIABLE}


def constant_effects(file: ScriptFile, names: ScriptCommands) -> Iterator[tuple[int, str, Values]]:
    """(item, effect, stored values) of all commands of a file, whether a path leads to them or not; a stored value may
    be the number of a variable. Effects with a target among their values are left out."""
    for at, item in enumerate(file.items):
        for rule in names.effects.get(item.number, ()) if isinstance(item, Command) else ():
            assert isinstance(item, Command)
            values = [item.arguments[index] for index in rule.arguments]
            numbers = tuple([value for value in values if isinstance(value, int)])
            if len(numbers) == len(values) and rule.none.isdisjoint(numbers):
                yield at, rule.effect, (*rule.prefix, *numbers)


def _resolved(number: int, variables: Mapping[int, int]) -> int:
    """What a command takes for a number that may be that of a variable."""
    return number if number < FIRST_VARIABLE else variables.get(number, NOT_CONSTANT)


def _sorted(found: Mapping[str, set[Values]], *, complete: bool) -> ScriptEffects:
    ordered = {effect: tuple(sorted(found[effect], key=lambda values: tuple(map(_order, values)))) for effect in found}
    return ScriptEffects(dict(sorted(ordered.items())), complete)


def _order(value: int | str) -> tuple[str, int]:
    return (value, 0) if isinstance(value, str) else ("", value)
