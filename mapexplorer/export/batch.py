"""Exports every map of a ROM as glTF files or pages into a folder, in several processes, with a manifest.

Each file is written under a temporary name and renamed, then recorded in the folder's journal (`journal.py`), so that
an interrupted or killed run loses only unfinished files. With `resume` a file is skipped when the inputs, the options,
the program's version and the file's own hash agree with its entry. The bytes of every file and of the manifest are the
same for any number of jobs, any folder, and any interruptions before.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.errors import RomError, in_words
from mapexplorer.export import journal
from mapexplorer.export.files import map_name, remove_parts, write_atomically
from mapexplorer.export.journal import JOURNAL, MANIFEST, Entry
from mapexplorer.export.options import GLB, HTML, ExportOptions, PageOptions
from mapexplorer.export.page import page
from mapexplorer.export.page_facts import page_facts
from mapexplorer.features import unknown_parts
from mapexplorer.games import Role, identify
from mapexplorer.grouping import by_key
from mapexplorer.kernels import DS_PICTURES, EXPORTS, prepare
from mapexplorer.rom import Rom
from mapexplorer.scene.view import View
from mapexplorer.system import interrupt
from mapexplorer.system.interrupt import Deferred, cleaning
from mapexplorer.system.workers import done_by
from mapexplorer.values import count
from mapexplorer.world import wording
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.opening import open_rom
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.world import FieldWorld

__all__ = ["JOURNAL", "MANIFEST", "BatchReport", "export_all", "file_name", "input_digest"]

_INPUTS = (
    Role.MAP_NAMES,
    Role.MAP_MATRIX,
    Role.LAND_DATA,
    Role.AREA_DATA,
    Role.AREA_BUILD,
    Role.PROP_TEXTURES,
    Role.TERRAIN_TEXTURES,
    Role.AREA_LIGHT,
    Role.BUILD_MODEL,
    Role.MATSHP,
    Role.MESSAGES,
    Role.PROP_ANIMATION_LIST,
    Role.PROP_ANIMATIONS,
    Role.TERRAIN_ANIMATIONS,
    Role.ZONE_EVENT,
    Role.SPRITES,
    Role.EFFECTS,
    Role.SCRIPTS,
    Role.TERRAIN_SRT_ANIMATIONS,
    Role.WEATHER_PICTURES,
    Role.DISTORTION_FLOORS,
    Role.DISTORTION_ATTRIBUTES,
    Role.DISTORTION_SKY,
)

_CHUNK = 4
_CHUNKS = 8
"""A process takes at most _CHUNK maps at a time, or its share of all divided by _CHUNKS where that is more."""

_INTERRUPT_SECONDS = 1.0
"""Seconds after an interrupt in which the present map may be finished; kernels may have to be compiled."""

_DIED = "A process of the export {}; --resume continues it."


BatchOptions = ExportOptions | View
"""Maps are written as GLB or as pages, or drawn as pictures."""
Make = Callable[[FieldPlace], tuple[bytes, Entry]]
"""Makes the file of a place, and what the manifest says of it."""
Progress = Callable[[int, int, Entry], object]
"""Called with the number of files that are finished or failed, that of all files, and the entry of the latest one."""


@dataclass(slots=True)
class BatchReport:
    """The outcome. `written`, `skipped` (up to date) and `failed` are manifest entries, `empty` the headers that own
    no cell; `interrupted`: `undone` maps of the run were not reached."""

    written: list[Entry] = field(default_factory=list)
    skipped: list[Entry] = field(default_factory=list)
    failed: list[Entry] = field(default_factory=list)
    empty: list[Entry] = field(default_factory=list)
    interrupted: bool = False
    undone: int = 0

    @property
    def entries(self) -> list[Entry]:
        """All entries in header order."""
        return sorted(
            chain(self.written, self.skipped, self.failed, self.empty), key=lambda entry: int(entry["header"])
        )


def file_name(header: int, internal_name: str, options: BatchOptions | None = None) -> str:
    """The file of a map, by default a GLB."""
    ending = ".png" if isinstance(options, View) else HTML if isinstance(options, PageOptions) else GLB
    return f"{map_name(header, internal_name)}{ending}"


def input_digest(rom: Rom) -> str:
    """A hash of all data in a ROM that exports depend on."""
    digest = hashlib.sha256(rom.code.encode())
    game = identify(rom)
    if rom.state():
        return hashlib.sha256(rom.state()).hexdigest()
    for path in map(game.path, _INPUTS):
        if rom.has(path):
            data = rom.file(path)
            digest.update(f"\0{path}\0{len(data)}\0".encode())
            digest.update(data)
    for part in (rom.arm9(), getattr(rom.readable_overlay(game.program.overlay), "data", b"")):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def export_all(
    rom_path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    options: BatchOptions | None = None,
    *,
    headers: Sequence[int] | None = None,
    jobs: int | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> BatchReport:
    """Export every map (or those of `headers`) into a folder: as pictures with a View, else as GLB. `jobs` defaults to
    the number of cores.

    A map whose files are damaged becomes a failed entry with the error's sentence; the others are still exported.
    KeyboardInterrupt ends the run early with `interrupted` set and the journal kept. Raises FormatError, RomError for a
    ROM that cannot be opened, OSError for a folder that cannot be written or that another export writes into, or a
    worker process that died; the journal is kept.
    """
    run = _BatchRun(Path(folder), FieldWorld(open_rom(rom_path)), options or ExportOptions())
    run.folder.mkdir(parents=True, exist_ok=True)
    with journal.locked(run.folder):
        return run.execute(os.fspath(rom_path), headers, jobs or os.cpu_count() or 1, resume, progress)


class _BatchRun:
    def __init__(self, folder: Path, world: FieldWorld, options: BatchOptions) -> None:
        self.folder = folder
        self.world = world
        self.options = options
        self.report = BatchReport()
        self.work: list[int] | None = None
        """The maps that are to be written; None as long as that is not known."""

    @cached_property
    def identity(self) -> Entry:
        """What the manifest says of the run itself."""
        return {
            "generator": f"mapexplorer {__version__}",
            "rom": self.world.rom.code,
            "inputs": input_digest(self.world.rom),
            "options": self.options.to_json(),
        }

    def execute(
        self,
        rom_path: str,
        headers: Sequence[int] | None,
        jobs: int,
        resume: bool,
        progress: Progress | None,
    ) -> BatchReport:
        wanted = range(len(self.world.headers)) if headers is None else sorted(set(headers))
        jobs = min(jobs, len(wanted))
        prepare(DS_PICTURES if isinstance(self.options, View) else EXPORTS)  # once, and not in every process
        write = _writer(self.world, self.folder, self.options)
        arguments = rom_path, os.fspath(self.folder), self.options
        results = done_by(write, self._parts(wanted, resume, jobs), jobs, _begin, arguments, _DIED)
        deferred = Deferred(_INTERRUPT_SECONDS)
        try:
            with cleaning(self._say_interrupted), deferred if jobs <= 1 else contextlib.nullcontext():
                self._receive(results, progress, deferred)
        except KeyboardInterrupt:
            if self.work is None:
                raise
            self.report.interrupted = True
            self._add_recorded()
        else:
            self._finish()
        finally:
            remove_parts(self.folder)
        return self.report

    def _plan(self, wanted: Iterable[int], resume: bool) -> list[int]:
        """The maps that are to be written; the others are reported."""
        known = journal.known(self.folder, self.identity) if resume else {}
        work: list[int] = []
        for header in wanted:
            entry = header_json(self.world.headers[header])
            try:
                place = self.world.place(header)
                shown = place.matrix_cells if isinstance(self.options, View) else place.cells
            except (FormatError, RomError) as error:
                self.report.failed.append(entry | {"error": in_words(error)})
                continue
            if not shown:
                self.report.empty.append(entry | {"reason": "no cell of its matrix names this header"})
            elif self._current(known.get(header)):
                self.report.skipped.append(known[header])
            else:
                work.append(header)
        journal.begin(self.folder, self.identity, [*self.report.skipped, *self.report.failed])
        return work

    def _parts(self, wanted: Iterable[int], resume: bool, jobs: int) -> Iterator[list[int]]:
        """The work of a process at a time; with one process a map."""
        self.work = self._plan(wanted, resume)
        for headers in parts_of([self.world.place(header) for header in self.work], jobs):
            yield from [headers] if jobs > 1 else [[header] for header in headers]

    def _receive(
        self, results: Generator[tuple[int, list[Entry]], None, None], progress: Progress | None, deferred: Deferred
    ) -> None:
        """Report the maps that are written. Raises KeyboardInterrupt."""
        done = 0
        with contextlib.closing(results):
            for _, entries in results:
                for entry in entries:
                    done += 1
                    self._add(entry)
                    if progress is not None:
                        skipped = len(self.report.skipped)
                        progress(skipped + done, skipped + len(self.work or ()), entry)
                deferred.check()

    def _add(self, entry: Entry) -> None:
        (self.report.failed if "error" in entry else self.report.written).append(entry)

    def _add_recorded(self) -> None:
        """Add what other processes finished after their last result."""
        reported = {entry["header"] for entry in (*self.report.written, *self.report.failed, *self.report.skipped)}
        for entry in journal.entries(self.folder, self.identity):
            if isinstance(entry, dict) and entry.get("header") not in reported:
                reported.add(entry.get("header"))
                self._add(entry)
        self.report.undone = len(set(self.work or ()) - reported)

    def _say_interrupted(self) -> None:
        if self.work is None:
            return
        self._add_recorded()
        complete = len(self.report.written) + len(self.report.skipped)
        interrupt.say(interrupted_sentence(complete, self.report.undone))

    def _finish(self) -> None:
        counts = {
            "files": len(self.report.written) + len(self.report.skipped),
            "failed": len(self.report.failed),
            "without_cells": len(self.report.empty),
        }
        journal.finish(self.folder, self.identity | {"counts": counts, "maps": self.report.entries})

    def _current(self, entry: Entry | None) -> bool:
        if entry is None:
            return False
        name = file_name(entry["header"], self.world.headers[entry["header"]].internal_name, self.options)
        return entry["file"] == name and journal.holds(self.folder, entry)


def parts_of(places: Sequence[FieldPlace], jobs: int) -> list[list[int]]:
    """The headers that a process exports at a time: maps that show the same models, so that few processes read these.
    The largest part is first, so that all processes end at nearly the same time."""
    groups = by_key(((place.prop_set().value, place.terrain_set().value), place) for place in places)
    most = max(_CHUNK, len(places) // (_CHUNKS * max(1, jobs)))
    parts = [group[start : start + most] for group in groups.values() for start in range(0, len(group), most)]
    parts.sort(key=lambda part: -sum(1 + len(place.cells) for place in part))
    return [[place.header.id for place in part] for part in parts]


def interrupted_sentence(complete: int, undone: int) -> str:
    """What an interrupted run left in its folder."""
    return f"Interrupted: {count(complete, 'map')} complete, {undone} not written; --resume continues."


def scene_maker(world: FieldWorld, options: ExportOptions) -> Make:
    """Makes a map as GLB, or as a page."""
    from mapexplorer.export.gltf.field import field_document
    from mapexplorer.export.gltf.written_models import WrittenModels

    models = WrittenModels(world, options)

    def made(place: FieldPlace) -> tuple[bytes, Entry]:
        document, report = field_document(place, options, models=models)
        data = document.to_bytes()
        if isinstance(options, PageOptions):
            data = page(data, page_facts(place, options, place.cells), alone=False)
        report.size = len(data)
        return data, dataclasses.asdict(report)

    return made


def _pictures(world: FieldWorld, view: View) -> Make:
    from mapexplorer.export.images import encode_png
    from mapexplorer.scene.scene import FieldScene

    def made(place: FieldPlace) -> tuple[bytes, Entry]:
        scene = FieldScene(place, view)
        data = encode_png(scene.render()[..., :3])
        damaged = [wording.damage(lost) for lost in scene.damaged]
        left = wording.notices(world.leftovers(place.header.id), unknown_parts(place))
        return data, {"at": list(scene.at), "weather": scene.conditions.weather, "damaged": damaged, "left_over": left}

    return made


def _writer(world: FieldWorld, folder: Path, options: BatchOptions) -> Callable[[Sequence[int]], list[Entry]]:
    """A function that exports maps of a world into a folder."""
    make = _pictures(world, options) if isinstance(options, View) else scene_maker(world, options)

    def export(header: int) -> Entry:
        """Write one map and record it; the entry has the file's hash and contents, or the error."""
        gc.collect(1)  # scenes refer to themselves: few objects with large arrays, which the collector does not count
        place = world.place(header)
        name = file_name(header, place.header.internal_name, options)
        entry = header_json(place.header)
        file = folder / name
        try:
            data, facts = make(place)
            write_atomically(file, data)
        except (FormatError, RomError, OSError) as error:
            if isinstance(error, OSError):
                error.filename = name  # without the folder
            with contextlib.suppress(OSError):  # of an earlier run
                file.unlink()
            entry |= {"error": in_words(error)}
        else:
            entry |= {"file": name, "sha256": hashlib.sha256(data).hexdigest(), **facts}
        journal.append(folder, entry)
        return entry

    return lambda headers: list(map(export, headers))


def _begin(rom_path: str, folder: str, options: BatchOptions) -> Callable[[Sequence[int]], list[Entry]]:
    return _writer(FieldWorld(open_rom(rom_path)), Path(folder), options)
