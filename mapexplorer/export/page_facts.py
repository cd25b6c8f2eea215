"""What the page of a map knows beside its GLB: tiles, height plates, behaviours, the names and words of people, skies.

Tiles are matrix-wide, heights and outlines in units from the matrix' corner, directions 0 north, 1 south, 2 west, 3
east. What nodes are is in their extras.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.terrain_attribute import BEHAVIOUR
from formats.fixed import ONE
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.export.options import ExportOptions
from mapexplorer.gameplay.conversation import Conversation
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.games import NameBank
from mapexplorer.games.tables import Tables
from mapexplorer.scene.conditions import Conditions, chosen_save, feature_of, shown_save
from mapexplorer.units import SECONDS_PER_HOUR
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.terrain.behaviour_meaning import behaviour_meaning

_WAYS: Final = ("ledge", "double_ledge", "blocks", "ramp", "push", "stairs", "spin")
"""Groups of behaviours for each direction."""
_KINDS: Final = ("surfable", "door", "waterfall", "step_warps", "panel", "escalator", "ice", "stop_sliding")
"""Other groups of behaviours that decide about a step."""


def page_facts(place: FieldPlace, options: ExportOptions, cells: Sequence[Cell]) -> dict[str, Any]:
    """The facts about some cells of a place."""
    save = chosen_save(place, options, shown_save(place, options))
    place = place.of_save(save)
    feature = feature_of(place, options, save)
    conditions = Conditions(place, options.second, save=save, feature=feature)
    terrain, tables = place.terrain, place.world.game.tables
    words = [terrain.attributes(cell) for cell in cells]
    behaviours = np.unique(np.stack(words) & BEHAVIOUR).tolist()
    headers = list(dict.fromkeys(cell.header for cell in cells if not cell.filler))
    return {
        "title": place.header.title,
        "header": place.header.id,
        "tile": list(conditions.tile),
        "height": conditions.position[1] / ONE,
        "step": terrain.height_limit / ONE,
        "cells": [[cell.x, cell.z] for cell in cells],
        "tiles": _packed(np.concatenate(words).astype("<u2")),
        "plates": [_packed(_plates(place, cell)) for cell in cells],
        "behaviours": {number: _behaviour(tables, number) for number in behaviours if number},
        "events": {key: facts for header in headers for key, facts in _events(place, header, save)},
        "skies": _skies(conditions),
    }


def _packed(array: npt.NDArray[Any]) -> str:
    return b64encode(array.tobytes()).decode()


def _plates(place: FieldPlace, cell: Cell) -> npt.NDArray[np.float32]:
    """(n, 12): x, height and z of the four corners of each plate, in the order of `HeightPlates.outlines`."""
    plates = place.terrain.bdhc(cell)
    x, _, z = cell.centre
    west, north = (plates.outlines[..., 0] + x) / ONE, (plates.outlines[..., 1] + z) / ONE
    return np.stack([west, plates.corner_heights, north], -1).astype("<f4")


def _behaviour(tables: Tables, number: int) -> dict[str, Any]:
    """The name and the meaning of a behaviour, the directions of its groups, and its other groups."""
    groups, meaning = tables.behaviour_groups, behaviour_meaning(tables, number)
    ways = {way: [to for to, group in enumerate(getattr(groups, way)) if number in group] for way in _WAYS}
    return {
        "name": tables.behaviour_name(number),
        "words": "" if meaning is None else meaning.words,
        "kinds": [kind for kind in _KINDS if number in getattr(groups, kind)],
        **{way: directions for way, directions in ways.items() if directions},
    }


def _events(place: FieldPlace, header: int, save: Save) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names of objects and signs, and what a player reads who talks to them, by the kind, the header and the index
    in the extras of their nodes."""
    world, items, events = place.world, Items(place.world), readable_events(place.world, header)
    if events is None:
        return
    for kind, records in (("objects", events.objects), ("signs", events.background)):
        for index, record in enumerate(records):
            script = int(record["script"])
            facts: dict[str, Any] = {}
            title = object_name(world, record) if kind == "objects" else ""
            with suppress(FormatError, RomError, PlaceError):  # a script that is not there
                item = items.of_script(script)
                title = title if item is None else name(world, NameBank.ITEMS, item[0])
                facts["says"] = [] if item is not None else Conversation(world, header, script, save).pages
            facts["name"] = title
            yield f"{kind} {header} {index}", {key: value for key, value in facts.items() if value}


def _skies(conditions: Conditions) -> list[list[list[int]]]:
    """The colours of the sky, above and at the horizon, at each full hour; none where no sky is seen."""
    moments = [
        Conditions(conditions.place, hour * SECONDS_PER_HOUR, save=conditions.save, feature=conditions.feature)
        for hour in range(24)
    ]
    skies = [moment.sky_colors for moment in moments]
    return [np.rint(sky).astype(int).tolist() for sky in skies if sky is not None]
