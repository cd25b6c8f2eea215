"""Honey trees: a placed prop that shakes after honey was spread on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from mapexplorer.features.feature import NumberedFeature
from mapexplorer.features.values import FeatureTable, PlacedProp, StateChoice

_WORDS = ("a little", "more", "strongly")


@dataclass(frozen=True)
class HoneyTreeTable(FeatureTable):
    """The model of the prop."""

    model: int


@dataclass(frozen=True)
class HoneyTree(NumberedFeature):
    """`number`: 0 without honey, else 1 + the number of the animation."""

    name: ClassVar[str] = "honey tree"
    in_walks: ClassVar[bool] = False
    missing: ClassVar[tuple[str, ...]] = ("spreading honey: only the shaking that follows can be chosen",)

    table: HoneyTreeTable = field(compare=False, repr=False)

    @classmethod
    def choices(cls, table: HoneyTreeTable, header: int) -> tuple[StateChoice, ...]:
        shaking = (
            StateChoice(str(state), f"honey spread: shakes {word}", state) for state, word in enumerate(_WORDS, 1)
        )
        return (StateChoice("0", "no honey", 0), *shaking)

    def placed_props(self) -> tuple[PlacedProp, ...]:
        if not self.number:
            return ()
        return (PlacedProp(self.table.model, animation=self.number - 1, repeats=True),)
