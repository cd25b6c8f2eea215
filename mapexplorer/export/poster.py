"""Writing a poster as a PNG while its bands are drawn, on several processes when asked."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator

from mapexplorer.export.images import CompressedRows, compress_rows, write_png_rows
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.scene.poster import Poster, PosterPlan
from mapexplorer.system.workers import Workers
from mapexplorer.world import World
from mapexplorer.world.opening import open_rom

_BANDS_PER_TASK = 3
"""Neighbouring bands share their models."""

_Band = tuple[CompressedRows, list[str]]
"""The rows of a band, and what is left out of it."""

_poster: Poster | None = None
"""The poster that a worker process works at."""

_DIED = "A process that drew the poster died, perhaps for want of memory; fewer need less."


def write_poster(
    rom: str | os.PathLike[str],
    plan: PosterPlan,
    path: str | os.PathLike[str],
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
    damaged: list[str] | None = None,
) -> tuple[int, int]:
    """Draw a poster of the ROM at `rom` and write it; the result is its width and height in pixels.

    `progress` is called again and again with the number of bands done and of all; an error that it raises ends the work
    soon, and no file is left. `damaged` takes a sentence for each thing that cannot be read and is left out. The file
    is the same for any number of jobs. Raises FormatError, RomError, OSError.
    """
    prepare(DS_PICTURES)  # at once, and not in every process
    missing: dict[str, None] = {}
    poster = Poster(World(open_rom(rom)), plan)

    def counted(pieces: Iterator[_Band]) -> Iterator[CompressedRows]:
        for done, (piece, sentences) in enumerate(pieces, 1):
            missing.update(dict.fromkeys(sentences))
            yield piece
            progress(done, poster.bands)

    bands = range(poster.bands)
    if jobs <= 1 or len(bands) <= _BANDS_PER_TASK:
        write_png_rows(path, poster.width, poster.height, counted(_drawn(poster, band) for band in bands))
    else:
        drawn = _drawn_beside(os.fspath(rom), plan, poster.bands, jobs, lambda done: progress(done, poster.bands))
        with contextlib.closing(drawn):
            write_png_rows(path, poster.width, poster.height, counted(drawn))
    if damaged is not None:
        damaged += missing
    return poster.width, poster.height


def _drawn_beside(
    rom: str, plan: PosterPlan, count: int, jobs: int, waiting: Callable[[int], None]
) -> Generator[_Band, None, None]:
    """The bands in their order from several processes, which end early when the generator is closed. `waiting` is
    called again and again with the number of bands that have come."""
    tasks = [range(first, min(first + _BANDS_PER_TASK, count)) for first in range(0, count, _BANDS_PER_TASK)]
    with Workers(min(jobs, len(tasks)), _begin, (rom, plan), _DIED) as workers:
        futures = deque([workers.submit(_draw, bands) for bands in tasks])
        for bands in tasks:
            future = futures.popleft()  # bands that were written are not kept
            while not future.done():
                waiting(bands.start)
                workers.wait([future])
            workers.check()
            yield from future.result()


def _begin(rom: str, plan: PosterPlan) -> None:
    global _poster
    _poster = Poster(World(open_rom(rom)), plan)


def _draw(bands: range) -> list[_Band]:
    assert _poster is not None
    return [_drawn(_poster, band) for band in bands]


def _drawn(poster: Poster, band: int) -> _Band:
    return compress_rows(poster.band(band)), poster.damaged
