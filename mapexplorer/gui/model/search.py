"""Filtering and fuzzy search. In the map list every word must occur; only the palette uses fuzzy search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from mapexplorer.naming import comparable_name

T = TypeVar("T")


def matches(words: Sequence[str], text: str) -> bool:
    """Whether every word occurs in `text`; both are comparable already."""
    return all(word in text for word in words)


def filtered(text: str, items: Iterable[T], text_of: Callable[[T], str]) -> list[T]:
    """The items in whose text all words of `text` occur."""
    words = comparable_name(text).split()
    return [item for item in items if matches(words, comparable_name(text_of(item)))]


def score(pattern: str, text: str) -> float | None:
    """The score of the letters of `pattern` in `text`, in order (both comparable); None without a match.

    Whole words count most, then beginnings of words, then runs of letters, then short texts.
    """
    if not pattern:
        return 0.0
    if pattern in text:
        return max(_found_at(at, pattern, text) for at in _occurrences(pattern, text)) - 0.1 * len(text)
    points, at, run = 0.0, 0, 0
    for letter in pattern:
        if letter == " ":
            run = 0
            continue
        place = text.find(letter, at)
        if place < 0:
            return None
        run = run + 1 if place == at else 1
        starts_word = place == 0 or not text[place - 1].isalnum()
        points += 2.0 * run + 6.0 * starts_word
        at = place + 1
    return points - 0.1 * len(text)


def _occurrences(pattern: str, text: str) -> Iterable[int]:
    at = text.find(pattern)
    while at >= 0:
        yield at
        at = text.find(pattern, at + 1)


def _found_at(at: int, pattern: str, text: str) -> float:
    end = at + len(pattern)
    starts_word = at == 0 or not text[at - 1].isalnum()
    ends_word = end == len(text) or not text[end].isalnum()
    whole = starts_word and ends_word
    return 100.0 + 50.0 * starts_word + 60.0 * whole + 30.0 * (at == 0) + 20.0 * (text == pattern)


def best(pattern: str, items: Iterable[tuple[str, T]], limit: int) -> list[T]:
    """The items whose text fits best, the best first; ties keep their order."""
    wanted = comparable_name(pattern)
    scored = [(score(wanted, comparable_name(text)), number, item) for number, (text, item) in enumerate(items)]
    matching = [(-points, number, item) for points, number, item in scored if points is not None]
    if wanted and any(points <= -100 for points, _, _ in matching):
        matching = [entry for entry in matching if entry[0] < -40]  # without scattered letters
    return [item for _, _, item in sorted(matching, key=lambda entry: entry[:2])[:limit]]
