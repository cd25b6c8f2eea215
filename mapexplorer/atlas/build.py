"""Writes an atlas: what is made in which order, by several processes, and which files are already there."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.atlas import lists, map_data
from mapexplorer.atlas.drawing import TIMES, Box, Pyramid, drawn_tiles, strips, tile_path
from mapexplorer.atlas.frame import list_path, listed_kinds
from mapexplorer.atlas.pages import page
from mapexplorer.atlas.request import AtlasRequest
from mapexplorer.atlas.sheets import Sheet, laid_out, planned, seen_region
from mapexplorer.atlas.site import Site, page_path
from mapexplorer.catalogue.store import open_store
from mapexplorer.compare.comparison import compare
from mapexplorer.errors import RomError
from mapexplorer.export import journal
from mapexplorer.export.batch import Make, parts_of, scene_maker
from mapexplorer.export.files import write_changed
from mapexplorer.export.journal import Entry
from mapexplorer.export.options import PageOptions
from mapexplorer.export.page import folder_files, shared_files
from mapexplorer.export.poster_bands import Region
from mapexplorer.games import identify
from mapexplorer.inspector.roms.changes_page import changes_page
from mapexplorer.kernels import DS_PICTURES, EXPORTS, prepare
from mapexplorer.rom.digest import rom_digest
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.system.workers import done_by
from mapexplorer.values import count
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.world import FieldWorld

_DIED: Final = "A process of the atlas {}; the same command continues it."
_CHUNK: Final = 60
"""Pages that are made at a time."""
_LEAST: Final = 8
"""Tasks of a process for which it is started."""
_TILE: Final = re.compile(r"tiles/(?P<time>\w+)/(?P<level>\d+)/(?P<x>\d+)_(?P<y>\d+)\.webp")

_REVEALED: Final = (
    "The site shows this saved game: its flags and variables, so which trainers are beaten, which items are taken and "
    "how far its story is. It names neither the player nor the party."
)

Files = list[tuple[str, str]]
"""Paths in the folder, with the hashes of their contents."""
Task = tuple[Any, ...]
"""The name of what is done, a method of `Maker`, and its arguments."""


class Maker:
    """Does tasks of a run in one process; each gives the files that it wrote, or a value. `known`: the tiles that there
    are."""

    def __init__(self, rom: str, request: AtlasRequest, known: frozenset[str]) -> None:
        self._site = Site.open(rom, request)
        self._folder, self._pyramid = request.output, Pyramid(request.output, known)

    def __call__(self, task: Task) -> tuple[Files, Any]:
        name, *arguments = task
        gc.collect(1)  # scenes refer to themselves: few objects with large arrays, which the collector does not count
        result = getattr(self, name)(*arguments)
        if isinstance(result, Iterator):
            return [write(self._folder, path, data) for path, data in result], None
        return [], result

    def pages(self, first: int, last: int) -> Iterator[tuple[str, bytes]]:
        """The pages of some things."""
        for thing in list(self._site.things)[first:last]:
            yield page_path(thing), page(self._site, thing)

    def icons(self, first: int, last: int) -> Iterator[tuple[str, bytes]]:
        """The small pictures of some things."""
        for thing in list(self._site.things)[first:last]:
            path = self._site.picture(thing)
            if path is not None:
                yield path, self._site.icon(thing) or b""

    def lists(self, kind: str) -> Iterator[tuple[str, bytes]]:
        """The list of a kind."""
        yield list_path(kind), lists.list_page(self._site, kind)

    def changes(self) -> Iterator[tuple[str, bytes]]:
        """The page of what is different from the base."""
        assert self._site.base is not None
        worlds = self._site.base.world, self._site.world
        yield "changes.html", "".join(changes_page(*worlds, compare(*worlds))).encode()

    def header(self, header: int, alone: bool) -> tuple[int, list[list[Any]], Region | None]:
        """What the layers of the map know of a header, and if it is `alone` in its matrix the part that is seen."""
        world = self._site.world
        return header, map_data.header_things(world, header), seen_region(world, header) if alone else None

    def colors(self, sheet: Sheet) -> list[map_data.CellColors]:
        """The colours of the tiles of a sheet."""
        return map_data.cell_colors(self._site.world, sheet)

    def strip(self, sheet: Sheet, first: tuple[int, int], level: int) -> Iterator[tuple[str, bytes]]:
        """The tiles of a strip of a sheet."""
        yield from drawn_tiles(self._site.world, sheet, first, level, self._site.request.save)

    def reduced(self, *tiles: tuple[str, int, int, int]) -> Iterator[tuple[str, bytes]]:
        """Some tiles, of those of the next level."""
        for tile in tiles:
            yield tile_path(*tile), self._pyramid.reduced(*tile)

    def picture(self, level: int, header: int, box: Box) -> Iterator[tuple[str, bytes]]:
        """The picture of a map."""
        yield self._site.map_picture(header), self._pyramid.picture(level, box)

    def scenes(self, *headers: int) -> Iterator[tuple[str, bytes]]:
        """The pages of some maps in 3D; none of one whose files are damaged."""
        for place in map(self._site.world.place, headers):
            with contextlib.suppress(FormatError, RomError):
                yield self._site.scene(place.header.id), self._scene(place)[0]

    @cached_property
    def _scene(self) -> Make:
        return scene_maker(self._site.world, PageOptions())


def write(folder: Path, path: str, data: bytes) -> tuple[str, str]:
    """Write a file unless it is there already; its path and the hash of its contents. Raises OSError."""
    write_changed(folder / path, data)
    return path, hashlib.sha256(data).hexdigest()


def write_atlas(request: AtlasRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run an `AtlasRequest`. Raises FormatError, RomError, OSError; finished files are kept."""
    shared = shared_files("map.js", "site.js", "site.css")
    shared["site.css"] += f":root {{ --link: {request.color}; }}\n".encode()
    request.output.mkdir(parents=True, exist_ok=True)
    with journal.locked(request.output):
        return _Run(request, str(world.rom.path), shared, progress).outcome()


