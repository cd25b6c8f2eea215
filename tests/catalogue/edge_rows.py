"""Rows of the table `edge`, and what the walks of records and of scripts read: tables of the game, archives."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from formats.field.zone_event import ZoneEvents
from mapexplorer.games import Role
from mapexplorer.world import FieldWorld


class Row(NamedTuple):
    """An edge as the store has it; keys are texts."""

    user_kind: str
    user: str
    used_kind: str
    used: str
    how: str
    part: str | None = None
    part_key: str | None = None
    part_name: str | None = None


Thing = tuple[Any, ...]
"""A kind, and numbers."""

Rows = Iterator[Row]
Walk = Callable[[FieldWorld], Rows]


def key(*numbers: object) -> str:
    return "/".join(map(str, numbers))


def row(user: Thing, used: Thing, how: str, part: str = "", numbers: tuple[int, ...] = (), name: str = "") -> Row:
    """The row of a use."""
    of_part = (part, key(*numbers), name or None) if part else (None, None, None)
    return Row(user[0], key(*user[1:]), used[0], key(*used[1:]), how, *of_part)


@cache
def table(name: str) -> dict[str, Any]:
    """A table of the game."""
    found: dict[str, Any] = json.loads(
        resources.files("mapexplorer.data").joinpath("platinum", f"{name}.json").read_text("utf-8")
    )
    return found


def members(world: FieldWorld, role: Role) -> Iterator[tuple[int, bytes]]:
    """(number, bytes) of the members of an archive; none where the ROM has none."""
    archive = world.archive(role)
    for number in range(len(archive) if archive is not None else 0):
        assert archive is not None
        yield number, bytes(archive[number])


def events(world: FieldWorld) -> Iterator[tuple[int, ZoneEvents]]:
    """(header, events); a file that two headers share is given for both."""
    archive = world.archive(Role.ZONE_EVENT)
    for header in world.headers if archive is not None else ():
        assert archive is not None
        yield header.id, ZoneEvents.from_bytes(archive[header.events])


def band_of(number: int) -> list[Any] | None:
    """The last band of script numbers that begins at or below a number."""
    bands = [band for band in table("script_numbers")["bands"] if band[0] <= number]
    return max(bands, key=lambda band: band[0]) if bands else None


def script_of(world: FieldWorld, header: int, number: int) -> tuple[str, int, int] | None:
    """The entry of a script file that a script number means on a map."""
    if number in table("script_numbers")["none"]:
        return None
    band = band_of(number)
    return (
        ("scripts", world.headers[header].scripts, number - 1)
        if band is None
        else ("scripts", band[1], number - band[0])
    )


def floor_file() -> int:
    """The script file of the items on the floor, whose items the events say."""
    band = band_of(table("script_numbers")["item balls"][0])
    assert band is not None
    return int(band[1])
