"""A subset of the GNU assembler, as far as the scripts of a tree use it: data, labels, macros, conditions.

    label:                         an address; labels and names hold for the whole file
    .byte .short .long VALUES      numbers of 1, 2, 4 bytes; `.` is the address of the number
    .set .equ .equiv NAME, VALUE   a name of a number; .equiv: one that has none yet
    .balign N, FILL                fill up to a multiple of N; the file is filled with zeros to the largest one
    .macro NAME PARAMETERS ... .endm      with defaults (`a=1`), `:req`, `:vararg`; `\\a` in its lines is an argument
    .if .ifb .ifnb .ifdef .ifndef .elseif .else .endif
    .error TEXT

What a source includes and defines for the preprocessor is read by `preprocessor`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final, NoReturn

from mapexplorer.caching import Cache
from mapexplorer.decomp.conditions import OpenConditions
from mapexplorer.decomp.enumerations import NamedNumber
from mapexplorer.decomp.expressions import NAME, ExpressionError, expression
from mapexplorer.decomp.listing import stem
from mapexplorer.decomp.preprocessor import Macro as Definition
from mapexplorer.decomp.preprocessor import Preprocessor, Scope
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

_BEGINS: Final = frozenset({"if", "ifb", "ifnb", "ifdef", "ifndef"})
_CONDITIONS: Final = frozenset(f".{word}" for word in (*_BEGINS, "elseif", "else", "endif"))
_DEEPEST: Final = 100
"""Macros inside each other, as in the assembler."""
_LARGEST, _LARGEST_ALIGNMENT, _LONGEST = 1 << 20, 1 << 12, 1 << 14
"""Bytes of a file, what it may be aligned to, and characters of a statement in a macro."""
_LABEL: Final = re.compile(rf"({NAME})\s*:\s*")
_SPACE: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|(?<![\w\\$])\s++|\s++(?![\w\\$])')
"""Strings, and blanks that the assembler removes: all but those between two names."""
_ARGUMENT: Final = re.compile(r'((?:"(?:[^"\\]|\\.)*+"?|[^,\s"])*+)(?:,|\s|$)')
_PARAMETER: Final = re.compile(r"([^\s,:=]+)(?::(req|vararg))?(?:=([^\s,]*))?[\s,]*")
_REFERENCE: Final = re.compile(r"\\(\(\)|@|[A-Za-z_.$][\w.$]*)")


@dataclass(frozen=True)
class Assembled:
    """The bytes of a source. `labels`: name -> offset and line of those of the source itself; `lines`: where the bytes
    of a line begin, ascending, with its number; `files`: the source and what it includes."""

    path: str
    data: bytes
    labels: Mapping[str, tuple[int, int]]
    lines: tuple[tuple[int, int], ...]
    files: tuple[str, ...]

    def line_at(self, offset: int) -> int:
        """The line that makes the byte at an offset; that of the last one behind them."""
        index = bisect_right(self.lines, (offset, 1 << 30)) - 1
        return self.lines[max(index, 0)][1] if self.lines else 1


@dataclass
class _Macro:
    """A macro: its parameters, with `req`, `vararg` or nothing, and the default; its lines, as `str.format` reads them;
    how many macros inside it are being read."""

    name: str
    line: int
    parameters: dict[str, tuple[str, str]]
    lines: list[str] = field(default_factory=list)
    inner: int = 0


class Assembler:
    """Makes bytes of the sources of a tree. What the first include of a source defines is read once."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self._preprocessor = preprocessor
        self._first: Cache[str, _Assembly] = Cache()
        self._last: Cache[str, Assembled] = Cache(16)

    def follow(self, before: Assembler, changed: frozenset[str]) -> None:
        """Take what first includes define from an assembler of the same tree before files were changed, whose names
        without extension are given."""
        for line, begun in before._first.items():
            if changed.isdisjoint(map(stem, begun.scope.files)):
                self._first.get(line, lambda same: same, begun)

    def assemble(self, path: str) -> Assembled:
        """The bytes of a source, of which the last ones are kept. Raises SourceError."""
        return self._last.get(path, self._assemble, path)

    def _assemble(self, path: str) -> Assembled:
        lines = self._preprocessor.lines(path)
        start = 1 if lines and lines[0][1].startswith("#include") else 0
        begun = self._first.get(lines[0][1], self._read, path, slice(1), _Assembly()) if start else _Assembly()
        return self._read(path, slice(start, None), copy(begun)).finished(path)

    def _read(self, path: str, part: slice, assembly: _Assembly) -> _Assembly:
        """Read a part of a source."""
        for file, (number, text) in self._preprocessor.read(path, assembly.scope, part):
            assembly.read(file, number, text)
        assembly.check_ended()
        return assembly


