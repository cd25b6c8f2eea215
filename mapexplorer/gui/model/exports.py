"""What can be exported, as jobs without Qt: each writes files and reports its progress through a task."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from mapexplorer.api import World
from mapexplorer.errors import RomError
from mapexplorer.export.options import BY_MATERIAL, UNIT, ExportOptions
from mapexplorer.rom import Rom
from mapexplorer.world.header import find_header

THIS_MAP, WHOLE_MATRIX, ALL_MAPS, MODEL, PICTURE, POSTER, TEXTURES, HEIGHTS, TABLES, FILE = (
    "map", "matrix", "all", "model", "picture", "poster", "textures", "heights", "tables", "file",
)  # fmt: skip


_FAR = 1e6
"""No number of units or tiles is larger."""


class Task(Protocol):
    """Who is told the progress, and says when to stop."""

    def check(self) -> None:
        """Raise when the job was cancelled."""

    def report(self, done: int, total: int, text: str) -> None:
        """Say how far the job is."""

    @property
    def cancelled(self) -> bool:
        """Whether the job was told to stop."""


@dataclass(frozen=True)
class Kind:
    """Something that can be exported: its title, what it makes, whether into a folder, the endings of its file."""

    id: str
    title: str
    hint: str
    folder: bool = False
    suffixes: tuple[str, ...] = (".glb",)

    @property
    def suffix(self) -> str:
        """The usual ending of its file."""
        return self.suffixes[0] if self.suffixes else ""


KINDS: Final = (
    Kind(THIS_MAP, "This map", "Terrain, props and layers of the map's own cells as one GLB."),
    Kind(WHOLE_MATRIX, "Its whole matrix", "Every cell of the matrix as one GLB; large matrices take a while."),
    Kind(ALL_MAPS, "All maps", "A GLB for every map header, with a manifest; can be stopped and resumed.", True),
    Kind(MODEL, "Selected prop model", "The model of the selected prop as GLB, with its animations."),
    Kind(PICTURE, "Picture or film of this map", "As the DS or OpenGL draws it: a PNG; with several frames an APNG "
         "or GIF.", False, (".png", ".apng", ".gif")),
    Kind(POSTER, "Whole matrix as a picture", "Seen from above by the DS renderer, as one PNG.", False, (".png",)),
    Kind(TEXTURES, "Textures of this map", "Every texture with every palette that its models ask for, as PNG.", True,
         ()),
    Kind(HEIGHTS, "Height plates of this map", "Plates, strips, overlaps and holes as JSON.", False, (".json",)),
    Kind(TABLES, "Facts about this map", "What the inspector says of header, cells and events, as JSON.", False,
         (".json",)),
    Kind(FILE, "A file of the ROM", "Every field of a file or of an archive's member, as JSON; `mapexplorer dump "
         "--binary` turns it back into the same bytes.", False, (".json",)),
)  # fmt: skip

GLTF_KINDS: Final = (THIS_MAP, WHOLE_MATRIX, ALL_MAPS, MODEL)
"""What is written as GLB."""

PRESETS: Final = {
    "Blender and viewers: light baked in": ExportOptions(),
    "Game engines: lit, by material": ExportOptions(lit=True, merge=BY_MATERIAL, bake_mirror=True),
    "Everything: collision and heights too": ExportOptions(collision=True, heights=True),
    "DSPRE and PDSMS scale (1 unit = 1/16)": ExportOptions(scale=UNIT, bake_mirror=True),
}


@dataclass(frozen=True)
class ExportJob:
    """A job: kind, header, options, target.

    `model` is a prop model's number. `matrix` and `area` replace what the header names; `cell` is the only cell of a
    map that is wanted. `jobs`, `resume` and `headers` are for all maps, `jobs` for posters too. `plan` are the fields
    of a PosterPlan, or of a RenderPlan, which `engine` (ds, gl) draws in `scale` screens. `path` names a file of the
    ROM.
    """

    kind: str
    header: int
    options: ExportOptions
    target: Path
    model: int = 0
    jobs: int = 1
    resume: bool = True
    headers: tuple[int, ...] | None = None
    matrix: int | None = None
    area: int | None = None
    cell: tuple[int, int] | None = None
    plan: dict[str, Any] = field(default_factory=dict)
    engine: str = "ds"
    scale: int = 1
    path: str = ""


def parse_headers(world: World, text: str) -> tuple[int, ...] | None:
    """The headers that a user names: numbers, ranges and names, with commas; None for all. Raises ValueError,
    PlaceError."""
    wanted: dict[int, None] = {}
    for part in (part.strip() for part in text.split(",")):
        span = re.fullmatch(r"(\d+)\s*[-–]\s*(\d+)", part)
        if span is not None:
            first, last = int(span[1]), int(span[2])
            if not first <= last < len(world.headers):
                raise ValueError(f"map headers go from 0 to {len(world.headers) - 1}, not {part}")
            wanted.update(dict.fromkeys(range(first, last + 1)))
        elif part:
            wanted[find_header(world.headers, part).id] = None
    return tuple(wanted) or None


def parse_numbers(text: str, names: str, kind: type[int] | type[float] = int) -> tuple[Any, ...] | None:
    """Numbers with commas between them, as many as `names` has; None for nothing. Raises ValueError."""
    if not text.strip():
        return None
    try:
        numbers = tuple(kind(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != names.count(",") + 1 or not all(abs(number) <= _FAR for number in numbers):
        raise ValueError(f"{text!r} is not {names}")
    return numbers


@dataclass
class Outcome:
    """What became of a job: a sentence, the files, what failed or is lacking in them."""

    sentence: str
    files: list[Path] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def run(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    """Do a job. Raises FormatError, RomError, OSError, ValueError."""
    task.report(0, 0, "Preparing")
    return _RUNS[job.kind](job, rom, task)


def _field(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.gltf.field import field_document

    place = World(rom).place(job.header, job.matrix, job.area)
    cells = list(place.matrix_cells.values() if job.kind == WHOLE_MATRIX or job.cell else place.cells)
    if job.cell is not None:
        cells = [cell for cell in cells if (cell.x, cell.z) == job.cell]
        if not cells:
            raise ValueError(f"{place.header.title} has no cell {job.cell[0]}, {job.cell[1]} with land")
    task.report(0, 0, f"{place.header.title}: {len(cells)} cells")
    document, report = field_document(place, job.options, cells)
    task.check()
    target = document.write(job.target)
    words = f"{report.cells} cells, {report.props} props, {report.triangles} triangles, {report.images} images"
    missing = f"; {len(report.missing)} materials stay white" if report.missing else ""
    return Outcome(f"{words}{missing}", [target], [*report.missing, *report.dummies])


def _all(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.batch import Progress, export_all

    def progress(step: Progress) -> None:
        name = step.entry.get("location_name") or step.entry.get("internal_name", "")
        if task.cancelled:
            raise KeyboardInterrupt  # ends the run as Ctrl+C does: finished files stay, the journal too
        task.report(step.done, step.total, str(name))

    report = export_all(
        rom.path, job.target, job.options, headers=job.headers, jobs=job.jobs, resume=job.resume, progress=progress
    )
    task.check()
    failures = [f"{entry['header']} {entry['internal_name']}: {entry['error']}" for entry in report.failed]
    sentence = f"{len(report.written)} maps written, {len(report.skipped)} up to date, {len(failures)} failed"
    return Outcome(sentence, [job.target], failures)


def _model(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.gltf.field import prop_clips
    from mapexplorer.export.gltf.nitro import model_document

    world = World(rom)
    place = world.place(job.header)
    file = world.prop_model(job.model)
    clips = prop_clips(world, job.model, file.models[0].name)
    sets = [file.textures] if file.textures is not None and job.model == 0 else []
    sets.append(place.prop_textures().textures)
    document, parts = model_document(file.models[0], *sets, options=job.options, clips=clips)
    task.check()
    missing = f"; {len(parts.missing)} materials stay white" if parts.missing else ""
    return Outcome(f"Model {job.model} {file.models[0].name}{missing}", [document.write(job.target)])


def _textures(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.files import write_atomically
    from mapexplorer.export.textures import needs_palette, picture
    from mapexplorer.gui.model.textures import SetKey, pairs_of

    world = World(rom)
    place = world.place(job.header)
    files: list[Path] = []
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        pairs = pairs_of(world, place, key)
        for number, (texture, palette) in enumerate(pairs):
            task.report(number, len(pairs), texture.name)
            if needs_palette(texture) and palette is None:
                continue
            name = f"{texture.name}.{palette.name}" if palette is not None else texture.name
            file = job.target / key.folder / f"{_safe(name)}.png"
            files.append(write_atomically(file, picture(texture, palette).png))
    return Outcome(f"{len(files)} pictures", files)


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)


def _heights(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.inspector.heights import plates_json

    place = World(rom).place(job.header)
    cells = []
    for number, cell in enumerate(place.cells):
        task.report(number, len(place.cells), str(cell))
        cells.append(plates_json(place, cell))
    return _write_json(job.target, {"header": job.header, "cells": cells}, f"{len(cells)} cells")


def _tables(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.inspector.describe import describe
    from mapexplorer.inspector.output import description_json
    from mapexplorer.inspector.subject import subject

    world = World(rom)
    place = world.place(job.header)
    header = place.header
    wanted = [subject("header", header.id), subject("area", place.area_id.value), subject("events", header.events)]
    wanted += [subject("cell", cell.matrix, cell.x, cell.z) for cell in place.cells]
    facts = []
    for number, chosen in enumerate(wanted):
        task.report(number, len(wanted), str(chosen))
        facts.append(description_json(describe(world, header.id, chosen)))
    return _write_json(job.target, facts, f"{len(facts)} things described")


def _write_json(target: Path, value: Any, sentence: str) -> Outcome:
    from mapexplorer.export.files import write_atomically

    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    return Outcome(sentence, [write_atomically(target, text.encode())])


def _poster(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.poster import write_poster
    from mapexplorer.scene.poster import PosterPlan

    place = World(rom).place(job.header, job.matrix)
    plan = PosterPlan(place.matrix_id.value, job.header, **job.plan)
    damaged: list[str] = []
    width, height = write_poster(
        rom.path, plan, job.target, jobs=job.jobs, damaged=damaged,
        progress=lambda done, total: task.report(done, total, "bands of the picture"),
    )  # fmt: skip
    return Outcome(f"{width} × {height} pixels", [job.target], damaged)


def _picture(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.render import RenderPlan, ds_painter, write_render

    plan = RenderPlan(**job.plan)
    place = World(rom).place(job.header, job.matrix, job.area)

    def write(paint: Any) -> tuple[int, list[str]]:
        scene = plan.scene(place)
        pictures = write_render(
            job.target, scene, plan, paint, lambda done, total: task.report(done, total, "frames of the film")
        )
        return pictures, scene.damaged

    if job.engine == "ds":
        pictures, damaged = write(ds_painter(job.scale))
    else:
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.painter import scene_painter

        try:
            with scene_painter(256 * job.scale, 192 * job.scale) as paint:
                pictures, damaged = write(paint)
        except GlError as error:
            raise RomError(f"OpenGL cannot draw here: {error}; the DS picture needs no OpenGL.") from None
    size = f"{256 * job.scale} × {192 * job.scale} pixels"
    return Outcome(f"{pictures} pictures of {size}" if pictures > 1 else size, [job.target], damaged)


def _file(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from formats.plain import to_json
    from mapexplorer.export.dump import read_member
    from mapexplorer.export.files import write_atomically

    notes: list[Any] = []
    text = to_json(read_member(rom, job.path, notes))
    task.check()
    target = write_atomically(job.target, text.encode())
    return Outcome(f"{job.path}, {len(text):,} characters", [target], [str(note) for note in notes])


_RUNS: Final[dict[str, Callable[[ExportJob, Rom, Task], Outcome]]] = {
    THIS_MAP: _field,
    WHOLE_MATRIX: _field,
    ALL_MAPS: _all,
    MODEL: _model,
    PICTURE: _picture,
    POSTER: _poster,
    TEXTURES: _textures,
    HEIGHTS: _heights,
    TABLES: _tables,
    FILE: _file,
}
