"""What the player owns or has learned."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Ability(Enum):
    """What the player owns or has learned."""

    SURF = "surf"
    WATERFALL = "waterfall"
    ROCK_CLIMB = "rock-climb"
    BICYCLE = "bicycle"
    STRENGTH = "strength"


ALL_ABILITIES: Final = frozenset(Ability)
