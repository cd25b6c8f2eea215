"""Where and from which side the events of a map react to the player."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction


class BackgroundKind(IntEnum):
    """The type of a background event; each other number is like TALK."""

    TALK = 0
    SIGN = 1
    HIDDEN_ITEM = 2


_FACINGS: Final = ((NORTH,), (EAST,), (WEST,), (SOUTH,), tuple(Direction), (WEST, EAST), (NORTH, SOUTH))
"""A background event's number of allowed facings -> the facings."""


def background_facings(event: Any) -> tuple[Direction, ...]:
    """The directions in which the player may face a background event (a record of `formats.field.zone_event`) for it to
    react: a sign is read facing north; a number without a meaning stands for all."""
    if int(event["type"]) == BackgroundKind.SIGN:
        return (NORTH,)
    allowed = int(event["facing"])
    return _FACINGS[allowed] if allowed < len(_FACINGS) else tuple(Direction)


def in_trigger(left: int, top: int, width: int, length: int, x: int, z: int) -> bool:
    """Whether a tile is in the rectangle of a coordinate trigger."""
    return left <= x < left + width and top <= z < top + length
