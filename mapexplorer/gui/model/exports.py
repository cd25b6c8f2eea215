"""What can be exported, as jobs without Qt: each writes files and reports its progress through a task."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from mapexplorer.api import World
from mapexplorer.export.options import BY_MATERIAL, UNIT, ExportOptions
from mapexplorer.rom import Rom

THIS_MAP, WHOLE_MATRIX, ALL_MAPS, MODEL, TEXTURES, HEIGHTS, TABLES, POSTER = (
    "map", "matrix", "all", "model", "textures", "heights", "tables", "poster",
)  # fmt: skip


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
    """Something that can be exported: its title, what it makes, whether into a folder, the ending of its file."""

    id: str
    title: str
    hint: str
    folder: bool = False
    suffix: str = ".glb"
    options: bool = True


KINDS: Final = (
    Kind(THIS_MAP, "This map", "Terrain, props and layers of the map's own cells as one GLB."),
    Kind(WHOLE_MATRIX, "Its whole matrix", "Every cell of the matrix as one GLB; large matrices take a while."),
    Kind(ALL_MAPS, "All maps", "A GLB for every map header, with a manifest; can be stopped and resumed.", True),
    Kind(MODEL, "Selected prop model", "The model of the selected prop as GLB, with its animations."),
    Kind(POSTER, "Whole matrix as a picture", "Seen from above by the DS renderer, as one PNG.", False, ".png",
         False),
    Kind(TEXTURES, "Textures of this map", "Every texture with every palette that its models ask for, as PNG.", True,
         "", False),
    Kind(HEIGHTS, "Height plates of this map", "Plates, strips, overlaps and holes as JSON.", False, ".json", False),
    Kind(TABLES, "Facts about this map", "What the inspector says of header, cells and events, as JSON.", False,
         ".json", False),
)  # fmt: skip

PRESETS: Final = {
    "Blender and viewers: light baked in": ExportOptions(),
    "Game engines: lit, by material": ExportOptions(lit=True, merge=BY_MATERIAL, bake_mirror=True),
    "Everything: collision and heights too": ExportOptions(collision=True, heights=True),
    "DSPRE and PDSMS scale (1 unit = 1/16)": ExportOptions(scale=UNIT, bake_mirror=True),
}


@dataclass(frozen=True)
class ExportJob:
    """A job: kind, header, options, target; `model` for a prop model; `jobs` and `resume` for all maps."""

    kind: str
    header: int
    options: ExportOptions
    target: Path
    model: int = 0
    jobs: int = 1
    resume: bool = True
    headers: tuple[int, ...] | None = None


@dataclass
class Outcome:
    """What became of a job: a sentence, the files, what failed."""

    sentence: str
    files: list[Path] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def run(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    """Do a job. Raises FormatError, RomError, OSError, ValueError."""
    task.report(0, 0, "Preparing")
    return _RUNS[job.kind](job, rom, task)


def _field(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.gltf.field import field_document

    place = World(rom).place(job.header)
    whole = job.kind == WHOLE_MATRIX
    cells = list(place.matrix_cells.values()) if whole else list(place.cells)
    task.report(0, 0, f"{place.header.title}: {len(cells)} cells")
    document, report = field_document(place, job.options, cells)
    task.check()
    target = document.write(job.target)
    words = f"{report.cells} cells, {report.props} props, {report.triangles} triangles, {report.images} images"
    missing = f"; {len(report.missing)} materials stay white" if report.missing else ""
    return Outcome(f"{words}{missing}", [target])


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
    from mapexplorer.gui.model.heights import plates_json

    place = World(rom).place(job.header)
    cells = []
    for number, cell in enumerate(place.cells):
        task.report(number, len(place.cells), str(cell))
        cells.append(plates_json(place, cell))
    return _write_json(job.target, {"header": job.header, "cells": cells}, f"{len(cells)} cells")


def _tables(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.gui.model.describe import describe
    from mapexplorer.gui.model.subject import subject

    world = World(rom)
    place = world.place(job.header)
    header = place.header
    wanted = [subject("header", header.id), subject("area", place.area_id.value), subject("events", header.events)]
    wanted += [subject("cell", cell.matrix, cell.x, cell.z) for cell in place.cells]
    facts = []
    for number, chosen in enumerate(wanted):
        task.report(number, len(wanted), str(chosen))
        facts.append(describe(world, header.id, chosen).to_json())
    return _write_json(job.target, facts, f"{len(facts)} things described")


def _write_json(target: Path, value: Any, sentence: str) -> Outcome:
    from mapexplorer.export.files import write_atomically

    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    return Outcome(sentence, [write_atomically(target, text.encode())])


def _poster(job: ExportJob, rom: Rom, task: Task) -> Outcome:
    from mapexplorer.export.poster import write_poster
    from mapexplorer.scene.poster import PosterPlan

    place = World(rom).place(job.header)
    plan = PosterPlan(place.matrix_id.value, job.header, 256, job.options.second)
    width, height = write_poster(
        rom.path, plan, job.target, progress=lambda done, total: task.report(done, total, "bands of the picture")
    )
    return Outcome(f"{width} × {height} pixels", [job.target])


_RUNS: Final[dict[str, Callable[[ExportJob, Rom, Task], Outcome]]] = {
    THIS_MAP: _field,
    WHOLE_MATRIX: _field,
    ALL_MAPS: _all,
    MODEL: _model,
    POSTER: _poster,
    TEXTURES: _textures,
    HEIGHTS: _heights,
    TABLES: _tables,
}
