"""The paths of a script with what is known of the save on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeGuard

from formats.field.script import Command, ScriptFile
from formats.remembered import remembered
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, FIRST_VARIABLE, ScriptCommands
from mapexplorer.world.events.saved_answers import ANSWERS
from mapexplorer.world.events.script_effects import CommandRun, EffectsReader, Pairs, State, Values
from mapexplorer.world.events.transition import EQUAL, GREATER, HOLDS, LESS, compared

_MOST_FOLLOWED: Final = 15_000
"""Steps of the paths of a file that are followed, together."""
_FLAGS: Final = {"flag set": 1, "flag clear": 0, "remove object": 1}
"""Effect -> the value of its flag afterwards; that of an object hides it."""
_ANSWERED: Final = {"badge": ("CheckBadgeAcquired",), "give": ("CheckItem", 1), "add item": ("CheckItem", 1)}
"""Effect -> the command that answers 1 about its first value afterwards, and the command's other number."""
_NATIONAL: Final = ("GetSetNationalDexEnabled", 1), ("GetSetNationalDexEnabled", 2)
"""A command that makes its own answer 1, and the same command where it only asks."""

Known = Mapping[Any, int]
"""What is known of a save: the values of flags (0, 1) and variables by number, the answers of commands by name and
numbers. On a path also 1 for each gift, by effect and values."""


class ScriptPaths(EffectsReader):
    """Follows the paths of the entries of a script file that what is known of the save leaves open. A path that a flag,
    a number or an answer of the save decides knows it from there on."""

    def __init__(
        self, file: ScriptFile, names: ScriptCommands, gifts: Mapping[str, str], hiding: Mapping[int, int]
    ) -> None:
        """`gifts`: the effects that are gifts; `hiding`: local id -> the flag that hides the object."""
        super().__init__(file, names)
        self._gifts, self._hiding = gifts, hiding
        self._conditional = names.call_on_condition, names.transition.jump_on_condition
        self._followed = 0
        commands = [item for item in file.items if isinstance(item, Command)]
        questions = {command: question for command in commands if (question := self._question(command, {}))}
        self._asked = {name for name, *_ in questions.values()}
        asking = [each for each in commands if each in questions or each.number == names.transition.compare_with_number]
        saved = {
            each for command in commands for each in command.arguments if _is_variable(each, FIRST_SCRIPT_VARIABLE)
        }
        self._tracked |= saved | {each for command in asking for each in command.arguments if _is_variable(each)}

    def after(self, gift: Any, entry: int, starts: Iterable[Known], known: Known) -> list[Known]:
        """What is known at the ends of the paths of an entry with a gift that begin with one of `starts` and with what
        is known. Raises OverflowError for too many paths."""
        agreeing = [start for start in starts if all(known.get(key, start[key]) == start[key] for key in start)]
        begins = [{**known, **start} for start in agreeing]
        return [end for begin in begins for end in self._ends(entry, tuple(begin.items())) if gift in end]

    @remembered
    def _ends(self, entry: int, known: Pairs) -> list[Known]:
        """What is known at the ends of paths. An end directly behind a jump is left out: it follows jumps by all values
        that there are."""
        ends = list[Known]()
        for run, before, steps in self.paths(self._file.entries[entry].item, known):
            self._followed += 1
            if self._followed > _MOST_FOLLOWED:
                raise OverflowError("too many paths")
            if not steps and (run.others or self._condition(run.last - 1) is None):
                ends.append(dict(before))
        return ends

    def _steps(self, run: CommandRun, calls: tuple[int, ...], before: Pairs) -> list[State]:
        """What follows commands in a row, with what is known then; what was noted last is the last."""
        known = dict(before)
        for effect, values in self._effects_of(run.command, known) if run.has_variable else run.fixed:
            for key, value in self._noted(effect, values).items():
                known.pop(key, None)
                known[key] = value
        if run.changes:
            self._execute(run.command, known)
        after, condition = self._after(run, calls), self._condition(run.last)
        steps = list[State]()
        for result, more in self._outcomes(run.last if condition is None else run.last - 1, known):
            taken = after if condition is None else after[:1] if result in HOLDS[condition] else after[-1:]
            steps += [(item, back, tuple({**known, **more}.items())) for item, back in taken]
        return steps

    def _noted(self, effect: str, values: Values) -> dict[Any, int]:
        """What is known after an effect."""
        first: Any = values[0] if values else None
        flag = self._hiding.get(first) if effect == "remove object" else first
        command, *more = _ANSWERED.get(effect, ("",))
        return {
            **({flag: _FLAGS[effect]} if effect in _FLAGS and flag is not None else {}),
            **({(command, first, *more): 1} if command in self._asked else {}),
            **({(effect, values): 1} if effect in self._gifts else {}),
        }

    def _condition(self, item: int) -> int | None:
        """The condition of a jump; None for another item."""
        match self._file.items[item]:
            case Command(number, (int(condition), _)) if number in self._conditional and condition < len(HOLDS):
                return condition
        return None

    def _outcomes(self, item: int, known: Known) -> Iterable[tuple[int, Known]]:
        """The results that a comparison or a question can have, with what is known then."""
        asked = self._names.transition
        match self._file.items[item]:
            case Command(asked.check_flag, (flag,)):
                return [(value, {flag: value}) for value in _possible(known, flag)]
            case Command(asked.compare_with_number, (variable, int(number))) if variable in known:
                return [(compared(known[variable], number), {})]
            case Command(asked.compare_with_number, (int(variable), int(number))) if variable < FIRST_SCRIPT_VARIABLE:
                return [(LESS, {}), (EQUAL, {variable: number}), (GREATER, {})]
            case Command() as command if (question := self._question(command, known)) is not None:
                enables, asks = _NATIONAL
                answers = (1,) if question == enables else _possible(known, question)
                keys = (asks if question == enables else question,) if question[0] != "CheckItem" else ()
                return [(EQUAL, dict.fromkeys((*keys, command.arguments[-1]), answer)) for answer in answers]
        return [(result, {}) for result in (LESS, EQUAL, GREATER)]

    def _question(self, command: Command, known: Known) -> tuple[Any, ...] | None:
        """The name and the numbers of a command whose answer a save knows; None for another command."""
        name = self._names.name(command.number)
        if name is None or name.name not in ANSWERS:
            return None
        numbers = [self._value(command, index, known) for index in range(len(command.arguments) - 1)]
        return (name.name, *numbers)


def _is_variable(argument: object, end: int = 0x10000) -> TypeGuard[int]:
    """Whether an argument is the number of a variable, which is below an end."""
    return isinstance(argument, int) and FIRST_VARIABLE <= argument < end


def _possible(known: Known, key: Any) -> tuple[int, ...]:
    """The values that a flag or an answer can have."""
    return (known[key],) if key in known else (0, 1)
