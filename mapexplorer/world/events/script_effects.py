"""What a script can do: the effects of its commands over all paths from an entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from formats.field.script import Command, ScriptFile, Target
from formats.field.script_commands import PLATINUM, CommandSet
from formats.remembered import remembered
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

_MOST_VARIABLES: Final = 64
"""Tracked variables of a file up to which those without use are dropped; scripts have 14 of their own."""

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


Pairs = tuple[tuple[Any, int], ...]
"""Variables of the script with known values."""

State = tuple[int, tuple[int, ...], Pairs]
"""A place in a path: item, items to return to, what is known."""


class CommandRun(NamedTuple):
    """Commands in a row, of which only the last one has effects, changes known variables or leads elsewhere."""

    others: int
    """How many stand before the last one."""
    last: int
    """The item of the last one."""
    command: Command
    """The last one."""
    fixed: tuple[tuple[str, Values], ...]
    """Its effects with values that depend on no known variable."""
    has_variable: bool
    """Whether it has other effects."""
    changes: bool
    """Whether it may change a known variable."""
    targets: tuple[int, ...]
    """The items that it names."""
    following: int | None
    """The item behind it; None: not executed."""


class EffectsReader:
    """Finds the effects of the entries of one script file.

    A path follows every target in the file and both ways of a condition; common scripts are not entered. Variables of
    the running script are constants along a path from where a command sets them.
    """

    def __init__(self, file: ScriptFile, names: ScriptCommands, commands: CommandSet = PLATINUM) -> None:
        self._file = file
        self._names = names
        self._commands = commands
        self._copying = (names.copy_variable, names.add_to_variable, names.subtract_from_variable)
        self._having = {*names.effects, names.call_common}
        self._tracked = frozenset(self._variables_that_matter())
        leading = [item for item in file.items if isinstance(item, Command) and item.targets]
        self._naming = {command.number for command in leading}
        named = {target for command in leading for target in command.targets}
        self._named = named | {target.item for target in file.entries}
        self._runs: dict[int, CommandRun | None] = {}

    def effects(self, entry: int, most_states: int = MOST_STATES) -> ScriptEffects:
        """The effects of an entry. Raises IndexError for one that does not exist."""
        return self._follow(self._file.entries[entry], most_states)

    @remembered
    def _follow(self, start: Target, most_states: int) -> ScriptEffects:
        """The effects over all paths from a place in the file."""
        effects: dict[str, set[Values]] = {}
        followed = 0
        for run, known, _ in self.paths(start.item, ()) if start.offset == 0 else ():
            followed += run.others + 1
            if followed > most_states:
                return _sorted(effects, complete=False)
            for effect, values in self._effects_of(run.command, dict(known)) if run.has_variable else run.fixed:
                effects.setdefault(effect, set()).add(values)
        return _sorted(effects, complete=True)

    def paths(self, first: int, known: Pairs) -> Iterator[tuple[CommandRun, Pairs, list[State]]]:
        """The commands in a row on all paths from an item on, once for everything that may be known before them, with
        that, and with what follows."""
        waiting: list[State] = [(first, (), known)]
        seen = set[State]()
        while waiting:
            state = item, calls, before = waiting.pop()
            run = None if state in seen else self._run(item)
            if run is not None:
                seen.add(state)
                steps = self._steps(run, calls, before)
                waiting += steps
                yield run, before, steps

    def _steps(self, run: CommandRun, calls: tuple[int, ...], known: Pairs) -> list[State]:
        """What follows commands in a row, with what is known then."""
        if run.changes:
            variables = dict(known)
            self._execute(run.command, variables)
            known = tuple(sorted(variables.items()))
        after = self._after(run, calls)
        return [(item, back, self._kept(known, item, back) if known else ()) for item, back in after]

    def _kept(self, known: Pairs, item: int, calls: tuple[int, ...]) -> Pairs:
        """The known variables that may still describe an effect from an item on, and behind the calls. The others would
        only multiply the states: a counter of a loop."""
        if item >= len(self._file.items):
            return ()
        needed = self._needed[item]
        if calls:
            needed = needed.union(*[self._needed[at] for at in calls])
        return tuple([pair for pair in known if pair[0] in needed])

    @cached_property
    def _needed(self) -> list[frozenset[int]]:
        """For each item, and for the end of the file, the tracked variables that describe an effect of a command that
        may follow in the same call; all of them in a file with more than a game's scripts have."""
        items = self._file.items
        if len(self._tracked) > _MOST_VARIABLES:
            return [self._tracked] * (len(items) + 1)
        needed: list[frozenset[int]] = [frozenset()] * (len(items) + 1)
        before: list[list[int]] = [[] for _ in items]
        waiting: list[tuple[int, frozenset[int]]] = []
        following = self._file.following(commands=self._commands)
        for at, command in enumerate(items):
            for target in following[at]:
                before[target].append(at)
            if isinstance(command, Command) and (described := self._describing(command)):
                waiting.append((at, described))
        while waiting:
            at, more = waiting.pop()
            if not more <= needed[at]:
                needed[at] |= more
                waiting += [(target, needed[at]) for target in before[at]]
        return needed

    def _describing(self, command: Command) -> frozenset[int]:
        """The tracked variables that describe effects of a command, or whose values it takes for another one, which may
        do so behind a return."""
        copied = command.arguments[1:2] if command.number in self._copying else ()
        described = self._described(command)
        return self._tracked.intersection((*described, *copied)) if described or copied else frozenset()

    def _described(self, command: Command) -> Sequence[object]:
        """The arguments that describe effects of a command, and the variables that describe that of a common script."""
        rules, arguments = self._names.effects.get(command.number, ()), command.arguments
        described = [arguments[at] for rule in rules for at in rule.arguments if at < len(arguments)] if rules else ()
        common = arguments[0] if self._describes_variables(command) else None
        return (*described, *self._names.common_effects[common][1]) if isinstance(common, int) else described

    def _run(self, item: int) -> CommandRun | None:
        """The run that begins at an item; None where there is no command."""
        if item not in self._runs:
            self._runs[item] = self._find_run(item)
        return self._runs[item]

    def _find_run(self, first: int) -> CommandRun | None:
        items = self._file.items
        at = first
        while at < len(items) and isinstance(command := items[at], Command):
            # A movement list is no command and ends the path to it.
            targets = command.targets if command.number in self._naming else []
            goes_on = command.number not in self._commands.no_return and command.number != self._names.call
            has_known = not self._tracked.isdisjoint(command.arguments)
            has_variable = self._describes_variables(command) or (has_known and command.number in self._names.effects)
            fixed = tuple(self._effects_of(command, {})) if command.number in self._having and not has_variable else ()
            changes = has_known and self._changes(command)
            is_plain = goes_on and not (targets or fixed or has_variable or changes)
            if is_plain and at + 1 < len(items) and at + 1 not in self._named and isinstance(items[at + 1], Command):
                at += 1
                continue
            following = at + 1 if goes_on else None
            return CommandRun(at - first, at, command, fixed, has_variable, changes, tuple(targets), following)
        return None

    def _describes_variables(self, command: Command) -> bool:
        """Whether it calls a common script whose effect known variables describe."""
        return command.number == self._names.call_common and command.arguments[0] in self._names.common_effects

    def _changes(self, command: Command) -> bool:
        """Whether a command may change one of the tracked variables among its arguments."""
        name = self._names.name(command.number)
        return name is not None and any(
            argument in self._tracked and about.access in (Access.WRITE, Access.CHANGE)
            for argument, about in zip(command.arguments, name.arguments_for(command.arguments[0]), strict=False)
        )

    def _after(self, run: CommandRun, calls: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """The items that may be executed after a run, with the items to return to."""
        behind = [] if run.following is None else [(run.following, calls)]
        if behind and not run.targets:
            return behind
        if run.command.number == self._names.returns:
            return [(calls[-1], calls[:-1])] if calls else []
        if run.targets and run.command.number in (self._names.call, self._names.call_on_condition):
            if len(calls) >= _CALL_DEPTH:
                return behind
            calls = (*calls, run.last + 1)
        return [*[(target, calls) for target in run.targets], *behind]

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
        name = self._names.name(command.number)
        if name is None or not command.arguments:
            return
        first = command.arguments[0]
        value = self._assigned(command, variables)
        if value is not None and isinstance(first, int) and first in self._tracked:
            variables[first] = value
            return
        for argument, about in zip(command.arguments, name.arguments_for(first), strict=False):
            if about.access in (Access.WRITE, Access.CHANGE) and isinstance(argument, int):
                variables.pop(argument, None)

    def _assigned(self, command: Command, variables: Mapping[int, int]) -> int | None:
        """The number that a command puts into a variable; None for another command and where it is not known."""
        names = self._names
        match command.number, command.arguments:
            case names.set_variable, (int(), int(number)):
                return number
            case names.copy_variable, (int(), int(source)):
                return variables.get(source)
            case ((names.add_to_variable | names.subtract_from_variable), (int(goal), int(number))) if (
                goal in variables
            ):
                operand = _resolved(number, variables)
                sign = 1 if command.number == names.add_to_variable else -1
                return None if operand == NOT_CONSTANT else (variables[goal] + sign * operand) % _WORD
        return None

    def _variables_that_matter(self) -> set[int]:
        """The variables of the running script whose values describe an effect somewhere in the file. The others would
        only multiply the states."""
        commands = [item for item in self._file.items if isinstance(item, Command)]
        described = {each for command in commands for each in self._described(command)}
        variables = {each for each in described if isinstance(each, int)}
        copies = [command.arguments[:2] for command in commands if command.number in self._copying]
        while more := {source for goal, source in copies if goal in variables and isinstance(source, int)} - variables:
            variables |= more
        return {variable for variable in variables if variable >= FIRST_SCRIPT_VARIABLE}


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


def _sorted(effects: Mapping[str, set[Values]], *, complete: bool) -> ScriptEffects:
    ordered = {
        effect: tuple(sorted(effects[effect], key=lambda values: tuple(map(_order, values)))) for effect in effects
    }
    return ScriptEffects(dict(sorted(ordered.items())), complete)


def _order(value: int | str) -> tuple[str, int]:
    return (value, 0) if isinstance(value, str) else ("", value)
