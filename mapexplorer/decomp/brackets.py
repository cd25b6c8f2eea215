"""Texts in brackets: the arguments of a macro, the enumerators of an enumeration, the items of an initialiser."""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[()\[\]{},]')


def enclosed(text: str, at: int) -> tuple[list[tuple[int, int]], int]:
    """Where the parts between the bracket at a place and the one that closes it begin and end, which commas separate;
    and where that ends, 0 where nothing closes it."""
    parts: list[tuple[int, int]] = []
    start, depth = at + 1, 0
    for mark in _MARK.finditer(text, at):
        sign = mark[0]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 or (sign == "," and depth == 1):
            parts.append((start, mark.start()))
            start = mark.end()
        if depth == 0:
            return parts, start
    return [], 0
