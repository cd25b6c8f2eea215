"""The C preprocessor, for headers, C sources and assembler sources of a tree: includes, guards, macros, conditions; and
the enumerators of C, whose numbers are names from there on.

Macros are replaced in the text; enumerators and names of lists have their numbers where an expression is evaluated.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator
from copy import copy
from functools import partial
from posixpath import normpath
from typing import Final, NamedTuple

from formats.remembered import remembered
from mapexplorer.caching import Cache
from mapexplorer.decomp.brackets import enclosed
from mapexplorer.decomp.conditions import OpenConditions
from mapexplorer.decomp.enumerations import Enumerations, NamedNumber, Names, json_of
from mapexplorer.decomp.expressions import ExpressionError, expression
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

FOLDERS: Final = ("include/", "asm/", "")
"""Where an include is searched, behind the folder of the file that names it."""
_DEEPEST: Final = 64
"""Includes inside each other, and macros."""
MOST_STEPS: Final = 300_000
"""Lines and macros that one file may lead to."""
_KEPT: Final = 128
"""Files whose lines are kept: those that all scripts include, and some more."""
_LONGEST, _LARGEST = 1 << 16, 1 << 22
"""Characters of a line whose macros are replaced, and of a file."""
_COMMENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)\'|/\*.*?\*/|//[^\n]*|(/\*)', re.S)
_ASSEMBLER_COMMENT: Final = re.compile(_COMMENT.pattern + r"|@[^\n]*", re.S)
_CONTINUED: Final = re.compile(r"\\[ \t\r]*\n")
_DIRECTIVE: Final = re.compile(r"#\s*([a-z]+)\s*(.*)")
_INCLUDE: Final = re.compile(r'["<]([^">]+)[">]')
_INCLUDES: Final = re.compile(rf"#\s*include\s*{_INCLUDE.pattern}")
_DEFINE: Final = re.compile(r"([A-Za-z_]\w*)(?:\(([^)]*)\))?\s*(.*)", re.S)
_DEFINED: Final = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[A-Za-z_]\w*')
_PASTE: Final = re.compile(r"\s*##\s*")
_ENUM: Final = re.compile(r"(?:typedef\s+)?enum\b\s*\w*\s*(?:\{|$)")
_ENUMERATOR: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=\s*(.+))?", re.S)

Line = tuple[int, str]
"""A line of a source, continued over backslashes, without comments: its number and text."""


class Macro(NamedTuple):
    """A `#define`: its parameters (None for one without parentheses), its text, and where it is."""

    parameters: tuple[str, ...] | None
    body: str
    file: str = ""
    line: int = 1


class Scope(dict[str, int]):
    """Name -> number at a place of a source; `numbers` are all of them with their places, `macros` what is replaced in
    texts, `files` what was read."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: ChainMap[str, NamedNumber] = ChainMap()
        self.macros: dict[str, Macro] = {}
        self.files: list[str] = []
        self._steps = 0

    def __copy__(self) -> Scope:
        """The same names, which others are added to."""
        copied = Scope()
        vars(copied).update({name: copy(value) for name, value in vars(self).items()})
        copied.numbers = self.numbers.new_child()
        return copied

    def __missing__(self, name: str) -> int:
        self[name] = number = self.numbers[name].value
        return number

    def set(self, name: str, entry: NamedNumber) -> None:
        """Give a name a number, or another one."""
        self.numbers[name] = entry
        self[name] = entry.number

    def step(self, file: str, line: int, count: int = 1) -> None:
        """Count lines or macros. Raises SourceError for too many of them."""
        self._steps += count
        if self._steps > MOST_STEPS:
            raise SourceError(file, line, f"more than {MOST_STEPS:,} lines and macros follow from this file")

    def unknown(self, file: str, line: int, name: str) -> SourceError:
        """The error about a name that nothing defines."""
        known = [*self.numbers.maps[0], *self.numbers, *self.macros]
        return SourceError(file, line, f"nothing defines {name}{nearest(name, known)}")

    def value(self, file: str, line: int, text: str, *, assembler: bool = False) -> int:
        """The number of an expression of C, or of the assembler. Raises SourceError."""
        try:
            return expression(self.expanded(file, line, text), assembler=assembler)(self)
        except KeyError as error:
            raise self.unknown(file, line, error.args[0]) from None
        except ExpressionError as error:
            raise SourceError(file, line, str(error)) from None

    def number(self, file: str, line: int, text: str) -> int | None:
        """The number of an expression of C; None for something else."""
        try:
            return expression(self.expanded(file, line, text))(self)
        except (KeyError, ExpressionError, SourceError):
            return None

    def expanded(self, file: str, line: int, text: str, within: frozenset[str] = frozenset()) -> str:
        """A text whose macros are replaced, but for those `within` whose texts it stands."""
        macros = self.macros
        if not any(word in macros for word in _WORD.findall(text)):
            return text
        if len(within) == _DEEPEST:
            raise SourceError(file, line, f"macros stand inside each other more than {_DEEPEST} deep here")
        parts: list[str] = []
        length = at = 0
        while match := _WORD.search(text, at):
            name, end = match[0], match.end()
            replacement = name
            if name in macros and name not in within:
                self.step(file, line)
                body, end = self._filled(name, text, end, file, line, within)
                replacement = name if body is None else self.expanded(file, line, body, within | {name})
            parts += text[at : match.start()], replacement
            length += len(replacement)
            if length > _LONGEST:
                raise SourceError(file, line, f"the macro {name} makes more than {_LONGEST:,} characters of this line")
            at = end
        return "".join([*parts, text[at:]])

    def _filled(
        self, name: str, text: str, end: int, file: str, line: int, within: frozenset[str]
    ) -> tuple[str | None, int]:
        """The text of a macro with the arguments behind its name in place of its parameters, and where these end; None
        for a macro with parameters that has no arguments there."""
        macro = self.macros[name]
        if macro.parameters is None:
            return _PASTE.sub("", macro.body), end
        begin = end + len(text[end:]) - len(text[end:].lstrip())
        parts, after = enclosed(text, begin) if text[begin : begin + 1] == "(" else ([], 0)
        if not after:
            return None, end
        arguments = [text[start:stop].strip() for start, stop in parts]
        if len(arguments) != max(len(macro.parameters), 1):
            needed = f"{len(macro.parameters)} argument{'s' * (len(macro.parameters) != 1)}"
            raise SourceError(file, line, f"the macro {name} needs {needed}, not {len(arguments)}")
        values = dict(zip(macro.parameters, arguments, strict=False))

        def argument(match: re.Match[str]) -> str:
            if match[0] not in values:
                return match[0]
            around = macro.body[: match.start()].rstrip().endswith("##"), macro.body[match.end() :].lstrip()[:2] == "##"
            value = values[match[0]]
            return value if any(around) else self.expanded(file, line, value, within)

        return _PASTE.sub("", _WORD.sub(argument, macro.body)), after


