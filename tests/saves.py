"""Saves that tests make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from formats.save import SaveImage
from formats.save.sections import (
    FIRST_VARIABLE,
    IN_USE,
    MAP_OBJECT,
    PARTY_SIZE,
    PLAYER_ID,
    POKEDEX_MAGIC,
    SMALL_BLOCK,
)


def small_block(
    flags: Iterable[int] = (),
    variables: Mapping[int, int] | None = None,
    at: tuple[int, int, int] | None = None,
    objects: Iterable[tuple[int, int, int]] = (),
    **player: int,
) -> Any:
    """A block of player and world: flags and variables, header and tile of the player, local id and tile of other map
    objects there, values of the player's section."""
    small = np.zeros(1, SMALL_BLOCK)[0]
    small["pokedex"]["magic"], small["party"]["capacity"] = POKEDEX_MAGIC, PARTY_SIZE
    for flag in flags:
        small["events"]["flags"][flag >> 3] |= 1 << (flag & 7)
    for number, value in (variables or {}).items():
        small["events"]["variables"][number - FIRST_VARIABLE] = value
    for name, value in player.items():
        small["player"][name] = value
    if at is not None:
        header, *tile = at
        small["field"]["player"] = (header, -1, *tile, 2)
        for slot, (number, x, z) in enumerate([(PLAYER_ID, *tile), *objects]):
            person = np.zeros((), MAP_OBJECT)
            person["status"], person["local_id"], person["map"], person["now"] = IN_USE, number, header, (x, 0, z)
            small["map_objects"][slot] = person
    return small


def write_save(folder: Path, *arguments: Any, **more: Any) -> str:
    """The path of a file with such a save."""
    path = folder / "my.sav"
    path.write_bytes(SaveImage.of(small_block(*arguments, **more)).to_bytes())
    return str(path)
