"""The C preprocessor, for headers, C sources and assembler sources of a tree: includes, guards, macros, conditions; and
the enumerators of C, whose numbers are names from there on.

A name with a number (`#define A (B + 1)`, an enumerator, a name of a list) is not replaced in the text, but has its
number where an expression is evaluated. Other macros (with parameters, or more than one word) are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import copy
from functools import partial
from posixpath import normpath
from typing import Final, NamedTuple

from formats.remembered import remembered
from mapexplorer.decomp.built_headers import BuiltHeaders
from mapexplorer.decomp.conditions import OpenConditions
from mapexplorer.decomp.enumerations import Enumerations, NamedNumber, Names
from mapexplorer.decomp.expressions import ExpressionError, expression
from mapexplorer.errors import SourceError
from mapexplorer.naming import nearest

FOLDERS: Final = ("include/", "asm/", "")
"""Where an include is searched, behind the folder of the file that names it."""
_DEEPEST: Final = 64
"""Includes inside each other."""
MOST_STEPS: Final = 300_000
"""Lines and macros that one file may lead to."""
_LONGEST, _LARGEST = 1 << 16, 1 << 22
"""Characters of a line, also when its macros are replaced, and of a file."""
_COMMENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)\'|/\*.*?(?:\*/|\Z)|//[^\n]*', re.S)
_ASSEMBLER_COMMENT: Final = re.compile(_COMMENT.pattern + r"|@[^\n]*", re.S)
_DIRECTIVE: Final = re.compile(r"#\s*([a-z]+)\s*(.*)")
_INCLUDE: Final = re.compile(r'["<]([^">]+)[">]')
_DEFINE: Final = re.compile(r"([A-Za-z_]\w*)(?:\(([^)]*)\))?\s*(.*)", re.S)
_DEFINED: Final = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[A-Za-z_]\w*')
_SEPARATORS: Final = re.compile(r"[()\[\]{},]")
_PASTE: Final = re.compile(r"\s*##\s*")
_WHOLE: Final = re.compile(r"[-~]?\s*[0-9]\w*")
_ENUM: Final = re.compile(r"(?:typedef\s+)?enum\b\s*\w*\s*(?:\{|$)")
_COMMA: Final = re.compile(r"(,)")
_ENUMERATOR: Final = re.compile(r"([A-Za-z_]\w*)\s*(?:=\s*(.+))?", re.S)


Line = tuple[int, str]
"""A line of a source, continued over backslashes, without comments: its number and text."""


class Macro(NamedTuple):
    """A `#define`: its parameters (None for one without parentheses), its text, and where it is."""

    parameters: tuple[str, ...] | None
    body: str
    file: str
    line: int

    @property
    def is_whole(self) -> bool:
        """Whether the text is one operand wherever it stands: a number, or something in parentheses."""
        if self.parameters is not None:
            return False
        return _WHOLE.fullmatch(self.body) is not None or len(self.body) == _arguments(self.body, 0)[1] > 0


class Scope(dict[str, int]):
    """Name -> number, and the macros, at a place of a source; those of macros are evaluated when they are asked for.
    `lists` are names that came from files that are no headers, `places` where other names with numbers are defined."""

    def __init__(self) -> None:
        super().__init__()
        self.macros: dict[str, Macro] = {}
        self._replaced: set[str] = set()
        self._lists: list[Names] = []
        self.places: dict[str, tuple[str, int]] = {}
        self.files: list[str] = []
        self._steps = 0

    def copy(self) -> Scope:
        """The same names, which others are added to."""
        copied = Scope()
        copied.update(self)
        vars(copied).update({name: copy(value) for name, value in vars(self).items()})
        return copied

    def __missing__(self, name: str) -> int:
        macro = self.macros.get(name)
        if macro is None or macro.parameters is not None:
            raise KeyError(name)
        try:
            number = expression(self.expanded(macro.file, macro.line, macro.body, frozenset({name})))(self)
        except (ExpressionError, RecursionError):
            raise KeyError(name) from None
        self[name] = number
        return number

    def has(self, name: str) -> bool:
        """Whether a name has a number."""
        try:
            return self[name] is not None
        except KeyError:
            return False

    def define(self, name: str, macro: Macro) -> None:
        """Define a macro, or define it again."""
        self.macros[name] = macro
        self.pop(name, None)
        (self._replaced.discard if macro.is_whole else self._replaced.add)(name)

    def undefine(self, name: str) -> None:
        """Forget a macro."""
        self.macros.pop(name, None)
        self.pop(name, None)
        self._replaced.discard(name)

    def include(self, names: Names) -> None:
        """Add the names of a list."""
        self._lists.append(names)
        self.update({name: entry.number for name, entry in names.entries.items() if name not in names.problems})

    def origin(self, name: str) -> tuple[str, int] | None:
        """The file and the line that define a name."""
        if name in self.macros:
            return self.macros[name].file, self.macros[name].line
        if name in self.places:
            return self.places[name]
        return next((names.origin(name) for names in reversed(self._lists) if name in names.entries), None)

    def step(self, file: str, line: int, count: int = 1) -> None:
        """Count lines or macros. Raises SourceError for too many of them."""
        self._steps += count
        if self._steps > MOST_STEPS:
            raise SourceError(file, line, f"more than {MOST_STEPS:,} lines and macros follow from this file")

    def unknown(self, file: str, line: int, name: str, also: Iterable[str] = ()) -> SourceError:
        """The error about a name that nothing defines; `also`: other names that could be meant."""
        problem = next((names.problems[name] for names in self._lists if name in names.problems), None)
        why = f"nothing defines {name}{nearest(name, [*also, *self, *self.macros])}"
        return problem or SourceError(file, line, why)

    def value(self, file: str, line: int, text: str) -> int:
        """The number of an expression of C. Raises SourceError."""
        try:
            return expression(self.expanded(file, line, text))(self)
        except KeyError as error:
            raise self.unknown(file, line, error.args[0]) from None
        except ExpressionError as error:
            raise SourceError(file, line, str(error)) from None

    def expanded(self, file: str, line: int, text: str, within: frozenset[str] = frozenset()) -> str:
        """A text whose macros are replaced, but for those `within` whose texts it stands."""
        if self._replaced.isdisjoint(_WORD.findall(text)):
            return text
        if len(within) == _DEEPEST:
            raise SourceError(file, line, f"macros stand inside each other more than {_DEEPEST} deep here")
        parts: list[str] = []
        length = at = 0
        while match := _WORD.search(text, at):
            name, end = match[0], match.end()
            replacement = name
            if name in self._replaced and name not in within:
                self.step(file, line)
                macro = self.macros[name]
                arguments: list[str] | None = []
                if macro.parameters is not None:
                    arguments, end = _arguments(text, end)
                if arguments is not None:
                    body = self._filled(macro, name, arguments, file, line, within)
                    replacement = self.expanded(file, line, body, within | {name})
            parts += text[at : match.start()], replacement
            length += len(replacement)
            if length > _LONGEST:
                raise SourceError(file, line, f"the macro {name} makes more than {_LONGEST:,} characters of this line")
            at = end
        return "".join([*parts, text[at:]])

    def _filled(
        self, macro: Macro, name: str, arguments: list[str], file: str, line: int, within: frozenset[str]
    ) -> str:
        """The text of a macro with arguments in place of its parameters."""
        parameters = macro.parameters or ()
        if len(arguments) != len(parameters) and not (arguments == [""] and not parameters):
            needed = f"{len(parameters)} argument{'s' * (len(parameters) != 1)}"
            raise SourceError(file, line, f"the macro {name} needs {needed}, not {len(arguments)}")
        values = dict(zip(parameters, arguments, strict=False))

        def argument(match: re.Match[str]) -> str:
            if match[0] not in values:
                return match[0]
            around = macro.body[: match.start()].rstrip().endswith("##"), macro.body[match.end() :].lstrip()[:2] == "##"
            value = values[match[0]]
            return value if any(around) else self.expanded(file, line, value, within)

        return _PASTE.sub("", _WORD.sub(argument, macro.body))


def _arguments(text: str, at: int) -> tuple[list[str] | None, int]:
    """The arguments in parentheses at a place of a text, and where they end; None where there is no parenthesis."""
    start = at + len(text[at:]) - len(text[at:].lstrip())
    if text[start : start + 1] != "(":
        return None, at
    depth, arguments, begin = 0, [], start + 1
    for mark in _SEPARATORS.finditer(text, start):
        character, end = mark[0], mark.start()
        depth += (character in "([{") - (character in ")]}")
        if (character == "," and depth == 1) or depth == 0:
            arguments.append(text[begin:end].strip())
            begin = end + 1
        if depth == 0:
            return arguments, end + 1
    return None, at


class Preprocessor:
    """Reads sources of a tree with what they include."""

    def __init__(self, names: Enumerations) -> None:
        self.files = names.files
        self._headers = BuiltHeaders(names)

    @remembered
    def constants(self, path: str) -> Names:
        """The names with numbers that a header and what it includes define. Raises SourceError."""
        scope = Scope()
        for _ in self.read(path, scope):
            pass  # declarations
        numbered = [name for name in [*scope, *scope.macros] if scope.has(name)]
        entries = {name: NamedNumber(scope[name], *(scope.origin(name) or (path, 1))) for name in numbered}
        return Names(path, entries, {})

    @remembered
    def lines(self, path: str) -> list[Line]:
        """The lines of a file that are not blank. Raises SourceError."""
        return source_lines(self.files.text(path), path)

    @remembered
    def find(self, name: str, folder: str) -> str | None:
        """The path of an included file; None for one that only a build makes or has."""
        places = [normpath(start + name) for start in (folder, *FOLDERS)] if "\0" not in name else []
        return next(filter(self.files.has, places), None)

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
            elif conditions.holds:
                if not enumeration and not _ENUM.match(text):
                    yield path, line
                    continue
                enumeration.append(line)
                if "}" in text or ";" in text:
                    _enumerate(path, enumeration, scope)
                    enumeration = []
        conditions.check_ended()

    def _include(self, path: str, number: int, name: str, scope: Scope, depth: int) -> Iterator[tuple[str, Line]]:
        match = _INCLUDE.match(name)
        if match is None:
            raise SourceError(path, number, f"#include needs a name in quotes, not {name}")
        if depth == _DEEPEST:
            why = f"{match[1]} is included inside {_DEEPEST} others; one of them includes itself"
            raise SourceError(path, number, why)
        place = self.find(match[1], path[: path.rfind("/") + 1])
        if place is not None:
            yield from self.read(place, scope, depth=depth + 1)
            return
        names = self._headers.names(match[1])
        if names is not None:
            scope.include(names)
        lines = self._headers.lines(match[1])
        yield from self._read(match[1], [*enumerate(lines, 1)], scope, depth + 1)


def source_lines(text: str, path: str) -> list[Line]:
    """The lines of a source that are not blank, without comments, stripped. Raises SourceError for a comment without an
    end."""

    def kept(match: re.Match[str]) -> str:
        token = match[0]
        if token[0] in "\"'":
            return token
        if token.startswith("/*") and not token.endswith("*/"):
            number = text.count("\n", 0, match.start()) + 1
            raise SourceError(path, number, "the comment that begins here has no */")
        return " " + "\n" * token.count("\n")

    if len(text) > _LARGEST:
        raise SourceError(path, None, f"{len(text):,} characters are too many for a source")
    if "/" in text or "@" in text:
        text = (_ASSEMBLER_COMMENT if path.endswith((".s", ".inc")) else _COMMENT).sub(kept, text)
    lines: list[Line] = []
    first, continued = 0, ""
    for number, part in enumerate(f"{text}\n".split("\n"), 1):
        part = part.strip()
        if len(continued) + len(part) > _LONGEST:
            raise SourceError(path, number, f"a line of more than {_LONGEST:,} characters is no source")
        if part.endswith("\\"):
            first = first or number
            continued += part[:-1] + " "
        elif part or continued:
            lines.append((first or number, continued + part))
            first, continued = 0, ""
    return [line for line in lines if line[1].strip()]


def _is_true(path: str, number: int, directive: str, text: str, scope: Scope) -> bool:
    """Whether a condition holds; a name that nothing defines is 0 in its expression."""
    if directive in ("ifdef", "ifndef"):
        return (text.strip() in scope.macros) == (directive == "ifdef")
    text = _DEFINED.sub(lambda match: str(int((match[1] or match[2]) in scope.macros)), text)
    text = scope.expanded(path, number, text)
    return scope.value(path, number, _WORD.sub(lambda match: match[0] if scope.has(match[0]) else "0", text)) != 0


def _define(path: str, number: int, directive: str, text: str, scope: Scope) -> None:
    if directive == "undef":
        scope.undefine(text.strip())
    elif directive == "define":
        match = _DEFINE.fullmatch(text)
        if match is None:
            raise SourceError(path, number, f"#define needs a name, not {text}")
        name, parameters, body = match.groups()
        listed = None if parameters is None else tuple(part.strip() for part in parameters.split(",") if part.strip())
        scope.define(name, Macro(listed, body.strip(), path, number))
    elif directive == "error":
        raise SourceError(path, number, text.strip('"') or "#error")


def _enumerate(path: str, lines: list[Line], scope: Scope) -> None:
    """Add the enumerators of an enumeration, whose lines these are. Behind one whose number this reader cannot tell,
    none has a number."""
    following: int | None = 0
    pending = ""
    for number, text in lines:
        _, brace, text = text.rpartition("{")
        pending = "" if brace else pending
        for part in _COMMA.split(text.partition("}")[0] + ("," if "}" in text else "")):
            if part != "," or pending.count("(") != pending.count(")"):
                pending += part
                continue
            match = _ENUMERATOR.fullmatch(pending.strip())
            pending = ""
            if match is None:
                continue
            if match[2]:
                try:
                    following = scope.value(path, number, match[2])
                except SourceError:
                    following = None
            if following is not None:
                scope[match[1]] = following
                scope.places[match[1]] = path, number
                following += 1
