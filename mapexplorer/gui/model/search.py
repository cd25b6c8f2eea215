"""Filters of lists: every word must occur. The search over all names is `catalogue.search`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from mapexplorer.naming import comparable_name

T = TypeVar("T")

MOST_OF_A_KIND: Final = 12
"""The things of each kind that a search for all kinds shows, in the palette, on the start page and in the panel."""


def matches(words: Sequence[str], text: str) -> bool:
    """Whether every word occurs in `text`; both are comparable already."""
    return all(word in text for word in words)


def filtered(text: str, items: Iterable[T], text_of: Callable[[T], str]) -> list[T]:
    """The items in whose text all words of `text` occur."""
    words = comparable_name(text).split()
    return [item for item in items if matches(words, comparable_name(text_of(item)))]
