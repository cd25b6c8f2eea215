"""The differences between two lands: tiles, props, terrain model, height plates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from formats.field.height_plates import HeightPlates
from formats.field.land_data import LandSections
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION, TILES
from formats.fixed import ONE
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, differing
from mapexplorer.compare.fields import differences
from mapexplorer.compare.sides import Side, Sides, model_name
from mapexplorer.games import Role
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS

Heights = dict[tuple[int, int], tuple[float, ...]]
"""Tile (x, z) -> the heights of the plates over its centre, in units, ascending."""


def land_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two lands. Raises FormatError."""
    maps = sides.maps(Role.LAND_DATA, before, after)
    old, new = sides.before.world.land_sections(before), sides.after.world.land_sections(after)
    yield from _tiles(before, maps, old, new)
    yield from _heights(sides, before, maps, old, new)
    here, there = sides.before.world.placed_props(before), sides.after.world.placed_props(after)
    yield from _props(sides, before, maps, here, there)
    for field, first, second in (
        ("stray bytes", old.read_stray(), new.read_stray()),
        ("background sounds", old.sound.data, new.sound.data),
    ):
        if first != second:
            yield sides.changed(ChangedKind.LAND, (before,), field, None, None, headers=maps)
    if old.model.data != new.model.data:
        fields = differences(old.read_model(), new.read_model())
        yield from sides.field_changes(ChangedKind.LAND, (before,), fields, headers=maps)


def _tiles(land: int, maps: tuple[int, ...], before: LandSections, after: LandSections) -> Iterator[Change]:
    old, new = before.read_attributes(), after.read_attributes()
    for z, x in np.argwhere(old != new).tolist():
        first, second = int(old[z, x]), int(new[z, x])
        yield from differing(
            ChangedKind.TILE,
            (land, x, z),
            ("collision", bool(first & COLLISION), bool(second & COLLISION)),
            ("behaviour", first & BEHAVIOUR, second & BEHAVIOUR),
            ("other bits", first & ~(COLLISION | BEHAVIOUR), second & ~(COLLISION | BEHAVIOUR)),
            headers=maps,
        )


def _heights(
    sides: Sides, land: int, maps: tuple[int, ...], before: LandSections, after: LandSections
) -> Iterator[Change]:
    if before.bdhc.data == after.bdhc.data:
        return
    plates, others = before.read_bdhc(), after.read_bdhc()
    old, new = _tile_heights(plates), _tile_heights(others)
    by_tile = False
    for (x, z), heights in old.items():
        if heights != new[x, z]:
            by_tile = True
            yield sides.changed(ChangedKind.TILE, (land, x, z), "height", heights, new[x, z], headers=maps)
    if not by_tile:
        parts = differences(plates, others) if type(plates) is type(others) else ()
        yield from sides.field_changes(ChangedKind.LAND, (land,), parts, headers=maps)


def _tile_heights(plates: HeightPlates) -> Heights:
    middles = [(at * TILE_UNITS + TILE_UNITS // 2 - CELL_UNITS // 2) * ONE for at in range(TILES)]
    return {
        (x, z): tuple(sorted({height / ONE for _, height in plates.candidates(middles[x], middles[z])[1]}))
        for z in range(TILES)
        for x in range(TILES)
    }


def _props(sides: Sides, land: int, maps: tuple[int, ...], before: Any, after: Any) -> Iterator[Change]:
    """The differences between two lists of MAP_PROP records. Equal records belong together, then those with one model,
    the nearest first, then those with one position."""
    old, new = dict(enumerate(before)), dict(enumerate(after))
    for index, record in list(old.items()):
        equal = next((number for number, other in new.items() if other == record), None)
        if equal is not None:
            del old[index], new[equal]
    if not old and not new and before.tobytes() != after.tobytes():
        yield sides.changed(ChangedKind.LAND, (land,), "order of props", None, None, headers=maps)
    distances = sorted(
        (_distance(old[i], new[j]), i, j) for i in old for j in new if old[i]["model"] == new[j]["model"]
    )
    pairs = []
    for _, i, j in [*distances, *((0, i, j) for i in old for j in new if _distance(old[i], new[j]) == 0)]:
        if i in old and j in new:
            pairs.append((i, old.pop(i), new.pop(j)))
    for i, record, changed in sorted(pairs, key=lambda pair: pair[0]):
        yield from _prop(sides, (land, i), model_name(sides.before, int(record["model"])), maps, record, changed)
    for i, record in old.items():
        yield _alone(sides.before, ChangeAction.REMOVED, (land, i), maps, record)
    for j, record in new.items():
        yield _alone(sides.after, ChangeAction.ADDED, (land, j), maps, record)


def _alone(side: Side, action: ChangeAction, key: tuple[int, int], maps: tuple[int, ...], record: Any) -> Change:
    """A prop that only one of the ROMs has, with its position."""
    position, name = _units(record["position"]), model_name(side, int(record["model"]))
    before, after = (position, None) if action is ChangeAction.REMOVED else (None, position)
    return Change(ChangedKind.PROP, action, key, name, "", before, after, headers=maps)


def _prop(sides: Sides, key: tuple[int, int], name: str, maps: tuple[int, ...], old: Any, new: Any) -> Iterator[Change]:
    """The differences between two records of one prop."""
    models = int(old["model"]), int(new["model"])
    if models[0] != models[1]:
        names = name, model_name(sides.after, models[1])
        yield Change(ChangedKind.PROP, ChangeAction.REPLACED, key, name, "model", *models, *names, maps)
    changed = partial(differing, ChangedKind.PROP, key, name=name, headers=maps)
    yield from changed(("position", _units(old["position"]), _units(new["position"])), action=ChangeAction.MOVED)
    yield from changed(
        ("scale", _units(old["scale"]), _units(new["scale"])),
        *((field, tuple(old[field].tolist()), tuple(new[field].tolist())) for field in ("rotation", "unused")),
    )


def _units(values: Any) -> tuple[float, ...]:
    return tuple(value / ONE for value in values.tolist())


def _distance(old: Any, new: Any) -> int:
    return int(np.abs(old["position"].astype(np.int64) - new["position"]).sum())
