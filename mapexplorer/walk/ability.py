"""What the player owns or has learned."""

from __future__ import annotations

from enum import Enum
from typing import Final

from mapexplorer.world.save import Save


class Ability(Enum):
    """What the player owns or has learned."""

    SURF = "surf"
    WATERFALL = "waterfall"
    ROCK_CLIMB = "rock-climb"
    BICYCLE = "bicycle"
    STRENGTH = "strength"


ALL_ABILITIES: Final = frozenset(Ability)

_NEEDED: Final = {
    Ability.SURF: (422, 3),
    Ability.WATERFALL: (426, 7),
    Ability.ROCK_CLIMB: (427, 6),
    Ability.STRENGTH: (423, 5),
    Ability.BICYCLE: (450, None),
}
"""Ability -> the item, and the bit of the badge with which its move can be used."""


def saved_abilities(save: Save) -> frozenset[Ability]:
    """What the bag and the badges of a saved game allow; which Pokémon have learned a move is not known."""
    bag, badges = save.contents["bag"], int(save.contents["player"]["badges"])
    had = {*bag["key_items"]["item"].tolist(), *bag["tm_hm"]["item"].tolist()}
    return frozenset(
        ability for ability, (item, badge) in _NEEDED.items() if item in had and (badge is None or badges >> badge & 1)
    )
