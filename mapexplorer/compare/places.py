"""The differences between headers, matrices, and what areas load."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Final

import numpy as np

from formats.field.area import AreaBuild
from formats.field.area_light import AreaLight
from formats.field.map_matrix import MapMatrix
from formats.field.mapname import MapNames
from mapexplorer.compare.alignment import aligned
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, differing
from mapexplorer.compare.fields import differences
from mapexplorer.compare.sides import Sides, by_fields, model_name
from mapexplorer.games import Role
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.header_names import header_field_name

_NOT_STORED: Final = (
    "record",
    "id",
    "internal_name",
    "symbolic_name",
    "location_name",
    "kind",
    "outdoors",
    "town",
    "room",
    "same_name",
)
"""Fields of `Header` that are names or follow from others."""


def header_changes(sides: Sides) -> Iterator[Change]:
    """What differs between the map headers, with their internal names."""
    old, new = sides.before.world.headers, sides.after.world.headers
    for i, j in sides.header_pairs():
        if i is None or j is None:
            header, action = (new[j], ChangeAction.ADDED) if j is not None else (old[i or 0], ChangeAction.REMOVED)
            yield Change(ChangedKind.HEADER, action, (header.id,), header.title, headers=(header.id,))
            continue
        before, after = old[i], new[j]
        for field in dataclasses.fields(Header):
            was, now = getattr(before, field.name), getattr(after, field.name)
            if field.name in _NOT_STORED or was is None or now is None or was == now:
                continue
            names = (
                header_field_name(sides.before.world, field.name, was),
                header_field_name(sides.after.world, field.name, now),
            )
            yield Change(
                ChangedKind.HEADER, ChangeAction.CHANGED, (i,), after.title, field.name, was, now, *names, (j,)
            )
    yield from _internal_names(sides)


def _internal_names(sides: Sides) -> Iterator[Change]:
    if not sides.same_game:
        return
    path = sides.before.world.path(Role.MAP_NAMES)
    names = (MapNames.from_bytes(side.world.rom.file(path)).names for side in (sides.before, sides.after))
    for was, now, header in zip(*names, sides.after.world.headers, strict=False):
        number = (header.id,)
        yield from differing(ChangedKind.HEADER, number, ("internal_name", was, now), name=header.title, headers=number)


def matrix_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two matrices, cell by cell where they have one size. Raises FormatError."""
    old, new = sides.before.world.matrix(before), sides.after.world.matrix(after)
    maps = sides.maps(Role.MAP_MATRIX, before, after)
    whole = partial(differing, ChangedKind.MATRIX, (before,), headers=maps)
    sizes = (old.width, old.height), (new.width, new.height)
    yield from whole(("prefix", old.prefix, new.prefix), ("size", *sizes))
    for field, meaning in (("land", ""), ("headers", "header"), ("altitudes", "")):
        was, now = getattr(old, field), getattr(new, field)
        yield from whole((field, was is not None, now is not None))
        if was is None or now is None:
            continue
        width, height = min(old.width, new.width), min(old.height, new.height)
        for z, x in np.argwhere(was[:height, :width] != now[:height, :width]).tolist():
            yield sides.changed(
                ChangedKind.MATRIX,
                (before, x, z),
                _CELL_FIELDS[field],
                int(was[z, x]),
                int(now[z, x]),
                meaning=meaning,
                headers=_cell_maps(sides, old, new, x, z) or maps,
            )


_CELL_FIELDS: Final = {"land": "land", "headers": "header", "altitudes": "altitude"}


def _cell_maps(sides: Sides, before: MapMatrix, after: MapMatrix, x: int, z: int) -> tuple[int, ...]:
    """The headers of a cell that has its own, in both ROMs."""
    here = sides.mapped([int(before.headers[z, x])]) if before.headers is not None else set()
    there = {int(after.headers[z, x])} if after.headers is not None else set()
    return tuple(sorted(header for header in here | there if header < len(sides.after.world.headers)))


def prop_set_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """The models that one of two prop lists has alone. Raises FormatError."""
    old, new = (value.models.tolist() for value in sides.members(Role.AREA_BUILD, before, after, AreaBuild.from_bytes))
    maps = sides.maps(Role.AREA_BUILD, before, after)
    for i, j in aligned(old, new):
        index = i if i is not None else j or 0
        was, now = None if i is None else old[i], None if j is None else new[j]
        if was == now:
            continue
        names = (
            "" if was is None else model_name(sides.before, was),
            "" if now is None else model_name(sides.after, now),
        )
        action = ChangeAction.REPLACED if was is not None and now is not None else ChangeAction.of(was, now)
        yield Change(ChangedKind.PROP_SET, action, (before, index), "", "model", was, now, *names, maps)


area_changes = by_fields(ChangedKind.AREA, lambda side, number: side.world.area(number), role=Role.AREA_DATA)
"""What differs between two areas. Raises FormatError."""

light_changes = by_fields(
    ChangedKind.LIGHT,
    lambda side, number: side.world.member(Role.AREA_LIGHT, number, AreaLight.from_bytes),
    role=Role.AREA_LIGHT,
)
"""What differs between two light sets. Raises FormatError."""


def camera_changes(sides: Sides) -> Iterator[Change]:
    """What differs between the camera types."""
    old, new = sides.before.world.camera_table.value, sides.after.world.camera_table.value
    for was, now in zip(old, new, strict=False):
        users = [header.id for header in sides.after.world.headers if header.camera_type == now.id]
        yield from sides.field_changes(
            ChangedKind.CAMERA, (was.id,), differences(was, now), name=was.name, headers=tuple(users)
        )


def graphics_changes(sides: Sides) -> Iterator[Change]:
    """The object graphics whose pictures are others."""
    old, new = sides.before.world.object_graphics.value, sides.after.world.object_graphics.value
    for graphics in dict.fromkeys(chain(old, new)):
        member = "member", old.get(graphics), new.get(graphics)
        yield from differing(ChangedKind.PROGRAM, ("object graphics", graphics), member)
