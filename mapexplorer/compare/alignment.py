"""Which items of two sequences are the same one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

Pair = tuple[int | None, int | None]
"""The indices of an item in two sequences; None: it is not there."""

Likeness = Callable[[int, int], float]
"""How alike two items are by their indices, 0 to 1."""

_MOST_PAIRS = 10_000
"""Longer runs are paired by their order."""

_ALIKE = 0.4
"""The least likeness of two items that are the same one, edited."""


def aligned(before: Sequence[Hashable], after: Sequence[Hashable], likeness: Likeness | None = None) -> list[Pair]:
    """The items of two sequences in pairs, in order. Items between equal ones are paired by `likeness` without changing
    their order, in runs of one length or without `likeness` one by one."""
    start, ends = _common(before, after)
    middle_before, middle_after = before[start : len(before) - ends], after[start : len(after) - ends]
    pairs: list[Pair] = [(index, index) for index in range(start)]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, middle_before, middle_after, autojunk=False).get_opcodes():
        run_before, run_after = range(start + i1, start + i2), range(start + j1, start + j2)
        if tag == "replace" and likeness is not None and len(run_before) * len(run_after) <= _MOST_PAIRS:
            pairs += _by_likeness(run_before, run_after, likeness)
        else:
            pairs += zip_longest(run_before, run_after)
    shift = len(after) - len(before)
    pairs += [(index, index + shift) for index in range(len(before) - ends, len(before))]
    return pairs


def _common(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[int, int]:
    """The numbers of equal items at the beginning and at the end."""
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    rest = shorter - start
    ends = next((index for index in range(rest) if before[-1 - index] != after[-1 - index]), rest)
    return start, ends


def _by_likeness(before: range, after: range, likeness: Likeness) -> list[Pair]:
    """The pairs in order with the largest sum of likenesses; items that are not alike stay alone."""
    rows, columns = len(before), len(after)
    like = [[likeness(i, j) for j in after] for i in before]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            together = like[i][j] + best[i + 1][j + 1] if like[i][j] >= _ALIKE else 0.0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs: list[Pair] = []
    i = j = 0
    while i < rows or j < columns:
        if i < rows and j < columns and like[i][j] >= _ALIKE and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            pairs.append((before[i], after[j]))
            i, j = i + 1, j + 1
        elif i < rows and (j == columns or best[i][j] == best[i + 1][j]):
            pairs.append((before[i], None))
            i += 1
        else:
            pairs.append((None, after[j]))
            j += 1
    return pairs
