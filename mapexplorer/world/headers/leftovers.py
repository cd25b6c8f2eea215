"""Map headers that the game does not use or that are unfinished, detected by rules on their data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from formats.binary import FormatError
from mapexplorer.errors import RomError

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles

_WHITE_SHARE: Final = 1 / 4
"""The limit of the share of terrain materials without texture: used places have at most a seventh, unfinished ones a
third."""


class LeftoverRule(Enum):
    """The reason why a map header is unused or unfinished. The names in parentheses are the fields of `Leftover` with
    its facts."""

    NO_CELL = auto()
    """No cell of its matrix names it (`matrix`)."""
    WHITE_TERRAIN = auto()
    """The area's texture set lacks a quarter or more of the textures of its terrain, which is then white (`materials`,
    `of`)."""
    PLAIN_TERRAIN = auto()
    """In some cells no material of the terrain model has a texture: it has plain colours only (`cells`)."""


@dataclass(frozen=True)
class Leftover:
    """A rule that applies to a header, with its facts: its `matrix`; the number of `materials` out of `of`; `cells` (x,
    z)."""

    rule: LeftoverRule
    matrix: int | None = None
    materials: int | None = None
    of: int | None = None
    cells: tuple[tuple[int, int], ...] = ()


def leftover_rules(world: WorldFiles, header: int) -> tuple[Leftover, ...]:
    """The rules that apply to a header; empty for a used one. No rule applies to damaged files."""
    from mapexplorer.world.place import FieldPlace

    place = FieldPlace(world, world.headers[header])
    try:
        if not place.cells:
            return (Leftover(LeftoverRule.NO_CELL, matrix=place.matrix_id.value),)
    except (FormatError, RomError):
        return ()
    white, total, plain = 0, 0, []
    for cell in place.cells:
        try:
            taken = world.terrain_texture_names(cell.land)
            held = world.terrain_set_names(place.terrain_set(cell).value)
        except (FormatError, RomError):
            continue
        white += sum(name is not None and name not in held for name in taken)
        total += len(taken)
        if taken and not any(taken):
            plain.append((cell.x, cell.z))
    is_white = white and white >= _WHITE_SHARE * total
    return (
        *([Leftover(LeftoverRule.WHITE_TERRAIN, materials=white, of=total)] if is_white else []),
        *([Leftover(LeftoverRule.PLAIN_TERRAIN, cells=tuple(plain))] if plain else []),
    )
