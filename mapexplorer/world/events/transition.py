"""What the scripts of a map change when it is entered: flags, variables, the places of its events, who is hidden.

They run before the map is drawn: when it is entered, when its layout is loaded, and when it is about to be shown
(initial scripts of the types ON_TRANSITION, ON_LOAD, ON_RESUME, in this order).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Final

from formats.field.init_script import InitScript, InitScriptType
from formats.field.script import Command, ScriptFile, Target
from mapexplorer.games import Topic
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, FIRST_VARIABLE, Access
from mapexplorer.units import SECONDS_PER_HOUR
from mapexplorer.world.events.saved_answers import saved_answer
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.save import CLONE, EventChange, Save
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.files import WorldFiles

_MOST_COMMANDS: Final = 10_000
_CALL_DEPTH: Final = 20
_WORD: Final = 0x10000

_ON_ENTERING: Final = (InitScriptType.ON_TRANSITION, InitScriptType.ON_LOAD, InitScriptType.ON_RESUME)
"""When scripts run on entering, in order; the first of them not where the game was saved."""

LESS, EQUAL, GREATER = range(3)
HOLDS: Final = ({LESS}, {EQUAL}, {GREATER}, {LESS, EQUAL}, {EQUAL, GREATER}, {LESS, GREATER})
"""Condition of a jump -> the results of a comparison with which it jumps. The result of a flag is EQUAL while it is
set, else LESS."""


@dataclass(frozen=True)
class SaveOnEntering:
    """The save after a map was entered. `assumed`: the commands whose answer in a new game is not known: chance, which
    follows the seed of the save, and what counts as 0 in comparisons and is not set; `complete`: the scripts were
    followed to their end."""

    save: Save
    assumed: frozenset[int] = frozenset()
    complete: bool = True


def compared(value: int, other: int) -> int:
    """The result of a comparison."""
    return LESS if value < other else EQUAL if value == other else GREATER


def arrive(world: WorldFiles, header: int, save: Save) -> SaveOnEntering:
    """Enter the maps of a header with a save: the flags and variables of the last map are cleared, then the scripts of
    the map run at the moment of the save, and code hides what it hides. Where the game was saved it goes on: its
    objects are where they were, and only the scripts run that run whenever a map is loaded. Raises FormatError,
    RomError."""
    names, new = save.game.tables.save_names, save.game.tables.new_game
    resumes = header == save.resumed
    hidden = [EventChange("objects", each, "graphics", new.invisible) for each in new.unseen(header)]
    if save.resumed is not None:
        hidden += _where_saved(world, header, save)
    if not resumes:
        # Whole bytes are cleared, so that the last flag of a map stays.
        flags = save.flags.difference(range(names.map_flags.stop // 8 * 8))
        variables = {number: value for number, value in save.variables.items() if number not in names.map_variables}
        save = replace(save, flags=flags, variables=variables)
    arrival = SaveOnEntering(replace(save, changes={header: tuple(hidden)} if hidden else {}))
    if not world.knows(Topic.SCRIPTS):
        return replace(arrival, complete=False)
    records = world.init_scripts(header).records
    for when in _ON_ENTERING[resumes:]:
        for record in records:
            if isinstance(record, InitScript) and record.type == when:
                arrival = _after_script(world, header, record.script, arrival)
    return arrival


def _where_saved(world: WorldFiles, header: int, save: Save) -> Iterator[EventChange]:
    """What is different of the objects of a header where they were saved, also as those of a neighbour. On the header
    on which the game was saved those that were not there are not seen, and those that were there are seen although
    their flag is set."""
    events, resumes = world.events(header), header == save.resumed
    for event in () if events is None else events.objects:
        number, hidden_flag, script = (int(event[name]) for name in ("local_id", "hidden_flag", "script"))
        clone = script == CLONE
        saved = save.saved_object(number, header, hidden_flag if clone else header)
        values: dict[str, int] = {"graphics": save.game.tables.new_game.invisible} if resumes else {}
        if saved is not None:
            x, _, z = saved["now"].tolist()
            values = {"x": x & 0xFFFF, "z": z & 0xFFFF, "direction": int(saved["dir_facing"])}
            if resumes and save.hides(hidden_flag, script):
                values["hidden_flag"] = 0
        for field, value in values.items():
            yield EventChange("objects", number, field, value, clone)


def entered_save(world: WorldFiles, header: int, save: Save, damaged: list[Damage] | None = None) -> Save:
    """A save after a map was entered; the same save if its scripts cannot be read. Raises RomChangedError."""
    return attempt(lambda: arrive(world, header, save).save, save, damaged, LeftOut.TRANSITION, header)


def _after_script(world: WorldFiles, header: int, number: int, arrival: SaveOnEntering) -> SaveOnEntering:
    place = locate_script(world, header, number)
    if place is None:
        return arrival
    file = world.script_file(place.member)
    if place.entry >= len(file.entries):
        return replace(arrival, complete=False)
    run = ScriptRun(header, arrival.save)
    complete = run.execute(file, file.entries[place.entry])
    return SaveOnEntering(run.save, arrival.assumed | run.assumed, arrival.complete and complete)


class ScriptRun:
    """A script that runs to its end at once. `assumed` collects the commands whose answer is not known."""

    def __init__(self, header: int, save: Save) -> None:
        self.assumed: set[int] = set()
        self._header = header
        self._save = save
        self._commands = save.game.tables.script_commands
        self._flags = set(save.flags)
        self._variables = dict(save.variables)
        self._unknown: set[int] = set()
        self._changes: list[EventChange] = list(save.changes.get(header, ()))
        self._compared = EQUAL
        self._random = Random(save.seed)

    @property
    def save(self) -> Save:
        """The save after the commands that have run."""
        saved = {number: value for number, value in self._variables.items() if number < FIRST_SCRIPT_VARIABLE}
        last = {(change.events, change.number, change.clone, change.field): change for change in self._changes}
        return replace(
            self._save,
            flags=frozenset(self._flags),
            variables=saved,
            changes={**self._save.changes, self._header: tuple(last.values())},
        )

    def execute(self, file: ScriptFile, start: Target) -> bool:
        """Run from a command of a file on; whether an end was reached."""
        names = self._commands
        calls: list[int] = []
        at = self._item(start)
        for _ in range(_MOST_COMMANDS):
            command = file.items[at] if at is not None and at < len(file.items) else None
            if at is None or not isinstance(command, Command):
                return False
            at += 1
            if command.number == names.end or (command.number == names.returns and not calls):
                return True
            if command.number == names.returns:
                at = calls.pop()
            elif command.number in self._jumps:
                if not self._holds(command):
                    continue
                if command.number in (names.call, names.call_on_condition):
                    calls.append(at)
                at = self._item(command.arguments[-1]) if len(calls) <= _CALL_DEPTH else None
            elif not self.change(command):
                return False
        return False

    @cached_property
    def _jumps(self) -> frozenset[int]:
        names = self._commands
        return frozenset({names.go_to, names.call, names.call_on_condition, names.transition.jump_on_condition})

    def _item(self, target: int | Target) -> int | None:
        """The item that a target means, None for a wild one."""
        return target.item if isinstance(target, Target) and target.offset == 0 else None

    def _holds(self, command: Command) -> bool:
        """Whether a jump is taken: always, or by the last comparison."""
        condition = command.arguments[0]
        return not isinstance(condition, int) or (condition < len(HOLDS) and self._compared in HOLDS[condition])

    def _value(self, number: int) -> int:
        """The number that a command takes: itself, or the value of the variable with that number."""
        return number if number < FIRST_VARIABLE else self._variables.get(number, 0)

    def _known(self, number: int) -> bool:
        """Whether a number that a command takes is known."""
        return number not in self._unknown or number in self._variables

    def change(self, command: Command) -> bool:
        """Do what a command does; whether the script goes on."""
        self._change_save(command)
        return True

    def _change_save(self, command: Command) -> None:
        """Change the state as a command does; commands without an effect on the save do nothing."""
        known, of_save = self._commands, self._commands.transition
        numbers = [argument for argument in command.arguments if isinstance(argument, int)]
        match command.number, numbers:
            case of_save.compare_with_number, [variable, number]:
                self._compared = compared(self._variables.get(variable, 0), number)
            case of_save.compare_variables, [variable, other]:
                self._compared = compared(self._variables.get(variable, 0), self._variables.get(other, 0))
            case of_save.check_flag, [flag]:
                self._compared = EQUAL if flag in self._flags else LESS
            case of_save.set_flag, [flag]:
                self._flags.add(flag)
            case of_save.clear_flag, [flag]:
                self._flags.discard(flag)
            case of_save.set_trainer_flag, [trainer]:
                self._flags.add(self._trainer_flag(trainer))
            case of_save.clear_trainer_flag, [trainer]:
                self._flags.discard(self._trainer_flag(trainer))
            case of_save.current_header, [variable]:
                self._variables[variable] = self._header
            case of_save.hour, [variable]:
                self._variables[variable] = self._save.second // SECONDS_PER_HOUR
            case of_save.time_of_day, [variable]:
                self._variables[variable] = self._save.game.tables.time_of_day(self._save.second).number
            case of_save.day_of_week, [variable]:
                self._variables[variable] = self._save.weekday
            case number, [variable, limit] if number in of_save.random:
                self._variables[variable] = self._random.randrange(max(1, self._value(limit)))
                self.assumed.add(number)
            case known.set_variable, [variable, number]:
                self._variables[variable] = number
            case known.copy_variable, [variable, other]:
                self._variables[variable] = self._variables.get(other, 0)
                if not self._known(other):
                    self._forget(variable)
            case known.add_to_variable | known.subtract_from_variable, [variable, _] if not self._known(variable):
                pass
            case known.add_to_variable, [variable, number]:
                self._variables[variable] = (self._variables.get(variable, 0) + self._value(number)) % _WORD
            case known.subtract_from_variable, [variable, number]:
                self._variables[variable] = (self._variables.get(variable, 0) - self._value(number)) % _WORD
            case number, [event] if number in of_save.hide_object and self._value(event) not in known.objects:
                invisible = self._save.game.tables.new_game.invisible
                self._changes.append(EventChange("objects", self._value(event), "graphics", invisible))
            case number, [event, *values] if len(numbers) == len(of_save.event_changes.get(number, ())):
                events, *names = of_save.event_changes[number]
                changed = zip(names, values, strict=True)
                self._changes += [
                    EventChange(events, self._value(event), name, self._value(new))
                    for name, new in changed
                    if name and all(map(self._known, numbers))
                ]
            case _:
                self._write_results(command)

    def _trainer_flag(self, trainer: int) -> int:
        return self._save.game.tables.save_names.trainers.start + self._value(trainer)

    def _write_results(self, command: Command) -> None:
        """Set the variables that a command writes by the saved game or in a new game; forget those whose value is not
        known."""
        name = self._commands.name(command.number)
        numbers = [self._value(argument) for argument in command.arguments[:-1] if isinstance(argument, int)]
        answer = saved_answer(self._save, name.name, numbers) if name else None
        first = command.arguments[0] if command.arguments else None
        for argument, about in zip(command.arguments, name.arguments_for(first) if name else (), strict=False):
            if about.access in (Access.WRITE, Access.CHANGE) and isinstance(argument, int):
                of_save = self._commands.transition
                if answer is not None:
                    self._variables[argument] = answer
                elif command.number in of_save.zero_in_a_new_game | of_save.one_in_a_new_game:
                    self._variables[argument] = int(command.number in of_save.one_in_a_new_game)
                else:
                    self._forget(argument)
                    self.assumed.add(command.number)

    def _forget(self, variable: int) -> None:
        """A variable has a value that is not known: it counts as 0 and is not set."""
        self._variables.pop(variable, None)
        self._unknown.add(variable)