class _Assembly:
    """A source that is being assembled."""

    def __init__(self) -> None:
        self.scope = Scope()
        self.scope.macros["__ASSEMBLER__"] = Definition(None, "1")
        self._macros: dict[str, _Macro] = {}
        self._data = bytearray()
        self._labels: dict[str, NamedNumber] = {}
        self._lines: list[tuple[int, int]] = []
        self._late: list[tuple[int, int, str, str, int]] = []
        """Numbers that name what comes later: offset, width, value, file, line."""
        self._alignment = 1
        self._conditions = OpenConditions(".", _BEGINS, "elseif")
        self._macro: _Macro | None = None
        """The macro that is being defined."""
        self._depth = self._calls = 0
        self._file, self._line = "", 1

    def __copy__(self) -> _Assembly:
        copied = _Assembly()
        vars(copied).update({name: copy(value) for name, value in vars(self).items()})
        return copied

    def read(self, file: str, number: int, text: str) -> None:
        """Read a line."""
        self._file, self._line = file, number
        before = len(self._data)
        text = self.scope.expanded(file, number, text)
        for statement in text.split(";") if ";" in text and '"' not in text else (text,):
            self._take(statement.strip())
        if len(self._data) > before:
            self._lines.append((before, number))

    def check_ended(self) -> None:
        """Raises SourceError for a macro or a condition without its end."""
        if self._macro is not None:
            self._line = self._macro.line
            self._fail(f"the macro {self._macro.name} has no .endm")
        self._conditions.check_ended()

    def finished(self, path: str) -> Assembled:
        """The bytes, when all lines were read."""
        for offset, width, text, file, line in self._late:
            self.scope["."] = offset
            number = self.scope.value(file, line, text, assembler=True)
            self._data[offset : offset + width] = _bytes(number, width)
        self._data += bytes(-len(self._data) % self._alignment)
        own = {name: (label.number, label.line) for name, label in self._labels.items() if label.file == path}
        return Assembled(path, bytes(self._data), own, tuple(self._lines), tuple(dict.fromkeys(self.scope.files)))

    def _take(self, text: str) -> None:
        """Execute a statement, or add it to the macro that is being defined."""
        macro = self._macro
        if macro is None and ":" in text and self._conditions.holds:
            while (label := _LABEL.match(text)) is not None:
                self._add_label(label[1])
                text = text[label.end() :]
        word, operands = (*text.split(None, 1), "", "")[:2]
        if macro is None:
            self._execute(word, operands)
            return
        macro.inner += (word == ".macro") - (word == ".endm")
        macro.lines.append(_template(text, macro))
        if macro.inner < 0:
            macro.lines.pop()
            self._macros[macro.name] = macro
            self._macro = None

    def _execute(self, word: str, operands: str) -> None:
        if word in _CONDITIONS:
            self._conditions.read(self._file, self._line, word[1:], partial(self._is_true, word, operands))
        elif not self._conditions.holds:
            pass
        elif word in _DIRECTIVES:
            _DIRECTIVES[word](self, operands)
        elif word in self._macros:
            self._call(self._macros[word], operands)
        else:
            kind = "directive that this version reads" if word[0] == "." else "macro"
            self._fail(f"{word} is no {kind}{nearest(word, self._macros)}")

    def _write(self, operands: str, width: int) -> None:
        data = self._data
        try:
            for text in operands.split(","):
                self.scope["."] = len(data)
                try:
                    data += _bytes(expression(text, assembler=True)(self.scope), width)
                except KeyError:
                    self._late.append((len(data), width, text, self._file, self._line))
                    data += bytes(width)
        except ExpressionError as error:
            self._fail(str(error))
        if len(data) > _LARGEST:
            self._fail(f"the file has more than {_LARGEST:,} bytes")

    def _add_label(self, name: str) -> None:
        label = NamedNumber(len(self._data), self._file, self._line)
        if (other := self._labels.setdefault(name, label)) is not label:
            self._fail(f"the label {name} exists already ({other.file}, line {other.line})")
        self.scope.set(name, label)

    def _value(self, text: str) -> int:
        """The number of an expression whose names must have one here."""
        return self.scope.value(self._file, self._line, text, assembler=True)

    def _assign(self, operands: str, is_new: bool = False) -> None:
        name, comma, value = operands.partition(",")
        name = name.strip()
        if not comma:
            self._fail("a name, a comma and a value are needed here")
        if is_new and name in self.scope.numbers:
            self._fail(f"{name} has a value already")
        self.scope.set(name, NamedNumber(self._value(value), self._file, self._line))

    def _align(self, operands: str) -> None:
        to, fill, *_ = [*map(self._value, operands.split(",")), 0]
        if not 0 <= to <= _LARGEST_ALIGNMENT or to & (to - 1):
            self._fail(f".balign needs a power of two up to {_LARGEST_ALIGNMENT}, not {to}")
        if to:
            self._data += _bytes(fill, 1) * (-len(self._data) % to)
            self._alignment = max(self._alignment, to)

    def _is_true(self, word: str, operands: str) -> bool:
        """Whether the condition of a directive holds."""
        if word in (".ifb", ".ifnb"):
            return bool(operands) == (word == ".ifnb")
        if word in (".ifdef", ".ifndef"):
            return (operands in self.scope.numbers) == (word == ".ifdef")
        return self._value(operands) != 0

    def _begin_macro(self, operands: str) -> None:
        name, *rest = re.split(r"[\s,]+", _without_blanks(operands), maxsplit=1)
        if not name:
            self._fail(".macro needs a name")
        parts = _PARAMETER.findall(rest[0] if rest else "")
        self._macro = _Macro(name, self._line, {parameter: (kind, default) for parameter, kind, default in parts})

    def _call(self, macro: _Macro, operands: str) -> None:
        values = self._bound(macro, operands)
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(f"macros call each other more than {_DEEPEST} deep, at last {macro.name}")
        self._calls += 1
        conditions = len(self._conditions)
        self.scope.step(self._file, self._line, len(macro.lines))
        for line in macro.lines:
            if self._conditions.holds or line.startswith("."):
                text = line.format(*values, self._calls)
                if len(text) > _LONGEST:
                    self._fail(f"the macro {macro.name} makes a statement of more than {_LONGEST:,} characters")
                self._take(text)
        if len(self._conditions) != conditions:
            self._fail(f"the macro {macro.name} does not end what it begins")
        self._depth -= 1

    def _bound(self, macro: _Macro, operands: str) -> list[str]:
        """The texts of the parameters of a macro."""
        parameters = macro.parameters
        given = _split(operands)
        if len(given) == len(parameters) and "=" not in operands and "" not in given:
            return given
        values: dict[str, str] = {}
        for position, argument in enumerate(given):
            name, equals, value = argument.partition("=")
            if not equals or name not in parameters:
                name, value = next((name for name in parameters if name not in values), ""), argument
            if not name:
                self._fail(f"{macro.name} has {len(parameters)} arguments at most, not {len(given)}")
            values[name] = value
            if parameters[name][0] == "vararg":
                values[name] = ",".join([value, *given[position + 1 :]])
                break
        for name, (kind, _) in parameters.items():
            if kind == "req" and not values.get(name):
                self._fail(f"{macro.name} needs its argument {name}")
        return [values.get(name) or default for name, (_, default) in parameters.items()]

    def _fail(self, why: str) -> NoReturn:
        raise SourceError(self._file, self._line, why)


