"""The line of a JSON text on which a part of its data begins."""

from __future__ import annotations

import json
import re
from typing import Final

_STEP: Final = re.compile(r"\.?([A-Za-z_@][A-Za-z_0-9@]*)|\[(\d+)\]")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


def line_of(text: str, path: str) -> int:
    """The line of the value at a path (`value.warps.values[3]`); of the last part that the text has, where it ends
    before."""
    at = _after_space(text, 0)
    for name, index in _STEP.findall(path):
        start = _entry(text, at, name) if name else _item(text, at, int(index))
        if start is None:
            break
        at = start
    return text.count("\n", 0, at) + 1


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
