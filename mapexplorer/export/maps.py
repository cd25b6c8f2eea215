"""Maps as GLB, one file or one for every map."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import Any

from mapexplorer.errors import PlaceError
from mapexplorer.export.batch import export_all
from mapexplorer.export.files import write_atomically, write_changed
from mapexplorer.export.gltf.field import field_document
from mapexplorer.export.images import write_contact_sheets
from mapexplorer.export.journal import Entry
from mapexplorer.export.options import AUTO, EVERYTHING, PageOptions
from mapexplorer.export.page import folder_files, page, script
from mapexplorer.export.page_facts import page_facts
from mapexplorer.export.request import AllMapsRequest, AllPicturesRequest, MapRequest, MatrixRequest
from mapexplorer.export.scene_files import options_for, write_scene
from mapexplorer.features import unknown_parts
from mapexplorer.option import OptionError
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world import wording
from mapexplorer.world.cells import Cell
from mapexplorer.world.headers.header import find_header, header_json
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.world import FieldWorld


class NoLandError(PlaceError):
    """A place without the cells that a request names; `reason` is what it has none of."""

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason


def no_land(place: FieldPlace, what: str = "no cells of its own; --whole-matrix takes the others") -> NoLandError:
    """That a place has not the cells that are wanted."""
    return NoLandError(f"{place.header.title} has {what}.", f"{what}.")


def write_map(request: MapRequest | MatrixRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Write a place as a GLB, or what the ending of the file says. Raises NoLandError, and as every request does."""
    place = world.place(request.place, request.matrix, request.area)
    if isinstance(request, MapRequest) and request.cell is not None:
        place = owner_of_cell(world, place, request.cell)
        cells = [place.matrix_cells[request.cell]]
    else:
        cells = cells_of(place, whole_matrix=isinstance(request, MatrixRequest))
    progress.report(0, 0, f"{place.header.title}: {count(len(cells), 'cell')}")
    options = options_for(request.output, request.options)
    if isinstance(options, PageOptions):
        script()  # before what takes long
    if isinstance(request, MatrixRequest):  # whose light takes long
        merge = EVERYTHING if options.merge == AUTO else options.merge
        options = dataclasses.replace(options, merge=merge, hours=request.options.hours)
    document, report = field_document(place, options, cells)
    progress.check()
    if isinstance(options, PageOptions):
        data = page(document.to_bytes(), page_facts(place, options, cells), alone=True)
        files, report.size = [write_atomically(request.output, data)], len(data)
    else:
        files, report.size = write_scene(document, request.output)
    sentence = (
        f"{place.header.title}, {count(report.cells, 'cell')}, {count(report.props, 'prop')}, "
        f"{count(report.triangles, 'triangle')}, {count(report.animations, 'clip')}, {report.size:,} bytes"
    )
    facts = header_json(place.header) | {"file": str(files[0]), **dataclasses.asdict(report)}
    notices = wording.notices(world.leftovers(place.header.id), unknown_parts(place))
    return Outcome(sentence, files, [*report.damaged, *notices, *report.missing, *report.dummies], facts)


def owner_of_cell(world: FieldWorld, place: FieldPlace, cell: tuple[int, int]) -> FieldPlace:
    """The place that owns a cell of a place's matrix: the place itself for cells outside all places. Raises
    NoLandError."""
    wanted = place.matrix_cells.get(cell)
    if wanted is None:
        raise no_land(place, f"no cell {cell[0]},{cell[1]} with land")
    if wanted.filler or wanted.header == place.header.id:
        return place
    other = world.place(wanted.header)
    return other if other.matrix_id.value == place.matrix_id.value else place


def cells_of(place: FieldPlace, *, whole_matrix: bool) -> list[Cell]:
    """The cells of a place or of its whole matrix. Raises NoLandError where there are none."""
    cells = list(place.matrix_cells.values() if whole_matrix else place.cells)
    if not cells:
        raise no_land(place)
    return cells


def headers_named(world: FieldWorld, text: str) -> tuple[int, ...] | None:
    """The headers that a user names: numbers, ranges and names, with commas; None for all. Raises OptionError,
    PlaceError."""
    wanted: dict[int, None] = {}
    for part in (part.strip() for part in text.split(",")):
        span = re.fullmatch(r"(\d+)\s*[-–]\s*(\d+)", part)
        if span is not None:
            first, last = int(span[1]), int(span[2])
            if not first <= last < len(world.headers):
                raise OptionError("map headers go from 0 to {0}, not {1}", len(world.headers) - 1, part)
            wanted.update(dict.fromkeys(range(first, last + 1)))
        elif part:
            wanted[find_header(world.headers, part).id] = None
    return tuple(wanted) or None


def write_all(request: AllMapsRequest | AllPicturesRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Write every map, or a picture of each, into a folder with a manifest (see `batch`)."""

    def forward(done: int, total: int, entry: Entry) -> None:
        if progress.cancelled:
            raise KeyboardInterrupt  # ends the run as Ctrl+C does: finished files and the journal are kept
        progress.report(done, total, str(entry["location_name"] or entry["internal_name"]))

    pages = isinstance(request, AllMapsRequest) and request.pages
    if pages:
        script()
    report = export_all(
        world.rom.path,
        request.output,
        PageOptions.of(request.options) if isinstance(request, AllMapsRequest) and pages else request.options,
        headers=headers_named(world, request.maps or ""),
        jobs=request.jobs or os.cpu_count() or 1,
        resume=request.resume,
        progress=forward,
    )
    progress.check()
    if isinstance(request, AllPicturesRequest) and request.sheet is not None and not report.interrupted:
        pictures = [request.output / entry["file"] for entry in report.entries if "file" in entry]
        write_contact_sheets(request.output, pictures, *request.sheet)
    if pages and not report.interrupted:
        maps = ((world.headers[entry["header"]], entry["file"]) for entry in report.entries if "file" in entry)
        for name, data in folder_files(maps).items():
            write_changed(request.output / name, data)
    failures = [f"{entry['header']} {entry['internal_name']}: failed, {entry['error']}" for entry in report.failed]
    left_out = [
        f"{entry['header']} {entry['internal_name']}: {damage}"
        for entry in report.entries
        for damage in entry.get("damaged", ())
    ]
    sentence = (
        f"{count(len(report.written), 'map')} written to {request.output}, {len(report.skipped)} up to date, "
        f"{len(report.empty)} without cells, {len(report.failed)} failed"
    )
    groups = {"written": report.written, "skipped": report.skipped, "empty": report.empty, "failed": report.failed}
    facts: dict[str, Any] = {"folder": str(request.output), "options": request.options.to_json(), **groups}
    facts |= {"interrupted": report.interrupted, "undone": report.undone}
    if report.interrupted:
        sentence += f", {report.undone} not reached"
    return Outcome(sentence, [request.output], [*failures, *left_out], facts)
