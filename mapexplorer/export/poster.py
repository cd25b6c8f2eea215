"""Writing a poster as a PNG while its bands are drawn, optionally by several processes."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator

from mapexplorer.export.images import CompressedRows, compress_rows, write_png_rows
from mapexplorer.export.poster_bands import Poster, Region
from mapexplorer.export.request import PosterRequest
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.system.workers import Workers
from mapexplorer.world import wording
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.damage import Damage
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

_BANDS_PER_TASK = 3
"""The number of bands that a process draws in succession; neighbouring bands share models."""

_Band = tuple[CompressedRows, tuple[Damage, ...]]
"""The rows of a band, and what is left out."""

_poster: Poster | None = None
"""The poster of a worker process."""

_DIED = "A process that drew the poster {}."


def write_poster(plan: PosterRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Draw a poster and write it, optionally with several processes.

    `progress` is called repeatedly with the number of finished bands; an error that it raises stops the work, and no
    file is written. The file does not depend on the number of processes. Raises FormatError, RomError, OSError.
    """
    prepare(DS_PICTURES)  # once, not in every process
    missing: dict[str, None] = {}
    poster, jobs = Poster(world, plan), plan.jobs or os.cpu_count() or 1

    def report(done: int) -> None:
        progress.report(done, poster.bands, "bands of the picture")

    def counted(pieces: Iterator[_Band]) -> Iterator[CompressedRows]:
        for done, (piece, damaged) in enumerate(pieces, 1):
            missing.update(dict.fromkeys(map(wording.damage, damaged)))
            yield piece
            report(done)

    bands = range(poster.bands)
    if jobs <= 1 or len(bands) <= _BANDS_PER_TASK:
        write_png_rows(plan.output, poster.width, poster.height, counted(_drawn(poster, band) for band in bands))
    else:
        drawn = _drawn_beside(poster, jobs, report)
        with contextlib.closing(drawn):
            write_png_rows(plan.output, poster.width, poster.height, counted(drawn))
    place, damaged, region = poster.place, list(missing), poster.region
    matrix, size = place.matrix_id.value, f"{poster.width} x {poster.height} pixels"
    corner = [value * CELL_TILES / plan.cell_pixels for value in (region.left, region.upper)]
    facts = {"file": str(plan.output), "header": place.header.id, "matrix": matrix, "whole_matrix": poster.whole}
    facts |= {"corner": corner, "width": poster.width, "height": poster.height, "damaged": damaged}
    what = f"matrix {matrix}" if poster.whole else place.header.title
    sentence = f"{what}, {size}, {plan.output.stat().st_size:,} bytes"
    return Outcome(sentence, [plan.output], damaged, facts)


def _drawn_beside(poster: Poster, jobs: int, waiting: Callable[[int], None]) -> Generator[_Band, None, None]:
    """The bands in order, drawn by several processes, which end when the generator is closed. `waiting` is called
    repeatedly with the number of finished bands."""
    tasks = [
        range(first, min(first + _BANDS_PER_TASK, poster.bands)) for first in range(0, poster.bands, _BANDS_PER_TASK)
    ]
    start = (str(poster.world.rom.path), poster.plan, poster.region)
    with Workers(min(jobs, len(tasks)), _begin, start, _DIED) as workers:
        futures = deque([workers.submit(_draw, bands) for bands in tasks])
        for bands in tasks:
            future = futures.popleft()  # written bands are not kept in memory
            while not future.done():
                waiting(bands.start)
                workers.wait([future])
            workers.check()
            yield from future.result()


def _begin(rom: str, plan: PosterRequest, region: Region) -> None:
    global _poster
    _poster = Poster(FieldWorld(open_rom(rom)), plan, region)


def _draw(bands: range) -> list[_Band]:
    assert _poster is not None
    return [_drawn(_poster, band) for band in bands]


def _drawn(poster: Poster, band: int) -> _Band:
    return compress_rows(poster.band(band)), poster.damaged
