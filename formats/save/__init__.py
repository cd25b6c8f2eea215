"""Saves of Pokémon Platinum: `SaveImage` reads and writes files (`image`), `sections` says which bytes of the block of
player and world are which fields."""

from __future__ import annotations

from formats.save.image import SaveImage

__all__ = ["SaveImage"]
