"""Finds the commands and movement lists of a script file: those that entries lead to, and the rest.

The commands that entries and jumps reach are certain. The remaining bytes are taken for what they can be: commands,
movement lists, padding, or bytes without a known meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from formats.field.script_commands import ArgumentLayout, CommandSet


class Disassembly:
    """The contents of a file from byte `start` on. All offsets count from the beginning of the file.

    `code`: offset -> (number, arguments with targets as offsets, layout); `steps`: offset -> (action, count) of a
    movement list; `lists`: the offsets that commands name as movement lists; `stops`: offset -> why the commands or
    steps before it cannot be followed there.
    """

    def __init__(self, data: bytes, start: int, commands: CommandSet) -> None:
        self.code: dict[int, tuple[int, tuple[int, ...], ArgumentLayout]] = {}
        self.steps: dict[int, tuple[int, int]] = {}
        self.lists: set[int] = set()
        self.stops: dict[int, str] = {}
        self._data = data
        self._commands = commands
        self._known = bytearray(len(data))
        self._known[:start] = b"\1" * start
        self._ends: set[int] = set()
        self._no_code: set[int] = set()
        self._no_movement: set[int] = set()

    def follow(self, starts: Iterable[int]) -> None:
        """Add the commands and movement lists that are reached from `starts`."""
        code, known, no_return = self.code, self._known, self._commands.no_return
        waiting = list(starts)
        while waiting:
            at = waiting.pop()
            while at not in code:
                command = self._read(at)
                if command is None:
                    self.stops[at] = self._why_not(at)
                    break
                number, arguments, layout = command
                size = 2 + layout.form.size
                if known.find(1, at, at + size) >= 0:
                    self.stops[at] = "this is a part of something else"
                    break
                code[at] = command
                known[at : at + size] = b"\1" * size
                self._ends.add(at + size)
                for index, _, to_code in layout.targets:
                    if to_code:
                        waiting.append(arguments[index])
                    else:
                        self._follow_movement(arguments[index])
                if number in no_return:
                    break
                at += size

    def find_rest(self) -> None:
        """Take the bytes that `follow` did not reach for what they can be, from the first to the last."""
        data, known = self._data, self._known
        at = end = 0
        while (at := known.find(0, at)) >= 0:
            if at >= end:
                end = known.find(1, at)
                end = len(data) if end < 0 else end
            aligned = at + -at % 4
            # An end directly behind a command is what is left behind a jump.
            if at in self._ends and data[at : at + 2] == self._commands.end.to_bytes(2, "little") and at + 2 <= end:
                self.follow((at,))
                end = 0
            elif end - at < 4 and not any(data[at:end]):
                known[at:end] = b"\1" * (end - at)
            elif aligned < end and not any(data[at:aligned]) and self._is_movement(aligned, end):
                known[at:aligned] = b"\1" * (aligned - at)
                self._follow_movement(aligned)
            elif self._is_code(at, end):
                self.follow((at,))
                end = 0
            else:
                known[at] = 1

    def movement_list(self, at: int) -> tuple[tuple[int, int], ...]:
        """The steps from `at` to the end of the list, or to the next list that a command names."""
        steps = [self.steps[at]]
        while steps[-1][0] != self._commands.movement_end and at + 4 in self.steps and at + 4 not in self.lists:
            at += 4
            steps.append(self.steps[at])
        return tuple(steps)

    def _read(self, at: int) -> tuple[int, tuple[Any, ...], ArgumentLayout] | None:
        command = self._commands.read(self._data, at)
        if command is None or not command[2].targets:
            return command
        number, values, layout = command
        arguments = list(values)
        for index, end, _ in layout.targets:
            arguments[index] += at + 2 + end
        return number, tuple(arguments), layout

    def _why_not(self, at: int) -> str:
        if not 0 <= at < len(self._data):
            return "this is outside the file"
        number = int.from_bytes(self._data[at : at + 2], "little")
        if at + 2 > len(self._data) or number < len(self._commands):
            return "the file ends in a command"
        return f"{number} is not a known command"

    def _follow_movement(self, at: int) -> None:
        self.lists.add(at)
        while at not in self.steps:
            if at < 0 or at + 4 > len(self._data):
                self.stops[at] = "a movement list does not end in the file"
                return
            if self._known.find(1, at, at + 4) >= 0:
                self.stops[at] = "this is a part of something else"
                return
            action, count = self._step(at)
            if action >= self._commands.actions and action != self._commands.movement_end:
                self.stops[at] = f"{action} is not a known movement action"
                return
            self.steps[at] = action, count
            self._known[at : at + 4] = b"\1\1\1\1"
            if action == self._commands.movement_end:
                return
            at += 4

    def _step(self, at: int) -> tuple[int, int]:
        data = self._data
        return data[at] | data[at + 1] << 8, data[at + 2] | data[at + 3] << 8

    def _is_movement(self, at: int, end: int) -> bool:
        """Whether a whole movement list is in the unknown bytes from `at` to before `end`. Steps from which that failed
        once are remembered, as in `_is_code`."""
        tried = []
        while at + 4 <= end and at not in self._no_movement:
            tried.append(at)
            action, count = self._step(at)
            if action == self._commands.movement_end and count == 0:
                return True
            if action >= self._commands.actions:
                break
            at += 4
        self._no_movement.update(tried)
        return False

    def _is_code(self, at: int, end: int) -> bool:
        """Whether commands in the unknown bytes from `at` to before `end` lead to one without a successor, or exactly
        to known commands.

        Commands from which that failed once are remembered. It would fail again, because bytes only become known, and
        so all calls together read each command once.
        """
        tried = []
        while at < end and at not in self._no_code:
            tried.append(at)
            command = self._commands.read(self._data, at)
            if command is None:
                break
            at += 2 + command[2].form.size
            if at > end:
                break
            if command[0] in self._commands.no_return:
                return True
        else:
            if at in self.code:
                return True
        self._no_code.update(tried)
        return False