class _Run:
    def __init__(self, request: AtlasRequest, rom: str, shared: dict[str, bytes], progress: Progress) -> None:
        self._request, self._progress, self._shared = request, progress, shared
        self._folder, self._rom = request.output, rom
        self._site = Site.open(rom, request)
        self._files: dict[str, str] = {}
        self._known: dict[str, Files] = {}
        """What tasks of an earlier run wrote."""

    def _identity(self) -> Entry:
        """What decides the contents of all files."""
        digest = hashlib.sha256(b"".join(self._shared.values()))
        digest.update(Path(self._request.introduction).read_bytes() if self._request.introduction else b"")
        digest.update(b"" if self._site.save is None else self._site.save.block)
        for site in filter(None, (self._site, self._site.base)):
            digest.update(rom_digest(site.world.rom, identify(site.world.rom).name, __version__).encode())
        return {"generator": f"mapexplorer {__version__}", "contents": self._request.contents, "of": digest.hexdigest()}

    def outcome(self) -> Outcome:
        """Write what is not there, and remove what an earlier run wrote and this one does not."""
        identity = self._identity()
        manifest = journal.manifest(self._folder)
        before: dict[str, str] = manifest.get("files", {})
        if identity.items() <= manifest.items() and self._hold(before.items()):
            return self._report(before, before)
        entries = [entry for entry in journal.entries(self._folder, identity) if self._hold(entry["files"])]
        journal.begin(self._folder, identity, entries)
        self._known = {entry["task"]: entry["files"] for entry in entries}
        self._make()
        for path in sorted(before.keys() - self._files.keys()):
            (self._folder / path).unlink(missing_ok=True)
        journal.finish(self._folder, identity | {"files": dict(sorted(self._files.items()))})
        return self._report(self._files, before)

    def _hold(self, files: Iterable[Sequence[str]]) -> bool:
        return all(journal.holds(self._folder, {"file": path, "sha256": digest}) for path, digest in files)

    def _report(self, files: Mapping[str, str], before: Mapping[str, str]) -> Outcome:
        new = sum(before.get(path) != digest for path, digest in files.items())
        sentence = f"{count(len(files), 'file')} in {self._folder}, {new} new or changed, {len(files) - new} up to date"
        facts = {"folder": str(self._folder), "files": len(files), "changed": new}
        notices = [] if self._site.save is None else [_REVEALED]
        return Outcome(sentence, [self._folder / "index.html"], notices, facts)

    def _make(self) -> None:
        site, pictures = self._site, not self._request.without_pictures
        open_store(site.world.rom, self._progress)
        prepare(DS_PICTURES)
        sheets = planned(site.world)
        starts = range(0, len(site.things), _CHUNK)
        tasks: list[Task] = [(name, at, at + _CHUNK) for name in ("pages", "icons")[: 1 + pictures] for at in starts]
        tasks += [("changes",)] if site.base is not None else []
        tasks += [("lists", kind) for kind in listed_kinds(site)]
        tasks += [("header", header, not sheet.whole) for header, sheet in sheets.items()]
        of_headers = self._values(tasks, "pages")
        regions = {header: region for header, _, region in of_headers if region is not None}
        sheets = {header: replace(sheet, region=regions.get(header, sheet.region)) for header, sheet in sheets.items()}
        level, sheets = laid_out(site.world, sheets)
        self._write(map_data.rasters(level, self._draw(level, list(dict.fromkeys(sheets.values())), tiles=pictures)))
        tiles = self._reduce(level, sheets) if pictures else {}
        self._write(
            {
                "data/map.js": lists.script("MAP", map_data.map_facts(site, level, sheets) | {"tiles": tiles}),
                "data/events.js": lists.script("EVENTS", {header: rows for header, rows, _ in of_headers}),
                "data/search.js": lists.search_data(site),
                "index.html": lists.index(site),
                "map.html": lists.map_page(site),
                **self._shared,
            }.items()
        )
        if pictures:
            self._scenes([site.world.place(header) for header in sheets])

    def _draw(self, level: int, sheets: Sequence[Sheet], *, tiles: bool) -> list[map_data.CellColors]:
        """Draw the tiles of the lowest level; the result are the colours of the tiles of all cells."""
        tasks: list[Task] = [("colors", sheet) for sheet in sheets]
        for sheet in sheets if tiles else ():
            tasks += [("strip", sheet, first, level) for first in strips(sheet)]
        return [cell for cells in self._values(tasks, "parts of the map") for cell in cells]

    def _reduce(self, level: int, sheets: Mapping[int, Sheet]) -> dict[str, dict[int, list[int]]]:
        """Make the tiles of the other levels, and the pictures of maps; the result has the tiles by time and level, as
        numbers y * 2^level + x."""
        for upper in reversed(range(level)):
            above = sorted({(time, upper, x >> 1, y >> 1) for time, at, x, y in self._tiles() if at == upper + 1})
            tasks = [("reduced", *above[at : at + _CHUNK]) for at in range(0, len(above), _CHUNK)]
            self._values(tasks, "smaller parts of the map")
        boxes = {header: map_data.box_of(self._site.world, header, sheet) for header, sheet in sheets.items()}
        self._values([("picture", level, header, box) for header, box in boxes.items()], "pictures of maps")
        tiles: dict[str, dict[int, list[int]]] = {time: {} for time in TIMES}
        for time, at, x, y in self._tiles():
            tiles[time].setdefault(at, []).append((y << at) + x)
        return tiles

    def _tiles(self) -> list[tuple[str, int, int, int]]:
        """The tiles that there are: time, level, column, row."""
        matches = (_TILE.fullmatch(path) for path in sorted(self._files))
        return [(part["time"], int(part["level"]), int(part["x"]), int(part["y"])) for part in matches if part]

    def _scenes(self, places: Sequence[FieldPlace]) -> None:
        """The pages in 3D."""
        prepare(EXPORTS)
        self._values([("scenes", *part) for part in parts_of(places, self._jobs)], "pages in 3D")
        files = ((place.header, Path(self._site.scene(place.header.id))) for place in places)
        shared = folder_files((header, file.name) for header, file in files if file.as_posix() in self._files)
        self._write((f"3d/{name}", data) for name, data in shared.items())

    def _write(self, files: Iterable[tuple[str, bytes]]) -> None:
        self._files |= dict(write(self._folder, path, data) for path, data in files)

    @property
    def _jobs(self) -> int:
        return self._request.jobs or os.cpu_count() or 1

    def _values(self, tasks: Sequence[Task], words: str) -> list[Any]:
        """Do tasks, but for those whose files an earlier run wrote; the values that they give, in their order."""
        names = [hashlib.sha256(repr(task).encode()).hexdigest() for task in tasks]
        for name in names:
            self._files |= dict(self._known.get(name, ()))
        left = [number for number, name in enumerate(names) if name not in self._known]
        values: dict[int, Any] = {}
        known = frozenset(path for path in self._files if path.startswith("tiles/"))
        jobs = min(self._jobs, max(1, len(left) // _LEAST))
        arguments = (self._rom, self._request, known)
        work = Maker(*arguments)
        self._progress.report(0, len(left), words)
        results = done_by(work, [tasks[number] for number in left], jobs, Maker, arguments, _DIED, self._progress.check)
        with contextlib.closing(results):
            for done, (index, (files, value)) in enumerate(results, 1):
                number = left[index]
                if value is not None:
                    values[number] = value
                else:
                    self._files |= dict(files)
                    journal.append(self._folder, {"task": names[number], "files": files})
                self._progress.report(done, len(left), words)
        return [values[number] for number in sorted(values)]
