"""The comparison of names that users type with those of a ROM."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")


class _Folded(dict[int, int | str | None]):
    """Character -> itself, None for a combining one, for `str.translate`."""

    def __missing__(self, character: int) -> int | None:
        kept = None if unicodedata.combining(chr(character)) else character
        self[character] = kept
        return kept


_FOLDED = _Folded({ord("₧"): "pk", ord("₦"): "mn"})
"""With the two characters of the ligature PKMN (see `gameplay.names.unpacked`)."""


def comparable_name(name: str) -> str:
    """A name for comparison: lower case, without accents, typographic apostrophes or surrounding spaces."""
    name = name.strip()
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKD", name.replace("’", "'")).casefold().translate(_FOLDED)


@lru_cache(8192)
def words(name: str) -> tuple[str, ...]:
    """The words of a name for comparison; everything but letters and digits separates words."""
    return tuple(_WORD.findall(comparable_name(name)))


def joined(name: str) -> str:
    """The words of a name as one: names that differ only in case, accents, spaces and punctuation are equal so."""
    return "".join(words(name))


def has_words(wanted: Iterable[str], name: str) -> bool:
    """Whether a name contains words, which may stand together in it."""
    return all(word in joined(name) for word in wanted)


EQUAL: Final = 0
WORDS: Final = 2
NO_MATCH: Final = 3
"""The ranks of `matching`, beside 1."""


def matching(text: str, names: Iterable[str]) -> tuple[int, list[str]]:
    """What a text means, the rule for all names: how well names match it, and those that match it so; the first of
    these for which there are names:

    EQUAL; 1 beginning with it, up to the end of a word; WORDS, having all its words as whole words, in any order; else
    NO_MATCH. Case, accents, spaces and punctuation do not matter. Numbers alone are no part of a name.
    """
    wanted, whole = frozenset(words(text)), joined(text)
    having = [name for name in names if wanted.issubset(words(name)) or joined(name).startswith(whole)] if whole else []
    parts = [] if whole.isdecimal() else having
    tiers = (
        [name for name in having if joined(name) == whole],
        [name for name in parts if whole in accumulate(words(name))],
        [name for name in parts if wanted.issubset(words(name))],
    )
    return next(((rank, tier) for rank, tier in enumerate(tiers) if tier), (NO_MATCH, []))


def suggestions(text: str, names: Iterable[str], most: int = 5, least: float = 0.6) -> list[str]:
    """The names that may be meant by a text that means none: those that contain its words, the shortest first, then
    those that share `least` of its characters, the nearest first; none for numbers and single letters."""
    from difflib import get_close_matches  # takes long to import, and few texts need it

    whole = joined(text)
    if whole.isdecimal() or len(words(text)) == len(whole):  # also of no word
        return []
    same: dict[str, list[str]] = {}
    for name in names:
        same.setdefault(joined(name), []).append(name)
    containing = sorted((plain for plain in same if all(word in plain for word in words(text))), key=len)
    near = get_close_matches(whole, same, most, least) if len(containing) < most else []
    return [name for plain in dict.fromkeys([*containing, *near]) for name in same[plain]][:most]


_LONGEST_NAME, _MOST_NAMES = 64, 4000
"""Letters of names, and names, that `nearest` compares."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is unknown: the nearest known one, if one is near. Of many names, those
    that begin alike."""
    from difflib import get_close_matches

    if len(name) >= _LONGEST_NAME:
        return ""
    short = [other for other in known if len(other) < _LONGEST_NAME]
    if len(short) > _MOST_NAMES:
        short = [other for other in short if other[:3] == name[:3]][:_MOST_NAMES]
    near = get_close_matches(name, short, 1, 0.7)
    return f"; did you mean {near[0]}?" if near and near[0] != name else ""


def is_short_for(short: str, word: str) -> bool:
    """Whether a text is a short form of a word: its beginning, or its first and last consonant, as `prof` of
    `professor`, `mt` of `mount`, `rt` of `route`."""
    if len(short) == 2:
        return len(word) > 3 and short[0] == word[0] and word.rstrip("aeiou").endswith(short[1])
    return 3 < len(short) < len(word) and word.startswith(short)


def singular(word: str) -> str:
    """The singular of a word that looks like a plural: `berry` of `berries`; empty for another word."""
    if len(word) < 4 or word.endswith(("ss", "us")) or not word.endswith("s"):
        return ""
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]


def slips(typed: str, word: str, most: int) -> list[int]:
    """The slips of the finger between a text and each beginning of a word, the empty one first: letters that are added,
    left out, replaced, or typed before their neighbours. Where all would be more than `most`, any numbers above it."""
    before, row = list[int](), list(range(len(word) + 1))
    for at, letter in enumerate(typed, 1):
        last, before, row = before, row, [at]
        for end, other in enumerate(word, 1):
            fewest = min(before[end - 1] + (letter != other), before[end] + 1, row[end - 1] + 1)
            if at > 1 and end > 1 and letter == word[end - 2] and typed[at - 2] == other:
                fewest = min(fewest, last[end - 2] + 1)
            row.append(fewest)
        if min(row) > most <= min(before):
            break
    return row