_DIRECTIVES: Final[Mapping[str, Callable[[_Assembly, str], None]]] = {
    **dict.fromkeys([".byte"], partial(_Assembly._write, width=1)),
    **dict.fromkeys([".short", ".hword", ".2byte"], partial(_Assembly._write, width=2)),
    **dict.fromkeys([".long", ".word", ".4byte"], partial(_Assembly._write, width=4)),
    **dict.fromkeys([".set", ".equ"], _Assembly._assign),
    ".equiv": partial(_Assembly._assign, is_new=True),
    ".macro": _Assembly._begin_macro,
    ".balign": _Assembly._align,
    **dict.fromkeys(["", ".text", ".data", ".globl", ".global"], lambda assembly, operands: None),
    ".error": lambda assembly, operands: assembly._fail(operands.strip('"') or ".error"),
}


def _bytes(number: int, width: int) -> bytes:
    return (number & (1 << 8 * width) - 1).to_bytes(width, "little")


def _without_blanks(operands: str) -> str:
    return _SPACE.sub(lambda match: match[1] or "", operands)


@lru_cache(1 << 14)
def _split(operands: str) -> list[str]:
    """The arguments of a macro: commas and blanks separate, but for blanks around operators."""
    if not operands:
        return []
    text = _without_blanks(operands)
    return _ARGUMENT.findall(text)[: -1 if text[-1] != "," else None] if '"' in text else re.split(r"[,\s]", text)


def _template(text: str, macro: _Macro) -> str:
    """A line of a macro for `str.format`, with the texts of its parameters and, behind them, the number of the call,
    which is `\\@`."""
    places = {name: f"{{{number}}}" for number, name in enumerate([*macro.parameters, "@"])} | {"()": ""}
    plain = text.replace("{", "{{").replace("}", "}}")
    return _REFERENCE.sub(lambda match: places.get(match[1], match[0]), plain)
