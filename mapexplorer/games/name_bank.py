"""The message banks that hold names, by release."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class NameBank(StrEnum):
    """The names in a message bank; entry n is the name of number n."""

    SPECIES = "species"
    SPECIES_WITH_ARTICLE = "species with article"
    ITEMS = "items"
    ITEMS_WITH_ARTICLE = "items with article"
    ITEMS_PLURAL = "items plural"
    ITEM_DESCRIPTIONS = "item descriptions"
    MOVES = "moves"
    ABILITIES = "abilities"
    NATURES = "natures"
    TYPES = "types"
    TRAINERS = "trainers"
    TRAINER_CLASSES = "trainer classes"
    TRAINER_MESSAGES = "trainer messages"
    PLACES = "places"
    MENU_ENTRIES = "menu entries"
    POKETCH_APPS = "Pokétch apps"
    ACCESSORIES = "accessories"
    BACKDROPS = "backdrops"
    UNDERGROUND_GOODS = "underground goods"
    UNDERGROUND_TRAPS = "underground traps"
    UNDERGROUND_ITEMS = "underground items"
    SPECIAL_PLACES = "egg givers and special places"
    TRADES = "in-game trades"


NAMES_OF: Final = {
    "species": NameBank.SPECIES,
    "item": NameBank.ITEMS,
    "move": NameBank.MOVES,
    "ability": NameBank.ABILITIES,
    "trainer": NameBank.TRAINERS,
    "trainer class": NameBank.TRAINER_CLASSES,
    "nature": NameBank.NATURES,
    "accessory": NameBank.ACCESSORIES,
    "backdrop": NameBank.BACKDROPS,
    "poketch app": NameBank.POKETCH_APPS,
    "ug goods": NameBank.UNDERGROUND_GOODS,
    "ug trap": NameBank.UNDERGROUND_TRAPS,
    "ug item": NameBank.UNDERGROUND_ITEMS,
    "trade": NameBank.TRADES,
}
"""What a number means (as an argument of a script command, or as a constant) -> the bank with its names."""

MEANINGS: Final = {bank: meaning for meaning, bank in NAMES_OF.items()}

OTHER_BANKS: Final = ("J", "K")
"""The fourth letters of the game codes of releases whose banks have other numbers."""


@dataclass(frozen=True)
class BankNumbers:
    """The number of a bank in the American and European releases, the Japanese and the Korean one; None: unknown."""

    western: int
    japanese: int | None = None
    korean: int | None = None

    def of(self, letter: str) -> int | None:
        """The number in the releases of a language by the letter in their game codes; the western one for others."""
        return {"J": self.japanese, "K": self.korean}.get(letter, self.western)
