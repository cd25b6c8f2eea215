"""Reads a script file from text in the notation of `script_syntax`."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from typing import Final, NoReturn

from formats.field.script import Command, MovementList, ScriptFile, Target, Unknown
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest
from mapexplorer.source_tree import script_syntax as syntax
from mapexplorer.source_tree.script_syntax import ScriptWords

_LABEL: Final = re.compile(r"([A-Za-z_]\w*):")
_REFERENCE: Final = re.compile(r"([A-Za-z_]\w*)(?:\+([0-9]{1,9}))?")
_NUMBER: Final = re.compile(r"0[xX][0-9A-Fa-f]{1,8}|[0-9]{1,10}")
_STEP_LIMIT: Final = 0xFFFF
_TARGETS: Final = ("c", "m")
"""The kinds of arguments that are targets."""


def read_script(text: str, file: str, words: ScriptWords) -> ScriptFile:
    """The script file in a text; `file` is its name in errors. Raises SourceError."""
    lines = [(number, line.partition(syntax.COMMENT)[0].strip()) for number, line in enumerate(text.split("\n"), 1)]
    first = _ScriptReader(file, words)
    offsets = first.read_all(lines).offsets()
    places = {name: (item, offsets[item]) for name, item in first.labels.items()}
    return _ScriptReader(file, words, (places, offsets[-1])).read_all(lines)


class _ScriptReader:
    """Reads the lines of a file. `known`: its labels with their items and offsets, and its size; they are known when it
    was read once, in which all targets are the first item."""

    def __init__(
        self, file: str, words: ScriptWords, known: tuple[dict[str, tuple[int, int]], int] | None = None
    ) -> None:
        self._file = file
        self._words = words
        self._known = known
        self._line = 0
        self._entries: list[Target] = []
        self._items: list[Command | MovementList | bytearray] = []
        self.labels: dict[str, int] = {}
        self._labelled = -1
        """The item of the last label."""
        self._end_mark = False
        self._padded = True
        self._steps: list[tuple[int, int]] | None = None
        self._steps_line = 0
        self._aligned = True

    def read_all(self, lines: Iterable[tuple[int, str]]) -> ScriptFile:
        """The file in lines without comments, with their numbers."""
        for number, line in lines:
            self.read(number, line)
        if self._steps is not None:
            self._line = self._steps_line
            self._fail(f"this movement list has no {syntax.END_MOVEMENT}")
        if not (self._entries or self._end_mark):
            raise SourceError(self._file, 1, f"a script file needs {syntax.ENTRY} or {syntax.END_OF_ENTRIES}")
        items = [Unknown(bytes(item)) if isinstance(item, bytearray) else item for item in self._items]
        return ScriptFile(tuple(self._entries), tuple(items), self._end_mark, self._padded)

    def read(self, line: int, text: str) -> None:
        """Read a line without its comment."""
        self._line = line
        label = _LABEL.fullmatch(text)
        if label is not None:
            self._add_label(label[1])
        elif text.startswith("."):
            self._directive(text)
        elif text:
            name, *rest = text.split(maxsplit=1)
            arguments = [argument.strip() for argument in rest[0].split(",")] if rest else []
            if self._steps is not None:
                self._step(name, arguments)
            else:
                self._command(name, arguments)

    def _add_label(self, name: str) -> None:
        if self._steps is not None:
            self._fail(f"a label stands inside a movement list; {syntax.END_MOVEMENT} is missing before it")
        if name in self.labels:
            self._fail(f"the label {name} exists already")
        self.labels[name] = self._labelled = len(self._items)

    def _directive(self, text: str) -> None:
        name, rest = (*text.split(maxsplit=1), "")[:2]
        if self._steps is not None and name != syntax.END_OF_MOVEMENT:
            self._fail(f"{name} stands inside a movement list; {syntax.END_MOVEMENT} is missing before it")
        match name:
            case syntax.ENTRY:
                if self._items or self._end_mark:
                    self._fail(f"{syntax.ENTRY} belongs before everything else")
                self._entries.append(self._target(rest, is_entry=True))
            case syntax.END_OF_ENTRIES if not rest:
                if self._items or self._end_mark:
                    self._fail(f"{syntax.END_OF_ENTRIES} belongs behind the entries, once")
                self._end_mark = True
            case syntax.MOVEMENT if rest in ("", syntax.UNALIGNED):
                self._steps, self._steps_line, self._aligned = [], self._line, not rest
            case syntax.END_OF_MOVEMENT if not rest and self._steps:
                self._end_movement()
            case syntax.BYTES:
                self._add_bytes(rest)
            case syntax.UNPADDED if not rest:
                self._padded = False
            case _:
                self._fail(f"{text!r} is no known directive here")

    def _add_bytes(self, text: str) -> None:
        try:
            data = bytes.fromhex(text)
        except ValueError:
            data = b""
        if not data:
            self._fail(f"{syntax.BYTES} needs hexadecimal digits, two for each byte")
        last = self._items[-1] if self._items else None
        if isinstance(last, bytearray) and self._labelled != len(self._items):
            last += data  # a run is one item, of several lines
        else:
            self._items.append(bytearray(data))

    def _step(self, name: str, arguments: list[str]) -> None:
        assert self._steps is not None
        action = self._words.action.number(name)
        if action is None or action > _STEP_LIMIT:
            self._fail(f"{name} is no movement action{nearest(name, self._words.action.numbers)}")
        is_end = action == self._words.commands.movement_end
        if len(arguments) != 1 and not (is_end and not arguments):
            self._fail(f"{name} needs a count")
        self._steps.append((action, self._number(arguments[0], _STEP_LIMIT) if arguments else 0))
        if is_end:
            self._end_movement()

    def _end_movement(self) -> None:
        assert self._steps is not None
        self._items.append(MovementList(tuple(self._steps), self._aligned))
        self._steps = None

    def _command(self, name: str, arguments: list[str]) -> None:
        number = self._words.command.number(name)
        first = _int(arguments[0]) if arguments and _NUMBER.fullmatch(arguments[0]) else 0
        layout = None if number is None else self._words.commands.layout(number, first)
        if number is None or layout is None:
            self._fail(f"{name} is no command{nearest(name, self._words.command.numbers)}")
        if len(arguments) != len(layout.kinds):
            needed = len(layout.kinds)
            self._fail(f"{name} has {needed} argument{'' if needed == 1 else 's'}, not {len(arguments)}")
        widths = [struct.calcsize(f"<{letter}") for letter in layout.form.format.strip("<")]
        values = [
            self._target(text) if kind in _TARGETS else self._number(text, (1 << 8 * width) - 1)
            for kind, width, text in zip(layout.kinds, widths, arguments, strict=True)
        ]
        self._items.append(Command(number, tuple(values)))

    def _target(self, text: str, is_entry: bool = False) -> Target:
        match = _REFERENCE.fullmatch(text)
        if match is None:
            self._fail(f"a label is needed, not {text!r}")
        if self._known is None:
            return Target(0)
        (places, end), name, offset = self._known, match[1], int(match[2] or 0)
        if name not in places:
            self._fail(f"there is no label {name}{nearest(name, places)}")
        item, start = places[name]
        if start + offset >= end and (offset or is_entry):
            self._fail(f"{text} is behind the end of the file" if offset else f"nothing follows the label {name}")
        return Target(item, offset)

    def _number(self, text: str, largest: int) -> int:
        if not _NUMBER.fullmatch(text):
            self._fail(f"a number is needed, not {text!r}")
        number = _int(text)
        if number > largest:
            self._fail(f"{text} is larger than {largest}")
        return number

    def _fail(self, why: str) -> NoReturn:
        raise SourceError(self._file, self._line, why)


def _int(text: str) -> int:
    return int(text, 16 if text[:2].lower() == "0x" else 10)
