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
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NoReturn

from mapexplorer.caching import Cache
from mapexplorer.decomp.conditions import OpenConditions
from mapexplorer.decomp.expressions import NAME, Expression, ExpressionError, expression
from mapexplorer.decomp.preprocessor import Macro as Definition
from mapexplorer.decomp.preprocessor import Preprocessor, Scope
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

_WIDTHS: Final = {".byte": 1, ".short": 2, ".hword": 2, ".2byte": 2, ".long": 4, ".word": 4, ".4byte": 4}
_BEGINS: Final = frozenset({"if", "ifb", "ifnb", "ifdef", "ifndef"})
_CONDITIONS: Final = frozenset(f".{word}" for word in (*_BEGINS, "elseif", "else", "endif"))
_WITHOUT_EFFECT: Final = frozenset({"", ".text", ".data", ".globl", ".global"})
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
    """A macro: its parameters, with `req`, `vararg` or nothing, and the default; its lines, each as a word and literal
    texts and numbers of parameters in turn."""

    name: str
    line: int
    parameters: dict[str, tuple[str, str]]
    lines: list[tuple[str, tuple[str | int, ...]]] = field(default_factory=list)
    inner: int = 0
    """The macros inside it that are being read."""


class Assembler:
    """Makes bytes of the sources of a tree. What the first include of a source defines is read once."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self._preprocessor = preprocessor
        self._first: Cache[str, _Assembly] = Cache()
        self._last: Cache[str, Assembled] = Cache(16)

    def assemble(self, path: str) -> Assembled:
        """The bytes of a source, of which the last ones are kept. Raises SourceError."""
        return self._last.get(path, self._assemble, path)

    def _assemble(self, path: str) -> Assembled:
        lines = self._preprocessor.lines(path)
        start = 1 if lines and lines[0][1].startswith("#include") else 0
        parent = self._first.get(lines[0][1], self._begun, path) if start else None
        return self._read(path, slice(start, None), _Assembly(path, parent)).finished(path)

    def _begun(self, path: str) -> _Assembly:
        """What the first line of a source leads to."""
        return self._read(path, slice(1), _Assembly(path))

    def _read(self, path: str, part: slice, assembly: _Assembly) -> _Assembly:
        for file, (number, text) in self._preprocessor.read(path, assembly.scope, part):
            assembly.read(file, number, text)
        assembly.check_ended()
        return assembly


class _Assembly:
    """A source that is being assembled; one with a parent goes on where that is."""

    def __init__(self, path: str, parent: _Assembly | None = None) -> None:
        self.scope: Scope = parent.scope.copy() if parent else Scope()
        if parent is None:
            self.scope.define("__ASSEMBLER__", Definition(None, "1", path, 1))
        self._macros: dict[str, _Macro] = dict(parent._macros) if parent else {}
        self._data: bytearray = bytearray(parent._data if parent else b"")
        self._late: list[tuple[int, int, Expression, str, int]] = list(parent._late) if parent else []
        """Numbers that are not known where they are written: offset, width, expression, file, line."""
        self._labels: dict[str, int] = dict(parent._labels) if parent else {}
        self._label_places: dict[str, tuple[str, int]] = dict(parent._label_places) if parent else {}
        self._lines: list[tuple[int, int]] = []
        self._alignment: int = parent._alignment if parent else 1
        self._conditions = OpenConditions(".", _BEGINS, "elseif")
        self._macro: _Macro | None = None
        """The macro that is being defined."""
        self._depth = self._calls = 0
        self._file, self._line = path, 1

    def read(self, file: str, number: int, text: str) -> None:
        """Read a line."""
        self._file, self._line = file, number
        before = len(self._data)
        text = self.scope.expanded(file, number, text)
        try:
            for statement in text.split(";") if ";" in text and '"' not in text else (text,):
                self._take(statement.strip())
        except ExpressionError as error:
            self._fail(str(error))
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
        names = ChainMap(self._labels, self.scope)
        for offset, width, value, file, line in self._late:
            self._file, self._line = file, line
            self._labels["."] = offset
            try:
                self._data[offset : offset + width] = _bytes(value(names), width)
            except KeyError as error:
                self._unknown(error.args[0])
            except ExpressionError as error:
                self._fail(str(error))
        self._data += bytes(-len(self._data) % self._alignment)
        own = {name: (self._labels[name], line) for name, (file, line) in self._label_places.items() if file == path}
        return Assembled(path, bytes(self._data), own, tuple(self._lines), tuple(dict.fromkeys(self.scope.files)))

    def _take(self, text: str) -> None:
        """Execute a statement, or add it to the macro that is being defined."""
        if ":" in text and self._macro is None and self._conditions.holds:
            while (label := _LABEL.match(text)) is not None:
                self._add_label(label[1])
                text = text[label.end() :]
        word, *rest = text.split(None, 1) or ("",)
        if self._macro is not None:
            self._define(self._macro, word, text)
        else:
            self._execute(word, rest[0] if rest else "")

    def _execute(self, word: str, operands: str) -> None:
        if word in _CONDITIONS:
            self._conditions.read(self._file, self._line, word[1:], lambda: self._is_true(word, operands))
        elif not self._conditions.holds or word in _WITHOUT_EFFECT:
            pass
        elif word in _WIDTHS:
            self._write(_WIDTHS[word], operands)
        elif word in self._macros:
            self._call(self._macros[word], operands)
        elif word in (".set", ".equ", ".equiv"):
            self._assign(word, operands)
        elif word == ".macro":
            self._begin_macro(operands)
        elif word == ".balign":
            self._align(operands)
        elif word == ".error":
            self._fail(operands.strip('"') or word)
        else:
            kind = "directive that this version reads" if word[0] == "." else "macro"
            self._fail(f"{word} is no {kind}{nearest(word, self._macros)}")

    def _write(self, width: int, operands: str) -> None:
        data = self._data
        for value in _values(operands):
            try:
                data += _bytes(value(self.scope), width)
            except KeyError:
                self._late.append((len(data), width, value, self._file, self._line))
                data += bytes(width)
        if len(data) > _LARGEST:
            self._fail(f"the file has more than {_LARGEST:,} bytes")

    def _add_label(self, name: str) -> None:
        if name in self._labels:
            file, line = self._label_places[name]
            self._fail(f"the label {name} exists already ({file}, line {line})")
        self._labels[name] = len(self._data)
        self._label_places[name] = self._file, self._line

    def _value(self, text: str) -> int:
        """The number of an expression whose names must have one here."""
        try:
            return expression(text, assembler=True)(self.scope)
        except KeyError as error:
            self._unknown(error.args[0])

    def _assign(self, word: str, operands: str) -> None:
        name, comma, value = operands.partition(",")
        name = name.strip()
        if not comma:
            self._fail(f"{word} needs a name, a comma and a value")
        if word == ".equiv" and self.scope.has(name):
            self._fail(f"{name} has a value already")
        self.scope[name] = self._value(value)
        self.scope.places[name] = self._file, self._line

    def _align(self, operands: str) -> None:
        to, fill, *_ = [*(self._value(part) for part in operands.split(",")), 0]
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
            return (operands in self._labels or self.scope.has(operands)) == (word == ".ifdef")
        return self._value(operands) != 0

    def _begin_macro(self, operands: str) -> None:
        name, *rest = re.split(r"[\s,]+", _without_blanks(operands), maxsplit=1)
        if not name:
            self._fail(".macro needs a name")
        parameters = {
            match[1]: (match[2] or "", match[3] or "") for match in _PARAMETER.finditer(rest[0] if rest else "")
        }
        self._macro = _Macro(name, self._line, parameters)

    def _define(self, macro: _Macro, word: str, text: str) -> None:
        """Read a line of a macro."""
        macro.inner += (word == ".macro") - (word == ".endm")
        if macro.inner < 0:
            self._macros[macro.name] = macro
            self._macro = None
        else:
            macro.lines.append(_body_line(word, text, list(macro.parameters)))

    def _call(self, macro: _Macro, operands: str) -> None:
        values = self._bound(macro, operands)
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(f"macros call each other more than {_DEEPEST} deep, at last {macro.name}")
        self._calls += 1
        values.append(str(self._calls))
        conditions = len(self._conditions)
        self.scope.step(self._file, self._line, len(macro.lines))
        for word, parts in macro.lines:
            if not self._conditions.holds and word not in _CONDITIONS and self._macro is None:
                continue
            text = "".join([part if isinstance(part, str) else values[part] for part in parts])
            if len(text) > _LONGEST:
                self._fail(f"the macro {macro.name} makes a statement of more than {_LONGEST:,} characters")
            if word and self._macro is None:
                self._execute(word, text)
            else:
                self._take(f"{word} {text}".strip())
        if len(self._conditions) != conditions:
            self._fail(f"the macro {macro.name} does not end what it begins")
        self._depth -= 1

    def _bound(self, macro: _Macro, operands: str) -> list[str]:
        """The texts of the parameters of a macro."""
        parameters = macro.parameters
        given = _split(operands)
        if len(given) == len(parameters) and "=" not in operands and "" not in given:
            return given.copy()
        values: dict[str, str] = {}
        for position, argument in enumerate(given):
            named, equals, value = argument.partition("=")
            name = next((name for name in parameters if name not in values), None)
            if equals and named in parameters:
                values[named] = value
            elif name is None:
                self._fail(f"{macro.name} has {len(parameters)} arguments at most, not {len(given)}")
            elif parameters[name][0] == "vararg":
                values[name] = ",".join(given[position:])
                break
            else:
                values[name] = argument
        for name, (kind, default) in parameters.items():
            if not values.get(name):
                if kind == "req":
                    self._fail(f"{macro.name} needs its argument {name}")
                values[name] = default
        return [values[name] for name in parameters]

    def _unknown(self, name: str) -> NoReturn:
        raise self.scope.unknown(self._file, self._line, name, self._labels) from None

    def _fail(self, why: str) -> NoReturn:
        raise SourceError(self._file, self._line, why)


def _bytes(number: int, width: int) -> bytes:
    return (number & (1 << 8 * width) - 1).to_bytes(width, "little")


@lru_cache(1 << 16)
def _values(operands: str) -> tuple[Expression, ...]:
    """The numbers of a directive of data."""
    return tuple(expression(part, assembler=True) for part in operands.split(","))


def _without_blanks(operands: str) -> str:
    return _SPACE.sub(lambda match: match[1] or "", operands)


@lru_cache(1 << 14)
def _split(operands: str) -> list[str]:
    """The arguments of a macro: commas and blanks separate, but for blanks around operators."""
    if not operands:
        return []
    text = _without_blanks(operands)
    return _ARGUMENT.findall(text)[: -1 if text[-1] != "," else None] if '"' in text else re.split(r"[,\s]", text)


def _body_line(word: str, text: str, parameters: list[str]) -> tuple[str, tuple[str | int, ...]]:
    """A line of a macro: its word, if that is always the same, and what follows as literal texts and numbers of
    parameters; `\\@`, the number of the call, is the one behind them."""
    numbers = {name: number for number, name in enumerate([*parameters, "@"])}
    if "\\" in word or ":" in text:
        word = ""
    rest = text[len(word) :].strip()
    parts: list[str | int] = []
    at = 0
    for match in _REFERENCE.finditer(rest):
        if match[1] in numbers or match[1] == "()":
            parts += [rest[at : match.start()], numbers.get(match[1], "")]
            at = match.end()
    return word, tuple(part for part in [*parts, rest[at:]] if part != "")
