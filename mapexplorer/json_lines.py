"""JSON texts: their data, and the line on which a part of it begins."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Final

from mapexplorer.errors import SourceError

_STEP: Final = re.compile(r"\.?([A-Za-z_@][A-Za-z_0-9@]*)|\[(\d+)\]")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()
_LONG: Final = re.compile(r"[0-9]{4300}")
"""A number with more digits than Python reads."""
_MARKS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
"""Texts, and where lists and objects begin and end."""
_KEYS: Final = re.compile(r'("(?:[^"\\]|\\.)*")[ \t\r\n]*:|"(?:[^"\\]|\\.)*"|[{}]')
"""The keys of objects, texts, and where objects begin and end."""


def read_text(file: str, data: bytes) -> str:
    """The text in a file. Raises SourceError."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(file, line, f"this is no UTF-8 text (byte {error.start})") from None


def read_json(file: str, text: str) -> Any:
    """The data of a JSON text. Raises SourceError, also for an object that has a key twice, as a merge may leave it."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise SourceError(file, error.lineno, f"this is no JSON: {error.msg}") from None
    except KeyError as error:
        raise SourceError(file, _repeated(text), f'"{error.args[0]}" was there before; keep one of the two') from None
    except (ValueError, RecursionError) as error:
        raise SourceError(file, extreme_line(text), f"this JSON cannot be read: {error}") from None


def extreme_line(text: str) -> int:
    """The line of the first number that is too long, else of what is nested most deeply."""
    long = _LONG.search(text)
    at, depth, deepest = 0 if long is None else long.start(), 0, 0
    for match in _MARKS.finditer(text) if long is None else ():
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > deepest:
            at, deepest = match.start(), depth
    return text.count("\n", 0, at) + 1


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values. Raises KeyError for a key that stands twice."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise KeyError(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return result


def _repeated(text: str) -> int | None:
    """The line of the first key that its object has before."""
    objects: list[set[str]] = []
    for match in _KEYS.finditer(text):
        if match[0] == "{":
            objects.append(set())
        elif match[0] == "}":
            objects.pop()
        elif match[1]:
            key = json.loads(match[1])
            if key in objects[-1]:
                return text.count("\n", 0, match.start()) + 1
            objects[-1].add(key)
    return None


def line_of(text: str, path: str) -> int:
    """The line of the value at a path (`value.warps.values[3]`); of the last part that the text has, where it ends
    before."""
    return text.count("\n", 0, _reached(text, path)[0]) + 1


def line_there(text: str, path: str) -> int | None:
    """The line of the value at a path; None where the text has none."""
    at, whole = _reached(text, path)
    return text.count("\n", 0, at) + 1 if whole else None


def _reached(text: str, path: str) -> tuple[int, bool]:
    """Where the value at a path begins, or the last part of it that the text has, and whether that is all."""
    at = _after_space(text, 0)
    for name, index in _STEP.findall(path):
        start = _entry(text, at, name) if name else _item(text, at, int(index))
        if start is None:
            return at, False
        at = start
    return at, True


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _entry(text: str, at: int, name: str) -> int | None:
    """Where the value of an object's key begins."""
    if text[at] != "{":
        return None
    at = _after_space(text, at + 1)
    while text[at] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, _after_space(text, at) + 1)
        if key == name:
            return at
        at = _after_space(text, _DECODER.raw_decode(text, at)[1])
        at = _after_space(text, at + 1) if text[at] == "," else at
    return None


def _item(text: str, at: int, index: int) -> int | None:
    """Where an item of a list begins, or of the values of an array."""
    at = (_entry(text, at, "values") or at) if text[at] == "{" else at
    if text[at] != "[":
        return None
    at = _after_space(text, at + 1)
    while text[at] != "]":
        if index == 0:
            return at
        index -= 1
        at = _after_space(text, _DECODER.raw_decode(text, at)[1])
        at = _after_space(text, at + 1) if text[at] == "," else at
    return None
