"""The comparison of names that users type with those of a ROM."""

from __future__ import annotations

import unicodedata


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
