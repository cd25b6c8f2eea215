"""The names that the decompilation of a game gives to numbers: `SPECIES_PIKACHU`, `FLAG_HAS_POKEDEX`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Constants:
    """The constants of a game by kind (`species`, `messages`, `object graphics` ..., also `ability` and others whose
    numbers are no things) and number."""

    def __init__(self, table: Mapping[str, Any], headers: Sequence[str]) -> None:
        """Of `constants.json`, and of the symbolic names of map headers."""
        self._names = {
            kind: {
                first + index: f"{prefix}{name}"
                for prefix, first, lines in runs
                for index, name in enumerate(" ".join(lines).split())
            }
            for kind, runs in table["kinds"].items()
        }
        self._also_called: Mapping[str, str] = table.get("also called", {})
        self._names["header"] = {number: f"MAP_HEADER_{name}" for number, name in enumerate(headers)}
        usual = {name: (kind, number) for kind, names in self._names.items() for number, name in names.items()}
        self._numbers = {
            name.upper(): (kind, number) for name, (kind, number) in {**table["other names"], **usual}.items()
        }

    def __len__(self) -> int:
        return len(self._numbers)

    def of_kind(self, kind: str) -> Mapping[int, str]:
        """Number -> its usual constant."""
        return self._names.get(kind, {})

    def name(self, kind: str, number: int) -> str:
        """The usual constant of a number; empty without one."""
        return self.of_kind(kind).get(number, "")

    def also_called(self, name: str) -> str:
        """What people call a thing, by its constant and the words of that: `pokemart poke_mart`; `_` joins the words
        that are all of a name, as in constants."""
        return " ".join(filter(None, map(self._also_called.get, (name, *name.split("_")))))

    def number(self, name: str) -> tuple[str, int] | None:
        """The kind and the number of a constant; None for another text. Case does not matter."""
        return self._numbers.get(name.strip().upper())