class Preprocessor:
    """Reads sources of a tree with what they include."""

    def __init__(self, names: Enumerations) -> None:
        self._names = names
        self._lines: Cache[str, list[Line]] = Cache(_KEPT)

    @property
    def files(self) -> TreeFiles:
        """The files of the tree."""
        return self._names.files

    @remembered
    def constants(self, path: str) -> Names:
        """The names with numbers that a header and what it includes define. Raises SourceError."""
        scope = Scope()
        for _ in self.read(path, scope):
            pass  # declarations
        for name, macro in scope.macros.items():
            number = scope.number(path, macro.line, name) if macro.parameters is None else None
            if number is not None:
                scope.set(name, NamedNumber(number, macro.file, macro.line))
        return Names(path, scope.numbers)

    def lines(self, path: str) -> list[Line]:
        """The lines of a file that are not blank, of one that others include kept. Raises SourceError."""
        if path.endswith(".s"):
            return source_lines(self.files.text(path), path)
        return self._lines.get(path, lambda: source_lines(self.files.text(path), path))

    @remembered
    def find(self, name: str, folder: str) -> str | None:
        """The path of an included file; None for one that only a build makes or has."""
        places = [normpath(start + name) for start in (folder, *FOLDERS)] if "\0" not in name else []
        return next(filter(self.files.has, places), None)

    def included(self, path: str) -> tuple[str, ...]:
        """The files that a source includes, or that headers which it includes are made of, whatever its conditions.
        Raises SourceError."""
        return self.files.made(path, "includes", self._included)

    def _included(self, path: str) -> tuple[str, ...]:
        names = _INCLUDES.findall(self.files.text(path))
        places = [self.find(name, path[: path.rfind("/") + 1]) or json_of(name) for name in names]
        return tuple(filter(self.files.has, places))

    def read(self, path: str, scope: Scope, part: slice = slice(None), depth: int = 0) -> Iterator[tuple[str, Line]]:
        """The lines of a part of a file and of what it includes that are no directives and no enumerators, with their
        files; definitions go to `scope`. Raises SourceError."""
        return self._read(path, self.lines(path)[part], scope, depth)

    def _read(self, path: str, lines: list[Line], scope: Scope, depth: int) -> Iterator[tuple[str, Line]]:
        scope.files.append(path)
        conditions = OpenConditions("#", frozenset({"if", "ifdef", "ifndef"}), "elif")
        enumeration: list[Line] = []
        for line in lines:
            number, text = line
            scope.step(path, number)
            if text[0] == "#":
                match = _DIRECTIVE.fullmatch(text)
                name, rest = match.groups() if match else ("", "")
                test = partial(_is_true, path, number, name, rest, scope)
                if conditions.read(path, number, name, test) or not conditions.holds:
                    continue
                if name == "include":
                    yield from self._include(path, number, rest, scope, depth)
                else:
                    _define(path, number, name, rest, scope)
            elif conditions.holds and (enumeration or _ENUM.match(text)):
                enumeration.append(line)
                if "}" in text or ";" in text:
                    _enumerate(path, enumeration, scope)
                    enumeration = []
            elif conditions.holds:
                yield path, line
        conditions.check_ended()

    def _include(self, path: str, number: int, text: str, scope: Scope, depth: int) -> Iterator[tuple[str, Line]]:
        match = _INCLUDE.match(text)
        if match is None:
            raise SourceError(path, number, f"#include needs a name in quotes, not {text}")
        name = match[1]
        if depth == _DEEPEST:
            why = f"{name} is included inside {_DEEPEST} others; one of them includes itself"
            raise SourceError(path, number, why)
        place = self.find(name, path[: path.rfind("/") + 1])
        if place is not None:
            yield from self.read(place, scope, depth=depth + 1)
        else:
            scope.numbers.update(self._names.header(name).entries)
            yield from self._read(name, [*enumerate(self._names.statements(name), 1)], scope, depth + 1)


