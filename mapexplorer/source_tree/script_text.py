"""Writes a script file as text in the notation of `script_syntax`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from formats.field.script import Command, MovementList, ScriptFile, Target
from formats.json_codec import hex_lines
from mapexplorer.gameplay.script_listing import LABEL, VARIABLE, CommandLine, Line
from mapexplorer.gameplay.text_slots import TEXT
from mapexplorer.grouping import by_key
from mapexplorer.inspector.script.script_lines import quoted
from mapexplorer.source_tree import script_syntax as syntax
from mapexplorer.source_tree.script_syntax import ScriptWords

_INDENT = "    "
_COMMENT_COLUMN = 44


def script_text(file: ScriptFile, words: ScriptWords, listed: Sequence[Line], *, about: Iterable[str] = ()) -> str:
    """A script file as text. `listed`: its lines, whose names and texts are comments; `about`: comments at its
    beginning."""
    return "\n".join(_ScriptWriter(file, words, listed).lines(about)) + "\n"


class _ScriptWriter:
    def __init__(self, file: ScriptFile, words: ScriptWords, listed: Sequence[Line]) -> None:
        self._file = file
        self._words = words
        self._listed = listed
        self._labels = _labels(file)

    def lines(self, about: Iterable[str]) -> Iterator[str]:
        yield from (f"{syntax.COMMENT} {sentence}" for sentence in about)
        for number, entry in enumerate(self._file.entries):
            name = _entry_label(number) if entry.offset == 0 else self._target(entry)
            yield f"{_INDENT}{syntax.ENTRY} {name}"
        if self._file.end_mark:
            yield f"{_INDENT}{syntax.END_OF_ENTRIES}"
        for index, (item, line) in enumerate(zip(self._file.items, self._listed, strict=True)):
            yield from self._label_lines(index)
            if isinstance(item, Command):
                assert isinstance(line, CommandLine)
                yield self._command(item, line)
            elif isinstance(item, MovementList):
                yield from self._movement(item)
            else:
                yield from (f"{_INDENT}{syntax.BYTES} {line}" for line in hex_lines(item.data))
        yield from self._label_lines(len(self._file.items))
        if not self._file.padded:
            yield f"{_INDENT}{syntax.UNPADDED}"

    def _label_lines(self, index: int) -> Iterator[str]:
        names = self._labels.get(index, [])
        if names:
            yield ""
        yield from (f"{name}:" for name in names)

    def _command(self, command: Command, line: CommandLine) -> str:
        arguments = [
            self._target(value)
            if isinstance(value, Target)
            else f"0x{value:X}"
            if listed.kind == VARIABLE
            else str(value)
            for value, listed in zip(command.arguments, line.arguments, strict=True)
        ]
        text = f"{_INDENT}{self._words.command.name(command.number)} {', '.join(arguments)}".rstrip()
        named = ((argument.kind, argument.words) for argument in line.arguments if argument.kind != LABEL)
        comment = ", ".join(quoted(words) if kind == TEXT else words for kind, words in named if words)
        comment = comment.replace("\n", " ")
        return f"{text:<{_COMMENT_COLUMN}} {syntax.COMMENT} {comment}" if comment else text

    def _movement(self, item: MovementList) -> Iterator[str]:
        yield f"{_INDENT}{syntax.MOVEMENT}" + ("" if item.aligned else f" {syntax.UNALIGNED}")
        for action, count in item.steps:
            is_end = action == self._words.commands.movement_end
            yield f"{_INDENT}{self._words.action.name(action)}" + ("" if is_end and not count else f" {count}")
        if not item.steps or item.steps[-1][0] != self._words.commands.movement_end:
            yield f"{_INDENT}{syntax.END_OF_MOVEMENT}"

    def _target(self, target: Target) -> str:
        name = self._labels[target.item][0]
        return f"{name}+{target.offset}" if target.offset else name


def _entry_label(number: int) -> str:
    return f"script_{number + 1}"


def _labels(file: ScriptFile) -> dict[int, list[str]]:
    """Item -> its labels. Those that are no entries are numbered from the last entry on, so that a new label changes
    no name of another script."""
    labels = by_key(
        (entry.item, _entry_label(number)) for number, entry in enumerate(file.entries) if entry.offset == 0
    )
    targets = [entry for entry in file.entries if entry.offset]
    for item in file.items:
        if isinstance(item, Command):
            targets += [argument for argument in item.arguments if isinstance(argument, Target)]
    named = {target.item for target in targets}
    owner, counts = "start", {"label": 0, "movement": 0}
    for index in range(len(file.items) + 1):
        if index in labels:
            owner, counts = labels[index][0], {"label": 0, "movement": 0}
        elif index in named:
            is_movement = index < len(file.items) and isinstance(file.items[index], MovementList)
            kind = "movement" if is_movement else "label"
            counts[kind] += 1
            labels[index] = [f"{owner}_{kind}_{counts[kind]}"]
    return labels
