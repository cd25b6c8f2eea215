"""The comparison of names that users type with those of a ROM."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_DIGITS: Final = re.compile(r"\d+")

_NEAR: Final = 0.8
"""The share of equal characters from which a name is taken for a misspelling of another."""

_HINT: Final = 0.6
"""That from which a name is suggested."""


class _Folded(dict[int, int | None]):
    """Character -> itself, None for a combining one, for `str.translate`."""

    def __missing__(self, character: int) -> int | None:
        kept = None if unicodedata.combining(chr(character)) else character
        self[character] = kept
        return kept


_FOLDED = _Folded()


def comparable_name(name: str) -> str:
    """A name for comparison: lower case, without accents, typographic apostrophes or surrounding spaces."""
    name = name.strip()
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKD", name.replace("’", "'")).casefold().translate(_FOLDED)


def words(name: str) -> list[str]:
    """The words of a name for comparison; everything but letters and digits separates words."""
    return "".join(one if one.isalnum() else " " for one in comparable_name(name)).split()


def has_words(wanted: Iterable[str], name: str) -> bool:
    """Whether a name contains words, which may stand together in it."""
    joined = "".join(words(name))
    return all(word in joined for word in wanted)


MISSPELLED: Final = 4
NO_MATCH: Final = 5
"""The rank of a misspelled name, and of none (see `matching`)."""


def matching(text: str, names: Iterable[str]) -> tuple[int, list[str]]:
    """How well names match a text, and the names that match it so; the first of these for which there are names:

    0 equal, 1 beginning with it, 2 containing all its words and its numbers as whole words (`1F` but not `B1F`),
    3 containing all its words, MISSPELLED by it, NO_MATCH. Case, accents, spaces and punctuation do not matter.
    Numbers are never misspelled, and a name that is there with further words is not meant.
    """
    wanted = words(text)
    joined = "".join(wanted)
    if not joined:
        return NO_MATCH, []
    folded = {name: "".join(words(name)) for name in names}
    containing = [name for name, one in folded.items() if all(word in one for word in wanted)]
    numbered = {word for word in wanted if word[0].isdecimal()}
    tiers = (
        [name for name in containing if folded[name] == joined],
        [name for name in containing if folded[name].startswith(joined)],
        [name for name in containing if numbered.issubset(words(name))],
        containing,
    )
    for rank, tier in enumerate(tiers):
        if tier:
            return rank, tier
    numbers = _DIGITS.findall(joined)
    near = [
        name
        for name in _close(joined, folded, _NEAR, len(folded))
        if _DIGITS.findall(folded[name]) == numbers and not set(words(name)).issubset(wanted)
    ]
    return (MISSPELLED, near) if near else (NO_MATCH, [])


def suggestions(text: str, names: Iterable[str], most: int = 5) -> list[str]:
    """The names that are nearest to a text, the nearest first."""
    return _close("".join(words(text)), {name: "".join(words(name)) for name in names}, _HINT, most)


def _close(joined: str, folded: dict[str, str], least: float, most: int) -> list[str]:
    from difflib import get_close_matches  # takes long to import, and few texts need it

    same: dict[str, list[str]] = {}
    for name, one in folded.items():
        same.setdefault(one, []).append(name)
    near = get_close_matches(joined, same, max(1, min(most, len(same))), least) if joined else []
    return [name for one in near for name in same[one]][:most]