def source_lines(text: str, path: str) -> list[Line]:
    """The lines of a source that are not blank, without comments, stripped. Raises SourceError for a comment without an
    end."""

    def kept(match: re.Match[str]) -> str:
        if match[1]:
            number = text.count("\n", 0, match.start()) + 1
            raise SourceError(path, number, "the comment that begins here has no */")
        return match[0] if match[0][0] in "\"'" else " " + "\n" * match[0].count("\n")

    if len(text) > _LARGEST:
        raise SourceError(path, None, f"{len(text):,} characters are too many for a source")
    plain = (_ASSEMBLER_COMMENT if path.endswith((".s", ".inc")) else _COMMENT).sub(kept, text)
    lines: list[Line] = []
    number = 1
    for part in re.split(r"(?<!\\)\n", _CONTINUED.sub("\\\n", plain)):
        line = part.replace("\\\n", " ").strip()
        if line:
            lines.append((number, line))
        number += part.count("\n") + 1
    return lines


def _is_true(path: str, number: int, directive: str, text: str, scope: Scope) -> bool:
    """Whether a condition holds; a name that nothing defines is 0 in its expression."""
    if directive in ("ifdef", "ifndef"):
        return (text.strip() in scope.macros) == (directive == "ifdef")
    text = _DEFINED.sub(lambda match: str(int((match[1] or match[2]) in scope.macros)), text)
    text = scope.expanded(path, number, text)
    text = _WORD.sub(lambda match: match[0] if match[0] in scope.numbers else "0", text)
    return scope.value(path, number, text) != 0


def _define(path: str, number: int, directive: str, text: str, scope: Scope) -> None:
    if directive == "undef":
        scope.macros.pop(text.strip(), None)
    elif directive == "define":
        match = _DEFINE.fullmatch(text)
        if match is None:
            raise SourceError(path, number, f"#define needs a name, not {text}")
        name, parameters, body = match.groups()
        listed = None if parameters is None else tuple(part.strip() for part in parameters.split(",") if part.strip())
        scope.macros[name] = Macro(listed, body.strip(), path, number)
    elif directive == "error":
        raise SourceError(path, number, text.strip('"') or "#error")


def _enumerate(path: str, lines: list[Line], scope: Scope) -> None:
    """Add the enumerators of an enumeration, whose lines these are. Behind one whose number this reader cannot tell,
    none has a number."""
    text = "\n".join([text for _, text in lines])
    following: int | None = 0
    for start, end in enclosed(text, text.find("{"))[0] if "{" in text else ():
        match = _ENUMERATOR.fullmatch(text[start:end].rstrip())
        if match is None:
            continue
        line = lines[text.count("\n", 0, start + match.start(1))][0]
        if match[2]:
            following = scope.number(path, line, match[2])
        if following is not None:
            scope.set(match[1], NamedNumber(following, path, line))
            following += 1
