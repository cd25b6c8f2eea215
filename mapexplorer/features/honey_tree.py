"""Honey trees: a placed prop that shakes after honey was spread on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from mapexplorer.features.feature import Feature, PlacedProp, StateChoice, whole_number
from mapexplorer.games.gym_tables import Tile
from mapexplorer.games.tables import Tables

_WORDS = ("a little", "more", "strongly")


@dataclass(frozen=True)
class HoneyTree(Feature):
    """`shaking`: 0 without honey, else 1 + the number of the animation."""

    name: ClassVar[str] = "honey tree"
    in_walks: ClassVar[bool] = False

    shaking: int

    @classmethod
    def entered(cls, tables: Tables, header: int, entry: Tile | None) -> Self:
        return cls(tables, header, 0)

    @classmethod
    def in_state(cls, tables: Tables, header: int, state: Any) -> Self:
        return cls(tables, header, whole_number(cls.name, state, tables.features.honey_tree.animations + 1))

    @property
    def state(self) -> int:
        return self.shaking

    @classmethod
    def choices(cls, tables: Tables, header: int) -> tuple[StateChoice, ...]:
        shaking = (
            StateChoice(str(state), f"honey spread: shakes {word}", state) for state, word in enumerate(_WORDS, 1)
        )
        return (StateChoice("0", "no honey", 0), *shaking)

    def placed_props(self) -> tuple[PlacedProp, ...]:
        if not self.shaking:
            return ()
        return (PlacedProp(self.tables.features.honey_tree.model, animation=self.shaking - 1, repeats=True),)
