"""Writing a poster as a PNG while its bands are drawn, on several processes when asked."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from mapexplorer.export.images import CompressedRows, compress_rows, write_png_rows
from mapexplorer.rom import open_rom
from mapexplorer.scene.poster import Poster, PosterPlan
from mapexplorer.world import World

_BANDS_PER_TASK = 3
"""Neighbouring bands share their models."""

_Band = tuple[CompressedRows, list[str]]
"""The rows of a band, and what is left out of it."""

_poster: Poster | None = None
"""The poster that a worker process works at."""


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

    `progress` is called with the number of bands done and of all; `damaged` takes a sentence for each thing that cannot
    be read and is left out. The file is the same for any number of jobs. Raises FormatError, RomError, OSError.
    """
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
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, context, _begin, (os.fspath(rom), plan)) as pool:
            pieces = pool.map(_draw, bands, chunksize=_BANDS_PER_TASK)
            write_png_rows(path, poster.width, poster.height, counted(pieces))
    if damaged is not None:
        damaged += missing
    return poster.width, poster.height


def _begin(rom: str, plan: PosterPlan) -> None:
    global _poster
    _poster = Poster(World(open_rom(rom)), plan)


def _draw(band: int) -> _Band:
    assert _poster is not None
    return _drawn(_poster, band)


def _drawn(poster: Poster, band: int) -> _Band:
    return compress_rows(poster.band(band)), poster.damaged
