"""The comparison of names that users type with those of a ROM."""

from __future__ import annotations

import unicodedata


def comparable_name(name: str) -> str:
    """A name for comparison: lower case, without accents, typographic apostrophes or surrounding spaces."""
    name = name.strip().replace("’", "'")
    if name.isascii():
        return name.lower()
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(character for character in folded if not unicodedata.combining(character))
