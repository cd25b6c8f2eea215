"""Writing a poster as a PNG while its bands are drawn, on several processes when asked."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator

from mapexplorer.export.images import CompressedRows, compress_rows, write_png_rows
from mapexplorer.export.poster_bands import Poster, Region
from mapexplorer.export.progress import Outcome, Progress
from mapexplorer.export.request import PosterRequest
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.system.workers import Workers
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld

_BANDS_PER_TASK = 3
"""Neighbouring bands share their models."""

_Band = tuple[CompressedRows, list[str]]
"""The rows of a band, and what is left out of it."""

_poster: Poster | None = None
"""The poster that a worker process works at."""

_DIED = "A process that drew the poster died, perhaps for want of memory; fewer need less."


def write_poster(plan: PosterRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Draw a poster and write it, on several processes when asked.

    `progress` is told again and again how many bands are done; an error that it raises ends the work soon, and no file
    is left. The file is the same for any number of processes. Raises FormatError, RomError, OSError.
    """
    prepare(DS_PICTURES)  # at once, and not in every process
    missing: dict[str, None] = {}
    poster, jobs = Poster(world, plan), plan.jobs or os.cpu_count() or 1

    def report(done: int) -> None:
        progress.report(done, poster.bands, "bands of the picture")

    def counted(pieces: Iterator[_Band]) -> Iterator[CompressedRows]:
        for done, (piece, sentences) in enumerate(pieces, 1):
            missing.update(dict.fromkeys(sentences))
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
    """The bands in their order from several processes, which end early when the generator is closed. `waiting` is
    called again and again with the number of bands that have come."""
    tasks = [
        range(first, min(first + _BANDS_PER_TASK, poster.bands)) for first in range(0, poster.bands, _BANDS_PER_TASK)
    ]
    start = (str(poster.world.rom.path), poster.plan, poster.region)
    with Workers(min(jobs, len(tasks)), _begin, start, _DIED) as workers:
        futures = deque([workers.submit(_draw, bands) for bands in tasks])
        for bands in tasks:
            future = futures.popleft()  # bands that were written are not kept
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
