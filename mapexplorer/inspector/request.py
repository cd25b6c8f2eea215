"""Exports of the inspector's facts, as requests like those of `mapexplorer.export.request`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mapexplorer.export.files import write_atomically
from mapexplorer.export.request import Request
from mapexplorer.export.run import WRITERS
from mapexplorer.inspector import FORMAT
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world.world import FieldWorld


@dataclass(frozen=True, kw_only=True)
class HeightsRequest(Request):
    """The height plates of a place as JSON."""

    kind = "heights"
    title = "Height plates of this map"
    hint = "Plates, strips, overlaps and holes as JSON."
    suffixes = (".json",)

    place: int | str


@dataclass(frozen=True, kw_only=True)
class FactsRequest(Request):
    """The facts about the header, the area, the events and the cells of a place, as JSON."""

    kind = "tables"
    title = "Facts about this map"
    hint = "The inspector's facts about header, cells and events, as JSON."
    suffixes = (".json",)

    place: int | str


WRITERS[HeightsRequest] = f"{__name__}:write_heights"
WRITERS[FactsRequest] = f"{__name__}:write_facts"


def write_heights(request: HeightsRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `HeightsRequest`."""
    from mapexplorer.inspector.places.heights import plates_json

    place = world.place(request.place)
    cells = []
    for number, cell in enumerate(place.cells):
        progress.report(number, len(place.cells), str(cell))
        cells.append(plates_json(place, cell))
    return _write_json(request, {"header": place.header.id, "cells": cells}, count(len(cells), "cell"))


def write_facts(request: FactsRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `FactsRequest`."""
    from mapexplorer.inspector.describe import describe
    from mapexplorer.inspector.output import description_json
    from mapexplorer.world.subject import subject

    place = world.place(request.place)
    header = place.header
    wanted = [subject("header", header.id), subject("area", place.area_id.value), subject("events", header.events)]
    wanted += [subject("cell", cell.matrix, cell.x, cell.z) for cell in place.cells]
    facts = []
    for number, chosen in enumerate(wanted):
        progress.report(number, len(wanted), str(chosen))
        facts.append(description_json(describe(world, header.id, chosen)))
    return _write_json(request, {"facts": facts}, f"{len(facts)} things described")


def _write_json(request: Request, value: dict[str, Any], sentence: str) -> Outcome:
    text = json.dumps({"format": FORMAT, **value}, indent=1, ensure_ascii=False) + "\n"
    return Outcome(sentence, [write_atomically(request.output, text.encode())])
